"""The search of a fit: least squares in logarithms, of the factors on stiffness, roots and crown and of all mass.

Near the weight that it can just bear a tree sways ever more slowly: the buckling limit is the end of the search.
"""

from collections.abc import Sequence
from copy import copy
from math import exp, log, pi

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.errors import BucklingError, MechanicsError
from windflower.mechanics.fitting.measured import Measured, Pull
from windflower.mechanics.fitting.reduced import Factors, FullPlant, ReducedPlant
from windflower.mechanics.fitting.sightings import Sighting, sightings

__all__ = ["FREE", "MOST", "WIDEST", "Search", "factors_of"]

FREE = ("stiffness", "roots", "crown")
"""What can be sought, in the order in which measurements are spent on it."""
WIDEST = log(100.0)  # of the search, to each side
ROUNDS, CLOSE = 8, 1e-3  # of search and fresh analysis, and the change at which it ends
MODES, MOST = 10, 48  # that are looked at, at first and at most
STARTS = (0.0, -1.5, 1.5)  # logarithms of the roots' factor from which a search begins
LIKELY = 1.0  # of the logarithms, about the model as it is given: what holds the first round near it
FITS = 4.0  # mean square of differences over standard errors, up to which a fit fits
SAME = 1e-6  # logarithms that lie closer are one place
EDGE = 0.98  # how near to buckling a step may go


class Search:
    """Where the model has what was measured.

    at        (4,) logarithms of stiffness, roots, crown and of the mass of all
    sought    which of them are sought
    at_limit  whether it ended where the plant would buckle
    """

    def __init__(
        self,
        full: FullPlant,
        measured: Sequence[Measured],
        pull: Pull | None,
        numbers: Sequence[int] | None,
    ) -> None:
        self.full, self.pull = full, pull
        self.frequency = np.array([one.value for one in measured])
        self.error = np.array([one.error for one in measured])
        self.numbers = None if numbers is None else np.asarray(numbers, np.int64)
        nothing = np.zeros((0, full.plant.nodes, 6))
        self.reduced = ReducedPlant(full, nothing if pull is None else pull.loads(full.plant))
        self.watched = full.pushed(nothing if pull is None else pull.watched(full.plant))
        self.at: FloatArray = np.zeros(4)
        self.sought: list[int] = []
        self.at_limit = False
        self.sightings: list[Sighting] = []
        self._learned: FloatArray | None = None
        self._reach = 0 if numbers is None else max(numbers) + 2  # modes to look at; 0 while it is not known

    def seek(self, free: Sequence[str] | None, *, scale: bool) -> None:
        """Choose what is sought."""
        clamped = self.full.conditions.roots == "clamped"
        possible = [name for name in FREE if not (name == "roots" and clamped)]
        if free is None:
            free = possible[: max(1, len(self.frequency) + (self.pull is not None) - scale)]
        wrong = next((name for name in free if name not in possible), None)
        if wrong is not None or not free:
            raise MechanicsError(
                f"what is sought is some of {', '.join(possible)}; "
                f"{'nothing is given' if wrong is None else f'{wrong!r:.40} is not'}. Leave it out for the usual."
            )
        if len(free) > len(self.frequency) + (self.pull is not None) - scale:
            raise MechanicsError(
                f"each thing sought takes a measurement; {', '.join(free)} are {len(free)}, and there are "
                f"{len(self.frequency)} frequencies. Seek fewer, or measure more."
            )
        self.sought = [FREE.index(name) for name in free] + [3] * scale

    def run(self) -> None:
        """Search from some starts, until one has an end that fits; else the best of them is the end.

        Which modes were measured depends on where one looks from: a frequency may be taken for that of another mode.
        """
        best: tuple[float, FloatArray, bool] | None = None
        for start in STARTS if 1 in self.sought and len(self.frequency) > 1 else STARTS[:1]:
            self.at = np.array([0.0, start, 0.0, 0.0])
            if not self._from_here():
                continue
            off = self.misfit(self.at)
            if best is None or off < best[0]:
                best = off, self.at.copy(), self.at_limit
            if off < FITS * len(self.frequency):
                return
        if best is None:
            raise BucklingError(
                "a tree stands before it is fitted; this one buckles under its own weight. Give it a stiffer --wood, "
                "or leave its weight out (--no-gravity on the command line, gravity=False in Python)."
            )
        self.at, self.at_limit = best[1:]
        self._learn(self.at)

    def _from_here(self) -> bool:
        """Search, analyse afresh where it ends, and search again until the two agree; False where nothing stands.

        Several trees may have the same few frequencies: the first round keeps to those that are like the model.
        """
        for _ in range(6):  # a tree that buckles gets stiffer wood to begin with
            try:
                self._learn(self.at)
                break
            except BucklingError:
                self.at[0] += log(2.0)
        else:
            return False
        for number in range(ROUNDS):
            before = self.at.copy()
            self.at = self._approached(before, self._best(before, near=number == 0 and len(self.sought) > 1))
            if number and np.abs(self.at - before).max() < CLOSE:
                break
        return True

    def _best(self, before: FloatArray, *, near: bool) -> FloatArray:
        """The place of least squares on the reduced plant; with `near`, of those that are likely, too."""
        from scipy.optimize import least_squares  # slow to import, and seldom needed

        sought = self.sought

        def placed(change: FloatArray) -> FloatArray:
            x = before.copy()
            x[sought] += change - 1
            return x

        def off(change: FloatArray) -> FloatArray:
            x = placed(change)
            found = self.residuals(x)
            return np.concatenate([found, x[sought] / LIKELY]) if near else found

        # from 1, and not from 0: the first step is as long as the start is large
        low, high = (1 + limit - np.clip(before[sought], -WIDEST, WIDEST) for limit in (-WIDEST, WIDEST))
        start = np.ones(len(sought))
        own = self.frequencies(before)[0]
        if sought == [0] and own > 0:
            start[0] += 2 * log(self.frequency[0] / own)
            if self.frequencies(placed(start))[0] <= 0:
                start[0] = 1.0
        start = np.clip(start, low, high)
        return placed(least_squares(off, start, bounds=(low - SAME, high + SAME), xtol=1e-10, ftol=1e-12).x)

    def _approached(self, good: FloatArray, wished: FloatArray) -> FloatArray:
        """The wished place, or the last before it at which the plant still stands."""
        self.at_limit = False
        for halved in range(12):
            place = good + (wished - good) * EDGE * 0.5 ** (halved - 1) if halved else wished
            try:
                self._learn(place)
                return place
            except BucklingError:
                self.at_limit = True
        return good

    def _learn(self, x: FloatArray) -> None:
        """Analyse at a place, and look which modes are seen there."""
        if self._learned is not None and np.abs(x - self._learned)[:3].max() < SAME:
            return
        count = max(MODES, self._reach)
        while True:
            modes = self.reduced.learn(factors_of(x), count)
            frequency = np.sqrt(modes[0]) / (2 * pi)
            wanted = 1.2 * self.frequency[-1] / self.frequency[0] * frequency[0]
            if self._reach or frequency[-1] > wanted or not len(frequency) == count < MOST:
                break
            count *= 2
        self._reach = max(self._reach, int(1.2 * np.count_nonzero(frequency < wanted)) + 4)
        self._learned = x.copy()
        self.sightings = sightings(self.reduced, factors_of(x), modes, self.frequency, self.numbers)

    def beside(self, x: FloatArray) -> "Search":
        """The same search with a fresh analysis at another place, where the same modes are followed by their shape."""
        other = copy(self)
        other.reduced = copy(self.reduced)
        other.reduced.learn(factors_of(x), max(MODES, self._reach))
        other.sightings = [one.on(other.reduced) for one in self.sightings]
        return other

    def frequencies(self, x: FloatArray) -> FloatArray:
        """(measurements,) of the model, Hz."""
        modes = self.reduced.modes(factors_of(x))
        return np.array([one.frequency(*modes) for one in self.sightings])

    def residuals(self, x: FloatArray) -> FloatArray:
        """(measurements,) differences from what was measured, over its standard errors."""
        off = (self.frequencies(x) - self.frequency) / self.error
        if self.pull is None:
            return np.asarray(off)
        turn = abs(float(self.reduced.leans(factors_of(x), self.watched).mean())) * self.pull.force
        tilt = max(turn / exp(x[3]), 1e-300)
        return np.append(off, log(tilt / np.radians(self.pull.tilt)) / self.pull.error)

    def misfit(self, x: FloatArray) -> float:
        """Sum of squares of the residuals."""
        return float(np.square(self.residuals(x)).sum())

    def jacobian(self) -> FloatArray:
        """(measurements, 4) of the residuals, by central differences."""
        step = 1e-4 * np.eye(4)
        return np.stack([(self.residuals(self.at + d) - self.residuals(self.at - d)) / 2e-4 for d in step], axis=1)


def factors_of(x: FloatArray) -> Factors:
    """The factors of these logarithms."""
    return Factors(*(exp(one) for one in np.clip(x[:3], -2 * WIDEST, 2 * WIDEST)))
