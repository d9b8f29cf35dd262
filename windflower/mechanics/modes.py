"""The modes of a plant: natural frequencies, mode shapes, wind projection and static vectors."""

import os
from dataclasses import asdict, dataclass, fields, replace
from functools import cached_property
from math import pi
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.drawing import drawn
from windflower.core.files import write_archive
from windflower.errors import MechanicsError
from windflower.mechanics.assembly import System, assemble
from windflower.mechanics.cells import shelter
from windflower.mechanics.foliage import Foliage, foliage_at
from windflower.mechanics.limp import LimpAxes
from windflower.mechanics.medium import medium_of
from windflower.mechanics.plate_assembly import pressed
from windflower.mechanics.projection import branch_projection, still_drag, wind_loads
from windflower.mechanics.roots import Roots
from windflower.mechanics.sheet import Sheet
from windflower.mechanics.strain import deformation, ground_moment
from windflower.mechanics.structure import own_nodes
from windflower.mechanics.wood import Wood
from windflower.plant.graph import Plant

__all__ = ["ARRAYS", "LEAVES", "PLANT", "POINTS", "Conditions", "Modes"]

PLANT = ("parent", "position", "radius", "base_radius", "order")
LEAVES = ("node", "place", "orientation", "size")
POINTS = ("point_mass", "point_lift")
NUDGE = 1e-6  # share of a speed, for slopes


@dataclass(frozen=True, eq=False, kw_only=True)
class Conditions:
    """The options of `analyse` that shape stiffness and mass; `leaves` is the share of them that is left."""

    leaves: float
    gravity: bool
    roots: Roots
    medium: str
    point_mass: FloatArray
    point_lift: FloatArray
    sheets: tuple[Sheet, ...] = ()
    held: NDArray[np.bool_] | None = None
    limp: bool = True

    def system(self, plant: Plant, wood: Wood) -> System:
        """Assemble stiffness and mass under these conditions."""
        return assemble(
            plant,
            wood,
            medium=medium_of(self.medium),
            leaves=self.leaves,
            gravity=self.gravity,
            roots=self.roots,
            point_mass=self.point_mass,
            point_lift=self.point_lift,
            sheets=self.sheets,
            held=self.held,
            limp=self.limp,
        )

    @property
    def facts(self) -> dict[str, Any]:
        """The options that are plain values, by name."""
        return {name: getattr(self, name) for name in vars(self) if name not in (*POINTS, "sheets", "held")}

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """All other options as arrays, by name; those of sheet number i begin with `sheet{i}_`."""
        arrays = {name: getattr(self, name) for name in POINTS}
        for number, sheet in enumerate(self.sheets):
            arrays |= {f"sheet{number}_{field.name}": np.asarray(getattr(sheet, field.name)) for field in fields(Sheet)}
        return arrays if self.held is None else {**arrays, "held": self.held}


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Modes:
    """The modes of a plant, and all that its motion needs. Immutable; `windflower.analyse` makes it.

    plant, wood, conditions      what was analysed, of what, and how
    frequency     (modes,)       Hz, ascending
    number        (modes,)       which of all modes of the plant each is, from 1
    work          (modes,)       share of each in the static work of a level wind; the rest is the static vectors'
    damping       (modes,)       structural damping ratios: those of the wood itself
    shape         (modes, nodes, 6)  displacement xyz, rotation vector xyz, in the plant's frame
    projection    (cells, modes, 3)  modal force = Σ_cells projection[c] @ w_c with the dynamic wind
                                 w_c = s(|v_c|) |v_c| v_c in (m/s)²; s is `streamlined`. See `dynamic_wind`
    drag_damping  (modes,)       1/m: a mean wind U adds drag_damping · U to γ = 2 ζ ω
    static        (cells, 3, nodes, 6)  the plant, m and rad, under a dynamic wind of 1 (m/s)² along x, y, z
                                 on one cell, minus what the modes give
    static_frequency             Hz, how fast the static vectors follow the wind: as the modes left out do on the mean
    root_moment   (modes, roots, 3)  moment that each root takes when a mode has the amplitude 1, N·m
    static_root_moment (cells, 3, roots, 3)  the same of the static vectors, N·m
    cell          (nodes,)       the cell of each segment; a root has that of its first segment
    cell_centre   (cells, 3)     where each cell feels the wind, m
    cell_spread   (cells,)       how far a cell's drag reaches about its centre: rms along one axis, m
    cell_area     (cells,)       drag coefficient times area, m²
    cell_normal   (cells, 3)     the mean unit normal of a sheet's patch; 0 for cells of the crown
    cell_lift     (cells,)       C_L / C_D of a sheet's patch; 0 for cells of the crown
    """

    plant: Plant
    wood: Wood
    conditions: Conditions
    frequency: FloatArray
    number: IntArray
    work: FloatArray
    damping: FloatArray
    shape: FloatArray
    projection: FloatArray
    drag_damping: FloatArray
    static: FloatArray
    static_frequency: float
    root_moment: FloatArray
    static_root_moment: FloatArray
    cell: IntArray
    cell_centre: FloatArray
    cell_spread: FloatArray
    cell_area: FloatArray
    cell_normal: FloatArray
    cell_lift: FloatArray

    def __post_init__(self) -> None:
        modes, nodes = len(self.frequency), self.plant.nodes
        cells, roots = len(self.cell_area), len(self.plant.roots)
        shapes = {
            "frequency": (modes,),
            "number": (modes,),
            "work": (modes,),
            "damping": (modes,),
            "shape": (modes, nodes, 6),
            "projection": (cells, modes, 3),
            "drag_damping": (modes,),
            "static": (cells, 3, nodes, 6),
            "root_moment": (modes, roots, 3),
            "static_root_moment": (cells, 3, roots, 3),
            "cell": (nodes,),
            "cell_centre": (cells, 3),
            "cell_spread": (cells,),
            "cell_area": (cells,),
            "cell_normal": (cells, 3),
            "cell_lift": (cells,),
        }
        for name, shape in shapes.items():
            array = getattr(self, name)
            if array.shape != shape:
                raise MechanicsError(f"{name} of these modes has the shape {shape}; it has {array.shape}.")
            if not np.isfinite(array).all():
                raise MechanicsError(f"modes are finite; {name} of these is not. Find them anew with cache=False.")
            array.flags.writeable = False
        if not (self.frequency[0] > 0 and (np.diff(self.frequency) >= 0).all() and 0 < self.static_frequency < np.inf):
            raise MechanicsError(
                f"frequencies of modes are positive and ascend; these are {self.frequency}, and "
                f"{self.static_frequency:g} Hz of the static vectors. Find them anew with cache=False."
            )
        if self.cell.min() < 0 or self.cell.max() >= cells:
            raise MechanicsError(f"cells are numbered from 0 to {cells - 1}; these go to {self.cell.max()}.")

    def __len__(self) -> int:
        return len(self.frequency)

    def __repr__(self) -> str:
        first, last = self.frequency[[0, -1]]
        return f"<Modes of {self.plant!r}: {len(self)} from {first:.3g} to {last:.3g} Hz>"

    @property
    def omega(self) -> FloatArray:
        """(modes,) angular frequencies 2πf, rad/s."""
        return 2 * pi * self.frequency

    @property
    def cells(self) -> int:
        """Number of cells of the crown and patches of its sheets, together."""
        return len(self.cell_area)

    @cached_property
    def crown(self) -> int:
        """Number of cells of the crown: the first ones, before the patches of sheets."""
        return int(np.count_nonzero(~self.cell_normal.any(axis=1)))

    def dynamic_wind(self, wind: FloatArray) -> FloatArray:
        """(…, cells, 3) the dynamic wind, (m/s)², for a wind at the cells (…, cells, 3) in the plant's frame, m/s.

        s(|v|) |v| v of what reaches a cell of the crown; on a sheet's patch (|n·v| + λ |v - (n·v) n|) (n·v) n.
        """
        reaching = wind * self.shelter(wind.mean(axis=-2))[..., None]
        speed = np.linalg.norm(reaching, axis=-1)
        dynamic = np.asarray(reaching * (self.streamlined(speed) * speed)[..., None])
        if self.crown < self.cells:
            sheet = slice(self.crown, None)
            dynamic[..., sheet, :] = pressed(wind[..., sheet, :], self.cell_normal[sheet], self.cell_lift[sheet])
        return dynamic

    @property
    def porosity(self) -> float:
        """Share of the wind speed left behind the crown."""
        return self._foliage.porosity

    def streamlined(self, speed: ArrayLike) -> FloatArray:
        """(…,) factor on the drag at wind speeds (…,), m/s, as the crown streamlines; 1 for a bare stem."""
        return self._foliage.streamlined(np.asarray(speed, float))

    def gust_gain(self, speed: FloatArray) -> FloatArray:
        """(…, 3) change of the dynamic wind per m/s along a mean wind of these speeds (m/s), left of it and up, m/s.

        Of s U² e to first order: (s U²)′ along the wind and s U across it, on bare wood 2 U and U.
        """
        above, below = speed * (1 + NUDGE), speed * (1 - NUDGE)
        change = self.streamlined(above) * above**2 - self.streamlined(below) * below**2
        along = np.divide(change, above - below, out=np.zeros(np.shape(speed)), where=speed > 0)
        across = self.streamlined(speed) * speed
        return np.stack([along, across, across], axis=-1)

    def air_damping(self, speed: float) -> FloatArray:
        """(modes,) damping ratios that a mean wind of this speed (m/s) adds to the wood's."""
        return self.drag_damping * self.streamlined(speed) * speed / (2 * self.omega)

    def still_air_damping(self, amplitude: float) -> FloatArray:
        """(modes,) damping ratios that still air adds where each mode's farthest node swings by `amplitude` (m).

        The crown's own drag: it grows with the amplitude. Sheets are left out.
        """
        farthest = np.linalg.norm(self.shape[..., :3], axis=-1).max(axis=1)
        return still_drag(self._system, self.shape) * amplitude / np.maximum(2 * farthest, 1e-30)

    def plot(self, **options: Any) -> Any:
        """Draw some modes side by side: `plot_modes`, whose axes are returned."""
        return drawn("plot_modes", self, options)

    @cached_property
    def branch_projection(self) -> FloatArray:
        """(modes, segments, 3) share of each segment, with its leaves, in `projection`."""
        return branch_projection(self._system, self.shape)

    @cached_property
    def node_drag(self) -> FloatArray:
        """(cells, nodes) force on each node by a unit dynamic wind on a cell of the crown, kg/m; 0 for sheets."""
        loads = self._wind_loads[..., :3]
        return np.einsum("cknk->cn", loads) / 3 * (np.arange(self.cells) < self.crown)[:, None]

    @cached_property
    def static_work(self) -> FloatArray:
        """(3 cells, 3 cells) work of a unit dynamic wind along x, y, z on each cell on each static vector, J.

        As these are what the wind does less what the modes do, it is also the stiffness of their amounts.
        """
        work = np.einsum("cknj,dlnj->ckdl", self._wind_loads, self.static).reshape(3 * self.cells, -1)
        return np.asarray((work + work.T) / 2)

    def shelter(self, direction: ArrayLike) -> FloatArray:
        """(…, cells) factors on the wind speed at each cell, for winds along `direction` (…, 3).

        They are relative to the mean wind in the crown: windward cells get more than 1, lee cells less. Sheets stand
        beside it: 1.
        """
        direction = np.asarray(direction, float)
        factor = np.ones((*direction.shape[:-1], self.cells))
        if self.crown > 1 and self.porosity < 1:
            crown = slice(0, self.crown)
            cells = self.cell_centre[crown], self.cell_spread[crown], self.cell_area[crown]
            factor[..., crown] = shelter(direction, *cells, self.porosity)
        return factor

    @property
    def limp(self) -> LimpAxes:
        """The axes that do not bend in these modes, but hang from them."""
        return self._system.limp

    @cached_property
    def shape_deformation(self) -> FloatArray:
        """(modes, nodes, 4) curvature vector (1/m) and axial strain at the base of each segment, per mode.

        Sum them like displacements, Σ q shape_deformation + …, and give the sum to `fibre_strain`.
        """
        return deformation(self._system, self.shape)

    @cached_property
    def static_deformation(self) -> FloatArray:
        """(cells, 3, nodes, 4) curvature vector and axial strain of the static vectors."""
        return deformation(self._system, self.static)

    def deformation(self, displacement: FloatArray) -> FloatArray:
        """(…, nodes, 4) curvature vector and axial strain of any displacement (…, nodes, 6)."""
        return deformation(self._system, displacement)

    def reaction(self, displacement: FloatArray) -> FloatArray:
        """(…, roots, 3) the moment with which the ground holds each root, N·m, at any displacement (…, nodes, 6)."""
        return ground_moment(self._system, displacement)

    @property
    def system(self) -> System:
        """Stiffness and mass of the plant under its conditions."""
        return self._system

    def truncated(self, count: int) -> "Modes":
        """Keep the slowest `count` modes; the others' share of a steady lean moves into the static vectors."""
        if not 1 <= count <= len(self):
            raise MechanicsError(f"there are {len(self)} modes to keep some of; {count} is not between 1 and that.")
        if count == len(self):
            return self
        steady = self.projection[:, count:] / self.omega[count:, None] ** 2
        return replace(
            self,
            frequency=self.frequency[:count].copy(),
            number=self.number[:count].copy(),
            work=self.work[:count].copy(),
            damping=self.damping[:count].copy(),
            shape=self.shape[:count].copy(),
            projection=self.projection[:, :count].copy(),
            drag_damping=self.drag_damping[:count].copy(),
            static=self.static + np.einsum("cmk,mnj->cknj", steady, self.shape[count:]),
            static_frequency=min(float(self.frequency[count]), self.static_frequency),
            root_moment=self.root_moment[:count].copy(),
            static_root_moment=self.static_root_moment + np.einsum("cmk,mrj->ckrj", steady, self.root_moment[count:]),
        )

    def compliance(self, nodes: ArrayLike, *, residual: bool = False) -> FloatArray:
        """Displacement of the plant by 1 N along x, y, z on each picked node, (picked, 3, nodes, 6).

        `residual=True` leaves out what the modes give: the rest that a hand on that node needs.

        nodes     (picked,) indices of nodes
        residual  whether what the modes give is left out
        """
        picked = np.atleast_1d(np.asarray(nodes))
        if not ((picked >= 0) & (picked < self.plant.nodes)).all():
            raise MechanicsError(f"nodes are numbered from 0 to {self.plant.nodes - 1}; asked for {picked.tolist()}.")
        load = np.zeros((len(picked), 3, self.plant.nodes, 6))
        for one, node in enumerate(picked):
            load[one, range(3), node, range(3)] = 1
        response = self._system.displaced(load.reshape(-1, self.plant.nodes, 6)).reshape(load.shape)
        if residual:
            steady = self.shape[:, picked, :3] / self.omega[:, None, None] ** 2
            response -= np.einsum("mpk,mnj->pknj", steady, self.shape)
        return response

    def save(self, path: str | os.PathLike[str], *, compressed: bool = True) -> None:
        """Write the modes with their plant and wood as a NumPy archive, which `read_modes` reads back bit by bit."""
        plant, conditions = self.plant, self.conditions
        arrays = {name: getattr(self, name) for name in ARRAYS}
        arrays |= {f"plant_{name}": getattr(plant, name) for name in PLANT}
        arrays |= {f"leaf_{name}": getattr(plant.leaves, name) for name in LEAVES}
        facts = {
            "species": plant.species,
            "seed": plant.seed,
            "wood": asdict(self.wood),
            "static_frequency": self.static_frequency,
            "conditions": conditions.facts,
            "sheets": len(conditions.sheets),
        }
        write_archive(path, "modes", {**arrays, **conditions.arrays}, facts, compressed=compressed)

    @cached_property
    def _system(self) -> System:
        return self.conditions.system(self.plant, self.wood)

    @cached_property
    def _wind_loads(self) -> FloatArray:
        return wind_loads(self._system, self.cell, self.cells)

    @cached_property
    def _foliage(self) -> Foliage:
        sheets = self.conditions.sheets
        besides = own_nodes(self.plant, sheets) if sheets else None
        return foliage_at(self.plant, self.conditions.leaves, medium_of(self.conditions.medium), besides=besides)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if not name.startswith("_")}


ARRAYS = tuple(
    field.name for field in fields(Modes) if field.name not in ("plant", "wood", "conditions", "static_frequency")
)
"""The arrays of `Modes`."""
