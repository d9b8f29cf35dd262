"""All sheets of a structure as plates on its nodes: their share in stiffness and mass, their tension, their wind."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import pi

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csc_array
from scipy.sparse.linalg import splu

from windflower.core.arrays import FloatArray, IntArray
from windflower.mechanics.plate import IN_PLANE, OUT_OF_PLANE, Plates, plates_of
from windflower.mechanics.sheet import Sheet
from windflower.mechanics.structure import own_nodes
from windflower.mechanics.sums import summed_by
from windflower.plant.graph import Plant

__all__ = ["Plating", "every_way", "plating_of", "pressed"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Plating:
    """Plates on the nodes of a plant; none for a plant without sheets.

    corner     (cells, 4)       nodes round each cell
    patch      (cells,)         which patch each cell feels the wind in, numbered over all sheets
    drag       (cells,)         C_D of each cell's sheet
    lift       (cells,)         C_L / C_D of it
    stiffness, mass  (cells, 24, 24)  over the freedoms of the corners, in space
    """

    plates: Plates
    corner: IntArray
    patch: IntArray
    drag: FloatArray
    lift: FloatArray
    stiffness: FloatArray
    mass: FloatArray

    def __len__(self) -> int:
        return len(self.corner)

    @property
    def patches(self) -> int:
        """Number of patches of all sheets."""
        return int(self.patch.max()) + 1 if len(self) else 0

    @property
    def area(self) -> FloatArray:
        """(cells,) drag coefficient times area, m²."""
        return self.drag * self.plates.area

    @cached_property
    def loads(self) -> FloatArray:
        """(cells, 4, 3, 6) on the corners of each cell, by a unit dynamic wind along x, y, z, over ρ/2.

        The pressure is C_D n (n·w) with the dynamic wind w of `pressed`, integrated exactly with the element's shape.
        """
        normal = self.plates.normal
        pressed = (self.plates.shares() @ normal[:, :, None]) * normal[:, None]  # (cells, 24, 3)
        return np.swapaxes(self.drag[:, None, None, None] * pressed.reshape(-1, 4, 6, 3), 2, 3)

    def blocks(self, elements: FloatArray) -> tuple[IntArray, IntArray, FloatArray]:
        """Rows and columns (blocks,) of nodes, and 6 × 6 blocks, of matrices (cells, 24, 24)."""
        row = np.broadcast_to(self.corner[:, :, None], (len(self), 4, 4))
        column = np.broadcast_to(self.corner[:, None, :], (len(self), 4, 4))
        data = elements.reshape(-1, 4, 6, 4, 6).transpose(0, 1, 3, 2, 4)
        return row.ravel(), column.ravel(), data.reshape(-1, 6, 6)

    def at_nodes(self, values: FloatArray, nodes: int) -> FloatArray:
        """(nodes,) a quantity of each cell (cells,), a quarter of it at each corner."""
        return np.bincount(self.corner.ravel(), np.repeat(values / 4, 4), nodes).astype(float)

    def middle(self, plant: Plant) -> FloatArray:
        """(cells, 3) middles of the cells, m."""
        return np.asarray(plant.position[self.corner].mean(axis=1))

    def braked(self, shape: FloatArray) -> FloatArray:
        """(modes, cells) ∫ C_D (n·φ)² of shapes (modes, nodes, 6): how much of each mode a cell's pressure takes."""
        matrix = self.plates.deflection_mass(self.drag)
        taken = np.zeros((len(shape), len(self)))
        for mode, moved in enumerate(shape):
            local = self.plates.in_elements(moved[self.corner])[..., OUT_OF_PLANE].reshape(-1, 12, 1)
            taken[mode] = (np.swapaxes(local, 1, 2) @ matrix @ local)[:, 0, 0]
        return taken

    def reaction(self, displacement: FloatArray, squares: FloatArray, nodes: IntArray) -> FloatArray:
        """(columns, nodes, 3) moments of (K - ω² M) u on some nodes.

        ω² (columns,); u (columns, all nodes, 6).
        """
        touching = np.isin(self.corner, nodes).any(axis=1)
        corner = self.corner[touching]
        ends = displacement[:, corner].reshape(len(displacement), len(corner), 24, 1)
        force = self.stiffness[touching] @ ends - squares[:, None, None, None] * (self.mass[touching] @ ends)
        moment = np.swapaxes(force.reshape(len(displacement), 4 * len(corner), 6)[..., 3:], 0, 1)
        return np.swapaxes(summed_by(corner.ravel(), moment, displacement.shape[1])[nodes], 0, 1)


def pressed(wind: FloatArray, normal: FloatArray, lift: FloatArray) -> FloatArray:
    """(…, n, 3) the dynamic wind (|y| + λ|t|) y n of sheets, (m/s)², with y = n·v and t = v - y n.

    wind (…, n, 3) in m/s, unit normals (n, 3), λ = C_L/C_D (n,). Times ½ ρ C_D it is the pressure.
    """
    across = (wind * normal).sum(axis=-1)
    along = np.sqrt(np.maximum((wind * wind).sum(axis=-1) - across**2, 0.0))
    return np.asarray(((np.abs(across) + lift * along) * across)[..., None] * normal)


def every_way(lift: FloatArray) -> FloatArray:
    """(cells,) 1/s by which 1 m/s of wind damps a sheet, over ½ ρ C_D; the mean over all directions of the wind.

    To first order in the sheet's own speed ẇ, the dynamic wind (|y| + λ|t|) y with y = n·v - ẇ loses (2|n·v| + λ|t|) ẇ.
    Over all directions |n·v| has the mean ½, and |t| has π/4.
    """
    return 1 + pi / 4 * lift


def plating_of(plant: Plant, sheets: Sequence[Sheet], held: NDArray[np.bool_], *, gravity: float) -> Plating:
    """The sheets of a plant as plates.

    held     (nodes, 6) the freedoms that something holds
    gravity  m/s², for the tension that weight gives them; 0 leaves it out
    """
    corner = np.concatenate([np.zeros((0, 4), np.int64), *(sheet.corner for sheet in sheets)])
    plates = plates_of(
        plant.position[corner],
        **{name: _in_cells(sheets, name) for name in ("thickness", "density", "E", "nu")},
    )
    first = np.cumsum([0, *(sheet.patches[0] * sheet.patches[1] for sheet in sheets)])
    patch = [sheet.patch + start for sheet, start in zip(sheets, first, strict=False)]
    drag = _in_cells(sheets, "drag")
    stiffness = plates.unfold(
        plane=plates.membrane_stiffness(),
        deflection=plates.bending_stiffness(),
        drilling=plates.drilling_stiffness(),
    )
    per_area = plates.density * plates.thickness
    force = _in_cells(sheets, "pull") - gravity * per_area[:, None] * np.array([0.0, 1.0, 0.0])
    free = own_nodes(plant, sheets)[:, None] & ~held
    stretched = _in_cells(sheets, "tension")[:, None, :, None] * np.eye(2)
    tension = stretched + _tension(plates, corner, stiffness, free, force)
    limp = _in_cells(sheets, "limp")[:, None, None, None] > 0
    taut = plates.tension_stiffness(np.where(limp, _pulling(tension), tension))
    return Plating(
        plates=plates,
        corner=corner,
        patch=np.concatenate([np.zeros(0, np.int64), *patch]),
        drag=drag,
        lift=np.divide(_in_cells(sheets, "lift"), drag, out=np.zeros(len(drag)), where=drag > 0),
        stiffness=stiffness + plates.unfold(plane=np.zeros((len(taut), 8, 8)), deflection=taut),
        mass=plates.unfold(plane=plates.plane_mass(per_area), deflection=plates.deflection_mass(per_area)),
    )


def _in_cells(sheets: Sequence[Sheet], name: str) -> FloatArray:
    """(cells, …) a number of each sheet, or of each of its cells, for all cells of all sheets."""
    parts = [np.zeros({"pull": (0, 3), "tension": (0, 2)}.get(name, (0,)))]
    for sheet in sheets:
        value = np.asarray(getattr(sheet, name), float)
        cells = sheet.thickness.size
        parts.append(value.ravel() if value.shape == sheet.thickness.shape else np.repeat(value[None], cells, axis=0))
    return np.concatenate(parts)


def _tension(
    plates: Plates, corner: IntArray, stiffness: FloatArray, free: NDArray[np.bool_], force: FloatArray
) -> FloatArray:
    """(cells, points, 2, 2) membrane forces, N/m, of sheets at rest under a force (cells, 3) in N/m².

    The shape given is that under load; what holds the sheets stands still.
    """
    moved = np.zeros(free.shape)
    if len(corner) and np.any(force):
        freedom = (6 * corner[:, :, None] + np.arange(6)).reshape(-1, 24)
        load = np.bincount(freedom.ravel(), (plates.shares() @ force[:, :, None]).ravel(), free.size)
        row, column = np.repeat(freedom, 24, axis=1).ravel(), np.tile(freedom, (1, 24)).ravel()
        loose = np.flatnonzero(free.ravel())
        matrix = csc_array(coo_array((stiffness.ravel(), (row, column)), shape=(free.size, free.size)))
        moved.ravel()[loose] = splu(csc_array(matrix[loose][:, loose])).solve(load[loose])
    return plates.tension(plates.in_elements(moved[corner])[..., IN_PLANE])


def _pulling(tension: FloatArray) -> FloatArray:
    """The part of membrane forces (…, 2, 2) that pulls: cloth folds under the rest."""
    value, vector = np.linalg.eigh(tension)
    return np.asarray((vector * np.maximum(value, 0.0)[..., None, :]) @ np.swapaxes(vector, -1, -2))
