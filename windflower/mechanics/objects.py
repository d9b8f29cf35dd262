"""Ready-made objects with sheets: a flag on a pole, a banner on a mast, a blade like a banana's, a sign on a post.

Each is a `Structure` at the origin, on the ground, that `analyse_structure` takes. Materials are of the right order,
not measured. Flag, banner and sign lie in the plane of x and y, so that a wind from 270° blows along them and one from
0° across.
"""

import inspect
from collections.abc import Callable, Mapping
from math import pi
from typing import Any

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.table import ending
from windflower.errors import MechanicsError
from windflower.mechanics.medium import AIR
from windflower.mechanics.structure import Structure
from windflower.mechanics.wood import Wood, wood_of
from windflower.plant.graph import Plant

__all__ = ["OBJECTS", "banana_blade", "banner", "flag", "road_sign", "unfit_change"]

# Hollow tubes: factors on area and second moments for a wall of a tenth of the radius.
WALL = 0.1
HOLLOW: dict[str, Any] = {"area": 1 - (1 - WALL) ** 2} | dict.fromkeys(
    ("bending", "torsion", "polar"), 1 - (1 - WALL) ** 4
)
ALUMINIUM = Wood(E=70e9, density=2700.0, nu=0.33, damping=0.02, name="aluminium tube", **HOLLOW)
STEEL = Wood(E=210e9, density=7850.0, nu=0.3, damping=0.01, name="steel tube", **HOLLOW)

SIZES = 0.001, 100.0  # least and most of a length, m
RANGES = {"wind": (0.01, 500.0), "tension": (0.001, 1e6)}
"""Least and most of what is no length: m/s, N/m."""

WING = 2.5  # lift-curve slope, per rad: 2 to 3 for a flat sheet about as long as wide
WAVING = 0.25  # drag coefficient of a waving flag along the wind, by its area: 0.1 to 0.3


def flag(
    *, length: float = 1.8, width: float = 1.2, pole: float = 6.0, wind: float = 5.0, cells: tuple[int, int] = (18, 12)
) -> Structure:
    """A stiff light flag at the top of a bending pole.

    length, width  size of the flag, m
    pole           height of the pole, m
    wind           design wind, mean m/s: its drag stretches the flag out
    cells          number of cells of the flag, along and up
    """
    _check_sizes(length=length, width=width, pole=pole - width, wind=wind)
    along, up = cells
    height = np.concatenate([np.linspace(0, pole - width, 6)[:-1], np.linspace(pole - width, pole, up + 1)])
    mast = _axis(height[:, None] * (0, 1, 0), np.interp(height, (0, pole), (0.04, 0.025)))
    grid = _plane(np.linspace(0, length, along + 1), height[5:])
    pull = WAVING * AIR.density / 2 * wind**2
    return Structure(mast, ALUMINIUM).with_sheet(
        grid,
        hoist=range(5, mast.nodes),
        thickness=0.0015,
        density=80.0,
        E=2e9,
        lift=WING,
        limp=True,
        pull=(pull, 0.0, 0.0),
        patches=(min(9, along), min(2, up)),
    )


def banner(
    *,
    width: float = 0.7,
    drop: float = 2.0,
    pole: float = 5.0,
    tension: float = 150.0,
    cells: tuple[int, int] = (20, 7),
) -> Structure:
    """A cloth banner, stretched between two arms of a mast.

    width, drop  size of the banner, m
    pole         height of the upper arm, m
    tension      tension of the cloth between the arms, N/m
    cells        number of cells of the banner, down and across
    """
    _check_sizes(width=width, drop=drop, pole=pole - drop, tension=tension)
    down, across = cells
    height = np.array([0.0, 0.4, 0.8, 1.0])[:, None] * (pole - drop)
    mast = np.concatenate([height, np.linspace(pole - drop, pole, 6)[1:, None]]) * (0, 1, 0)
    reach = np.linspace(0.08, 0.08 + width, across + 1)
    arms = [np.column_stack([reach, np.full(across + 1, y), np.zeros(across + 1)]) for y in (pole, pole - drop)]
    upper = len(mast) + np.arange(across + 1)
    lower = upper + across + 1
    parent = np.concatenate([np.arange(-1, len(mast) - 1), [len(mast) - 1], upper[:-1], [3], lower[:-1]])
    radius = np.concatenate([np.linspace(0.05, 0.035, len(mast)), np.full(2 * (across + 1), 0.015)])
    plant = Plant(parent=parent, position=np.concatenate([mast, *arms]), radius=radius)
    grid = np.linspace(arms[0], arms[1], down + 1, axis=1)
    return Structure(plant, STEEL).with_sheet(
        grid,
        hoist=upper,
        fly=lower,
        tension=(tension, tension / 10),
        patches=(min(4, down), 1),
        thickness=0.0005,
        density=900.0,
        E=4e8,
        limp=True,
    )


def banana_blade(*, length: float = 1.6, width: float = 0.45, cells: tuple[int, int] = (16, 4)) -> Structure:
    """A blade like a banana's: a midrib that arches over, and a half blade to each side, a little raised.

    length, width  size of the blade, m
    cells          number of cells of each half, along the midrib and across
    """
    _check_sizes(length=length, width=width)
    along, across = cells
    stalk = 3
    s = np.concatenate([np.linspace(-0.25, 0, stalk + 1)[:-1], np.linspace(0, 1, along + 1)]) * length
    heading = np.radians(np.interp(s, (0, length), (75, -25)))  # above the horizon
    mid = (heading[1:] + heading[:-1]) / 2
    step = np.diff(s)[:, None] * np.column_stack([np.cos(mid), np.sin(mid), np.zeros(len(mid))])
    rib = np.concatenate([np.zeros((1, 3)), np.cumsum(step, axis=0)])
    structure = Structure(_axis(rib, np.interp(s, (0, length), (0.016, 0.004))), wood_of("banana"))
    place = np.linspace(0, 1, along + 1)
    half = width / 2 * np.hypot(0.15, np.sin(pi * place**0.8))
    up = np.column_stack([-np.sin(heading), np.cos(heading), np.zeros(len(heading))])[stalk:]
    for side in (1, -1):
        out = side * np.array([0.0, 0.0, 0.94]) + 0.34 * up
        reach = half[:, None] * np.linspace(0, 1, across + 1)
        grid = rib[stalk:, None] + reach[..., None] * out[:, None]
        structure = structure.with_sheet(
            grid,
            hoist=range(stalk, len(rib)),
            thickness=0.0008,
            density=800.0,
            E=4e8,
            limp=True,
            patches=(1, min(3, along)),
        )
    return structure


def road_sign(*, size: float = 0.9, post: float = 3.0, cells: int = 6) -> Structure:
    """A square sign of sheet metal at the top of a steel post: stiff, and lightly damped.

    size   side of the sign, m
    post   height of the post, m
    cells  number of cells of the sign, over half its width and over its height
    """
    _check_sizes(size=size, post=post - size)
    height = np.concatenate([np.linspace(0, post - size, 7)[:-1], np.linspace(post - size, post, cells + 1)])
    structure = Structure(_axis(height[:, None] * (0, 1, 0), np.full(len(height), 0.03)), STEEL)
    for side in (1, -1):
        grid = _plane(side * np.linspace(0, size / 2, cells + 1), height[6:])
        structure = structure.with_sheet(
            grid, hoist=range(6, len(height)), thickness=0.003, density=2700.0, E=70e9, nu=0.33
        )
    return structure


OBJECTS: dict[str, Callable[[], Structure]] = {
    "flag": flag,
    "banner": banner,
    "banana-blade": banana_blade,
    "road-sign": road_sign,
}
"""Builders of the objects by name."""


def _axis(position: FloatArray, radius: FloatArray) -> Plant:
    return Plant(parent=np.arange(-1, len(position) - 1), position=position, radius=radius)


def _plane(x: FloatArray, y: FloatArray) -> FloatArray:
    """Grid of points (rows, columns, 3) in the plane of x and y, m."""
    return np.stack([*np.meshgrid(x, y), np.zeros((len(y), len(x)))], axis=-1)


def _check_sizes(**sizes: float) -> None:
    for name, value in sizes.items():
        low, high = RANGES.get(name, SIZES)
        if not low <= value <= high:
            raise MechanicsError(
                f"{name} must be from {low:g} to {high:g}, and a pole longer than what it carries; it is {value:g}."
            )


CELLS = (2, 64)  # least and most cells of a sheet in each direction


def unfit_change(name: str, changes: Mapping[str, Any]) -> str | None:
    """What is wrong with changes to an object's parameters, as part of a message; None if they are fine."""
    known = inspect.signature(OBJECTS[name]).parameters
    for key, value in changes.items():
        if key not in known:
            return f"the parameters of a {name} are {', '.join(known)}; there is no {key[:40]!r}{ending(key, known)}"
        usual = known[key].default
        low, high = RANGES.get(key, SIZES)
        if not (_are_cells(value, usual) if key == "cells" else _is_number(value) and low <= value <= high):
            number = f"a number from {low:g} to {high:g}"
            wanted = f"whole numbers from {CELLS[0]} to {CELLS[1]}, such as {usual}" if key == "cells" else number
            return f"{key} of a {name} is {wanted}; it is {str(value)[:40]!r}"
    return None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _are_cells(value: Any, usual: Any) -> bool:
    numbers = value if isinstance(value, list | tuple) else (value,)
    wanted = len(usual) if isinstance(usual, tuple) else 1
    fits = all(isinstance(one, int) and CELLS[0] <= one <= CELLS[1] for one in numbers)
    return fits and len(numbers) == wanted and isinstance(value, list | tuple) == isinstance(usual, tuple)
