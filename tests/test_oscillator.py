"""The exact step of a damped oscillator against analytic decay, a matrix exponential, and energy."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import expm

from windflower.core.arrays import FloatArray
from windflower.motion.oscillator import (
    advance,
    advance_into,
    band_step,
    banded,
    exact_step,
    following_step,
    paper_step,
)

STEPS = [1e-4, 1e-3, 1 / 60, 0.1, 1.0]
ratios = st.one_of(st.floats(0, 5), st.floats(0.999999, 1.000001), st.just(1.0))


def analytic_decay(omega: float, ratio: float, t: float) -> tuple[float, float]:
    """Position and velocity of an oscillator let go at 1 from rest, by the textbook's three cases."""
    g, w = ratio * omega, omega * np.sqrt(abs(1 - ratio**2))
    if ratio < 1:
        q = np.exp(-g * t) * (np.cos(w * t) + g / w * np.sin(w * t))
        return q, -(omega**2) / w * np.exp(-g * t) * np.sin(w * t)
    if ratio == 1:
        return np.exp(-g * t) * (1 + g * t), -(omega**2) * t * np.exp(-g * t)
    fast, slow = g + w, g - w
    q = (fast * np.exp(-slow * t) - slow * np.exp(-fast * t)) / (2 * w)
    return q, omega**2 / (2 * w) * (np.exp(-fast * t) - np.exp(-slow * t))


def by_exponential(omega: float, gamma: float, dt: float) -> FloatArray:
    """The same matrix from the exponential of (q, q̇, f, ḟ)' = A (q, q̇, f, ḟ)."""
    a = np.array([[0, 1, 0, 0], [-(omega**2), -gamma, 1, 0], [0, 0, 0, 1], [0, 0, 0, 0]])
    grown = expm(a * dt)[:2]
    return np.stack([grown[:, 0], grown[:, 1], grown[:, 2] - grown[:, 3] / dt, grown[:, 3] / dt], axis=1)


@pytest.mark.parametrize("dt", STEPS)
@pytest.mark.parametrize("ratio", [0.0, 0.05, 0.9, 1.0, 1.3, 8.0])
def test_many_exact_steps_follow_the_analytic_decay(dt: float, ratio: float) -> None:
    omega = 2 * np.pi * 1.4
    step = exact_step(omega, 2 * ratio * omega, dt)
    count, none = max(1, round(2 / dt)), np.zeros(())
    q, rate = np.ones(()), np.zeros(())
    for _ in range(count):
        q, rate = advance(step, q, rate, none, none)
    expected = analytic_decay(omega, ratio, count * dt)
    np.testing.assert_allclose([q, rate], expected, rtol=0, atol=1e-9)


@given(st.floats(0.1, 200), ratios, st.floats(1e-3, 0.3))
def test_exact_step_equals_a_matrix_exponential(omega: float, ratio: float, dt: float) -> None:
    expected = by_exponential(omega, 2 * ratio * omega, dt)
    found = exact_step(omega, 2 * ratio * omega, dt)
    scale = np.array([[1, 1 / omega, 1 / omega**2, 1 / omega**2], [omega, 1, 1 / omega, 1 / omega]])
    assert np.abs((found - expected) / scale).max() < 1e-10


def test_the_force_part_keeps_its_digits_for_tiny_steps() -> None:
    omega, gamma, dt = 10.0, 1.0, 1e-7
    step = exact_step(omega, gamma, dt)
    free_fall = [[dt**2 / 3, dt**2 / 6], [dt / 2, dt / 2]]
    np.testing.assert_allclose(step[:, 2:], free_fall, rtol=1e-6)
    slower = exact_step(omega, gamma, dt * (1 + 1e-9))[0, 2] / step[0, 2]
    assert slower - 1 == pytest.approx(2e-9, rel=1e-5)


@given(st.floats(1e-3, 1e4), st.floats(0, 1e4), st.floats(0, 1e4))
def test_a_constant_force_never_carries_past_twice_its_lean(omega: float, gamma: float, dt: float) -> None:
    step = exact_step(omega, gamma, dt)
    assert np.isfinite(step).all()
    lean = (step[0, 2] + step[0, 3]) * omega**2
    assert -1e-12 <= lean <= 2 + 1e-9


def test_huge_steps_come_to_rest_at_the_lean() -> None:
    omega = np.array([1.0, 30.0, 1000.0])
    step = exact_step(omega, np.array([1.0, 60.0, 5000.0]), 1e4)
    np.testing.assert_allclose(step[:, 0, 3] * omega**2, 1, rtol=1e-3)
    np.testing.assert_allclose(step[:, :, :2], 0, atol=1e-12)


def test_a_step_of_no_time_changes_nothing() -> None:
    np.testing.assert_array_equal(exact_step(3.0, 0.1, 0.0), [[1, 0, 0, 0], [0, 1, 0, 0]])


@given(st.floats(0.01, 1e3), ratios, st.floats(1e-5, 10), st.floats(-1, 1), st.floats(-1, 1), st.integers(1, 20))
def test_no_energy_is_created_without_force(
    omega: float, ratio: float, dt: float, start: float, speed: float, count: int
) -> None:
    step, none = exact_step(omega, 2 * ratio * omega, dt), np.zeros(())
    q, rate = np.array(start), np.array(speed * omega)
    before = omega**2 * q**2 + rate**2
    for _ in range(count):
        q, rate = advance(step, q, rate, none, none)
        after = omega**2 * q**2 + rate**2
        assert after <= before * (1 + 1e-13) + 1e-300
        before = after


def test_a_linear_force_is_followed_exactly_whatever_the_step() -> None:
    omega, gamma = 5.0, 0.6
    force = np.array([0.0, 3.0, -1.0])  # at 0, 0.5 and 1 s, straight between
    states = []
    for parts in (1, 50):
        step, q, rate = exact_step(omega, gamma, 0.5 / parts), np.zeros(()), np.zeros(())
        path = np.interp(np.linspace(0, 1, 2 * parts + 1), [0, 0.5, 1], force)
        for before, after in pairwise(path):
            q, rate = advance(step, q, rate, before, after)
        states.append((float(q), float(rate)))
    np.testing.assert_allclose(states[0], states[1], rtol=1e-12)


@given(st.floats(0.5, 100), st.floats(1e-3, 0.5))
def test_a_follower_obeys_its_equation(omega: float, dt: float) -> None:
    """q̈ + 2ω (q̇ − ẇ) + ω² (q − w) = 0 with w from 0.3 to 1.1: the same as an exponential's."""
    a = np.array([[0, 1, 0, 0], [-(omega**2), -2 * omega, omega**2, 2 * omega], [0, 0, 0, 1], [0, 0, 0, 0]])
    start = np.array([0.7, -0.2 * omega])
    expected = (expm(a * dt) @ [*start, 0.3, 0.8 / dt])[:2]
    found = advance(following_step(omega, dt), *(np.array(x) for x in (*start, 0.3, 1.1)))
    np.testing.assert_allclose(found / np.array([1, omega]), expected / [1, omega], atol=1e-9 / min(1, omega * dt))


def test_a_follower_lags_a_slow_target_by_the_square_of_its_frequency() -> None:
    omega, dt = 20.0, 0.002
    time = np.arange(0, 20, dt)
    away = []
    for slow in (1.0, 0.5):
        q, rate, target = np.ones(()), np.zeros(()), np.cos(slow * time)
        step, behind = following_step(omega, dt), []
        for before, after in pairwise(target):
            q, rate = advance(step, q, rate, before, after)
            behind.append(abs(float(q) - after))
        away.append(max(behind[1000:]))  # once the start is forgotten
    assert away[0] < 1.2 * (1 / omega) ** 2
    assert away[0] / away[1] == pytest.approx(4, rel=0.1)


def test_the_papers_step_is_semi_implicit_euler() -> None:
    omega, gamma, dt, q, rate, force = 4.0, 0.3, 0.02, 0.7, -0.2, 1.1
    new_rate = rate + dt * (force - gamma * rate - omega**2 * q)
    found = advance(paper_step(omega, gamma, dt), *(np.array(x) for x in (q, rate, force, 99.0)))
    np.testing.assert_allclose(found, (q + dt * new_rate, new_rate), rtol=1e-14)


def test_the_papers_step_converges_to_the_exact_one_at_first_order() -> None:
    errors = []
    for dt in (0.01, 0.005, 0.0025):
        q, rate, none = np.ones(()), np.zeros(()), np.zeros(())
        for _ in range(round(1 / dt)):
            q, rate = advance(paper_step(6.0, 0.5, dt), q, rate, none, none)
        errors.append(abs(float(q) - analytic_decay(6.0, 0.25 / 6, 1.0)[0]))
    rates = np.log2(np.array(errors[:-1]) / errors[1:])
    assert ((rates > 0.85) & (rates < 1.15)).all()


@pytest.mark.parametrize("width", [1.0, 2.3, 4.0])
@pytest.mark.parametrize("dt", [1e-3, 1 / 60, 0.1])
def test_a_band_is_all_of_a_force_at_its_own_frequency_and_nothing_of_a_constant_one(width: float, dt: float) -> None:
    omega = 2 * np.pi * 1.8
    step, count = band_step(omega, width, dt), round(8 / dt)
    force = 5 + np.cos(omega * dt * np.arange(count))
    slow, band, path = np.array(5.0), np.zeros(()), []
    for before, after in pairwise(force):
        slow, band = banded(step, slow, band, before, after)
        path.append(band)
    late = round(4 / dt)
    np.testing.assert_allclose(path[-late:], force[-late:] - 5, atol=2e-2 if dt > 0.05 else 1e-3)
    for _ in range(count):
        slow, band = banded(step, slow, band, force[-1], force[-1])
    np.testing.assert_allclose([slow, band], [force[-1], 0], atol=1e-4)


@given(st.floats(0.1, 100), st.floats(1.0, 4.0), st.floats(1e-4, 0.5))
def test_the_slow_part_is_that_of_an_exact_oscillator(omega: float, width: float, dt: float) -> None:
    step, exact = band_step(omega, width, dt), exact_step(omega, 2 * width * omega, dt)
    assert np.isfinite(step).all()
    slow, _ = banded(step, np.array(0.7), np.zeros(()), np.array(1.0), np.array(2.0))
    wanted, _ = advance(exact, np.array(0.7), np.zeros(()), np.array(omega**2), np.array(2 * omega**2))
    np.testing.assert_allclose(slow, wanted, rtol=1e-9, atol=1e-9)


def test_no_step_makes_a_band_grow() -> None:
    for dt in (0.0, 1e-3, 0.1, 1.0, 100.0):
        step = band_step(3.0, 1.0, dt)
        slow, band = np.ones(()), np.ones(())
        for _ in range(200):
            slow, band = banded(step, slow, band, np.zeros(()), np.zeros(()))
            assert abs(slow) < 2
            assert abs(band) < 5


def test_a_step_that_is_written_into_arrays_has_the_same_bits() -> None:
    rng = np.random.default_rng(8)
    omega, gamma = rng.uniform(0.1, 9.0, (2, 4, 50))
    step = exact_step(omega, gamma, 1 / 60)[:, :, None]
    q, rate, before, after = (np.swapaxes(rng.normal(size=(4, 3, 50)), 1, 2) for _ in range(4))
    out = np.empty((4, 50, 3)), np.swapaxes(np.empty((4, 3, 50)), 1, 2)
    advance_into(out, step, q, rate, before, after)
    for mine, theirs in zip(out, advance(step, q, rate, before, after), strict=True):
        np.testing.assert_array_equal(mine, theirs)
