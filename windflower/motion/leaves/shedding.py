"""Leaves that come off, fall, land and lie (Yildiz §4.3).

A leaf breaks off within dt with the probability 1 − exp(−λ dt). λ grows with the wind at the leaf and with how loose
the season has made it:

    λ = rate · (loose · (CALM + (v/10)²) + GREEN · (v/10)⁴)

Each leaf has drawn once and for all how much ∫λ dt it withstands, an exponential number; that is the same chance in
every step, and the same leaf falls at the same time whatever the steps are.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from math import isfinite, log1p
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from windflower.core.arrays import FloatArray
from windflower.core.quaternions import about, joined
from windflower.errors import MotionError
from windflower.motion.contract import checked_dt
from windflower.motion.leaves.falling import Drop, blade, fall, flights, slide
from windflower.motion.leaves.leaf_motion import LeafMotion
from windflower.motion.leaves.seasons import Season
from windflower.motion.places import Places
from windflower.motion.rhythm import Whole, keys, scrambled, uniform

__all__ = ["IN_AIR", "ON_GROUND", "ON_TREE", "Ground", "ShedState", "Shedding"]

ON_TREE, IN_AIR, ON_GROUND = 0, 1, 2
CALM, GREEN = 0.05, 0.002
LOW = 0.4  # m above the ground, where the wind that slides leaves is felt
BLEND = 0.5  # s in which a leaf turns from where it hung to where it flies
STRENGTH, WHERE_FAR, WHERE_ROUND = np.uint32(11), np.uint32(12), np.uint32(13)

Ground: TypeAlias = Callable[[FloatArray, FloatArray], FloatArray]
"""Height of the ground, m, at x and z."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ShedState:
    """Where all leaves of a stand are.

    time            s
    status  (count, leaves)     ON_TREE, IN_AIR or ON_GROUND
    worn    (count, leaves)     ∫λ dt of what hangs; s since it came off of what does not
    drop    (count, leaves, …)  place, velocity and angles of what does not hang, in the world
    """

    places: Places
    time: float
    status: NDArray[np.int8]
    worn: FloatArray
    drop: Drop

    @property
    def counts(self) -> tuple[int, int, int]:
        """How many leaves hang, fly and lie; together all."""
        on_tree, in_air, on_ground = np.bincount(self.status.reshape(-1), minlength=3).tolist()
        return on_tree, in_air, on_ground

    @property
    def hanging(self) -> float:
        """Share of the leaves that hang."""
        return float(np.mean(self.status == ON_TREE)) if self.status.size else 1.0


class Shedding:
    """How the leaves of a stand come off.

    leaves  the motion of those that hang
    season  what the day of the year does to them
    rate    share of loose leaves that come off each second in a wind of 10 m/s; real trees take days
    ground  height in m, one number or a function of x and z
    """

    def __init__(
        self, leaves: LeafMotion, *, season: Season | None = None, rate: float = 0.004, ground: float | Ground = 0.0
    ) -> None:
        if not (isfinite(rate) and rate >= 0):
            raise MotionError(f"leaves come off at a rate from 0 up; it is {rate:g} a second. 0.004 is usual.")
        self.leaves, self.rate = leaves, float(rate)
        self.season = season or Season.of(leaves.plant, "autumn")
        self._ground = ground
        self._keys = lru_cache(maxsize=2)(self._new_keys)
        self._flights = lru_cache(maxsize=2)(lambda count: flights(self.keys(count)))
        self._withstands = lru_cache(maxsize=2)(lambda count: self.withstands(self.keys(count)))

    def keys(self, count: int) -> Whole:
        """(count, leaves) keys of all leaves, as in `LeafMotion`."""
        return self._keys(count)

    def _new_keys(self, count: int) -> Whole:
        return keys(self.leaves.seed, np.arange(count)[:, None], np.arange(len(self.leaves)))

    @property
    def uneven(self) -> bool:
        """Whether the height of the ground depends on the place."""
        return callable(self._ground)

    def height(self, position: FloatArray) -> FloatArray:
        """(…,) height of the ground under points (…, 3), m."""
        if callable(self._ground):
            return np.asarray(self._ground(position[..., 0], position[..., 2]), np.float64)
        return np.full(position.shape[:-1], float(self._ground))

    def rest(self, places: Places | None = None, *, fallen: float = 0.0, time: float = 0.0) -> ShedState:
        """The leaves of a stand, of which a share has fallen long ago and lies about; with fallen=1 trees are bare."""
        if not 0 <= fallen <= 1:
            raise MotionError(f"between none and all leaves have fallen; fallen is {fallen:g}. Give a share, 0 to 1.")
        places = Places() if places is None else places
        key = self.keys(len(places))
        worn = -log1p(-fallen) if fallen < 1 else np.inf
        status = np.where(worn > self.withstands(key), ON_GROUND, ON_TREE).astype(np.int8)
        none = np.zeros(key.shape)
        return ShedState(
            places=places,
            time=float(time),
            status=status,
            worn=np.where(status == ON_TREE, min(worn, 1e9), BLEND),
            drop=Drop(self._scattered(places, key), np.zeros((*key.shape, 3)), 2 * np.pi * uniform(key), none),
        )

    def withstands(self, key: Whole) -> FloatArray:
        """(…,) the ∫λ dt at which each leaf comes off: a number of an exponential distribution of mean 1."""
        return -np.log1p(-uniform(scrambled(key + STRENGTH)))

    def hazard(self, key: Whole, speed: FloatArray) -> FloatArray:
        """(…,) λ of leaves in a wind of this speed at the leaf, 1/s."""
        x = np.minimum(speed, 1e3) / 10
        return self.rate * (self.season.loose(key) * (CALM + x**2) + GREEN * x**4)

    def feet(self, places: Places, points: FloatArray) -> FloatArray:
        """(count, leaves, 3) where leaves sit on posed nodes (count, nodes, 3), m in the world."""
        return places.to_world(self.leaves.feet(points))

    def probes(self, state: ShedState, feet: FloatArray) -> FloatArray:
        """(count, leaves, 3) where the leaves want to feel the wind, m; those that lie just above the ground.

        The wind follows the land: heights are counted from the ground.
        """
        where = np.where((state.status == ON_TREE)[..., None], feet, state.drop.position)
        where[..., 1] -= self.height(where)
        lying = state.status == ON_GROUND
        where[lying, 1] += LOW
        return where

    def step(self, state: ShedState, feet: FloatArray, air: ArrayLike, dt: float) -> ShedState:
        """Go on by dt seconds.

        feet  (count, leaves, 3) where leaves sit at the end of the step, m in the world: `feet(places, points)`
        air   (count, leaves, 3) the wind at `probes(state, feet)`, m/s, or one for each instance (count, 1, 3)
        """
        dt, time = checked_dt(dt), state.time + dt
        wind, key = self._checked(state, air), self.keys(len(state.places))
        worn, off = self._worn(state, key, wind, dt)
        drop = self._moved(state, wind, time, dt)
        begun = Drop(feet[off], np.zeros_like(feet[off]), 2 * np.pi * uniform(key[off]), np.zeros(int(off.sum())))
        status = np.where(off, IN_AIR, state.status).astype(np.int8)
        status, drop = self._landed(status, drop.with_some(off, begun))
        return replace(state, time=time, status=status, worn=np.where(off, 0.0, worn), drop=drop)

    def pose(self, state: ShedState, points: FloatArray, angles: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Feet (count, leaves, 3), m, and orientations (count, leaves, 4) of all leaves in the world.

        points (count, nodes, 3) and angles (count, leaves, 3) are those of the plants and of leaves that hang.
        """
        hung = _turned(state.places, self.leaves.orientations(points, angles))
        at_rest = _turned(state.places, self.leaves.plant.leaves.orientation[None])
        share = np.clip(state.worn / BLEND, 0, 1)[..., None]
        flown = _blended(at_rest, blade(state.drop.heading, state.drop.roll), share * share * (3 - 2 * share))
        hanging = (state.status == ON_TREE)[..., None]
        return (
            np.where(hanging, self.feet(state.places, points), state.drop.position),
            np.where(hanging, hung, flown),
        )

    def _worn(self, state: ShedState, key: Whole, wind: FloatArray, dt: float) -> tuple[FloatArray, NDArray[np.bool_]]:
        """How worn leaves are after dt, and which of them come off."""
        hanging = state.status == ON_TREE
        speed = np.linalg.norm(wind, axis=-1) * self.leaves.exposure
        worn = state.worn + np.where(hanging, self.hazard(key, speed), 1.0) * dt
        return worn, hanging & (worn > self._withstands(len(key)))

    def _moved(self, state: ShedState, wind: FloatArray, time: float, dt: float) -> Drop:
        """Positions after a step: leaves in the air fall, and leaves on the ground slide."""
        flight, drop = self._flights(len(state.places)), state.drop
        flying, lying = state.status == IN_AIR, state.status == ON_GROUND
        if flying.any():
            drop = drop.with_some(flying, fall(drop.some(flying), flight.some(flying), wind[flying], time, dt))
        if lying.any():
            drop = drop.with_some(lying, slide(drop.some(lying), flight.some(lying), wind[lying], dt))
        return drop

    def _landed(self, status: NDArray[np.int8], drop: Drop) -> tuple[NDArray[np.int8], Drop]:
        """Leaves in the air that have reached the ground lie on it."""
        floor = self.height(drop.position) + self._flights(len(status)).lies
        lying = (status == ON_GROUND) | ((status == IN_AIR) & (drop.position[..., 1] <= floor))
        position, velocity = drop.position.copy(), drop.velocity.copy()
        position[lying, 1], velocity[lying, 1] = floor[lying], 0.0
        return np.where(lying, ON_GROUND, status).astype(np.int8), replace(drop, position=position, velocity=velocity)

    def _scattered(self, places: Places, key: Whole) -> FloatArray:
        """(count, leaves, 3) places on the ground about each trunk: as dense as the crown above, and wider."""
        plant = self.leaves.plant
        reach = max(plant.crown_width, 0.2) * 0.75
        far = reach * np.sqrt(-np.log1p(-0.95 * uniform(scrambled(key + WHERE_FAR))))
        angle = 2 * np.pi * uniform(scrambled(key + WHERE_ROUND))
        own = np.stack([far * np.cos(angle), np.zeros(far.shape), far * np.sin(angle)], axis=-1)
        where = own * places.scale[:, None, None] + places.position[:, None]
        where[..., 1] = self.height(where) + flights(key).lies
        return where

    def _checked(self, state: ShedState, air: ArrayLike) -> FloatArray:
        wind = np.asarray(air, np.float64)
        count, leaves = state.status.shape
        if wind.shape not in ((count, leaves, 3), (count, 1, 3)):
            raise MotionError(
                f"the wind has one velocity for each of {leaves} leaves of {count} instances, or for each instance; it "
                f"has the shape {wind.shape}. Give wind.velocity(shedding.probes(state, feet), t)."
            )
        if not np.isfinite(wind).all():
            raise MotionError("the wind must be finite; it is not everywhere. Fill the gaps first.")
        return np.clip(np.broadcast_to(wind, (count, leaves, 3)), -1e3, 1e3)


def _turned(places: Places, orientation: FloatArray) -> FloatArray:
    """(count, leaves, 4) orientations in the plants' frames, seen from the world."""
    return joined(about(places.yaw, 1)[:, None, :, None], orientation[..., None])[..., 0]


def _blended(first: FloatArray, second: FloatArray, share: FloatArray) -> FloatArray:
    """Orientations between two, on the shorter way."""
    near = np.where((first * second).sum(axis=-1, keepdims=True) < 0, -1.0, 1.0)
    mixed = first * (1 - share) + near * second * share
    return np.asarray(mixed / np.maximum(np.linalg.norm(mixed, axis=-1, keepdims=True), 1e-9))
