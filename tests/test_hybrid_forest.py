"""A forest to walk through: levels by eye and wind, figures that push branches, and the benchmark's own scene."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.hybrids import blown, calm, grove, gusts, three_branches
from tests.plants import chain
from windflower import grow
from windflower.bench.hybrid import bench_hybrid, disks, forest_of
from windflower.core.arrays import FloatArray, IntArray
from windflower.errors import MotionError, WindError
from windflower.motion import HybridMotion, HybridState, Places, Touch
from windflower.motion.hybrid.animation_levels import animation_levels
from windflower.motion.hybrid.hybrid_twin import replanted
from windflower.motion.hybrid.joint_contacts import contact_forces
from windflower.motion.hybrid.physical_branches import HandOver
from windflower.motion.hybrid.pushing import Capsule, Contacts, _nearest, contacts_with, may_touch
from windflower.plant.block import joined
from windflower.wind import DragForces, ForcePrimitive, ForceWind, Steady


def test_exposure_counts_primitives_and_how_deep_a_tree_stands_in_them() -> None:
    near = ForcePrimitive(path=((0, 0, 0),), radius=10, strength=(1, 0, 0), frequency=1)
    far = ForcePrimitive(path=((0, 6, 0), (1, 60, 0)), radius=4, strength=(1, 0, 0), frequency=1)
    points = np.array([[0, 3, 0], [5, 0, 0], [6, 1, 0], [30, 0, 0]])
    np.testing.assert_allclose((near + far).depth(points, 0.0), [1, 0.5 + 0.75, 0.4 + 1, 0])
    np.testing.assert_allclose(near.depth(points, 0.0), [1, 0.5, 0.4, 0])
    with pytest.raises(WindError, match="DragForces has none"):
        (near + DragForces(Steady(speed=3))).depth(points, 0.0)


def test_any_wind_exposes_trees_by_its_disks_and_by_the_speed_of_the_rest() -> None:
    near = ForcePrimitive(path=((0, 0, 0),), radius=10, strength=(1, 0, 0), frequency=1)
    far = ForcePrimitive(path=((0, 6, 0),), radius=4, strength=(1, 0, 0), frequency=1)
    points, steady = np.array([[0, 10, 0], [6, 10, 0], [30, 10, 0]]), Steady(speed=2.5)
    assert (steady + (ForceWind(near + far) + steady)).disks == (near, far)
    for t in (0.0, 0.25):  # also where the beat of a disk is zero
        np.testing.assert_allclose(ForceWind(near + far).exposure(points, t), [1, 1.4, 0])
        np.testing.assert_allclose((ForceWind(near) + steady).exposure(points, t), [1.5, 0.9, 0.5])
    felt = ForceWind(DragForces(steady))
    np.testing.assert_allclose(felt.exposure(points, 0.0), 0.5)


def test_levels_fall_with_distance_and_rise_with_wind_and_are_zero_without() -> None:
    exposure, distance = np.array([0, 0.05, 0.3, 0.5, 3.0]), np.full(5, 4.0)
    assert animation_levels(exposure, distance, 4).tolist() == [0, 1, 3, 4, 4]
    assert animation_levels(np.ones(5), np.array([5, 19, 25, 45, 1e6]), 4).tolist() == [4, 4, 3, 2, 1]
    assert animation_levels(np.ones(2), np.ones(2), [2, 5]).tolist() == [2, 5]


@given(st.integers(0, 2**31))
def test_nearest_points_of_segments_and_a_line(seed: int) -> None:
    rng = np.random.default_rng(seed)
    base, tip, (foot, head) = rng.normal(size=(6, 3)), rng.normal(size=(6, 3)), rng.normal(size=(2, 3))
    s, apart = _nearest(base, tip, foot, head)
    along = np.linspace(0, 1, 201)
    on_segment = base[:, None] + along[:, None] * (tip - base)[:, None]
    on_line = foot + along[:, None] * (head - foot)
    best = np.linalg.norm(on_segment[:, :, None] - on_line, axis=-1).min(axis=(1, 2))
    found = np.linalg.norm(apart, axis=1)
    assert (found <= best + 1e-9).all()
    assert (found >= best - 0.03).all()
    from_line = base + s[:, None] * (tip - base) - apart - foot
    np.testing.assert_allclose(np.cross(from_line, head - foot), 0, atol=1e-9)


def test_a_figure_pushes_a_branch_aside_and_when_it_has_passed_the_branch_comes_back() -> None:
    plant = chain(6, length=2.0, radius=0.008)
    motion = HybridMotion(plant, hand_over=HandOver(swing=0.3, lasts=0.5))
    state, deepest, pushed = motion.rest(), 0.0, 0
    for step in range(400):
        place = np.array([-1.5 + 1.4 * step / 60, 0.8, 0.1])
        figure = Capsule(place, place + np.array([0, 0.9, 0]), 0.4)
        state = motion.step(state, calm(motion, state), 1 / 60, figure=figure)
        pushed += len(state.held) > 0
        deepest = max(deepest, figure.radius - _apart(motion.pose(state)[0], figure.moved(state.aside)))
    assert pushed > 20
    assert deepest < 0.02
    np.testing.assert_allclose(motion.pose(state)[0], plant.position, atol=1e-9)
    assert len(state.physical) == 0


def _apart(points: FloatArray, figure: Capsule) -> float:
    """How near the points are to the figure's line, m."""
    height = np.clip(points[:, 1], figure.foot[1], figure.head[1])
    line = np.stack([np.full(len(points), figure.foot[0]), height, np.full(len(points), figure.foot[2])], axis=1)
    return float(np.linalg.norm(points - line, axis=1).min())


def _walked(seed: int, beside: float) -> tuple[float, float, int, float]:
    """Walk through a hazel at 1.4 m/s: how deep wood is inside, the fastest node, contacts, how far aside."""
    motion = HybridMotion(grow("hazel-bush", seed=seed, detail=0.2))
    plant, state = motion.plant, motion.rest()
    deepest, fastest, most, farthest, before, wood = 0.0, 0.0, 0, 0.0, plant.position, plant.segments
    for step in range(240):
        place = np.array([beside, 0.0, 2.4 - 1.4 * step / 60])
        figure = Capsule(place, place + np.array([0, 1.7, 0]), 0.35)
        state = motion.step(state, calm(motion, state), 1 / 60, figure=figure)
        points, figure = motion.pose(state)[0], figure.moved(state.aside)
        _, apart = _nearest(points[plant.parent[wood]], points[wood], figure.foot, figure.head)
        deepest = max(deepest, figure.radius - float(np.linalg.norm(apart, axis=1).min()))
        fastest = max(fastest, 60 * float(np.linalg.norm(points - before, axis=1).max()))
        most, before = max(most, len(state.held)), points
        farthest = max(farthest, float(np.linalg.norm(state.aside)))
    return deepest, fastest, most, farthest


@pytest.mark.parametrize(("seed", "beside"), [(3, 0.9), (6, 0.7), (4, 0.0)])
def test_who_walks_through_a_bush_leaves_no_branch_inside_and_none_snaps_back(seed: int, beside: float) -> None:
    deepest, fastest, contacts, farthest = _walked(seed, beside)
    assert deepest < 0.02
    assert 1.0 < fastest < 8.0
    assert contacts > 3
    assert farthest < 3.0, "who is held steps over where it is clear"


@pytest.mark.slow
@pytest.mark.parametrize("seed", [3, 4, 5, 6])
@pytest.mark.parametrize("beside", [-0.7, 0.0, 0.3, 0.7, 0.9, 1.1])
def test_bushes_are_walked_through_on_many_ways(seed: int, beside: float) -> None:
    deepest, fastest, _, farthest = _walked(seed, beside)
    assert deepest < 0.02
    assert fastest < 8.0
    assert farthest < 3.0


def test_a_figure_slides_round_a_trunk_and_comes_back_to_its_way() -> None:
    """A trunk of 30 cm that gives way to nobody; who walks past its middle by 10 cm."""
    motion = HybridMotion(chain(6, length=4.0, radius=0.15), stiffness=1000.0)
    state, before, inside, fastest, asides = motion.rest(), None, 0.0, 0.0, []
    for step in range(300):
        place = np.array([0.1, 0.0, 2.0 - 1.4 * step / 60])
        figure = Capsule(place, place + np.array([0, 1.7, 0]), 0.35)
        state = motion.step(state, calm(motion, state), 1 / 60, figure=figure)
        foot = (place + state.aside)[[0, 2]]
        inside = max(inside, 0.5 - float(np.linalg.norm(foot)))
        fastest = max(fastest, 60 * float(np.linalg.norm(foot - before)) if before is not None else 0.0)
        asides.append(state.aside)
        before = foot
    aside = np.array(asides)
    assert inside < 0.02
    assert fastest < 4.0
    assert 0.35 < aside[:, 0].max() < 0.6, "it goes round by the nearer side"
    assert np.abs(aside[:, 1]).max() == 0, "and stays on the ground"
    assert np.abs(aside[-1]).max() < 0.01
    np.testing.assert_allclose(motion.pose(state)[0], motion.plant.position, atol=0.02)


def test_nodes_of_some_trees_are_where_the_whole_pose_has_them() -> None:
    motion, where = HybridMotion(grove()), Places(np.array([[0.0, 0, 0], [50, 0, 0]]), yaw=[0.0, 1.0])
    plant, state = motion.plant, motion.rest(where)
    touch = Touch(
        instance=[0, 1], node=[int(plant.tips[plant.tree[plant.tips] == tree][2]) for tree in (1, 3)], force=(9.0, 0, 3)
    )
    for step in range(12):
        state = blown(motion, state, step / 30, 1 / 30, touch)
    for tree in range(5):
        node = np.flatnonzero(plant.tree == tree)
        for instance in (0, 1):
            asked = HybridMotion(plant).node_points(state, instance, node)  # which has not posed them before
            np.testing.assert_allclose(asked, motion.pose(state)[instance, node], atol=1e-12)


def test_a_figure_finds_the_branches_it_touches_wherever_the_block_stands() -> None:
    motion = HybridMotion(grove())
    plant = motion.plant
    places = Places([[100, 0, 0], [0, 0, 50]], yaw=[0.7, 2.0], scale=[1.5, 0.8])
    state = motion.rest(places)

    def touched(where: FloatArray, radius: float) -> Contacts | None:
        points = partial(motion.node_points, state)
        return contacts_with(Capsule(where, where, radius), plant, places, points)

    node = int(plant.tips[np.argmax(plant.position[plant.tips, 1])])
    where = places.to_world(motion.pose(state))[1, node]
    contacts = touched(where, 0.05)
    assert contacts is not None
    assert set(contacts.instance) == {1}
    assert node in contacts.node
    inside = contacts.gap[contacts.node == node]
    np.testing.assert_allclose(inside, -0.05 - 0.8 * plant.base_radius[node], atol=1e-9)
    assert touched(where + 500, 1.0) is None
    for wrong in (((0, 0), (0, 1, 0), 1.0), ((0, 0, 0), (0, 1, 0), 0.0)):
        with pytest.raises(MotionError, match="figure"):
            Capsule(*wrong)


def test_a_figure_may_touch_a_block_only_where_it_stands_among_a_tree_of_it() -> None:
    trees = (grow("hazel-bush", seed=1, detail=0.1), grow("hazel-bush", seed=2, detail=0.1))
    plant = joined(trees, np.array([[-30.0, 0, -30], [30, 0, 30]]))
    motion = HybridMotion(plant)
    state, asked = motion.rest(), []

    def points(instance: int, node: IntArray) -> FloatArray:
        asked.append(node)
        return motion.node_points(state, instance, node)

    for x, z in np.random.default_rng(2).uniform(-45, 45, (400, 2)):
        asked.clear()
        figure = Capsule((x, 0.0, z), (x, 1.7, z))
        contacts = contacts_with(figure, plant, Places(), points)
        assert may_touch(figure, plant) == bool(asked), "it is asked for what the contacts are found among"
        assert asked or contacts is None
    for x, near in ((0.0, False), (-30.0, True), (30.0, True)):  # between the trees, and in each
        assert may_touch(Capsule((x, 0.0, x), (x, 1.7, x)), plant) is near


def test_contact_pushes_and_never_pulls() -> None:
    rng = np.random.default_rng(3)
    for count in (1, 4, 30):
        lever = rng.normal(size=(count, 40))
        reach, gap = lever @ lever.T + 0.1 * np.eye(count), rng.normal(size=count) - 0.3
        force = contact_forces(reach, gap)
        left = gap + reach @ force
        assert (force >= 0).all()
        assert left.min() > -0.02 * np.abs(gap).max()
        assert np.abs(left[force > 0]).max(initial=0) < 0.02 * np.abs(gap).max()
    assert not contact_forces(np.eye(2), np.array([0.1, 0.0])).any()


def test_the_benchmarks_forest_is_different_trees_and_its_rows_say_what_levels_save() -> None:
    block = forest_of(4, 40, ("oak", "hazel-bush"))
    sizes = np.diff([*block.roots, block.nodes])
    assert (np.abs(sizes - 41) < 12).all()
    assert len({tuple(block.position[block.tree == tree].ravel().round(3)) for tree in range(4)}) == 4
    assert disks(block).depth(block.position[block.roots], 5.0).max() > 0
    by_level, every = bench_hybrid(trees=4, branches=40, steps=60, species=("oak", "hazel-bush"))
    assert 0 < by_level["nodes moved"] <= every["nodes moved"] == every["branches"]
    assert by_level["physical"] == every["physical"] > 0
    assert every["saves"] == 1


@pytest.mark.parametrize("probe", ["tree", "branch"])
def test_trees_that_stay_in_view_go_on_as_if_none_had_come_or_gone(probe: str) -> None:
    trees = [grow("oak", seed=seed, detail=0.012) for seed in range(4)]

    def motion_of(*seeds: int) -> HybridMotion:
        places = [(6.0 * seed, 0, 0) for seed in seeds]
        return HybridMotion(joined([trees[seed] for seed in seeds], places), probe=probe)

    old, new, whole = motion_of(0, 1, 2), motion_of(3, 2, 1), motion_of(1, 2)
    states = [old.rest(levels=[1, 3, 2]), whole.rest(levels=[3, 2])]
    nodes = [int(np.flatnonzero(motion.plant.tree == tree)[20]) for motion, tree in ((old, 1), (whole, 0), (new, 2))]
    for step in range(40):
        for which, motion in enumerate((old, whole)):
            if step == 20:
                levels = [[0, 2, 3], [2, 3]][which]
                states[which] = motion.with_levels(states[which], levels)
            touch = Touch(node=nodes[which], force=(20, 0, 0)) if step < 30 else None
            states[which] = blown(motion, states[which], step / 60, 1 / 60, touch)
    states[0] = replace(states[0], aside=np.array([0.3, 0.0, 0.1]))
    shown, states[0] = old.pose(states[0])[0], replanted(old, states[0], new, [-1, 2, 1])
    np.testing.assert_array_equal(states[0].aside, [0.3, 0.0, 0.1])
    for here, there in ((2, 1), (1, 2)):
        now = new.pose(states[0])[0, new.plant.tree == here]
        np.testing.assert_allclose(now, shown[old.plant.tree == there], atol=1e-12)
    for step in range(40, 80):
        states = [blown(motion, state, step / 60, 1 / 60) for motion, state in zip((new, whole), states, strict=True)]
        found, expected = new.pose(states[0])[0], whole.pose(states[1])[0]
        for here, there in ((2, 0), (1, 1)):
            wanted = expected[whole.plant.tree == there]
            np.testing.assert_allclose(found[new.plant.tree == here], wanted, atol=1e-9)
    assert len(states[0].physical) == len(states[1].physical) > 0
    with pytest.raises(MotionError, match="same seed"):
        replanted(old, old.rest(), HybridMotion(joined([three_branches()], [[0, 0, 0]])), [0])
    with pytest.raises(MotionError, match="old ones"):
        replanted(old, old.rest(), new, [0, 1, 7])


def test_a_forest_walks_through_wind_hands_and_levels_together_and_lengths_stay() -> None:
    motion = HybridMotion(grove())
    plant = motion.plant
    state: HybridState = motion.rest(levels=0)
    eye = np.array([0.0, 1.7, 0.0])
    for step in range(120):
        t = step / 60
        points = motion.middles
        distance = np.linalg.norm(points - eye - np.array([5 * t, 0, 0]), axis=-1)
        levels = animation_levels(gusts().depth(points, t), distance, motion.orders)
        state = motion.with_levels(state, levels)
        node = int(plant.tips[10 + step // 30])
        touch = Touch(node=node, target=plant.position[node] + 0.3 * np.sin(6 * t)) if step % 30 < 20 else None
        state = blown(motion, state, t, 1 / 60, touch)
    points = motion.pose(state)[0]
    length = np.linalg.norm(points - points[plant.parent], axis=1)[plant.segments]
    np.testing.assert_allclose(length, plant.length[plant.segments], rtol=1e-11)
    assert np.abs(points - plant.position).max() > 0.02
