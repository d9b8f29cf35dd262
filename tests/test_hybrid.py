"""Procedural motion of a block of trees: eq. 1–2 of Di Giacomo et al. by hand, fig. 1 by matrices, levels of detail."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from tests.hybrids import blown, branch, grove, printed, small_tree, three_branches
from tests.plants import chain, plants
from windflower import Plant
from windflower.core.arrays import FloatArray
from windflower.errors import MotionError, PlantError
from windflower.motion import HybridState, Motion, Places
from windflower.motion.hybrid.branch_laws import BranchLaws
from windflower.motion.hybrid.joints import Joints
from windflower.plant.block import joined
from windflower.wind import ForcePrimitive, ForceWind, Steady


def lengths(plant: Plant, points: FloatArray) -> FloatArray:
    return np.linalg.norm(points - points[..., plant.parent, :], axis=-1)[..., plant.segments]


def test_it_is_a_motion() -> None:
    motion: Motion[HybridState] = printed(small_tree())
    state = motion.rest(Places([[0, 0, 0], [9, 0, 0]]))
    np.testing.assert_allclose(motion.pose(state), np.stack([small_tree().position] * 2), atol=1e-14)


@given(plants())
def test_axes_are_normal_to_one_another_and_turn_every_segment(plant: Plant) -> None:
    joints = Joints.of(plant)
    segments = plant.segments
    theta, phi, along = joints.theta[segments], joints.phi[segments], joints.along[segments]
    np.testing.assert_allclose(np.linalg.norm(theta, axis=1), 1, rtol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(phi, axis=1), 1, rtol=1e-12)
    np.testing.assert_allclose((theta * phi).sum(1), 0, atol=1e-9)
    np.testing.assert_allclose((phi * along).sum(1), 0, atol=1e-9)
    # Both angles move the tip: the levers of the two axes span the plane across the segment.
    assert (np.linalg.norm(np.cross(theta, along), axis=1) > 0.08).all()


def test_a_side_branch_turns_about_its_parent_and_an_axis_bends_about_its_own_normals() -> None:
    joints = Joints.of(three_branches())
    assert joints.inserted.tolist() == [False, False, True, True]
    np.testing.assert_allclose(joints.theta[2:], [[0, 1, 0], [0, 1, 0]], atol=1e-15)
    np.testing.assert_allclose(joints.phi[2:], [[0, 0, -1], [1, 0, 0]], atol=1e-15)
    straight = Joints.of(chain(4))
    np.testing.assert_allclose((straight.theta * straight.along).sum(1), 0, atol=1e-15)
    assert not straight.inserted.any()


@pytest.mark.parametrize("inertia", ["volume", "bar"])
def test_angles_are_eq_1_and_2_worked_by_hand_on_three_branches(inertia: str) -> None:
    # At t = 0.5 s and 5 m from the first disk's centre: (10 − 5)/10 · sin(2π · 0.5 · 0.5) · 8 = 4 N along x. In the
    # middle of the second: sin(2π/3 · 0.5) · 2 = √3 N along z. Together f = (4, 0, √3).
    one = ForcePrimitive(path=((0, 3, 4),), radius=10, strength=(8, 0, 0), frequency=0.5, beat="printed")
    two = ForcePrimitive(path=((0, 0, 0),), radius=20, strength=(0, 0, 2), frequency=1 / 3, beat="printed")
    laws = BranchLaws(inertia=inertia, mass=1000, response=1.0)
    motion = printed(three_branches(), laws=laws, catch="same", limit=None)
    state = motion.step(motion.rest(), ForceWind(one + two).velocity(np.zeros((1, 1, 3)), 0.5), 0.1)
    found = motion.angles(state)[0]
    power = 1 if inertia == "volume" else 3
    # Trunk: L z × f = 2 ŷ × (4, 0, √3) = (2√3, 0, −8), m = 1000 · 2^p · 0.2². θ axis x' and φ axis y' are its normals.
    moment = 1000 * 2.0**power * 0.2**2
    joints = motion.joints
    turned = found[1, 0] * joints.theta[1] + found[1, 1] * joints.phi[1]
    np.testing.assert_allclose(turned, np.array([2 * np.sqrt(3), 0, -8]) / moment, atol=1e-15)
    # Along x, 1 m, 4 cm: x̂ × f = (0, −√3, 0): θ about ŷ takes all of it, φ about −ẑ nothing.
    moment = 1000 * 0.04**2
    np.testing.assert_allclose(found[2], [-np.sqrt(3) / moment, 0], atol=1e-15)
    # To (0, .4, .3), 0.5 m, 2 cm: (0, .4, .3) × (4, 0, √3) = (.4√3, 1.2, −1.6): θ about ŷ, φ about x̂.
    moment = 1000 * 0.5**power * 0.02**2
    np.testing.assert_allclose(found[3], [1.2 / moment, 0.4 * np.sqrt(3) / moment], rtol=1e-12)


def test_a_branch_catches_wind_by_its_own_size_so_that_cutting_an_axis_finer_changes_nothing() -> None:
    air = Steady(speed=6)
    tops = []
    for nodes in (5, 41):
        plant = chain(nodes, length=4.0, radius=0.03)
        motion = printed(plant, limit=None)
        state = motion.step(motion.rest(), air.velocity(np.array([[[0.0, 10, 0]]]), 0.0), 0.1)
        tops.append(motion.pose(state)[0, -1])
        assert np.linalg.norm(tops[-1] - plant.position[-1]) > 0.1
    assert tops[0] == pytest.approx(tops[1], rel=0.02, abs=0.03)


def test_the_soft_limit_leaves_small_angles_and_holds_large_ones() -> None:
    def angle(force: float, limit: float | None) -> float:
        motion = printed(branch(), laws=BranchLaws(response=1.0), limit=limit)
        motion.response.rows[1] *= 100
        air = np.array([[[force, 0.0, 0.0]]])
        return float(np.linalg.norm(motion.angles(motion.step(motion.rest(), air, 0.1))))

    assert angle(0.01, 1.0) == pytest.approx(angle(0.01, None), rel=1e-3)
    assert angle(100.0, None) > 100
    assert angle(100.0, 0.7) == pytest.approx(0.7, rel=1e-3)


def frames(plant: Plant, angles: FloatArray) -> FloatArray:
    """Node positions by the paper's chain of frames: fig. 1, translate, turn about z of the parent, then about y.

    A side branch's frame is Rz(θ₀ + θ) Ry(φ₀ + φ) in its parent's; where an axis goes on, Rx(θ) Ry(φ) comes before the
    rest rotation. Independent of the motion's own quaternions.
    """
    joints = Joints.of(plant)
    rest, posed = [np.eye(3)] * plant.nodes, [np.eye(3)] * plant.nodes
    points = plant.position.copy()
    for node in plant.segments:
        parent, (theta, phi) = plant.parent[node], angles[node]
        z = joints.along[node]
        rest[node] = np.stack([np.cross(joints.phi[node], z), joints.phi[node], z], axis=1)
        local = rest[parent].T @ rest[node]
        if joints.inserted[node]:
            theta0, phi0 = np.arctan2(local[1, 2], local[0, 2]), np.arccos(np.clip(local[2, 2], -1, 1))
            turned = Rotation.from_euler("ZY", [theta0 + theta, phi0 + phi]).as_matrix()
        else:
            turned = local @ Rotation.from_euler("XY", [theta, phi]).as_matrix()
        posed[node] = posed[parent] @ turned
        points[node] = points[parent] + plant.length[node] * posed[node][:, 2]
    return points


@given(plants(most=15), st.integers(0, 2**31))
def test_poses_are_the_frames_of_figure_1(plant: Plant, seed: int) -> None:
    motion = printed(plant)
    air = np.random.default_rng(seed).normal(size=(1, len(plant.roots), 3)) * 20
    state = motion.step(motion.rest(), air, 0.1)
    angles = motion.angles(state)[0]
    assert np.abs(angles).max() > 1e-6
    np.testing.assert_allclose(motion.pose(state)[0], frames(plant, angles), atol=1e-9)


@given(plants(), st.integers(0, 2**31))
def test_lengths_stay_and_levels_fix_what_lies_beyond(plant: Plant, seed: int) -> None:
    rng = np.random.default_rng(seed)
    motion = printed(plant)
    level = rng.integers(0, 4, (2, len(plant.roots)))
    state = motion.rest(Places([[0, 0, 0], [5, 0, 5]]), levels=level)
    state = motion.step(state, rng.normal(size=(2, len(plant.roots), 3)) * 30, 0.1)
    points = motion.pose(state)
    for one in lengths(plant, points):
        np.testing.assert_allclose(one, plant.length[plant.segments], rtol=1e-11)
    fixed = plant.order >= level[:, plant.tree]
    assert (motion.angles(state)[fixed] == 0).all()
    still = (level == 0)[:, plant.tree]
    np.testing.assert_array_equal(points[still], np.stack([plant.position] * 2)[still])
    # The same by the whole chain, with angles of 0 where branches are fixed.
    for instance in range(2):
        np.testing.assert_allclose(points[instance], frames(plant, motion.angles(state)[instance]), atol=1e-9)
        node = np.flatnonzero(rng.random(plant.nodes) < 0.5)
        np.testing.assert_array_equal(motion.node_points(state, instance, node), points[instance, node])


def test_trees_of_a_block_move_as_each_by_itself() -> None:
    block = grove()
    together = printed(block)
    state = blown(together, together.rest(), 1.3, 0.1)
    points, bounds = together.pose(state)[0], [*block.roots, block.nodes]
    for first, end in pairwise(bounds):
        alone = printed(
            Plant(
                parent=np.maximum(block.parent[first:end] - first, -1),
                position=block.position[first:end],
                radius=block.radius[first:end],
                base_radius=block.base_radius[first:end],
                order=block.order[first:end],
            )
        )
        np.testing.assert_allclose(alone.pose(blown(alone, alone.rest(), 1.3, 0.1))[0], points[first:end], atol=1e-12)


def test_a_larger_instance_keeps_its_angles_and_a_stiffer_one_turns_less() -> None:
    motion = printed(small_tree(), limit=None)
    places = Places(np.zeros((4, 3)), scale=[1, 2, 1, 1], stiffness=[1, 1, 4, 1], yaw=[0, 0, 0, np.pi / 2])
    air = np.array([[7.0, 0, 1]] * 3 + [[1.0, 0, -7]])[:, None]  # the last wind turned as the last tree is
    angles = motion.angles(motion.step(motion.rest(places), air, 0.1))
    np.testing.assert_allclose(angles[1], angles[0])
    np.testing.assert_allclose(angles[2], angles[0] / 4)
    np.testing.assert_allclose(angles[3], angles[0], atol=1e-12)


def test_each_branch_may_feel_the_wind_where_it_is() -> None:
    plant = three_branches()
    motion = printed(plant, probe="branch")
    np.testing.assert_allclose(motion.probes(Places())[0], np.array([[0, 1, 0], [0.5, 2, 0], [0, 2.2, 0.15]]))
    air = np.zeros((1, 3, 3))
    air[0, 1, 2] = 9.0
    turned = np.abs(motion.angles(motion.step(motion.rest(), air, 0.1))[0]).max(axis=1)
    assert turned[2] > 0.01
    assert turned[[0, 1, 3]].max() == 0


def test_only_what_moves_is_handed_to_the_renderer() -> None:
    block = grove()
    motion = printed(block)
    state = motion.rest(levels=[[0, 1, 0, 0, 2]])
    state = blown(motion, state, 1.3, 0.1)
    node, points = motion.moved(state)
    assert set(block.tree[node]) == {1, 4}
    np.testing.assert_array_equal(motion.pose(state)[0, node], points)


def test_plants_join_to_one_block() -> None:
    one, other = small_tree(), three_branches()
    block = joined([one, other, one], [[0, 0, 0], [5, 1, 0], [9, 0, 0]])
    assert block.roots.tolist() == [0, one.nodes, one.nodes + other.nodes]
    np.testing.assert_allclose(block.position[block.tree == 1], other.position + np.array([5, 1, 0]))
    np.testing.assert_array_equal(block.order[block.tree == 2], one.order)
    assert len(block.leaves) == 2 * len(one.leaves)
    np.testing.assert_array_equal(block.tree[block.leaves.node], np.repeat([0, 2], len(one.leaves)))
    assert joined([one, one], np.zeros((2, 3))).species == one.species
    with pytest.raises(PlantError, match="at least one"):
        joined([], [])
    with pytest.raises(PlantError, match=r"shape \(2, 3\)"):
        joined([one, other], [[0, 0, 0]])


def test_bad_settings_are_refused_with_a_remedy() -> None:
    plant = three_branches()
    for wrong in ({"catch": "all"}, {"probe": "leaf"}, {"torque": "none"}, {"integrator": "exact"}, {"nesting": "tip"}):
        with pytest.raises(MotionError, match="one of"):
            printed(plant, **wrong)
    with pytest.raises(MotionError, match="limit"):
        printed(plant, limit=0.0)
    with pytest.raises(MotionError, match="fade"):
        printed(plant, fade=-1.0)
    with pytest.raises(MotionError, match="Leave it out"):
        BranchLaws(mass=-3.0)
    with pytest.raises(MotionError, match="damping"):
        BranchLaws(damping=float("nan"))
    motion = printed(plant)
    with pytest.raises(MotionError, match="levels"):
        motion.rest(levels=[1, 2])
    with pytest.raises(MotionError, match="probe"):
        motion.step(motion.rest(), np.zeros((1, 2, 3)), 0.1)
