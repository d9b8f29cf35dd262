"""One step of a damped oscillator, q̈ + γ q̇ + ω² q = f (Diener et al. 2009, eq. 8), as eight numbers.

A step is linear in what it starts from: (q, q̇) after it is a 2 × 4 matrix times (q, q̇, f at the start, f at the
end). The matrix is computed in float64 for whole arrays of oscillators; a GPU may use it in float32.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from windflower.core.arrays import FloatArray

__all__ = ["advance", "advance_into", "band_step", "banded", "exact_step", "following_step", "paper_step"]

REACH, TERMS = 2.0, 30  # while ωΔt and γΔt stay below 2, thirty terms of the series are exact to rounding
SMALL, SMALL_TERMS = 0.5, 18
LONG = 2.0  # ωΔt from which on values at the ends of steps do not tell a swing


def exact_step(omega: ArrayLike, gamma: ArrayLike, dt: ArrayLike) -> FloatArray:
    """(…, 2, 4) the exact step for a force that is linear within it; ω in rad/s, γ = 2ζω in 1/s, dt in s.

    The response from rest is S to an impulse, I₁ = ∫S to a unit force and I₂ = ∬S to a unit ramp. Below, at and
    above critical damping, and for any dt ≥ 0.
    """
    w, g, t = np.broadcast_arrays(*(np.asarray(one, np.float64) for one in (omega, gamma, dt)))
    g = g / 2
    impulse, stay, brake = _free(w, g, t)
    force, ramp = _forced(w, g, t, impulse, stay)
    slope = np.divide(ramp, t, out=np.zeros(t.shape), where=t > 0)  # of a force that grows by 1 over the step
    steep = np.divide(force, t, out=np.zeros(t.shape), where=t > 0)
    position = (stay, impulse, force - slope, slope)
    velocity = (-w * w * impulse, brake, impulse - steep, steep)
    return _matrix(position, velocity)


def paper_step(omega: ArrayLike, gamma: ArrayLike, dt: ArrayLike) -> FloatArray:
    """(…, 2, 4) the step that the paper prints in §3.3, with the force at the start; diverges where ωΔt is near 2.

    q̈ ← f − γ q̇ − ω² q, then q̇ ← q̇ + Δt q̈ and q ← q + Δt q̇ with the new q̇ (the first line prints q̇ for q̈).
    """
    w, g, t = np.broadcast_arrays(*(np.asarray(one, np.float64) for one in (omega, gamma, dt)))
    one, none = np.ones(t.shape), np.zeros(t.shape)
    velocity = (-t * w * w, 1 - t * g, t, none)
    position = (one + t * velocity[0], t * velocity[1], t * t, none)
    return _matrix(position, velocity)


def following_step(omega: ArrayLike, dt: ArrayLike) -> FloatArray:
    """(…, 2, 4) the exact step of what follows a target w that is linear within it, critically damped.

    q̈ + 2ω (q̇ − ẇ) + ω² (q − w) = 0. Its damper rests on the target: behind a slow target it lags by the square of
    the frequency only, as a stiff mode does, where a damper on the ground would make it late by 2/ω.
    """
    w, t = np.broadcast_arrays(np.asarray(omega, np.float64), np.asarray(dt, np.float64))
    step = exact_step(w, 2 * w, t)
    force = step[..., 2] + step[..., 3]
    moving = force * np.divide(2 * w, t, out=np.zeros(t.shape), where=t > 0)[..., None]
    step[..., 2:] *= (w * w)[..., None, None]
    step[..., 2] -= moving
    step[..., 3] += moving
    return step


def band_step(omega: ArrayLike, width: ArrayLike, dt: ArrayLike) -> FloatArray:
    """(…, 2, 3) the exact step of two filters of a force f that is linear within it, both with 2 width ω as damping.

    The slow part, s̈ + 2 width ω ṡ + ω² s = ω² f, and the band about ω, b = 2 width ṡ/ω, which is nothing where f is
    constant and f itself where f swings with ω: the band is made larger by the little that straight lines between the
    values of f lack of a swing. After the step both follow from s - f, b and the change of f: see `banded`.
    """
    w, wide, t = np.broadcast_arrays(*(np.asarray(one, np.float64) for one in (omega, width, dt)))
    step = exact_step(w, 2 * wide * w, t)[..., :3]
    step[..., 2] *= (w * w)[..., None]
    step[..., 0, 1] *= w / (2 * wide)
    step[..., 1, [0, 2]] *= (2 * wide / w)[..., None]
    passed = np.where(w * t < LONG, _passed(step, np.exp(1j * np.minimum(w * t, LONG))), 1.0)
    step[..., 0, 1] *= passed
    step[..., 1, [0, 2]] /= passed[..., None]
    return step


def _passed(step: FloatArray, turn: NDArray[np.complex128]) -> FloatArray:
    """The share of a swing that the band of a step (…, 2, 3) passes, in phase with it, if a step turns it by `turn`."""
    a, b = np.moveaxis(step[..., 0, :], -1, 0), np.moveaxis(step[..., 1, :], -1, 0)
    rest = (turn - a[0]) * (turn - b[1]) - a[1] * b[0]
    swing = (1 - turn) * ((turn - a[0]) * b[2] + b[0] * (turn + a[2]))
    return np.divide(swing, rest, out=np.ones(rest.shape, np.complex128), where=rest != 0).real


def banded(
    step: FloatArray, slow: FloatArray, band: FloatArray, before: FloatArray, after: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Give the slow part and the band after the step (…, 2, 3), of a force that goes from `before` to `after`."""
    a, b = step[..., 0, :], step[..., 1, :]
    off, change = slow - after, before - after
    return (
        after + a[..., 0] * off + a[..., 1] * band + a[..., 2] * change,
        b[..., 0] * off + b[..., 1] * band + b[..., 2] * change,
    )


def advance(
    step: FloatArray, q: FloatArray, rate: FloatArray, before: FloatArray, after: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Give q and its rate after the step (…, 2, 4), under a force that goes from `before` to `after`."""
    a, b = step[..., 0, :], step[..., 1, :]
    return (
        a[..., 0] * q + a[..., 1] * rate + a[..., 2] * before + a[..., 3] * after,
        b[..., 0] * q + b[..., 1] * rate + b[..., 2] * before + b[..., 3] * after,
    )


def advance_into(
    out: tuple[FloatArray, FloatArray],
    step: FloatArray,
    q: FloatArray,
    rate: FloatArray,
    before: FloatArray,
    after: FloatArray,
) -> None:
    """Write q and its rate after the step into arrays of their shape, others than those given: see `advance`."""
    term = np.empty_like(q)
    for row, total in ((step[..., 0, :], out[0]), (step[..., 1, :], out[1])):
        np.multiply(row[..., 0], q, out=total)
        for number, factor in enumerate((rate, before, after), start=1):
            total += np.multiply(row[..., number], factor, out=term)


def _matrix(position: tuple[FloatArray, ...], velocity: tuple[FloatArray, ...]) -> FloatArray:
    """(…, 2, 4) from its eight entries, each contiguous in memory."""
    return np.moveaxis(np.stack([np.stack(position), np.stack(velocity)]), (0, 1), (-2, -1))


def _free(w: FloatArray, g: FloatArray, t: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """S, C + gS and C − gS, where S = e^-gt sin(√d t)/√d and C = e^-gt cos(√d t) with d = ω² − g².

    Above critical damping the two rates of decay are b = g + √-d and a = ω²/b, which does not cancel;
    C ± √-d S are e^-at and e^-bt.
    """
    d = w * w - g * g
    root = np.sqrt(np.abs(d))
    turn = root * t
    fast = np.exp(-g * t)
    under = fast * t * np.sinc(turn / np.pi), fast * np.cos(turn)
    slow_rate, fast_rate = _rates(w, g, root)
    slow = np.exp(-slow_rate * t)
    over = slow * t * _mean_decay(2 * turn)
    damped = d < 0
    impulse = np.where(damped, over, under[0])
    stay = np.where(damped, slow + slow_rate * over, under[1] + g * under[0])
    brake = np.where(damped, np.exp(-fast_rate * t) - slow_rate * over, under[1] - g * under[0])
    return impulse, stay, brake


def _forced(
    w: FloatArray, g: FloatArray, t: FloatArray, impulse: FloatArray, stay: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """I₁ and I₂: three ways, each where it loses no digits."""
    root = np.sqrt(np.abs(w * w - g * g))
    short = (w * t < REACH) & (2 * g * t < REACH)
    apart = (g > w) & (2 * root * t > 1) & ~short
    force, ramp = _by_series(np.where(short, w * t, 0), np.where(short, 2 * g * t, 0))
    force, ramp = force * t**2, ramp * t**3
    slow, fast = _rates(w, g, root)
    twice = np.where(apart, 2 * root, 1)
    split = (
        t * (_mean_decay(slow * t) - _mean_decay(fast * t)) / twice,
        t * t * (_mean_ramp(slow * t) - _mean_ramp(fast * t)) / twice,
    )
    square = np.where(short, 1, w * w)
    closed = (1 - stay) / square
    closed_ramp = (t - 2 * g * closed - impulse) / square
    force = np.select([short, apart], [force, split[0]], closed)
    ramp = np.select([short, apart], [ramp, split[1]], closed_ramp)
    return force, ramp


def _rates(w: FloatArray, g: FloatArray, root: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The slow and the fast rate of decay above critical damping, 1/s."""
    fast = g + root
    return np.divide(w * w, fast, out=np.zeros(fast.shape), where=fast > 0), fast


def _by_series(w: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """I₁/t² and I₂/t³ for ωt and γt: Σ cₙ/(n+1)! and Σ cₙ/(n+2)! with cₙ₊₂ = −γt cₙ₊₁ − (ωt)² cₙ."""
    last, now = np.zeros(w.shape), np.ones(w.shape)
    force, ramp, factorial = np.zeros(w.shape), np.zeros(w.shape), 1.0
    for n in range(1, TERMS):
        factorial *= n + 1
        force = force + now / factorial
        ramp = ramp + now / (factorial * (n + 2))
        last, now = now, -y * now - w * w * last
    return force, ramp


def _mean_decay(x: FloatArray) -> FloatArray:
    """(1 − e^-x)/x: the mean of a decay over a step."""
    safe = np.where(x > 0, x, 1)
    return np.where(x > 0, -np.expm1(-safe) / safe, 1.0)


def _mean_ramp(x: FloatArray) -> FloatArray:
    """(x − 1 + e^-x)/x²: what a ramp of force brings, over dt²; ½ − x/6 + x²/24 − … where x is small."""
    small = x < SMALL
    near, far = np.where(small, x, 0), np.where(small, 1, x)
    series = np.ones(x.shape)
    for n in range(SMALL_TERMS, 2, -1):
        series = 1 - near / n * series
    return np.where(small, series / 2, (far + np.expm1(-far)) / far**2)
