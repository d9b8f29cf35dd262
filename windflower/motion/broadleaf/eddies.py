"""Eddies that blades shed in a wind: they run along a blade and make its rims flutter.

A plate of width w sheds eddies at f = St U/w, with the Strouhal number St ≈ 0.2; each blade has a phase that goes so.
"""

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.components import length
from windflower.plant.blades import Blades

__all__ = ["SHARE", "WAVES", "eddies", "first_phase", "later_phase", "pace_of"]

STROUHAL = 0.2
SHARE = 2.2  # of the wind's speed, that an eddy has at the rim: fitted to what one sees, docs/broadleaf.md
WAVES = 0.25  # along a blade: more would lengthen its veins
FASTEST = 2 * np.pi * 12  # rad/s: what is seen as flutter


def pace_of(blades: Blades) -> FloatArray:
    """(blades,) how fast phases advance for each m/s of wind, rad/m."""
    return np.asarray(2 * np.pi * STROUHAL / (2 * blades.half_width.max(axis=1)))


def first_phase(blades: Blades) -> FloatArray:
    """(blades,) rad: differs with a blade's length and height, so that leaves do not beat as one."""
    return np.asarray((40 * blades.ribs.length + 30 * blades.point[:, 0, blades.middle, 1]) % (2 * np.pi))


def eddies(phase: FloatArray, air: FloatArray, pace: FloatArray, across: int, flutter: float) -> FloatArray:
    """(count, blades, along, across) air along the normals of points, m/s; none at the mid-rib.

    A blade so small that it would shed eddies faster than is seen follows the slower ones only: these are weaker.

    phase    (count, blades) rad
    air      (3, count, blades, along, 1) the wind at rows, m/s
    pace     (blades,) of phases, rad/m
    flutter  factor on all of it
    """
    run, out = np.linspace(0, 1, air.shape[3]), np.linspace(-1, 1, across)
    beat = np.sin(phase[..., None] - 2 * np.pi * WAVES * run)
    speed = length(air)
    felt = np.sqrt(np.minimum(FASTEST / np.maximum(pace[:, None, None] * speed, 1e-12), 1))
    return np.asarray((flutter * SHARE * beat)[..., None] * speed * felt * out**2)


def later_phase(phase: FloatArray, air: FloatArray, pace: FloatArray, h: FloatArray) -> FloatArray:
    """Phases after h seconds (count, 1), in the wind at the middle rows."""
    speed = length(air[:, :, :, air.shape[3] // 2, 0])
    return np.asarray((phase + h * np.minimum(pace * speed, FASTEST)) % (2 * np.pi))
