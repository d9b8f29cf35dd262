"""A day of every motion: nothing grows, nothing is lost, and the device's clock is as good as NumPy's."""

import numpy as np
import pytest

from tests.test_simulation import SCENES, scene_of
from windflower.core.device import Gpu
from windflower.simulation import DeviceSimulation, Simulation

DAY, HOUR = 86_400.0, 3600.0
STEP = {"broadleaf": 1 / 15}  # s; of all others 1/2 s
LENGTH = {"broadleaf": 2 * HOUR}  # s; of all others a day
SLOW = [pytest.param(kind, marks=pytest.mark.slow) for kind in SCENES]


def away(simulation: Simulation) -> float:
    """How far the farthest node of the first three instances is from rest, relative to its plant's height."""
    found = 0.0
    for instance in range(3):
        rest, posed = simulation.scene.stands[0].tree(instance), simulation.pose(0, instance)
        assert np.isfinite(posed).all(), f"at {simulation.time:g} s"
        found = max(found, float(np.abs(posed - rest.position).max()) / rest.height)
    return found


def check_bounded(kind: str, seconds: float, parts: int) -> None:
    """Through all parts of a run every node stays within reach, and the last parts sway as the first do."""
    simulation = Simulation(scene_of(*SCENES[kind]), step=STEP.get(kind, 0.5))
    swayed = []
    for part in range(parts):
        most = 0.0
        for moment in np.linspace(part, part + 1, 9)[1:]:
            simulation.advance(moment * seconds / parts)
            most = max(most, away(simulation))
        swayed.append(most)
    assert simulation.time == pytest.approx(seconds, rel=1e-9)
    assert max(swayed) < 1.5, "no node leaves its plant"
    assert min(swayed) > 1e-4, "it moves to the end"
    half = parts // 2
    assert max(swayed[half:]) < 2 * max(swayed[:half]) + 0.01, "it does not grow"


@pytest.mark.parametrize("kind", SCENES)
def test_minutes_of_every_motion_stay_bounded(kind: str) -> None:
    check_bounded(kind, 8.0 if kind == "broadleaf" else 120.0, 4)


@pytest.mark.parametrize("kind", SLOW)
def test_a_day_of_every_motion_stays_bounded(kind: str) -> None:
    """Two hours of blades."""
    check_bounded(kind, LENGTH.get(kind, DAY), 24)


@pytest.mark.parametrize("kind", SCENES)
def test_the_device_agrees_with_numpy_at_the_end_of_a_day(gpu: Gpu, kind: str) -> None:
    """Where a clock of 32 bits in seconds would have steps of 8 ms."""
    scene = scene_of(*SCENES[kind])
    numpy, device = Simulation(scene, start=DAY - 0.5), DeviceSimulation(scene, gpu, start=DAY - 0.5)
    before = numpy.pose(0, 0)
    for simulation in (numpy, device):
        simulation.advance(DAY + 0.3)
    assert np.abs(numpy.pose(0, 0) - before).max() > 1e-4
    for instance in range(3):
        assert numpy.pose(0, instance) == pytest.approx(device.pose(0, instance), abs=1e-4)
    assert numpy.air() == pytest.approx(device.air(), abs=1e-3)
