"""The fast small motion of twigs that the kept modes leave out (Diener et al. 2009, §7), on top of any pose.

A light version of flat springs: an axis that swings faster than the kept modes oscillates about where the pose has it,
as far as the wind bends it and at a frequency of its own. There is no state, and no twig's turn is handed on to others,
so that nothing has to be walked but the sum of positions.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from windflower.core.arrays import FloatArray, IntArray
from windflower.errors import MotionError
from windflower.mechanics.foliage import known_species
from windflower.mechanics.wood import Wood, wood_of
from windflower.motion.cantilever.branches import branches_of
from windflower.motion.cantilever.crown import Crown
from windflower.motion.cantilever.springs import Springs
from windflower.motion.contract import checked_air
from windflower.motion.places import Places
from windflower.motion.poses.paths import Paths
from windflower.motion.poses.pose import turned
from windflower.motion.rhythm import PERIOD, Whole, clock_of, keys, turns_of, wave
from windflower.motion.stand import Stand
from windflower.plant.detail import on_nodes
from windflower.plant.graph import Leaves, Plant

__all__ = ["MOST", "Twigs", "quivered", "quivering_twigs", "twigs_of"]

MOST = 0.35  # rad that a twig is turned
SWING = 0.4  # share of a steady wind's bend: turbulence brings twigs about as much at their frequencies


@dataclass(frozen=True, eq=False, kw_only=True)
class Twigs:
    """The light twigs of a plant, which quiver by themselves. `twigs_of` makes it.

    plant  the plant
    crown  where it feels the wind
    bend   (nodes, 3, 3)  turn of each segment against the parent of its axis, per unit of the dynamic wind, 1/(m/s)²;
                          zero for all that the modes move
    turns  (nodes,)       of the rhythm of its axis; see `rhythm`
    axis   (nodes,)       its axis, on which the phase depends
    swing                 share of its bend by which a twig oscillates
    pace                  factor on the clock that rhythms follow
    seed   of the phases
    """

    plant: Plant
    crown: Crown
    bend: FloatArray
    turns: Whole
    axis: IntArray
    swing: float
    seed: int
    pace: float = 1.0

    def repeating(self, period: float) -> "Twigs":
        """The same with rhythms that go round a whole number of times in a period, s."""
        pace = PERIOD / period
        turns = np.maximum(np.rint(self.turns / pace), 1).astype(np.uint32)
        return replace(self, turns=turns, pace=pace)

    def on_nodes(self, node: IntArray) -> "Twigs":
        """The twigs on these nodes of the plant alone, ascending."""
        if len(node) == self.plant.nodes:
            return self
        fewer = on_nodes(replace(self.plant, leaves=Leaves()), node)
        return replace(self, plant=fewer, bend=self.bend[node], turns=self.turns[node], axis=self.axis[node])

    def turn(self, places: Places, air: ArrayLike, t: float, *, instances: IntArray | None = None) -> FloatArray:
        """(count, nodes, 3) rotation vectors to add to each segment, rad, at time t, s.

        air        (count, 3) the wind over the crown of each instance in the world, m/s
        instances  (count,) their numbers in the stand, which phases depend on; by default 0, 1, …
        """
        wind = checked_air(np.asarray(air, np.float64)[:, None], (len(places), 1, 3))
        push = self.crown.dynamic_wind(places, wind)[:, 0] / places.stiffness[:, None]
        number = np.arange(len(places)) if instances is None else instances
        start = keys(self.seed, number[:, None], self.axis)
        beat = self.swing * wave(self.turns, start, clock_of(t * self.pace))
        turn = np.einsum("nij,cj->cni", self.bend, push) * beat[..., None]
        size = np.linalg.norm(turn, axis=-1, keepdims=True)
        return np.asarray(turn * (MOST / np.maximum(size, MOST)))

    def add(self, points: FloatArray, turn: FloatArray) -> FloatArray:
        """(count, nodes, 3) posed nodes with the segments turned besides; lengths stay."""
        paths = Paths(self.plant)
        chord = points - points[:, self.plant.parent]
        moved = turned(np.moveaxis(chord, -1, 0), np.moveaxis(turn, -1, 0))  # (3, count, nodes)
        summed = paths.sum(np.ascontiguousarray(np.swapaxes(moved, 1, 2)[:, paths.order]))
        return np.moveaxis(summed[:, paths.rank], (0, 1, 2), (2, 1, 0))


def twigs_of(
    plant: Plant,
    *,
    above: float,
    wood: str | Wood | None = None,
    swing: float = 1.0,
    seed: int = 0,
) -> Twigs:
    """The axes of a plant that swing faster than `above`, Hz: the mean frequency of the modes left out.

    plant  the plant
    wood   a name or a `Wood`; by default the species' own
    seed   of the phases
    swing  how much of its bend a twig oscillates, 0 to 1
    """
    if not (above >= 0 and 0 <= swing <= 1):
        raise MotionError(
            f"twigs swing above some Hz, by up to their bend; above is {above:g} and swing {swing:g}. "
            "Give modes.static_frequency and 1."
        )
    species = known_species(plant)
    timber = wood if isinstance(wood, Wood) else wood_of(wood or (species.wood if species else "hardwood"))
    medium = "water" if species and species.habitat == "water" else "air"
    springs = Springs.of(plant, timber, leaves=len(plant.leaves) > 0, medium=medium)
    crown = Crown.of(springs, 1)
    branches = branches_of(springs, crown.cell, cells=1, borne=True, weight=True, frequency=None, limit=20)
    fast = (branches.frequency > above) & (plant.order > 0)
    return Twigs(
        plant=plant,
        crown=crown,
        bend=_along_axes(plant, branches.wind[0]) * fast[:, None, None],
        turns=turns_of(branches.frequency),
        axis=plant.axis,
        swing=float(swing),
        seed=seed,
    )


def _along_axes(plant: Plant, own: FloatArray) -> FloatArray:
    """(nodes, 3, 3) turns (nodes, 3, 3) of segments summed from the base of their axis."""
    total = own.copy()
    for level in plant.levels[1:]:
        onward = level[plant.continues[level]]
        total[onward] += total[plant.parent[onward]]
    return total


def quivered(stand: Stand, points: FloatArray, air: FloatArray, time: float, instances: IntArray) -> FloatArray:
    """(n, nodes, 3) the posed nodes of some instances with their twigs' motion, in a wind `air` (n, 3) over crowns."""
    if stand.quivers_above is None:
        return points
    twigs = quivering_twigs(stand.plant, stand.quivers_above)
    if stand.motion.period is not None:
        twigs = twigs.repeating(stand.motion.period)
    places = stand.aloft.some(instances)
    return twigs.add(points, twigs.turn(places, air, time, instances=instances))


@lru_cache(maxsize=64)
def quivering_twigs(plant: Plant, above: float) -> Twigs:
    """The twigs of a plant that swing faster than `above`, Hz, as strongly as turbulence makes them."""
    return twigs_of(plant, above=above, swing=SWING)
