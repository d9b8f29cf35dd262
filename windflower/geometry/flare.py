"""How a trunk widens at the ground: a round flare, and buttresses that run out into the roots. It is drawn only.

Twin of `widened` in deform.wgsl. The mechanics knows nothing of it: it has the radii of the plant.
"""

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.randomness import draw

__all__ = ["BUTTRESSED", "BUTTRESSES", "ROUND", "buttress_angles", "mean_widening", "phase_of", "widened"]

BUTTRESSED = 0.6  # smallest flare of a trunk with buttresses
BUTTRESSES = 6
ROUND = 10  # sides below which a tube has no buttresses
KEY = 68  # of the random numbers of this module
SHARE = 0.3  # mean of a ridge over its crest


def phase_of(root: IntArray, radius: FloatArray) -> FloatArray:
    """Random number in [0, 1) that turns and bends the buttresses of a trunk: by its rank and its radius, m."""
    whole = np.round(1e4 * radius).astype(np.int64)
    return np.asarray(0.999 * draw(KEY, root, whole))


def _warped(angle: FloatArray, phase: FloatArray) -> FloatArray:
    """The angle around a trunk, bent, so that buttresses are unevenly apart."""
    turn = 2 * np.pi * phase
    return np.asarray(angle + 0.25 * np.sin(angle + turn) + 0.12 * np.sin(2 * angle + 3 * turn))


def _ridge(angle: FloatArray, phase: FloatArray) -> FloatArray:
    """How much of a buttress there is at an angle, 0 to 1."""
    high = 0.8 + 0.2 * np.sin(angle + 4 * (2 * np.pi * phase))
    return np.asarray(high * (0.5 + 0.5 * np.cos(BUTTRESSES * _warped(angle, phase))) ** 2)


def widened(
    angle: FloatArray, along: FloatArray, foot: FloatArray, flare: FloatArray, phase: FloatArray, *, sides: int = 60
) -> FloatArray:
    """Factor on the radius at an angle, `along` m from the base of an axis with the radius `foot` there, m.

    sides  of the tube that is made: few sides cannot show buttresses, and have their mean
    """
    z = along / np.maximum(foot, 1e-4)
    ridge = _ridge(angle, phase) if sides >= ROUND else SHARE
    ridged = 0.5 * np.exp(-z / 1.8) + ridge * (0.7 * np.exp(-z / 1.1) + 0.8 * np.exp(-z / 0.3))
    return np.asarray(1 + flare * np.where(flare > BUTTRESSED, ridged, np.exp(-z / 1.6)))


def mean_widening(along: FloatArray, foot: FloatArray, flare: FloatArray) -> FloatArray:
    """Factor on the girth: the mean of `widened` around the trunk."""
    z = along / np.maximum(foot, 1e-4)
    ridges = 0.5 * np.exp(-z / 1.8) + SHARE * (0.7 * np.exp(-z / 1.1) + 0.8 * np.exp(-z / 0.3))
    return np.asarray(1 + flare * np.where(flare > BUTTRESSED, ridges, np.exp(-z / 1.6)))


def buttress_angles(phase: FloatArray) -> FloatArray:
    """Angles (…, BUTTRESSES) of the crests about a trunk, rad, of each phase (…)."""
    wanted = 2 * np.pi * np.arange(BUTTRESSES) / BUTTRESSES
    angle, own = np.broadcast_to(wanted, (*phase.shape, BUTTRESSES)), phase[..., None]
    for _ in range(40):  # a contraction: what is wrong halves
        angle = wanted - (_warped(angle, own) - angle)
    return np.asarray(angle)
