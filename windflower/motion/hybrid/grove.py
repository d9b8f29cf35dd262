"""Trees that are only seeds until they come into view (Di Giacomo, Capo & Faure 2001, §3).

    table + places ──> Grove ──(camera)──> tiles in view ──grown from their seeds──> BlockStand each

A grove keeps a place, a yaw, a scale and a stiffness of each tree: less than a hundred bytes. Neighbours share a tile.
A tile that comes into view is grown from the seeds of its trees, the same to the last bit each time, and forgotten when
nobody shows it any more: the grove holds its motion by a weak reference.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import cached_property
from weakref import WeakKeyDictionary, WeakValueDictionary

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.motion.hybrid.block_stand import BlockStand
from windflower.motion.hybrid.hybrid_motion import HybridMotion
from windflower.motion.places import Places
from windflower.motion.settings import Seeds
from windflower.plant.graph import Plant

__all__ = ["SEEDS", "TILE", "Grove", "tiles_of"]

TILE = 24  # trees of a tile, at most: every block costs a frame some time, however small it is
SEEDS = 12  # most trees of a table that are there from the start
NEAR = 15.0  # m about the camera within which trees are there whatever it looks at: their shadows, and who walks there
COMING, GOING = np.radians(6.0), np.radians(20.0)  # beyond the edge of the view where trees are grown, and forgotten
SWAY = 1.3  # over the width at rest

Planted = Callable[[tuple[Plant, ...], Places], tuple[HybridMotion, tuple[Plant, ...]]]
"""The motion of trees at places, and the trees as they stand there."""


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Grove:
    """The seeds of all trees of a table, and those of its tiles that someone shows.

    seeds     their species and places, and the tree of each number
    planted   makes a block of trees at places
    reach     m from the camera up to which trees are grown
    adaptive  whether fewer branches move where the wind is weak or the camera is far away
    """

    seeds: Seeds
    planted: Planted
    reach: float
    adaptive: bool = True

    _alive: "WeakValueDictionary[int, HybridMotion]" = field(default_factory=WeakValueDictionary, init=False)
    _trees: "WeakKeyDictionary[HybridMotion, tuple[Plant, ...]]" = field(default_factory=WeakKeyDictionary, init=False)

    @cached_property
    def tiles(self) -> tuple[IntArray, ...]:
        """The numbers of the trees of each tile."""
        return tuple(tiles_of(self.seeds.places.position))

    def __len__(self) -> int:
        return len(self.seeds.places)

    def __repr__(self) -> str:
        return f"<Grove of {len(self)} {self.seeds.name} in {len(self.tiles)} tiles>"

    @property
    def largest(self) -> Plant:
        """The tallest of the samples."""
        return max(self.seeds.samples, key=lambda plant: plant.height)

    @property
    def alive(self) -> list[int]:
        """The tiles that someone shows."""
        return sorted(self._alive.keys())

    def is_alive(self, tile: int) -> bool:
        """Whether someone shows a tile, so that it need not be grown."""
        return tile in self._alive

    @property
    def nbytes(self) -> int:
        """Memory of the seeds: what stays of trees out of view."""
        places = self.seeds.places
        arrays = (places.position, places.yaw, places.scale, places.stiffness, *self.tiles)
        return sum(array.nbytes for array in arrays)

    def tile(self, number: int) -> BlockStand:
        """The trees of a tile: those that someone shows, or grown anew."""
        members, motion = self.tiles[number], self._alive.get(number)
        if motion is None:
            grown = tuple(self.seeds.grown(int(member)) for member in members)
            motion, trees = self.planted(grown, self.seeds.places.some(members))
            self._alive[number], self._trees[motion] = motion, trees
        return BlockStand(
            name=self.seeds.name,
            table=self.seeds.table,
            motion=motion,
            places=Places(self.seeds.places.position[members]),
            each=self._trees[motion],
            adaptive=self.adaptive,
            tile=number,
        )

    def in_view(
        self, eye: FloatArray, ahead: FloatArray, half_angle: float, present: Collection[int] = ()
    ) -> list[int]:
        """The tiles that a camera may see, nearest first; those `present` stay until they are well out of view.

        eye         (3,) m
        ahead       (3,) unit vector of the line of sight
        half_angle  rad from there to the corners of the picture
        """
        centre, radius = self._spheres
        away = centre - eye
        distance = np.linalg.norm(away, axis=1)
        safe = np.maximum(distance, 1e-9)
        off = np.arccos(np.clip(away @ ahead / safe, -1, 1)) - np.arcsin(np.minimum(radius / safe, 1))
        margin = np.full(len(centre), COMING)
        margin[list(present)] = GOING
        near = distance - radius < NEAR
        seen = near | ((off < half_angle + margin) & (distance - radius < self.reach))
        chosen = np.flatnonzero(seen)
        return chosen[np.argsort(distance[chosen], kind="stable")].tolist()

    @cached_property
    def _spheres(self) -> tuple[FloatArray, FloatArray]:
        """(tiles, 3) the middles of balls about tiles, and (tiles,) their radii, m."""
        height = max(plant.height for plant in self.seeds.samples)
        width = SWAY * max(plant.crown_width for plant in self.seeds.samples)
        centre, radius = [], []
        for members in self.tiles:
            foot, larger = self.seeds.places.position[members], float(self.seeds.places.scale[members].max())
            middle = (foot.min(axis=0) + foot.max(axis=0)) / 2 + np.array([0.0, height * larger / 2, 0.0])
            beside = np.linalg.norm((foot - middle)[:, [0, 2]], axis=1).max()
            centre.append(middle)
            radius.append(np.hypot(beside + width * larger, 0.6 * height * larger + np.ptp(foot[:, 1])))
        return np.array(centre).reshape(-1, 3), np.array(radius)


def tiles_of(position: FloatArray, most: int = TILE) -> list[IntArray]:
    """The numbers of neighbours (n, 3) in parts of at most so many: halved across the longer side again and again."""
    done: list[IntArray] = []
    parts = [np.arange(len(position))]
    while parts:
        part = parts.pop()
        if len(part) <= most:
            done.append(np.sort(part))
            continue
        axis = 0 if np.ptp(position[part, 0]) >= np.ptp(position[part, 2]) else 2
        order = part[np.argsort(position[part, axis], kind="stable")]
        parts += [order[len(order) // 2 :], order[: len(order) // 2]]
    return done
