"""Modes are chosen by the work that the wind does on them, and what is left out follows as it would."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse.linalg import splu

from windflower import Plant, grow
from windflower.core.arrays import FloatArray
from windflower.errors import MechanicsError
from windflower.mechanics import Modes, analyse
from windflower.mechanics.projection import wind_loads
from windflower.motion import ModalMotion, Places
from windflower.wind.turbulence import Turbulence

COUNT = 12


def oak() -> Plant:
    return grow("oak", seed=1, detail=0.1)


def held(modes: Modes) -> float:
    """Share of the static work of level winds over the crown that the modes hold, against K⁻¹ of the whole plant."""
    system = modes.conditions.system(modes.plant, modes.wood)
    loads = wind_loads(system, modes.cell, modes.cells).sum(axis=0)[[0, 2]]
    flat = system.gather(loads)
    whole = float((flat * system.factor.solve(flat)).sum())
    by_modes = np.einsum("knj,mnj->km", loads, modes.shape) / modes.omega
    return float((by_modes**2).sum()) / whole


def lean_error(modes: Modes, frequency: float) -> float:
    """How far the plant's swing in a level wind of this frequency is off, without damping, rms over the nodes."""
    system = modes.conditions.system(modes.plant, modes.wood)
    square = (2 * np.pi * frequency) ** 2
    loads = wind_loads(system, modes.cell, modes.cells).sum(axis=0)[[0]]
    dynamic = (system.stiffness - square * system.mass).tocsc()
    exact = system.spread(splu(dynamic).solve(system.gather(loads)))[0, :, :3]
    amount = np.einsum("knj,mnj->m", loads, modes.shape) / (modes.omega**2 - square)
    follow = 1 / (1 - square / (2 * np.pi * modes.static_frequency) ** 2)
    found = np.einsum("m,mnj->nj", amount, modes.shape[..., :3]) + follow * modes.static.sum(axis=0)[0, :, :3]
    return float(np.linalg.norm(found - exact) / np.linalg.norm(exact))


def test_the_same_number_of_modes_holds_more_of_the_wind_s_work() -> None:
    best, sway, lowest = (
        analyse(oak(), count=COUNT, chosen=chosen, cache=False) for chosen in ("work", None, "lowest")
    )
    assert len(best) == len(sway) == len(lowest) == COUNT
    assert held(best) > 1.5 * held(lowest)
    assert held(sway) > 1.2 * held(lowest)
    for modes in (best, sway, lowest):
        assert modes.work.sum() == pytest.approx(held(modes), rel=1e-6)


def test_the_modes_kept_are_true_ones_and_say_which() -> None:
    best, every = (
        analyse(oak(), count=count, chosen=how, cache=False) for count, how in ((COUNT, None), (60, "lowest"))
    )
    assert list(best.number[:2]) == [1, 2]
    assert (np.diff(best.number) > 0).all()
    assert best.number[-1] > COUNT
    np.testing.assert_allclose(best.frequency, every.frequency[best.number - 1], rtol=1e-6)
    assert list(every.number) == list(range(1, 61))


def test_what_is_left_out_follows_a_slow_wind_as_it_would() -> None:
    best = analyse(oak(), count=COUNT, chosen="work", cache=False)
    frequency = 0.25 * best.frequency[0]
    error = lean_error(best, frequency)
    assert error < 0.02
    for factor in (0.3, 0.5, 2.0, 4.0):  # no frequency of the static vectors far from theirs does better
        assert error < lean_error(replace(best, static_frequency=factor * best.static_frequency), frequency)


def test_the_lowest_modes_are_there_by_name() -> None:
    modes = analyse(oak(), count=COUNT, chosen="lowest", cache=False)
    more = analyse(oak(), count=COUNT + 1, chosen="lowest", cache=False)
    assert modes.static_frequency == pytest.approx(more.frequency[-1])
    with pytest.raises(MechanicsError, match="sway, work, lowest"):
        analyse(oak(), chosen="loudest", cache=False)


def ring(modes: Modes, air: FloatArray, dt: float) -> FloatArray:
    """(steps, nodes · 3) m, in winds (steps, cells, 3)."""
    motion = ModalMotion(modes, pose="linear", speed=8.0)
    state, amounts = motion.settled(Places(), air[:1]), []
    for now in air[:, None]:
        state = motion.step(state, now, dt)
        amounts.append(state.amount[0])
    return np.asarray(np.array(amounts) @ motion.shapes[..., :3].reshape(len(motion.shapes), -1))


def test_modes_that_sway_most_follow_a_gusty_wind_better_than_the_lowest() -> None:
    plant, dt = grow("walnut", seed=1, detail=0.05), 1 / 20
    every = analyse(plant, count=120, cells=2, chosen="lowest", cache=False)
    wind = Turbulence(speed=8.0, seed=3)
    air = np.stack([wind.velocity(every.cell_centre, step * dt) for step in range(300)])
    exact = ring(every, air, dt)
    sway, lowest = (
        float(np.linalg.norm(ring(analyse(plant, count=10, cells=2, chosen=chosen, cache=False), air, dt) - exact))
        for chosen in ("sway", "lowest")
    )
    assert sway < 0.97 * lowest
