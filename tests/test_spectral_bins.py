"""Lines of a loop carry their bins: against fine integrals of |H|² S, formulas, and many loops."""

from functools import cache

import numpy as np
import pytest

from windflower.core.arrays import FloatArray
from windflower.errors import MotionError
from windflower.mechanics import Modes
from windflower.motion import LoopMotion, NoiseFilter, SpectralMotion
from windflower.motion.spectral.eddies import EddyAir
from windflower.motion.spectral.force_spectrum import ForceSpectrum
from windflower.motion.spectral.loop import ComplexArray
from windflower.motion.spectral.loop_summary import loop_summary
from windflower.motion.spectral.response import Response
from windflower.validate.loops import PERIOD, SPEED, LongTime, swaying

MORE = pytest.mark.slow
PLANTS = [
    "pole",
    "lightly damped pole",
    "silver-birch",
    pytest.param("spruce", marks=MORE),
    pytest.param("walnut", marks=MORE),
]


def modes() -> Modes:
    return swaying("pole").modes


@cache
def truth_of(name: str) -> LongTime:
    return LongTime(swaying(name))


def sway(loop: LoopMotion) -> float:
    """Variance of the linear sway of the top along and across the wind, m²."""
    top = np.argmax(loop.plant.position[:, 1])
    return float((np.abs(loop.loop.wave @ loop.shapes[:, top][:, [0, 2]]) ** 2).sum() / 2)


def expected(motion: SpectralMotion) -> float:
    """The mean of `sway` over all loops, from the cross-spectrum."""
    top = int(np.argmax(motion.plant.position[:, 1]))
    return float(motion.expected_density(top, np.eye(3)[[0, 2]]).sum() / PERIOD)


@pytest.mark.parametrize("name", PLANTS)
def test_a_loop_of_ten_seconds_keeps_the_long_time_variance_of_all_that_is_not_slower(name: str) -> None:
    motion, truth = swaying(name), truth_of(name)
    mean = expected(motion)
    assert 0.97 < mean / truth.variance(0.5 / PERIOD, truth.highest) < 1.03
    for loops in ([motion.fresh(seed) for seed in range(300)], [motion.again(seed) for seed in range(60)]):
        found = np.array([sway(loop) for loop in loops])
        assert abs(found.mean() - mean) < 4 * found.std() / np.sqrt(len(found))


def test_lines_as_printed_miss_most_of_a_sharp_resonance_between_two_of_them() -> None:
    motion, truth = swaying("lightly damped pole", "printed"), truth_of("lightly damped pole")
    assert expected(motion) / truth.variance(0.5 / PERIOD, truth.highest) < 0.5


@pytest.mark.parametrize("name", PLANTS)
def test_what_lies_below_half_the_first_line_is_told(name: str) -> None:
    motion, truth, half = swaying(name), truth_of(name), 0.5 / PERIOD
    below, above = truth.variance(truth.lowest, half), truth.variance(half, truth.highest)
    assert motion.left_out() == pytest.approx(below / (below + above), abs=0.01)
    assert loop_summary(motion).left_out == motion.left_out()


def test_a_longer_loop_leaves_less_out_and_one_as_long_as_the_wind_is_known_nothing() -> None:
    slow = modes().truncated(2)
    shares = [SpectralMotion(slow, period=period, speed=SPEED).left_out() for period in (3, 10, 60, 400)]
    assert all(np.diff(shares) < 0)
    assert shares[-1] == 0.0
    assert 0.3 < shares[1] < 0.7


def test_loops_without_a_known_wind_do_not_know_what_they_leave_out() -> None:
    other = swaying("pole").fresh(1)
    assert other.left_out() is None
    assert loop_summary(other).left_out is None


def test_the_papers_filter_tells_its_share_too() -> None:
    motion = SpectralMotion(modes(), period=PERIOD, wind=NoiseFilter(speed=SPEED, correlation_distance=3.0))
    assert 0 < motion.left_out() < 0.5


# One oscillator


def area(omega: float, gamma: float, f: FloatArray) -> FloatArray:
    """∫ |H|² df up to f, by partial fractions: |H|² = 1 / ((ω² - λ²)(ω² - λ*²)), λ = √(ω₀² - γ²/4) + iγ/2."""
    pole = np.sqrt(omega**2 - gamma**2 / 4 + 0j) + 0.5j * gamma
    w = 2 * np.pi * f
    logs = (np.log(w - pole) - np.log(w + pole)) / (2 * pole)
    return np.asarray(logs.imag / (pole**2).imag / (2 * np.pi))


def even_forces(level: float, count: int) -> ForceSpectrum:
    matrix: ComplexArray = np.tile(np.eye(count, dtype=np.complex128) * level, (2, 1, 1))
    return ForceSpectrum(np.array([1e-3, 100.0]), matrix)


@pytest.mark.parametrize("damping", [0.0005, 0.005, 0.03, 0.3, 0.9])
@pytest.mark.parametrize("period", [0.7, 10.0, 300.0])
def test_in_an_even_spectrum_bins_hold_the_area_under_the_resonance_curve(damping: float, period: float) -> None:
    wanted, lines = modes(), np.arange(1, 300) / period
    response = Response(wanted, 2 * damping * wanted.omega)
    gain = response.gains(lines, even_forces(2.0, len(wanted) + 3 * wanted.cells))
    power = np.abs(response.transfer(lines[:, None])) ** 2 * gain**2 / period
    for mode, omega in enumerate(wanted.omega):
        exact = area(omega, 2 * damping * omega, lines + 0.5 / period) - area(
            omega, 2 * damping * omega, lines - 0.5 / period
        )
        np.testing.assert_allclose(power[:, mode], exact, rtol=2e-3)


@pytest.mark.parametrize("over", [1.0, 1.5, 20.0])
def test_what_is_damped_beyond_swinging_has_its_power_as_well(over: float) -> None:
    wanted, lines = modes(), np.arange(1, 100) / PERIOD
    response = Response(wanted, 2 * over * wanted.omega)
    gain = response.gains(lines, even_forces(1.0, len(wanted) + 3 * wanted.cells))
    inside = (np.arange(200) + 0.5) / 200 - 0.5
    fine = np.abs(response.transfer((lines[:, None] + inside / PERIOD)[..., None])) ** 2
    said = np.abs(response.transfer(lines[:, None])) ** 2 * gain**2
    np.testing.assert_allclose(said, fine.mean(axis=1), rtol=1e-3)


def test_without_damping_a_loop_stays_finite() -> None:
    motion = SpectralMotion(modes(), period=PERIOD, speed=SPEED, alpha=0.0)
    assert np.isfinite(motion.loop.wave).all()


def test_the_wind_of_a_loop_carries_its_bins() -> None:
    motion = swaying("pole")
    wind, drag = motion.wind, motion._drags[0]
    f = np.geomspace(0.5 / PERIOD, 7.99, 200)
    air = EddyAir(wind, drag.points, f, 1.0)  # type: ignore[arg-type]
    said = np.trapezoid([air.covariance(drag.crown, k)[0, 0].real / 2 for k in range(200)], f)
    drawn = motion.cross_spectrum.matrix[:, -3, -3].real / 2
    carried = drawn @ motion._gains[0][:, -3] ** 2
    assert carried == pytest.approx(said, rel=0.01)
    assert drawn.sum() < 0.95 * said


# Forces between knots


def test_forces_follow_power_laws_between_the_frequencies_at_which_they_are_known() -> None:
    knots = np.geomspace(0.1, 10, 8)
    coherence = np.array([[1, 0.3 + 0.4j], [0.3 - 0.4j, 1]])
    spectrum = ForceSpectrum(knots, np.asarray(coherence * knots[:, None, None] ** (-5 / 3), np.complex128))
    f = np.array([0.1, 0.37, 4.4, 10.0])
    np.testing.assert_allclose(spectrum.own(f[:, None]), np.repeat(f[:, None] ** (-5 / 3), 2, axis=1))
    rows: ComplexArray = np.tile([1.0, 2.0j], (4, 1))
    said = np.real(rows[0] @ coherence @ rows[0].conj()) * f ** (-5 / 3)
    np.testing.assert_allclose(spectrum.through(rows, f), said)
    np.testing.assert_allclose(spectrum.own(np.array([[0.01], [50.0]]))[:, 0], [0.1 ** (-5 / 3), 10 ** (-5 / 3)])


def test_kinds_of_lines_are_two() -> None:
    with pytest.raises(MotionError, match="lines"):
        SpectralMotion(modes(), period=PERIOD, speed=SPEED, lines="dotted")


def test_lines_as_printed_are_the_answer_at_each_line() -> None:
    motion = swaying("pole", "printed")
    np.testing.assert_allclose(motion.loop.wave, motion.transfer * motion.forces.wave)
    assert (motion.gain == 1).all()
