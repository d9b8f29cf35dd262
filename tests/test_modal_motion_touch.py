"""Hands on a modal plant: forces, holds and letting go."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import ArrayLike
from scipy.integrate import solve_bvp
from scipy.signal import find_peaks, periodogram

from tests.plants import chain
from windflower import Plant, grow, read
from windflower.core.arrays import FloatArray
from windflower.errors import MotionError
from windflower.mechanics import Modes, Wood, analyse
from windflower.motion import ModalMotion, ModalState, Places, Touch

CALM = np.zeros((1, 1, 3))


@cache
def modes_of_tree() -> Modes:
    return analyse(grow("walnut", seed=1, detail=0.3), cache=False)


@pytest.fixture(scope="module")
def walnut(shared_data: Path) -> Modes:
    return analyse(read(shared_data / "walnut" / "noylum2.mtg"), wood="walnut", leaves=False, cache=False)


def twigs(plant: Plant) -> list[int]:
    """Tips of slender twigs: the last axis is at least 25 cm long and thinner than 2 cm."""
    first = {int(nodes[-1]): nodes for nodes in plant.axes()}
    return [
        tip
        for tip, nodes in first.items()
        if plant.order[tip] >= 2 and plant.length[nodes].sum() > 0.25 and plant.base_radius[nodes[0]] < 0.015
    ]


def trunk_top(plant: Plant) -> int:
    trunk = np.flatnonzero(plant.order == 0)
    return int(trunk[np.argmax(plant.position[trunk, 1])])


def held(motion: ModalMotion, state: ModalState, touch: Touch, seconds: float, dt: float = 1 / 60) -> ModalState:
    for _ in range(round(seconds / dt)):
        state = motion.step(state, np.zeros((len(state), motion.modes.cells, 3)), dt, touch=touch)
    return state


def across(plant: Plant, node: int) -> FloatArray:
    """A unit vector across the segment of this node, level."""
    sideways = np.cross(plant.vector[node], (0.0, 1.0, 0.0))
    return sideways / np.linalg.norm(sideways)


def test_a_steady_force_bends_the_plant_as_the_whole_stiffness_says() -> None:
    modes = modes_of_tree()
    motion, node = ModalMotion(modes, pose="linear"), twigs(modes.plant)[3]
    force = np.array([0.3, -0.2, 0.1])
    state = held(motion, motion.rest(), Touch(node=node, force=force), 3e4, 1e4)
    expected = np.tensordot(force, modes.compliance(node)[0, ..., :3], 1)
    moved = motion.pose(state)[0] - modes.plant.position
    np.testing.assert_allclose(moved, expected, atol=1e-9 * np.abs(expected).max())
    np.testing.assert_allclose(state.grips.force, [force])


def test_a_force_at_a_poles_tip_asks_its_root_for_force_times_length() -> None:
    modes = analyse(chain(6, length=2.0, radius=0.02), wood=Wood(E=1e10, density=700), gravity=False, cache=False)
    motion = ModalMotion(modes)
    state = held(motion, motion.rest(), Touch(node=5, force=(1.5, 0, 0)), 3e4, 1e4)
    strain = motion.strain(state)
    np.testing.assert_allclose(strain.root_moment[0, 0], [0, 0, 1.5 * 2.0], rtol=1e-5, atol=1e-9)  # it leans a little
    expected = 1.5 * 2.0 * 0.02 / (1e10 * np.pi / 4 * 0.02**4)
    assert strain.fibre[0, 1] == pytest.approx(expected, rel=1e-5)


def test_a_hand_on_a_larger_stiffer_turned_instance_pushes_in_newtons_and_world_directions() -> None:
    modes = modes_of_tree()
    motion, node = ModalMotion(modes, pose="linear"), twigs(modes.plant)[0]
    places = Places(np.zeros((2, 3)), yaw=[0.0, np.pi / 2], scale=[1.0, 2.0], stiffness=[1.0, 3.0])
    touch = Touch(instance=[1], node=[node], force=[[0.5, 0, 0]])
    state = held(motion, motion.rest(places), touch, 3e4, 1e4)
    world = places.to_world(motion.pose(state)) - places.to_world(modes.plant.position)
    np.testing.assert_array_equal(world[0], 0)
    own = np.tensordot([0, 0, 0.5], modes.compliance(node)[0, ..., :3], 1)  # the world's x is its own z
    np.testing.assert_allclose(world[1], own[:, [2, 1, 0]] * (1, 1, -1) / 2 / 3, atol=1e-9 * np.abs(own).max())


@pytest.mark.slow
def test_pulling_twigs_of_the_walnut_moves_them_and_not_the_trunk(walnut: Modes) -> None:
    plant, motion, top = walnut.plant, ModalMotion(walnut), trunk_top(walnut.plant)
    all_twigs = twigs(plant)
    assert len(all_twigs) > 50
    for tip in all_twigs[:: len(all_twigs) // 5]:
        pull = 0.1 * across(plant, tip)
        state = held(motion, motion.rest(), Touch(node=tip, target=plant.position[tip] + pull), 1.0)
        moved = motion.pose(state)[0] - plant.position
        assert moved[tip] @ pull / 0.1 >= 0.05
        assert np.linalg.norm(moved[top]) < 0.005


def test_a_released_twig_of_the_walnut_rings_at_the_plants_modes(walnut: Modes) -> None:
    plant, motion, dt = walnut.plant, ModalMotion(walnut, pose="linear"), 1 / 30
    tip = twigs(plant)[10]
    touch = Touch(node=tip, target=plant.position[tip] + 0.1 * across(plant, tip))
    state = held(motion, motion.rest(), touch, 1.5)
    path = []
    for step in range(round(60 / dt)):
        state = motion.step(state, CALM, dt)
        if step * dt > 2:  # the hand's own share has faded
            path.append(walnut.shape[:, tip, :3].T @ state.q[0])
    assert len(state.grips) == 0
    frequency, power = periodogram(np.array(path), 1 / dt, window="hann", axis=0)
    total = power.sum(axis=1)
    peaks, _ = find_peaks(total, height=total.max() / 10)
    assert len(peaks)
    apart = np.abs(frequency[peaks][:, None] - walnut.frequency).min(axis=1)
    assert apart.max() < 2 * frequency[1]


def test_a_held_node_follows_its_hand_and_is_near_it_in_the_end() -> None:
    modes = modes_of_tree()
    motion, tip = ModalMotion(modes), twigs(modes.plant)[5]
    target = modes.plant.position[tip] + 0.08 * across(modes.plant, tip)
    touch = Touch(node=tip, target=target, grip=1e4)
    state, last = motion.rest(), 0.08
    for _ in range(60):
        state = held(motion, state, touch, 1 / 60)
        away = float(np.linalg.norm(motion.pose(state)[0, tip] - target))
        assert away < last * 1.05 + 1e-4
        last = away
    assert last < 0.004


@settings(max_examples=25)
@given(st.floats(1e-3, 1.0), st.floats(0, 1e6), st.floats(0.01, 0.5), st.integers(0, 10**6), st.floats(0.1, 10))
def test_a_hand_is_stable_for_any_grip_and_step(dt: float, grip: float, lag: float, pick: int, scale: float) -> None:
    modes = modes_of_tree()
    motion, plant = ModalMotion(modes, pose="linear"), modes.plant
    node = int(plant.segments[pick % len(plant.segments)])
    places = Places([[1.0, 2, 3]], yaw=1.0, scale=scale)
    at = places.to_world(plant.position)[0, node] + 0.2 * scale
    state = motion.rest(places)
    away = []
    for _ in range(60):
        state = motion.step(state, CALM, dt, touch=Touch(node=node, target=at, grip=grip, lag=lag))
        away.append(np.linalg.norm(places.to_world(motion.pose(state))[0, node] - at) / scale)
    assert max(away) < 2 * 0.2 * np.sqrt(3)
    assert max(away[-10:]) <= max(away[:10]) * (1 + 1e-9)


@settings(max_examples=25)
@given(st.floats(1e-3, 1.0), st.floats(0.1, 1e4), st.floats(0, 0.5), st.integers(0, 2**32 - 1))
def test_a_still_hand_takes_energy_and_never_gives_any(dt: float, grip: float, lag: float, seed: int) -> None:
    modes = modes_of_tree()
    motion, rng = ModalMotion(modes, pose="linear"), np.random.default_rng(seed)
    node = int(rng.choice(modes.plant.segments))
    away = rng.normal(size=3) * 0.1
    touch = Touch(node=node, target=modes.plant.position[node] + away, grip=grip, lag=lag)
    own = 2 * np.pi * modes.static_frequency
    residual = modes.compliance(node, residual=True)[0, :, node, :3]
    whole = np.trace(modes.compliance(node)[0, :, node, :3])

    def energy(state: ModalState) -> float:
        """Of the modes, of the node's own residual, and of the hand's spring."""
        pull, rate = (state.grips.pull[0], state.grips.rate[0]) if len(state.grips) else np.zeros((2, 3))
        moved = modes.shape[:, node, :3].T @ state.q[0] + residual @ pull
        modal = (state.rate**2 + (modes.omega * state.q) ** 2).sum()
        return float(
            modal
            + rate @ residual @ rate / own**2
            + pull @ residual @ pull
            + grip * 3 / whole * ((away - moved) ** 2).sum()
        )

    state = replace(motion.rest(), q=rng.normal(size=(1, len(modes))) * 0.1)
    before = energy(state)
    for _ in range(10):
        state = motion.step(state, CALM, dt, touch=touch)
        assert energy(state) <= before * (1 + 1e-9)
        before = energy(state)


def test_two_hands_hold_two_nodes_at_once() -> None:
    modes = modes_of_tree()
    motion, nodes = ModalMotion(modes, pose="linear"), twigs(modes.plant)[:2]
    target = modes.plant.position[nodes] + [[0.05, 0, 0], [0, 0, 0.04]]
    state = held(motion, motion.rest(), Touch(node=nodes, target=target, grip=1e6), 4.0)
    np.testing.assert_allclose(motion.pose(state)[0, nodes], target, atol=2e-4)


def test_letting_go_leaves_no_trace_in_other_instances_and_fades_without_a_jump() -> None:
    modes = modes_of_tree()
    motion, tip = ModalMotion(modes), twigs(modes.plant)[2]
    places = Places([[0.0, 0, 0], [9.0, 0, 0]])
    touch = Touch(instance=1, node=tip, target=places.to_world(modes.plant.position)[1, tip] + 0.1)
    state = held(motion, motion.rest(places), touch, 1.0)
    last, jumps = motion.pose(state), []
    for _ in range(360):
        state = motion.step(state, np.zeros((2, 1, 3)), 1 / 120)
        now = motion.pose(state)
        jumps.append(np.abs(now - last).max())
        last = now
    assert len(state.grips) == 0
    assert max(jumps) < 0.02
    np.testing.assert_allclose(last[0], modes.plant.position, atol=1e-12)


def test_a_held_plant_goes_on_swaying_in_the_wind() -> None:
    modes = modes_of_tree()
    motion, tip = ModalMotion(modes), twigs(modes.plant)[2]
    touch = Touch(node=tip, target=modes.plant.position[tip], grip=100.0)
    air = np.array([[[9.0, 0, 0]]])
    free = held_state = motion.rest()
    for _ in range(120):
        free = motion.step(free, air, 1 / 60)
        held_state = motion.step(held_state, air, 1 / 60, touch=touch)
    moved = [np.linalg.norm(motion.pose(state)[0] - modes.plant.position, axis=1) for state in (free, held_state)]
    assert moved[1][tip] < 0.2 * moved[0][tip]
    assert np.median(moved[1]) > 0.5 * np.median(moved[0])
    assert motion.strain(held_state).fibre.shape == (1, modes.plant.nodes)
    assert held_state.grips.force[0, 0] < 0  # against the wind


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"node": 3, "instance": 1}, "a hand holds one of the 1 instances"),
        ({"node": 10**6}, "a node that can move"),
        ({"node": 0}, "a node that can move"),
        ({"node": -1}, "a node that can move"),
        ({"node": 2.5}, "the node of a hand is a whole number"),
        ({"node": 3, "force": (1, 2)}, r"the force of a hand has the shape \(1, 3\)"),
        ({"node": 3, "force": (np.nan, 0, 0)}, "the force of a hand must be finite"),
        ({"node": 3, "target": (0, 0, 0), "grip": -1}, "numbers from 0 up"),
        ({"node": [3, 3], "force": (1, 0, 0)}, "one hand at a time"),
    ],
)
def test_a_hand_that_cannot_be_says_why(options: dict[str, ArrayLike], said: str) -> None:
    motion = ModalMotion(modes_of_tree())
    with pytest.raises(MotionError, match=said):
        motion.step(motion.rest(), CALM, 0.1, touch=Touch(**options))


def test_touch_leaves_the_state_it_was_given_alone() -> None:
    motion = ModalMotion(modes_of_tree())
    state = replace(motion.rest(), q=np.ones((1, len(motion.modes))))
    motion.step(state, CALM, 0.1, touch=Touch(node=5, force=(1, 0, 0)))
    np.testing.assert_array_equal(state.q, 1)
    assert len(state.grips) == 0


def elastica_tip(force: float, stiffness: float, length: float) -> FloatArray:
    """(2,) how far a cantilever's tip lies aside and along under a dead force across it: EI θ'' = -F cos θ."""
    s = np.linspace(0, length, 201)
    found = solve_bvp(
        lambda _, y: np.stack([y[1], -force * np.cos(y[0]) / stiffness, np.sin(y[0]), np.cos(y[0])]),
        lambda base, tip: np.array([base[0], tip[1], base[2], base[3]]),
        s,
        np.zeros((4, 201)),
        tol=1e-8,
    )
    return np.asarray(found.y[2:, -1])


@pytest.mark.parametrize("count", [4, 20])
def test_a_hand_bends_a_pole_as_an_elastica_however_far(count: int) -> None:
    """A force of 3 EI/L², by which small turns would carry the tip aside by the whole length of the pole."""
    plant, wood = chain(41, length=10.0, radius=0.1), Wood(E=1e9, density=600.0, damping=0.7)
    modes = analyse(plant, count=count, wood=wood, leaves=False, gravity=False, roots="clamped", cache=False)
    motion, stiffness = ModalMotion(modes), 1e9 * np.pi / 4 * 0.1**4
    force = 3 * stiffness / 100
    state = held(motion, motion.rest(), Touch(node=40, force=(force, 0, 0)), 12.0, 0.05)
    tip = motion.pose(state)[0, 40]
    aside, along = elastica_tip(force, stiffness, 10.0)
    assert 0.55 < aside / 10 < 0.65
    assert np.linalg.norm(tip - (aside, along, 0)) < 0.02 * 10
