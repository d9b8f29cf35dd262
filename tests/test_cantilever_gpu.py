"""The kernels of flat springs against the NumPy reference."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.plants import plants
from tests.stands import DT, places, two_trees, winds
from windflower import Plant, grow
from windflower.core.arrays import FloatArray
from windflower.core.device import Gpu
from windflower.errors import GpuError, MotionError
from windflower.mechanics import Wood
from windflower.motion.cantilever.cantilever_kernels import GpuCantilever
from windflower.motion.cantilever.cantilever_motion import CantileverMotion, CantileverState
from windflower.motion.places import Places
from windflower.plant.detail import kept_nodes
from windflower.wind import Wind

LIMP = Wood(E=2e8, density=700)


def reference(motion: CantileverMotion, where: Places, air: FloatArray, dt: float = DT) -> CantileverState:
    state = motion.rest(where)
    for now in air:
        state = motion.step(state, now, dt)
    return state


def between(plant: Plant, points: FloatArray, wanted: FloatArray) -> FloatArray:
    """(count, segments) angle between the segments of two poses, rad."""
    a, b = (
        (one - one[:, plant.parent])[:, plant.segments] / plant.length[plant.segments, None] for one in (points, wanted)
    )
    return 2 * np.arcsin(np.clip(np.linalg.norm(a - b, axis=-1) / 2, 0, 1))


@pytest.mark.parametrize(
    ("name", "cells", "count", "options"),
    [
        ("oak", 1, 37, {}),
        ("weeping-willow", 4, 5, {"noise": 1.5, "unison": 0.0}),
        ("palm", 1, 9, {"inertia": False, "seed": 7}),
        ("two trees", 3, 33, {"swing": 1.0, "frequency": 2.0, "wood": LIMP}),
        ("oak", 1, 3, {"loads": "own"}),
    ],
)
def test_segments_point_where_those_of_the_reference_do(
    gpu: Gpu, name: str, cells: int, count: int, options: dict[str, Any]
) -> None:
    plant = two_trees() if name == "two trees" else grow(name, seed=3, detail=0.05)
    motion = CantileverMotion(plant, cells=cells, **options)
    where, air = places(count), winds(200, count, cells)
    twin = GpuCantilever(gpu, motion, where, dt=DT)
    twin.step_under(air)
    twin.pose()
    state = reference(motion, where, air)
    points = motion.pose(state)
    assert between(plant, points, np.broadcast_to(plant.position, points.shape)).max() > 0.01, "the wind moves it"
    assert between(plant, twin.read_points(), points).max() < 1e-4
    read = twin.read_state()
    assert read.time == pytest.approx(state.time)
    for part in ("push", "lean", "rate"):
        wanted = getattr(state, part)
        assert np.abs(getattr(read, part) - wanted).max() <= 1e-4 * np.abs(wanted).max()


def test_a_day_later_the_noise_is_still_that_of_the_reference(gpu: Gpu) -> None:
    """Its clock runs over a whole period within the steps; 100,000 s is what a float32 knows to 8 ms."""
    plant = grow("oak", seed=3, detail=0.05)
    motion, where, air = CantileverMotion(plant, noise=1.0), places(3), np.tile([9.0, 0.0, 2.0], (60, 3, 1, 1))
    late = 98 * 1024 - 0.5
    state = motion.settled(where, air[0], time=round(late / DT) * DT)
    twin = GpuCantilever(gpu, motion, where, dt=DT)
    twin.write_state(state)
    for now in air:
        state = motion.step(state, now, DT)
    twin.step_under(air)
    twin.pose()
    points, early = motion.pose(state), motion.pose(replace(state, time=state.time - 98 * 1024))
    assert between(plant, points, early).max() > 0.01, "a day before it was another"
    assert between(plant, twin.read_points(), points).max() < 1e-4


def test_levels_pose_chosen_instances_on_fewer_nodes(gpu: Gpu) -> None:
    plant = grow("oak", detail=0.1)
    motion, where, air = CantileverMotion(plant), places(40), winds(60, 40, 1)
    levels = [kept_nodes(plant, nodes) for nodes in (plant.nodes, 60, 20)]
    twin = GpuCantilever(gpu, motion, where, levels=levels, most=30_000)
    twin.step_under(air)
    state = reference(motion, where, air)
    rng = np.random.default_rng(5)
    for level, node in enumerate(levels):
        for count in (3, 25, 9):  # buffers grow, and are used again for fewer
            chosen = rng.permutation(40)[:count]
            posed = twin.pose(level, chosen)
            assert (np.concatenate([sheet.instances for sheet in posed]) == chosen).all()
            few = motion.on_nodes(node)
            assert between(few.plant, twin.read_points(level), few.pose(state)[chosen]).max() < 1e-4
    assert twin.pose(0, np.zeros(0, np.int64)) == []


def test_calm_means_exactly_still(gpu: Gpu) -> None:
    motion, where = CantileverMotion(grow("weeping-willow", detail=0.05)), places(4)
    twin = GpuCantilever(gpu, motion, where)
    twin.pose()
    first = twin.read_points()
    twin.step_under(np.zeros((50, 4, 1, 3)))
    twin.pose()
    assert (twin.read_points() == first).all()
    assert np.abs(first - motion.plant.position).max() < 1e-5


def test_steps_with_poses_between_them_end_where_steps_alone_do(gpu: Gpu) -> None:
    motion, where = CantileverMotion(grow("oak", detail=0.03), cells=2), places(9)
    wind = Wind.beaufort(6)
    played, stepped = (GpuCantilever(gpu, motion, where, wind=wind) for _ in range(2))
    played.pose()
    played.play(30)
    stepped.step(30)
    stepped.pose()
    assert (played.read_points() == stepped.read_points()).all()
    assert played.time == stepped.time == 0.5
    air = np.stack([wind.velocity(motion.probes(where), (k + 1) * DT) for k in range(30)])
    wanted = motion.pose(reference(motion, where, air))
    assert between(motion.plant, played.read_points(), wanted).max() < 1e-4


def test_a_state_goes_there_and_back_at_any_time(gpu: Gpu) -> None:
    motion, where, air = CantileverMotion(grow("oak", detail=0.03)), places(6), winds(40, 6, 1)
    late = 36_000.0  # a show that has run for ten hours
    state = motion.settled(where, air[0], time=late)
    twin = GpuCantilever(gpu, motion, where, dt=DT)
    twin.write_state(state)
    twin.step_under(air)
    twin.pose()
    for now in air:
        state = motion.step(state, now, DT)
    assert between(motion.plant, twin.read_points(), motion.pose(state)).max() < 1e-4
    twin.rewind(3.0)
    assert twin.time == 3.0


def test_no_nan_reaches_a_pose(gpu: Gpu) -> None:
    motion, where = CantileverMotion(grow("weeping-willow", detail=0.05), cells=3), places(5)
    twin = GpuCantilever(gpu, motion, where, dt=0.5)
    with pytest.raises(MotionError, match="must be finite"):
        twin.step_under(np.full((1, 5, 3, 3), np.nan))
    twin.step_under(np.concatenate([winds(20, 5, 3) * 1e30, np.zeros((20, 5, 3, 3)), winds(3, 5, 3) * 1e5]))
    twin.pose()
    points = twin.read_points()
    assert np.isfinite(points).all()
    assert np.isfinite(twin.read_state().lean).all()
    length = np.linalg.norm(points - points[:, motion.plant.parent], axis=-1)[:, motion.plant.segments]
    assert length == pytest.approx(np.broadcast_to(motion.plant.length[motion.plant.segments], length.shape), rel=1e-3)


def test_what_cannot_be_is_refused(gpu: Gpu) -> None:
    motion = CantileverMotion(grow("oak", detail=0.03))
    twin = GpuCantilever(gpu, motion, places(5))
    with pytest.raises(MotionError, match=r"shape \(steps, \*\(5, 1, 3\)\)"):
        twin.step_under(winds(2, 4, 1))
    with pytest.raises(MotionError, match="made without one"):
        twin.step()
    with pytest.raises(MotionError, match="5 instances to pose; asked for are 2 to 5"):
        twin.pose(0, np.array([2, 5]))
    with pytest.raises(GpuError, match="Make two stands"):
        GpuCantilever(gpu, motion, places(50), most=1000)
    with pytest.raises(MotionError, match="same motion"):
        twin.retune(motion, places(4), DT)


@settings(max_examples=10)
@given(plant=plants(), seed=st.integers(0, 99), cells=st.integers(1, 4), dt=st.floats(1e-4, 0.5))
def test_any_plant_moves_like_its_reference(gpu: Gpu, plant: Plant, seed: int, cells: int, dt: float) -> None:
    cells = min(cells, len(plant.segments))
    motion = CantileverMotion(plant, cells=cells, seed=seed)
    where, air = places(3, seed), winds(30, 3, cells, seed)
    twin = GpuCantilever(gpu, motion, where, dt=dt)
    twin.step_under(air)
    twin.pose()
    wanted = motion.pose(reference(motion, where, air, dt))
    moved = np.abs(wanted - plant.position).max()
    assert np.abs(twin.read_points() - wanted).max() < 1e-4 + 1e-4 * moved
