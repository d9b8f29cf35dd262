"""The statistics of turbulence, pooled over seeds, and of a tree's mode in it, against a Gaussian process."""

import math
from collections.abc import Iterator

import numpy as np
from scipy.signal import csd

from windflower.core.arrays import FloatArray
from windflower.validate import Check, compared, within
from windflower.wind import Turbulence
from windflower.wind.turbulence import sum_of_waves

__all__ = ["check_turbulence"]

SPEED = 8.0  # m/s
SEEDS, HOUR, RATE, WINDOW = 20, 3600.0, 4.0, 200.0  # records, s, Hz, s
MODE, DAMPING, RECORD = 0.3, 0.02, 600.0  # Hz, share of critical, s: a tree's first mode


def check_turbulence() -> Iterator[Check]:
    """Coherence and correlation of components; the sway of a pole; scatter and kurtosis of a lightly damped mode."""
    winds = [Turbulence(speed=SPEED, seed=seed) for seed in range(SEEDS)]
    times = np.arange(0, HOUR, 1 / RATE)
    felt = np.stack([wind.velocity([0.0, 10.0, 0.0], times) for wind in winds])  # (seeds, times, 3), x along the wind
    yield within("turbulence, coherence of u and v", _coherence(felt[..., 0], felt[..., 2]), 0.1, "independent: 1/20")
    shear = np.mean([np.corrcoef(one[:, 0], one[:, 1])[0, 1] for one in felt])
    yield within("turbulence, correlation of u and w + 0.3", float(shear) + 0.3, 0.1, "surface layer: -0.2 to -0.4")
    sway = np.stack([_response(wind, times) for wind in winds])
    yield within("round pole, coherence along and across", _coherence(sway[..., 0], sway[..., 1]), 0.15, "independent")
    yield from _linear_mode()


def _coherence(one: FloatArray, other: FloatArray) -> float:
    """Magnitude-squared coherence of records (seeds, times), spectra pooled over seeds, its mean from 0.01 to 1 Hz."""
    spectra = [
        np.mean([csd(a, b, RATE, nperseg=round(WINDOW * RATE))[1] for a, b in zip(first, second, strict=True)], axis=0)
        for first, second in ((one, other), (one, one), (other, other))
    ]
    frequency = np.fft.rfftfreq(round(WINDOW * RATE), 1 / RATE)
    inside = (frequency > 0.01) & (frequency < 1.0)
    return float((np.abs(spectra[0]) ** 2 / (spectra[1] * spectra[2]).real)[inside].mean())


def _response(wind: Turbulence, times: FloatArray) -> FloatArray:
    """(times, 2) how a linear mode sways along and across the wind, wave by wave."""
    ratio = wind.frequency / MODE
    transfer = 1 / (1 - ratio**2 + 2j * DAMPING * ratio)
    near = np.abs(np.log(ratio)) < math.log(3)
    places = np.stack([times, 0 * times, 0 * times])
    turns = np.stack([wind.frequency[near], *np.zeros((2, int(near.sum())))], axis=-1)
    return sum_of_waves(turns, (wind.phasor[near, :2] * transfer[near, None]).T, places).T


def _linear_mode(records: int = 400) -> Iterator[Check]:
    """The variance of a record of ten minutes from seed to seed, and the kurtosis of all records together."""
    times = np.arange(0, RECORD, 1 / RATE)
    sway = np.stack([_response(Turbulence(speed=SPEED, seed=seed), times)[:, 0] for seed in range(records)])
    variance = sway.var(axis=1)
    omega = 2 * math.pi * MODE
    gaussian = math.sqrt(1 / (DAMPING * omega * RECORD))  # from R(τ) = σ² exp(-ζωτ) cos ωτ
    scatter = float(variance.std() / variance.mean()) / gaussian
    yield within("mode of 0.3 Hz, 2 %: scatter of its variance", scatter, 1.3, "Gaussian process: 1; at most 1.3")
    centred = sway - sway.mean(axis=1, keepdims=True)
    kurtosis = float((centred**4).mean() / (centred**2).mean() ** 2)
    yield compared("the same, kurtosis of all records", kurtosis, 3.0, 0.1 / 3, "Gaussian process")
