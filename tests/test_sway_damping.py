"""The damping that a sway shows is the wood's and the air's: let go in still air, in a steady wind, and in gusts."""

from functools import cache

import numpy as np
import pytest

from tests.fitted_trees import ROOTS, WOOD, gusty_sway, topped_stem
from windflower.core.arrays import FloatArray
from windflower.mechanics import Modes, analyse
from windflower.mechanics.identify import modal_identification
from windflower.motion import ModalMotion, Places
from windflower.wind import Steady, Turbulence

STEP = 0.1


@cache
def modes() -> Modes:
    return analyse(topped_stem(), count=2, wood=WOOD, roots=ROOTS, cache=False)


def let_go(speed: float) -> FloatArray:
    """(times,) the first mode after a lean of 2 m/s more than the wind, along x."""
    motion, air = ModalMotion(modes(), speed=speed), Steady(speed=speed).velocity(modes().cell_centre, 0.0)[None]
    state, path = motion.settled(Places(), air + np.array([2.0, 0, 0])), []
    rest = motion.settled(Places(), air).amount[0] @ motion.shapes[:, -1, 0]
    for _ in range(400):
        state = motion.step(state, air, STEP)
        path.append(float(state.amount[0] @ motion.shapes[:, -1, 0] - rest))
    return np.array(path)


@pytest.mark.parametrize("speed", [0.0, 8.0])
def test_what_is_let_go_decays_by_the_damping_of_wood_and_air(speed: float) -> None:
    swing = let_go(speed)
    turns = np.flatnonzero((swing[1:-1] > swing[:-2]) & (swing[1:-1] > swing[2:])) + 1
    decrement = np.log(swing[turns[0]] / swing[turns[4]]) / 4
    wanted = float(modes().damping[0] + modes().air_damping(speed)[0])
    assert decrement / np.hypot(2 * np.pi, decrement) == pytest.approx(wanted, rel=0.05)


def test_a_long_record_has_a_wave_in_every_line_of_its_spectrum() -> None:
    wind = Turbulence(speed=8.0)
    frequency = wind.resolving(1200.0, 0.3).frequency
    near = frequency[(frequency > 0.28) & (frequency < 0.32)]
    assert np.diff(near).mean() < 1 / 1200
    assert wind.resolving(60.0, 0.3) is wind


@pytest.mark.slow
def test_damping_of_twenty_minutes_of_gusts_is_that_of_wood_and_air() -> None:
    found, errors, wanted = [], [], 0.0
    for seed in range(1, 7):
        record = gusty_sway(seed)
        wanted = float(modes().damping[0] + modes().air_damping(record.speed)[0])
        for signal in (record.along, record.across):
            one = modal_identification(record.time, signal)
            found.append(one.damping)
            errors.append(one.damping_error)
    off = (np.array(found) - wanted) / errors
    assert np.mean(found) == pytest.approx(wanted, rel=0.15)
    assert np.sqrt(np.mean(off**2)) < 1.6
