"""Stands that take their steps together, against the same stands one after the other."""

from typing import Any

import numpy as np
import pytest

from windflower import build_scene, parse_scene
from windflower.core.device import Gpu
from windflower.motion import HybridState
from windflower.motion.hybrid.hybrid_twin import HybridTwin
from windflower.motion.hybrid.pushing import Capsule
from windflower.motion.touch import Touch
from windflower.scene import Scene
from windflower.simulation import DeviceSimulation
from windflower.simulation import simulation as simulation_module
from windflower.simulation.device_stand import DeviceStand

DT = 1 / 30

BLOCKS = """
[[stands]]
plant = "hazel-bush"
count = 5
detail = 0.06
area = { kind = "rectangle", centre = [0, 0], size = [14, 14] }
motion = "hybrid"

[[stands]]
plant = "oak"
count = 3
detail = 0.02
area = { kind = "rectangle", centre = [12, 0], size = [14, 14] }
motion = { kind = "hybrid", eddies = 0.1 }

[[stands]]
plant = "silver-birch"
count = 2
detail = 0.02
area = { kind = "rectangle", centre = [0, 12], size = [8, 8] }
motion = { kind = "hybrid", timing = "printed" }

[wind]
speed = 3.0

[[wind.sources]]
kind = "disk"
path = [[0, 0, 0], [2, 10, 2]]
radius = 12
strength = [6, 0, 2]
frequency = 1.1
"""


def scene(text: str) -> Scene:
    return build_scene(parse_scene(text))


def state_of(stand: DeviceStand) -> HybridState:
    assert isinstance(stand.twin, HybridTwin)
    return stand.twin.state


def one_by_one(simulation: DeviceSimulation, times: list[float], touch: Touch | None) -> None:
    for number, stand in enumerate(simulation.stands):
        stand.advance(simulation.wind, np.array(times), touch if number == 0 else None)


def test_blocks_of_trees_move_together_as_they_do_one_by_one(gpu: Gpu) -> None:
    made = scene(BLOCKS)
    together, alone = (DeviceSimulation(made, gpu, step=DT) for _ in range(2))
    foot = together.stands[1].stand.places.position[0]
    figure = Capsule(foot + np.array([0.3, 0.1, 0.0]), foot + np.array([0.3, 1.6, 0.0]))
    touch = Touch(instance=1, node=4, target=together.stands[0].stand.places.position[1] + np.array([0.4, 1.0, 0.2]))
    for number in range(1, 16):
        hand = touch if 5 <= number < 10 else None
        together.advance(number * DT, {0: hand} if hand else {}, figure)
        for stand in alone.stands:
            stand.twin.walk_through(figure)
        one_by_one(alone, [number * DT], hand)
    assert len(state_of(together.stands[1]).physical), "the figure touches nothing"
    for one, other in zip(together.stands, alone.stands, strict=True):
        for name in ("pull", "felt", "rate", "push", "aside"):
            mine, theirs = getattr(state_of(one), name), getattr(state_of(other), name)
            np.testing.assert_allclose(mine, theirs, rtol=1e-8, atol=1e-8, err_msg=name)
        np.testing.assert_allclose(one.air, other.air, rtol=1e-6, atol=1e-7)
        last = np.array([len(one.stand) - 1])
        np.testing.assert_allclose(one.points(last), other.points(last), atol=1e-9)


BLOCK = """
[[stands]]
plant = "hazel-bush"
count = 3
detail = 0.04
area = {{ kind = "rectangle", centre = [{x}, 0], size = [9, 9] }}
motion = "hybrid"
"""


def test_what_blocks_feel_is_sent_together_where_they_were_posed_before(
    gpu: Gpu, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "\n".join(BLOCK.format(x=10 * number) for number in range(4)) + "[wind]\nspeed = 5.0\n"
    simulation = DeviceSimulation(scene(text), gpu, step=DT)
    simulation.advance(DT)
    posed_as_they_are(simulation.stands[0], simulation.stands[1], simulation.stands[3])
    written: list[Any] = []
    monkeypatch.setattr(type(gpu.queue), "write_buffer", counted(type(gpu.queue).write_buffer, written))

    def sent() -> int:
        count = sum("felt" in buffer.label for buffer, *_ in written)
        written.clear()
        return count

    simulation.advance(2 * DT)
    assert sent() == 2, "the first two lie side by side, and the fourth"
    posed_as_they_are(simulation.stands[0], simulation.stands[1], simulation.stands[3])
    assert sent() == 0
    posed_as_they_are(simulation.stands[2])
    assert sent() == 1, "nobody had posed it before"
    simulation.advance(4 * DT)
    assert sent() == 1, "all of them, once for two steps"
    simulation.advance(5 * DT)
    assert sent() == 0, "nobody has posed them since"
    posed_as_they_are(*simulation.stands)
    assert sent() == 4
    for stand in simulation.stands:  # other levels, which fade
        stand.twin.watch(np.array([0.0, 1.0, 900.0]), np.arange(3))
    simulation.advance(12 * DT)
    posed_as_they_are(*simulation.stands)


def posed_as_they_are(*stands: DeviceStand) -> None:
    """Check that the device poses blocks as their states say."""
    for stand in stands:
        assert isinstance(stand.twin, HybridTwin)
        stand.pose(0, np.arange(len(stand.stand)))
        motion, state = stand.twin.motion, state_of(stand)
        truth = motion.pose(state)
        np.testing.assert_allclose(stand.twin.kernels.read_points(), truth, atol=2e-5)
        np.testing.assert_array_equal(stand.twin.kernels.read_kinds(), motion.kinds(state))
        assert np.abs(truth - motion.plant.position).max() > 1e-3, "it does not move"


MODES = """
[[stands]]
plant = "hazel-bush"
count = 7
detail = 0.06
area = { kind = "rectangle", centre = [0, 0], size = [30, 30] }
motion = { kind = "modal", modes = 6 }

[[stands]]
plant = "oak"
count = 5
detail = 0.02
area = { kind = "rectangle", centre = [60, 20], size = [30, 30] }
motion = { kind = "modal", modes = 8 }

[wind]
speed = 7.0
"""


def test_stands_of_modes_move_together_as_they_do_one_by_one(gpu: Gpu, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation_module, "MANY", 1)  # so that kernels find the wind
    made = scene(MODES)
    together, alone = (DeviceSimulation(made, gpu, step=DT) for _ in range(2))
    touch = Touch(instance=1, node=4, target=together.stands[0].stand.places.position[1] + np.array([0.4, 1.0, 0.2]))
    time = 0.0
    for number, steps in enumerate((1, 1, 3, 2, 1, 1)):
        hand = touch if number in (2, 3) else None
        times = [time + DT * step for step in range(1, steps + 1)]
        time = times[-1]
        together.advance(time, {0: hand} if hand else {})
        one_by_one(alone, times, hand)
    for one, other in zip(together.stands, alone.stands, strict=True):
        mine, theirs = (stand.points(np.arange(len(stand.stand))) for stand in (one, other))
        moved = np.abs(mine - one.stand.plant.position).max()
        assert moved > 1e-3
        assert np.abs(mine - theirs).max() < 2e-4 * moved
        assert np.abs(one.air - other.air).max() < 1e-4


def test_stands_of_modes_share_one_submission_and_one_wind(gpu: Gpu, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation_module, "MANY", 1)
    simulation = DeviceSimulation(scene(MODES), gpu, step=DT)
    for number in (1, 2):
        simulation.advance(number * DT)
    submitted: list[Any] = []
    written: list[Any] = []
    monkeypatch.setattr(type(gpu.queue), "submit", counted(type(gpu.queue).submit, submitted))
    monkeypatch.setattr(type(gpu.queue), "write_buffer", counted(type(gpu.queue).write_buffer, written))
    simulation.advance(3 * DT)
    assert len(submitted) == 1
    assert len(written) == 4 + len(simulation.stands), "layers, waves, trains and fronts; and each stand's clock"


def counted(original: Any, calls: list[Any]) -> Any:
    def call(*arguments: Any, **options: Any) -> Any:
        calls.append(arguments[1:])
        return original(*arguments, **options)

    return call
