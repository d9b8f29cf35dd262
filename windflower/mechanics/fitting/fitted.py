"""What a fit found: values with their intervals, the wood and the roots of the fitted plant.

Scaling stiffness and mass together changes no frequency: absolute values need a density or a pull test. What is sought
is sought as logarithms, so intervals are factors; they follow from the errors of the measurement (see `intervals`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp, log, pi

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.text import plain
from windflower.errors import MechanicsError
from windflower.mechanics.analysis import analyse
from windflower.mechanics.fitting.intervals import Intervals
from windflower.mechanics.fitting.measured import (
    DAMPING_ERROR,
    ERROR,
    Measured,
    Pull,
    check_damping,
    check_frequencies,
)
from windflower.mechanics.fitting.notes import untold
from windflower.mechanics.fitting.reduced import FullPlant
from windflower.mechanics.fitting.search import MOST, Search, factors_of
from windflower.mechanics.fitting.sightings import Sighting
from windflower.mechanics.foliage import leaf_mass
from windflower.mechanics.modes import Conditions, Modes
from windflower.mechanics.roots import Roots, check_roots, root_springs, stem_volume
from windflower.mechanics.scans import timber_of
from windflower.mechanics.wood import Wood
from windflower.plant.graph import Plant
from windflower.plant.measures import diameter_at_breast_height

__all__ = ["Fit", "Fitted", "fit"]

TWO_SIDED = 1.96  # standard errors of a 95 % interval
UNTOLD = log(4.0)  # width of an interval from which on a value is not told
UNLIKELY = 5.0  # ratio of stiffness to the model's that gets a remark: among woods of trees it is up to 2.5


@dataclass(frozen=True)
class Fitted:
    """A fitted value with its 95 % interval.

    low, high  its ends; 0 and inf where the measurements set none
    free       whether it was sought; what was held has no interval
    told       whether the measurements tell it to better than a factor of 2
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

    plant         what was fitted
    leaves        share of its leaves, 0 to 1
    gravity       whether weight acted
    wood, roots   with which `analyse` finds the fitted plant
    values        what was fitted, each with its interval
    measured      (n,) frequencies in Hz, as given
    errors        (n,) their standard errors, Hz
    frequency     (n,) those of the fitted plant, Hz
    motion        (n,) what the stem does at them: "first bending"
    number        (n,) which of its modes they are, from 1; of the two ways of a round stem the one that is seen better
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
    motion: tuple[str, ...]
    number: tuple[int, ...]
    absolute: bool
    notes: tuple[str, ...]

    def __getitem__(self, name: str) -> Fitted:
        for value in self.values:
            if value.name == name:
                return value
        raise MechanicsError(
            f"a fit has {', '.join(value.name for value in self.values)}; {name!r:.40} is not one of them."
        )

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

    plant        the plant that was measured, as it was read or grown
    frequencies  Hz, rising; a bare number has a standard error of 1 %
    damping      ratio of the first mode; a bare number has a standard error of 10 %
    pull         a pull test, for absolute values; or `density`, green, kg/m³
    free         of stiffness, roots and crown what is sought; by default as many, in this order, as were measured
    modes        which modes the frequencies are, from 1; by default those that move the stem, from the first on
    speed        mean wind in the crown while damping was measured, m/s: what air adds is taken off
    wood, leaves, gravity, roots   as in `analyse` (share, N·m/rad): the search begins with them and keeps the rest
    """
    measured = [Measured.of(one, ERROR) for one in frequencies]
    ratio = None if damping is None else Measured.of(damping, DAMPING_ERROR)
    _check(plant, measured, modes, density, ratio)
    timber = timber_of(plant, wood)
    if density is not None:
        timber = replace(timber, density=density, E=timber.E * density / timber.density)
    search = Search(FullPlant(plant, timber, _conditions(plant, timber, leaves, gravity, roots)), measured, pull, modes)
    search.seek(free, scale=pull is not None and density is None)
    search.run()
    return _told(search, ratio, speed, absolute=density is not None or pull is not None)


def _conditions(plant: Plant, wood: Wood, leaves: float, gravity: bool, roots: Roots) -> Conditions:
    """Those of an analysis, with the roots' spring in N·m/rad."""
    spring = float(root_springs(plant, wood, check_roots(roots))[0])
    held: Roots = spring if np.isfinite(spring) else "clamped"
    none = np.zeros(plant.nodes)
    return Conditions(leaves=float(leaves), gravity=gravity, roots=held, medium="air", point_mass=none, point_lift=none)


def _told(search: Search, damping: Measured | None, speed: float, *, absolute: bool) -> Fit:
    start = search.full.wood
    wood, conditions = search.full.changed(factors_of(search.at))
    scale = exp(search.at[3])
    wood = replace(
        wood,
        E=scale * wood.E,
        G=wood.G and scale * wood.G,
        density=scale * wood.density,
        foliage=scale * wood.foliage,
        name="fitted",
    )
    roots = conditions.roots * scale if isinstance(conditions.roots, float) else conditions.roots
    values = _values(search, wood, replace(conditions, roots=roots), absolute=absolute)
    if damping is not None:
        wood, own = _damped(search.full.plant, wood, replace(conditions, roots=roots), damping, speed)
        values.append(own)
    notes = untold(
        search.jacobian(),
        search.sought,
        len(search.frequency),
        absolute=absolute,
        at_limit=search.at_limit,
        roots=roots,
    )
    notes += _unlikely(wood.E / wood.density / (start.E / start.density))
    return Fit(
        plant=search.full.plant,
        wood=wood,
        roots=roots,
        leaves=conditions.leaves,
        gravity=conditions.gravity,
        values=tuple(values),
        measured=search.frequency,
        errors=search.error,
        frequency=search.frequencies(search.at),
        motion=_motions(search.sightings),
        number=tuple(one.number for one in search.sightings),
        absolute=absolute,
        notes=notes,
    )


def _unlikely(ratio: float) -> tuple[str, ...]:
    """A sentence if a fitted stiffness over density, over the model's, is farther from 1 than woods are apart."""
    if 1 / UNLIKELY <= ratio <= UNLIKELY:
        return ()
    return (
        f"E/density is {plain(ratio)} times that of the model's wood, and woods differ less: check that the "
        "frequencies are in Hz (swings a second) and of this tree",
    )


def _values(search: Search, wood: Wood, conditions: Conditions, *, absolute: bool) -> list[Fitted]:
    """What is told, each with the sum of logarithms of stiffness, roots, crown and mass of all that it is made of."""
    plant, roots, intervals = search.full.plant, conditions.roots, Intervals(search)

    def value(name: str, value: float, parts: Sequence[float], unit: str = "") -> Fitted:
        down, up = intervals.ends(np.array(parts))
        free = down + up > 0
        return Fitted(name, value, value * exp(-down), value * exp(up), unit, free, told=down + up < UNTOLD)

    told = [
        value("E/density", wood.E / wood.density, (1, 0, 0, 0), "m²/s²"),
        value("crown mass over stem", crown_ratio(plant, wood, conditions), (0, 0, 1, 0)),
    ]
    if isinstance(roots, float):
        told.append(value("root over stem stiffness", roots / stem_stiffness(plant, wood), (0, 1, 0, 0)))
    if absolute:
        told.append(value("E", wood.E, (1, 0, 0, 1), "Pa"))
        told.append(value("density", wood.density, (0, 0, 0, 1), "kg/m³"))
        if isinstance(roots, float):
            told.append(value("root stiffness", roots, (1, 1, 0, 1), "N·m/rad"))
    return told


def _motions(seen: Sequence[Sighting]) -> tuple[str, ...]:
    """What the stem does in each; where it bends alike in two directions at two frequencies, with the direction."""
    names = [one.name for one in seen]
    return tuple(f"{name}, {one.way}" if names.count(name) > 1 else name for name, one in zip(names, seen, strict=True))


def _damped(plant: Plant, wood: Wood, conditions: Conditions, measured: Measured, speed: float) -> tuple[Wood, Fitted]:
    """The wood with the damping that is left of a measured one without the air's, and that damping as a value."""
    own = measured.value
    if speed > 0:
        held = {"roots": conditions.roots, "leaves": conditions.leaves, "gravity": conditions.gravity}
        first = analyse(plant, count=2, wood=wood, cache=False, **held)  # type: ignore[arg-type] # as conditions have
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


def _check(
    plant: Plant,
    frequencies: list[Measured],
    modes: Sequence[int] | None,
    density: float | None,
    damping: Measured | None,
) -> None:
    check_frequencies(frequencies)
    if modes is not None and (len(modes) != len(frequencies) or min(modes) < 1 or max(modes) > MOST):
        raise MechanicsError(
            f"modes are as many numbers from 1 to {MOST} as there are frequencies, {len(frequencies)}; they are "
            f"{list(modes)}."
        )
    if density is not None and not 10 < density < 3000:
        raise MechanicsError(f"a green density lies between 10 and 3000 kg/m³; it is {density:g}. Give 850.")
    if damping is not None:
        check_damping(damping)
    if len(plant.roots) != 1:
        raise MechanicsError(f"one tree is fitted at a time; this plant is {len(plant.roots)}. Take one of them.")
