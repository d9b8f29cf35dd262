"""Modes and leans of small plants in eighty decimal digits: stiffness in displacements, as in textbooks."""

from decimal import Decimal, getcontext
from typing import Any

import numpy as np

from windflower import Plant
from windflower.core.arrays import FloatArray
from windflower.mechanics import Wood
from windflower.mechanics.assembly import GRAVITY

__all__ = ["ExactBeams"]

getcontext().prec = 80
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798")
NEAR, FAR = (((5 + sign * 2 * (Decimal(10) / 7).sqrt()).sqrt() / 3) for sign in (-1, 1))
HEAVY, LIGHT = ((322 + sign * 13 * Decimal(70).sqrt()) / 1800 for sign in (1, -1))
PLACES = [(1 + x) / 2 for x in (-FAR, -NEAR, Decimal(0), NEAR, FAR)]
WEIGHTS = [LIGHT, HEAVY, Decimal(64) / 225, HEAVY, LIGHT]


class ExactBeams:
    """K and M of the wood of a plant that is clamped at its one root, over (nodes - 1) × 6 freedoms."""

    def __init__(self, plant: Plant, wood: Wood, *, gravity: bool) -> None:
        size = 6 * plant.nodes
        self.K, self.M = _zeros(size, size), _zeros(size, size)
        beyond = [Decimal(0)] * plant.nodes
        segments = [_Segment(plant, wood, node) for node in range(1, plant.nodes)]
        for one in segments[::-1]:
            beyond[one.parent] += beyond[one.node] + one.mass(Decimal(0))
        for one in segments:
            rows = [*range(6 * one.parent, 6 * one.parent + 6), *range(6 * one.node, 6 * one.node + 6)]
            self.K[np.ix_(rows, rows)] += one.stiffness(beyond[one.node] if gravity else None)
            self.M[np.ix_(rows, rows)] += one.inertia()
        self.K, self.M = self.K[6:, 6:], self.M[6:, 6:]
        self._lower, self._pivots = _factors(self.K)

    def lean(self, loads: FloatArray) -> FloatArray:
        """(nodes, 6) displacement under forces and moments (nodes, 6) on the nodes."""
        found = self._solve(_exact(loads[1:].reshape(-1, 1)))
        return np.concatenate([np.zeros((1, 6)), found.astype(float).reshape(-1, 6)])

    def swung(self, shape: FloatArray) -> FloatArray:
        """(nodes, 6) K⁻¹ M φ of a shape (nodes, 6): for a mode, φ / ω²."""
        return self.lean(np.concatenate([np.zeros((1, 6)), (self.M @ _exact(shape[1:].ravel())).reshape(-1, 6)]))

    def frequencies(self, count: int) -> FloatArray:
        """The lowest frequencies, Hz, by inverse iteration with more vectors than are wanted."""
        vectors = _exact(np.random.default_rng(0).normal(size=(len(self.K), 2 * count + 4)))
        for _ in range(7):
            vectors = self._solve(self.M @ vectors)
            vectors = vectors / np.abs(vectors).max(axis=0)
            vectors = _orthogonal(vectors)
        stiff, heavy = (vectors.T @ each @ vectors for each in (self.K, self.M))
        lower, pivots = _factors(stiff)
        small = _forward(lower, _forward(lower, heavy).T)
        scale = np.array([1 / pivot.sqrt() for pivot in pivots])
        theta = np.linalg.eigvalsh((scale[:, None] * small * scale).astype(float))[::-1]
        return np.asarray(1 / np.sqrt(theta[:count]) / (2 * np.pi))

    def _solve(self, load: Any) -> Any:
        found = _forward(self._lower, load) / self._pivots[:, None]
        return _forward(self._lower.T[::-1, ::-1], found[::-1])[::-1]


class _Segment:
    def __init__(self, plant: Plant, wood: Wood, node: int) -> None:
        self.node, self.parent = node, int(plant.parent[node])
        vector = _exact(plant.position[node]) - _exact(plant.position[self.parent])
        self.length = sum(x * x for x in vector).sqrt()
        self.direction = vector / self.length
        self.a, self.b = Decimal(float(plant.base_radius[node])), Decimal(float(plant.radius[node]))
        self.E, self.G = Decimal(float(wood.E)), Decimal(float(wood.shear_modulus))
        self.density = Decimal(float(wood.density))

    def radius(self, x: Decimal) -> Decimal:
        return self.a * (1 - x) + self.b * x

    def mass(self, x: Decimal) -> Decimal:
        """Mass between a place and the tip."""
        at, b = self.radius(x), self.b
        return self.density * PI / 3 * self.length * (1 - x) * (at * at + at * b + b * b)

    def stiffness(self, beyond: Decimal | None) -> Any:
        a, b, L = self.a, self.b, self.length
        squares, tip = a * a + a * b + b * b, self._tip()
        relative = np.array(
            [[Decimal(-1), -L, Decimal(1), Decimal(0)], [Decimal(0), Decimal(-1), Decimal(0), Decimal(1)]]
        )
        bending = relative.T @ (self.E * PI / 4 * tip) @ relative
        if beyond is not None:
            up = -Decimal(GRAVITY) * self.direction[1]
            for x, weight in zip(PLACES, WEIGHTS, strict=True):
                shift, turn = self._bent(x, tip)[1]
                slope = np.array([-shift, 1 - L * shift - turn, shift, turn])
                bending = bending + weight * L * up * (beyond + self.mass(x)) * np.outer(slope, slope)
        ends = _exact([[1, -1], [-1, 1]])
        axial = self.E * PI * a * b / L * ends
        torsion = self.G * PI / 2 * 3 * (a * b) ** 3 / squares / L * ends
        return self._in_space(bending, axial, torsion)

    def _tip(self) -> Any:
        """Stiffness of the tip's deflection and slope, base clamped, over π E / 4."""
        a, b, L = self.a, self.b, self.length
        both = -2 * a * b * b * (2 * b + a) / L**2
        return np.array([[4 * a * b * (a * a + a * b + b * b) / L**3, both], [both, 4 * a * b**3 / L]])

    def _bent(self, place: Decimal, tip: Any) -> Any:
        """(2, 2) deflection and slope at a place by the tip's deflection and slope."""
        a, r, x = self.a, self.radius(place), place * self.length
        rest = self.length - x
        moment = np.array([x * x * (2 * r + a) / (6 * a**3 * r * r), x * (a * a + a * r + r * r) / (3 * a**3 * r**3)])
        force = np.array([x**3 / (3 * a**3 * r), moment[0]]) + rest * moment
        return np.stack([force, moment], axis=1) @ tip

    def inertia(self) -> Any:
        L, tip = self.length, self._tip()
        bending, axial, torsion = _zeros(4, 4), _zeros(2, 2), _zeros(2, 2)
        for x, weight in zip(PLACES, WEIGHTS, strict=True):
            r = self.radius(x)
            along = np.array([1 - x, x])
            shift, turn = self._bent(x, tip)[0]
            across = np.array([1 - shift, L * x - L * shift - turn, shift, turn])
            area, polar = (self.density * weight * L * PI * each for each in (r * r, r**4 / 2))
            bending += area * np.outer(across, across)
            axial += area * np.outer(along, along)
            torsion += polar * np.outer(along, along)
        return self._in_space(bending, axial, torsion)

    def _in_space(self, bending: Any, axial: Any, torsion: Any) -> Any:
        x, y, z = self.direction
        zero = Decimal(0)
        along = np.outer(self.direction, self.direction)
        across = _exact(np.eye(3)) - along
        turn = np.array([[zero, z, -y], [-z, zero, x], [y, -x, zero]])  # θ × d
        whole = _zeros(12, 12)
        for i in range(4):
            for j in range(4):
                kind = (across, turn, turn.T, across)[2 * (i % 2) + j % 2]
                whole[3 * i : 3 * i + 3, 3 * j : 3 * j + 3] = bending[i, j] * kind
        for first, ends in ((0, axial), (3, torsion)):
            for i in range(2):
                for j in range(2):
                    rows, columns = slice(6 * i + first, 6 * i + first + 3), slice(6 * j + first, 6 * j + first + 3)
                    whole[rows, columns] += ends[i, j] * along
        return whole


def _exact(values: Any) -> Any:
    return np.frompyfunc(Decimal, 1, 1)(np.asarray(values, object))


def _zeros(rows: int, columns: int) -> Any:
    return _exact(np.zeros((rows, columns)))


def _factors(matrix: Any) -> tuple[Any, Any]:
    """L and D of L D Lᵀ."""
    rest, size = matrix.copy(), len(matrix)
    lower, pivots = _exact(np.eye(size)), []
    for i in range(size):
        pivots.append(rest[i, i])
        lower[i + 1 :, i] = rest[i + 1 :, i] / rest[i, i]
        used = np.flatnonzero(lower[i + 1 :, i]) + i + 1
        rest[np.ix_(used, used)] -= np.outer(lower[used, i], rest[i, used])
    return lower, np.array(pivots)


def _forward(lower: Any, load: Any) -> Any:
    found = load.copy()
    for i in range(len(lower)):
        used = np.flatnonzero(lower[i + 1 :, i]) + i + 1
        found[used] -= np.outer(lower[used, i], found[i])
    return found


def _orthogonal(vectors: Any) -> Any:
    """Columns made orthogonal (Gram and Schmidt), so that they do not all turn into the first mode."""
    kept: list[Any] = []
    for vector in vectors.T:
        rest = vector
        for one in kept:
            rest = rest - (one @ rest) * one
        kept.append(rest / (rest @ rest).sqrt())
    return np.stack(kept, axis=1)
