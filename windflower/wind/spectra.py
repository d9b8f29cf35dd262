"""Spectra of wind: one-sided power spectral densities S(f), (m/s)²/Hz, of the components along, left and up.

U is the mean speed, σ the standard deviation along the wind, L a length scale of the turbulence; with n = f L / U:

kaimal     S_k = 4 σ_k² (L_k/U) / (1 + 6 n_k)^(5/3), as IEC 61400-1: σ = 1, .8, .5 and L = 1, 1/3, .0815 of those along
karman     S_u = 4 σ² (L/U) / (1 + 71 n²)^(5/6), S_v = S_w = 2 σ² (L/U) (1 + 189 n²) / (1 + 71 n²)^(11/6)
davenport  f S = (2/3) σ² n² / (1 + n²)^(4/3), L = 1200 m; σ² = 6 κ U² is his 4 κ U² n² / (1 + n²)^(4/3)
canopy     Kaimal's form at the top of a forest: σ = 1, .81, .61 and L = 1, 1/2, 1/3 of those along
noise      S ∝ 1 / f^β (Ota et al. 2003), with variance σ² between the two ends of its band

Kaimal, von Kármán (to 0.3 %, by IEC's rounding) and Davenport integrate to σ² over all frequencies. Davenport's and
the noise's sideways and vertical components are given Kaimal's ratios .8 and .5.

Over the ground u and w are correlated, as friction brings slow air up and fast air down: ∫ C_uw df = -u*², with
σ = 2.4 u*. Their cospectrum is that of Kaimal et al. (1972), f C_uw = -14 u*² n / (1 + 9.6 n)^2.4 with n = f z / U, for
the spectra of the surface layer; isotropic turbulence and noise have none. At the top of a forest σ = 1.8 u*, and the
correlation is -0.5: f C_uw = -(4/3) u*² x / (1 + x)^(7/3) with x = 5 f √(L_u L_w) / U, which falls off with Kaimal's
exponent, peaks where u does, and is nowhere more than 0.84 of √(S_u S_w). There f S peaks at f h / U(h) = 0.15 for u
and 0.45 for w (Kaimal & Finnigan 1994), whence the ratio of the lengths; that of v lies between.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from windflower.core.arrays import FloatArray

__all__ = [
    "CANOPY_TOP",
    "FRICTION",
    "RATIOS",
    "SHEAR_RATIOS",
    "SPECTRA",
    "Canopy",
    "Davenport",
    "Form",
    "Kaimal",
    "Karman",
    "Noise",
    "Spectrum",
]

HEIGHT = 10.0  # m, of all spectra
FRICTION = 2.4  # σ over u*, over open ground

SHEAR_RATIOS = np.array([1.0, 0.8, 0.5])
"""σ along, left and up over σ along, in the surface layer (IEC 61400-1)."""

CANOPY_TOP = np.array([1.8, 1.45, 1.1])
"""σ along, left and up over u*, at the top of a forest (Raupach, Finnigan & Brunet 1996)."""

PEAK = 0.25  # f L / U at which f S of Kaimal's form is largest


@dataclass(frozen=True)
class Kaimal:
    """The surface layer's spectrum in the form of IEC 61400-1; `length` is L along the wind, 8.1 Λ."""

    speed: float
    sigma: float
    length: float = 8.1 * 0.7 * 10

    def density(self, f: FloatArray) -> FloatArray:
        """(…, 3) spectral density at frequencies (…,) in Hz."""
        sigma = self.sigma * SHEAR_RATIOS
        length = self.length * np.array([1.0, 2.7 / 8.1, 0.66 / 8.1])
        n = f[..., None] * length / self.speed
        return 4 * sigma**2 * (length / self.speed) / (1 + 6 * n) ** (5 / 3)

    def shear(self, f: FloatArray) -> FloatArray:
        """(…,) cospectrum of the components along and up."""
        return _shear(f, self.speed, self.sigma)


@dataclass(frozen=True)
class Karman:
    """Isotropic turbulence in the form of IEC 61400-1; `length` is 3.5 Λ."""

    speed: float
    sigma: float
    length: float = 3.5 * 0.7 * 10

    def density(self, f: FloatArray) -> FloatArray:
        """(…, 3) spectral density at frequencies (…,) in Hz."""
        square = (f * self.length / self.speed) ** 2
        scale = self.sigma**2 * self.length / self.speed
        along = 4 * scale / (1 + 71 * square) ** (5 / 6)
        across = 2 * scale * (1 + 189 * square) / (1 + 71 * square) ** (11 / 6)
        return np.stack([along, across, across], axis=-1)

    def shear(self, f: FloatArray) -> FloatArray:
        """(…,) cospectrum of the components along and up: none, as all directions are alike."""
        return np.zeros(np.shape(f))


@dataclass(frozen=True)
class Davenport:
    """Strong winds over land, with the energy at long waves; `length` is 1200 m in the original."""

    speed: float
    sigma: float
    length: float = 1200.0

    def density(self, f: FloatArray) -> FloatArray:
        """(…, 3) spectral density at frequencies (…,) in Hz."""
        scale = self.length / self.speed
        x = f * scale
        along = (2 / 3) * self.sigma**2 * scale * x / (1 + x**2) ** (4 / 3)
        return along[..., None] * SHEAR_RATIOS**2

    def shear(self, f: FloatArray) -> FloatArray:
        """(…,) cospectrum of the components along and up."""
        return _shear(f, self.speed, self.sigma)


@dataclass(frozen=True)
class Canopy:
    """The mixing layer at the top of a forest; `length` is L along the wind, three times that of the component up."""

    speed: float
    sigma: float
    length: float = 30.0

    @staticmethod
    def length_for(spacing: float) -> float:
        """The length L, m, for which the component up is strongest at waves `spacing` m long."""
        return 3 * PEAK * spacing

    def density(self, f: FloatArray) -> FloatArray:
        """(…, 3) spectral density at frequencies (…,) in Hz."""
        sigma = self.sigma * CANOPY_TOP / CANOPY_TOP[0]
        length = self.length * np.array([1.0, 1 / 2, 1 / 3])
        n = f[..., None] * length / self.speed
        return 4 * sigma**2 * (length / self.speed) / (1 + 6 * n) ** (5 / 3)

    def shear(self, f: FloatArray) -> FloatArray:
        """(…,) cospectrum of the components along and up."""
        scale = 5 * self.length / np.sqrt(3) / self.speed
        return -(4 / 3) * (self.sigma / CANOPY_TOP[0]) ** 2 * scale / (1 + scale * f) ** (7 / 3)


@dataclass(frozen=True)
class Noise:
    """1/f^β noise (Ota et al. 2003) between two frequencies in Hz, with all of its variance there."""

    sigma: float
    exponent: float
    low: float
    high: float

    def density(self, f: FloatArray) -> FloatArray:
        """(…, 3) spectral density at frequencies (…,) in Hz; zero outside the band."""
        power = 1 - self.exponent
        span = np.log(self.high / self.low)
        # ∫ f^-β df between the ends; expm1 keeps it right for β near 1, where it is the logarithm.
        area = self.low**power * (np.expm1(power * span) / power if power else span)
        inside = (f >= self.low) & (f <= self.high)
        along = np.where(inside, np.maximum(f, self.low) ** -self.exponent, 0.0) * self.sigma**2 / area
        return np.asarray(along)[..., None] * SHEAR_RATIOS**2

    def shear(self, f: FloatArray) -> FloatArray:
        """(…,) cospectrum of the components along and up: none."""
        return np.zeros(np.shape(f))


def _shear(f: FloatArray, speed: float, sigma: float) -> FloatArray:
    """Kaimal's cospectrum, whose integral over all frequencies is -u*²."""
    n = f * HEIGHT / speed
    area = 14 / (9.6 * 1.4)
    return -((sigma / FRICTION) ** 2) / area * 14 * (HEIGHT / speed) / (1 + 9.6 * n) ** 2.4


Form = Literal["kaimal", "karman", "davenport", "canopy", "noise"]
"""Name of a spectrum."""

Spectrum = Kaimal | Karman | Davenport | Canopy | Noise
SPECTRA: dict[str, type[Kaimal] | type[Karman] | type[Davenport] | type[Canopy]] = {
    "kaimal": Kaimal,
    "karman": Karman,
    "davenport": Davenport,
    "canopy": Canopy,
}
RATIOS: dict[str, FloatArray] = {
    "kaimal": SHEAR_RATIOS,
    "karman": np.ones(3),
    "davenport": SHEAR_RATIOS,
    "canopy": CANOPY_TOP / CANOPY_TOP[0],
    "noise": SHEAR_RATIOS,
}
"""σ along, left and up over σ along, of each form."""
