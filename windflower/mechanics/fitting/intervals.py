"""How far a fitted value may go, all else following it, until the measurements object: the profile of the likelihood.

The sum of squares is least at the fit. An end of a 95 % interval is where it has risen by 3.84 although everything else
that is sought was fitted anew. Near buckling, and along ridges on which frequencies hardly change, that is not the
ellipse of the errors at the fit (Gauss and Newton), and where it never rises so far the interval is open.
"""

from dataclasses import dataclass
from math import inf, sqrt

import numpy as np
from scipy.linalg import null_space

from windflower.core.arrays import FloatArray
from windflower.errors import BucklingError
from windflower.mechanics.fitting.search import WIDEST, Search

__all__ = ["Intervals"]

RISE = 1.96  # root of the rise at the ends of a 95 % interval
FAR = 0.25  # change of a logarithm from which on the plant is analysed afresh
FIRST, GROWS, TRIES = 0.5, 1.6, 12  # longest first step, how steps grow, and how often an end is bettered
NEAR = 0.02  # of RISE: an end is found
BEYOND = 2 * RISE  # for what cannot be


class Intervals:
    """The intervals of sums of what was sought, about the place where a search ended."""

    def __init__(self, search: Search) -> None:
        self._search, self._best = search, search.misfit(search.at)
        found = search.jacobian()[:, search.sought]
        told = found.T @ found + 1e-9 * np.eye(len(search.sought))
        self._known: dict[tuple[float, ...], float] = {}
        self._covariance = np.asarray(np.linalg.inv(told), np.float64)

    def ends(self, parts: FloatArray) -> tuple[float, float]:
        """By how much a sum Σ parts · at may fall and rise; 0 for what was held, inf where nothing holds it.

        parts  (4,) of the logarithms of stiffness, roots, crown and mass
        """
        way = np.asarray(parts, float)[self._search.sought]
        if not way.any():
            return 0.0, 0.0
        return self._end(tuple(-way)), self._end(tuple(way))

    def _end(self, way: tuple[float, ...]) -> float:
        if way not in self._known:
            self._known[way] = _Profile(self._search, self._best, np.array(way), self._covariance).crossing()
        return self._known[way]


class _Profile:
    """The least sum of squares at a given change t of a sum of what was sought."""

    def __init__(self, search: Search, best: float, way: FloatArray, covariance: FloatArray) -> None:
        spread = covariance @ way
        self._at, self._sought, self._best = search.at, search.sought, best
        self._ahead, self._step = spread / (way @ spread), sqrt(float(way @ spread))
        self._beside = null_space(way[None])  # (sought, others)
        self._longest = WIDEST * float(np.abs(way).max())
        self._reached = _Reached(0.0, 0.0, np.zeros(self._beside.shape[1]), search, search.at)

    def crossing(self) -> float:
        """The change at which it has risen by RISE²; inf where it never does."""
        last, high = self._reached, self._risen(min(RISE * self._step, FIRST))
        while high.risen < RISE * (1 - NEAR):
            if high.t >= self._longest:
                return inf
            last = self._reached = high
            high = self._risen(min(GROWS * high.t, self._longest))
        for _ in range(TRIES):
            if high.risen < RISE * (1 + NEAR):
                break
            share = (RISE - last.risen) / (high.risen - last.risen)
            middle = self._risen(last.t + (high.t - last.t) * min(max(share, 0.1), 0.9))
            if middle.risen < RISE * (1 - NEAR):
                last = self._reached = middle
            else:
                high = middle
        return high.t

    def _risen(self, t: float) -> "_Reached":
        """How much the root of the sum of squares has risen there; all else starts where it was last reached.

        Far from where the plant was analysed it is analysed afresh.
        """
        last = self._reached
        others = self._followed(last.search, t, last.others)
        place, search, analysed = self._place(t, others), last.search, last.analysed
        if np.abs(place - analysed)[:3].max() > FAR:
            try:
                search, analysed = search.beside(place), place
            except BucklingError:
                return _Reached(t, BEYOND, others, search, analysed)  # no tree stands there
            others = self._followed(search, t, others)
        more = search.misfit(self._place(t, others)) - self._best
        return _Reached(t, sqrt(max(more, 0.0)), others, search, analysed)

    def _followed(self, search: Search, t: float, start: FloatArray) -> FloatArray:
        """All else that was sought, fitted anew."""
        from scipy.optimize import least_squares  # slow to import, and seldom needed

        if not len(start):
            return start

        def off(others: FloatArray) -> FloatArray:
            return search.residuals(self._place(t, others))

        return np.asarray(least_squares(off, start, x_scale=max(self._step, 1e-3), xtol=1e-6, ftol=1e-6).x)

    def _place(self, t: float, others: FloatArray) -> FloatArray:
        x = self._at.copy()
        x[self._sought] += t * self._ahead + self._beside @ others
        return x


@dataclass(frozen=True, eq=False)
class _Reached:
    """A change t, how far the root of the sum of squares has risen there, all else, and the plant analysed nearby."""

    t: float
    risen: float
    others: FloatArray
    search: Search
    analysed: FloatArray
