"""How strongly modes are shaken by a wind that is felt in a few cells, against the same wind felt by every branch."""

from collections.abc import Iterator

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.mechanics import Modes, analyse
from windflower.motion import ModalMotion, Places
from windflower.motion.oscillator import advance, exact_step
from windflower.plant.growth import grow
from windflower.validate import Check, compared
from windflower.wind import Steady, Sum, Turbulence, wind_axes
from windflower.wind.gusty import eddies_of

__all__ = ["by_branches", "by_cells", "check_admittance", "resonance_power", "velocities", "whole_winds"]

SPEED, PERIOD, RATE, SEEDS = 8.0, 60.0, 20.0, 8  # m/s, s, Hz
LEAD = 10.0  # s that go before, for the first moment to be forgotten
BAND = 0.15  # share of a mode's frequency on both sides
TOGETHER = 200  # branches whose wind is summed at once
CASES = (("silver-birch", 1), ("silver-birch", 4), ("spruce", 4))


def check_admittance() -> Iterator[Check]:
    """The power of the first two modes in their resonance: one sways along the wind, the other across it."""
    winds = whole_winds(SEEDS)
    for species, cells in CASES:
        modes = analyse(grow(species, detail=0.05), count=6, cells=cells, cache=False)
        motion = ModalMotion.in_wind(modes, winds[0])
        found, expected = (resonance_power(modes, amount(motion, winds)) for amount in (by_cells, by_branches))
        title = f"{species}, {cells} cell{'s' * (cells > 1)}: power at resonance, mode"
        for mode in range(2):
            yield compared(f"{title} {mode + 1}", found[mode], expected[mode], 0.3, "wind at every branch")


def whole_winds(seeds: int, direction: float = 270.0) -> list[Sum]:
    """Mean winds with turbulence in which every multiple of 1/PERIOD has its wave."""
    mean = Steady(speed=SPEED, direction=direction)
    eddies = {"speed": SPEED, "direction": direction, "loop": PERIOD, "waves": 100_000}
    return [Sum((mean, Turbulence(seed=seed, **eddies))) for seed in range(seeds)]  # type: ignore[arg-type]


def resonance_power(modes: Modes, amount: FloatArray) -> FloatArray:
    """(modes,) power of amounts (times, winds, modes) of one period, each in the band about its mode's frequency."""
    power = np.abs(np.fft.rfft(amount, axis=0)) ** 2
    frequency = np.fft.rfftfreq(len(amount), 1 / RATE)[:, None]
    inside = np.abs(frequency / modes.frequency - 1) < BAND
    return np.asarray((power.sum(axis=1) * inside).sum(axis=0))


def by_cells(motion: ModalMotion, winds: list[Sum]) -> FloatArray:
    """(times, winds, modes) amounts in one period by the motion itself, one instance in each wind."""
    places = Places(np.zeros((len(winds), 3)))
    air = np.moveaxis(np.stack([velocities(wind, motion.modes.cell_centre) for wind in winds]), 2, 0)
    lead = round(LEAD * RATE)
    state, path = motion.settled(places, air[-lead]), []
    for now in np.concatenate([air[1 - lead :], air]):
        state = motion.step(state, now, 1 / RATE)
        path.append(state.q)
    return np.stack(path[-len(air) :])


def by_branches(motion: ModalMotion, winds: list[Sum]) -> FloatArray:
    """(times, winds, modes) amounts in one period under drag as it is at every segment, behind its cell's shelter."""
    modes, lead = motion.modes, round(LEAD * RATE)
    force = np.stack([_forces(modes, wind) for wind in winds], axis=1)
    step = exact_step(modes.omega, motion.damping, 1 / RATE)
    before = force[-lead]
    q, rate, path = before / modes.omega**2, np.zeros(before.shape), []
    for after in np.concatenate([force[1 - lead :], force]):
        q, rate = advance(step, q, rate, before, after)
        before = after
        path.append(q)
    return np.stack(path[-len(force) :])


def _forces(modes: Modes, wind: Sum) -> FloatArray:
    """(times, modes) modal forces."""
    segments = modes.plant.segments
    middle = (modes.plant.position - modes.plant.vector / 2)[segments]
    reaching = modes.shelter(wind.mean)[modes.cell[segments]]
    total = np.zeros((round(PERIOD * RATE), len(modes)))
    for first in range(0, len(segments), TOGETHER):
        some = slice(first, first + TOGETHER)
        felt = velocities(wind, middle[some]) * reaching[some, None, None]
        speed = np.linalg.norm(felt, axis=-1)
        felt *= (modes.streamlined(speed) * speed)[..., None]
        total += np.einsum("ktx,mkx->tm", felt, modes.branch_projection[:, some], optimize=True)
    return total


def velocities(wind: Sum, points: FloatArray) -> FloatArray:
    """(points, times, 3) velocities in one period of a whole wind, m/s: `wind.velocity`, by Fourier transforms."""
    mean, eddies = wind.parts[0], eddies_of(wind)
    assert eddies is not None
    axes, count = wind_axes(eddies.direction), round(PERIOD * RATE)
    waves = np.exp(2j * np.pi * (eddies.turns[:, 1:] @ points.T % 1.0)).T * eddies.phasor.T[:, None]
    waves *= eddies.profile.eddies(points).T[..., None]
    line = np.rint(eddies.frequency * PERIOD).astype(np.int64)
    series = np.zeros((3, len(points), count // 2 + 1), np.complex128)
    below = line < count // 2
    series[..., line[below]] = waves[..., below] * (count / 2)
    flow = np.moveaxis(np.fft.irfft(series, count, axis=-1), 0, -1) @ axes
    return np.asarray(flow + mean.velocity(points, 0.0)[:, None])
