"""Turbulence from a spectrum: eddies frozen into the air and carried past by the mean wind.

The velocity is a sum of plane waves. Wave k has a frequency f_k, across the wind a wave number κ_k, and for each
component (along, left, up) an amplitude and a phase, that is a complex number z_k:

    v(x, t) = Σₖ Re z_k exp i(2π f_k (t - s/U) + κ_k · (left, up))          s: distance downwind

U is the speed at which eddies are carried past: that of the mean wind at 10 m, or another over a forest.

- Each wave stands for one bin of the band, and its power |z_k|²/2 is on average the integral of the spectrum over the
  bin. The sum over all bins, the variance, is exact. Bins are finest where trees resonate, so that a lightly damped
  mode meets many waves whatever the seed.
- Phases of u and v are independent. That of w leads or lags that of u by the angle whose cosine is their correlation in
  the bin: so friction's covariance of u and w, -u*², holds whatever the seed.
- κ_k is drawn from the plane's Fourier transform of Davenport's coherence exp(-c f d / U), which is the density
  α / (2π (α² + κ²)^(3/2)) with α = c f / U: the expected coherence of two points beside or above one another is exact.
- A point downwind sees the same eddies s/U later. With frequencies that are multiples of 1/loop the field is periodic.

Nothing is stored but the waves: any place and any time can be asked, and there is no box that repeats.

Most of the time goes into cosines and sines. NumPy's in float64 cost 8 ns a value, so here they are a polynomial
evaluated in place on blocks that stay in the processor's cache: 0.3 ns for the phase, 2.5 for each of the two, 0.2 for
the sum, with errors below 1e-10.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from windflower.core.arrays import FloatArray
from windflower.core.randomness import draw
from windflower.errors import WindError
from windflower.wind.checks import number, one_of, whole
from windflower.wind.direction import check_direction, wind_axes
from windflower.wind.field import Wind
from windflower.wind.layer import Layer
from windflower.wind.profile import GRASSLAND, WindProfile
from windflower.wind.spectra import SPECTRA, Form, Noise, Spectrum

__all__ = ["Turbulence", "sum_of_waves"]

FREQUENCY, SIGN, RANK, ANGLE, PHASE, POWER = 11, 12, 13, 14, 15, 16
"""Keys of the random numbers, by purpose."""

RESONANT, FINER = (0.1, 3.0), 6.0
"""Band in which trees resonate, Hz, and how many times finer the bins are there than beside it."""

FINEST = 64.0
"""Wave numbers across the wind go up to this many times α; the 1.6 % of waves beyond would be finer than any eddy."""

SCATTER = 0.75
"""Share of a wave's power that varies at random, as all of it does in a Gaussian process: it keeps the response of a
lightly damped mode, which meets a dozen waves, nearly Gaussian."""

MOST_WAVES = 20_000
"""To which a long record raises their number."""

TINY = np.finfo(float).tiny

BLOCK = 256
"""Points worked on together. Small enough for the cache, and for BLAS not to start threads of its own."""

SINE = (
    6.283185306144812,
    -41.341701844164305,
    81.6052027574409,
    -76.7034450495691,
    41.99664986209763,
    -14.318520389200739,
)
"""sin 2πy ≈ y (c₀ + c₁ y² + … + c₅ y¹⁰) for |y| ≤ 1/4, within 2.2e-11 (a Remez fit)."""


@dataclass(frozen=True, kw_only=True)
class Turbulence(Wind):
    """Fluctuations about the mean wind, without a mean of their own.

    speed      the mean wind's at 10 m, m/s
    direction  where it blows from, degrees: 0 north (-z), 90 east (+x), 270 west
    carried    speed at which the eddies are carried past, m/s: by default the mean wind's
    form       of the spectrum: kaimal, karman, davenport, canopy (over a forest) or noise (1/f^β)
    intensity  standard deviation along the wind over speed, at 10 m
    length     scale L of the spectrum, m; by default 56.7 (kaimal), 24.5 (karman), 1200 (davenport), 30 (canopy)
    exponent   exponent β of the noise; 5/3 by default
    decay      c of the coherence exp(-c f d / U) across the wind: 8 to 12
    low, high  ends of the band that is represented, Hz; what lies outside is left out
    waves      how many share the band: 500 lie 0.9 % apart from 0.1 to 3 Hz, where trees resonate, and 5 % elsewhere
    seed       of the phases and directions of the waves
    loop       if given, the field repeats exactly after this time, s; the band then begins at half a wave in it
    profile    how strong the fluctuations are at a place
    """

    speed: float
    direction: float = 270.0
    carried: float | None = None
    form: Form = "kaimal"
    intensity: float = 0.2
    length: float | None = None
    exponent: float | None = None
    decay: float = 10.0
    low: float = 1 / 600
    high: float = 8.0
    waves: int = 500
    seed: int = 0
    loop: float | None = None
    profile: WindProfile = GRASSLAND

    def __post_init__(self) -> None:
        number("speed of turbulent wind", self.speed, "Use the mean wind's.", above=0, unit="m/s")
        number("speed that carries turbulence", self.pace, "Leave it out for the mean wind's.", above=0, unit="m/s")
        check_direction(self.direction)
        one_of("form of a spectrum", self.form, (*SPECTRA, "noise"))
        number("intensity of turbulence", self.intensity, "0.1 to 0.3 is usual.", least=0, most=2)
        number("decay of coherence", self.decay, "8 to 12 is usual.", above=0)
        whole("number of waves", self.waves, "Some hundred are enough.", least=1)
        whole("seed", self.seed, "Any count will do.")
        self._check_shape()
        self._check_band()

    def _check_shape(self) -> None:
        if self.length is not None:
            number("length scale of turbulence", self.length, "Leave it out for the usual one.", above=0, unit="m")
            if self.form == "noise":
                raise WindError(f"noise has no length scale; it is {self.length:g} m. Leave it out.")
        if self.exponent is not None:
            number("exponent of noise", self.exponent, "1 to 2 is usual.", least=0, most=4)
            if self.form != "noise":
                raise WindError(
                    f"only noise has an exponent; it is {self.exponent:g} for {self.form}. Leave it out, or use noise."
                )

    def _check_band(self) -> None:
        number("low end of the band", self.low, "1/600 Hz is usual.", above=0, unit="Hz")
        number("high end of the band", self.high, "Raise it, or lower the low end.", above=self.low, unit="Hz")
        if self.loop is not None:
            number("loop time", self.loop, "Leave it out for a wind without end.", above=0, unit="s")
            if self.loop * self.high < 1:
                raise WindError(
                    f"a loop must hold a wave of the band; {self.loop:g} s do not hold one of {self.high:g} Hz. "
                    "Make the loop longer or the band higher."
                )

    @property
    def pace(self) -> float:
        """The speed at which the eddies are carried past, m/s."""
        return self.speed if self.carried is None else self.carried

    @property
    def sigma(self) -> float:
        """Standard deviation along the wind at 10 m over all frequencies, m/s."""
        return self.intensity * self.speed

    @cached_property
    def formula(self) -> Spectrum:
        """The spectrum at 10 m."""
        if self.form == "noise":
            low, high = self.band
            return Noise(self.sigma, 5 / 3 if self.exponent is None else self.exponent, low, high)
        shape = SPECTRA[self.form]
        return shape(self.pace, self.sigma) if self.length is None else shape(self.pace, self.sigma, self.length)

    @property
    def band(self) -> tuple[float, float]:
        """Lowest and highest frequency of the represented band, Hz."""
        return float(self._edges[0]), float(self._edges[-1])

    @cached_property
    def frequency(self) -> FloatArray:
        """(waves,) frequencies, one in each bin, Hz; multiples of 1/loop in a loop."""
        low, high = self._edges[:-1], self._edges[1:]
        chance = draw(self.seed, FREQUENCY, np.arange(len(low)))
        if self.loop is None:
            return low * (high / low) ** chance
        return (np.rint(low * self.loop + 0.5) + np.floor(chance * np.rint((high - low) * self.loop))) / self.loop

    @cached_property
    def amplitude(self) -> FloatArray:
        """(waves, 3) amplitudes at 10 m along, left and up, m/s."""
        power = _integrals(self.formula.density, self._edges)
        if self.loop is None:
            chance = draw(self.seed, POWER, np.arange(len(power))[:, None], np.array([0, 1, 0]))
            scattered = power * (1 - SCATTER - SCATTER * np.log1p(-chance))
            power = scattered * (power.sum(axis=0) / np.maximum(scattered.sum(axis=0), TINY))
        return np.sqrt(2 * power)

    @cached_property
    def phasor(self) -> NDArray[np.complex128]:
        """(waves, 3) amplitudes with their phases: z of the sum above, m/s."""
        index = np.arange(len(self.frequency))
        u, v = (np.exp(2j * math.pi * draw(self.seed, PHASE, index, component)) for component in range(2))
        expected = np.sqrt(np.prod(_integrals(self.formula.density, self._edges)[:, [0, 2]], axis=1))
        alike = np.clip(_integrals(self.formula.shear, self._edges) / np.maximum(expected, TINY), -1.0, 1.0)
        lead = np.where(draw(self.seed, SIGN, index) < 0.5, 1.0, -1.0)
        return self.amplitude * np.stack([u, v, u * (alike + 1j * lead * np.sqrt(1 - alike**2))], axis=-1)

    @cached_property
    def variance(self) -> FloatArray:
        """(3,) variance of the represented band at 10 m along, left and up, (m/s)²."""
        return np.sum(self.amplitude**2, axis=0) / 2

    @property
    def layer(self) -> Layer:
        """Its eddies, and its profile."""
        return Layer(self.profile, eddies=self)

    def repeating(self, period: float) -> "Turbulence":
        """The same turbulence with this loop, s."""
        return replace(self, loop=period)

    def resolving(self, seconds: float, frequency: float) -> "Turbulence":
        """Turbulence with waves so close about a frequency, Hz, that a record of these seconds cannot tell them apart.

        Fewer make a spectrum of lines with nothing between them: no longer record would tell more of a resonance.
        """
        above = int(np.clip(np.searchsorted(self._edges, frequency), 1, len(self._edges) - 1))
        lines = seconds * float(self._edges[above] - self._edges[above - 1])
        return replace(self, waves=min(math.ceil(lines * self.waves), MOST_WAVES)) if lines > 1 else self

    def spectrum(self, frequencies: ArrayLike) -> FloatArray:
        """The formula's one-sided density (…, 3) at 10 m, (m/s)²/Hz, inside the band and outside of it."""
        return self.formula.density(np.asarray(frequencies, np.float64))

    def coherence(self, frequencies: ArrayLike, distance: ArrayLike) -> FloatArray:
        """(…,) coherence of two points, `distance` m apart across the wind, at frequencies in Hz: exp(-c f d / U)."""
        return np.exp(-self.decay / self.pace * np.multiply(frequencies, distance))

    @cached_property
    def turns(self) -> FloatArray:
        """(waves, 4) turns per second, and per metre along x, y and z of the world."""
        frequency, *across = self._turns.T
        own = np.stack([-frequency / self.pace, *across], axis=1)
        return np.column_stack([frequency, own @ wind_axes(self.direction)])

    @cached_property
    def _edges(self) -> FloatArray:
        """(waves + 1,) edges of the bins, Hz. In a loop they lie midway between multiples of 1/loop, each once."""
        if self.loop is None:
            return _bin_edges(self.low, self.high, self.waves)
        first, last = max(1.0, round(self.low * self.loop)), max(1.0, math.floor(self.high * self.loop))
        ideal = _bin_edges(first / self.loop, (last + 1) / self.loop, self.waves)
        return (np.unique(np.rint(ideal * self.loop)) - 0.5) / self.loop

    @cached_property
    def _turns(self) -> FloatArray:
        """(waves, 3) turns per second, per metre left and per metre up."""
        index = np.arange(len(self.frequency))
        # A plane's most even sequence (the plastic number's) gives neighbours in frequency unlike wave numbers.
        plastic = 1.324717957244746
        rank = (draw(self.seed, RANK) + index / plastic) % 1.0
        angle = (draw(self.seed, ANGLE) + index / plastic**2) % 1.0
        alpha = self.decay * self.frequency / self.pace
        across = alpha * _radial(rank) / (2 * math.pi)
        left, up = across * np.cos(2 * math.pi * angle), across * np.sin(2 * math.pi * angle)
        return np.stack([self.frequency, left, up], axis=-1)

    def _flow(self, points: FloatArray, t: FloatArray | float) -> FloatArray:
        along, left, up = axes = wind_axes(self.direction)
        passed = t - points @ along / self.pace
        if self.loop is not None:
            passed = passed % self.loop
        places = np.stack([passed, points @ left, points @ up])
        waves = sum_of_waves(self._turns, self.phasor.T, places)
        return (waves * self.profile.eddies(points).T).T @ axes


def _radial(rank: FloatArray) -> FloatArray:
    """κ/α for ranks in [0, 1): a share 1 - α/√(α² + κ²) of the waves has smaller wave numbers; cut at `FINEST`."""
    beyond = 1 - rank * (1 - 1 / math.hypot(1, FINEST))
    return np.sqrt(1 / beyond**2 - 1)


def _bin_edges(low: float, high: float, count: int) -> FloatArray:
    """(count + 1,) edges of bins, Hz: evenly on a logarithmic axis, and finer where trees resonate."""
    knots = np.log([low, *(f for f in RESONANT if low < f < high), high])
    inside = [RESONANT[0] <= math.exp(middle) <= RESONANT[1] for middle in (knots[:-1] + knots[1:]) / 2]
    share = np.concatenate([[0.0], np.cumsum(np.diff(knots) * np.where(inside, FINER, 1.0))])
    edges = np.exp(np.interp(np.linspace(0, share[-1], count + 1), share, knots))
    edges[[0, -1]] = low, high
    return edges


def _integrals(density: Callable[[FloatArray], FloatArray], edges: FloatArray) -> FloatArray:
    """(bins, …) ∫ S df over each bin, by Gauss and Legendre on a logarithmic axis."""
    nodes, weights = np.polynomial.legendre.leggauss(8)
    log_low, log_high = np.log(edges[:-1]), np.log(edges[1:])
    half = (log_high - log_low) / 2
    f = np.exp(((log_high + log_low) / 2)[:, None] + half[:, None] * nodes)
    return np.einsum("bn,bn...->b...", half[:, None] * weights * f, density(f))


def sum_of_waves(turns: FloatArray, phasors: NDArray[np.complex128], places: FloatArray) -> FloatArray:
    """Σₖ Re phasors[:, k] exp 2πi(turns[k] · places[:, n]), as (components, n).

    turns    (waves, d)           turns for each unit of place
    phasors  (components, waves)
    places   (d, n)
    """
    out = np.empty((len(phasors), places.shape[1]))
    real, imaginary = np.ascontiguousarray(phasors.real), np.ascontiguousarray(phasors.imag)
    count = places.shape[1]
    scratch = np.empty((4, len(turns) * min(BLOCK, count)))
    for start in range(0, count, BLOCK):
        block = slice(start, min(start + BLOCK, count))
        width = block.stop - block.start
        phase, other, square, series = scratch[:, : len(turns) * width].reshape(4, len(turns), width)
        np.matmul(turns, places[:, block], out=phase)
        np.rint(phase, out=square)
        np.subtract(phase, square, out=phase)
        np.abs(phase, out=other)
        np.subtract(0.25, other, out=other)  # cos 2πx = sin 2π(1/4 - |x|)
        out[:, block] = real @ _sine(other, square, series)
        np.abs(other, out=other)
        np.subtract(0.25, other, out=other)
        np.copysign(other, phase, out=other)  # sin 2πx = ± sin 2π(1/4 - |1/4 - |x||)
        out[:, block] -= imaginary @ _sine(other, square, series)
    return out


def _sine(y: FloatArray, square: FloatArray, series: FloatArray) -> FloatArray:
    """Put sin 2πy, |y| ≤ 1/4, into `series`; `square` is overwritten."""
    np.multiply(y, y, out=square)
    np.multiply(square, SINE[-1], out=series)
    for coefficient in SINE[-2:0:-1]:
        series += coefficient
        series *= square
    series += SINE[0]
    series *= y
    return series
