"""A sheet: a thin plate on a grid of a plant's nodes, with its material, and its surface for drawing.

Columns run from the edge that holds it, column 0, to its free edge; rows lie side by side. On a flag, column 0 is at
the pole and row 0 is the lower edge. The nodes of a sheet are nodes of the plant, six freedoms each: in the plant's
graph every row is an axis that begins at column 0, so that whatever moves a plant moves its sheets.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from windflower.core.arrays import FloatArray, IntArray, freeze, frozen
from windflower.errors import MechanicsError

__all__ = ["Sheet", "fly_length"]

FLAT_PLATE = 1.2  # drag coefficient of a plate across the wind


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Sheet:
    """A thin plate on a grid of nodes. Immutable.

    node       (rows, columns)          index of each vertex among the nodes of the plant
    own        (rows, columns)          whether a node is the sheet's alone; the others are in the wood, or held
    thickness  (rows - 1, columns - 1)  of each cell, m
    density    (rows - 1, columns - 1)  of each cell, kg/m³
    E, nu      Young's modulus, Pa, and Poisson's ratio
    drag       drag coefficient C_D of the pressure ½ ρ C_D |n·v| (n·v) n
    lift       C_L of a second pressure, ½ ρ C_L |v - (n·v) n| (n·v) n: what a sheet along the wind feels of wind that
               comes at a small angle. 0 leaves it out
    limp       whether it folds under pressure within its plane, as cloth does, and only tension stiffens it
    pull       (3,) a steady pull along it, N/m², such as the friction of a wind: it stiffens as weight does
    tension    (2,) with which it is stretched along columns and along rows, N/m
    patches    into how many parts it feels the wind, along columns and along rows
    """

    node: IntArray
    own: NDArray[np.bool_]
    thickness: FloatArray
    density: FloatArray
    E: float
    nu: float
    drag: float
    lift: float
    limp: bool
    pull: FloatArray
    tension: FloatArray
    patches: tuple[int, int]

    def __init__(
        self,
        node: ArrayLike,
        own: ArrayLike,
        *,
        thickness: ArrayLike,
        density: ArrayLike,
        E: float,
        nu: float = 0.3,
        drag: float = FLAT_PLATE,
        lift: float = 0.0,
        limp: bool = False,
        pull: ArrayLike = (0.0, 0.0, 0.0),
        tension: ArrayLike = (0.0, 0.0),
        patches: tuple[int, int] = (1, 1),
    ) -> None:
        grid = np.array(node, np.int64)
        if grid.ndim != 2 or min(grid.shape) < 2:
            raise MechanicsError(f"a sheet is a grid of at least 2 × 2 nodes; its shape is {grid.shape}.")
        freeze(self, "node", grid)
        freeze(self, "own", np.array(np.broadcast_to(np.asarray(own, bool), grid.shape)))
        for name, values in (("thickness", thickness), ("density", density)):
            freeze(self, name, _in_cells(name, values, self.cells))
        ranges = {"E": (E, 1e-9), "nu": (nu, -0.99, 0.5), "drag": (drag, 0.0), "lift": (lift, 0.0)}
        for name, limits in ranges.items():
            object.__setattr__(self, name, _number(name, *limits))
        object.__setattr__(self, "limp", bool(limp))
        for name, values, count in (("pull", pull, 3), ("tension", tension, 2)):
            freeze(self, name, _numbers(name, values, count))
        along, up = patches
        if not (1 <= along <= self.cells[1] and 1 <= up <= self.cells[0]):
            raise MechanicsError(
                f"a sheet of {self.cells[1]} × {self.cells[0]} cells has from 1 to that many patches each way; "
                f"patches is {patches}."
            )
        object.__setattr__(self, "patches", (int(along), int(up)))

    def __repr__(self) -> str:
        rows, columns = self.node.shape
        return f"<Sheet of {rows} × {columns} nodes>"

    @property
    def cells(self) -> tuple[int, int]:
        """Number of rows and of columns of cells."""
        return self.node.shape[0] - 1, self.node.shape[1] - 1

    @cached_property
    def corner(self) -> IntArray:
        """(cells, 4) the nodes round each cell, row by row: along the row, up, and back."""
        n = self.node
        return frozen(np.stack([n[:-1, :-1], n[:-1, 1:], n[1:, 1:], n[1:, :-1]], axis=-1).reshape(-1, 4))

    @cached_property
    def patch(self) -> IntArray:
        """(cells,) which patch each cell is in: those of a row of patches one after another."""
        along, up = (
            np.arange(cells) * patches // cells
            for cells, patches in zip(reversed(self.cells), self.patches, strict=True)
        )
        return frozen((up[:, None] * self.patches[0] + along).ravel())

    @cached_property
    def triangles(self) -> IntArray:
        """(triangles, 3) indices of vertices, row by row, counter-clockwise seen from where the normals point."""
        vertex = np.arange(self.node.size).reshape(self.node.shape)
        a, b, c, d = vertex[:-1, :-1], vertex[:-1, 1:], vertex[1:, 1:], vertex[1:, :-1]
        return frozen(np.stack([a, b, c, a, c, d], axis=-1).reshape(-1, 3))

    @cached_property
    def texture(self) -> FloatArray:
        """(rows * columns, 2) texture coordinates of each vertex, 0 to 1 along columns, and along rows."""
        up, along = (np.linspace(0, 1, count) for count in self.node.shape)
        return frozen(np.stack(np.meshgrid(along, up), axis=-1).reshape(-1, 2))

    def renumbered(self, number: IntArray) -> "Sheet":
        """The same sheet where node i of the plant is now node number[i]."""
        same = {field.name: getattr(self, field.name) for field in fields(self)}
        return Sheet(**{**same, "node": number[self.node]})

    def vertices(self, points: FloatArray) -> FloatArray:
        """(…, rows, columns, 3) positions of the vertices, from all nodes of the plant (…, nodes, 3), m."""
        return np.asarray(points[..., self.node, :])

    def normals(self, points: FloatArray) -> FloatArray:
        """(…, rows, columns, 3) unit vectors normal to it at the vertices, smooth across cells."""
        grid = self.vertices(points)
        normal = np.cross(np.gradient(grid, axis=-2), np.gradient(grid, axis=-3))
        return np.asarray(normal / np.linalg.norm(normal, axis=-1, keepdims=True))

    def stretch(self, points: FloatArray, rest: FloatArray) -> FloatArray:
        """(…,) the largest relative change of any cell's side or diagonal, for points and rest (…, nodes, 3)."""
        ratio = _lines(self.vertices(points)) / _lines(self.vertices(rest))
        return np.asarray(np.abs(ratio - 1).max(axis=-1))

    def turn(self, points: FloatArray, rest: FloatArray) -> FloatArray:
        """(…,) the largest angle by which a normal has turned, rad, for points and rest (…, nodes, 3)."""
        alike = (self.normals(points) * self.normals(rest)).sum(axis=-1)
        return np.asarray(np.arccos(np.clip(alike.min(axis=(-2, -1)), -1, 1)))


def _lines(grid: FloatArray) -> FloatArray:
    """(…, lines) lengths of the sides and diagonals of all cells of a grid (…, rows, columns, 3), m."""
    low, high = grid[..., :-1, :, :], grid[..., 1:, :, :]
    left, right = slice(None, -1), slice(1, None)
    lines = (
        high - low,
        grid[..., right, :] - grid[..., left, :],
        high[..., right, :] - low[..., left, :],
        high[..., left, :] - low[..., right, :],
    )
    lengths = [np.linalg.norm(line, axis=-1) for line in lines]
    return np.concatenate([one.reshape(*one.shape[:-2], -1) for one in lengths], axis=-1)


def _in_cells(name: str, values: ArrayLike, cells: tuple[int, int]) -> FloatArray:
    try:
        array = np.array(np.broadcast_to(np.asarray(values, float), cells))
    except (TypeError, ValueError):
        raise MechanicsError(
            f"a sheet's {name} is one number, or one for each of its {cells[0]} × {cells[1]} cells; "
            f"its shape is {np.shape(values)}."
        ) from None
    if not (np.isfinite(array) & (array > 0)).all():
        raise MechanicsError(f"a sheet's {name} must be positive; somewhere it is {array.min():g}. Check its unit.")
    return array


def _numbers(name: str, values: ArrayLike, count: int) -> FloatArray:
    array = np.array(values, float)
    if array.shape != (count,) or not np.isfinite(array).all():
        raise MechanicsError(f"a sheet's {name} has {count} finite numbers; it is {array.tolist()}.")
    return array


def _number(name: str, value: float, least: float, most: float = np.inf) -> float:
    if not (np.isfinite(value) and least <= value <= most):
        upper = f" to {most:g}" if np.isfinite(most) else " up"
        raise MechanicsError(f"a sheet's {name} is a number from {least:g}{upper}; it is {value:g}.")
    return float(value)


def fly_length(position: FloatArray, sheets: Sequence[Sheet]) -> float:
    """Length of the longest sheet that the wind draws out, m, on nodes at `position` (nodes, 3); 0 where none is."""
    return max((_along_pull(position, sheet) for sheet in sheets), default=0.0)


def _along_pull(position: FloatArray, sheet: Sheet) -> float:
    strength = float(np.linalg.norm(sheet.pull))
    if strength == 0:
        return 0.0
    return float(np.ptp(position[sheet.node] @ sheet.pull)) / strength
