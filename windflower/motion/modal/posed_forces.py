"""What the wind does to the modes of a plant that has turned far: forces on the posed shape, Q = Σ F · ∂x/∂q.

A segment s that carries the drag F_s is turned by r_s = Σ q ψ_s to d'_s (see `RotatedPose`), and the work of the wind
is Σ F_s · d'_s. So each modal force is Σ ψ_s · μ(r_s), where μ are `moments` of turns; for small amplitudes
d_s × F_s, the projection on the shape at rest. The excess over that is what is found here,

    e = Σ ψ_s · (μ(r_s) - d_s × F_s)

over a few weighted segments (see `cubature`), so that at small amplitudes nothing changes, not even in the last digits
of weights. Elastic energy stays ½ Σ ω² q²: with turns linear in the amplitudes that holds for bending in a plane, up
to a right angle, and the plant bends as an elastica does. Static vectors have amounts, too, whose stiffness is
`Modes.static_work`; the excess moves the wind that they follow.

Sheets are pressed along their normals, which turn with them; theirs stays the force on the shape at rest.
"""

from functools import cached_property, lru_cache

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.components import cross
from windflower.core.threads import shared_out
from windflower.mechanics import Modes
from windflower.motion.modal.cubature import chosen_segments
from windflower.motion.poses.large_turns import moments
from windflower.motion.poses.pose import turns
from windflower.motion.poses.sheet_limits import posed_shapes
from windflower.motion.poses.single_pose import compiles

__all__ = ["POINTS", "PosedForces", "posed_forces"]

POINTS = 48  # weighted segments, at most
NOTHING = 1e-9  # share of a static vector in the lean below which it is only rounding
TOLERANCE = 1e-8  # rad: how exactly a lean is found
SIMPLE, CAREFUL = 12, 400  # steps of the plain iteration for a lean, and of the one that always gets there
TOGETHER = 128  # instances whose forces are found at once: arrays stay in the cache

WORTH = 500  # instances that are worth to compile for


class PosedForces:
    """The excess of modal forces and of what static vectors follow, on the posed shape.

    turn    (shapes, points, 3)  by how much each shape turns each weighted segment, rad
    dual    (shapes, points, 3)  the same over the stiffness of the amounts for static vectors
    chord   (points, 3)          the segment at rest times its weight, m
    beyond  (cells, points)      drag of what it carries, in each cell, kg/m
    firm    (shapes,)            by how much, at most, a unit of the strongest dynamic wind stiffens each shape
    """

    def __init__(self, modes: Modes) -> None:
        plant, self._modes = modes.plant, modes
        beyond = _carried(modes)
        segment = plant.segments[beyond[:, plant.segments].any(axis=0)]
        shapes = np.concatenate([modes.shape, modes.static.reshape(-1, plant.nodes, 6)])
        turn = turns(plant, posed_shapes(shapes, modes.conditions.sheets))[:, segment]
        felt = np.append(modes.projection.any(axis=(0, 2)), np.ones(3 * modes.cells, bool))
        turn[~felt] = 0.0  # modes on which no wind acts, such as those that fade after a break
        softness, self._steady = _softness(modes)
        own = np.concatenate([modes.omega**2, np.maximum(np.diag(modes.static_work), 1e-300)])
        kept, weight = chosen_segments(turn[felt], plant.vector[segment], beyond[:, segment], own[felt], POINTS)
        self.turn, self.chord = turn[:, kept], plant.vector[segment[kept]] * weight[:, None]
        self.beyond = beyond[:, segment[kept]]
        count = len(modes)
        static = np.tensordot(softness @ softness.T, self.turn[count:], 1)
        self.dual = np.concatenate([self.turn[:count], static])
        self._free = np.concatenate(
            [self.turn[:count] / modes.omega[:, None, None], np.tensordot(softness.T, self.turn[count:], 1)]
        )
        self._softness = softness
        self.firm = _firmness(self.turn, self.dual, self.chord, self.beyond, own)
        self._turn = _by_component(self.turn).T.copy()
        self._dual = _by_component(self.dual)
        self._chord = np.ascontiguousarray(self.chord.T)[:, :, None]
        self._to_points = np.ascontiguousarray(self.beyond.T)

    @property
    def points(self) -> int:
        """Number of weighted segments."""
        return len(self.chord)

    def excess(self, amount: FloatArray, push: FloatArray) -> FloatArray:
        """(count, shapes) for amounts (count, shapes) under dynamic winds (count, cells, 3), (m/s)²."""
        found = np.empty((len(amount), len(self._dual)))
        find = self._find_compiled if len(amount) >= WORTH and compiles() else self._find
        shared_out(lambda part: find(amount[part], push[part], found[part]), len(amount), least=TOGETHER)
        return found

    def _find(self, amount: FloatArray, push: FloatArray, found: FloatArray) -> None:
        for first in range(0, len(amount), TOGETHER):
            part = slice(first, first + TOGETHER)
            r = (self._turn @ amount[part].T).reshape(3, self.points, -1)
            gained = self._gained(r, *self._forces(push[part]))
            found[part] = (self._dual @ gained.reshape(3 * self.points, -1)).T

    def _find_compiled(self, amount: FloatArray, push: FloatArray, found: FloatArray) -> None:
        """The same, by compiled loops."""
        from windflower.motion.modal.compiled_steps import excess

        excess(*self._matrices, amount, push, found)

    @cached_property
    def _matrices(self) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """What compiled loops read: x, y and z of a point lie one after the other."""
        turn, dual = (one.reshape(len(one), -1) for one in (self.turn, self.dual))
        return np.ascontiguousarray(turn.T), dual, self.chord, self._to_points

    def answered(
        self,
        steady: FloatArray,
        end: FloatArray,
        before: FloatArray,
        push: FloatArray,
        amount: FloatArray,
        rate: FloatArray,
    ) -> FloatArray:
        """Add the excess of a step to amounts and rates (count, shapes) at its end; return the excess then.

        `before` (count, shapes) it was; `steady` and `end` (count, 2, shapes) are those of `modal_motion.Steps`.
        """
        if len(amount) >= WORTH and compiles():
            return self._answered_compiled(steady, end, before, push, amount, rate)
        amount += steady[:, 0] * before
        rate += steady[:, 1] * before
        firm = 1 + steady[:, 0] * self.stiffening(push)
        change = (self.excess(amount, push) - before) * (firm / (1 + firm * (firm - 1)))
        amount += end[:, 0] * change
        rate += end[:, 1] * change
        return before + change

    def _answered_compiled(
        self,
        steady: FloatArray,
        end: FloatArray,
        before: FloatArray,
        push: FloatArray,
        amount: FloatArray,
        rate: FloatArray,
    ) -> FloatArray:
        """The same, in one compiled call on each core."""
        from windflower.motion.modal.compiled_steps import answered

        found = np.empty_like(amount)
        arrays = steady, end, before, push, amount, rate, found

        def answer(part: slice) -> None:
            answered(*self._matrices, self.firm, *(array[part] for array in arrays))

        shared_out(answer, len(amount), least=TOGETHER)
        return found

    def stiffening(self, push: FloatArray) -> FloatArray:
        """(count, shapes) by how much such winds stiffen each shape, at most."""
        return np.asarray(np.linalg.norm(push, axis=-1).max(axis=1)[:, None] * self.firm)

    def settled(self, push: FloatArray, stiffness: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(count, shapes) amounts at rest under dynamic winds (count, cells, 3), for stiffness factors; and excess.

        Where the wind stiffens the plant less than its wood is stiff, the plain iteration gets there: amounts under
        the forces on the pose before. Elsewhere each step assumes the largest stiffening, so that energy only falls.
        """
        amount, excess = (np.zeros((len(push), len(self.turn))) for _ in range(2))
        for first in range(0, len(push), TOGETHER):
            part = slice(first, first + TOGETHER)
            amount[part] = self._settled(push[part], stiffness[part])
            excess[part] = self.excess(amount[part], push[part])
        return amount, excess

    def _settled(self, push: FloatArray, stiffness: FloatArray) -> FloatArray:
        linear = self.linear(push)
        amount, change = self._amount(linear, stiffness), np.full(len(push), np.inf)
        for _ in range(SIMPLE):
            after = self._amount(linear + self.excess(amount, push), stiffness)
            change, amount = self._apart(after, amount), after
            if (change < TOLERANCE).all():
                return amount
        far = np.flatnonzero(change >= TOLERANCE)
        amount[far] = self._carefully(push[far], stiffness[far])
        return amount

    def linear(self, push: FloatArray) -> FloatArray:
        """(count, shapes) modal forces on the shape at rest (eq. 16), and what static vectors follow."""
        wind = push.reshape(len(push), -1)
        projection = np.moveaxis(self._modes.projection, 1, 2).reshape(-1, len(self._modes))
        return np.concatenate([wind @ projection, wind], axis=1)

    def _amount(self, force: FloatArray, stiffness: FloatArray) -> FloatArray:
        modes = self._modes
        amount = force / stiffness[:, None]
        amount[:, : len(modes)] /= modes.omega**2
        return amount

    def _carefully(self, push: FloatArray, stiffness: FloatArray) -> FloatArray:
        """Amounts at rest, from no lean on, in coordinates in which the elastic energy is ½ k Σ y²."""
        count, (force, still) = len(self._modes), self._forces(push)
        linear = self.linear(push)
        pull = np.concatenate(
            [linear[:, :count] / self._modes.omega, push.reshape(len(push), -1) @ self._steady], axis=1
        )
        free = _by_component(self._free)
        pairs = np.einsum("ynk,znk->nyz", self._free, self._free).reshape(self.points, -1)
        size = np.sqrt((force**2).sum(axis=0) * (self._chord**2).sum(axis=0))  # (points, count)
        own = stiffness[:, None, None] * np.eye(len(free))
        firm = own + (size.T @ pairs).reshape(len(push), len(free), len(free))
        inverse = np.linalg.inv(firm)
        y = np.zeros((len(push), len(free)))
        for _ in range(CAREFUL):
            r = (free.T @ y.T).reshape(3, self.points, -1)
            rest = pull + (free @ self._gained(r, force, still).reshape(3 * self.points, -1)).T - stiffness[:, None] * y
            step = np.einsum("cyz,cz->cy", inverse, rest)
            y += step
            if np.abs(step @ free).max(initial=0.0) < TOLERANCE:
                break
        fixed = push.reshape(len(push), -1) / stiffness[:, None]
        lean = fixed + (y[:, count:] - fixed @ self._steady) @ self._softness.T
        return np.concatenate([y[:, :count] / self._modes.omega, lean], axis=1)

    def _apart(self, one: FloatArray, other: FloatArray) -> FloatArray:
        """(count,) the largest difference of any turn, rad."""
        return np.asarray(np.abs((one - other) @ self._turn.T).max(axis=1, initial=0.0))

    def _forces(self, push: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(3, points, count) the drag of what each segment carries, N; and the moment it has at rest, N·m."""
        force = self.beyond.T @ np.ascontiguousarray(np.moveaxis(push, (2, 1), (0, 1)))
        return force, cross(self._chord, force)

    def _gained(self, r: FloatArray, force: FloatArray, still: FloatArray) -> FloatArray:
        """(3, points, count) the moments of the turned segments less those at rest, N·m."""
        return moments(self._chord, r, force, still) - still


@lru_cache(maxsize=8)
def posed_forces(modes: Modes) -> PosedForces:
    """The forces on the posed shape of a plant with these modes; found once."""
    return PosedForces(modes)


def _carried(modes: Modes) -> FloatArray:
    """(cells, nodes) drag of all that lies beyond each segment, its own tip included, kg/m."""
    beyond = modes.node_drag.T.copy()
    for level in modes.plant.levels[:0:-1]:
        np.add.at(beyond, modes.plant.parent[level], beyond[level])
    return beyond.T


def _softness(modes: Modes) -> tuple[FloatArray, FloatArray]:
    """(3 cells, kept) static amounts by coordinates in which their energy is ½ Σ y²; and y by winds (3 cells, kept).

    Static vectors that are only rounding, as where modes are complete, are left out: they follow the wind as it is.
    """
    work = modes.static_work
    whole = np.diag(work) + np.einsum("cmk,m->ck", modes.projection**2, modes.omega**-2.0).ravel()
    some = np.flatnonzero(np.diag(work) > NOTHING * whole)
    size = np.sqrt(np.diag(work)[some])
    square, vectors = np.linalg.eigh(work[np.ix_(some, some)] / np.outer(size, size))
    real = square > np.sqrt(NOTHING)
    softness = np.zeros((len(work), int(real.sum())))
    softness[some] = vectors[:, real] / np.sqrt(square[real]) / size[:, None]
    return softness, work @ softness


def _firmness(
    turn: FloatArray, dual: FloatArray, chord: FloatArray, beyond: FloatArray, stiffness: FloatArray
) -> FloatArray:
    """(shapes,) for a unit dynamic wind everywhere, the sum of a row of the matrix of stiffening, coupling included."""
    even = 1 / np.sqrt(stiffness)  # amounts of equal energy
    size = np.linalg.norm(chord, axis=1) * beyond.sum(axis=0)
    reach = np.linalg.norm(turn, axis=-1)
    return np.asarray(np.linalg.norm(dual, axis=-1) @ (size * (even @ reach)) / even)


def _by_component(turn: FloatArray) -> FloatArray:
    """(shapes, 3 points) from (shapes, points, 3): x of all points, then y, then z."""
    return np.ascontiguousarray(np.moveaxis(turn, 2, 1)).reshape(len(turn), -1)
