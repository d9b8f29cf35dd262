"""Rigs: few joints that play the motion of many nodes."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from windflower import SpectralMotion, analyse, grow
from windflower.core.arrays import FloatArray
from windflower.export.joints import JointOrder, Tree
from windflower.export.rig import Rig, rig_of


def hinged() -> tuple[FloatArray, FloatArray]:
    """A root and 20 nodes on two straight bars, of which the second turns about the end of the first, in 40 frames."""
    corner, along = np.array([[0, 0, 0], [0, 1, 0], [0.6, 1.8, 0.2]]), np.linspace(0.1, 1, 10)[:, None]
    bars = [a + along * (b - a) for a, b in pairwise(corner)]
    rest = np.concatenate([corner[:1], *bars])
    random, posed = np.random.default_rng(5), []
    for _ in range(40):
        points, base = rest[:1], rest[0]
        for bar in range(2):
            turn = Rotation.from_rotvec(random.normal(0, 0.1, 3))
            mine = base + turn.apply(rest[1 + 10 * bar : 11 + 10 * bar] - corner[bar])
            points, base = np.concatenate([points, mine]), mine[-1]
        posed.append(points)
    return rest, np.array(posed)


def error(rig: Rig, posed: FloatArray, importance: FloatArray) -> float:
    """What skinning gets wrong, rms, over the rms of the motion about its mean."""
    moved = rig.skinned(rig.motion(posed), rig.bind, rig.index, rig.weight)
    wrong, motion = (np.einsum("n,fni->", importance, part**2) for part in (moved - posed, posed - posed.mean(axis=0)))
    return float(np.sqrt(wrong / motion))


def test_joints_are_put_where_rigid_bars_meet() -> None:
    rest, posed = hinged()
    rig = rig_of(JointOrder(Tree.of(np.arange(-1, 20)), posed, rest, np.ones(21)), posed, 2)
    assert rig.joint.tolist() == [0, 10]
    assert rig.parent.tolist() == [-1, 0]
    moved = rig.skinned(rig.motion(posed), rest, rig.index, rig.weight)
    assert np.abs(moved - posed).max() < 1e-3


def test_the_walk_sees_all_that_a_node_bears() -> None:
    plant = grow("oak", seed=2, detail=0.05)
    tree = Tree.of(plant.parent)
    for node in range(0, plant.nodes, 7):
        borne = {node}
        for other in range(node + 1, plant.nodes):
            if int(plant.parent[other]) in borne:
                borne.add(other)
        inside = np.flatnonzero((tree.enter >= tree.enter[node]) & (tree.enter < tree.leave[node]))
        assert set(inside.tolist()) == borne


@pytest.mark.parametrize("name", ["silver-birch", pytest.param("spruce", marks=pytest.mark.slow)])
def test_a_tree_plays_its_loop_on_64_joints_and_better_on_128(name: str) -> None:
    plant = grow(name, seed=1, detail=0.3)
    posed = SpectralMotion(analyse(plant, count=25, cells=4), period=8.0, speed=8.0, seed=1).at(np.arange(60) * 8 / 60)
    errors, order = [], JointOrder(Tree.of(plant.parent), posed, posed.mean(axis=0), plant.length)
    for joints in (64, 128):
        rig = rig_of(order, posed, joints)
        assert len(rig) == joints
        assert (rig.parent[1:] < np.arange(1, joints)).all()
        assert (rig.weight >= 0).all()
        assert np.allclose(rig.weight.sum(axis=1), 1, atol=1e-12)
        errors.append(error(rig, posed, plant.length))
    assert errors[0] < 0.08
    assert errors[1] < min(0.055, 0.8 * errors[0])


def test_a_frame_does_not_depend_on_the_others() -> None:
    rest, posed = hinged()
    rig = rig_of(JointOrder(Tree.of(np.arange(-1, 20)), posed, rest, np.ones(21)), posed, 4)
    some, whole = rig.motion(posed[7:9]), rig.motion(posed)
    assert np.allclose(some.turn, whole.turn[7:9], atol=1e-12)
    assert np.allclose(some.place, whole.place[7:9], atol=1e-12)


def test_joints_of_a_small_rig_are_those_of_a_larger_one_and_more_get_less_wrong() -> None:
    plant = grow("silver-birch", seed=1, detail=0.1)
    posed = SpectralMotion(analyse(plant, count=12), period=8.0, speed=8.0, seed=1).at(np.arange(20) * 8 / 20)
    order = JointOrder(Tree.of(plant.parent), posed, posed.mean(axis=0), plant.length)
    many, few = (set(order.joints(count)[0].tolist()) for count in (40, 12))
    assert few < many
    wrong = [order.wrong(count) for count in (1, 4, 16, 64)]
    assert wrong == sorted(wrong, reverse=True)
    motion = posed - posed.mean(axis=0)
    share = np.sqrt(np.einsum("n,fni->", order.importance, motion**2) / order.importance.sum() / len(posed))
    assert wrong[-1] < 0.5 * wrong[0] < share
    assert order.wrong(order.fewest(wrong[2])) <= wrong[2] < order.wrong(order.fewest(wrong[2]) - 1)
