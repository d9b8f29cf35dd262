"""Natural frequency and damping are found again in signals of known oscillators."""

import numpy as np
import pytest

from tests.sampled import sampled
from windflower.core.arrays import FloatArray
from windflower.errors import MechanicsError
from windflower.mechanics.identify import modal_identification, power_spectrum, random_decrement, spectral_peaks

STEP = 0.05


def forced(
    frequency: float, damping: float, *, seed: int, gusty: bool = True, seconds: float = 1200.0, felt: float = 1.0
) -> FloatArray:
    """An oscillator under random forces: of even power, or of a wind's that falls as f^-5/3.

    felt  what is left of the force at the oscillator's own frequency, as if by a band of twice critical damping
    """
    rng, count = np.random.default_rng(seed), round(seconds / STEP)
    f = np.fft.rfftfreq(2 * count, STEP)
    force = rng.normal(size=(len(f), 2)) @ np.array([1, 1j]) * ((1 + f / 0.03) ** (-5 / 6) if gusty else 1.0)
    force = force * (1 + (felt - 1) / (1 + 0.25j * (f / frequency - frequency / np.maximum(f, 1e-9))))
    swing = np.zeros(2 * count)
    swing[:] = np.fft.irfft(force / (frequency**2 - f**2 + 2j * damping * frequency * f))
    return swing[:count]


def times(signal: FloatArray) -> FloatArray:
    return STEP * np.arange(len(signal), dtype=np.float64)


@pytest.mark.parametrize(
    ("damping", "gusty"), sampled([(0.05, False), (0.02, True), (0.1, True), (0.2, True)], (0.05, False), (0.1, True))
)
def test_frequency_and_damping_of_an_oscillator_are_found(damping: float, gusty: bool) -> None:
    found = []
    for seed in range(4):
        signal = forced(0.4, damping, seed=seed, gusty=gusty)
        one = modal_identification(times(signal), signal)
        found.append((one.frequency, one.damping))
    frequency, ratio = np.mean(found, axis=0)
    assert frequency == pytest.approx(0.4, rel=0.015)
    assert ratio == pytest.approx(damping, rel=0.2)


def test_a_force_that_is_weakest_about_the_mode_is_not_taken_for_damping() -> None:
    found = [modal_identification(times(x), x) for x in (forced(0.65, 0.093, seed=s, felt=0.36) for s in range(3))]
    assert np.mean([one.damping for one in found]) == pytest.approx(0.093, rel=0.15)


def test_the_standard_errors_are_as_large_as_the_scatter() -> None:
    found = [modal_identification(times(x), x) for x in (forced(0.4, 0.06, seed=s) for s in range(6))]
    scatter = np.std([one.damping for one in found])
    assert 0.5 < np.median([one.damping_error for one in found]) / scatter < 2
    assert 0.4 < np.median([one.frequency_error for one in found]) / np.std([one.frequency for one in found]) < 2.5


def test_the_unit_of_a_signal_changes_nothing() -> None:
    signal = forced(0.7, 0.05, seed=3, seconds=300)
    one, other = (modal_identification(times(signal), factor * signal) for factor in (1.0, 1e-6))
    assert one.damping == pytest.approx(other.damping, rel=1e-3)


def test_a_second_mode_is_identified_where_it_is_asked_for() -> None:
    signal = forced(0.4, 0.05, seed=1) + 0.4 * forced(1.5, 0.03, seed=2)
    peaks = spectral_peaks(times(signal), signal)
    assert peaks[0] == pytest.approx(0.4, rel=0.05)
    assert np.abs(peaks - 1.5).min() < 0.05
    found = modal_identification(times(signal), signal, near=1.45)
    assert found.frequency == pytest.approx(1.5, rel=0.02)
    assert found.damping == pytest.approx(0.03, rel=0.4)


def test_a_decrement_is_the_free_decay() -> None:
    signal = np.mean([random_decrement(forced(0.5, 0.05, seed=s, gusty=False), 400) for s in range(8)], axis=0)
    t = np.arange(400) * STEP
    free = np.exp(-0.05 * np.pi * t) * (np.cos(np.pi * t) + 0.05 * np.sin(np.pi * t))
    np.testing.assert_allclose(signal / signal[0], free, atol=0.12)


def test_power_adds_up_to_the_variance() -> None:
    signal = forced(0.4, 0.1, seed=1)
    frequency, density = power_spectrum(times(signal), np.stack([signal, 2 * signal]))
    assert (density * (frequency[1] - frequency[0])).sum(axis=-1) == pytest.approx(
        np.array([1, 4]) * signal.var(), rel=0.15
    )


@pytest.mark.parametrize(
    ("time", "signal", "rule"),
    [
        (np.arange(10.0), np.ones(10), "64 finite values"),
        (np.arange(100.0), np.full(100, np.nan), "64 finite values"),
        (np.arange(100.0), np.ones(100), "stands still"),
        (np.arange(100.0) ** 1.1, np.arange(100.0), "even steps"),
        (np.arange(100) * 0.01, np.sin(np.arange(100) * 0.01 * 2 * np.pi * 4), "12 of its periods"),
    ],
)
def test_what_tells_no_mode_is_refused(time: FloatArray, signal: FloatArray, rule: str) -> None:
    with pytest.raises(MechanicsError, match=rule):
        modal_identification(time, signal)
