"""From the units and axes of a file to metres with Y up.

Where a file does not say its units, they follow from two facts about plants: thin wood is near 2 mm across,
and a plant is some 45 times as large as its foot is thick (mostly between 15 and 140 times).
"""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.errors import FileError

__all__ = ["AXES", "TWIG_DIAMETER", "Scale", "Unit", "UnitName", "metres", "scale_of", "upright"]

Unit = str | float

TWIG_DIAMETER = 0.002  # m
SLENDERNESS = 45.0
LARGEST = 1000.0  # m, more than any plant
LARGEST_GUESS = 60.0  # m, where only the extent can tell the unit
UNITS = {"m": 1.0, "dm": 0.1, "cm": 0.01, "mm": 0.001, "0.1 mm": 0.0001}
LENGTH_UNITS = ("m", "cm", "mm")
UnitName = Literal["m", "dm", "cm", "mm", "0.1 mm"]
DIAMETER_UNITS = ("m", "cm", "mm", "0.1 mm")

# Rows of proper rotations that turn the named direction to +y.
AXES = {
    "x": ((0, -1, 0), (1, 0, 0), (0, 0, 1)),
    "-x": ((0, 1, 0), (-1, 0, 0), (0, 0, 1)),
    "y": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "-y": ((1, 0, 0), (0, -1, 0), (0, 0, -1)),
    "z": ((1, 0, 0), (0, 0, 1), (0, -1, 0)),
    "-z": ((1, 0, 0), (0, 0, -1), (0, 1, 0)),
}


@dataclass(frozen=True)
class Scale:
    """Metres per length unit and per diameter unit of a file, and what was assumed to know them."""

    length: float
    diameter: float
    assumed: tuple[str, ...] = ()


def scale_of(
    extent: float, diameters: FloatArray, *, stated: float | None, unit: Unit | None, diameter_unit: Unit | None
) -> Scale:
    """Choose the units of a plant of this extent with these diameters, all in file units.

    Options win over what the format states (one unit for both); where neither tells, the plant's size does.
    """
    length = stated if unit is None else metres(unit)
    same = None if stated is None else length
    diameter = same if diameter_unit is None else metres(diameter_unit)
    assumed = []
    if diameter is None and diameters.size:
        name = _nearest(DIAMETER_UNITS, float(np.quantile(diameters, 0.05, method="lower")), TWIG_DIAMETER)
        diameter = UNITS[name]
        assumed.append(
            f"diameters taken as {name}, because thin wood is near 2 mm across (option: diameter_unit, --diameter-unit)"
        )
    if length is None:
        thickest = float(diameters.max(initial=0)) * (diameter or 0)
        name = _length_unit(extent, thickest)
        length = UNITS[name]
        size = f"{extent * length / thickest:.0f} times its thickness" if thickest else f"{extent * length:.3g} m"
        assumed.append(f"lengths taken as {name}, because the plant then measures {size} (option: unit, --unit)")
    scale = Scale(length, diameter or length, tuple(assumed))
    _check_size(extent * scale.length, "unit")
    _check_size(float(diameters.max(initial=0)) * scale.diameter, "diameter_unit")
    return scale


def metres(unit: Unit) -> float:
    """Metres per unit, from a name (m, dm, cm, mm, 0.1 mm) or a positive number."""
    if isinstance(unit, str):
        if unit in UNITS:
            return UNITS[unit]
    elif 0 < unit < math.inf:
        return float(unit)
    raise FileError(f"a unit is {', '.join(UNITS)}, or a positive number of metres; {unit!r} is not one of them.")


def upright(position: FloatArray, up: str) -> FloatArray:
    """Turn positions (points, 3) so that the direction `up` becomes +y; handedness is kept."""
    if up not in AXES:
        raise FileError(f"up is one of {', '.join(AXES)}; {up!r} is not one of them.")
    return position @ np.array(AXES[up], float).T


def _length_unit(extent: float, thickest: float) -> str:
    if thickest > 0:
        return _nearest(LENGTH_UNITS, extent, SLENDERNESS * thickest)
    fitting = (name for name in LENGTH_UNITS if extent * UNITS[name] <= LARGEST_GUESS)
    return next(fitting, LENGTH_UNITS[-1])


def _nearest(names: tuple[str, ...], value: float, target: float) -> str:
    return min(names, key=lambda name: abs(math.log(value) + math.log(UNITS[name]) - math.log(target)))


def _check_size(size: float, option: str) -> None:
    if size > LARGEST:
        raise FileError(
            f"a plant measures less than {LARGEST:g} m; this one would have {size:.3g} m. "
            f"Set {option} (--{option.replace('_', '-')}), or look for damaged numbers in the file."
        )
