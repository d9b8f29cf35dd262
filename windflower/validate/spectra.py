"""Winds and the sway of plants against their spectra."""

import math
from collections.abc import Iterator

import numpy as np
from scipy.integrate import quad
from scipy.signal import csd, welch

from windflower.core.arrays import FloatArray
from windflower.mechanics import analyse
from windflower.motion import SpectralMotion
from windflower.motion.oscillator import advance, exact_step
from windflower.plant.growth import grow
from windflower.validate import Check, compared, within
from windflower.wind import Profile, Turbulence
from windflower.wind.spectra import SPECTRA, Spectrum

__all__ = ["check_spectra"]

SPEED, RATE = 8.0, 20.0  # m/s, Hz
SEEDS, LOOPS = 8, 120  # winds and loops over which spectra are averaged


def check_spectra() -> Iterator[Check]:
    """Variance, slope and coherence of turbulence; the sway's spectrum, its rms and its seam."""
    yield from (_variance(name) for name in SPECTRA)
    yield _inertial_slope()
    yield _coherence()
    modes, wind = analyse(grow("walnut", seed=1, detail=0.03), count=12, cells=2, cache=False), Turbulence(speed=6.0)
    motion = SpectralMotion(modes, period=30.0, wind=wind)
    yield _resonances(motion)
    yield _stepped(SpectralMotion(modes, period=30.0, wind=wind, lines="printed"))
    yield _seam(motion)


def _variance(name: str) -> Check:
    formula, sigma = SPECTRA[name](9.0, 1.7), 1.7
    return compared(f"{name} spectrum, ∫S df", _area(formula), sigma**2, 4e-3, "σ²")


def _area(formula: Spectrum) -> float:
    """∫ S df along the wind, on a logarithmic axis."""
    ends = math.log(1e-13), math.log(1e13)
    return float(quad(lambda x: math.exp(x) * formula.density(np.exp([x]))[0, 0], *ends, limit=400)[0])


def _inertial_slope() -> Check:
    times = np.arange(0, 1200, 1 / RATE)
    felt = [Turbulence(speed=SPEED, seed=seed).velocity([0.0, 10.0, 0.0], times)[:, 0] for seed in range(SEEDS)]
    frequency, density = welch(np.stack(felt), RATE, nperseg=8192)
    inside, edges = (frequency > 0.8) & (frequency < 6.0), np.geomspace(0.8, 6.0, 11)
    band = np.digitize(frequency[inside], edges)
    means = [
        (frequency[inside][band == b].mean(), density.mean(axis=0)[inside][band == b].mean()) for b in range(1, 11)
    ]
    log_f, log_s = np.log(means).T
    slope = np.polyfit(log_f, log_s, 1)[0]
    return compared("turbulence, slope of the inertial range", slope, -5 / 3, 0.06, "Kolmogorov")


def _coherence() -> Check:
    """Two points 5 m apart across the wind, averaged over winds and a band of frequencies."""
    distance, decay, band = 5.0, 10.0, (0.1, 0.3)
    places, times = np.array([[0.0, 20.0, 0.0], [0.0, 20.0, distance]]), np.arange(0, 1000, 1 / RATE)
    shared = alone = 0.0
    for seed in range(2 * SEEDS):
        wind = Turbulence(speed=SPEED, decay=decay, seed=seed, profile=Profile(law="uniform"))
        here, there = wind.velocity(places[:, None], times)[..., 0]
        frequency, cross = csd(here, there, RATE, nperseg=2048)
        inside = (frequency > band[0]) & (frequency < band[1])
        power = np.sqrt(welch(here, RATE, nperseg=2048)[1] * welch(there, RATE, nperseg=2048)[1])[inside]
        shared += cross.real[inside].sum()
        alone += power.sum()
        model = np.exp(-decay * frequency[inside] * distance / SPEED) @ power / power.sum()
    return within("turbulence, coherence 5 m apart", shared / alone - model, 0.12, "Davenport, exp(-c f d/U)")


def _resonances(motion: SpectralMotion) -> Check:
    """Power around ten resonances, over many loops, beside |H|² S of the modal forces in the bins of the lines."""
    f, modes = motion.loop.frequency, motion.modes
    density = np.mean([motion.again(seed).loop.density for seed in range(LOOPS)], axis=0)
    forces = np.einsum("pii->pi", motion.cross_spectrum.matrix).real / 2 * motion.period
    omega = 2 * math.pi * (f[:, None, None] + (np.arange(20)[:, None] - 9.5) / 20 / motion.period)
    answers = np.abs(1 / (modes.omega**2 - omega**2 + 1j * motion.damping * omega)) ** 2
    said = answers.mean(axis=1) * forces[:, : len(modes)]
    near = np.abs(f[:, None] - modes.frequency[:10]) < 0.3
    found, theory = ((power[:, :10] * near).sum(axis=0) for power in (density, said))
    return compared(f"sway around 10 resonances, {LOOPS} loops", found, theory, 0.1, "|H|² S")


def _stepped(motion: SpectralMotion) -> Check:
    """The modal forces at the lines, stepped in time by exact oscillators until only the loop is left."""
    count, table = len(motion.modes), motion.forces.table(8 * motion.loop.samples)[:, : len(motion.modes)]
    step = exact_step(motion.modes.omega, motion.damping, motion.period / len(table))
    q, rate = motion.loop.at(0.0)[:count], np.zeros(count)
    path: FloatArray = np.empty(table.shape)
    for _ in range(2):
        for k in range(len(table)):
            q, rate = advance(step, q, rate, table[k], table[(k + 1) % len(table)])
            path[k] = q
    return compared("rms of 12 modes, stepped in time", path.std(axis=0), motion.loop.rms[:count], 0.02, "the loop")


def _seam(motion: SpectralMotion) -> Check:
    jump = motion.at(motion.period) - motion.at(0.0)
    return within("seam of a loop, m", float(np.abs(jump).max()), 1e-9, "T-periodic")
