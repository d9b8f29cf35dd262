"""Broad leaves in the wind: rest, return, limits, symmetry, instances and hands."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.broadleaves import across_shares, along_shares, gusts, leaves_at, one_leaf, random_plant, sides
from tests.sampled import sampled
from windflower import Plant, grow
from windflower.core.arrays import FloatArray
from windflower.errors import MotionError, PlantError
from windflower.mechanics import wood_of
from windflower.motion import BroadleafConstants, BroadleafMotion, BroadleafState, Places, Touch
from windflower.plant.ribs import ribbed
from windflower.plant.species.settings import Blade

STEPS = (1 / 240, 1 / 120, 1 / 60, 1 / 30, 1 / 15)


def played(motion: BroadleafMotion, state: BroadleafState, winds: FloatArray, dt: float) -> BroadleafState:
    """After steps under these winds (steps, 3), the same everywhere."""
    for wind in winds:
        state = motion.step(state, np.broadcast_to(wind, (len(state), motion.plant.nodes, 3)), dt)
    return state


def gust(speed: float, seconds: float, dt: float, way: tuple[float, ...] = (1, 0, 0)) -> FloatArray:
    """One that swells and dies down."""
    t = np.arange(round(seconds / dt)) * dt
    return np.asarray(speed * np.sin(np.pi * t / seconds)[:, None] ** 2 * np.array(way))


def off(state: BroadleafState, rest: BroadleafState) -> float:
    """How far any node or point is from where it rests, m."""
    return float(max(np.abs(state.point - rest.point).max(), np.abs(state.node - rest.node).max()))


@pytest.fixture(scope="module")
def paper_plant() -> Plant:
    return grow("banana")


def test_the_papers_plant_has_its_stems_leaves_segments_and_vertices(paper_plant: Plant) -> None:
    motion = BroadleafMotion(paper_plant)
    stems = paper_plant.axis[paper_plant.parent[[axis[0] for axis in paper_plant.axes() if len(axis) == 10]]]
    assert len(np.unique(stems)) == 6
    assert len(motion.blades) == 54
    assert {len(axis) for axis in paper_plant.axes() if axis[-1] in motion.blades.ribs.segment} == {10}
    assert motion.blades.point[..., 0].size + paper_plant.nodes == pytest.approx(9529, rel=0.05)


@pytest.mark.slow
def test_without_wind_the_papers_plant_keeps_its_shape_for_a_minute(paper_plant: Plant) -> None:
    motion = BroadleafMotion(paper_plant, constants=BroadleafConstants(longest=1 / 10))
    rest = motion.rest()
    assert off(played(motion, rest, np.zeros((600, 3)), 1 / 10), rest) < 1e-6


@pytest.mark.slow
@pytest.mark.parametrize("name", ["banana", "hosta", "violet", "hollyhock"])
def test_without_wind_every_broad_leaved_plant_keeps_its_shape(name: str) -> None:
    motion = BroadleafMotion(grow(name))
    rest = motion.rest()
    assert off(played(motion, rest, np.zeros((1800, 3)), 1 / 30), rest) < 1e-6


@pytest.mark.slow
def test_after_a_gust_it_comes_back_and_every_three_seconds_are_calmer(paper_plant: Plant) -> None:
    motion, dt = BroadleafMotion(paper_plant), 1 / 30
    rest = motion.rest()
    state = played(motion, rest, gust(14, 2, dt), dt)
    moved = off(state, rest)
    assert moved > 0.5, "the wind moves it"
    peaks = []
    for _ in range(5):  # leaves swing and twist at 0.3 to 1 Hz: their velocities beat from second to second
        peak = 0.0
        for _ in range(90):
            state = motion.step(state, np.zeros((1, paper_plant.nodes, 3)), dt)
            peak = max(peak, float(np.linalg.norm(state.velocity, axis=-1).max()))
        peaks.append(peak)
    assert (np.diff(peaks) <= 0).all(), peaks
    assert off(state, rest) < 0.05 * moved


def assert_within_limits(motion: BroadleafMotion, state: BroadleafState, context: object) -> None:
    across, along, soft = across_shares(motion, state), along_shares(motion, state), motion.constants.softness
    assert np.isfinite(state.point).all(), context
    assert across.min() > 0.9, context
    assert across.max() < 1.1, context
    assert along.min() > soft * 0.98, context
    assert along.max() < 1.02, context
    assert sides(motion, state).min() > 0, context


def storm(motion: BroadleafMotion, seed: int, dt: float, seconds: float) -> None:
    """Gusts of 20 m/s from all sides, with every step looked at."""
    knots, state = gusts(np.random.default_rng(seed), 20, seconds), motion.rest()
    for i in range(round(seconds / dt)):
        at, part = divmod(3 * i * dt, 1)
        wind = (1 - part) * knots[int(at)] + part * knots[int(at) + 1]
        state = played(motion, state, wind[None], dt)
        assert_within_limits(motion, state, (seed, dt, i))


@pytest.mark.parametrize(
    "seed", sampled([*range(19), 50], *range(5), 50)
)  # 50: more segments to a mid-rib than rows to a blade
def test_no_gust_tears_or_folds_a_blade(seed: int) -> None:
    plant, blade, aspect = random_plant(seed)
    storm(BroadleafMotion(plant, blade=blade, aspect=aspect), seed, STEPS[seed % 5], 0.7)


def test_no_gust_lengthens_a_wavy_rim_where_its_mid_rib_begins_to_bend() -> None:
    plant, blade, aspect = random_plant(411)
    storm(BroadleafMotion(plant, blade=blade, aspect=aspect), 411, STEPS[1], 1.0)


@pytest.mark.slow
def test_no_gust_tears_or_folds_a_blade_of_a_thousand_plants() -> None:
    for seed in range(1000):
        plant, blade, aspect = random_plant(seed)
        storm(BroadleafMotion(plant, blade=blade, aspect=aspect), seed, STEPS[seed % 5], 1.0)


@pytest.mark.parametrize(("name", "dt"), [("hosta", 1 / 15), ("violet", 1 / 30), ("hollyhock", 1 / 60)])
def test_no_gust_tears_or_folds_the_blades_of_a_species(name: str, dt: float) -> None:
    storm(BroadleafMotion(grow(name)), 1, dt, 0.7)


def test_no_gust_tears_or_folds_the_blades_of_the_papers_plant(paper_plant: Plant) -> None:
    storm(BroadleafMotion(paper_plant), 1, 1 / 20, 1.0)


@pytest.mark.parametrize("softness", [0.6, 0.8, 0.95])
def test_a_vein_keeps_as_much_of_its_length_as_its_softness_says(softness: float) -> None:
    plant, blade, aspect = random_plant(4)
    constants = BroadleafConstants(softness=softness)
    storm(BroadleafMotion(plant, blade=blade, aspect=aspect, constants=constants), 4, 1 / 30, 1.0)


def two_leaves() -> Plant:
    """A stem with two opposite leaves, the same in the mirror of x and in that of z."""
    stem = np.array([[0, 0, 0], [0, 0.25, 0], [0, 0.5, 0], [0, 0.7, 0]])
    right = np.array([[0.1, 0.52, 0], [0.22, 0.53, 0], [0.34, 0.52, 0], [0.45, 0.49, 0]])
    return Plant(
        parent=[-1, 0, 1, 2, 2, 4, 5, 6, 2, 8, 9, 10],
        position=np.concatenate([stem, right, right * [-1, 1, 1]]),
        radius=[0.008, 0.007, 0.006, 0.005, *[0.004, 0.003, 0.002, 0.001] * 2],
        leaves=leaves_at(5, 9, size=0.4),
    )


@pytest.mark.parametrize("way", [(1.0, 0.0, 0.0), (0.0, 0.0, 1.0)])
def test_wind_from_the_back_and_from_the_front_are_mirror_images(way: tuple[float, ...]) -> None:
    motion = BroadleafMotion(two_leaves(), wood=wood_of("banana"), aspect=0.5, along=9, across=7)
    rest, wind = motion.rest(), gust(9, 1.2, 1 / 60, way)[:50]
    one, other = played(motion, rest, wind, 1 / 60), played(motion, rest, -wind, 1 / 60)
    mirror = np.array([-1.0, 1, 1] if way[0] else [1.0, 1, -1])
    nodes = [0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7] if way[0] else list(range(12))
    blades = [1, 0] if way[0] else [0, 1]
    sway = off(one, rest)
    assert sway > 0.02
    assert np.abs(one.node - other.node[:, nodes] * mirror).max() < 0.01 * sway
    assert np.abs(one.point - other.point[:, blades, :, ::-1] * mirror).max() < 0.01 * sway


def test_steps_give_the_same_motion_whatever_their_length() -> None:
    motion = BroadleafMotion(one_leaf(), wood=wood_of("banana"), aspect=0.4, along=7, across=5)
    wind = np.broadcast_to([0.0, 3.0, 5.0], (60, 3))
    fine, coarse = played(motion, motion.rest(), wind, 1 / 60), played(motion, motion.rest(), wind[:15], 1 / 15)
    assert np.abs(fine.point - coarse.point).max() < 1e-9


def test_finer_sub_steps_tend_to_one_motion() -> None:
    ends = []
    for parts in (1, 2, 4):
        constants = BroadleafConstants(longest=1 / 240 / parts, contact=False, flutter=0.0)
        motion = BroadleafMotion(one_leaf(), wood=wood_of("banana"), aspect=0.4, along=7, across=5, constants=constants)
        ends.append(played(motion, motion.rest(), gust(6, 0.5, 1 / 60, (0.0, 0.3, 1.0)), 1 / 60).node)
    assert np.abs(ends[2] - ends[1]).max() < 0.7 * np.abs(ends[1] - ends[0]).max()


def test_the_papers_own_step_agrees_with_the_implicit_one_when_it_is_short() -> None:
    plant, ends = one_leaf(), []
    for integrator in ("paper", "implicit"):
        constants = BroadleafConstants(integrator=integrator, longest=1 / 8000, contact=False)
        motion = BroadleafMotion(plant, wood=wood_of("banana"), aspect=0.4, along=5, across=5, constants=constants)
        ends.append(played(motion, motion.rest(), np.tile([0, 1.0, 4.0], (6, 1)), 1 / 60))
    moved = off(ends[0], motion.rest())
    assert moved > 1e-3
    assert np.abs(ends[0].point - ends[1].point).max() < 0.05 * moved


def test_the_papers_own_step_rattles_between_its_stops_or_says_that_it_blew_up() -> None:
    constants = BroadleafConstants(integrator="paper", longest=1 / 20, contact=False)
    motion = BroadleafMotion(one_leaf(), wood=wood_of("banana"), aspect=0.4, along=5, across=5, constants=constants)
    state = played(motion, motion.rest(), np.tile([0, 1.0, 4.0], (200, 1)), 1 / 20)
    assert np.abs(state.point).max() < 1.0
    wild = replace(state, velocity=np.full(state.velocity.shape, 1e200))
    with np.errstate(all="ignore"), pytest.raises(MotionError, match=r"blew up with steps of 0\.05 s\. .*implicit"):
        motion.step(wild, np.zeros((1, motion.plant.nodes, 3)), 1 / 20)


def test_all_switches_of_the_paper_make_a_motion_that_comes_back() -> None:
    constants = BroadleafConstants.printed(constant_rigidity=4e4, longest=1 / 2000)
    motion = BroadleafMotion(one_leaf(), wood=wood_of("banana"), aspect=0.4, along=5, across=3, constants=constants)
    state = played(motion, motion.rest(), np.tile([0, 1.0, 4.0], (12, 1)), 1 / 60)
    moved = off(state, motion.rest())
    state = played(motion, state, np.zeros((60, 3)), 1 / 60)
    assert moved > 1e-4
    assert off(state, motion.rest()) < moved / 2


def test_instances_turn_scale_and_stiffen_as_places_say() -> None:
    """A plant turned with its wind does the same; one twice as large is twice as slow; a stiffer one moves less."""
    constants = BroadleafConstants(longest=1 / 120, flutter=0.0)
    motion = BroadleafMotion(one_leaf(), wood=wood_of("banana"), aspect=0.4, along=5, across=5, constants=constants)
    where = Places(np.zeros((3, 3)), yaw=[0, np.pi / 2, 0], stiffness=[1, 1, 3])
    winds = gust(7, 1, 1 / 60, (0.3, 0.2, 1.0))[:40]
    state = motion.rest(where)
    for wind in winds:
        air = np.broadcast_to(where.turn @ wind, (motion.plant.nodes, 3, 3)).transpose(1, 0, 2)
        state = motion.step(state, air, 1 / 60)
    assert np.abs(state.point[0] - state.point[1]).max() < 1e-12
    sway = np.abs(state.node - motion.plant.position).max(axis=(1, 2))
    assert sway[2] < 0.6 * sway[0]
    large = motion.rest(Places(scale=2.0))
    for wind in winds:
        large = played(motion, large, wind[None], 1 / 30)
    assert np.abs(large.point[0] - state.point[0]).max() < 1e-9


def test_blades_are_kept_off_the_ground_and_off_stems() -> None:
    """A leaf over the ground, pressed down by a gust from above."""
    plant = one_leaf(stem=0.08)
    ends = []
    for contact in (False, True):
        constants = BroadleafConstants(contact=contact, rigidity=0.02, blade_rigidity=0.05, flutter=0.0)
        motion = BroadleafMotion(plant, wood=wood_of("banana"), aspect=0.4, along=7, across=5, constants=constants)
        ends.append(played(motion, motion.rest(), np.tile([0, -16.0, 0], (60, 1)), 1 / 60).point[..., 1].min())
    assert ends[0] < -0.02
    assert ends[1] > 0.5 * ends[0]
    assert ends[1] > -0.02


def test_a_hand_leads_a_node_and_lets_it_go() -> None:
    motion = BroadleafMotion(one_leaf(), wood=wood_of("banana"), aspect=0.4, along=5, across=5)
    rest = state = motion.rest()
    target = rest.node[0, 2] + [0.02, 0, 0.03]
    for _ in range(240):
        state = motion.step(state, np.zeros((1, 7, 3)), 1 / 60, touch=Touch(node=2, target=[target], grip=200.0))
    assert np.linalg.norm(state.node[0, 2] - target) < 0.2 * np.linalg.norm(rest.node[0, 2] - target)
    state = played(motion, state, np.zeros((600, 3)), 1 / 60)
    assert off(state, rest) < 1e-3


def test_constants_change_while_it_moves() -> None:
    motion = BroadleafMotion(one_leaf(), wood=wood_of("banana"), aspect=0.4, along=5, across=5)
    wind = np.tile([0, 2.0, 5.0], (30, 1))
    state = played(motion, motion.rest(), wind, 1 / 60)
    softer = motion.retuned(rigidity=0.3, softness=0.8)
    assert softer.constants.rigidity == 0.3
    later, same = played(softer, state, wind, 1 / 60), played(motion, state, wind, 1 / 60)
    assert off(later, motion.rest()) > 1.3 * off(same, motion.rest())


def test_rims_flutter_in_a_steady_wind_and_mid_ribs_hardly_do() -> None:
    """Eddies run along the blade at St U/w; without them a steady wind bends it and leaves it there."""
    swings = []
    for flutter in (0.0, 1.0):
        constants = BroadleafConstants(flutter=flutter)
        motion = BroadleafMotion(one_leaf(), wood=wood_of("banana"), aspect=0.4, along=7, across=5, constants=constants)
        state = played(motion, motion.rest(), np.tile([0, 1.0, 6.0], (180, 1)), 1 / 60)
        lifts = []
        for _ in range(60):
            state = played(motion, state, np.array([[0, 1.0, 6.0]]), 1 / 60)
            lifts.append(state.lift[0, 0, 3] / motion.blades.half_width[0, 3])
        swings.append(np.std(lifts, axis=0))
    assert swings[0].max() < 1e-3
    assert swings[1][[0, 4]].min() > 0.01
    assert swings[1][[1, 3]].max() < swings[1][[0, 4]].min()


def test_small_leaves_are_blades_too() -> None:
    """§5: the same model with few points."""
    plant = ribbed(grow("hazel-bush", detail=0.05, seed=2))
    motion = BroadleafMotion(plant, along=3, across=3, constants=BroadleafConstants(contact=False))
    rest = motion.rest()
    state = played(motion, rest, np.tile([5.0, 0, 1], (20, 1)), 1 / 30)
    assert len(motion.blades) == len(plant.leaves) > 20
    assert off(state, rest) > 0.005
    assert_within_limits(motion, state, "hazel")


@pytest.mark.parametrize("shape", ["oblong", "elliptic", "rhombic", "spoon", "ovate"])
def test_blades_are_as_wide_as_their_shape_says(shape: str) -> None:
    blade = Blade.model_validate({"shape": shape, "fold": 0, "droop": 0})
    motion = BroadleafMotion(one_leaf(length=0.4), blade=blade, aspect=0.5, along=41, across=5)
    width = motion.blades.half_width[0]
    assert width.max() == pytest.approx(0.1, rel=0.01)
    assert width[[0, -1]].max() < 0.3 * width.max()
    widest = np.argmax(width) / 40
    low, high = {"spoon": (0.6, 0.85), "ovate": (0.2, 0.45)}.get(shape, (0.45, 0.55))
    assert low < widest < high


def test_leaves_nearer_to_the_root_are_larger() -> None:
    blades = BroadleafMotion(grow("hollyhock")).blades
    size = blades.ribs.length * blades.half_width.max(axis=1)
    height = blades.point[:, 0, blades.middle, 1]
    low, high = size[height < np.median(height)], size[height > np.median(height)]
    assert low.mean() > 1.5 * high.mean()


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"wind_law": "cubic"}, "one of drag, paper; 'cubic' is not one of them"),
        ({"rigidity": 0.0}, "rigidity must be positive; it is 0"),
        ({"viscosity": -1.0}, "viscosity is a number from 0 up; it is -1"),
        ({"transfer": 1.2}, "share of its force, from 0 to 1; transfer is 1.2"),
        ({"softness": 0.1}, "share of its length, from 0.3 to below 1; softness is 0.1"),
        ({"support": (1.0, 0.0, 0.5)}, "three shares"),
        ({"damping": -0.1}, "damping must be positive"),
        ({"mass": float("nan")}, "mass must be a finite number"),
    ],
)
def test_constants_that_cannot_be_are_refused(changes: dict[str, Any], rule: str) -> None:
    with pytest.raises(MotionError, match=rule):
        BroadleafConstants(**changes)


def test_what_cannot_bear_blades_is_refused() -> None:
    with pytest.raises(PlantError, match="several leaves share one"):
        BroadleafMotion(grow("hazel-bush", detail=0.05, seed=2))
    with pytest.raises(PlantError, match="odd number of points across, from 3; it is 5 by 4"):
        BroadleafMotion(one_leaf(), along=5, across=4)
    motion = BroadleafMotion(one_leaf())
    with pytest.raises(MotionError, match="one velocity for each probe"):
        motion.step(motion.rest(), np.zeros((1, 3, 3)), 1 / 60)
