"""Noise and flutter in grains: spectra, memory, exact times."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from windflower.core.arrays import FloatArray
from windflower.errors import MotionError
from windflower.motion.grains import ColouredNoise, Moment, fluttering, loop_moment, moment_of
from windflower.motion.rhythm import PERIOD

HOUR, RATE = 3600.0, 32.0


def spectrum(values: FloatArray, seconds: float) -> tuple[FloatArray, FloatArray]:
    """Frequencies, Hz, and power spectral density averaged over windows of so many seconds."""
    length = round(seconds * RATE)
    pieces = np.lib.stride_tricks.sliding_window_view(values, length)[:: length // 2]
    power = np.abs(np.fft.rfft(pieces * np.hanning(length), axis=1)) ** 2
    return np.asarray(np.fft.rfftfreq(length, 1 / RATE), np.float64), np.asarray(power.mean(axis=0))


def slope(values: FloatArray, low: float, high: float) -> float:
    """Exponent of the power spectral density between two frequencies, from bins of equal width in log f."""
    frequency, power = spectrum(values, 512.0)
    band = (frequency >= low) & (frequency < high)
    bins = np.floor(12 * np.log10(frequency[band] / low)).astype(int)
    x, y = (np.log([one[band][bins == k].mean() for k in np.unique(bins)]) for one in (frequency, power))
    return float(np.polyfit(x, y, 1)[0])


def autocorrelation(values: FloatArray) -> FloatArray:
    """By lag, over the first half of the record."""
    centred = values - values.mean()
    whole = np.fft.irfft(np.abs(np.fft.rfft(centred, 2 * len(centred))) ** 2)[: len(centred) // 2]
    return np.asarray(whole / (len(centred) - np.arange(len(whole))) / centred.var())


@pytest.mark.parametrize("beta", [0.0, 0.5, 1.0, 1.5, 2.0])
def test_an_hour_of_noise_has_its_slope_over_two_decades_and_forgets_within_half_a_minute(beta: float) -> None:
    noise = ColouredNoise(beta=beta, seed=5).at(np.arange(0, HOUR, 1 / RATE))
    assert (noise**2).mean() == pytest.approx(0.5, rel=0.05)
    assert slope(noise, 0.08, 8.0) == pytest.approx(-beta, abs=0.1)
    assert np.abs(autocorrelation(noise)[round(30 * RATE) :]).max() < 0.2
    lines = np.sort(np.abs(np.fft.rfft(noise)) ** 2)[::-1]
    assert lines[:5].sum() < 0.2 * lines.sum(), "its power is not in a few lines"


@settings(max_examples=30)
@given(t=st.floats(-1e6, 1e8), beta=st.floats(0, 2))
def test_noise_is_a_function_of_time_alone(t: float, beta: float) -> None:
    noise = ColouredNoise(beta=beta)
    alone = noise.at(t)
    assert noise.at([t + 7.0, t, -t])[1] == pytest.approx(alone, abs=1e-12)
    assert np.abs(alone) < 6


def test_noise_goes_on_smoothly_over_the_end_of_a_period() -> None:
    for end in (PERIOD, 84 * PERIOD):
        values = ColouredNoise(beta=2.0).at(end + np.arange(-50, 50) * 1e-4)
        assert np.abs(np.diff(values)).max() < 0.01
        assert np.ptp(np.diff(values)) < 1e-3


def test_a_day_later_times_are_exact() -> None:
    """The clock of 86,400 s and a little is within a quarter of a microsecond of the true one."""
    for t in (86_400.0 + 1 / 3, 1e7 + 0.1, -1e-20, -86_400.1):
        clock, periods, _ = moment_of(t)
        true = Fraction(t) / int(PERIOD)
        whole = (int(periods) + 2**31) % 2**32 - 2**31
        assert abs(whole + Fraction(int(clock), 2**32) - true) <= Fraction(1, 2**32)


def test_flutter_keeps_its_frequency_and_repeats_only_in_a_loop() -> None:
    turns, start, key = (np.array([value], np.uint32) for value in (1024, 7, 99))
    times = np.arange(0, 64, 1 / RATE)
    beat = np.array([fluttering(turns, start, key, moment_of(t), 5.0)[0] for t in times])
    frequency, power = spectrum(beat, 16.0)
    assert frequency[np.argmax(power)] == pytest.approx(5.0, abs=0.5)
    assert np.abs(beat).max() <= 1
    assert not np.isclose(
        fluttering(turns, start, key, moment_of(3.3), 5.0), fluttering(turns, start, key, moment_of(3.3 + PERIOD), 5.0)
    )
    loop = [fluttering(turns >> np.uint32(7), start, key, loop_moment(t, 8.0), 5.0) for t in (0.0, 8.0 - 1e-6, 8.0)]
    assert loop[0] == loop[2]
    assert loop[1] == pytest.approx(loop[0], abs=1e-4)


def test_flutter_whose_pace_changes_jumps_nowhere() -> None:
    turns, start, key = (np.array([value], np.uint32) for value in (1024, 7, 99))
    times = np.arange(0, 4, 1e-3)
    beat = [fluttering(turns, start, key, moment_of(t), 4.0 + 2 * np.sin(t))[0] for t in times]
    assert np.abs(np.diff(beat)).max() < 2 * np.pi * 9 * 1e-3


def test_an_exponent_that_cannot_be_is_refused() -> None:
    with pytest.raises(MotionError, match="between 0 and 4"):
        ColouredNoise(beta=-1.0)
    assert Moment(np.uint32(1), np.uint32(0)).loops is False
