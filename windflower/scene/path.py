"""A smooth way through points: a Catmull-Rom spline over any knots, and the same way at one speed."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.interpolate import CubicHermiteSpline

from windflower.core.arrays import FloatArray

__all__ = ["Path", "centripetal_knots"]

PIECES = 128
"""Straight pieces by which the curve between two points is measured: its length is right to 1e-4."""


@dataclass(frozen=True, eq=False)
class Path:
    """Through points (n, d) at increasing knots (n,); a closed one names its first point again at the end.

    The tangent at a point is the slope between its two neighbours (Catmull & Rom 1974), at an open end that of the
    only piece there.
    """

    points: FloatArray
    knots: FloatArray
    closed: bool = False

    @cached_property
    def _curve(self) -> CubicHermiteSpline:
        p, u = self.points, self.knots
        slope = np.diff(p, axis=0) / np.diff(u)[:, None]
        tangent = np.concatenate([slope[:1], (p[2:] - p[:-2]) / (u[2:] - u[:-2])[:, None], slope[-1:]])
        if self.closed:
            around = (u[1] - u[0]) + (u[-1] - u[-2])
            tangent[[0, -1]] = (p[1] - p[-2]) / around
        return CubicHermiteSpline(u, p, tangent)

    def at(self, knot: float) -> FloatArray:
        """The point at a knot or between two; the ends beyond them."""
        return np.asarray(self._curve(np.clip(knot, self.knots[0], self.knots[-1])))

    def heading(self, knot: float) -> FloatArray:
        """Unit vector along the way."""
        slope = np.asarray(self._curve(np.clip(knot, self.knots[0], self.knots[-1]), 1))
        return slope / max(float(np.linalg.norm(slope)), 1e-12)

    def knot_after(self, share: float) -> float:
        """The knot at which this share, 0 to 1, of the way is behind."""
        knots, walked = self._measured
        return float(np.interp(share * walked[-1], walked, knots))

    @cached_property
    def _measured(self) -> tuple[FloatArray, FloatArray]:
        """Many knots, and how far each is along the way, m."""
        fine = np.arange(PIECES * (len(self.knots) - 1) + 1) / PIECES
        knots = np.interp(fine, np.arange(len(self.knots)), self.knots)
        steps = np.linalg.norm(np.diff(self._curve(knots), axis=0), axis=1)
        return knots, np.concatenate([[0.0], np.cumsum(steps)])


def centripetal_knots(points: FloatArray) -> FloatArray:
    """(n,) knots apart by the root of the distance of their points: no loops and no cusps (Lee 1989)."""
    apart = np.sqrt(np.linalg.norm(np.diff(points, axis=0), axis=1))
    return np.concatenate([[0.0], np.cumsum(apart)])
