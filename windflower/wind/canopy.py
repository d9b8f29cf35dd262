"""The wind over and in a deep, uniform forest, in heights of the canopy and in u*, the friction velocity above it.

Inside, drag takes up the momentum that comes down, and the mean wind falls off exponentially:

    U(z) = U(h) exp(-a (1 - z/h))           U(h) = 3.3 u*,  a = h/L_s,  L_s = U(h)/U'(h)

By leaf area a = x / 2(1 - exp(-x)), x² = 7.5 LAI: the mean depth of the drag below h, which with a constant mixing
length is L_s/2 (Raupach 1994; Harman & Finnigan 2007). Forests have 2 to 3. Above is the logarithmic law over a
displaced ground, d = 0.75 h. By itself it would be too slow at h and have a kink there, as a canopy's eddies mix the
air better than a wall's. What they take off the shear decays upward,

    U'(z) = u* / κ(z - d) · (1 - m exp(-(z - h)/2(h - d)))          m = 1 - κ (h - d) U'(h) / u*,

and so the slope is continuous at h. Its integral, from U(h) upward, is continuous too, and far above it is the law of
a roughness length z0 = 0.067 h to 0.091 h (0.08 on the mean), dense canopies having the smaller one.

Eddies: σ = 1.8, 1.45, 1.1 u* at h along, left and up, whence an intensity of 0.55. Upward they tend to the surface
layer's 2.4, 1.92, 1.2 u*, downward they decay more slowly than the mean wind does, so that the intensity grows. The
dominant ones are 8.1 L_s apart and are carried at 1.8 U(h) (Raupach, Finnigan & Brunet 1996).
"""

import math

import numpy as np
from scipy.special import exp1

from windflower.core.arrays import FloatArray
from windflower.wind.spectra import CANOPY_TOP, FRICTION, SHEAR_RATIOS

__all__ = [
    "CARRIED",
    "DISPLACEMENT",
    "SPACING",
    "TOP_SPEED",
    "canopy_deviation",
    "canopy_exponent",
    "canopy_speed",
    "roughness",
]

KARMAN = 0.4
TOP_SPEED = 3.3  # U(h) / u*
DISPLACEMENT = 0.75  # d / h
DRAG = 7.5  # c_d1 of Raupach (1994), for leaf area per ground area
DENSITY = 2.0, 3.0  # least and largest h/L_s of a forest
FADES = 2.0  # heights h - d over which the canopy's share of the shear falls to 1/e above it
ALOFT = FRICTION * SHEAR_RATIOS  # σ / u* of the surface layer, above the canopy's reach
REACH = 0.5  # heights over which σ goes over into it
SLOWER = 0.7  # decay of σ inside, over that of the mean wind
GROUND = 0.02  # heights within which the ground itself makes the air calm
CARRIED = 1.8
"""Speed at which eddies and gust fronts run over a forest, over the mean wind at its top."""
SPACING = 8.1
"""Distance from eddy to eddy along the wind, over L_s."""


def canopy_exponent(leaf_area: FloatArray) -> FloatArray:
    """h/L_s of forests with these leaf areas per ground area: 2 to 3."""
    x = np.sqrt(DRAG * np.clip(leaf_area, 0.1, 100.0))
    return np.clip(-x / (2 * np.expm1(-x)), *DENSITY)


def canopy_speed(height: FloatArray, exponent: FloatArray) -> FloatArray:
    """Mean wind over u*, at heights over that of the canopy, for these h/L_s."""
    z, a = np.broadcast_arrays(height, exponent)
    speed = np.asarray(TOP_SPEED * np.exp(a * (np.minimum(z, 1.0) - 1)) * _ground(z))
    high = z > 1
    over = (z[high] - DISPLACEMENT) / (1 - DISPLACEMENT)
    speed[high] += (np.log(over) + _lack(a[high]) * (_sublayer(over) - _sublayer(1.0))) / KARMAN
    return speed


def canopy_deviation(height: FloatArray, exponent: FloatArray) -> FloatArray:
    """(…, 3) standard deviations along, left and up over u*, at heights over that of the canopy."""
    down = np.exp(SLOWER * exponent * (np.minimum(height, 1.0) - 1)) * _ground(height)
    up = 1 - np.exp((1 - np.maximum(height, 1.0)) / REACH)
    return np.asarray(down[..., None] * (CANOPY_TOP + up[..., None] * (ALOFT - CANOPY_TOP)))


def roughness(exponent: FloatArray) -> FloatArray:
    """Roughness length of the logarithmic law far above, over the height of the canopy."""
    return np.asarray((1 - DISPLACEMENT) * np.exp(_lack(exponent) * _sublayer(1.0) - KARMAN * TOP_SPEED))


def _ground(height: FloatArray) -> FloatArray:
    return -np.expm1(-np.maximum(height, 0.0) / GROUND)


def _lack(exponent: FloatArray) -> FloatArray:
    """m: what of a wall's shear is lacking at the canopy's top."""
    return 1 - KARMAN * (1 - DISPLACEMENT) * TOP_SPEED * exponent


def _sublayer(over: FloatArray | float) -> FloatArray:
    """∫ exp(-(x - 1)/FADES) dx/x from a height above the displaced ground, over that of the canopy's top, upward."""
    return np.asarray(math.exp(1 / FADES) * exp1(np.divide(over, FADES)))
