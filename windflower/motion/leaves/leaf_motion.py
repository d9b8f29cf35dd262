"""The three motions of every leaf, on top of any motion of the wood (Ota et al. 2003; Yildiz §4.2).

    Θ_H = W_H N_H(t)        aside, about the blade's normal
    Θ_V = W_V N_V(t)        up and down, across the leaf
    Θ_R = W_R N_R(t) + a Θ_H        about its length, following Θ_H (fig. 14; the text prints Θ_X)

N are sines or noise with phases of each leaf's own, as far and as fast as the wind at the leaf drives them, about its
lean to the lee. There is no state: angles depend on the wind of the moment and the time alone, so any frame can be
asked for, and the frame before it. In a calm leaves are exactly still.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from windflower.core.arrays import FloatArray, IntArray, frozen
from windflower.core.quaternions import about, back, joined, turned
from windflower.core.vectors import unit
from windflower.errors import MotionError
from windflower.mechanics.foliage import known_species
from windflower.motion.grains import Moment, coloured_noise, fluttering, moment_of
from windflower.motion.leaves.flutter import QUIETER, Flutter, flutter_of
from windflower.motion.places import Places
from windflower.motion.rhythm import PERIOD, Whole, keys, scrambled, turns_of
from windflower.plant.graph import Plant

__all__ = ["CYCLES", "LeafMotion", "leaf_angles", "leaf_turns", "mean_leaf_angles"]

CYCLES = 4  # of a leaf at its middle frequency, after which its phase is another
SPREAD_LEAST, SPREAD_MORE = 210, 92  # leaves differ in pace from 0.82 to 1.18, in parts of 256
PACE = (223, 256, 307)  # of H, V and R, likewise


@dataclass(frozen=True, eq=False, kw_only=True)
class LeafMotion:
    """The leaves of a plant in the wind.

    plant    the plant whose leaves they are
    flutter  how leaves of its kind move; by default by the species
    seed     of the phases
    """

    plant: Plant
    flutter: Flutter
    seed: int = 0

    @staticmethod
    def of(plant: Plant, *, flutter: Flutter | None = None, seed: int = 0) -> "LeafMotion":
        """The leaves of a plant, with its species' flutter or a given one."""
        return LeafMotion(plant=plant, flutter=flutter or flutter_of(plant), seed=seed)

    def __len__(self) -> int:
        return len(self.plant.leaves)

    @cached_property
    def exposure(self) -> FloatArray:
        """(leaves,) ratio of the wind at each leaf to that of the crown: 0.6 at its heart, 1.1 at its surface."""
        if not len(self):
            return np.zeros(0)
        foot = self._feet_at_rest
        middle = (foot.min(axis=0) + foot.max(axis=0)) / 2
        reach = np.linalg.norm((foot - middle) / np.maximum(np.ptp(foot, axis=0) / 2, 1e-6), axis=1)
        return frozen(0.6 + 0.5 * np.clip(reach, 0, 1) ** 1.5)

    @cached_property
    def loose(self) -> FloatArray:
        """(leaves,) 1 for a single leaf; less for a larger one that stands for several.

        Its edge then moves as far, in metres, as the tips of those would.
        """
        species = known_species(self.plant)
        own = species.leaf.length if species and species.leaf else np.inf
        return frozen(np.minimum(own / self.plant.leaves.size, 1))

    def angles(self, places: Places, air: ArrayLike, t: float, *, instances: IntArray | None = None) -> FloatArray:
        """(count, leaves, 3) Θ_H, Θ_V and Θ_R, rad, in a wind in the world, m/s, at time t, s.

        air        (count, 3) over the crown of each instance, or (count, leaves, 3) at each leaf
        instances  (count,) their numbers in the stand, which phases depend on; by default 0, 1, …
        """
        return self._angles(places, air, t, instances) * self.loose[:, None]

    def shimmer(self, places: Places, air: ArrayLike, t: float, *, instances: IntArray | None = None) -> FloatArray:
        """(count, leaves) Θ_R of single leaves, rad, also where a card stands for several: how their light changes."""
        return self._angles(places, air, t, instances)[..., 2]

    def _angles(self, places: Places, air: ArrayLike, t: float, instances: IntArray | None) -> FloatArray:
        wind = places.turned_to_plant(self._checked(places, air))
        seen = back(self.plant.leaves.orientation[..., None], wind[..., None])[..., 0] * self.exposure[:, None]
        number = np.arange(len(places)) if instances is None else instances
        return leaf_angles(self.flutter, keys(self.seed, number[:, None], np.arange(len(self))), seen, moment_of(t))

    def feet(self, points: FloatArray) -> FloatArray:
        """(count, leaves, 3) where leaves sit on posed nodes (count, nodes, 3), m."""
        node, place = self.plant.leaves.node, self.plant.leaves.place[:, None]
        return points[:, self.plant.parent[node]] * (1 - place) + points[:, node] * place

    def orientations(self, points: FloatArray, angles: FloatArray) -> FloatArray:
        """(count, leaves, 4) quaternions from the leaf's own frame to the plant's.

        A leaf is turned by Θ_H about z, then by Θ_V about its new x and by Θ_R about its new y, and carried with its
        segment by the shortest arc from rest to pose.
        """
        own = about(angles[..., 0], 2)
        for angle, axis in ((angles[..., 1], 0), (angles[..., 2], 1)):
            own = _product(own, about(angle, axis))
        return _product(self._arcs(points), _product(self.plant.leaves.orientation, own))

    def tips(self, points: FloatArray, angles: FloatArray) -> FloatArray:
        """(count, leaves, 3) where the tips of leaves are, m."""
        along = np.zeros((len(self), 3))
        along[:, 1] = self.plant.leaves.size
        return self.feet(points) + turned(self.orientations(points, angles)[..., None], along[..., None])[..., 0]

    @property
    def _feet_at_rest(self) -> FloatArray:
        return self.feet(self.plant.position[None])[0]

    def _arcs(self, points: FloatArray) -> FloatArray:
        """(count, leaves, 4) the shortest arcs from rest to pose of the segments that carry leaves."""
        node = self.plant.leaves.node
        chord = points[:, node] - points[:, self.plant.parent[node]]
        a, b = unit(self.plant.vector[node]), unit(chord)
        scalar = np.maximum(1 + (a * b).sum(axis=-1, keepdims=True), 1e-3)
        arc = np.concatenate([np.cross(a, b), scalar], axis=-1)
        return np.asarray(arc / np.linalg.norm(arc, axis=-1, keepdims=True))

    def _checked(self, places: Places, air: ArrayLike) -> FloatArray:
        """(count, leaves or 1, 3) finite winds, m/s."""
        wind = np.asarray(air, np.float64)
        if wind.shape == (len(places), 3):
            wind = wind[:, None]
        elif wind.shape != (len(places), len(self), 3):
            raise MotionError(
                f"leaves feel one wind for each of {len(places)} instances, or for each of their {len(self)} leaves; "
                f"it has the shape {wind.shape}."
            )
        if not np.isfinite(wind).all():
            raise MotionError("the wind must be finite; it is not everywhere. Fill the gaps first.")
        return np.clip(wind, -1e6, 1e6)


def leaf_angles(flutter: Flutter, key: Whole, seen: FloatArray, moment: Moment, *, loop: float = 0.0) -> FloatArray:
    """(…, 3) Θ_H, Θ_V and Θ_R of single leaves, rad: the twin of `leaf_angles` in flutter.wgsl.

    key     (…,) of each leaf and its instance, see `rhythm.keys`
    seen    (…, 3) the wind at each leaf, turned to its own frame, m/s
    moment  see `grains.moment_of`
    loop    seconds of the loop, where the moment is in one
    """
    drive, turns = flutter.drive(np.linalg.norm(seen, axis=-1)), leaf_turns(flutter.frequency, loop)
    rhythm = [_rhythm(flutter, key + np.uint32(1 + axis), turns, axis, drive, moment) for axis in range(3)]
    return _swung(flutter, seen, rhythm)


def mean_leaf_angles(flutter: Flutter, seen: FloatArray) -> FloatArray:
    """(…, 3) the angles about which single leaves flutter, rad: their lean to the lee of a wind (…, 3), as above."""
    return _swung(flutter, seen, [np.zeros(seen.shape[:-1])] * 3)


def _swung(flutter: Flutter, seen: FloatArray, rhythm: list[FloatArray]) -> FloatArray:
    """(…, 3) angles of leaves whose three oscillations are at (…,), -1 to 1."""
    speed = np.linalg.norm(seen, axis=-1)
    strength, unit = flutter.strength(flutter.drive(speed)), seen / np.maximum(speed, 1e-20)[..., None]
    lean, largest = flutter.lean, np.radians([flutter.horizontal, flutter.vertical, flutter.twist])
    horizontal = largest[0] * strength * ((1 - lean) * rhythm[0] - lean * unit[..., 0])
    vertical = largest[1] * strength * ((1 - lean) * rhythm[1] + lean * unit[..., 2])
    twist = largest[2] * strength * rhythm[2] + flutter.follow * horizontal
    return np.stack([horizontal, vertical, twist], axis=-1)


def leaf_turns(frequency: float, loop: float = 0.0) -> tuple[Whole, float]:
    """Turns of leaves' rhythms in the period of all rhythms, or in a loop, s, and how many cycles a turn has."""
    cells = turns_of(frequency) / CYCLES * (loop / PERIOD if loop else 1.0)
    turns = np.maximum(np.rint(cells), 1).astype(np.uint32)
    return turns, CYCLES * float(cells) / float(turns)


def _rhythm(
    flutter: Flutter, key: Whole, turns: tuple[Whole, float], axis: int, drive: FloatArray, moment: Moment
) -> FloatArray:
    """One of the three oscillations, faster in a stronger wind, or noise that whitens with it; -1 to 1."""
    own = scrambled(key)
    if flutter.noise is not None:
        low = np.maximum(turns[0] >> np.uint32(1), np.uint32(1))
        noise = coloured_noise(low, own, np.uint32(0), moment, flutter.whiter(drive))
        return np.clip(QUIETER * noise, -1, 1)
    spread = SPREAD_LEAST + ((own & np.uint32(255)) * np.uint32(SPREAD_MORE) >> np.uint32(8))
    cycles = turns[1] * spread * PACE[axis] / 65536 * flutter.quicker(drive)
    return fluttering(turns[0], scrambled(own), own, moment, cycles)


def _product(first: FloatArray, then: FloatArray) -> FloatArray:
    """(…, 4) `then` in the frame that `first` carries."""
    return joined(first[..., None], then[..., None])[..., 0]
