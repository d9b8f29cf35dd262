"""A tree that sheds while it runs sways as the bare one in the end, in NumPy and on the device."""

from functools import cache
from typing import Any

import numpy as np
import pytest

from tests.stands import DT
from windflower import Plant, grow
from windflower.core.arrays import FloatArray
from windflower.core.device import Gpu
from windflower.mechanics import Modes, analyse
from windflower.motion import LeafMotion, ModalMotion, ModalState, Places, Season, Shedding, SpectralMotion
from windflower.motion.leaves.foliage import Foliage
from windflower.motion.looped.looped_motion import LoopedMotion
from windflower.motion.stand import Stand
from windflower.scene import SceneSettings, build
from windflower.scene.scene import with_leaves
from windflower.simulation import DeviceSimulation, Simulation
from windflower.simulation.device_stand import DeviceStand
from windflower.simulation.numpy_stand import NumpyStand
from windflower.wind import Steady

STORM = 20.0
EVERY = 3  # steps between two looks
BACKENDS = ("numpy", "device")


@cache
def aspen() -> Plant:
    return grow("quaking-aspen", seed=1, detail=0.06)


@cache
def modes(share: float = 1.0) -> Modes:
    return analyse(aspen(), count=12, cells=3, leaves=share, cache=False)


def stand_of(rate: float, season: str | float = "autumn", places: Places | None = None) -> Stand:
    leaves = LeafMotion.of(aspen())
    day = Season.of(aspen(), season)
    shedding = Shedding(leaves, season=day, rate=rate) if rate else None
    foliage = Foliage(leaves, day, shedding)
    return Stand("aspen", 0, ModalMotion(modes(), pose="linear"), places or Places(), foliage=foliage)


def on(backend: str, gpu: Gpu, stand: Stand, speed: float) -> Any:
    wind = Steady(speed=speed, direction=270.0)
    return NumpyStand(stand, wind, 0.0, DT) if backend == "numpy" else DeviceStand(gpu, stand, wind, 0.0, DT)


def state_of(moved: Any) -> ModalState:
    state = moved.state if isinstance(moved, NumpyStand) else moved.twin.kernels.read_state()
    assert isinstance(state, ModalState)
    return state


def advanced(moved: Any, speed: float, first: int, steps: int, every: int = 0) -> FloatArray:
    """Take steps; where the first instance's last node is after every so many of them, m."""
    wind, paths = Steady(speed=speed, direction=270.0), []
    for step in range(first, first + steps, every or steps):
        moved.advance(wind, DT * np.arange(step + 1, step + 1 + (every or steps)), None)
        paths.append(moved.points(np.array([0]))[0, -1])
    return np.array(paths)


def frequency_of(path: FloatArray) -> float:
    """Hz, of a swing about 0 that dies away, by the times at which it passes 0."""
    passed = np.flatnonzero(path[:-1] * path[1:] <= 0)
    at = passed + path[passed] / (path[passed] - path[passed + 1])
    return float((len(at) - 1) / (at[-1] - at[0]) / (2 * EVERY * DT))


@pytest.mark.parametrize("backend", BACKENDS)
def test_an_aspen_that_sheds_while_it_runs_ends_with_the_bare_one_s_frequency(gpu: Gpu, backend: str) -> None:
    moved = on(backend, gpu, stand_of(rate=50.0), STORM)
    assert moved.stand.motion.modes.frequency[0] == pytest.approx(modes().frequency[0])
    advanced(moved, STORM, 0, 60)
    bare = modes(0.0)
    assert moved.stand.motion.share == 0
    np.testing.assert_allclose(moved.stand.motion.modes.frequency, bare.frequency, rtol=1e-6)
    swing = advanced(moved, 0.0, 60, 240, EVERY)[10:, 0] - aspen().position[-1, 0]  # in a calm it swings freely
    damped = bare.frequency[0] * np.sqrt(1 - bare.damping[0] ** 2)
    assert frequency_of(swing) == pytest.approx(damped, rel=0.01)
    assert modes().frequency[0] < 0.95 * bare.frequency[0]


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_gale_pushes_a_tree_that_has_shed_as_it_pushes_the_bare_one(gpu: Gpu, backend: str) -> None:
    moved = on(backend, gpu, stand_of(rate=50.0), STORM)
    advanced(moved, STORM, 0, 60)
    advanced(moved, STORM, 60, 1)
    bare = ModalMotion(modes(0.0), pose="linear")
    wind = Steady(speed=STORM, direction=270.0)
    wanted = bare.settled(Places(), wind.velocity(bare.probes(Places()), 0.0))
    state = state_of(moved)
    np.testing.assert_allclose(state.push, wanted.push, atol=1e-4 * np.abs(wanted.push).max())
    pairs = ((bare, wanted), (moved.stand.motion, state))
    own, found = (np.abs(np.einsum("cmk,nck->nm", motion.modes.projection, one.push)) for motion, one in pairs)
    np.testing.assert_allclose(found, own, atol=1e-4 * own.max())
    assert own[0].max() < 0.8 * in_leaf_force()


def in_leaf_force() -> float:
    motion = ModalMotion(modes())
    state = motion.settled(Places(), Steady(speed=STORM, direction=270.0).velocity(motion.probes(Places()), 0.0))
    return float(np.abs(np.einsum("cmk,nck->nm", modes().projection, state.push)).max())


def test_plants_do_not_jump_when_leaves_go() -> None:
    whole = motion = ModalMotion(modes(), pose="linear")
    air = np.broadcast_to([12.0, 0.0, 3.0], (1, 3, 3))
    for step in range(15, -1, -1):
        state = motion.settled(Places(), air)
        state = type(state)(**{**vars(state), "rate": 2 * np.sin(np.arange(12.0))[None] * state.q})
        after = whole.with_leaves(step / 16)
        now = after.continued(state, motion)
        leaning = np.linalg.norm(motion.pose(state) - aspen().position)
        assert np.linalg.norm(after.pose(now) - motion.pose(state)) < 0.05 * leaning
        before, speed = (
            np.tensordot(one.amount_rate[0], moved.shapes[..., :3], 1) for one, moved in ((state, motion), (now, after))
        )
        assert np.linalg.norm(speed - before) < 0.2 * np.linalg.norm(before)
        motion = after


def motion_in(season: str | float) -> ModalMotion:
    motion = NumpyStand(stand_of(0.0, season), Steady(speed=3.0), 0.0, DT).stand.motion
    assert isinstance(motion, ModalMotion)
    return motion


def test_in_winter_a_scene_sways_bare_trees_and_in_spring_partly_unfolded_ones() -> None:
    for season, share in (("summer", 1.0), ("winter", 0.0)):
        assert motion_in(season).share == share
    spring = motion_in(112.0)
    assert 0 < spring.share < 1
    assert modes().frequency[0] < spring.modes.frequency[0] < modes(0.0).frequency[0]


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_scene_that_turns_to_winter_goes_on_with_bare_trees(gpu: Gpu, backend: str) -> None:
    table = {"plant": "quaking-aspen", "detail": 0.06, "motion": {"kind": "modal", "modes": 6, "cells": 2}}
    summer, winter = (
        build(SceneSettings.model_validate({"season": season, "stands": [table], "wind": {"speed": 8}}))
        for season in ("summer", "winter")
    )
    simulation = Simulation(summer) if backend == "numpy" else DeviceSimulation(summer, gpu)
    simulation.advance(0.5)
    before = simulation.pose()
    simulation.change(with_leaves(summer, winter.settings))
    assert simulation.stands[0].stand.motion.share == 0  # type: ignore[attr-defined]
    moved = np.linalg.norm(simulation.pose() - before, axis=-1)
    assert np.sqrt(np.mean(moved**2)) < 0.05  # all leaves at once: twigs do spring back
    simulation.advance(1.0)


def test_a_motion_that_cannot_weigh_leaves_keeps_them() -> None:
    scene = build(
        SceneSettings.model_validate(
            {
                "season": "winter",
                "stands": [{"plant": "quaking-aspen", "detail": 0.06, "motion": "cantilever"}],
            }
        )
    )
    stand = scene.stands[0]
    assert stand.bearing(0.0) is stand


@pytest.mark.parametrize("kind", ["spectral", "loop"])
def test_a_loop_in_winter_is_that_of_the_bare_tree(kind: str) -> None:
    motion: Any = SpectralMotion(modes(), period=4.0, speed=6.0)
    if kind == "loop":
        motion = LoopedMotion(ModalMotion(modes()), Steady(speed=6.0), period=1.0)
    assert motion.with_leaves(0.7) is motion
    bare = motion.with_leaves(0.0)
    assert bare is motion.with_leaves(0.2)
    first: Any = bare.of if isinstance(bare, LoopedMotion) else bare
    assert first.modes.frequency[0] == pytest.approx(modes(0.0).frequency[0])
