"""A figure that walks through branches, or a ball that hits them, and where it touches them.

The figure is a capsule: all that is nearer than its radius to the line from its foot to its head. Every segment
has one point of contact, where it is nearest to that line, and is pushed out by the shortest way (`joint_contacts`).
A person has no more strength than a person: the figure, too, gives way. Firm wood leads it aside or holds it back, and
it comes back to its way when it can.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike, NDArray

from windflower.core.arrays import FloatArray, IntArray, freeze
from windflower.errors import MotionError
from windflower.motion.places import Places
from windflower.plant.graph import Plant

__all__ = ["Capsule", "Contacts", "contacts_with", "figure_at", "led_aside", "may_touch", "yields"]

SWAY = 1.5  # over a tree's width at rest: so far it may reach
CLOSE = 0.06  # m from the figure at which a branch may come to touch it within a step
STEADY = 1000.0  # N/m with which a person keeps to the way they want to go: an estimate
BACK = 0.3  # s in which they come back to it
FAR = 0.6  # m off it: there they pull with all their strength, and step over what holds them if they can
LEVEL = np.array([1.0, 0.0, 1.0])


@dataclass(frozen=True, eq=False, init=False)
class Capsule:
    """A figure, or where foot and head are the same a ball.

    foot, head  (3,)  m in the world
    radius            m
    """

    foot: FloatArray
    head: FloatArray
    radius: float

    def __init__(self, foot: ArrayLike, head: ArrayLike, radius: float = 0.4) -> None:
        for name, value in (("foot", foot), ("head", head)):
            place = np.array(value, np.float64)
            if place.shape != (3,) or not np.isfinite(place).all():
                raise MotionError(f"the {name} of a figure is a place, x, y and z in m; it is {place.tolist()}.")
            freeze(self, name, place)
        if not (np.isfinite(radius) and radius > 0):
            raise MotionError(f"a figure has a radius; it is {radius:g} m.")
        object.__setattr__(self, "radius", float(radius))

    @cached_property
    def level(self) -> tuple[float, float, float]:
        """Middle x and z, m, and how far it reaches from there on the level, m."""
        x, z = ((self.foot + self.head)[[0, 2]] / 2).tolist()
        return x, z, self.radius + float(np.linalg.norm((self.head - self.foot)[[0, 2]])) / 2

    def moved(self, by: FloatArray) -> "Capsule":
        """The same figure elsewhere, (3,) m."""
        if not by.any():
            return self
        return Capsule(self.foot + by, self.head + by, self.radius)


@dataclass(frozen=True, eq=False)
class Contacts:
    """Points of segments that are in a figure, or so near that they may come to be.

    instance, node  (c,)    which segment
    along           (c,)    where on it, 0 at its base to 1
    normal          (c, 3)  out of the figure, in the world
    gap             (c,)    m from its skin in the world, negative inside
    """

    instance: IntArray
    node: IntArray
    along: FloatArray
    normal: FloatArray
    gap: FloatArray

    def __len__(self) -> int:
        return len(self.node)


def figure_at(wanted: Capsule, aside: FloatArray, touching: Callable[[Capsule], Contacts | None]) -> FloatArray:
    """(3,) how far a figure is off its way as a step begins: back on it if wood holds it, and it is clear there."""
    if np.linalg.norm(aside) < FAR:
        return aside
    there = touching(wanted)
    return np.zeros(3) if there is None or (there.gap >= 0).all() else aside


def yields(normal: FloatArray, aside: FloatArray, dt: float) -> tuple[FloatArray, FloatArray]:
    """How a figure that is pushed by contacts (c,) yields within a step, in the world.

    normal  (c, 3)  of the contacts
    aside   (3,)    m from where it wants to be before
    ->      (c, c)  by which 1 N at one contact opens the gap of another, m/N; and (c,) by which all open without, m
    """
    level = normal * LEVEL
    share = dt / (BACK + dt)
    return share / STEADY * level @ level.T, share * level @ _pull(aside)


def led_aside(aside: FloatArray, push: FloatArray, dt: float) -> FloatArray:
    """(3,) how far a figure is from where it wants to be after a step in which it pushed with a force (3,), N.

    A spring and a damper hold it there: BACK · u̇ + u = − push/STEADY, on the level; the spring no firmer than at `FAR`.
    """
    return np.asarray(aside - dt / (BACK + dt) * (_pull(aside) + push * LEVEL / STEADY))


def _pull(aside: FloatArray) -> FloatArray:
    """(3,) what draws a figure back, m: no more than at `FAR`."""
    return aside * min(1.0, FAR / max(float(np.linalg.norm(aside)), 1e-9))


Points = Callable[[int, IntArray], FloatArray]
"""Where nodes (k,) of an instance are in its own frame, (k, 3) m."""


def contacts_with(figure: Capsule, plant: Plant, places: Places, points: Points) -> Contacts | None:
    """The contacts of a figure with the branches of a plant at places; None if there are none."""
    found = [_near_skin(figure, plant, places, instance, points) for instance in range(len(places))]
    instance = np.repeat(np.arange(len(places)), [len(one[0]) for one in found])
    if not len(instance):
        return None
    return Contacts(instance, *(np.concatenate(parts) for parts in zip(*found, strict=True)))


def _near_skin(
    figure: Capsule, plant: Plant, places: Places, instance: int, points: Points
) -> tuple[IntArray, FloatArray, FloatArray, FloatArray]:
    """Nodes, places along, normals and gaps of the contacts of one instance."""
    scale, turn = places.scale[instance], places.turn[instance]
    foot, head = ((end - places.position[instance]) @ turn / scale for end in (figure.foot, figure.head))
    radius = figure.radius / scale
    segment = _near(plant, foot, head, radius + CLOSE / scale)
    if not len(segment):
        return segment, np.zeros(0), np.zeros((0, 3)), np.zeros(0)
    tip, base = np.split(points(instance, np.concatenate([segment, plant.parent[segment]])), 2)
    along, apart = _nearest(base, tip, foot, head)
    distance = np.linalg.norm(apart, axis=1)
    gap = scale * (distance - radius - plant.base_radius[segment])
    out = np.where((distance > 1e-9)[:, None], apart, (1.0, 0.0, 0.0)) / np.maximum(distance, 1e-9)[:, None]
    close = gap < CLOSE
    return segment[close], along[close], (out @ turn.T)[close], gap[close]


def _near(plant: Plant, foot: FloatArray, head: FloatArray, radius: float) -> IntArray:
    """Segments of the trees that a figure, in the block's own frame, stands among."""
    (x, z), wide = ((foot + head)[[0, 2]] / 2).tolist(), radius + float(np.linalg.norm((head - foot)[[0, 2]])) / 2
    close = _footprint(plant).close(x, z, wide)
    return NOBODY if close is None else np.flatnonzero(close[plant.tree] & (plant.parent >= 0))


def may_touch(figure: Capsule, plant: Plant) -> bool:
    """Whether a figure stands where a branch of a block, in whose own frame it is, may come to be."""
    x, z, wide = figure.level
    return _footprint(plant).close(x, z, wide + CLOSE) is not None


class _Footprint(NamedTuple):
    """Where the trees of a block stand, x and z (trees, 2), how far each may reach from there (trees,), m.

    bounds  lowest x and z and highest x and z that any of them reaches, m
    """

    ground: FloatArray
    reach: FloatArray
    bounds: tuple[float, float, float, float]

    def close(self, x: float, z: float, wide: float) -> NDArray[np.bool_] | None:
        """(trees,) which trees reach to less than `wide` m from a place; None if no tree does."""
        low_x, low_z, high_x, high_z = self.bounds
        if not (low_x - wide < x < high_x + wide and low_z - wide < z < high_z + wide):
            return None
        away, reach = self.ground - (x, z), self.reach + wide
        close = np.einsum("ij,ij->i", away, away) < reach * reach
        return close if close.any() else None


def _footprint(plant: Plant) -> _Footprint:
    """Found once for each block that is alive."""
    if plant not in _FOOTPRINTS:
        _FOOTPRINTS[plant] = _new_footprint(plant)
    return _FOOTPRINTS[plant]


_FOOTPRINTS: "WeakKeyDictionary[Plant, _Footprint]" = WeakKeyDictionary()
NOBODY: IntArray = np.zeros(0, np.int64)


def _new_footprint(plant: Plant) -> _Footprint:
    around = np.linalg.norm((plant.position - plant.position[plant.roots[plant.tree]])[:, [0, 2]], axis=1)
    reach = SWAY * np.maximum.reduceat(around + plant.base_radius, plant.roots)
    ground = plant.position[plant.roots][:, [0, 2]]
    low_x, low_z = (ground - reach[:, None]).min(axis=0).tolist()
    high_x, high_z = (ground + reach[:, None]).max(axis=0).tolist()
    return _Footprint(ground, reach, (low_x, low_z, high_x, high_z))


def _nearest(base: FloatArray, tip: FloatArray, foot: FloatArray, head: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Where on segments (n, 3) they are nearest to a line from foot to head, 0 to 1; and from the line to there (n, 3).

    Two lines, then each end in turn held to its segment: exact for all but near-parallel ones, where any will do.
    """
    d, e, r = tip - base, head - foot, base - foot
    dd, ee, de = (d * d).sum(1), float(e @ e), d @ e
    dr, er = (d * r).sum(1), r @ e
    slope = dd * ee - de * de
    s = np.clip(np.divide(de * er - ee * dr, slope, out=np.zeros(len(d)), where=slope > 1e-12 * dd * ee), 0, 1)
    t = np.clip((er + s * de) / ee, 0, 1) if ee > 0 else np.zeros(len(d))
    s = np.clip((t * de - dr) / dd, 0, 1)
    return s, base + s[:, None] * d - foot - t[:, None] * e
