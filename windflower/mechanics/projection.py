"""What the wind does to a plant: drag of wood and leaves as loads on the nodes, cell by cell (eq. 11–16)."""

import numpy as np

from windflower.mechanics.assembly import System
from windflower.mechanics.beams import GAUSS, WEIGHT, cross_matrix, hermite, linear
from windflower.mechanics.cells import summed_by
from windflower.mechanics.foliage import BRANCH_DRAG, lumped
from windflower.plant.graph import FloatArray, IntArray

__all__ = ["drag_area", "drag_damping", "wind_loads"]


def drag_area(system: System) -> FloatArray:
    """(nodes,) drag coefficient times area of each segment and its leaves, m²; zero at roots."""
    plant, beams = system.plant, system.beams
    area = np.zeros(plant.nodes)
    area[plant.segments] = BRANCH_DRAG * (beams.base + beams.tip) * beams.length
    if len(system.foliage.drag_area):
        area += np.bincount(plant.leaves.node, system.foliage.drag_area, plant.nodes)
    return area


def wind_loads(system: System, cell: IntArray, cells: int) -> FloatArray:
    """(cells, 3, nodes, 6) forces and moments on the nodes; a unit dynamic wind along x, y, z on one cell.

    The dynamic wind is |v| v in (m/s)². Drag is ½ ρ C_D D |v| v on each metre (eq. 11), whatever its
    direction, integrated exactly with the element's shapes; a leaf's drag is shared between two nodes like
    its mass.
    """
    plant, half = system.plant, system.medium.density / 2
    loads = np.zeros((cells, 3, plant.nodes, 6))
    base, tip = _element_loads(system)
    segments = plant.segments
    by_node = np.moveaxis(loads, 1, 2)  # (cells, nodes, 3, 6)
    for node, load in ((plant.parent[segments], base), (segments, tip)):
        flat = cell[segments] * plant.nodes + node
        total = summed_by(flat, half * BRANCH_DRAG * np.swapaxes(load, 1, 2), cells * plant.nodes)
        by_node += total.reshape(by_node.shape)
    if len(system.foliage.drag_area):
        leaf_cell = cell[plant.leaves.node]
        for one in range(cells):
            area = half * lumped(plant, np.where(leaf_cell == one, system.foliage.drag_area, 0))
            loads[one, range(3), :, range(3)] += area
    return loads


def _element_loads(system: System) -> tuple[FloatArray, FloatArray]:
    """(segments, 6, 3) twice: what ∫ D N(x)ᵀ e dx puts on base and tip of a segment, for e along x, y, z."""
    beams = system.beams
    straight, bent = beams.wind_shares()
    along = beams.direction[:, :, None] * beams.direction[:, None, :]
    across = np.eye(3) - along
    turn = np.swapaxes(cross_matrix(beams.direction), 1, 2)
    ends = [
        np.concatenate(
            [
                straight[:, end, None, None] * along + bent[:, 2 * end, None, None] * across,
                bent[:, 2 * end + 1, None, None] * turn,
            ],
            axis=1,
        )
        for end in range(2)
    ]
    return ends[0], ends[1]


def drag_damping(system: System, shape: FloatArray) -> FloatArray:
    """(modes,) what the air adds to each mode's γ = 2 ζ ω per m/s of mean wind, 1/m.

    Drag c|v - u̇|(v - u̇) about a mean wind U along e, to first order in u̇, is c U² e - c U (1 + e eᵀ) u̇.
    Over all directions e eᵀ averages to 1/3, so that γ_i = U 4/3 ∫ c |φ_i|² with c = ½ ρ C_D D and the
    leaves' share. The coupling between modes is left out.
    """
    plant, half = system.plant, system.medium.density / 2
    leaf = lumped(plant, system.foliage.drag_area)
    total = half * np.einsum("n,mnk->m", leaf, shape[..., :3] ** 2)
    width = half * BRANCH_DRAG * 2 * system.beams.radius(GAUSS) * WEIGHT * system.beams.length[:, None]
    for mode, displaced in enumerate(shape):
        total[mode] += np.einsum("ep,epk->", width, _inside(system, displaced) ** 2)
    return np.asarray(4 / 3 * total)


def _inside(system: System, displaced: FloatArray) -> FloatArray:
    """(segments, points, 3) displacement at the Gauss points of each element, from the nodes' (nodes, 6)."""
    plant, d = system.plant, system.beams.direction
    base, tip = displaced[plant.parent[plant.segments]], displaced[plant.segments]
    ends = np.stack([base[:, :3], tip[:, :3]], axis=1)
    axial = np.einsum("eik,ek->ei", ends, d)
    lines, h = linear(GAUSS), hermite(GAUSS, system.beams.length)
    bending = np.stack(
        [
            ends[:, 0] - axial[:, :1] * d,
            np.cross(base[:, 3:], d),
            ends[:, 1] - axial[:, 1:] * d,
            np.cross(tip[:, 3:], d),
        ],
        axis=1,
    )
    return np.asarray((axial @ lines.T)[..., None] * d[:, None] + h @ bending)
