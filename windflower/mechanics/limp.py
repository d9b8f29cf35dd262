"""Limp axes: shoots and fronds that the wind lays over, and that no sum of mode shapes describes.

A hanging willow shoot or a palm's frond would bend by radians in a gale. The analysis leaves the bending of such axes
to chains that hang from the modes of the wood that bears them (`motion.limp`): what they weigh and what wind they catch
acts where they are attached, as on a hinge.
"""

from dataclasses import dataclass
from math import pi

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.mechanics.beams import Beams
from windflower.mechanics.foliage import Foliage, drag_by_parts, known_species
from windflower.mechanics.medium import Medium
from windflower.mechanics.wood import Wood
from windflower.plant.graph import Plant

__all__ = ["GALE", "LIMP", "SLENDER", "LimpAxes", "limp_axes"]

GALE = 20.0  # m/s
LIMP = 3.0  # rad: what a gale would turn the tip of a limp axis by, or more, if it went on bending as it does a little
SLENDER = 90.0  # length of a limp axis, or more, over its thickness at the base


@dataclass(frozen=True, eq=False)
class LimpAxes:
    """The limp axes of a plant; none on most.

    mine    (nodes,)  whether each segment belongs to one
    bearer  (nodes,)  the node at which the axis of each limp segment is attached; other nodes have themselves
    """

    mine: NDArray[np.bool_]
    bearer: IntArray

    def __bool__(self) -> bool:
        return bool(self.mine.any())

    def moved(self, values: FloatArray) -> FloatArray:
        """(nodes, …) values of nodes with those of limp axes moved to where these are attached."""
        total = np.zeros_like(values)
        np.add.at(total, self.bearer, values)
        return total


def limp_axes(
    plant: Plant, beams: Beams, wood: Wood, foliage: Foliage, medium: Medium, *, leaves: float, among: bool = True
) -> LimpAxes:
    """The limp axes of a plant in air: slender ones without side axes that a gale would turn by more than `LIMP`.

    As clamped cantilevers: a willow's shoots by some 25 rad and a palm's fronds by 7, where twigs of a birch have 0.6.

    leaves  share of the leaves that is left
    among   whether there are any: False for none
    """
    mine, bearer = np.zeros(plant.nodes, bool), np.arange(plant.nodes)
    if not among or medium.carried or not len(beams.segment):
        return LimpAxes(mine, bearer)
    simple = _without_sides(plant)
    turn = _gale_turn(plant, beams, wood, foliage, medium, leaves)
    most = np.zeros(len(simple))
    np.maximum.at(most, plant.axis, turn)
    begins = np.unique(plant.axis, return_index=True)[1]
    slender = np.bincount(plant.axis, plant.length) / (2 * plant.base_radius[begins])
    mine = (simple & (most > LIMP) & (slender > SLENDER))[plant.axis] & (plant.parent >= 0)
    for level in plant.levels[1:]:
        limp = level[mine[level]]
        bearer[limp] = bearer[plant.parent[limp]]
    return LimpAxes(mine, bearer)


def _without_sides(plant: Plant) -> NDArray[np.bool_]:
    """(axes,) whether each is a side axis that bears none itself."""
    begins = plant.segments[~plant.continues[plant.segments]]
    simple = np.zeros(int(plant.axis.max()) + 1, bool)
    simple[plant.axis[begins]] = True
    simple[plant.axis[plant.parent[begins]]] = False
    simple[plant.axis[plant.roots]] = False
    return simple


def _as_grown(plant: Plant) -> FloatArray:
    """(nodes,) share of the leaves on each segment that its species would grow there: at less detail few bear all."""
    species = known_species(plant)
    if species is None or species.leaf is None:
        return np.ones(plant.nodes)
    leaf, area = species.leaf, np.bincount(plant.leaves.node, plant.leaves.size**2, plant.nodes)
    grown = leaf.per_metre * plant.length * leaf.cluster * leaf.length**2
    return np.asarray(grown / np.maximum(area, np.maximum(grown, 1e-30)))


def _gale_turn(plant: Plant, beams: Beams, wood: Wood, foliage: Foliage, medium: Medium, leaves: float) -> FloatArray:
    """(nodes,) turn at each node against the base of its axis, rad, if a gale blows across it and it bends linearly."""
    of_wood, of_leaves = drag_by_parts(plant, leaves)
    push = of_wood + of_leaves * _as_grown(plant)
    push *= medium.density / 2 * float(foliage.streamlined(np.array(GALE))) * GALE**2
    stiff = np.full(plant.nodes, np.inf)
    stiff[beams.segment] = wood.E * wood.bending * pi / 4 * ((beams.base + beams.tip) / 2) ** 4
    beyond, moment = np.zeros(plant.nodes), np.zeros(plant.nodes)  # at the base of each segment
    for level in reversed(plant.levels[1:]):
        onward = level[plant.continues[level]]
        moment[level] += (beyond[level] + push[level] / 2) * plant.length[level]
        beyond[level] += push[level]
        np.add.at(moment, plant.parent[onward], moment[onward])
        np.add.at(beyond, plant.parent[onward], beyond[onward])
    turn = np.zeros(plant.nodes)
    middle = moment - (beyond / 2 - push / 4) * plant.length
    for level in plant.levels[1:]:
        before = np.where(plant.continues[level], turn[plant.parent[level]], 0.0)
        turn[level] = before + middle[level] * plant.length[level] / stiff[level]
    return turn
