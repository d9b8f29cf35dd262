"""Turns by an angle that is the length of their vector, up to about a right angle, and the moments that drive them.

A vector d is turned by r through h = t(|r|) r/|r|, the tangent of half the angle:

    d' = d + 2/(1 + h²) (h × d + h × (h × d))

which keeps lengths whatever h is; only the angle depends on how well t is known. That angle is

    a = |r| / (1 + (|r|/MOST)⁸)^⅛,    t = a/2 (15 - a²/4) / (15 - 6 a²/4)

the first terms of the continued fraction of tan(a/2), right to 2e-4 rad at 90° and 2e-3 at the limit. So an amplitude
that bends twice as much turns twice as far, which keeps the energy of bending a square of amplitudes; and beyond a
right angle (89° for 90°, 97° for 100°) the turn goes to its limit, so that nothing curls up. No sine is asked for: a
device may give it with errors that would show as lengths.
"""

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.components import cross, dot

__all__ = ["MOST", "moments", "turned_far"]

MOST = 2.1  # rad, 120°: no turn goes beyond
LARGEST = 1e4  # of the components of a rotation vector, so that no power of it is infinite in float32


def turned_far(d: FloatArray, r: FloatArray) -> FloatArray:
    """Vectors d (3, …) turned by rotation vectors r (3, …); lengths stay."""
    r = np.clip(r, -LARGEST, LARGEST)
    square = dot(r, r)
    soft = np.sqrt(np.sqrt(1 + (square / MOST**2) ** 4))
    half = _half(square, soft)
    h = half * r
    across = cross(h, d)
    bent = cross(h, across)
    bent += across
    bent *= 2 / (1 + half * half * square)
    bent += d
    return bent


def moments(d: FloatArray, r: FloatArray, force: FloatArray, still: FloatArray) -> FloatArray:
    """(3, …) by how much the work of forces at the tips of vectors d, turned by r, grows with each component of r.

    `still` is d × force, which it is without a turn. The exact derivative of `turned_far`: the work is

        W = d·F + 2/(1 + h²) B,    B = h · still + (h·d) (h·F) - h² (d·F)

    with the gradient z over h; and with h = m(r²) r that over r is m z + 2 m' (r·z) r.
    """
    r = np.clip(r, -LARGEST, LARGEST)
    square = dot(r, r)
    power = (square / MOST**2) ** 4
    soft = np.sqrt(np.sqrt(1 + power))
    half = _half(square, soft)
    h = half * r
    twice = 2 / (1 + half * half * square)
    along_d, along_force, along = dot(h, d), dot(h, force), dot(d, force)
    both = dot(h, still) + along_d * along_force - half * half * square * along
    z = twice * (still + d * along_force + force * along_d - (2 * along + twice * both) * h)
    y = square / (4 * soft)
    slope = ((6 / (15 - 6 * y) - 1 / (15 - y)) / (4 * soft) - square**3 / (2 * MOST**8)) / (1 + power)
    return np.asarray(half * (z + 2 * slope * dot(r, z) * r))


def _half(square: FloatArray, soft: FloatArray) -> FloatArray:
    """t/|r| for r² and (1 + (r²/MOST²)⁴)^¼."""
    y = square / (4 * soft)
    return np.asarray((7.5 - 0.5 * y) / ((15 - 6 * y) * np.sqrt(soft)))
