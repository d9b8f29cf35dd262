"""The three motions of every leaf."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from tests.stands import places
from windflower import Leaves, Plant, grow, species_names
from windflower.core.arrays import FloatArray
from windflower.errors import MotionError
from windflower.mechanics import Modes, analyse
from windflower.motion import ModalMotion, Places
from windflower.motion.leaves.flutter import Flutter, flutter_of
from windflower.motion.leaves.leaf_motion import LeafMotion, mean_leaf_angles
from windflower.wind import Wind, beaufort_speed


def one_leaf(count: int = 1) -> Plant:
    """Upright leaves at the tip of a stick, their upper side to +z: their own frame is the plant's."""
    same = np.ones(count)
    leaves = Leaves(node=np.ones(count, int), place=same, orientation=np.eye(4)[[3] * count], size=0.1 * same)
    return Plant(parent=[-1, 0], position=[[0, 0, 0], [0, 1, 0]], radius=[0.01, 0.01], leaves=leaves)


def moving(flutter: Flutter, speed: float, times: FloatArray, leaves: int = 1) -> FloatArray:
    """(times, leaves, 3) in a wind of this speed at the leaf, along it."""
    motion = LeafMotion.of(one_leaf(leaves), flutter=flutter)
    return np.stack([motion.angles(Places(), [[0, speed / motion.exposure[0], 0]], t)[0] for t in times])


def test_angles_are_beats_of_the_largest_angles_and_the_twist_follows_aside() -> None:
    """Θ = W N(t), with N a sine whose phase wanders, of one frequency half way up; Θ_R = W_R N_R + a Θ_H."""
    flutter = Flutter(horizontal=20, vertical=30, twist=40, follow=0.0, onset=1, full=3, lean=0, frequency=1.0)
    times, half = np.arange(0, 16, 1 / 32), 2.0
    angles = moving(flutter, half, times)[:, 0]
    for angle, largest in zip(angles.T, (20, 30, 40), strict=True):
        assert 0.7 * largest < np.degrees(np.abs(angle).max()) <= 0.75 * largest
        spectrum = np.abs(np.fft.rfft(angle * np.hanning(len(times))))
        assert 0.5 < np.argmax(spectrum) / 16 < 2, "near its frequency"
        assert (spectrum**2)[np.argmax(spectrum) - 8 : np.argmax(spectrum) + 9].sum() > 0.95 * (spectrum**2).sum()
    following = moving(replace(flutter, follow=0.7), half, times)[:, 0]
    assert following[:, 2] == pytest.approx(angles[:, 2] + 0.7 * angles[:, 0])


@pytest.mark.parametrize("noise", [None, 1.0, 2.0])
def test_no_angle_passes_its_largest_and_calm_is_exactly_still(noise: float | None) -> None:
    flutter = Flutter(follow=0.0, noise=noise)
    times = np.arange(0, 12, 0.1)
    largest = np.radians([flutter.horizontal, flutter.vertical, flutter.twist])
    storm = np.abs(moving(flutter, 1e9, times, leaves=50)).max(axis=(0, 1))
    assert (storm <= largest).all()
    assert (storm > 0.5 * largest * [1 - flutter.lean, 1 - flutter.lean, 1]).all()
    assert (moving(flutter, 0.0, times) == 0).all()
    assert (moving(flutter, 0.9 * flutter.onset, times) == 0).all()


def test_stronger_wind_moves_leaves_further_and_faster() -> None:
    times, flutter = np.arange(0, 20, 0.03), Flutter(lean=0.0)
    far, fast = [], []
    for speed in (1.0, 3.0, 6.0, 12.0):
        angles = moving(flutter, speed, times, leaves=20)
        far.append(angles.std())
        fast.append(np.diff(angles, axis=0).std() / angles.std())
    assert (np.diff(far) > 0).all()
    assert (np.diff(fast) > 0).all()


def test_leaves_are_blown_to_the_lee() -> None:
    flutter = Flutter(lean=1.0, follow=0.0)
    motion, points = LeafMotion.of(one_leaf(), flutter=flutter), one_leaf().position[None]
    for wind in ([8.0, 0, 0], [-8.0, 0, 0], [0, 0, 8.0], [0, 0, -8.0]):
        tip = motion.tips(points, motion.angles(Places(), [wind], 3.0))[0, 0] - [0, 1.1, 0]
        assert tip @ wind > 0.01 * 8
        assert np.linalg.norm(np.cross(tip * [1, 0, 1], wind)) < 1e-9


def test_mean_angles_are_those_about_which_leaves_flutter() -> None:
    motion = LeafMotion.of(one_leaf(200), flutter=Flutter(lean=0.5))
    air = np.array([3.0, 1.0, -4.0])
    angles = np.stack([motion.angles(Places(), [air], t)[0] for t in np.arange(0, 9, 0.3)])
    mean = mean_leaf_angles(motion.flutter, air * motion.exposure[0])
    assert np.abs(angles.mean(axis=(0, 1)) - mean).max() < 0.01
    assert np.abs(mean).min() > 0.02


def test_aspen_leaves_tremble_in_less_wind_than_others_and_needles_hardly_move() -> None:
    far = {}
    for name in ("quaking-aspen", "oak", "spruce"):
        motion = LeafMotion.of(grow(name, detail=0.05))
        far[name] = np.std([motion.shimmer(Places(), [[1.5, 0, 0]], t) for t in np.arange(0, 5, 0.3)])
    assert far["quaking-aspen"] > 1.7 * far["oak"] > 5 * far["spruce"]


def test_aspen_flutter_grows_from_nothing_at_beaufort_1_to_full_at_6_at_2_to_8_hz() -> None:
    motion, rate = LeafMotion.of(grow("quaking-aspen", detail=0.05)), 32
    times, far = np.arange(0, 6, 1 / rate), []
    for force in range(8):
        air = [[beaufort_speed(force), 0, 0]]
        twist = np.stack([motion.shimmer(Places(), air, t)[0, ::8] for t in times])
        twist = twist - twist.mean(axis=0)
        far.append(np.degrees(twist.std()))
        power = (np.abs(np.fft.rfft(twist * np.hanning(len(times))[:, None], axis=0)) ** 2).sum(axis=1)
        frequency = np.fft.rfftfreq(len(times), 1 / rate)
        if force:
            assert power[(frequency >= 2) & (frequency <= 8)].sum() > 0.95 * power.sum(), f"force {force}"
    assert far[0] == 0
    assert 1 < far[1] < 6
    assert far[3] < 0.65 * far[7], "in a breeze it has far to go"
    assert far[6] > 0.95 * far[7]
    assert (np.diff(far[:7]) > 1).all()


def test_every_species_has_leaves_that_move_or_none() -> None:
    for name in species_names():
        plant = grow(name, detail=0.02)
        assert isinstance(flutter_of(plant), Flutter)
        motion = LeafMotion.of(plant)
        angles = motion.angles(Places(), [[20.0, 0, 0]], 1.0)
        assert angles.shape == (1, len(plant.leaves), 3)
        assert not len(plant.leaves) or np.abs(angles).max() > 0


def test_orientations_are_the_three_turns_carried_by_the_segment() -> None:
    plant = grow("oak", detail=0.03)
    motion, rng = LeafMotion.of(plant), np.random.default_rng(2)
    points = plant.position + 0.02 * rng.normal(size=(2, plant.nodes, 3))
    angles = rng.uniform(-1, 1, (2, len(motion), 3))
    found = motion.orientations(points, angles)
    for leaf in (0, 7, 31):
        node = plant.leaves.node[leaf]
        chord, posed = plant.vector[node], points[1, node] - points[1, plant.parent[node]]
        axis = np.cross(chord, posed)
        turn = np.arctan2(np.linalg.norm(axis), chord @ posed)
        carried = Rotation.from_rotvec(axis / np.linalg.norm(axis) * turn)
        own = Rotation.from_euler("ZXY", angles[1, leaf])
        wanted = carried * Rotation.from_quat(plant.leaves.orientation[leaf]) * own
        assert (Rotation.from_quat(found[1, leaf]).inv() * wanted).magnitude() < 1e-9
    assert np.linalg.norm(motion.tips(points, angles) - motion.feet(points), axis=-1) == pytest.approx(
        np.tile(plant.leaves.size, (2, 1))
    )


def test_the_wind_may_be_given_at_every_leaf_and_turns_with_the_plant() -> None:
    motion, where = LeafMotion.of(grow("oak", detail=0.03)), places(3)
    air = np.random.default_rng(1).normal(size=(3, 3)) * 5
    same = np.broadcast_to(air[:, None], (3, len(motion), 3))
    assert motion.angles(where, air, 2.0) == pytest.approx(motion.angles(where, same, 2.0), rel=0, abs=1e-12)
    turned = np.einsum("nji,nj->ni", where.turn, air)
    assert motion.angles(where, air, 2.0) == pytest.approx(motion.angles(Places(np.zeros((3, 3))), turned, 2.0))
    with pytest.raises(MotionError, match="one wind for each"):
        motion.angles(where, np.zeros((2, 3)), 0.0)
    with pytest.raises(MotionError, match="finite"):
        motion.angles(where, np.full((3, 3), np.inf), 0.0)


@settings(max_examples=30)
@given(speed=st.floats(0, 100), t=st.floats(-1e4, 1e6))
def test_angles_are_a_function_of_wind_and_time(speed: float, t: float) -> None:
    """Asked in any order, for some instances or all."""
    motion, where = LeafMotion.of(one_leaf(5)), places(4)
    air = np.tile([speed, 0.0, 1.0], (4, 1))
    angles = motion.angles(where, air, t)
    some = np.array([2, 0])
    part = Places(where.position[some], yaw=where.yaw[some])
    assert (motion.angles(part, air[some], t, instances=some) == angles[some]).all()
    assert np.isfinite(angles).all()


def test_a_card_that_stands_for_many_leaves_moves_its_edge_no_further_than_they_do() -> None:
    motion = LeafMotion.of(grow("quaking-aspen", detail=0.05))
    own, size = 0.06, motion.plant.leaves.size
    angles, shimmer = (f(Places(), [[4.0, 0, 0]], 1.0)[0] for f in (motion.angles, motion.shimmer))
    assert (size > own).all()
    assert np.abs(angles[:, 2]) * size == pytest.approx(np.abs(shimmer) * own)


def test_far_crowns_shimmer_as_strongly_as_their_leaves_turn() -> None:
    motion, speeds = LeafMotion.of(grow("quaking-aspen", detail=0.05)), np.array([0.0, 1.5, 4.0, 9.0])
    vars(motion)["exposure"] = np.ones(len(motion))
    directions = np.random.default_rng(3).normal(size=(40, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    for speed, wanted in zip(speeds, motion.flutter.shimmer(speeds), strict=True):
        seen = motion.shimmer(Places(np.zeros((40, 3))), directions * speed, 3.0)
        assert np.sqrt((seen**2).mean()) == pytest.approx(wanted, rel=0.05)


@pytest.mark.parametrize(
    "bad",
    [
        {"horizontal": 100},
        {"onset": 5, "full": 4},
        {"frequency": 0},
        {"rise": 9},
        {"lean": 2},
        {"noise": -1},
        {"twist": np.nan},
    ],
)
def test_flutter_that_cannot_be_is_refused(bad: dict[str, float]) -> None:
    with pytest.raises(MotionError):
        Flutter(**bad)


@cache
def modes_of(species: str) -> Modes:
    return analyse(grow(species, detail=0.4), cache=False)


def moved(species: str, wind: Wind) -> dict[str, float]:
    """Rms of the way from the mean place, m: of leaf tips (median), of the bole's top, and of the crown's top."""
    modes, dt = modes_of(species), 1 / 30
    plant, leaves = modes.plant, LeafMotion.of(modes.plant)
    motion = ModalMotion(modes, speed=float(np.linalg.norm(wind.mean)))
    times = np.arange(-120, 300) * dt
    air = wind.velocity(motion.probes(Places())[0], times[:, None])
    state, seen = motion.settled(Places(), air[:1]), []
    sides = np.flatnonzero((plant.order == 1) & ~plant.continues & (plant.parent >= 0))
    bole, top = int(plant.parent[sides].min()), int(np.argmax(plant.position[:, 1]))
    for t, now in zip(times, air, strict=True):
        state = motion.step(state, now[None], dt)
        if t >= 0 and round(t / dt) % 3 == 0:
            points = motion.pose(state)
            tips = leaves.tips(points, leaves.angles(Places(), now.mean(axis=0)[None], float(t)))
            seen.append(np.concatenate([tips[0, ::5], points[0, [bole, top]]]))
    way = np.array(seen) - seen[0]
    rms = np.sqrt(((way - way.mean(axis=0)) ** 2).sum(axis=-1).mean(axis=0))
    return {"tips": float(np.median(rms[:-2])), "bole": float(rms[-2]), "top": float(rms[-1])}


@pytest.mark.parametrize("species", ["quaking-aspen", pytest.param("oak", marks=pytest.mark.slow)])
def test_in_beaufort_2_leaves_rustle_and_the_trunk_stands(species: str) -> None:
    """In the middle of the force, 2.4 m/s, over three winds; the trunk's top is where its crown begins."""
    found = [moved(species, Wind.beaufort(2, seed=seed)) for seed in (1, 2, 3)]
    rms = {part: float(np.sqrt(np.mean([one[part] ** 2 for one in found]))) for part in ("tips", "bole")}
    assert rms["tips"] >= 0.005
    assert rms["bole"] < 0.002
    assert rms["bole"] < 0.2 * rms["tips"]


@pytest.mark.parametrize("species", ["quaking-aspen", "oak"])
def test_in_beaufort_7_whole_trees_are_in_motion(species: str) -> None:
    assert moved(species, Wind.beaufort(7, seed=1))["top"] >= 0.05


def test_in_a_calm_nothing_moves_at_all() -> None:
    assert moved("oak", Wind.beaufort(0)) == {"tips": 0.0, "bole": 0.0, "top": 0.0}
