"""A plant fitted to what was measured on it: stiffness over density, roots over stem, crown over stem.

measured frequencies, damping, a pull test ──> least squares on a `ReducedPlant` ──> Fit: values, 95 % intervals, and
                                                                                    what cannot be told apart

Scaling stiffness and mass together changes no frequency: absolute values need a density or a pull test. What is sought
is sought as logarithms, so intervals are factors; they follow from the errors of the measurement (Gauss and Newton).
Near the weight that it can just bear a tree sways ever more slowly: the buckling limit is the end of the search.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import exp, log, pi

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.errors import BucklingError, MechanicsError
from windflower.mechanics.analysis import analyse
from windflower.mechanics.fit_data import Measured, Pull, Sighting, sightings
from windflower.mechanics.fit_report import untold
from windflower.mechanics.foliage import leaf_mass
from windflower.mechanics.modes import Conditions, Modes
from windflower.mechanics.reduced import Factors, FullPlant, ReducedPlant
from windflower.mechanics.roots import Roots, check_roots, root_springs, stem_volume
from windflower.mechanics.scans import timber_of
from windflower.mechanics.wood import Wood
from windflower.plant.graph import Plant
from windflower.plant.measures import diameter_at_breast_height

__all__ = ["FREE", "Fit", "Fitted", "fit"]

FREE = ("stiffness", "roots", "crown")
"""What can be sought, in the order in which measurements are spent on it."""
ERROR, DAMPING_ERROR = 0.01, 0.1  # usual relative standard errors of a frequency and of a damping ratio
TWO_SIDED = 1.96  # standard errors of a 95 % interval
WIDEST = log(100.0)  # of the search, to each side
UNTOLD = log(2.0)  # half-width of an interval from which on a value is not told
ROUNDS, CLOSE = 6, 1e-3  # of search and fresh analysis, and the change at which it ends
MODES, MOST = 10, 48  # that are looked at, at first and at most
STARTS = (0.0, -1.5, 1.5)  # logarithms of the roots' factor from which a search begins
FITS = 4.0  # mean square of differences over standard errors, up to which a fit fits
SAME = 1e-6  # logarithms that lie closer are one place
EDGE = 0.98  # how near to buckling a step may go


@dataclass(frozen=True)
class Fitted:
    """A fitted value with its 95 % interval.

    free  whether it was sought; what was held has no interval
    told  whether the measurements tell it to better than a factor of 2
    """

    name: str
    value: float
    low: float
    high: float
    unit: str = ""
    free: bool = True
    told: bool = True


@dataclass(frozen=True, eq=False, kw_only=True)
class Fit:
    """A plant fitted to measurements.

    wood, roots   with which `analyse` finds the fitted plant
    values        what was fitted, each with its interval
    measured      (n,) frequencies in Hz, as given
    errors        (n,) their standard errors, Hz
    frequency     (n,) those of the fitted plant
    number        (n,) which of its modes they are, from 1
    absolute      whether a density or a pull test was given, so that E and masses have their own values
    notes         what cannot be told apart, one sentence each
    """

    plant: Plant
    wood: Wood
    roots: Roots
    leaves: float
    gravity: bool
    values: tuple[Fitted, ...]
    measured: FloatArray
    errors: FloatArray
    frequency: FloatArray
    number: tuple[int, ...]
    absolute: bool
    notes: tuple[str, ...]

    def __getitem__(self, name: str) -> Fitted:
        for value in self.values:
            if value.name == name:
                return value
        raise MechanicsError(f"a fit has {', '.join(value.name for value in self.values)}; {name!r:.40} is none.")

    def modes(self, count: int = 25, **options: object) -> Modes:
        """Analyse the fitted plant; the options are those of `analyse`."""
        given = {"wood": self.wood, "roots": self.roots, "leaves": self.leaves, "gravity": self.gravity}
        return analyse(self.plant, count=count, **{**given, **options})  # type: ignore[arg-type] # as analyse checks


def fit(
    plant: Plant,
    *,
    frequencies: Sequence[float | Measured],
    damping: float | Measured | None = None,
    pull: Pull | None = None,
    density: float | None = None,
    free: Sequence[str] | None = None,
    modes: Sequence[int] | None = None,
    speed: float = 0.0,
    wood: str | Wood | None = None,
    leaves: float = True,
    gravity: bool = True,
    roots: Roots = "spring",
) -> Fit:
    """Fit a plant to measured frequencies, damping and a pull test.

    frequencies  Hz, rising; a bare number has a standard error of 1 %
    damping      ratio of the first mode; a bare number has a standard error of 10 %
    pull         a pull test, for absolute values; or `density`, green, kg/m³
    free         of stiffness, roots and crown what is sought; by default as many, in this order, as were measured
    modes        which modes the frequencies are, from 1; by default those that move the stem, from the first on
    speed        mean wind in the crown while damping was measured, m/s: what air adds is taken off
    wood, leaves, gravity, roots   as in `analyse`: where the search begins, and what is held
    """
    measured = [_measured(one, ERROR) for one in frequencies]
    _check(plant, measured, modes, density, damping)
    timber = timber_of(plant, wood)
    if density is not None:
        timber = replace(timber, density=density, E=timber.E * density / timber.density)
    search = _Search(plant, timber, leaves, gravity, roots, measured, pull, modes)
    sought = search.sought(free, scale=pull is not None and density is None)
    search.run(sought)
    return _told(search, sought, damping, speed, absolute=density is not None or pull is not None)


class _Search:
    """Least squares in logarithms: of the factors, and of the mass of all of it."""

    def __init__(
        self,
        plant: Plant,
        wood: Wood,
        leaves: float,
        gravity: bool,
        roots: Roots,
        measured: list[Measured],
        pull: Pull | None,
        numbers: Sequence[int] | None,
    ) -> None:
        spring = float(root_springs(plant, wood, check_roots(roots))[0])
        held: Roots = spring if np.isfinite(spring) else "clamped"
        none = np.zeros(plant.nodes)
        conditions = Conditions(
            leaves=float(leaves), gravity=gravity, roots=held, medium="air", point_mass=none, point_lift=none
        )
        self.full, self.pull = FullPlant(plant, wood, conditions), pull
        self.frequency = np.array([one.value for one in measured])
        self.error = np.array([one.error for one in measured])
        self.numbers = None if numbers is None else np.asarray(numbers, np.int64)
        self.reduced = ReducedPlant(self.full, _pulls(plant, pull))
        self.watched = self.full.pushed(_watched(plant, pull))
        self.at = np.zeros(4)  # logarithms of stiffness, roots, crown and of the mass of all
        self.at_limit = False
        self.sightings: list[Sighting] = []
        self._learned: FloatArray | None = None
        self._reach = 0 if numbers is None else max(numbers) + 2  # modes to look at; 0 while it is not known

    def sought(self, free: Sequence[str] | None, *, scale: bool) -> list[int]:
        """Which of the four are sought."""
        clamped = self.full.conditions.roots == "clamped"
        possible = [name for name in FREE if not (name == "roots" and clamped)]
        if free is None:
            free = possible[: max(1, len(self.frequency) + (self.pull is not None) - scale)]
        wrong = next((name for name in free if name not in possible), None)
        if wrong is not None or not free:
            raise MechanicsError(
                f"what is sought is some of {', '.join(possible)}; "
                f"{'nothing is given' if wrong is None else f'{wrong!r:.40} is none'}. Leave it out for the usual."
            )
        if len(free) > len(self.frequency) + (self.pull is not None) - scale:
            raise MechanicsError(
                f"each thing sought takes a measurement; {', '.join(free)} are {len(free)}, and there are "
                f"{len(self.frequency)} frequencies. Seek fewer, or measure more."
            )
        return [FREE.index(name) for name in free] + [3] * scale

    def run(self, sought: list[int]) -> None:
        """Search from some starts, until one has an end that fits; else the best of them is the end.

        Which modes were measured depends on where one looks from: a frequency may be taken for that of another mode.
        """
        best: tuple[float, FloatArray] | None = None
        for start in STARTS if 1 in sought and len(self.frequency) > 1 else STARTS[:1]:
            self.at = np.array([0.0, start, 0.0, 0.0])
            if not self._from_here(sought):
                continue
            off = float(np.square(self.residuals(self.at)).sum())
            if best is None or off < best[0]:
                best = off, self.at.copy()
            if off < FITS * len(self.frequency):
                return
        if best is None:
            raise BucklingError(
                "a tree stands before it is fitted; this one buckles under its own weight. Give it a stiffer --wood, "
                "or leave its weight out (--no-gravity on the command line, gravity=False in Python)."
            )
        self.at = best[1]
        self._learn(self.at)

    def _from_here(self, sought: list[int]) -> bool:
        """Search, analyse afresh where it ends, and search again until the two agree; False where nothing stands."""
        from scipy.optimize import least_squares  # slow to import, and seldom needed

        for _ in range(6):  # a tree that buckles gets stiffer wood to begin with
            try:
                self._learn(self.at)
                break
            except BucklingError:
                self.at[0] += log(2.0)
        else:
            return False
        self.at[0] += 2 * log(self.frequency[0] / self._frequencies(self.at)[0])
        for _ in range(ROUNDS):
            before = self.at.copy()

            def off(change: FloatArray, held: FloatArray = before) -> FloatArray:
                x = held.copy()
                x[sought] += change - 1
                return self.residuals(x)

            # from 1, and not from 0: the first step is as long as the start is large
            low, high = (1 + limit - np.clip(before[sought], -WIDEST, WIDEST) for limit in (-WIDEST, WIDEST))
            found = least_squares(off, np.ones(len(sought)), bounds=(low - SAME, high + SAME), xtol=1e-10, ftol=1e-12)
            wished = before.copy()
            wished[sought] += found.x - 1
            self.at = self._approached(before, wished)
            if np.abs(self.at - before).max() < CLOSE:
                break
        return True

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
        if self._learned is not None and np.abs(x - self._learned)[:3].max() < SAME:
            return
        count = max(MODES, self._reach)
        while True:
            squares, shape = self.reduced.learn(_factors(x), count)
            lowest, highest = np.sqrt(squares[[0, -1]]) / (2 * pi)
            wanted = 1.2 * self.frequency[-1] / self.frequency[0] * lowest
            if self._reach or highest > wanted or not len(squares) == count < MOST:
                break
            count *= 2
        self._reach = max(self._reach, int(1.2 * np.count_nonzero(np.sqrt(squares) / (2 * pi) < wanted)) + 4)
        self._learned = x.copy()
        self.sightings = sightings(self.reduced, squares, shape, self.frequency, self.numbers)

    def _frequencies(self, x: FloatArray) -> FloatArray:
        modes = self.reduced.modes(_factors(x))
        return np.array([one.frequency(*modes) for one in self.sightings])

    def residuals(self, x: FloatArray) -> FloatArray:
        """(measurements,) differences from what was measured, over its standard errors."""
        off = (self._frequencies(x) - self.frequency) / self.error
        if self.pull is None:
            return np.asarray(off)
        turn = abs(float(self.reduced.leans(_factors(x), self.watched).mean())) * self.pull.force
        tilt = max(turn / exp(x[3]), 1e-300)
        return np.append(off, log(tilt / np.radians(self.pull.tilt)) / self.pull.error)

    def jacobian(self) -> FloatArray:
        """(measurements, 4) of the residuals, by central differences."""
        step = 1e-4 * np.eye(4)
        return np.stack([(self.residuals(self.at + d) - self.residuals(self.at - d)) / 2e-4 for d in step], axis=1)


def _told(search: _Search, sought: list[int], damping: float | Measured | None, speed: float, *, absolute: bool) -> Fit:
    full, x = search.full, search.at
    jacobian = search.jacobian()
    covariance = np.zeros((4, 4))
    covariance[np.ix_(sought, sought)] = np.linalg.pinv(jacobian[:, sought].T @ jacobian[:, sought], rcond=1e-12)
    wood, conditions = full.changed(_factors(x))
    scale = exp(x[3])
    wood = replace(
        wood,
        E=scale * wood.E,
        G=wood.G and scale * wood.G,
        density=scale * wood.density,
        foliage=scale * wood.foliage,
        name="fitted",
    )
    roots = conditions.roots * scale if isinstance(conditions.roots, float) else conditions.roots
    # in stiffness, roots, crown and mass of all: of what are the logarithms of what is told made?
    values = [
        _value("E/density", wood.E / wood.density, (1, 0, 0, 0), covariance, sought, "m²/s²"),
        _value("crown mass over stem", crown_ratio(full.plant, wood, conditions), (0, 0, 1, 0), covariance, sought),
    ]
    if not isinstance(roots, str):
        ratio = roots / stem_stiffness(full.plant, wood)
        values.append(_value("root over stem stiffness", ratio, (0, 1, 0, 0), covariance, sought))
    if absolute:
        values.append(_value("E", wood.E, (1, 0, 0, 1), covariance, sought, "Pa"))
        values.append(_value("density", wood.density, (0, 0, 0, 1), covariance, sought, "kg/m³"))
        if not isinstance(roots, str):
            values.append(_value("root stiffness", roots, (1, 1, 0, 1), covariance, sought, "N·m/rad"))
    if damping is not None:
        wood, own = _damped(full.plant, wood, roots, conditions, _measured(damping, DAMPING_ERROR), speed)
        values.append(own)
    return Fit(
        plant=full.plant,
        wood=wood,
        roots=roots,
        leaves=conditions.leaves,
        gravity=conditions.gravity,
        values=tuple(values),
        measured=search.frequency,
        errors=search.error,
        frequency=search._frequencies(x),
        number=tuple(one.number for one in search.sightings),
        absolute=absolute,
        notes=untold(jacobian, sought, len(search.frequency), absolute=absolute, at_limit=search.at_limit, roots=roots),
    )


def _value(
    name: str, value: float, made_of: Sequence[float], covariance: FloatArray, sought: list[int], unit: str = ""
) -> Fitted:
    """A value whose logarithm is this sum of what was sought."""
    part = np.array(made_of)
    free = bool(part[sought].any())
    half = TWO_SIDED * float(np.sqrt(max(part @ covariance @ part, 0.0)))
    half = min(half, 2 * WIDEST)
    return Fitted(name, value, value * exp(-half), value * exp(half), unit, free, told=half < UNTOLD)


def _damped(
    plant: Plant, wood: Wood, roots: Roots, conditions: Conditions, measured: Measured, speed: float
) -> tuple[Wood, Fitted]:
    """The wood with the damping that is left of a measured one without the air's, and that damping as a value."""
    own = measured.value
    if speed > 0:
        first = analyse(
            plant, count=2, wood=wood, roots=roots, leaves=conditions.leaves, gravity=conditions.gravity, cache=False
        )
        own -= float(first.air_damping(speed)[0])
    own, spread = max(own, 0.0), TWO_SIDED * measured.error
    value = Fitted("damping of the wood", own, max(own - spread, 0.0), own + spread, told=own > spread)
    return replace(wood, damping=own, damping_law="constant"), value


def stem_stiffness(plant: Plant, wood: Wood) -> float:
    """E I / H of the stem, N·m/rad: I at breast height, or at the foot of a lower plant."""
    diameter = diameter_at_breast_height(plant) or 2 * float(plant.radius[plant.roots].max())
    return wood.E * wood.bending * pi / 64 * diameter**4 / plant.height


def crown_ratio(plant: Plant, wood: Wood, conditions: Conditions) -> float:
    """Fresh mass of branches and leaves over that of the stem."""
    stem = float(stem_volume(plant).sum())
    branches = wood.density * wood.area * (plant.wood_volume - stem)
    leaves = conditions.leaves * wood.foliage * float(leaf_mass(plant).sum())
    return wood.crown * (branches + leaves) / (wood.density * wood.area * stem)


def _factors(x: FloatArray) -> Factors:
    return Factors(*(exp(one) for one in np.clip(x[:3], -2 * WIDEST, 2 * WIDEST)))


def _pulls(plant: Plant, pull: Pull | None) -> FloatArray:
    """(2 or 0, nodes, 6) a unit pull along x and along z."""
    load = np.zeros((2 if pull else 0, plant.nodes, 6))
    if pull:
        node = _on_stem(plant, pull.height)
        load[0, node, 0] = load[1, node, 2] = 1
    return load


def _watched(plant: Plant, pull: Pull | None) -> FloatArray:
    """(2 or 0, nodes, 6) the tilt that a pull along x and along z gives: a turn about -z and about x."""
    watched = np.zeros((2 if pull else 0, plant.nodes, 6))
    if pull:
        node = _on_stem(plant, pull.at)
        watched[0, node, 5], watched[1, node, 3] = -1, 1
    return watched


def _on_stem(plant: Plant, height: float) -> int:
    """The node of the stem that is nearest to a height, m."""
    stem = np.flatnonzero(plant.is_stem)
    above = plant.position[stem, 1] - plant.position[plant.roots[0], 1]
    if height > 1.05 * above.max():
        raise MechanicsError(
            f"a pull and its inclinometer are on the stem, which is {above.max():.3g} m high; {height:g} m is above it."
        )
    return int(stem[np.argmin(np.abs(above - height))])


def _measured(one: float | Measured, usual: float) -> Measured:
    return one if isinstance(one, Measured) else Measured(float(one), usual * float(one))


def _check(
    plant: Plant,
    frequencies: list[Measured],
    modes: Sequence[int] | None,
    density: float | None,
    damping: float | Measured | None,
) -> None:
    values = [one.value for one in frequencies]
    good = all(1e-3 < one.value < 1e3 and 0 < one.error < one.value for one in frequencies)
    if not values or not good or any(a >= b for a, b in pairwise(values)):
        raise MechanicsError(
            f"measured frequencies rise, from 0.001 to 1000 Hz, each with an error smaller than itself; they are "
            f"{', '.join(f'{one:g}' for one in values) or 'none'}. Give 0.32,1.4."
        )
    if modes is not None and (len(modes) != len(values) or min(modes) < 1 or max(modes) > MOST):
        raise MechanicsError(
            f"modes are as many numbers from 1 to {MOST} as there are frequencies, {len(values)}; they are "
            f"{list(modes)}."
        )
    if density is not None and not 10 < density < 3000:
        raise MechanicsError(f"a green density lies between 10 and 3000 kg/m³; it is {density:g}. Give 850.")
    ratio = None if damping is None else _measured(damping, DAMPING_ERROR)
    if ratio is not None and not (0 < ratio.value < 1 and ratio.error > 0):
        raise MechanicsError(f"a damping ratio lies between 0 and 1; it is {ratio.value:g}. Give 0.05 for 5 %.")
    if len(plant.roots) != 1:
        raise MechanicsError(f"one tree is fitted at a time; this plant is {len(plant.roots)}. Take one of them.")
