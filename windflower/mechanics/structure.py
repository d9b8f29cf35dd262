"""Plants with sheets on them, and sheets alone: how the nodes of a grid become nodes of a plant."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.errors import MechanicsError
from windflower.mechanics.sheet import Sheet
from windflower.mechanics.wood import Wood
from windflower.plant.graph import Plant

__all__ = ["Structure", "own_nodes", "sheet_alone"]


@dataclass(frozen=True, eq=False)
class Structure:
    """Wood and sheets that move together; `analyse_structure` finds how.

    plant   all nodes: those of the wood, and behind those of each tree the sheets' own
    wood    what the wood is made of; its damping is that of the whole
    sheets  on the plant's nodes
    held    (nodes, 6) the freedoms that something holds; without it, the roots are clamped

    Begin with `Structure(plant, wood)` and add sheets `with_sheet`; or begin with `sheet_alone`.
    """

    plant: Plant
    wood: Wood
    sheets: tuple[Sheet, ...] = ()
    held: NDArray[np.bool_] | None = None

    def __repr__(self) -> str:
        return f"<Structure of {self.plant!r} and {len(self.sheets)} sheets>"

    def with_sheet(
        self, points: ArrayLike, *, hoist: ArrayLike, fly: ArrayLike = (), thickness: ArrayLike, **material: Any
    ) -> "Structure":
        """The same with one more sheet, a grid of points (rows, columns, 3), m.

        points     (rows, columns, 3) its vertices, m
        hoist      (rows,) indices of the nodes of the plant that hold column 0
        fly        (rows,) indices of those that hold the last column; by default it is free
        thickness  of each cell (rows - 1, columns - 1) or of all, m
        material   all other options of `Sheet`: E, density and more

        Nodes that hold the sheet stay where they are: the grid's points there are not looked at. On a plant of several
        trees the sheet's nodes come behind those of its hoist's tree, and nodes of later trees get new numbers.
        """
        grid = _grid(points)
        node, own = np.zeros(grid.shape[:2], np.int64), np.ones(grid.shape[:2], bool)
        node[:, 0], own[:, 0] = _holding(self.plant, hoist, len(grid)), False
        if np.size(fly):
            node[:, -1], own[:, -1] = _holding(self.plant, fly, len(grid)), False
        node[own] = self.plant.nodes + np.arange(np.count_nonzero(own))
        sheet = Sheet(node, own, thickness=thickness, **material)
        return self._sorted(_longer(self.plant, grid, sheet), sheet)

    def _sorted(self, longer: dict[str, NDArray[Any]], sheet: Sheet) -> "Structure":
        """Renumber the nodes so that those of each tree are contiguous, as a plant requires."""
        order = np.argsort(longer.pop("tree"), kind="stable")
        number = np.argsort(order)
        arrays = {name: values[order] for name, values in longer.items()}
        arrays["parent"] = np.where(arrays["parent"] < 0, -1, number[arrays["parent"]])
        leaves, held = self.plant.leaves, self.held
        if held is not None:
            held = np.concatenate([held, np.zeros((len(order) - len(held), 6), bool)])[order]
        plant = Plant(
            **arrays,
            leaves=replace(leaves, node=number[leaves.node]),
            species=self.plant.species,
            seed=self.plant.seed,
        )
        sheets = tuple(one.renumbered(number) for one in (*self.sheets, sheet))
        return replace(self, plant=plant, sheets=sheets, held=held)


def sheet_alone(
    points: ArrayLike, *, wood: Wood, held: ArrayLike | None = None, thickness: ArrayLike, **material: Any
) -> Structure:
    """A sheet without any wood, a grid of points (rows, columns, 3), m.

    points     (rows, columns, 3) its vertices, m
    thickness  of the sheet, m: one, or (rows, columns)
    material   as in `Sheet`: E, density and others
    wood       what gives the sheet its damping
    held       (rows, columns, 6) whether something holds the freedoms, displacements and turns about x, y and z; by
               default column 0 is clamped. The first point of column 0 must not be able to move

    Other options are `Sheet`'s.
    """
    grid = _grid(points)
    bound = np.zeros((*grid.shape[:2], 6), bool)
    if held is None:
        bound[:, 0] = True
    else:
        try:
            bound |= np.asarray(held, bool)
        except ValueError:
            raise MechanicsError(
                f"held has the shape (rows, columns, 6), here {bound.shape}; it is {np.shape(held)}."
            ) from None
    fixed = np.logical_and.reduce(bound[:, 0, :3], axis=1)
    if not fixed[0]:
        raise MechanicsError("a sheet hangs on its first point; that one is free to move. Hold held[0, 0, :3].")
    node = np.arange(grid[..., 0].size).reshape(grid.shape[:2])
    parent = node - 1
    parent[1:, 0] = np.where(fixed[1:], -1, node[:-1, 0])
    own = np.ones(node.shape, bool)
    own[:, 0] = ~fixed
    order = np.ones(node.shape, np.int64)
    order[:, 0] = 0
    sheet = Sheet(node, own, thickness=thickness, **material)
    radius = np.full(node.size, sheet.thickness.mean() / 2)
    plant = Plant(parent=parent.ravel(), position=grid.reshape(-1, 3), radius=radius, order=order.ravel())
    return Structure(plant, wood, (sheet,), bound.reshape(-1, 6))


def own_nodes(plant: Plant, sheets: Sequence[Sheet]) -> NDArray[np.bool_]:
    """(nodes,) whether each node belongs to a sheet alone: no wood ends there."""
    own = np.zeros(plant.nodes, bool)
    for sheet in sheets:
        own[sheet.node[sheet.own]] = True
    return own


def _longer(plant: Plant, grid: FloatArray, sheet: Sheet) -> dict[str, NDArray[Any]]:
    """The arrays of a plant, and the tree of each node, with a sheet's own nodes behind all others."""
    own = sheet.own
    hoist = np.broadcast_to(sheet.node[:, :1], own.shape)[own]
    before = np.roll(sheet.node, 1, axis=1)[own]  # the neighbour towards the hoist
    radius = np.full(len(hoist), sheet.thickness.mean() / 2)
    more = {
        "parent": before,
        "position": grid[own],
        "radius": radius,
        "base_radius": radius,
        "order": plant.order[hoist] + 1,
        "tree": plant.tree[hoist],
    }
    return {name: np.concatenate([getattr(plant, name), values]) for name, values in more.items()}


def _grid(points: ArrayLike) -> FloatArray:
    grid = np.array(points, float)
    if grid.ndim != 3 or grid.shape[2] != 3 or min(grid.shape[:2]) < 2 or not np.isfinite(grid).all():
        raise MechanicsError(
            f"the points of a sheet have the shape (rows, columns, 3), at least 2 × 2, and are finite; "
            f"theirs is {grid.shape}."
        )
    return grid


def _holding(plant: Plant, nodes: ArrayLike, rows: int) -> IntArray:
    held = np.asarray(nodes, np.int64)
    if held.shape != (rows,) or len(np.unique(held)) < rows or held.min() < 0 or held.max() >= plant.nodes:
        raise MechanicsError(
            f"an edge of {rows} rows is held by as many nodes of the plant, each another from 0 to {plant.nodes - 1}; "
            f"they are {held.tolist()}."
        )
    return held
