"""What was recorded of a sway: displacement, tilt, strain and base moment over time, along the wind and across it."""

from dataclasses import dataclass

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.mechanics import Modes
from windflower.motion.sway_places import heights_of, top_of

__all__ = ["CALM", "LargestStrain", "SwaySignals"]

CALM = 1e-9  # m/s


@dataclass(frozen=True)
class LargestStrain:
    """The largest strain of a sway, and where it was.

    percent    strain of the outermost fibre, %
    node       at the base of this node's segment
    height     of that base above the root, m
    diameter   there, m
    """

    percent: float
    node: int
    height: float
    diameter: float


@dataclass(frozen=True, eq=False, kw_only=True)
class SwaySignals:
    """The recorded motion of some nodes of a plant.

    modes        of the plant that moved
    nodes        (places,)            which nodes were watched
    time         (times,)             s
    paths        (places, times, 3)   their displacements from rest, m
    chords       (places, times, 3)   the segments that end there, m
    asked        mean speed of the wind at 10 m, m/s, as it was asked for or as a file has it
    air          (times, 3)           the wind, mean over the crown, m/s
    strains      (places, times)      strain at the base of those segments, a ratio
    strain       (times,)             the largest strain of the wood that is at least `thicker`, a ratio
    peak_strain  (nodes,)             the largest strain of every segment, a ratio
    thicker      thickness from which on wood counts for `strain`, m; 0 for all wood
    moment       (times, 3)           moment that the first root takes, N·m
    """

    modes: Modes
    nodes: IntArray
    time: FloatArray
    paths: FloatArray
    chords: FloatArray
    asked: float
    air: FloatArray
    strains: FloatArray
    strain: FloatArray
    peak_strain: FloatArray
    thicker: float
    moment: FloatArray

    @property
    def node(self) -> int:
        """The first node that was watched."""
        return int(self.nodes[0])

    @property
    def path(self) -> FloatArray:
        """(times, 3) displacement of the first node from rest, m."""
        return self.paths[0]

    @property
    def speed(self) -> float:
        """Speed of the mean wind over the crown, m/s."""
        return float(np.linalg.norm(self.air.mean(axis=0)))

    @property
    def direction(self) -> FloatArray:
        """(3,) unit vector along the horizontal mean wind; along x if there is none."""
        mean = self.air.mean(axis=0) * (1, 0, 1)
        return mean / np.linalg.norm(mean) if np.linalg.norm(mean) > CALM else np.array([1.0, 0.0, 0.0])

    @property
    def along(self) -> FloatArray:
        """(times,) displacement of the first node along the wind, m."""
        return self.path @ self.direction

    @property
    def across(self) -> FloatArray:
        """(times,) its horizontal displacement across the wind, m."""
        return self.path @ self.left

    @property
    def left(self) -> FloatArray:
        """(3,) unit vector across the wind."""
        return np.cross(self.direction, (0.0, 1.0, 0.0))

    @property
    def tilt(self) -> FloatArray:
        """(places, times) angle of each watched segment from its rest, degrees; 0 for a root."""
        rest = self._rest_chords[:, None]
        return np.degrees(
            np.arctan2(np.linalg.norm(np.cross(rest, self.chords), axis=-1), (rest * self.chords).sum(axis=-1))
        )

    @property
    def tilt_along(self) -> FloatArray:
        """(places, times) tilt along the wind, degrees, as an inclinometer on the segment shows it."""
        return self._leaning(self.direction)

    @property
    def tilt_across(self) -> FloatArray:
        """(places, times) tilt across the wind, degrees."""
        return self._leaning(self.left)

    def _leaning(self, way: FloatArray) -> FloatArray:
        now, rest = _unit(self.chords), _unit(self._rest_chords)[:, None]
        return np.degrees(np.arcsin(np.clip(now @ way, -1, 1)) - np.arcsin(np.clip(rest @ way, -1, 1)))

    @property
    def _rest_chords(self) -> FloatArray:
        plant = self.modes.plant
        return plant.position[self.nodes] - plant.position[np.maximum(plant.parent[self.nodes], 0)]

    @property
    def base_moment(self) -> FloatArray:
        """(times,) bending moment at the first root, N·m: the level part."""
        return np.hypot(self.moment[:, 0], self.moment[:, 2])

    @property
    def heights(self) -> FloatArray:
        """(places,) height of the watched nodes above their root, m."""
        return heights_of(self.modes.plant)[self.nodes]

    @property
    def names(self) -> tuple[str, ...]:
        """What the watched places are called in tables: `top`, or their height."""
        top = top_of(self.modes.plant)
        plain = ["top" if n == top else f"{h:.2f}m" for n, h in zip(self.nodes.tolist(), self.heights, strict=True)]
        return tuple(
            name if plain.count(name) == 1 else f"{name}#{node}"
            for name, node in zip(plain, self.nodes.tolist(), strict=True)
        )

    @property
    def largest_strain(self) -> LargestStrain:
        """The largest strain of wood at least `thicker`, and where it was."""
        plant = self.modes.plant
        thick = plant.segments[2 * plant.base_radius[plant.segments] >= self.thicker]
        node = int(thick[np.argmax(self.peak_strain[thick])])
        base = float(heights_of(plant)[plant.parent[node]])
        return LargestStrain(100 * float(self.peak_strain[node]), node, base, 2 * float(plant.base_radius[node]))


def _unit(vectors: FloatArray) -> FloatArray:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), np.finfo(float).tiny)
