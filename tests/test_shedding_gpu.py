"""The kernel of falling leaves against the NumPy reference."""

import numpy as np
import pytest

from windflower import grow
from windflower.core.arrays import FloatArray
from windflower.core.buffers import storage, vec4
from windflower.core.device import Gpu
from windflower.errors import GpuError
from windflower.motion import Places
from windflower.motion.leaves.leaf_motion import LeafMotion
from windflower.motion.leaves.seasons import Season
from windflower.motion.leaves.shedding import ON_GROUND, ON_TREE, Shedding
from windflower.motion.leaves.shedding_kernels import GpuShedding
from windflower.wind import Wind
from windflower.wind.retarded import RetardedSlabs

BOX = ((-60.0, 0.0, -60.0), (90.0, 24.0, 60.0))


def slope(x: FloatArray, z: FloatArray) -> FloatArray:
    return 0.1 * x - 0.05 * z - 1.0


def stand_of(ground: object = 0.0, rate: float = 0.15) -> tuple[Shedding, Places]:
    leaves = LeafMotion.of(grow("quaking-aspen", detail=0.03), seed=4)
    shedding = Shedding(leaves, season=Season.of(leaves.plant, 300), rate=rate, ground=ground)  # type: ignore[arg-type]
    return shedding, Places([[0.0, 0.0, 0.0], [9.0, 0.5, 4.0]], yaw=[0.3, 2.0], scale=[0.3, 0.4])


@pytest.mark.parametrize("ground", [0.0, slope])
def test_leaves_hang_fly_and_lie_where_those_of_the_reference_do(gpu: Gpu, ground: object) -> None:
    shedding, where = stand_of(ground)
    wind = RetardedSlabs(gpu, Wind.beaufort(6, seed=3), BOX)
    twin = GpuShedding(gpu, shedding, where, wind, fallen=0.2)
    plant, state, dt = shedding.leaves.plant, shedding.rest(where, fallen=0.2), 1 / 15
    rng = np.random.default_rng(1)
    for k in range(90):
        points = plant.position + 0.01 * rng.normal(size=(2, plant.nodes, 3))
        twin.step(storage(gpu, vec4(points)), dt)
        feet = shedding.feet(where, points)
        state = shedding.step(state, feet, wind.velocity(shedding.probes(state, feet), (k + 1) * dt), dt)
    read = twin.read_state()
    assert min(state.counts) > 30
    assert sum(read.counts) == sum(state.counts) == 2 * len(shedding.leaves)
    same = read.status == state.status
    assert same.mean() > 0.998, "one that comes off at the very end of a step may do so a step later"
    off = same & (state.status != ON_TREE)
    gone = np.linalg.norm(read.drop.position - state.drop.position, axis=-1)[off]
    assert np.quantile(gone, 0.98) < 2e-3
    turn = np.abs(read.drop.heading - state.drop.heading)[off]
    assert np.quantile(turn, 0.98) < 1e-3
    at, orientation = shedding.pose(state, points, np.zeros((2, len(shedding.leaves), 3)))
    feet, cards = twin.read_cards()
    hanging = same & (state.status == ON_TREE)
    assert feet[hanging] == pytest.approx(at[hanging], abs=1e-4)
    near = np.abs((cards * orientation).sum(axis=-1))[off]
    assert np.quantile(near, 0.02) > 1 - 1e-5


def test_no_leaf_is_below_the_ground_and_all_come_down(gpu: Gpu) -> None:
    shedding, where = stand_of(slope, rate=3.0)
    wind = RetardedSlabs(gpu, Wind.beaufort(5, seed=3), BOX)
    twin = GpuShedding(gpu, shedding, where, wind)
    shedding = Shedding(shedding.leaves, season=Season(day=345), rate=20.0, ground=slope)
    twin.shedding = shedding
    points = storage(gpu, vec4(np.tile(shedding.leaves.plant.position, (2, 1, 1))))
    for _ in range(200):
        twin.step(points, 1 / 10)
    state = twin.read_state()
    assert state.counts == (0, 0, 2 * len(shedding.leaves))
    assert (state.status == ON_GROUND).all()
    near = np.abs(state.drop.position[..., [0, 2]] - where.position[:, None, [0, 2]]).max(axis=-1) < 50
    height = state.drop.position[..., 1] - shedding.height(state.drop.position)
    assert near.mean() > 0.5
    assert (height[near] > 0).all()
    assert (height[near] < 0.05).all()
    assert np.isfinite(state.drop.position).all()


def test_in_summer_and_calm_nothing_falls_and_no_step_shows_the_leaves(gpu: Gpu) -> None:
    shedding, where = stand_of()
    summer = Shedding(shedding.leaves, season=Season.of(shedding.leaves.plant, "summer"), rate=10.0)
    wind = RetardedSlabs(gpu, Wind.beaufort(0), BOX)
    twin = GpuShedding(gpu, summer, where, wind)
    plant = shedding.leaves.plant
    points = np.tile(plant.position, (2, 1, 1))
    buffer = storage(gpu, vec4(points))
    for _ in range(5):
        twin.step(buffer, 1.0)
    assert twin.read_state().counts == (2 * len(shedding.leaves), 0, 0)
    twin.step(buffer, 0.0)
    assert twin.time == 5.0
    feet, _ = twin.read_cards()
    assert feet == pytest.approx(summer.feet(where, points), abs=1e-4)


def test_more_leaves_than_a_buffer_holds_are_refused(gpu: Gpu) -> None:
    shedding, _ = stand_of()
    wind = RetardedSlabs(gpu, Wind.beaufort(0), BOX)
    with pytest.raises(GpuError, match="fewer of them shed"):
        GpuShedding(gpu, shedding, Places(np.zeros((40_000, 3))), wind)
