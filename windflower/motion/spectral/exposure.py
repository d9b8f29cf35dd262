"""What the wind at each branch does to the whole plant: forces on its ends (Stam 1996, eq. 4, 5), modal forces, leans.

A branch is a segment. The pressure of the air acts across it only: P = 1 - d dᵀ takes away what blows along the
branch. Integrated with the element's cubic shapes it becomes forces and moments on the two ends, the matrix B of
appendix A; for a radius that changes along the branch the integral is the exact one. Leaves look every way, so theirs
is not projected. A cell of a sheet is a branch like others: pressure acts on it along its normal.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.mechanics import Modes
from windflower.mechanics.assembly import System
from windflower.mechanics.beams import Beams, cross_matrix
from windflower.mechanics.projection import drag_area
from windflower.mechanics.sums import summed_by
from windflower.motion.poses.sheet_limits import posed_shapes

__all__ = ["Exposure", "across_loads", "exposure_of"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Exposure:
    """How a plant stands in the wind, branch by branch: its segments in their order, then the cells of its sheets.

    middle  (branches, 3)          where each feels the wind, m
    area    (branches,)            drag coefficient times area of wood and leaves, m²
    cell    (branches,)            the cell of the crown that each is in
    rows    (shapes, branches, 3)  what a unit dynamic wind (m/s)² along x, y, z at a branch brings: modal forces
                                   first, then its share in each cell's mean dynamic wind along x, y, z
    shapes  (shapes, nodes, 6)     modes, then the static vectors of the cells: displacement, m, and rotation vector
    sheet   where the cells of sheets begin among the branches
    normal  (cells of sheets, 3)   unit
    lift    (cells of sheets,)     C_L/C_D
    brake   (modes, cells of sheets)  ½ ρ C_D ∫ (n·φ)²: times a speed, what they add to γ = 2ζω of each mode
    """

    middle: FloatArray
    area: FloatArray
    cell: IntArray
    rows: FloatArray
    shapes: FloatArray
    sheet: int
    normal: FloatArray
    lift: FloatArray
    brake: FloatArray


def exposure_of(modes: Modes) -> Exposure:
    """The exposure of a plant whose modes are known."""
    plant = modes.plant
    system = modes.conditions.system(plant, modes.wood)
    segments, plating, half = system.beams.segment, system.plating, system.medium.density / 2
    ends = np.stack([plant.parent[segments], segments], axis=1)
    parts = [(ends, _loads(system)), (plating.corner, half * plating.loads)]
    modal = np.concatenate(
        [np.einsum("kxej,mkxj->mke", load, modes.shape[:, node], optimize=True) for node, load in parts], axis=1
    )
    area = np.concatenate([drag_area(system)[segments], plating.area])
    cell = np.concatenate([modes.cell[segments], modes.crown + plating.patch])
    static = _static(modes, system, parts, modal, cell)
    return Exposure(
        middle=np.concatenate([(plant.position - plant.vector / 2)[segments], plating.middle(plant)]),
        area=area,
        cell=cell,
        rows=np.concatenate([modal, _shares(area, cell, modes.cells)]),
        shapes=posed_shapes(np.concatenate([modes.shape, static]), modes.conditions.sheets),
        sheet=len(segments),
        normal=plating.plates.normal,
        lift=plating.lift,
        brake=half * plating.braked(modes.shape),
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
            caught = np.bincount(plant.leaves.node, foliage.drag_area * share, plant.nodes)[system.beams.segment]
            loads[:, end, range(3), range(3)] += caught[:, None]
    return loads * system.medium.density / 2


def _static(
    modes: Modes, system: System, parts: Sequence[tuple[IntArray, FloatArray]], modal: FloatArray, cell: IntArray
) -> FloatArray:
    """(3 cells, nodes, 6) the lean under a unit dynamic wind along x, y, z on one cell, less what the modes give."""
    plant, cells = modes.plant, modes.cells
    total = np.zeros((cells * plant.nodes, 3, 6))
    starts = np.cumsum([len(node) for node, _ in parts])[:-1]
    for (node, load), mine in zip(parts, np.split(cell, starts), strict=True):
        place = mine[:, None] * plant.nodes + node
        total += summed_by(place.ravel(), load.reshape(-1, 3, 6), len(total))
    total = np.swapaxes(total.reshape(cells, plant.nodes, 3, 6), 1, 2).reshape(3 * cells, plant.nodes, 6)
    lean = system.displaced(total)
    by_cell = summed_by(cell, np.swapaxes(modal, 0, 1), cells)  # (cells, modes, 3)
    amount = np.swapaxes(by_cell / modes.omega[:, None] ** 2, 1, 2).reshape(3 * cells, -1)
    return np.asarray(lean - np.tensordot(amount, modes.shape, 1))


def _shares(area: FloatArray, cell: IntArray, cells: int) -> FloatArray:
    """(3 cells, branches, 3) weights of the branches in the mean over each cell, by their areas."""
    share = (cell == np.arange(cells)[:, None]) * area
    share /= share.sum(axis=1, keepdims=True)
    return np.einsum("ck,ef->cekf", share, np.eye(3)).reshape(3 * cells, -1, 3)
