"""The kernels of broad leaves against the NumPy reference."""

from typing import Any

import numpy as np
import pytest

from tests.broadleaves import random_plant
from tests.stands import places
from windflower import Plant, grow
from windflower.core.arrays import FloatArray
from windflower.core.buffers import read_floats
from windflower.core.device import Gpu
from windflower.errors import GpuError, MotionError
from windflower.motion import BroadleafConstants, BroadleafMotion, Places
from windflower.motion.broadleaf.broadleaf_kernels import GpuBroadleaf
from windflower.plant.species.settings import Blade
from windflower.wind import Wind

DT = 1 / 60


def motion_of(plant: Plant, blade: Blade | None = None, aspect: float | None = None, **changes: Any) -> BroadleafMotion:
    return BroadleafMotion(plant, blade=blade, aspect=aspect, constants=BroadleafConstants(**changes))


def gusty(steps: int, count: int, nodes: int, speed: float = 9.0) -> FloatArray:
    t = np.arange(steps)[:, None] * DT
    way = np.concatenate([np.cos(5 * t), 0.3 * np.sin(9 * t), np.sin(5 * t)], axis=1) * speed
    return np.broadcast_to(way[:, None, None], (steps, count, nodes, 3))


@pytest.mark.parametrize(
    ("name", "count", "changes"),
    [
        ("violet", 3, {}),
        ("violet", 2, {"contact": False}),
        ("hosta", 2, {"weight": "sag", "softness": 0.8}),
        ("hollyhock", 1, {"wind_law": "paper", "longest": 1 / 120}),
        ("violet", 2, {"constant_rigidity": 4e4, "inertia": "own", "wake": 0.0, "longest": 1 / 240, "contact": False}),
        ("random 3", 5, {"weight": "none"}),
        ("random 8", 2, {"mass": 2.0, "transfer": 0.6}),
    ],
)
def test_nodes_and_blades_are_where_those_of_the_reference_are(
    gpu: Gpu, name: str, count: int, changes: dict[str, Any]
) -> None:
    if name.startswith("random"):
        plant, blade, aspect = random_plant(int(name.split()[1]))
        motion = motion_of(plant, blade, aspect, **changes)
    else:
        motion = motion_of(grow(name), **changes)
    where = places(count)
    twin, state = GpuBroadleaf(gpu, motion, where, dt=DT), motion.rest(where)
    for air in gusty(20, count, motion.plant.nodes):
        state = motion.step(state, air, DT)
        twin.step_under(air)
    found, size = twin.read_state(), float(np.ptp(motion.plant.position, axis=0).max())
    assert np.abs(state.point - motion.rest(where).point).max() > 0.003 * size, "the wind moves it"
    assert np.abs(found.node - state.node).max() < 2e-4 * size
    assert np.abs(found.point - state.point).max() < 2e-3 * size
    assert np.abs(found.point - state.point).mean() < 1e-4 * size


@pytest.mark.slow
def test_from_the_same_state_a_limp_plant_takes_the_same_step(gpu: Gpu) -> None:
    """Leaves that beat against one another part by ten times in a frame, however alike the laws; one step does not."""
    motion, dt = motion_of(grow("violet"), rigidity=0.1, longest=1 / 240), 1 / 240
    twin, state = GpuBroadleaf(gpu, motion, Places(), dt=dt), motion.rest()
    size = float(np.ptp(motion.plant.position, axis=0).max())
    for k, air in enumerate(np.repeat(gusty(20, 1, motion.plant.nodes), 4, axis=0)):
        twin.write_state(state)
        twin.step_under(air)
        state, found = motion.step(state, air, dt), twin.read_state()
        assert np.abs(found.point - state.point).max() < 5e-6 * size, k
        assert (found.side == state.side).all(), k


def test_without_wind_it_stays_as_it_is(gpu: Gpu) -> None:
    motion = motion_of(grow("violet"))
    twin = GpuBroadleaf(gpu, motion, Places(), dt=DT)
    for air in np.zeros((60, 1, motion.plant.nodes, 3)):
        twin.step_under(air)
    assert np.abs(twin.read_state().point - motion.rest().point).max() < 1e-5


def test_every_node_feels_the_wind_where_it_is(gpu: Gpu) -> None:
    motion, where = motion_of(grow("violet")), places(3)
    wind = Wind.beaufort(5)
    twin, given = GpuBroadleaf(gpu, motion, where, dt=DT, wind=wind), GpuBroadleaf(gpu, motion, where, dt=DT)
    twin.step(8)
    for k in range(8):
        given.step_under(wind.velocity(motion.probes(where), (k + 1) * DT))
    assert twin.time == pytest.approx(8 * DT)
    over = read_floats(gpu, twin.air).reshape(-1, 4)[:, :3]
    assert over == pytest.approx(wind.velocity(motion.probes(where), 8 * DT).mean(axis=1), abs=1e-4)
    assert np.abs(twin.read_state().point - given.read_state().point).max() < 1e-5
    assert np.abs(given.read_state().point - motion.rest(where).point).max() > 1e-3


def test_what_the_kernels_cannot_do_is_refused(gpu: Gpu) -> None:
    plant = grow("violet")
    with pytest.raises(GpuError, match=r"know .*'moments': True"):
        GpuBroadleaf(gpu, motion_of(plant, moments=False), Places())
    with pytest.raises(MotionError, match="made without one"):
        GpuBroadleaf(gpu, motion_of(plant), Places()).step()
