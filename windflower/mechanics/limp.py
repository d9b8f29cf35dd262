"""Limp axes: shoots and fronds that the wind lays over, and that no sum of mode shapes describes.

A hanging willow shoot or a palm's frond would bend by radians in a gale. The analysis leaves the bending of such axes to
chains that hang from the modes of the wood that bears them (`motion.limp`): what they weigh and what wind they catch
acts where they are attached, as on a hinge.
"""

from dataclasses import dataclass
from math import pi

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.mechanics.beams import Beams
from windflower.mechanics.foliage import Foliage, wood_area
from windflower.mechanics.medium import Medium
from windflower.mechanics.wood import Wood
from windflower.plant.graph import Plant

__all__ = ["GALE", "LIMP", "LimpAxes", "limp_axes"]

GALE = 20.0  # m/s
LIMP = (
    1.5  # rad: an axis whose tip a gale would turn by more, if it bent as a clamped cantilever does a little, is limp
)


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
    plant: Plant, beams: Beams, wood: Wood, foliage: Foliage, medium: Medium, *, among: bool = True
) -> LimpAxes:
    """The limp axes of a plant in air: those without side axes whose tips a gale would turn by more than `LIMP`.

    among  whether there are any: False for none
    """
    mine, bearer = np.zeros(plant.nodes, bool), np.arange(plant.nodes)
    if not among or medium.carried or not len(beams.segment):
        return LimpAxes(mine, bearer)
    simple = _without_sides(plant)
    turn = _gale_turn(plant, beams, wood, foliage, medium)
    most = np.zeros(len(simple))
    np.maximum.at(most, plant.axis, turn)
    mine = (simple & (most > LIMP))[plant.axis] & (plant.parent >= 0)
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


def _gale_turn(plant: Plant, beams: Beams, wood: Wood, foliage: Foliage, medium: Medium) -> FloatArray:
    """(nodes,) turn at each node against the base of its axis, rad, if a gale blows across it and it bends linearly."""
    push = np.zeros(plant.nodes)
    if len(foliage.drag_area):
        push += np.bincount(plant.leaves.node, foliage.drag_area, plant.nodes)
    push[beams.segment] += foliage.wood_drag * wood_area(beams)
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
