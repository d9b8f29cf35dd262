"""Modal analysis: from a plant to its modes."""

from collections.abc import Sequence
from dataclasses import replace
from math import pi
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.errors import MechanicsError
from windflower.mechanics.archive import keep, kept_at, read_kept
from windflower.mechanics.assembly import System
from windflower.mechanics.cells import cut
from windflower.mechanics.eigen import lowest_modes
from windflower.mechanics.foliage import foliage_of, known_species
from windflower.mechanics.modes import Conditions, Modes
from windflower.mechanics.participation import LEVEL, Found, candidates
from windflower.mechanics.projection import drag_area, drag_damping, wind_loads
from windflower.mechanics.roots import Roots, check_roots
from windflower.mechanics.sheet import Sheet
from windflower.mechanics.strain import ground_moment
from windflower.mechanics.structure import Structure
from windflower.mechanics.sums import summed_by
from windflower.mechanics.wood import Wood, wood_of
from windflower.plant.graph import Plant

__all__ = ["analyse", "analyse_structure", "without_leaves"]

GENERIC_WOOD = "hardwood"


def analyse(
    plant: Plant,
    *,
    count: int = 25,
    wood: str | Wood | None = None,
    leaves: float = True,
    gravity: bool = True,
    cells: int = 1,
    roots: Roots | None = None,
    medium: str | None = None,
    point_mass: ArrayLike | None = None,
    point_lift: ArrayLike | None = None,
    sheets: Sequence[Sheet] = (),
    held: ArrayLike | None = None,
    limp: bool = True,
    chosen: str | None = None,
    cache: bool = True,
) -> Modes:
    """Find modes of a plant and what they need to move it in the wind.

    plant           the plant at rest; the shape is that under its own weight
    count           how many modes; fewer if the plant has fewer degrees of freedom
    wood            a name (`wood_names()`) or a `Wood`; by default the species' own, or a generic hardwood
    leaves          whether the leaves weigh and catch the wind, or the share of them that is left, 0 to 1
    gravity         whether weight acts: what hangs on an element stiffens it, what stands on it softens it
    cells           in how many cells the crown feels the wind; each patch of a sheet is one more
    roots           "spring" (see `mechanics.roots`), "clamped", or a stiffness in N·m/rad; by default a spring on land,
                    and clamped in water, with sheets, and where `held` says what is held
    medium          "air" or "water"; by default what the species lives in
    point_mass      (nodes,) other masses at the nodes, kg, such as fruit or instruments
    point_lift      (nodes,) upward forces at the nodes, N, such as those of floats
    sheets          on the plant's nodes; a `Structure` has them, and `analyse_structure` gives them
    held            (nodes, 6) whether something holds the freedoms, in place of those of the roots
    limp            whether limp axes hang from the modes of the wood that bears them, and do not bend in them
    chosen          of more than twice as many modes, "sway": those that are seen to sway most in the wind; "work":
                    those that it works on most (see `mechanics.participation`); "lowest": the lowest, to compare with
                    papers. By default "sway", with sheets "lowest": cloth flutters in modes that a wind hardly pushes
    cache           whether to look for the modes on disk first, and to keep them there (see `mechanics.archive`)
    """
    species = known_species(plant)
    if not isinstance(wood, Wood):
        wood = wood_of(wood or (species.wood if species else GENERIC_WOOD))
    medium = medium or ("water" if species and species.habitat == "water" else "air")
    if roots is None:
        roots = "clamped" if medium == "water" or held is not None or sheets else "spring"
    if not 0 <= leaves <= 1:
        raise MechanicsError(
            f"between none and all leaves are left; leaves is {leaves:g}. Give True, False or a share."
        )
    conditions = Conditions(
        leaves=float(leaves),
        gravity=gravity,
        roots=check_roots(roots),
        medium=medium,
        point_mass=_at_nodes("point_mass", point_mass, plant),
        point_lift=_at_nodes("point_lift", point_lift, plant),
        sheets=tuple(sheets),
        held=None if held is None else _held(held, plant),
        limp=limp,
    )
    if sheets and conditions.medium != "air":
        raise MechanicsError(f"sheets move in air; the medium is {conditions.medium}. Leave it out.")
    if not 1 <= cells <= max(plant.nodes, 1):
        raise MechanicsError(f"a crown has 1 to {len(plant.segments)} cells, its segments; cells is {cells}.")
    if count < 1:
        raise MechanicsError(f"a plant sways in at least one mode; count is {count}. Ask for 25.")
    chosen = chosen or ("lowest" if sheets else "sway")
    candidates(count, chosen)
    return _kept_or_found(plant, wood, conditions, (count, cells, chosen), cache=cache)


def without_leaves(modes: Modes, *, cache: bool = True) -> Modes:
    """Modes of the same plant when its leaves have gone: as many, in the same cells, under the same conditions."""
    conditions = replace(modes.conditions, leaves=0.0)
    chosen = "lowest" if modes.number[-1] == len(modes) else "sway"
    bare = _kept_or_found(modes.plant, modes.wood, conditions, (len(modes), modes.crown, chosen), cache=cache)
    own = modes.wood.damping_ratio(modes.frequency)
    factor = float(modes.damping[0] / own[0]) if own[0] > 0 else 1.0  # of a scene file
    return bare if factor == 1 else replace(bare, damping=factor * bare.damping)


def _kept_or_found(
    plant: Plant, wood: Wood, conditions: Conditions, asked: tuple[int, int, str], *, cache: bool
) -> Modes:
    path = kept_at(plant, wood, conditions, asked) if cache else None
    if path and (kept := read_kept(path, plant)):
        return kept
    modes = _analysed(plant, wood, conditions, *asked)
    if path:
        keep(modes, path)
    return modes


def analyse_structure(structure: Structure, **options: Any) -> Modes:
    """Find the lowest modes of wood and sheets together; the options are those of `analyse`.

    structure  wood and sheets, as `windflower.objects` or `sheet_alone` make them
    options    as in `analyse`
    """
    given = {"wood": structure.wood, "roots": "clamped", "sheets": structure.sheets, "held": structure.held}
    return analyse(structure.plant, **{**given, **options})


def _analysed(plant: Plant, wood: Wood, conditions: Conditions, count: int, cells: int, chosen: str) -> Modes:
    system = conditions.system(plant, wood)
    crown = cells if len(system.beams.segment) else 0
    cell, cells = _cells(system, crown), crown + system.plating.patches
    squares, reduced = _candidates(system, count, chosen)
    loads = wind_loads(system, cell, cells)
    lean = system.displaced(loads.reshape(cells * 3, -1, 6)).reshape(loads.shape)
    found = _found(squares, system.spread(reduced), loads, lean)
    kept = found.kept(count, chosen)
    shape, projection = found.shape[kept], found.projection[:, kept]
    steady = projection / squares[kept, None]
    shape_moment = ground_moment(system, shape, squares[kept])
    frequency = np.sqrt(squares[kept]) / (2 * pi)
    return Modes(
        plant=plant,
        wood=wood,
        conditions=conditions,
        frequency=frequency,
        number=kept + 1,
        work=found.shares[0, kept],
        damping=wood.damping_ratio(frequency),
        shape=shape,
        projection=projection,
        drag_damping=drag_damping(system, shape),
        static=lean - np.einsum("cmk,mnj->cknj", steady, shape),
        static_frequency=found.static_frequency(kept),
        root_moment=shape_moment,
        static_root_moment=ground_moment(system, lean, loads=loads) - np.einsum("cmk,mrj->ckrj", steady, shape_moment),
        cell=cell,
        **_cell_geometry(system, cell, crown),
    )


def _candidates(system: System, count: int, chosen: str) -> tuple[FloatArray, FloatArray]:
    """ω² and shapes of the modes to choose from: where higher ones cannot be found with certainty, the lowest."""
    mass, factor = system.mass, system.factor
    try:
        return lowest_modes(mass, factor, candidates(count, chosen))
    except MechanicsError:
        if chosen == "lowest":
            raise
        return lowest_modes(mass, factor, candidates(count, "lowest"))


def _found(squares: FloatArray, shape: FloatArray, loads: FloatArray, lean: FloatArray) -> Found:
    """Modes with their share of the wind: loads (cells, 3, nodes, 6), and the whole plant's lean under each."""
    flat = loads.reshape(-1, shape[0].size) @ shape.reshape(len(shape), -1).T
    projection = np.swapaxes(flat.reshape(len(loads), 3, -1), 1, 2).copy()
    level, leaning = loads[:, LEVEL], lean[:, LEVEL]
    work = np.array([(level.sum(axis=0) * leaning.sum(axis=0)).sum(), (level * leaning).sum()])
    return Found(squares, shape, projection, work)


def _cells(system: System, cells: int) -> IntArray:
    """(nodes,) the cell of each segment, by its middle; roots take that of their first segment.

    Behind the `cells` of the crown come the patches of sheets. A node of a sheet has the patch of one cell beside it.
    """
    plant, segments = system.plant, system.beams.segment
    middle = plant.position - plant.vector / 2
    cell = np.zeros(plant.nodes, np.int64)
    cell[system.plating.corner] = cells + system.plating.patch[:, None]
    if len(segments):
        in_leaf = replace(system, foliage=foliage_of(plant, True, system.medium))  # cells stay when leaves fall
        cell[segments] = cut(middle[segments], drag_area(in_leaf)[segments], cells)
    cell[plant.roots] = cell[np.minimum(plant.roots + 1, plant.nodes - 1)]
    return cell


def _cell_geometry(system: System, cell: IntArray, crown: int) -> dict[str, FloatArray]:
    """The area, centre, spread, normal and lift of each cell: `crown` cells of the wood, then the patches of sheets."""
    plant, plating, segments = system.plant, system.plating, system.beams.segment
    wood, sheet = np.zeros((len(segments), 3)), plating.plates.normal
    group = np.concatenate([cell[segments], crown + plating.patch])
    area = np.concatenate([drag_area(system)[segments], plating.area])
    middle = np.concatenate([(plant.position - plant.vector / 2)[segments], plating.middle(plant)])
    own = np.concatenate([plant.length[segments] ** 2, plating.plates.area]) / 12
    cells = crown + plating.patches
    total = summed_by(group, area, cells)
    centre = summed_by(group, area[:, None] * middle, cells) / total[:, None]
    apart = ((middle - centre[group]) ** 2).sum(axis=1) + own
    normal = summed_by(group, area[:, None] * np.concatenate([wood, sheet]), cells)
    size = np.linalg.norm(normal, axis=1, keepdims=True)
    lift = summed_by(group, area * np.concatenate([wood[:, 0], plating.lift]), cells)
    return {
        "cell_area": total,
        "cell_centre": centre,
        "cell_spread": np.sqrt(summed_by(group, area * apart, cells) / total / 3),
        "cell_normal": normal / np.where(size > 0, size, 1.0),
        "cell_lift": lift / total,
    }


def _held(held: ArrayLike, plant: Plant) -> NDArray[np.bool_]:
    """(nodes, 6) the freedoms that something holds."""
    try:
        found = np.array(np.broadcast_to(np.asarray(held, bool), (plant.nodes, 6)))
    except ValueError:
        raise MechanicsError(
            f"held has six freedoms for each of the {plant.nodes} nodes; its shape is {np.shape(held)}."
        ) from None
    if found.all():
        raise MechanicsError("something of a plant must be free to move; held holds all of it. Leave some of it free.")
    return found


def _at_nodes(name: str, values: ArrayLike | None, plant: Plant) -> FloatArray:
    if values is None:
        return np.zeros(plant.nodes)
    array = np.array(values, float)
    if array.shape != (plant.nodes,) or not np.isfinite(array).all() or (array < 0).any():
        raise MechanicsError(f"{name} has a number from 0 up for each of the {plant.nodes} nodes. Give 0 for none.")
    return array
