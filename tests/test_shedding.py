"""Leaves that come off, fall, land and lie; and what the seasons do to them."""

from itertools import pairwise
from math import exp

import numpy as np
import pytest

from tests.stands import places
from windflower import Leaves, Plant, grow, species_names
from windflower.core.arrays import FloatArray
from windflower.errors import MotionError
from windflower.motion import Places
from windflower.motion.cantilever.cantilever_motion import CantileverMotion
from windflower.motion.leaves.falling import blade
from windflower.motion.leaves.leaf_motion import LeafMotion
from windflower.motion.leaves.seasons import DAYS, Season
from windflower.motion.leaves.shedding import IN_AIR, ON_GROUND, ON_TREE, Shedding, ShedState
from windflower.wind import Wind

LATE = Season(day=345)  # every leaf is as loose as can be


def tree(leaves: int = 1000, height: float = 4.0) -> Plant:
    """A stick with leaves all along."""
    place, one = np.linspace(0.05, 1, leaves), np.ones(leaves)
    return Plant(
        parent=[-1, 0], position=[[0.0, 0.0, 0.0], [0.0, height, 0.0]], radius=[0.02, 0.01],
        leaves=Leaves(node=np.ones(leaves, int), place=place, orientation=np.eye(4)[[3] * leaves], size=0.05 * one),
    )  # fmt: skip


def shed(shedding: Shedding, state: ShedState, speed: float, seconds: float, dt: float) -> ShedState:
    points = np.broadcast_to(shedding.leaves.plant.position, (len(state.places), shedding.leaves.plant.nodes, 3))
    feet = shedding.feet(state.places, points)
    for _ in range(round(seconds / dt)):
        state = shedding.step(state, feet, np.full((len(state.places), 1, 3), [speed, 0.0, 0.0]), dt)
    return state


@pytest.mark.parametrize("speed", [4.0, 12.0])
@pytest.mark.parametrize("dt", [1 / 15, pytest.param(1 / 60, marks=pytest.mark.slow)])
def test_as_many_leaves_come_off_as_are_expected(speed: float, dt: float) -> None:
    """1,000 leaves and 20 seeds: a share 1 − exp(−λT), within three standard errors."""
    seconds, fell, expected, variance = 2.0, 0, 0.0, 0.0
    for seed in range(20):
        leaves = LeafMotion.of(tree(), seed=seed)
        shedding = Shedding(leaves, season=LATE, rate=0.1)
        state = shed(shedding, shedding.rest(), speed, seconds, dt)
        hazard = 0.1 * (0.05 + (speed * leaves.exposure / 10) ** 2 + 0.002 * (speed * leaves.exposure / 10) ** 4)
        chance = 1 - np.exp(-hazard * seconds)
        fell += 1000 - state.counts[0]
        expected += chance.sum()
        variance += (chance * (1 - chance)).sum()
    assert 0 < expected < 20_000
    assert abs(fell - expected) < 3 * np.sqrt(variance)


def test_the_chance_of_a_step_is_that_of_its_length() -> None:
    """Of what still hangs, a share 1 − exp(−λ dt) comes off in every step, early and late alike."""
    shedding = Shedding(LeafMotion.of(tree(60_000)), season=LATE, rate=2.0)
    state, dt = shedding.rest(), 0.05
    vars(shedding.leaves)["exposure"] = np.ones(60_000)
    chance = 1 - exp(-2.0 * (0.05 + 1 + 0.002) * dt)
    for _ in range(12):
        hanging = state.counts[0]
        state = shed(shedding, state, 10.0, dt, dt)
        lost = hanging - state.counts[0]
        assert abs(lost - chance * hanging) < 4 * np.sqrt(chance * (1 - chance) * hanging)


def test_the_same_leaves_fall_whatever_the_step() -> None:
    shedding = Shedding(LeafMotion.of(tree()), season=LATE, rate=0.05)
    coarse, fine = (shed(shedding, shedding.rest(), 9.0, 6.0, dt) for dt in (0.2, 0.02))
    assert ((coarse.status == ON_TREE) == (fine.status == ON_TREE)).mean() > 0.998


def lived(shedding: Shedding, motion: CantileverMotion, where: Places, wind: Wind, seconds: float) -> list[ShedState]:
    """A stand that sways and sheds; states every half second."""
    state, shedded, dt = motion.rest(where), shedding.rest(where), 1 / 10
    states = [shedded]
    for k in range(1, round(seconds / dt) + 1):
        state = motion.step(state, wind.velocity(motion.probes(where), k * dt), dt)
        feet = shedding.feet(where, motion.pose(state))
        shedded = shedding.step(shedded, feet, wind.velocity(shedding.probes(shedded, feet), k * dt), dt)
        if k % 5 == 0:
            states.append(shedded)
    return states


def hill(x: FloatArray, z: FloatArray) -> FloatArray:
    return 0.2 * x + np.sin(z / 3)


def test_leaves_are_conserved_land_on_the_ground_and_lie_there() -> None:
    plant = grow("quaking-aspen", detail=0.03)
    leaves = LeafMotion.of(plant)
    shedding = Shedding(leaves, season=LATE, rate=0.8, ground=hill)
    where = Places([[0.0, 0.0, 0.0], [8.0, 1.6, 5.0]], yaw=[0, 2], scale=[0.5, 0.4])
    states = lived(shedding, CantileverMotion(plant), where, Wind.beaufort(6, seed=2), 16.0)
    total = 2 * len(leaves)
    in_air = [state.counts[1] for state in states]
    assert all(sum(state.counts) == total for state in states)
    assert max(in_air) > 0.05 * total
    for before, state in pairwise(states):
        off = state.status != ON_TREE
        height = state.drop.position[..., 1] - shedding.height(state.drop.position)
        assert (height[off] > 0).all(), "none is below the ground"
        assert (height[state.status == ON_GROUND] < 0.05).all(), "what lies, lies on it"
        assert (state.status >= before.status).all(), "none goes back"
        assert np.isfinite(state.drop.position).all()
    assert states[-1].counts[0] < 0.1 * total
    moved = np.linalg.norm(states[-1].drop.position - states[-2].drop.position, axis=-1)
    assert (moved[states[-2].status == ON_GROUND] < 6.0).all()


def test_every_leaf_comes_down_and_a_tree_can_be_bare() -> None:
    shedding = Shedding(LeafMotion.of(tree(300)), season=LATE, rate=5.0)
    state = shed(shedding, shedding.rest(), 10.0, 3.0, 0.05)
    assert state.counts[1] > 0
    state = shed(shedding, state, 10.0, 12.0, 0.05)
    assert state.counts == (0, 0, 300)
    assert shedding.rest(fallen=1.0).counts == (0, 0, 300)
    half = shedding.rest(fallen=0.5)
    assert 110 < half.counts[0] < 190
    assert half.counts[1] == 0


def test_what_hangs_is_at_its_foot_and_falls_from_there() -> None:
    plant = grow("oak", detail=0.03)
    leaves, where = LeafMotion.of(plant), places(2)
    shedding = Shedding(leaves, season=LATE, rate=0.3, ground=-1e3)
    motion = CantileverMotion(plant)
    state = shedding.rest(where)
    swaying, air = motion.rest(where), np.full((2, 1, 3), [9.0, 0, 2.0])
    for _ in range(10):
        swaying = motion.step(swaying, air, 0.1)
        points = motion.pose(swaying)
        feet, before = shedding.feet(where, points), state
        state = shedding.step(state, feet, air, 0.1)
        angles = leaves.angles(where, air[:, 0], swaying.time)
        at, orientation = shedding.pose(state, points, angles)
        hanging, new = state.status == ON_TREE, (before.status == ON_TREE) & (state.status == IN_AIR)
        assert (at[hanging] == feet[hanging]).all(), "nothing hangs in the air"
        assert (at[new] == feet[new]).all()
        assert np.linalg.norm(orientation, axis=-1) == pytest.approx(np.ones(state.status.shape))
        turn = np.array([[[0, np.sin(yaw / 2), 0, np.cos(yaw / 2)]] for yaw in where.yaw])
        carried = leaves.orientations(points, angles)
        assert orientation[hanging] == pytest.approx(_product(turn, carried)[hanging])
    assert state.counts[1] > 10


def _product(a: FloatArray, b: FloatArray) -> FloatArray:
    scalar = a[..., 3] * b[..., 3] - (a[..., :3] * b[..., :3]).sum(-1)
    vector = a[..., 3:] * b[..., :3] + b[..., 3:] * a[..., :3] + np.cross(a[..., :3], b[..., :3])
    return np.concatenate([vector, scalar[..., None]], axis=-1)


def test_a_falling_leaf_sinks_at_its_own_pace_and_drifts_with_the_wind() -> None:
    shedding = Shedding(LeafMotion.of(tree(500)), season=LATE, rate=1e4, ground=-1e6)
    state = shed(shedding, shedding.rest(), 6.0, 2.0, 0.02)
    assert state.counts[1] == 500
    later = shed(shedding, state, 6.0, 8.0, 0.02)
    way = (later.drop.position - state.drop.position)[0] / 8
    assert way[:, 0].mean() == pytest.approx(6.0, abs=0.2)
    assert (way[:, 1] < -0.6).all()
    assert (way[:, 1] > -2.2).all()
    fine = shed(shedding, state, 6.0, 8.0, 0.005)
    assert np.abs(fine.drop.position - later.drop.position).max() < 0.1, "whatever the step"


def test_lying_leaves_stay_in_a_calm_and_slide_in_gusts() -> None:
    shedding = Shedding(LeafMotion.of(tree(400)), season=LATE)
    state = shedding.rest(fallen=1.0)
    calm = shed(shedding, state, 2.0, 5.0, 0.05)
    assert (calm.drop.position == state.drop.position).all()
    gust = shed(shedding, state, 9.0, 2.0, 0.05)
    slid = gust.drop.position - state.drop.position
    assert (slid[..., 0] > 0.5).all()
    assert (slid[..., 1:] == 0).all()
    after = shed(shedding, shed(shedding, gust, 0.0, 3.0, 0.05), 0.0, 1.0, 0.05)
    assert np.abs(after.drop.velocity).max() < 1e-3


def test_leaves_in_the_air_lie_level_in_the_mean_and_on_the_ground_always() -> None:
    shedding = Shedding(LeafMotion.of(tree(400)), season=LATE, rate=5.0)
    state = shed(shedding, shedding.rest(), 5.0, 20.0, 0.05)
    assert state.counts[2] == 400
    up = _product(blade(state.drop.heading, state.drop.roll), np.array([0, 0, 1.0, 0]))
    conj = blade(state.drop.heading, state.drop.roll) * [-1, -1, -1, 1]
    assert np.abs(_product(up, conj)[..., 1]) == pytest.approx(np.ones((1, 400)), abs=1e-3)


def test_seasons_unfold_turn_and_loosen_leaves() -> None:
    plant = grow("quaking-aspen", detail=0.02)
    key = Shedding(LeafMotion.of(plant)).keys(1)
    years = {name: Season.of(plant, name) for name in DAYS}
    assert years["winter"].unfolded(key).max() == 0
    assert years["summer"].unfolded(key).min() == 1
    assert years["summer"].loose(key).max() == 0
    assert 0.05 < years["autumn"].loose(key).mean() < 0.95
    red_over_green = {name: (c := one.colours(key))[..., 0].mean() / c[..., 1].mean() for name, one in years.items()}
    assert red_over_green["autumn"] > 1.2 > 1 > red_over_green["summer"]
    assert years["spring"].colours(key).sum() > years["summer"].colours(key).sum()
    days = [Season.of(plant, day).loose(key).mean() for day in range(250, 350, 10)]
    assert (np.diff(days) >= 0).all()
    assert days[0] == 0
    assert days[-1] == 1
    assert Season.of(grow("spruce", detail=0.02), "winter").unfolded(key).min() == 1


def test_stronger_wind_and_later_days_shed_more() -> None:
    leaves = LeafMotion.of(tree(2000))
    lost = {}
    for day in (190, 285, 345):
        for speed in (0.0, 5.0, 25.0):
            shedding = Shedding(leaves, season=Season(day=day), rate=0.3)
            lost[day, speed] = 2000 - shed(shedding, shedding.rest(), speed, 2.0, 0.1).counts[0]
    assert lost[190, 0.0] == 0
    assert lost[190, 25.0] > lost[190, 5.0]
    assert lost[345, 25.0] > lost[345, 5.0] > lost[345, 0.0] > 0
    assert lost[345, 5.0] > lost[285, 5.0] > lost[190, 5.0]


def test_every_species_has_a_year() -> None:
    for name in species_names():
        plant = grow(name, detail=0.02)
        key = Shedding(LeafMotion.of(plant)).keys(1)
        for day in np.linspace(0, 366, 13):
            colours = Season.of(plant, float(day)).colours(key)
            assert ((colours >= 0) & (colours <= 1)).all()


def test_what_cannot_be_is_refused() -> None:
    leaves = LeafMotion.of(tree(5))
    with pytest.raises(MotionError, match="from 0 up"):
        Shedding(leaves, rate=-1)
    with pytest.raises(MotionError, match="0 to 1"):
        Shedding(leaves).rest(fallen=2)
    with pytest.raises(MotionError, match="0 to 366"):
        Season(day=400)
    with pytest.raises(MotionError, match="a season is one of winter, spring"):
        Season.of(tree(5), "monsoon")
    shedding = Shedding(leaves)
    with pytest.raises(MotionError, match="one velocity for each"):
        shedding.step(shedding.rest(), np.zeros((1, 5, 3)), np.zeros((2, 3)), 0.1)
    with pytest.raises(MotionError, match="finite"):
        shedding.step(shedding.rest(), np.zeros((1, 5, 3)), np.full((1, 1, 3), np.nan), 0.1)
    with pytest.raises(MotionError, match="time goes forward"):
        shedding.step(shedding.rest(), np.zeros((1, 5, 3)), np.zeros((1, 1, 3)), -0.1)
