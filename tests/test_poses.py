"""From amounts of shapes to node positions: lengths, limits, convergence, and the paper's correction."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from tests.plants import chain, fork, plants
from tests.sampled import sampled
from windflower import Plant, grow, read, species_names
from windflower.core.arrays import FloatArray
from windflower.mechanics import Modes, analyse
from windflower.motion import ModalMotion, ModalState, Places
from windflower.motion.poses.correction import CorrectedPose
from windflower.motion.poses.large_turns import MOST
from windflower.motion.poses.pose import LinearPose, RotatedPose, turned, turns

SPEEDS = [0.0, 3.0, 10.0, 25.0, 40.0, 60.0]


@cache
def modes_of(species: str, cells: int = 1) -> Modes:
    return analyse(grow(species, seed=1, detail=0.1), cells=cells, cache=False)


def in_wind(modes: Modes, motion: ModalMotion, speed: float) -> ModalState:
    """Struck by a gust that veers and dies, and photographed in mid-swing; then at rest in it: two instances."""
    places, calm = Places(np.zeros((2, 3)), yaw=[0.4, 2.0]), np.zeros((2, modes.cells, 3))
    gust = np.broadcast_to([speed, 0.1 * speed, 0.3 * speed], calm.shape)
    swinging = motion.step(motion.step(motion.rest(places), gust, 0.3), calm, 0.1)
    settled = motion.settled(places, gust)
    return replace(
        swinging,
        q=np.stack([swinging.q[0], settled.q[1]]),
        lean=np.stack([swinging.lean[0], settled.lean[1]]),
    )


def stretch(plant: Plant, points: FloatArray) -> FloatArray:
    """(count, segments) how much longer each segment is than at rest, over its length."""
    chord = points - points[:, plant.parent]
    return np.abs(np.linalg.norm(chord, axis=-1) / np.where(plant.length > 0, plant.length, 1) - 1)[:, plant.segments]


def turn(plant: Plant, points: FloatArray) -> FloatArray:
    """(count, segments) by how many degrees each segment is turned."""
    chord = (points - points[:, plant.parent])[:, plant.segments]
    rest = plant.vector[plant.segments]
    cosine = (chord * rest).sum(-1) / np.linalg.norm(chord, axis=-1) / np.linalg.norm(rest, axis=-1)
    return np.degrees(np.arccos(np.clip(cosine, -1, 1)))


def one_by_one(plant: Plant, shapes: FloatArray, amount: FloatArray) -> FloatArray:
    """The rotated pose of one instance by its definition, node by node and with an ordinary rotation."""
    points = plant.position.copy()
    for node in plant.segments:
        d, parent = plant.vector[node].copy(), plant.parent[node]
        moved = np.tensordot(amount, shapes, 1)
        about = (moved[node, 3:] + moved[parent, 3:]) @ d / 2 * d
        r = (np.cross(d, moved[node, :3] - moved[parent, :3]) + about) / (d @ d)
        size = np.linalg.norm(r)
        angle = size / (1 + (size / MOST) ** 8) ** 0.125
        points[node] = points[parent] + Rotation.from_rotvec(r * (angle / size if size else 1)).apply(d)
    return points


@settings(max_examples=30)
@given(plants(), st.integers(0, 2**32 - 1), st.floats(0.001, 3))
def test_rotated_pose_is_its_definition_for_any_plant(plant: Plant, seed: int, size: float) -> None:
    rng = np.random.default_rng(seed)
    shapes = rng.normal(size=(3, plant.nodes, 6)) * size
    amount = rng.normal(size=(37, 3))
    points = RotatedPose(plant, shapes).points(amount)
    depth, reach = len(plant.levels), plant.length.max()
    for row in (0, 36):  # a turn without a sine is right to 2e-3 rad at its limit
        wanted = one_by_one(plant, shapes, amount[row])
        np.testing.assert_allclose(points[row], wanted, atol=2e-3 * depth * reach)


@pytest.mark.parametrize("species", sampled(species_names(), "oak", "spruce", "palm", "weeping-willow"))
def test_rotated_pose_keeps_lengths_and_turns_no_segment_past_120_degrees_at_any_wind(species: str) -> None:
    modes = modes_of(species, 4)
    motion = ModalMotion(modes)
    for speed in SPEEDS:
        points = motion.pose(in_wind(modes, motion, speed))
        assert np.isfinite(points).all()
        assert stretch(modes.plant, points).max() < 1e-6
        assert turn(modes.plant, points).max() < 120.4


@given(st.floats(-1e30, 1e30), st.floats(0.01, 100))
def test_a_turn_has_a_soft_limit_and_keeps_length(amount: float, length: float) -> None:
    d, r = np.array([[0.0], [length], [0.0]]), np.array([[amount], [0.0], [amount / 2]])
    after = turned(d, r)[:, 0]
    assert np.linalg.norm(after) == pytest.approx(length, rel=1e-9)
    assert np.degrees(np.arccos(np.clip(after[1] / length, -1, 1))) <= 100.0


def test_small_turns_are_rotations_by_their_vector() -> None:
    d, r = np.array([1.0, 2.0, -0.5]), np.array([0.01, -0.02, 0.005])
    exact = Rotation.from_rotvec(r).apply(d)
    np.testing.assert_allclose(turned(d[:, None], r[:, None])[:, 0], exact, atol=1e-5)


@pytest.mark.parametrize("species", ["walnut", "oak", "spruce", "weeping-willow"])
def test_rotated_pose_tends_to_the_linear_one_at_second_order(species: str) -> None:
    modes = modes_of(species)
    linear, rotated = ModalMotion(modes, pose="linear"), ModalMotion(modes)
    state = rotated.settled(Places(), [[[10.0, 0, 3.0]]])
    sway = np.linalg.norm(linear.pose(state) - modes.plant.position, axis=-1).max()
    apart = []
    for wanted in 0.3 / 2.0 ** np.arange(9):  # from 0.3 m down to about 1 mm
        less = replace(state, q=state.q * wanted / sway, lean=state.lean * wanted / sway)
        apart.append(np.abs(linear.pose(less) - rotated.pose(less)).max())
    rates = np.log2(np.array(apart[:-1]) / apart[1:])
    assert (rates > 1.7).all(), rates  # what wood stretches by itself is of first order, and shows at 1 mm
    assert 1.9 < rates.mean() < 2.1, rates


def test_linear_pose_is_the_sum_of_shapes() -> None:
    plant, rng = fork(), np.random.default_rng(1)
    shapes, amount = rng.normal(size=(4, plant.nodes, 3)), rng.normal(size=(7, 4))
    expected = plant.position + np.einsum("is,snk->ink", amount, shapes)
    np.testing.assert_allclose(LinearPose(plant, shapes).points(amount), expected, rtol=1e-13)


@pytest.mark.parametrize("kind", [LinearPose, RotatedPose, CorrectedPose])
def test_a_pose_extended_is_a_pose_of_all_shapes(kind: type[LinearPose]) -> None:
    plant, rng = fork(), np.random.default_rng(2)
    shapes, amount = rng.normal(size=(5, plant.nodes, 3)) * 0.1, rng.normal(size=(3, 5))
    whole, out = kind(plant, shapes).points(amount), np.empty((3, plant.nodes, 3))
    again = kind(plant, shapes[:3]).extended(shapes[3:]).points(amount, out)
    assert again is out
    np.testing.assert_allclose(out, whole, rtol=1e-13)


def test_turns_of_a_rigid_turn_are_that_turn() -> None:
    plant, vector = chain(6, direction=(0.6, 0.8, 0.0)), np.array([0.3, -0.4, 2.0])
    shape = np.cross(vector, plant.position)
    across = vector - (vector @ [0.6, 0.8, 0.0]) * np.array([0.6, 0.8, 0.0])
    np.testing.assert_allclose(turns(plant, shape[None])[0, 1:], np.tile(across, (5, 1)), atol=1e-12)
    known = np.concatenate([shape, np.tile(vector, (6, 1))], axis=1)
    np.testing.assert_allclose(turns(plant, known[None])[0, 1:], np.tile(vector, (5, 1)), atol=1e-12)


def test_the_papers_correction_of_one_shape_alone_nearly_keeps_lengths() -> None:
    modes = modes_of("walnut")
    plant, shapes = modes.plant, modes.shape[:5, :, :3]
    corrected, linear = CorrectedPose(plant, shapes), LinearPose(plant, shapes)
    amount = np.diag(corrected.reach) * 0.6
    assert (
        stretch(plant, corrected.points(amount)).mean(1) < 0.1 * stretch(plant, linear.points(amount)).mean(1)
    ).all()


def test_the_papers_correction_is_the_linear_pose_for_small_sway() -> None:
    modes = modes_of("walnut")
    plant, shapes = modes.plant, modes.shape[:5, :, :3]
    corrected, linear = CorrectedPose(plant, shapes), LinearPose(plant, shapes)
    amount = np.diag(corrected.reach) * 1e-3
    moved = linear.points(amount) - plant.position
    np.testing.assert_allclose(corrected.points(amount) - plant.position, moved, atol=0.01 * np.abs(moved).max())


@pytest.mark.slow
def test_the_papers_correction_on_the_walnut_leaves_a_third_of_the_stretch(shared_data: Path) -> None:
    modes = analyse(read(shared_data / "walnut" / "noylum2.mtg"), wood="walnut", leaves=False, cache=False)
    stretched = {}
    for pose in ("linear", "corrected"):
        motion = ModalMotion(modes, pose=pose)
        points = motion.pose(motion.settled(Places(), [[[15.0, 0, 0]]]))
        stretched[pose] = stretch(modes.plant, points).mean()
    assert stretched["corrected"] <= 0.4 * stretched["linear"], stretched


@pytest.mark.slow
@pytest.mark.parametrize("species", species_names())
def test_rotated_pose_keeps_lengths_at_full_detail(species: str) -> None:
    modes = analyse(grow(species, seed=2), cells=8, cache=False)
    motion = ModalMotion(modes)
    for speed in np.arange(0.0, 61.0, 2.5):
        points = motion.pose(in_wind(modes, motion, speed))
        assert stretch(modes.plant, points).max() < 1e-6
        assert turn(modes.plant, points).max() < 120.4
