"""Blades are kept out of neighbouring blades, of stems and of the ground (§3.2): by forces on their points.

Of two blades it is remembered on which side of the other each lies, from the rest pose on, for as long as one lies
over the other. A point that comes nearer to the other blade than a gap, or has slipped through it, is pushed back to
that side. Beyond the rim it feels ever less and is pushed outward too: the force is the slope of an energy, so that no
way around a rim gains by it. It is as stiff as the wind asks for, shared by the points that touch. Blades that touch
rub: friction is of their motion against one another, so that leaves which touch still go with the wind together, and
all but stick where they are slow. Steps take all of it implicitly. What is near at rest may stay so; blades that have
grown around the rim of another, with points on both sides of it, are let be until they have parted once.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.spatial import cKDTree

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.components import dot, length
from windflower.motion.broadleaf.overlap import OVER, RIM, Heights, heights
from windflower.motion.broadleaf.rows import Rows
from windflower.motion.broadleaf.segments import Segments
from windflower.plant.blades import Blades
from windflower.plant.graph import Plant

__all__ = ["Contacts", "Pressed", "StemPairs", "contacts_of"]

GAP = 0.16  # over a blade's half width: how near blades may come
REST = 0.8  # share of the distance at rest that blades may come to, where that is less than the gap
STIFF = 4.0  # force on all points of a blade that touch another as deep as the gap, over the wind on the blade
FEWEST = 4.0  # points that share it
SHARED = 2.0  # blades and their mid-ribs, both of two blades, yield to one force in the same step: each by its share
RUB = 2.5  # friction over the force of contact (fitted: half of it leaves violets unrest, docs/broadleaf.md) …
STILL = 0.0003  # … of what moves faster than this, half widths a second; slower, blades all but stick (fitted)
ALONG = 0.8  # share of the other blade's velocity with which a blade is rubbed along, and of its own that it keeps
LOSS = 0.1  # s: damping of blades toward one another, over the same
HARD = 0.05  # of that stiffness, for each point at a stem or on the ground
SOON = 0.25  # over gaps: how deep they touch where they rub fully
DEEPEST = 4.0  # over gaps: what is deeper is not pushed harder
THROUGH = 0.4  # over half widths: what has slipped so far through another blade is let through
BEYOND = 1.0  # a segment stands for as much of its stem on both sides, over its length, where the stem goes on
REACH = 0.15  # over the longest blade: stems that are farther at rest are never met
HAIR = 1e-9  # m: what touches at rest does not touch
GROWN = 0.5  # size of the side of blades that are let be as they have grown


@dataclass(frozen=True, eq=False)
class Pressed:
    """Forces of contact on points (3, count, blades, along, across), N.

    grip  (count, blades, along, across) by which they resist what a point moves in this step, N s/m
    """

    force: FloatArray
    grip: FloatArray


@dataclass(frozen=True, eq=False)
class StemPairs:
    """(pairs,) a point, a segment by its end and its base, how near they may come, m, and how far its stem goes on.

    last  over the segment's length, from its base; 1 at a tip
    """

    point: IntArray
    end: IntArray
    base: IntArray
    near: FloatArray
    last: FloatArray

    def depth(self, place: FloatArray, node: FloatArray) -> tuple[FloatArray, FloatArray]:
        """How much too near they are (count, pairs), m, and the way out (3, count, pairs)."""
        base = node.take(self.base, axis=-1)
        along, away = node.take(self.end, axis=-1) - base, place.take(self.point, axis=-1) - base
        share = np.clip(dot(away, along) / dot(along, along), -BEYOND, self.last)
        away = away - share * along
        distance = np.maximum(length(away), 1e-9)
        return np.maximum(self.near - distance, 0), away / distance


class Contacts:
    """All contacts of one plant's blades.

    full   (blades, blades)  how near they may come where they are not near at rest, m
    gap    (blades, blades)  how near points of the first may come to the second, m
    side   (blades, blades)  1 where the first lies above the second at rest, -1 below, 0 neither; where points are on
                             both sides, ±GROWN: they are not kept apart until they have parted
    width  (blades,)         widest half of each, m
    floor  (blades, along, across)  how low points may come, m
    """

    def __init__(self, blades: Blades, rest: Rows, lift: FloatArray, floor: FloatArray, stems: StemPairs) -> None:
        self.width, self.floor, self.stems = blades.half_width.max(axis=1), floor, stems
        points = floor.size
        self._stem_sum = sparse.csr_array(
            (np.ones(len(stems.point)), (np.arange(len(stems.point)), stems.point)), shape=(len(stems.point), points)
        )
        self._blade_of = np.repeat(np.arange(len(blades)), points // len(blades))
        self.full = GAP * np.minimum(self.width[:, None], self.width)
        self.gap, self.side = self._at_rest(blades, rest, lift)

    def _at_rest(self, blades: Blades, rest: Rows, lift: FloatArray) -> tuple[FloatArray, FloatArray]:
        point = np.moveaxis(blades.point, -1, 0)[:, None]
        over = heights(point, np.zeros(point.shape), rest, lift, self.width)
        count = len(blades)
        side = self._sides(over, np.zeros((1, count, count)))[0][0]
        pair = self._blade_of[over.point] * count + over.blade
        nearest = np.full(count * count, np.inf)
        felt = over.share > 0
        np.minimum.at(nearest, pair[felt], (over.height * side.ravel()[pair])[felt])
        allowed = REST * nearest.reshape(count, count)
        apart = allowed > 0
        return np.where(apart, np.minimum(self.full, allowed), self.full), np.where(apart, side, GROWN * side)

    def pressed(
        self,
        points: FloatArray,
        velocity: FloatArray,
        node: FloatArray,
        rows: Rows,
        lift: FloatArray,
        side: FloatArray,
        load: FloatArray,
        h: FloatArray,
    ) -> tuple[Pressed, FloatArray]:
        """The forces on points (3, count, blades, along, across), and the sides (count, blades, blades) from now on.

        load  (count, blades) what contact is as strong as, N
        h     (count, 1, 1, 1) sub-step, s
        """
        over = heights(points, velocity, rows, lift, self.width)
        side, touching = self._sides(over, side)
        size, blades = self.floor.size, points.shape[2]
        stiff = np.repeat(STIFF * load / (GAP * self.width), size // blades)
        step = np.repeat(h.ravel(), size)
        force, grip = self._off_blades(over, velocity, side, touching, stiff, step)
        self._off_ground(points, velocity, force, grip, HARD * stiff, step)
        self._off_stems(points, velocity, node, force, grip, HARD * stiff, step)
        return Pressed(force.reshape(points.shape), grip.reshape(points.shape[1:])), side

    def _off_blades(
        self,
        over: Heights,
        velocity: FloatArray,
        side: FloatArray,
        touching: FloatArray,
        stiff: FloatArray,
        step: FloatArray,
    ) -> tuple[FloatArray, FloatArray]:
        """(3, points) forces on all points and (points,) their grip; `stiff` N/m and `step` s are of each point.

        The slope of ½ k (share · depth)², k the point's part of the stiffness, down to where points are let through.
        """
        pair, mine, theirs = self._pairs(over, side.shape[-1])
        here, gap = side.reshape(-1)[pair], self.gap[mine, theirs]
        depth = np.clip(gap - here * over.height, 0, DEEPEST * gap) * (np.abs(here) == 1)
        shallow = np.clip(2 + 2 * here * over.height / (THROUGH * self.width[theirs]), 0, 1)
        firm = shallow * stiff[over.point] / touching.reshape(-1)[pair] * (depth > 0)
        out = over.share * here * over.uphill + depth * over.fading  # how share · depth falls
        steep, press = dot(out, out), firm * over.share * depth
        own = velocity.reshape(3, -1).take(over.point, axis=1)
        speed = np.maximum(length(own), length(own - over.along)) + STILL * self.width[mine]
        damped = LOSS * np.minimum(depth / (SOON * gap), 1)
        slow, rub = firm * steep * (SHARED * step[over.point] + damped), RUB * press * np.sqrt(steep) / speed
        aside = own - dot(own - over.along, out) / np.maximum(steep, 1e-12) * out
        push = press * out + ALONG * (slow * aside + rub * over.along)
        summed = [np.bincount(over.point, part, len(stiff)).astype(np.float64) for part in (*push, slow + rub)]
        return np.stack(summed[:3]), summed[3]

    def _pairs(self, over: Heights, blades: int) -> tuple[IntArray, IntArray, IntArray]:
        """(pairs,) two blades by one number through all instances, the point's blade, and the other."""
        size = self.floor.size
        mine, theirs = self._blade_of[over.point % size], over.blade % blades
        return (over.point // size * blades + mine) * blades + theirs, mine, theirs

    def reach(self, blades: Blades) -> FloatArray:
        """(blades,) how far from its middle row a blade is felt at most, m."""
        run = blades.ribs.run[:, blades.along // 2]
        return np.asarray(np.maximum(run, 1 - run) * blades.ribs.length + (1 + RIM + OVER) * self.width)

    def _off_ground(
        self,
        points: FloatArray,
        velocity: FloatArray,
        force: FloatArray,
        grip: FloatArray,
        stiff: FloatArray,
        step: FloatArray,
    ) -> None:
        depth = np.maximum(self.floor - points[1], 0).reshape(-1)
        slow = stiff * (depth > 0) * SHARED * step
        force[1] += stiff * depth
        force[::2] += ALONG * slow * velocity.reshape(3, -1)[::2]
        grip += slow

    def _off_stems(
        self,
        points: FloatArray,
        velocity: FloatArray,
        node: FloatArray,
        force: FloatArray,
        grip: FloatArray,
        stiff: FloatArray,
        step: FloatArray,
    ) -> None:
        count = points.shape[1]
        depth, out = self.stems.depth(points.reshape(3, count, -1), node)
        if not depth.any():
            return
        own = velocity.reshape(3, count, -1).take(self.stems.point, axis=-1)
        slow = ALONG * SHARED * step.reshape(count, -1)[:, :1] * (depth > 0)
        pushes = out * depth + slow * (own - dot(own, out) * out)
        push, felt = pushes.reshape(3 * count, -1) @ self._stem_sum, (depth > 0) @ self._stem_sum
        force += stiff * np.asarray(push).reshape(3, -1)
        grip += stiff * np.asarray(felt).reshape(-1) * SHARED * step

    def _sides(self, over: Heights, side: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Sides (count, blades, blades) as they were, of blades still over one another; and those of new ones.

        Blades that have grown around a rim have parted once all points that are near lie on one side.

        And how many points of the first touch the second, at least a few.
        """
        blades = side.shape[-1]
        pair, _, theirs = self._pairs(over, blades)
        weight = over.share
        met = np.bincount(pair, weight, side.size).reshape(side.shape)
        tells = np.bincount(pair, weight * np.tanh(over.height / (GAP * self.width[theirs])), side.size)
        new = np.where(tells.reshape(side.shape) < 0, -1.0, 1.0)
        above = np.bincount(pair, weight * (over.height > 0), side.size).reshape(side.shape)
        undecided = (side == 0) | ((np.abs(side) == GROWN) & ((above == 0) | (above == met)))
        side = np.where(met > 0, np.where(undecided, new, side), 0.0)
        gap = GAP * self.width[theirs]
        deep = np.clip((gap - side.reshape(-1)[pair] * over.height) / (SOON * gap), 0, 1)
        touching = np.bincount(pair, weight * deep, side.size).reshape(side.shape)
        return side, np.maximum(touching, FEWEST)


def contacts_of(plant: Plant, blades: Blades, segments: Segments, rest: Rows, lift: FloatArray) -> Contacts:
    """All contacts of a plant; `rest` are the rows at rest, `lift` (blades, along, across) of points above them, m."""
    floor = np.minimum(blades.point[..., 1] - HAIR, plant.position[plant.roots, 1].min())
    return Contacts(blades, rest, lift[None], floor, _stems(plant, blades, segments))


def _stems(plant: Plant, blades: Blades, segments: Segments) -> StemPairs:
    """The nearest segment of each axis that carries no blade, near enough to a point."""
    place = blades.point.reshape(-1, 3)
    bare = ~np.isin(plant.axis, plant.axis[blades.ribs.bud])
    stem = plant.segments[bare[plant.segments]]
    tree, reach = cKDTree(place), REACH * float(blades.ribs.length.max())
    middle = plant.position[stem] - plant.vector[stem] / 2
    around = tree.query_ball_point(middle, reach + plant.length[stem] / 2)
    point = np.concatenate([np.array(one, np.int64) for one in around])
    stem = np.repeat(stem, [len(one) for one in around])
    away, along = place[point] - plant.position[plant.parent[stem]], plant.vector[stem]
    share = np.einsum("pc,pc->p", away, along) / np.square(along).sum(axis=1)
    beside = np.linalg.norm(away - np.clip(share, 0, 1)[:, None] * along, axis=1)
    nearest = _first_of_each(point * plant.nodes + plant.axis[stem], beside)
    nearest = nearest[beside[nearest] < reach]
    point, stem = point[nearest], stem[nearest]
    last = np.where(np.isin(stem, plant.parent[plant.continues]), 1 + BEYOND, 1.0)
    share = np.clip(share[nearest], -BEYOND, last)
    distance = np.linalg.norm(away[nearest] - share[:, None] * along[nearest], axis=1)
    radius, end = (plant.radius + plant.base_radius)[stem] / 2, segments.rank[stem]
    return StemPairs(point, end, segments.parent[end], np.minimum(radius, distance - HAIR), last)


def _first_of_each(group: IntArray, size: FloatArray) -> IntArray:
    """The smallest of each group."""
    ranking = np.lexsort((size, group))
    return ranking[np.flatnonzero(np.diff(group[ranking], prepend=-1))]
