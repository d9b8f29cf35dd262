"""Parametric recursion in the manner of Weber & Penn 1995: every axis has side axes of the next level.

All axes of a level grow at once, as arrays. Two rules come from Di Giacomo et al. 2001 (§3): coherent noise takes
away the regularity, and the largest angle between a branch and its parent follows from their diameters.

    trunk ──march──> curve ──> forks (more axes of the same level) ──> side axes of the next level ──> …
"""

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.budgets import within
from windflower.core.randomness import Keys, between, coherent, draw, key
from windflower.core.vectors import UP, cross, dot, perpendicular, unit
from windflower.errors import SpeciesError
from windflower.plant.growth.skeleton import Skeleton
from windflower.plant.species.settings import Level, Recursion, Shoot

__all__ = ["grow_recursion", "murray_angle"]

GOLDEN_ANGLE = np.pi * (3 - np.sqrt(5))
SLOTS = 3  # side axes are inserted at thirds of the segments that an axis is marched in
CLEAR = 0.9  # share of its height above the ground that a hanging shoot may be long
EXPONENT = 2.3  # of the pipe model, to guess diameters from lengths while radii are not yet known


@dataclass(frozen=True, eq=False)
class Birth:
    """Where axes begin: on which axis, and where on it, each is inserted.

    key (n,) of its random numbers, order (n,), parent (n,) axis, slot (n,) on that axis, start (n, 3) in m
    """

    key: Keys
    order: IntArray
    parent: IntArray
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
        """(n,) keys of each axis' random numbers."""
        return self.born.key

    @property
    def stations(self) -> int:
        """Number of nodes of all axes, without those at which side axes begin."""
        return len(self) * (self.curve.shape[1] - 1)

    @property
    def slots(self) -> int:
        """Number of places for side axes on each axis."""
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
    nodes = 0
    for number, level in enumerate(settings.levels[1:], start=1):
        nodes += levels[-1].stations
        counts = _side_counts(levels[-1], level, number, settings)
        _ask(nodes + int(counts.sum()) * level.segments)
        levels.append(_with_forks(_side_axes(levels[-1], counts, level, number), level))
    _ask(nodes + levels[-1].stations)
    return _of_height(_skeleton(levels, settings), _height(settings, seed))


def _ask(nodes: int) -> None:
    within("nodes", nodes, "Lower branches, forks or segments of its levels, or leave out a level", error=SpeciesError)


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
    """Branches may end above or below their parent's tip: scale until the highest point is where it should be."""
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
        if level.shoot and level.shoot.hang:
            bend = _sag(heading[:, k], length / steps, level.shoot.hang)
        else:
            bend = np.full(count, bends[k * len(bends) // steps])
        d = _turned_up(heading[:, k], side[:, k], bend)
        d = _wandered(d, side[:, k], wander[:, :, k])
        if level.forks:
            away = np.where((fork_slot > 0) & (fork_slot == k * SLOTS), -np.radians(level.fork_angle) / 2, 0.0)
            d = _rotated(d, _perpendicular_to(d, fork_normal), away)
        heading[:, k + 1] = d
        side[:, k + 1] = _perpendicular_to(d, side[:, k])
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


def _side_counts(parents: Axes, level: Level, number: int, settings: Recursion) -> IntArray:
    """(n,) how many axes of the next level each axis of a batch has."""
    longest = settings.height * np.prod([item.length for item in settings.levels[:number]])
    wanted = level.branches * np.minimum(parents.length / longest, 1.5)
    return np.floor(wanted + draw(parents.key, 21)).astype(np.int64)


def _side_axes(parents: Axes, counts: IntArray, level: Level, number: int) -> Axes:
    """The axes of the next level, so many (n,) on each axis of a batch."""
    parent = np.repeat(np.arange(len(parents)), counts)
    rank = np.arange(len(parent)) - np.repeat(np.cumsum(counts) - counts, counts)
    keys = key(parents.key[parent], 22, rank)
    along = _places(level, rank, counts[parent], keys)
    place = level.start + (level.end - level.start) * along
    slot = np.clip(np.round(place * parents.slots), 1, parents.slots - 1).astype(np.int64)
    start, direction, side = parents.at(parent, slot)
    shape = np.interp(along, np.linspace(0, 1, len(level.profile)), level.profile)
    length = parents.length[parent] * level.length * shape * _varied(level, keys)
    if level.shoot and level.shoot.length:
        shortest, longest = level.shoot.length
        length = shortest + (longest - shortest) * shape / max(level.profile) * draw(keys, 27)
        length = np.minimum(length, np.maximum(CLEAR * start[:, 1], shortest))  # a curtain ends above the ground
    elif number > 1:  # a branch near the tip of its parent is shorter
        length = np.minimum(length, parents.length[parent] * (1.15 - place))
    angle = np.radians(level.angle[0] + (level.angle[1] - level.angle[0]) * along)
    angle = angle + np.radians(between(-level.angle_variation, level.angle_variation, keys, 23))
    above = parents.length[parent] * (1 - place) + (counts[parent] - rank - 1) * length
    angle = np.minimum(angle, murray_angle((length / (length + above)) ** (1 / EXPONENT)) + np.radians(20))
    azimuth = _azimuths(level, rank, parents.key[parent], keys)
    if level.arrangement == "flat":
        side = perpendicular(direction)
    sideways = np.cos(azimuth)[:, None] * side + np.sin(azimuth)[:, None] * cross(direction, side)
    direction = np.cos(angle)[:, None] * direction + np.sin(angle)[:, None] * sideways
    born = Birth(keys, parents.born.order[parent] + 1, parents.first + parent, slot, start)
    return _marched(level, born, direction, np.maximum(length, 1e-3), first=parents.first + len(parents))


def _places(
    level: Level,
    rank: IntArray,
    count: IntArray,
    keys: Keys,
) -> FloatArray:
    """Where on the branching part of the parent each axis sits, 0 to 1."""
    group = {"whorl": level.whorl, "opposite": 2}.get(level.arrangement, 1)
    groups = np.maximum(-(-count // group), 1)
    jitter = between(-0.35, 0.35, keys, 24) if group == 1 else 0.0
    return np.clip((rank // group + 0.5 + jitter) / groups, 0, 1) ** (1 / level.crowding)


def _azimuths(
    level: Level,
    rank: IntArray,
    parent_keys: Keys,
    keys: Keys,
) -> FloatArray:
    """(n,) azimuths around the parent, rad."""
    noise = between(-0.35, 0.35, keys, 25)
    if level.arrangement == "flat":
        return np.pi * (rank % 2) + noise
    begin = 2 * np.pi * draw(parent_keys, 26)
    if level.arrangement == "spiral":
        return begin + rank * GOLDEN_ANGLE + noise
    group = level.whorl if level.arrangement == "whorl" else 2
    turn = GOLDEN_ANGLE if level.arrangement == "whorl" else np.pi / 2
    return begin + (rank % group) * (2 * np.pi / group) + (rank // group) * turn + noise


def _second_arms(parents: Axes, level: Level) -> Axes:
    """The second arm of each fork in a batch: like the first arm from there on."""
    parent = np.flatnonzero(parents.fork_slot)
    slot = parents.fork_slot[parent]
    station = slot // SLOTS
    keys = key(parents.key[parent], 31)
    length = parents.length[parent] * (1 - slot / parents.slots) * between(0.85, 1.05, keys, 32)
    before, normal = parents.heading[parent, station], parents.fork_normal[parent]
    turn = np.full(len(parent), np.radians(level.fork_angle) / 2)
    direction = _rotated(before, _perpendicular_to(before, normal), turn)
    born = Birth(keys, parents.born.order[parent] + 1, parents.first + parent, slot, parents.curve[parent, station])
    return _marched(level, born, direction, length, first=parents.first + len(parents))


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


def _skeleton(levels: list[Axes], settings: Recursion) -> Skeleton:
    """Nodes at every station of every axis and wherever a side axis is inserted."""
    axis_order = np.concatenate([batch.born.order for batch in levels])
    parent_axis = np.concatenate([batch.born.parent for batch in levels])
    slot = np.concatenate([batch.born.slot for batch in levels])
    stations = [
        np.stack(np.meshgrid(batch.first + np.arange(len(batch)), np.arange(SLOTS, batch.slots + 1, SLOTS)), -1)
        for batch in levels
    ]
    inserted = np.stack([parent_axis, slot], axis=1)
    places = np.unique(np.concatenate([inserted, *(item.reshape(-1, 2) for item in stations), [[0, 0]]]), axis=0)
    axis, at = places.T
    parent = np.arange(len(places)) - 1
    first = np.flatnonzero(np.diff(axis, prepend=-1))
    address = axis * 10_000 + at
    parent[first[1:]] = np.searchsorted(address, parent_axis[axis[first[1:]]] * 10_000 + slot[axis[first[1:]]])
    position = np.empty((len(places), 3))
    for batch in levels:
        mine = (axis >= batch.first) & (axis < batch.first + len(batch))
        position[mine] = batch.at(axis[mine] - batch.first, at[mine])[0]
    shoot = np.zeros((len(places), 2))
    for batch, level in zip(levels, settings.levels, strict=True):
        if level.shoot:
            mine = np.flatnonzero((axis >= batch.first) & (axis < batch.first + len(batch)))
            before = np.where(parent[mine] >= 0, at[parent[mine]] * (axis[parent[mine]] == axis[mine]), 0)
            length = batch.length[axis[mine] - batch.first]
            shoot[mine] = _thickness(level.shoot, length / batch.length.max(), before, at[mine], batch.slots)
    return Skeleton(parent, position, axis_order[axis], radius=shoot if shoot.any() else None)


def _thickness(shoot: Shoot, size: FloatArray, begin: IntArray, end: IntArray, slots: int) -> FloatArray:
    """(n, 2) radii at both ends of segments of shoots, m, that taper evenly; `size` is a shoot's over the longest's."""
    thick, thin = shoot.radius
    base = thin + (thick - thin) * np.sqrt(size)
    return np.stack([base + (thin - base) * place / slots for place in (begin, end)], axis=1)


def _varied(level: Level, keys: Keys) -> FloatArray:
    return between(1 - level.length_variation, 1 + level.length_variation, keys, 41)


def _wandered(direction: FloatArray, side: FloatArray, angle: FloatArray) -> FloatArray:
    """Two small turns, about the side and about what is normal to it; angle (2, n)."""
    turned = _rotated(direction, side, angle[0])
    return _rotated(turned, unit(cross(turned, side)), angle[1])


def murray_angle(ratio: FloatArray) -> FloatArray:
    """Angle (rad) between a branch and its parent that costs least, for their diameters' ratio (Murray 1926)."""
    x = np.clip(ratio, 1e-6, 1 - 1e-9)
    cosine = (1 + x**4 - (1 - x**3) ** (4 / 3)) / (2 * x**2)
    return np.arccos(np.clip(cosine, -1, 1))


def _sag(heading: FloatArray, step: FloatArray, hang: float) -> FloatArray:
    """(n,) by how much limp axes turn to the ground over a step, rad.

    Far from its tip a heavy limp beam turns from where it is held to the vertical as exp(-s/λ), λ² = EI / weight of
    all that hangs: bending and weight are in equilibrium.
    """
    from_ground = np.pi - np.arccos(np.clip(heading[:, 1], -1, 1))
    return np.asarray(-from_ground * -np.expm1(-step / hang))


def _turned_up(direction: FloatArray, side: FloatArray, angle: FloatArray) -> FloatArray:
    """Turn toward the sky (negative: the ground), never past the vertical."""
    upright = np.arccos(np.clip(direction[:, 1], -1, 1))
    limited = np.clip(angle, upright - np.pi, upright)
    axis = cross(direction, UP)
    vertical = dot(axis, axis) < 1e-8
    axis = np.where(vertical, side, unit(axis))
    return _rotated(direction, axis, limited)


def _perpendicular_to(direction: FloatArray, normal: FloatArray) -> FloatArray:
    """The part of `normal` that is perpendicular to the directions, as unit vectors."""
    return unit(normal - dot(normal, direction) * direction)


def _rotated(vector: FloatArray, axis: FloatArray, angle: FloatArray) -> FloatArray:
    """Turn unit vectors about axes that are perpendicular to them."""
    c, s = np.cos(angle)[:, None], np.sin(angle)[:, None]
    return unit(c * vector + s * cross(axis, vector))
