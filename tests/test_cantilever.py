"""Branches as flat springs: the paper's formula, beam theory, limits and signs."""

from dataclasses import replace
from math import asin, pi

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.plants import chain, fork, plants
from tests.stands import places, two_trees
from windflower import Plant, grow
from windflower.core.arrays import FloatArray
from windflower.errors import MotionError
from windflower.mechanics import Wood, wood_of
from windflower.mechanics.beams import beams_of
from windflower.mechanics.crown_drag import CYLINDER
from windflower.mechanics.medium import AIR
from windflower.mechanics.modes import Conditions
from windflower.mechanics.projection import wind_loads
from windflower.motion import Places, Touch
from windflower.motion.cantilever.cantilever_motion import CantileverMotion
from windflower.motion.cantilever.springs import flat_section, spring_constant
from windflower.motion.poses.pose import turns
from windflower.plant.detail import kept_nodes

OAK = wood_of("oak")


def wind(speed: float, direction: tuple[float, ...] = (1, 0, 0), count: int = 1, cells: int = 1) -> FloatArray:
    return np.broadcast_to(speed * np.array(direction, float), (count, cells, 3))


def stick(length: float = 2.0, radius: float = 0.01, direction: tuple[float, ...] = (0, 1, 0)) -> Plant:
    return chain(2, length, radius, direction)


def posed(motion: CantileverMotion, speed: float, direction: tuple[float, ...] = (1, 0, 0)) -> FloatArray:
    return motion.pose(motion.settled(Places(), wind(speed, direction, cells=motion.branches.cells)))[0]


def stiff(plant: Plant, **options: object) -> CantileverMotion:
    """Without oscillation and weight."""
    return CantileverMotion(plant, **{"wood": OAK, "swing": 0.0, "weight": False, **options})  # type: ignore[arg-type]


def test_the_flat_spring_of_a_cone_is_exactly_as_stiff_as_the_cone() -> None:
    rng = np.random.default_rng(1)
    plant = Plant(
        parent=[-1, 0, 0, 0], position=rng.normal(size=(4, 3)), radius=rng.uniform(0.01, 0.1, 4),
        base_radius=rng.uniform(0.01, 0.1, 4),
    )  # fmt: skip
    beams = beams_of(plant)
    under_load = np.linalg.inv(beams.bending_stiffness(OAK)[:, 2:, 2:])[:, 0, 0]
    width, thickness = flat_section(beams.base, beams.tip)
    assert spring_constant(OAK.E, width, thickness, beams.length) == pytest.approx(1 / under_load, rel=1e-12)


@pytest.mark.parametrize(("loads", "share"), [("own", 1.0), ("borne", 3 / 8)])
@pytest.mark.parametrize("speed", [3.0, 9.0])
def test_the_angle_of_one_segment_is_that_of_the_formula(loads: str, share: float, speed: float) -> None:
    """Drag spread over the segment bends it like 3/8 of it at the tip; the paper has all of it at the tip."""
    length, radius = 2.0, 0.01
    drag = AIR.density / 2 * CYLINDER * 2 * radius * length * speed**2
    side = (3 * pi) ** 0.25 * radius
    k = OAK.E * side * side**3 / (4 * length**3)
    motion = stiff(stick(length, radius), loads=loads)
    state = motion.settled(Places(), wind(speed))
    angle = asin(share * drag / k / length)
    assert motion.angles(state)[0, 1] == pytest.approx(angle, rel=1e-12)
    assert motion.pose(state)[0, 1] == pytest.approx([length * np.sin(angle), length * np.cos(angle), 0], abs=1e-12)


def test_the_pressure_oscillates_about_the_drag() -> None:
    """Θ = asin(P/kl) with P = F (1 + a sin(2πf t + b)), eq. 1 and 6; a grows with the bend."""
    plant = stick()
    frequency, swing = 0.5, 0.6
    moving = stiff(plant, swing=swing, frequency=frequency)
    still = stiff(plant)
    for speed in (4.0, 8.0):
        mean = np.sin(still.angles(still.settled(Places(), wind(speed)))[0, 1])
        a = swing * np.sqrt(mean / np.sin(np.radians(20)))
        times = np.arange(0, 2, 0.01)
        sine = [np.sin(moving.angles(moving.settled(Places(), wind(speed), time=t))[0, 1]) for t in times]
        beat = (np.array(sine) / mean - 1) / a
        b = np.arctan2(beat[0], beat[round(0.25 / frequency / 0.01)])
        assert beat == pytest.approx(np.sin(2 * pi * frequency * times + b), abs=1e-4)


def test_a_chain_accumulates_to_the_bend_of_a_beam() -> None:
    """Tip of a clamped beam under even drag: w L⁴/8EI, however many segments it has."""
    length, radius, speed = 2.0, 0.02, 5.0
    w = AIR.density / 2 * CYLINDER * 2 * radius * speed**2
    tip = w * length**4 / (8 * OAK.E * pi / 4 * radius**4)
    for nodes in (2, 3, 6, 40):
        plant = chain(nodes, length, radius)
        points = posed(stiff(plant), speed)
        assert points[-1, 0] == pytest.approx(tip, rel=1e-4)
        lean = np.degrees(np.arctan2(*np.diff(points[:, :2], axis=0).T))
        assert (np.diff(lean) > 0).all(), "every segment adds to what it inherits"


@pytest.mark.parametrize("name", ["fork", "two trees", "oak", "weeping-willow"])
@pytest.mark.parametrize("cells", [1, 4])
def test_in_a_light_wind_a_plant_bends_like_its_finite_elements(name: str, cells: int) -> None:
    plant = {"fork": fork, "two trees": two_trees}.get(name, lambda: grow(name, detail=0.05))()
    motion = CantileverMotion(plant, wood=OAK, cells=cells)
    system = Conditions(
        leaves=True, gravity=False, roots="clamped", medium="air",
        point_mass=np.zeros(plant.nodes), point_lift=np.zeros(plant.nodes),
    ).system(plant, OAK)  # fmt: skip
    loads = wind_loads(system, motion.crown.cell, cells)
    lean = system.displaced(loads.reshape(3 * cells, -1, 6))
    wanted = np.moveaxis(turns(plant, lean[..., :3]).reshape(cells, 3, -1, 3), 1, 3)
    total = motion.branches.wind.copy()
    for level in plant.levels[1:]:
        total[:, level] += total[:, plant.parent[level]]
    d = plant.vector / np.where(plant.length > 0, plant.length, 1)[:, None]
    across = total - d[:, :, None] * np.einsum("ni,cnik->cnk", d, total)[:, :, None]
    assert across == pytest.approx(wanted, abs=1e-9 * np.abs(wanted).max())


@pytest.mark.parametrize("loads", ["borne", "own"])
def test_a_hanging_segment_bends_with_the_wind_where_the_naive_sign_bends_against_it(loads: str) -> None:
    """Fig. 10. The naive way leans every segment by the same angle from its direction about the same axis."""
    standing, hanging = stick(), stick(direction=(0, -1, 0))
    up, down = (posed(stiff(one, loads=loads), 6.0)[1] for one in (standing, hanging))
    assert up[0] > 0.01
    assert down == pytest.approx([up[0], -up[1], 0], abs=1e-12)
    turn = np.arctan2(up[0], up[1])
    naive = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) @ hanging.position[1, :2]
    assert naive[0] == pytest.approx(-up[0])


def test_a_limp_shoot_hangs_along_wind_and_weight() -> None:
    """Without stiffness it is a chain: tan of its angle to the vertical is drag over weight."""
    limp = Wood(E=1e3, density=800)
    plant = chain(12, 1.0, 0.002, (0, -1, 0))
    drag = AIR.density / 2 * CYLINDER * 0.004 * 3.0**2
    weight = 800 * pi * 0.002**2 * 9.80665
    points = posed(CantileverMotion(plant, wood=limp, swing=0, limit=60), 3.0)
    assert points[-1, 0] / -points[-1, 1] == pytest.approx(drag / weight, rel=0.05)


def test_no_branch_turns_past_the_wind() -> None:
    """In any storm a long whip lies down along wind and weight, without a zigzag, and does not curl over."""
    plant = chain(60, 3.0, 0.004)
    weight = OAK.density * pi * 0.004**2 * 9.80665
    for speed in (30.0, 100.0, 1000.0, 1e5):
        points = posed(CantileverMotion(plant, wood=OAK, swing=0), speed)
        lean = np.degrees(np.arctan2(*np.diff(points[:, :2], axis=0).T))
        drag = AIR.density / 2 * CYLINDER * 0.008 * speed**2
        assert lean[-1] == pytest.approx(90 + np.degrees(np.arctan(weight / drag)), abs=0.5)
        assert (np.diff(lean) > -0.5).all()


any_wind = st.tuples(st.floats(0, 1e300), st.floats(-1, 1), st.floats(-1, 1), st.floats(-1, 1))


@settings(max_examples=40)
@given(
    plant=plants(),
    blowing=any_wind,
    limit=st.floats(1, 60),
    cells=st.integers(1, 4),
    noise=st.sampled_from([None, 1.5]),
)
def test_the_limit_holds_at_any_wind_and_lengths_stay(
    plant: Plant, blowing: tuple[float, ...], limit: float, cells: int, noise: float | None
) -> None:
    motion = CantileverMotion(plant, limit=limit, cells=min(cells, len(plant.segments)), noise=noise)
    where = places(3)
    state = motion.rest(where)
    for dt in (1 / 60, 0.5, 10.0):
        state = motion.step(state, wind(blowing[0], blowing[1:], 3, motion.branches.cells), dt)
        angles, points = motion.angles(state), motion.pose(state)
        assert np.isfinite(points).all()
        assert angles.max() <= np.radians(limit) * (1 + 1e-12)
        chord = np.linalg.norm(points - points[:, plant.parent], axis=-1)[:, plant.segments]
        assert chord == pytest.approx(np.broadcast_to(plant.length[plant.segments], chord.shape), rel=1e-9)


def test_a_storm_reaches_the_limit() -> None:
    motion = CantileverMotion(stick(radius=0.003), swing=0)
    assert np.degrees(motion.angles(motion.settled(Places(), wind(60)))[0, 1]) == pytest.approx(20)


@pytest.mark.parametrize("noise", [None, 1.0])
def test_calm_means_exactly_still(noise: float | None) -> None:
    plant = grow("weeping-willow", detail=0.05)
    motion = CantileverMotion(plant, noise=noise)
    state = motion.rest(places(3))
    first = motion.pose(state)
    assert np.abs(first - plant.position).max() < 1e-12
    for _ in range(5):
        state = motion.step(state, wind(0, count=3), 0.37)
        assert (motion.angles(state) == 0).all()
        assert (motion.pose(state) == first).all()


def test_yaw_turns_the_plant_scale_keeps_angles_and_stiffness_divides_them() -> None:
    plant = grow("oak", detail=0.03)
    motion = stiff(plant, inertia=False)
    where = Places(np.zeros((4, 3)), yaw=[0, 1.3, 0, 0], scale=[1, 1, 1.7, 1], stiffness=[1, 1, 1, 2])
    points = motion.pose(motion.settled(where, wind(2.0, (0.6, 0.1, -0.8), 4)))
    assert points[2] == pytest.approx(points[0], abs=1e-12)
    moved = points - plant.position
    assert moved[3] == pytest.approx(moved[0] / 2, abs=2e-3 * np.abs(moved[0]).max())
    turned = motion.pose(motion.settled(Places(), wind(2.0, tuple(where.turn[1].T @ (0.6, 0.1, -0.8)))))
    assert points[1] == pytest.approx(turned[0], abs=1e-12)


def test_a_pose_depends_on_wind_and_time_and_on_nothing_before() -> None:
    motion = CantileverMotion(grow("oak", detail=0.03), inertia=False)
    where, state = places(3), CantileverMotion(grow("oak", detail=0.03)).rest(places(3))
    for speed in (3.0, 30.0, 7.0):
        state = motion.step(state, wind(speed, count=3), 0.31)
    again = motion.settled(where, wind(7.0, count=3), time=0.93)
    assert motion.pose(state) == pytest.approx(motion.pose(again), abs=1e-9)
    late = motion.pose(replace(again, time=1e6 * 1024 + 0.93))
    assert late == pytest.approx(motion.pose(again), abs=1e-6), "however long the show has run"


def test_neighbours_and_branches_do_not_swing_in_unison() -> None:
    motion = CantileverMotion(grow("oak", detail=0.05))
    where, times = Places(np.zeros((2, 3))), np.arange(0, 20, 0.4)
    tips = motion.plant.tips
    path = np.stack(
        [motion.pose(motion.settled(where, wind(15, count=2), time=t))[:, tips, 0] for t in times]
    )  # (times, 2, tips)
    beats = path - path.mean(axis=0)
    assert beats.std(axis=0).max() > 1e-3
    flat = np.concatenate([beats[:, 0, :12], beats[:, 1, :12]], axis=1)
    correlation = np.corrcoef(flat.T)
    assert np.median(np.abs(correlation[np.triu_indices(24, 1)])) < 0.5


def test_thick_axes_follow_the_wind_more_slowly() -> None:
    plant = grow("quaking-aspen", detail=0.1)
    motion = CantileverMotion(plant, swing=0)
    state = motion.rest()
    bands = []
    for _ in range(600):
        state = motion.step(state, wind(8.0), 1 / 60)
        bands.append(state.lean[0, :, 0, 0] / state.push[0, 0, 0])
    within = np.abs(np.array(bands) - 1) < 0.05
    settled = [600 - int(np.argmax(~within[::-1, band])) for band in range(3)]
    assert settled[0] > 2 * settled[1] > 2 * settled[2]
    assert motion.branches.band[plant.order == 0].max() == 0, "the trunk is the slowest"
    assert motion.pose(state) == pytest.approx(motion.pose(motion.settled(Places(), wind(8.0))), abs=1e-3)


def test_an_axis_swings_near_its_frequency() -> None:
    """3.516/2π √(EI/ρAL⁴) of a beam."""
    radius, length = 0.02, 3.0
    motion = CantileverMotion(chain(30, length, radius), wood=OAK, weight=False)
    wanted = 3.516 / (2 * pi) * np.sqrt(OAK.E * radius**2 / 4 / OAK.density / length**4)
    assert motion.branches.frequency[-1] == pytest.approx(wanted, rel=0.05)


def test_a_coarse_level_shows_the_same_bend() -> None:
    plant = grow("oak", detail=0.2)
    motion = CantileverMotion(plant, swing=0)
    node = kept_nodes(plant, 60)
    state = motion.settled(Places(), wind(8.0))
    full, few = motion.pose(state)[0, node], motion.on_nodes(node).pose(state)[0]
    moved = np.abs(full - plant.position[node]).max()
    assert moved > 0.03
    assert np.abs(full - few).max() < 0.05 * moved


def test_noise_of_segments_is_that_of_their_axis_and_repeats_nothing_after_a_period() -> None:
    """Segments in unison beat together; alone, they have the noise of their axis at phases of their own."""
    times = np.arange(0, 120, 0.5)

    def beats(unison: float) -> FloatArray:
        motion = CantileverMotion(chain(4, 3.0, 0.02), noise=1.0, frequency=0.5, unison=unison)
        still = motion.rest()
        later = [*times, *(times + 1024)]
        return np.stack([motion._beat(replace(still, time=float(t)), slice(None))[1:, 0] for t in later])

    together, alone = beats(1.0), beats(0.0)
    assert (together == together[:, :1]).all()
    assert 0.3 < (alone**2).mean() < 0.7
    assert np.abs(np.asarray(np.corrcoef(alone.T))[np.triu_indices(alone.shape[1], 1)]).max() < 0.999
    assert np.abs(np.asarray(np.corrcoef(together[:, 0].reshape(2, -1)))[0, 1]) < 0.3


def test_what_cannot_be_is_refused() -> None:
    plant = fork()
    for bad, words in (
        ({"limit": 0}, "up to 60 degrees"),
        ({"limit": np.nan}, "up to 60 degrees"),
        ({"swing": 2}, "between 0 and 1"),
        ({"frequency": -1}, "50 Hz"),
        ({"noise": 9}, "exponent"),
        ({"unison": 3}, "unison"),
        ({"loads": "all"}, "borne, own"),
        ({"loads": "own", "cells": 2}, "Leave it 1"),
    ):
        with pytest.raises(MotionError, match=words):
            CantileverMotion(plant, **bad)
    motion = CantileverMotion(plant)
    with pytest.raises(MotionError, match="cannot be touched"):
        motion.step(motion.rest(), wind(3), 0.1, touch=Touch(node=2))
    with pytest.raises(MotionError, match="one velocity for each probe"):
        motion.step(motion.rest(), np.zeros((2, 1, 3)), 0.1)
