"""Segments as flat springs: how far each bends under what it carries (Ota et al. 2003; Yildiz §3.1.2, eq. 3–5).

The paper's spring is a flat bar clamped at one end, k = E b t³/4l³, with the thickness "base width − top width", which
is zero for every branch of even girth. A round branch is read as follows. A square bar of the side s bends like a
round one of the radius r if s⁴/12 = πr⁴/4, so s = (3π)^¼ r; and a cone with the radii r₀ at its base and r₁ at its tip
bends under a load at its tip like a bar with r⁴ = r₀³r₁. Hence thickness = (3π)^¼ r₀, width = (3π)^¼ r₁: then b t³ is
3π r₀³ r₁, and eq. 5 is the exact stiffness of the cone.

A segment is bent by the wind on all that it carries: a force P at its tip and a moment M. With 1/k and c what a unit
force does to the place and the direction of its end, and c and e what a unit moment does,

    chord  δ/l = (d × P/k + c M⊥)/l           how far the segment itself turns (eq. 3, 6)
    end    d × P c + e M⊥ + M∥ l/GJ            how far its end turns, which its children start from

What a child adds to its parent's turn is its own chord and the rest of the parent's end: `bends`.
"""

from dataclasses import dataclass
from math import pi

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.vectors import cross_matrix
from windflower.mechanics.assembly import GRAVITY
from windflower.mechanics.beams import Beams, beams_of
from windflower.mechanics.foliage import Foliage, foliage_of, lumped, wood_area
from windflower.mechanics.medium import Medium, medium_of
from windflower.mechanics.wood import Wood
from windflower.plant.graph import Plant

__all__ = ["Springs", "flat_section", "spring_constant"]

SIDE = (3 * pi) ** 0.25  # of the square bar that bends like a round one of radius 1


def flat_section(base_radius: FloatArray, tip_radius: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Width b and thickness t, m, of the flat spring that a cone with these radii is."""
    return SIDE * tip_radius, SIDE * base_radius


def spring_constant(E: float, width: FloatArray, thickness: FloatArray, length: FloatArray) -> FloatArray:
    """Load at the tip over displacement, k = E b t³/4l³ (eq. 5), N/m."""
    return np.asarray(E * width * thickness**3 / (4 * length**3))


@dataclass(frozen=True, eq=False, kw_only=True)
class Springs:
    """The segments of a plant as flat springs, and what loads them. `Springs.of` makes it."""

    plant: Plant
    wood: Wood
    medium: Medium
    foliage: Foliage
    beams: Beams

    @staticmethod
    def of(plant: Plant, wood: Wood, *, leaves: bool, medium: str) -> "Springs":
        """The springs of a plant in "air" or "water", with or without its leaves."""
        around = medium_of(medium)
        foliage = foliage_of(plant, leaves, around)
        return Springs(plant=plant, wood=wood, medium=around, foliage=foliage, beams=beams_of(plant))

    @property
    def stiffness(self) -> FloatArray:
        """(segments,) k of eq. 5, N/m."""
        width, thickness = flat_section(self.beams.base, self.beams.tip)
        return spring_constant(self.wood.E * self.wood.bending, width, thickness, self.beams.length)

    @property
    def drag_area(self) -> FloatArray:
        """(nodes,) drag coefficient times area of each segment and its leaves, m²; zero at roots."""
        area = np.zeros(self.plant.nodes)
        area[self.plant.segments] = self.foliage.wood_drag * wood_area(self.beams)
        if len(self.foliage.drag_area):
            area += np.bincount(self.plant.leaves.node, self.foliage.drag_area, self.plant.nodes)
        return area

    def own_bends(self) -> FloatArray:
        """(1, nodes, 3, 3) the paper's own: every segment feels the wind on itself alone, at its tip (eq. 3, 6)."""
        d, load = np.zeros((self.plant.nodes, 3)), self.medium.density / 2 * self.drag_area
        d[self.plant.segments] = self.beams.direction / (self.stiffness * self.beams.length)[:, None]
        return (load[:, None, None] * cross_matrix(d))[None]

    def bends(self, loads: FloatArray) -> FloatArray:
        """(cases, nodes, 3, 3) how each segment turns, in the frame that its parent's turn carries, per unit of a load.

        loads  (cases, 3, nodes, 6) forces and moments on the nodes for a unit load along x, y, z

        The turn is a rotation vector whose length is the sine of the angle. Zero at roots.
        """
        plant, cases = self.plant, len(loads)
        force, moment = _borne(plant, np.moveaxis(loads, 2, 0).reshape(plant.nodes, cases * 3, 6))
        chord, end = self._turned(force, moment)
        total = chord + (end - chord)[plant.parent] * (plant.parent[plant.parent] >= 0)[:, None, None]
        total[plant.roots] = 0
        return np.moveaxis(total.reshape(plant.nodes, cases, 3, 3), 3, 2).swapaxes(0, 1).copy()

    def wind(self, cell: IntArray, cells: int) -> FloatArray:
        """(cells, 3, nodes, 6) loads of a unit dynamic wind along x, y, z on one cell; `cell` (nodes,) of each segment.

        Drag along each segment, shared by its ends as the bending of beams demands (force and moment), and leaves' drag
        by their place: the nodes then move exactly as under the drag where it is.
        """
        plant, loads = self.plant, np.zeros((cells, 3, self.plant.nodes, 6))
        straight, bent = self.beams.wind_shares()
        s, d = plant.segments, self.beams.direction
        along = d[:, :, None] * d[:, None, :]
        for end, node in enumerate((plant.parent[s], s)):
            force = straight[:, end, None, None] * along + bent[:, 2 * end, None, None] * (np.eye(3) - along)
            moment = bent[:, 2 * end + 1, None, None] * np.swapaxes(cross_matrix(d), 1, 2)
            for axis in range(3):
                both = np.concatenate([force[:, axis], moment[:, axis]], axis=1)
                np.add.at(loads[:, axis], (cell[s], node), self.foliage.wood_drag * both)
        for one in range(cells if len(self.foliage.drag_area) else 0):
            area = lumped(plant, np.where(cell[plant.leaves.node] == one, self.foliage.drag_area, 0))
            loads[one, range(3), :, range(3)] += area
        return self.medium.density / 2 * loads

    def weight(self) -> tuple[FloatArray, FloatArray]:
        """(nodes,) kg that has to be carried, and kg that moves.

        A segment's own wood is shared by its two ends so that its centre stays where it is. In water wood is lighter,
        floats lift, and water moves along.
        """
        a, b = self.beams.base, self.beams.tip
        centre = (a * a + 2 * a * b + 3 * b * b) / (4 * (a * a + a * b + b * b))
        volume, leaves, buoyed = self.beams.volume(self.wood), self.foliage, self.medium.carried
        carried = self._at_nodes((self.wood.density - buoyed) * volume, centre) + lumped(self.plant, leaves.weight)
        moving = self._at_nodes((self.wood.density + buoyed) * volume, centre)
        return carried, moving + lumped(self.plant, leaves.mass + leaves.added)

    def pull(self, kilograms: FloatArray) -> FloatArray:
        """(1, 3, nodes, 6) loads of 1 g along x, y, z on masses (nodes,)."""
        loads = np.zeros((1, 3, self.plant.nodes, 6))
        loads[0, range(3), :, range(3)] = GRAVITY * kilograms
        return loads

    def _at_nodes(self, values: FloatArray, centre: FloatArray) -> FloatArray:
        """(nodes,) what each segment has (segments,), shared by its ends so that its centre stays."""
        tip, base = self.plant.segments, self.plant.parent[self.plant.segments]
        shared = np.zeros(self.plant.nodes)
        np.add.at(shared, tip, values * centre)
        np.add.at(shared, base, values * (1 - centre))
        return shared

    def _turned(self, force: FloatArray, moment: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Turn of the chord and of the end (nodes, cases, 3) of each segment, held at its base."""
        s = self.plant.segments
        a, b, length = (one[:, None, None] for one in (self.beams.base, self.beams.tip, self.beams.length))
        bend = 4 / (pi * self.wood.E * self.wood.bending)
        by_force = 1 / self.stiffness[:, None, None]
        crossed = bend * length**2 * (a + 2 * b) / (6 * a**3 * b**2)
        by_moment = bend * length * (a * a + a * b + b * b) / (3 * (a * b) ** 3)
        d = self.beams.direction[:, None]
        along = (moment[s] * d).sum(-1, keepdims=True) * d
        pushed, across = np.cross(d, force[s]), moment[s] - along
        chord, end = np.zeros(force.shape), np.zeros(force.shape)
        chord[s] = (by_force * pushed + crossed * across) / length
        end[s] = crossed * pushed + by_moment * across + along / self.beams.torsion_stiffness(self.wood)[:, None, None]
        return chord, end


def _borne(plant: Plant, loads: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Force and moment (nodes, cases, 3) at the tip of each segment of all loads (nodes, cases, 6) on it and beyond."""
    arm = plant.position[:, None] - plant.position[plant.roots[plant.tree]][:, None]
    about_root = loads[..., 3:] + np.cross(arm, loads[..., :3])
    force = plant.subtree_sum(loads[..., :3])
    return force, plant.subtree_sum(about_root) - np.cross(arm, force)
