"""What the wind at each branch does to the whole plant: forces on its ends (Stam 1996, eq. 4, 5), modal forces, leans.

A branch is a segment. The pressure of the air acts across it only: P = 1 - d dᵀ takes away what blows along the
branch. Integrated with the element's cubic shapes it becomes forces and moments on the two ends, the matrix B of
appendix A; for a radius that changes along the branch the integral is the exact one. Leaves look every way, so theirs
is not projected.
"""

from dataclasses import dataclass

import numpy as np

from windflower.mechanics import Modes
from windflower.mechanics.assembly import System
from windflower.mechanics.beams import Beams, cross_matrix
from windflower.mechanics.projection import drag_area
from windflower.mechanics.sums import summed_by
from windflower.plant.graph import FloatArray, IntArray

__all__ = ["Exposure", "across_loads", "exposure_of"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Exposure:
    """How a plant stands in the wind, branch by branch; branches are in the order of `plant.segments`.

    middle  (branches, 3)          where each feels the wind, m
    area    (branches,)            drag coefficient times area of wood and leaves, m²
    cell    (branches,)            the cell of the crown that each is in
    rows    (shapes, branches, 3)  what a unit dynamic wind (m/s)² along x, y, z at a branch brings: modal forces
                                   first, then its share in each cell's mean dynamic wind along x, y, z
    shapes  (shapes, nodes, 3)     displacements: modes, then the static vectors of the cells, m
    """

    middle: FloatArray
    area: FloatArray
    cell: IntArray
    rows: FloatArray
    shapes: FloatArray


def exposure_of(modes: Modes) -> Exposure:
    """Work out the exposure of a plant whose modes are known."""
    plant, segments = modes.plant, modes.plant.segments
    system = modes.conditions.system(plant, modes.wood)
    loads = _loads(system)
    ends = np.stack([modes.shape[:, plant.parent[segments]], modes.shape[:, segments]], axis=2)
    modal = np.einsum("kxej,mkxj->mke", loads, ends, optimize=True)
    area, cell = drag_area(system)[segments], modes.cell[segments]
    static = _static(modes, system, loads, modal, cell)
    return Exposure(
        middle=(plant.position - plant.vector / 2)[segments],
        area=area,
        cell=cell,
        rows=np.concatenate([modal, _shares(area, cell, modes.cells)]),
        shapes=np.concatenate([modes.shape[..., :3], static]),
    )


def across_loads(beams: Beams) -> FloatArray:
    """(segments, 2, 3, 6) ∫ D hᵀ P e dx on base and tip, for e along x, y, z; D is the diameter.

    For an even radius r it is 2 r B P of appendix A: half of the length each as forces, ± l²/12 as moments.
    """
    d = beams.direction
    across, turn = np.eye(3) - d[:, :, None] * d[:, None, :], cross_matrix(d)
    _, bent = beams.wind_shares()
    ends = [
        np.concatenate([bent[:, i, None, None] * across, bent[:, i + 1, None, None] * turn], axis=2) for i in (0, 2)
    ]
    return np.stack(ends, axis=1)


def _loads(system: System) -> FloatArray:
    """(segments, 2, 3, 6) forces and moments on the ends of each branch by a unit dynamic wind on it and its leaves."""
    plant, foliage = system.plant, system.foliage
    loads = foliage.wood_drag * across_loads(system.beams)
    if len(foliage.drag_area):
        place = plant.leaves.place
        for end, share in enumerate((1 - place, place)):
            caught = np.bincount(plant.leaves.node, foliage.drag_area * share, plant.nodes)[plant.segments]
            loads[:, end, range(3), range(3)] += caught[:, None]
    return loads * system.medium.density / 2


def _static(modes: Modes, system: System, loads: FloatArray, modal: FloatArray, cell: IntArray) -> FloatArray:
    """(3 cells, nodes, 3) the lean under a unit dynamic wind along x, y, z on one cell, less what the modes give."""
    plant, cells = modes.plant, modes.cells
    total = np.zeros((cells * plant.nodes, 3, 6))
    for end, node in enumerate((plant.parent[plant.segments], plant.segments)):
        total += summed_by(cell * plant.nodes + node, loads[:, end], len(total))
    total = np.swapaxes(total.reshape(cells, plant.nodes, 3, 6), 1, 2).reshape(3 * cells, plant.nodes, 6)
    lean = system.spread(system.factor.solve(system.gather(total)))[..., :3]
    by_cell = summed_by(cell, np.swapaxes(modal, 0, 1), cells)  # (cells, modes, 3)
    amount = np.swapaxes(by_cell / modes.omega[:, None] ** 2, 1, 2).reshape(3 * cells, -1)
    return np.asarray(lean - np.tensordot(amount, modes.shape[..., :3], 1))


def _shares(area: FloatArray, cell: IntArray, cells: int) -> FloatArray:
    """(3 cells, branches, 3) weights of the branches in the mean over each cell, by their areas."""
    share = (cell == np.arange(cells)[:, None]) * area
    share /= share.sum(axis=1, keepdims=True)
    return np.einsum("ck,ef->cekf", share, np.eye(3)).reshape(3 * cells, -1, 3)
