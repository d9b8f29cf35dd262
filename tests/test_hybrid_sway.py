"""Branches of one tree that answer the wind each in its own time, and go on as if someone had always watched them."""

from functools import cache

import numpy as np
import pytest

from tests.hybrids import grove
from windflower import Plant, grow
from windflower.core.arrays import FloatArray
from windflower.motion import HybridMotion, Places, Touch
from windflower.motion.hybrid.branch_sway import Turning
from windflower.plant.block import joined
from windflower.wind import ForcePrimitive, ForceWind, Steady, Wind

WIND = ForceWind(ForcePrimitive(path=((0, 0, 0),), radius=60, strength=(5, 0, 1), frequency=0.6))


@cache
def tree(species: str) -> Plant:
    return grow(species, seed=3, detail=0.08)


def swayed(motion: HybridMotion, wind: Wind, seconds: float, dt: float = 1 / 20) -> FloatArray:
    """(steps, axes) the angle of the last joint of each axis along its main direction, rad."""
    places, probes = Places(), motion.probes(Places())
    state = motion.begin(places, wind.velocity(probes, 0.0), 0.0)
    last = np.array([nodes[-1] for nodes in motion.plant.axes()])
    angles = []
    for step in range(1, round(seconds / dt)):
        state = motion.step(state, wind.velocity(probes, step * dt), dt)
        angles.append(motion.angles(state)[0, last])
    away = np.array(angles) - np.mean(angles, axis=0)
    main = [np.linalg.svd(away[:, axis], full_matrices=False)[2][0] for axis in range(away.shape[1])]
    return np.einsum("tai,ai->ta", away, np.array(main))


def limbs(motion: HybridMotion) -> FloatArray:
    return np.array([motion.plant.order[nodes[-1]] == 1 for nodes in motion.plant.axes()])


def correlations(sway: FloatArray) -> FloatArray:
    matrix = np.abs(np.corrcoef(sway.T))
    return matrix[np.triu_indices(len(matrix), 1)]


@pytest.mark.parametrize("species", ["silver-birch", "oak", "hazel-bush"])
def test_limbs_of_one_tree_move_together_but_not_as_one(species: str) -> None:
    motion = HybridMotion(tree(species))
    found = correlations(swayed(motion, WIND, 60.0)[:, limbs(motion)])
    low, middle, high = np.percentile(found, [10, 50, 90])
    assert 0.3 < low < middle < high < 0.9
    as_printed = HybridMotion(tree(species), timing="printed", probe="tree")
    assert correlations(swayed(as_printed, WIND, 6.0)[:, limbs(as_printed)]).min() > 0.99


def test_each_axis_swings_with_the_frequency_that_a_hand_finds() -> None:
    """A lone upright rod of one axis, let go: the felt wind overshoots with the rod's own period."""
    plant = tree("oak")
    motion = HybridMotion(plant)
    hertz = motion.sway.omega / (2 * np.pi)
    assert 0.2 < hertz[0] < 1.5, "the trunk"
    assert np.median(hertz[limbs(motion)]) > 1.5 * hertz[0], "its limbs are quicker"
    assert len(np.unique(hertz.round(6))) > 0.9 * len(hertz)
    alone = Plant(parent=[-1, 0], position=np.array([[0, 0, 0], [0, 2.0, 0]]), radius=[0.03, 0.03])
    lone = HybridMotion(alone)
    spring, inertia = lone.physics.bodies.spring[1], lone.physics.bodies.moment[1]
    np.testing.assert_allclose(lone.sway.omega, np.sqrt(spring / inertia))
    assert len(HybridMotion(alone, stiffness=4.0).sway.omega) == 1
    np.testing.assert_allclose(HybridMotion(alone, stiffness=4.0).sway.omega, 2 * lone.sway.omega)


def test_in_a_steady_wind_without_eddies_branches_come_to_where_the_print_has_them() -> None:
    plant = tree("hazel-bush")
    own, printed = HybridMotion(plant, eddies=0.0), HybridMotion(plant, timing="printed")
    air = Steady(speed=6.0).velocity(own.probes(Places()), 0.0)
    wanted = printed.angles(printed.step(printed.rest(), air, 0.0))
    state = own.rest()
    for _ in range(200):
        state = own.step(state, air, 0.1)
    np.testing.assert_allclose(own.angles(state), wanted, atol=1e-6)
    np.testing.assert_allclose(own.angles(own.begin(Places(), air, 3.0)), wanted, atol=1e-12)


def test_the_same_tree_moves_the_same_whatever_stands_beside_it() -> None:
    plants = [grow("hazel-bush", seed=seed, detail=0.05) for seed in range(3)]
    places = np.array([[0.0, 0, 0], [7, 0, 1], [14, 0, 0]])
    together, alone = HybridMotion(joined(plants, places)), HybridMotion(joined(plants[1:2], places[1:2]))
    states = [motion.begin(Places(), WIND.velocity(motion.probes(Places()), 0.0), 0.0) for motion in (together, alone)]
    for step in range(1, 40):
        states = [
            motion.step(state, WIND.velocity(motion.probes(Places()), step / 20), 1 / 20)
            for motion, state in zip((together, alone), states, strict=True)
        ]
    mine = together.pose(states[0])[0, together.plant.tree == 1]
    np.testing.assert_allclose(mine, alone.pose(states[1])[0], atol=1e-9)


def test_hands_and_wind_go_together_and_memory_is_freed() -> None:
    motion = HybridMotion(grove())
    probes, state = motion.probes(Places()), motion.rest()
    node = int(motion.plant.tips[4])
    for step in range(260):
        hand = Touch(node=node, target=motion.plant.position[node] + [0.4, 0, 0]) if step < 60 else None
        state = motion.step(state, WIND.velocity(probes, step / 60), 1 / 60, touch=hand)
    assert len(state.physical) == 0
    assert np.isfinite(motion.pose(state)).all()


def test_waves_that_are_turned_on_step_by_step_are_sines_of_the_time() -> None:
    rng = np.random.default_rng(4)
    omega, phase, size = rng.uniform(1, 20, (2, 50)), rng.uniform(0, 6, (2, 50)), rng.uniform(0, 1, (2, 50))
    turning, time = Turning(omega, phase, size), 3.0
    for number in range(400):
        time = 0.2 if number == 250 else time + (1 / 60 if number % 90 else 0.1)
        assert np.abs(turning.at(time).imag - size * np.sin(omega * time + phase)).max() < 1e-9
