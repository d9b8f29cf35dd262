"""Drag of wood and leaves as loads on the nodes of a plant, cell by cell (eq. 11–16)."""

from math import pi

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.mechanics.assembly import System
from windflower.mechanics.beams import GAUSS, WEIGHT, cross_matrix
from windflower.mechanics.foliage import lumped, wood_area
from windflower.mechanics.plate_assembly import every_way
from windflower.mechanics.sums import summed_by

__all__ = ["branch_projection", "drag_area", "drag_damping", "drag_matrix", "still_drag", "wind_loads"]


def drag_area(system: System) -> FloatArray:
    """(nodes,) drag coefficient times area of each segment and its leaves, m²; zero at roots."""
    plant, beams = system.plant, system.beams
    area = np.zeros(plant.nodes)
    area[beams.segment] = system.foliage.wood_drag * wood_area(beams)
    if len(system.foliage.drag_area):
        area += np.bincount(plant.leaves.node, system.foliage.drag_area, plant.nodes)
    return area


def wind_loads(system: System, cell: IntArray, cells: int) -> FloatArray:
    """(cells, 3, nodes, 6) forces and moments on the nodes; a unit dynamic wind along x, y, z on one cell.

    The dynamic wind is |v| v in (m/s)². Drag is ½ ρ C_D D |v| v on each metre (eq. 11), whatever its
    direction, integrated exactly with the element's shapes; a leaf's drag is shared between two nodes like
    its mass. On a patch of a sheet, the last cells, the dynamic wind is that of `pressed`, and acts along the normal.
    """
    plant, half = system.plant, system.medium.density / 2
    segments, leaf_cell = system.beams.segment, cell[plant.leaves.node]
    loads = np.zeros((cells, plant.nodes, 3, 6))
    for node, load in zip((plant.parent[segments], segments), _element_loads(system), strict=True):
        total = summed_by(cell[segments] * plant.nodes + node, load, cells * plant.nodes)
        loads += half * system.foliage.wood_drag * total.reshape(loads.shape)
    if len(system.foliage.drag_area):
        for one in range(cells):
            area = lumped(plant, np.where(leaf_cell == one, system.foliage.drag_area, 0))
            loads[one, :, range(3), range(3)] += half * area
    if plating := system.plating:
        of_patch = cells - plating.patches + np.repeat(plating.patch, 4)
        pressed = summed_by(
            of_patch * plant.nodes + plating.corner.ravel(), plating.loads.reshape(-1, 3, 6), cells * plant.nodes
        )
        loads += half * pressed.reshape(loads.shape)
    if system.limp:
        loads = np.swapaxes(system.limp.moved(np.swapaxes(loads, 0, 1)), 0, 1)
    return np.swapaxes(loads, 1, 2).copy()


def branch_projection(system: System, shape: FloatArray) -> FloatArray:
    """(modes, segments, 3) modal forces of a unit dynamic wind along x, y, z on one segment and its leaves alone.

    For the shapes (modes, nodes, 6); summed over the segments of a cell it is `Modes.projection`.
    """
    plant, leaves, caught = system.plant, system.plant.leaves, system.foliage.drag_area
    segments = system.beams.segment
    ends = system.limp.bearer[plant.parent[segments]], system.limp.bearer[segments]
    total = np.zeros((len(shape), len(segments), 3))
    for node, load, share in zip(ends, _element_loads(system), (1 - leaves.place, leaves.place), strict=True):
        moved = shape[:, node]
        total += system.foliage.wood_drag * np.einsum("kxj,mkj->mkx", load, moved)
        if len(caught):
            total += moved[..., :3] * np.bincount(leaves.node, caught * share, plant.nodes)[segments, None]
    return system.medium.density / 2 * total


def _element_loads(system: System) -> list[FloatArray]:
    """∫ D N(x)ᵀ e dx on base and tip of each segment (segments, 3, 6), e along x, y, z; limp ones bear no moment."""
    direction = system.beams.direction
    straight, bent = system.beams.wind_shares()
    bent[:, 1::2] *= ~system.limp.mine[system.beams.segment, None]
    along = direction[:, :, None] * direction[:, None, :]
    across, turn = np.eye(3) - along, cross_matrix(direction)
    ends = []
    for end in range(2):
        force = straight[:, end, None, None] * along + bent[:, 2 * end, None, None] * across
        ends.append(np.concatenate([force, bent[:, 2 * end + 1, None, None] * turn], axis=2))
    return ends


def drag_damping(system: System, shape: FloatArray) -> FloatArray:
    """(modes,) aerodynamic damping: what air adds to γ = 2 ζ ω of each mode (modes, nodes, 6) per m/s of wind, 1/m.

    Drag c|v - u̇|(v - u̇) about a mean wind U along e, to first order in u̇, is c U² e - c U (1 + e eᵀ) u̇. Over all
    directions e eᵀ averages to 1/3, so that γ_i = U 4/3 ∫ c |φ_i|² with c = ½ ρ C_D D and the leaves' share; for
    sheets see `every_way`. The coupling between modes is left out.
    """
    by_sheets = system.plating.braked(shape) @ every_way(system.plating.lift)
    return np.asarray(drag_matrix(system, shape).diagonal() + system.medium.density / 2 * by_sheets)


def drag_matrix(system: System, shape: FloatArray) -> FloatArray:
    """(modes, modes) the same as a matrix over shapes (modes, nodes, 6), without sheets: what couples them too."""
    plant, beams, foliage = system.plant, system.beams, system.foliage
    stiff = ~system.limp.mine[beams.segment]
    width = 2 * foliage.wood_drag * beams.radius(GAUSS) * stiff[:, None]
    leaves = lumped(plant, foliage.drag_area)
    leaves[beams.segment] += np.where(stiff, 0.0, foliage.wood_drag * wood_area(beams))
    leaves = system.limp.moved(leaves)
    flat = (shape[..., :3] * leaves[:, None]).reshape(len(shape), -1)
    taken = flat @ shape[..., :3].reshape(len(shape), -1).T
    for moved, matrix in zip(
        _in_elements(system, shape), (beams.linear_mass(width), beams.bending_mass(width)), strict=True
    ):
        taken += (matrix @ moved).reshape(len(shape), -1) @ moved.reshape(len(shape), -1).T
    return np.asarray(system.medium.density / 2 * 4 / 3 * taken)


def still_drag(system: System, shape: FloatArray) -> FloatArray:
    """(modes,) what still air adds to γ = 2 ζ ω of each mode (modes, nodes, 6) per unit of amplitude times ω.

    Drag c |u̇| u̇ takes 8/3 c a³ ω² |φ|³ out of each cycle of the amplitude a, as a damping γ = 8/3π a ω ∫ c |φ|³ does.
    Segments are straight between their nodes here.
    """
    plant, foliage, segments = system.plant, system.foliage, system.beams.segment
    moved = shape[..., :3]

    def cubes(node: IntArray, place: FloatArray | float) -> FloatArray:
        share = np.reshape(place, (-1, 1))
        return np.linalg.norm((1 - share) * moved[:, plant.parent[node]] + share * moved[:, node], axis=-1) ** 3

    wood = foliage.wood_drag * wood_area(system.beams)
    taken = sum(weight * cubes(segments, place) @ wood for place, weight in zip(GAUSS, WEIGHT, strict=True))
    if len(foliage.drag_area):
        taken = taken + cubes(plant.leaves.node, plant.leaves.place) @ foliage.drag_area
    return np.asarray(8 / (3 * pi) * system.medium.density / 2 * taken)


def _in_elements(system: System, moved: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Displacements (…, nodes, 6) in each element: along it (…, segments, 2, 1) and across it (…, segments, 4, 3)."""
    plant, d = system.plant, system.beams.direction
    segments = system.beams.segment
    base, tip = moved[..., plant.parent[segments], :], moved[..., segments, :]
    along = np.stack([(end[..., :3] * d).sum(axis=-1, keepdims=True) for end in (base, tip)], axis=-2)
    across = np.stack(
        [
            base[..., :3] - along[..., 0, :] * d,
            np.cross(base[..., 3:], d),
            tip[..., :3] - along[..., 1, :] * d,
            np.cross(tip[..., 3:], d),
        ],
        axis=-2,
    )
    return along, across
