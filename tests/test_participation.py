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
    best, lowest = (analyse(oak(), count=COUNT, chosen=chosen, cache=False) for chosen in ("wind", "lowest"))
    assert len(best) == len(lowest) == COUNT
    assert held(best) > 1.25 * held(lowest)
    for modes in (best, lowest):
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
    best, lowest = (analyse(oak(), count=COUNT, chosen=chosen, cache=False) for chosen in ("wind", "lowest"))
    frequency = 0.25 * best.frequency[0]
    error = lean_error(best, frequency)
    assert error < 0.8 * lean_error(lowest, frequency)
    for factor in (0.7, 0.85, 1.2, 1.5):  # no other frequency of the static vectors does better
        assert error < lean_error(replace(best, static_frequency=factor * best.static_frequency), frequency)


def test_the_lowest_modes_are_there_by_name() -> None:
    modes = analyse(oak(), count=COUNT, chosen="lowest", cache=False)
    more = analyse(oak(), count=COUNT + 1, chosen="lowest", cache=False)
    assert modes.static_frequency == pytest.approx(more.frequency[-1])
    with pytest.raises(MechanicsError, match="wind, lowest"):
        analyse(oak(), chosen="loudest", cache=False)


def shares_by_cell(modes: Modes) -> FloatArray:
    return np.square(modes.projection).sum(axis=(0, 2)) / modes.omega**2


def test_cells_that_feel_different_gusts_count_too() -> None:
    """A mode in which two sides of the crown move against one another has no work in a wind over all of it."""
    plant = oak()
    one, many = (analyse(plant, count=COUNT, cells=cells, cache=False) for cells in (1, 6))
    same = analyse(plant, count=60, cells=6, chosen="lowest", cache=False)
    by_cell = shares_by_cell(same)
    assert by_cell[many.number - 1].sum() > by_cell[one.number - 1].sum()
