"""Parametric recursion in the manner of Weber & Penn 1995: every axis bears axes of the next level.

All axes of a level grow at once, as arrays. Two rules come from Di Giacomo et al. 2001 (§3): coherent noise takes
away the regularity, and the largest angle between a branch and its bearer follows from their diameters.

    trunk ──march──> curve ──> forks (more axes of the same level) ──> side axes of the next level ──> …
"""

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.randomness import Keys, between, coherent, draw, key
from windflower.core.vectors import UP, cross, dot, perpendicular, unit
from windflower.plant.growth.skeleton import Skeleton
from windflower.plant.growth.turning import murray_angle, perpendicular_to, rotated, turned_up
from windflower.plant.species.settings import Level, Recursion

__all__ = ["grow_recursion"]

GOLDEN_ANGLE = np.pi * (3 - np.sqrt(5))
SLOTS = 3  # side axes are inserted at thirds of the segments that an axis is marched in
EXPONENT = 2.3  # of the pipe model, to guess diameters from lengths while radii are not yet known


@dataclass(frozen=True, eq=False)
class Birth:
    """Where axes begin: on which axis, and where on it, each is inserted.

    key (n,) names its random numbers, order (n,), bearer (n,), slot (n,), start (n, 3)
    """

    key: Keys
    order: IntArray
    bearer: IntArray
    slot: IntArray
    start: FloatArray


@dataclass(frozen=True, eq=False)
class Axes:
    """A batch of axes of one level, grown.

    length (n,); curve, heading and side (n, stations, 3): points, unit directions, and normals to them
    fork_slot (n,) where each divides, 0 for nowhere; fork_normal (n, 3) of the plane it divides in
    first: the number of the batch's first axis among all
    """

    born: Birth
    length: FloatArray
    curve: FloatArray
    heading: FloatArray
    side: FloatArray
    fork_slot: IntArray
    fork_normal: FloatArray
    first: int

    def __len__(self) -> int:
        return len(self.length)

    @property
    def key(self) -> Keys:
        """What names each axis' random numbers."""
        return self.born.key

    @property
    def slots(self) -> int:
        """How many places for side axes there are on each axis."""
        return (self.curve.shape[1] - 1) * SLOTS

    def at(self, axis: IntArray, slot: IntArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Point, direction and normal on these axes, by cubic Hermite interpolation between stations."""
        station = np.minimum(slot // SLOTS, self.curve.shape[1] - 2)
        t = (slot / SLOTS - station)[:, None]
        pace = (self.length[axis] / (self.curve.shape[1] - 1))[:, None]
        p0, p1 = self.curve[axis, station], self.curve[axis, station + 1]
        d0, d1 = self.heading[axis, station], self.heading[axis, station + 1]
        bend = t * (1 - t) * ((1 - t) * (d0 * pace - (p1 - p0)) - t * (d1 * pace - (p1 - p0)))
        direction = unit((1 - t) * d0 + t * d1)
        side = self.side[axis, station]
        return p0 + t * (p1 - p0) + bend, direction, unit(side - dot(side, direction) * direction)


def grow_recursion(settings: Recursion, seed: int) -> Skeleton:
    """Grow the axes level by level and join them to one skeleton."""
    levels = [_with_forks(_stems(settings, seed), settings.levels[0])]
    for number, level in enumerate(settings.levels[1:], start=1):
        levels.append(_with_forks(_side_axes(levels[-1], level, number, settings), level))
    return _of_height(_skeleton(levels), _height(settings, seed))


def _with_forks(axes: Axes, level: Level) -> Axes:
    """A batch and the second arms of its forks; an arm may fork again, twice."""
    parts = [axes]
    for _ in range(3):
        arms = _second_arms(parts[-1], level)
        if len(arms) == 0:
            break
        parts.append(arms)
    return _joined(parts)


def _height(settings: Recursion, seed: int) -> float:
    return settings.height * between(1 - settings.height_variation, 1 + settings.height_variation, seed, 101).item()


def _of_height(skeleton: Skeleton, height: float) -> Skeleton:
    """Branches may end above or below their bearer's tip: scale until the highest point is where it should be."""
    return replace(skeleton, position=skeleton.position * (height / skeleton.position[:, 1].max()))


def _stems(settings: Recursion, seed: int) -> Axes:
    level = settings.levels[0]
    count = max(1, round(level.branches))
    keys = key(seed, np.arange(count))
    length = settings.height * level.length * (_varied(level, keys) if count > 1 else np.ones(1))
    azimuth = np.arange(count) * GOLDEN_ANGLE + 2 * np.pi * draw(seed, 102)
    lean = np.radians(between(*level.angle, keys, 103)) if count > 1 else np.zeros(1)
    sideways = np.stack([np.cos(azimuth), np.zeros(count), np.sin(azimuth)], axis=1)
    direction = np.cos(lean)[:, None] * UP + np.sin(lean)[:, None] * sideways
    zeros = np.zeros(count, np.int64)
    born = Birth(keys, np.minimum(np.arange(count), 1), zeros, zeros, np.zeros((count, 3)))
    return _marched(level, born, direction, length, first=0)


def _marched(level: Level, born: Birth, direction: FloatArray, length: FloatArray, *, first: int) -> Axes:
    """Walk along the axes station by station, turning by curve, noise and forks."""
    steps, count = level.segments, len(length)
    curve = np.empty((count, steps + 1, 3))
    heading, side = np.empty_like(curve), np.empty_like(curve)
    curve[:, 0], heading[:, 0], side[:, 0] = born.start, unit(direction), perpendicular(direction)
    fork_slot, fork_normal = _fork_places(level, born.key, steps)
    bends = np.radians(level.curve) * len(level.curve) / steps
    wander = np.radians(level.wander / steps) * _noise(born.key, steps)
    for k in range(steps):
        d = turned_up(heading[:, k], side[:, k], float(bends[k * len(bends) // steps]))
        d = _wandered(d, side[:, k], wander[:, :, k])
        if level.forks:
            away = np.where((fork_slot > 0) & (fork_slot == k * SLOTS), -np.radians(level.fork_angle) / 2, 0.0)
            d = rotated(d, perpendicular_to(d, fork_normal), away)
        heading[:, k + 1] = d
        side[:, k + 1] = perpendicular_to(d, side[:, k])
        curve[:, k + 1] = curve[:, k] + d * (length / steps)[:, None]
    return Axes(born, length, curve, heading, side, fork_slot, fork_normal, first)


def _noise(keys: Keys, steps: int) -> FloatArray:
    """(2, n, steps) coherent noise along each axis for its two directions of bending."""
    return coherent(np.arange(steps) * 0.45, keys[:, None], np.array([51, 52])[:, None, None])


def _fork_places(level: Level, keys: Keys, steps: int) -> tuple[IntArray, FloatArray]:
    """Where each axis divides (0: nowhere) and the normal of the plane it divides in."""
    divides = (draw(keys, 11) < level.forks) & (steps > 2)
    station = np.floor(between(max(level.start, 0.3) * steps, 0.75 * steps, keys, 12)).astype(np.int64)
    azimuth = 2 * np.pi * draw(keys, 13)
    normal = np.stack([np.cos(azimuth), np.zeros(len(keys)), np.sin(azimuth)], axis=1)
    return np.where(divides, np.maximum(station, 1) * SLOTS, 0), normal


def _side_axes(bearers: Axes, level: Level, number: int, settings: Recursion) -> Axes:
    """The axes of the next level on every axis of a batch."""
    longest = settings.height * np.prod([item.length for item in settings.levels[:number]])
    wanted = level.branches * np.minimum(bearers.length / longest, 1.5)
    counts = np.floor(wanted + draw(bearers.key, 21)).astype(np.int64)
    bearer = np.repeat(np.arange(len(bearers)), counts)
    rank = np.arange(len(bearer)) - np.repeat(np.cumsum(counts) - counts, counts)
    keys = key(bearers.key[bearer], 22, rank)
    along = _places(level, rank, counts[bearer], keys)
    place = level.start + (level.end - level.start) * along
    slot = np.clip(np.round(place * bearers.slots), 1, bearers.slots - 1).astype(np.int64)
    start, direction, side = bearers.at(bearer, slot)
    shape = np.interp(along, np.linspace(0, 1, len(level.profile)), level.profile)
    length = bearers.length[bearer] * level.length * shape * _varied(level, keys)
    if number > 1:  # a branch near the tip of its bearer is shorter
        length = np.minimum(length, bearers.length[bearer] * (1.15 - place))
    angle = np.radians(level.angle[0] + (level.angle[1] - level.angle[0]) * along)
    angle = angle + np.radians(between(-level.angle_variation, level.angle_variation, keys, 23))
    above = bearers.length[bearer] * (1 - place) + (counts[bearer] - rank - 1) * length
    angle = np.minimum(angle, murray_angle((length / (length + above)) ** (1 / EXPONENT)) + np.radians(20))
    azimuth = _azimuths(level, rank, bearers.key[bearer], keys)
    if level.arrangement == "flat":
        side = perpendicular(direction)
    sideways = np.cos(azimuth)[:, None] * side + np.sin(azimuth)[:, None] * cross(direction, side)
    direction = np.cos(angle)[:, None] * direction + np.sin(angle)[:, None] * sideways
    born = Birth(keys, bearers.born.order[bearer] + 1, bearers.first + bearer, slot, start)
    return _marched(level, born, direction, np.maximum(length, 1e-3), first=bearers.first + len(bearers))


def _places(
    level: Level,
    rank: IntArray,
    count: IntArray,
    keys: Keys,
) -> FloatArray:
    """Where on the branching part of the bearer each axis sits, 0 to 1."""
    group = {"whorl": level.whorl, "opposite": 2}.get(level.arrangement, 1)
    groups = np.maximum(-(-count // group), 1)
    jitter = between(-0.35, 0.35, keys, 24) if group == 1 else 0.0
    return np.clip((rank // group + 0.5 + jitter) / groups, 0, 1) ** (1 / level.crowding)


def _azimuths(
    level: Level,
    rank: IntArray,
    bearer_keys: Keys,
    keys: Keys,
) -> FloatArray:
    """Around the bearer, radians."""
    noise = between(-0.35, 0.35, keys, 25)
    if level.arrangement == "flat":
        return np.pi * (rank % 2) + noise
    begin = 2 * np.pi * draw(bearer_keys, 26)
    if level.arrangement == "spiral":
        return begin + rank * GOLDEN_ANGLE + noise
    group = level.whorl if level.arrangement == "whorl" else 2
    turn = GOLDEN_ANGLE if level.arrangement == "whorl" else np.pi / 2
    return begin + (rank % group) * (2 * np.pi / group) + (rank // group) * turn + noise


def _second_arms(bearers: Axes, level: Level) -> Axes:
    """The second arm of each fork in a batch: like the first arm from there on."""
    bearer = np.flatnonzero(bearers.fork_slot)
    slot = bearers.fork_slot[bearer]
    station = slot // SLOTS
    keys = key(bearers.key[bearer], 31)
    length = bearers.length[bearer] * (1 - slot / bearers.slots) * between(0.85, 1.05, keys, 32)
    before, normal = bearers.heading[bearer, station], bearers.fork_normal[bearer]
    turn = np.full(len(bearer), np.radians(level.fork_angle) / 2)
    direction = rotated(before, perpendicular_to(before, normal), turn)
    born = Birth(keys, bearers.born.order[bearer] + 1, bearers.first + bearer, slot, bearers.curve[bearer, station])
    return _marched(level, born, direction, length, first=bearers.first + len(bearers))


def _joined(parts: list[Axes]) -> Axes:
    """One batch from several of the same level that are numbered one after another."""
    if len(parts) == 1:
        return parts[0]
    joined: dict[str, Any] = {
        f.name: np.concatenate([getattr(part, f.name) for part in parts])
        for f in fields(Axes)
        if f.name not in ("born", "first")
    }
    born = Birth(*(np.concatenate([getattr(part.born, f.name) for part in parts]) for f in fields(Birth)))
    return Axes(born=born, first=parts[0].first, **joined)


def _skeleton(levels: list[Axes]) -> Skeleton:
    """Nodes at every station of every axis and wherever a side axis is inserted."""
    axis_order = np.concatenate([batch.born.order for batch in levels])
    bearer = np.concatenate([batch.born.bearer for batch in levels])
    slot = np.concatenate([batch.born.slot for batch in levels])
    stations = [
        np.stack(np.meshgrid(batch.first + np.arange(len(batch)), np.arange(SLOTS, batch.slots + 1, SLOTS)), -1)
        for batch in levels
    ]
    inserted = np.stack([bearer, slot], axis=1)
    places = np.unique(np.concatenate([inserted, *(item.reshape(-1, 2) for item in stations), [[0, 0]]]), axis=0)
    axis, at = places.T
    parent = np.arange(len(places)) - 1
    first = np.flatnonzero(np.diff(axis, prepend=-1))
    address = axis * 10_000 + at
    parent[first[1:]] = np.searchsorted(address, bearer[axis[first[1:]]] * 10_000 + slot[axis[first[1:]]])
    position = np.empty((len(places), 3))
    for batch in levels:
        mine = (axis >= batch.first) & (axis < batch.first + len(batch))
        position[mine] = batch.at(axis[mine] - batch.first, at[mine])[0]
    return Skeleton(parent, position, axis_order[axis])


def _varied(level: Level, keys: Keys) -> FloatArray:
    return between(1 - level.length_variation, 1 + level.length_variation, keys, 41)


def _wandered(direction: FloatArray, side: FloatArray, angle: FloatArray) -> FloatArray:
    """Two small turns, about the side and about what is normal to it; angle (2, n)."""
    turned = rotated(direction, side, angle[0])
    return rotated(turned, unit(cross(turned, side)), angle[1])
