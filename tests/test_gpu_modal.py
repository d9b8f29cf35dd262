"""The modal kernels against the NumPy reference."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.plants import plants
from tests.sampled import sampled
from tests.stands import DT, assert_twins, modes_of, places, reference, winds
from windflower import Plant
from windflower.core.arrays import FloatArray, IntArray
from windflower.core.device import Gpu
from windflower.errors import GpuError, MotionError
from windflower.mechanics import analyse
from windflower.motion import ModalMotion, ModalState
from windflower.motion.modal.modal_kernels import GpuModal
from windflower.motion.poses.pose import RotatedPose, turns
from windflower.motion.poses.sheets import Tuning
from windflower.plant.detail import kept_nodes, on_nodes
from windflower.wind import Wind

POSES = ("rotated", "linear", "corrected")


STANDS = [("oak", 1, 37), ("spruce", 8, 5), ("two trees", 3, 33)]


@pytest.mark.parametrize(
    ("pose", "name", "cells", "count"),
    sampled(
        [(pose, *stand) for pose in POSES for stand in STANDS],
        *((pose, *stand) for pose, stand in zip(POSES, STANDS, strict=True)),
    ),
)
def test_600_steps_end_where_the_reference_ends(gpu: Gpu, pose: str, name: str, cells: int, count: int) -> None:
    motion = ModalMotion(modes_of(name, cells), pose=pose, speed=9)
    where, air = places(count), winds(600, count, cells)
    twin = GpuModal(gpu, motion, where, dt=DT)
    twin.step_under(air)
    twin.pose()
    state = reference(motion, where, air)
    assert_twins(twin.read_points(), motion.pose(state), motion.plant)
    read = twin.read_state()
    for name in ("q", "rate", "lean", "lean_rate", "push"):
        wanted = getattr(state, name)
        assert np.abs(getattr(read, name) - wanted).max() <= 1e-4 * np.abs(wanted).max()


@pytest.mark.parametrize("cells", sampled([1, 4, 9, 10, 16, 64], 1, 10, 64))
def test_any_number_of_cells_that_a_scene_may_ask_for_is_stepped(gpu: Gpu, cells: int) -> None:
    """A workgroup takes fewer instances of a plant with many cells; each part of a group has its own clock."""
    motion, where = ModalMotion(modes_of("oak", cells), speed=9), places(37)
    probes = motion.probes(where)
    wind = Wind.beaufort(6, seed=2)
    twin, state = GpuModal(gpu, motion, where, dt=DT, wind=wind), motion.rest(where)
    for steps in (5, 3):
        twin.step(steps)
    for step in range(1, 9):
        state = motion.step(state, wind.velocity(probes, step * DT), DT)
    air = winds(8, 37, cells)
    twin.step_under(air)
    for now in air:
        state = motion.step(state, now, DT)
    twin.pose()
    assert_twins(twin.read_points(), motion.pose(state), motion.plant)
    assert np.abs(twin.read_state().push - state.push).max() <= 1e-4 * np.abs(state.push).max()


def level_reference(motion: ModalMotion, state: ModalState, node: IntArray) -> FloatArray:
    """What a motion of the plant on some of its nodes would show, moved by the same shapes at these nodes."""
    if motion.pose_name != "rotated":
        return motion.pose(state)[:, node]
    return RotatedPose(on_nodes(motion.plant, node), motion.shapes[:, node]).points(state.amount)


@pytest.mark.parametrize("pose", POSES)
def test_levels_pose_chosen_instances_on_fewer_nodes(gpu: Gpu, pose: str) -> None:
    motion, where, air = ModalMotion(modes_of("oak"), pose=pose), places(70), winds(40, 70, 1)
    levels = [kept_nodes(motion.plant, nodes) for nodes in (motion.plant.nodes, 60, 20)]
    twin = GpuModal(gpu, motion, where, dt=DT, levels=levels)
    twin.step_under(air)
    state = reference(motion, where, air)
    rng = np.random.default_rng(5)
    for level, node in enumerate(levels):
        for count in (3, 41, 9):  # buffers grow, and are used again for fewer
            chosen = rng.permutation(70)[:count]
            (posed,) = twin.pose(level, chosen)
            assert (posed.instances == chosen).all()
            wanted = level_reference(motion, state, node)[chosen]
            assert_twins(twin.read_points(level), wanted, motion.plant, node)
    assert twin.pose(0, np.zeros(0, np.int64)) == []
    assert twin.read_points().shape == (0, motion.plant.nodes, 3)


@pytest.mark.parametrize("pose", POSES)
def test_a_stand_in_many_blocks_moves_like_one(gpu: Gpu, pose: str) -> None:
    """Buffers of 40 kB: a hundred instances are in several blocks, and their nodes in many sheets."""
    motion, where = ModalMotion(modes_of("oak", 2), pose=pose), places(100)
    wind = Wind.beaufort(6)
    twins = [GpuModal(gpu, motion, where, dt=DT, wind=wind, most=most) for most in (None, 40_000)]
    air = winds(20, 100, 2)
    chosen = np.random.default_rng(1).permutation(100)[:83]
    points = np.zeros((2, 100, motion.plant.nodes, 3))
    for twin, own in zip(twins, points, strict=True):
        twin.step_under(air)
        twin.step(20)
        posed = twin.pose(0, chosen)
        assert all(sheet.points.size <= 40_000 for sheet in posed) == (twin is twins[1])
        own[np.concatenate([sheet.instances for sheet in posed])] = twin.read_points()
    assert points[0] == pytest.approx(points[1], abs=1e-5)
    assert (points[0, chosen] != 0).any()
    one, many = (twin.read_state() for twin in twins)
    assert one.q == pytest.approx(many.q, rel=1e-4, abs=1e-6)
    assert one.push == pytest.approx(many.push, rel=1e-4, abs=1e-3)
    assert (one.places.position == where.position).all()


@pytest.mark.parametrize("tuning", [Tuning(chunk=16), Tuning(chunk=32, quads=1), Tuning(quads=1)])
def test_no_result_depends_on_the_tuning(gpu: Gpu, tuning: Tuning) -> None:
    motion, where, air = ModalMotion(modes_of("spruce")), places(150), winds(30, 150, 1)
    plain, tuned = GpuModal(gpu, motion, where), GpuModal(gpu, motion, where, tuning=tuning)
    for chosen in (np.arange(150), np.arange(20, 90)):
        for twin in (plain, tuned):
            twin.step_under(air)
            twin.pose(0, chosen)
        assert (plain.read_points() == tuned.read_points()).all()


def test_steps_with_poses_between_them_end_where_steps_alone_do(gpu: Gpu) -> None:
    motion, where = ModalMotion(modes_of("oak")), places(9)
    wind = Wind.beaufort(6)
    played, stepped = (GpuModal(gpu, motion, where, wind=wind) for _ in range(2))
    played.pose()
    played.play(30)
    stepped.step(30)
    stepped.pose()
    assert (played.read_points() == stepped.read_points()).all()
    assert played.time == stepped.time == 30 / 60


def test_a_state_goes_there_and_back(gpu: Gpu) -> None:
    motion, where, air = ModalMotion(modes_of("oak", 3)), places(40), winds(50, 40, 3)
    half = reference(motion, where, air[:25])
    twin = GpuModal(gpu, motion, where, dt=DT)
    twin.write_state(half)
    assert np.abs(twin.read_state().rate - half.rate).max() <= 1e-6 * np.abs(half.rate).max()
    twin.step_under(air[25:])
    twin.pose()
    assert_twins(twin.read_points(), motion.pose(reference(motion, where, air)), motion.plant)


def test_no_nan_reaches_a_pose(gpu: Gpu) -> None:
    """Not from a wind that is refused, nor from a storm, nor from an integrator that diverges."""
    modes, where = modes_of("oak", 8), places(5)
    twin = GpuModal(gpu, ModalMotion(modes), where)
    bad = winds(2, 5, 8)
    bad[1, 3, 2, 0] = np.nan
    with pytest.raises(MotionError, match="must be finite"):
        twin.step_under(bad)
    for pose in POSES:
        motion = ModalMotion(modes, pose=pose, integrator="paper")
        twin = GpuModal(gpu, motion, where, dt=2.0)
        twin.step_under(np.concatenate([winds(50, 5, 8) * 1e30, np.zeros((50, 5, 8, 3))]))
        twin.pose()
        assert np.isfinite(twin.read_points()).all()
        assert np.isfinite(twin.read_state().q).all()


def test_winds_of_another_shape_and_steps_without_a_wind_are_refused(gpu: Gpu) -> None:
    twin = GpuModal(gpu, ModalMotion(modes_of("oak")), places(5))
    with pytest.raises(MotionError, match=r"shape \(steps, \*\(5, 1, 3\)\)"):
        twin.step_under(winds(2, 4, 1))
    with pytest.raises(MotionError, match="made without one"):
        twin.step()
    with pytest.raises(MotionError, match="5 instances to pose; asked for are 2 to 5"):
        twin.pose(0, np.array([2, 5]))
    with pytest.raises(GpuError, match="32 instances"):
        GpuModal(gpu, ModalMotion(modes_of("oak")), places(5), most=1000)


any_stand = given(
    plant=plants(),
    seed=st.integers(0, 99),
    cells=st.integers(1, 8),
    pose=st.sampled_from(POSES),
    dt=st.floats(1e-4, 0.5),
)


def assert_any_stand_has_a_twin(
    gpu: Gpu, plant: Plant, seed: int, cells: int, pose: str, dt: float, steps: int, *, most: float = np.inf
) -> None:
    """Compare them; plants that the strongest wind would turn by more than `most`, rad, are left out."""
    cells = min(cells, plant.nodes - len(plant.roots))
    motion = ModalMotion(analyse(plant, count=5, cells=cells, gravity=False, cache=False), pose=pose)
    where, air = places(3, seed), winds(steps, 3, cells, seed)
    strongest = air[np.linalg.norm(air, axis=-1).max(axis=(1, 2)).argmax()]
    amount = ModalMotion(motion.modes, pose="linear").settled(where, strongest).amount
    assume(np.abs(np.tensordot(amount, turns(plant, motion.shapes), 1)).max() < most)
    twin = GpuModal(gpu, motion, where, dt=dt)
    twin.step_under(air)
    twin.pose()
    wanted = motion.pose(reference(motion, where, air, dt))
    moved = np.abs(wanted - plant.position).max()
    assert np.abs(twin.read_points() - wanted).max() < 1e-4 + 1e-4 * moved


@settings(max_examples=7)
@any_stand
def test_any_plant_moves_like_its_reference(
    gpu: Gpu, plant: Plant, seed: int, cells: int, pose: str, dt: float
) -> None:
    assert_any_stand_has_a_twin(gpu, plant, seed, cells, pose, dt, steps=30)


@pytest.mark.slow
@settings(max_examples=60)
@any_stand
def test_any_plant_moves_like_its_reference_for_600_steps(
    gpu: Gpu, plant: Plant, seed: int, cells: int, pose: str, dt: float
) -> None:
    # A limp segment that the wind lays over may fall to either side, as its last digits have it.
    most = 0.75 if pose == "rotated" else np.inf
    assert_any_stand_has_a_twin(gpu, plant, seed, cells, pose, dt, steps=600, most=most)
