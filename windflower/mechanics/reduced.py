"""A plant in few coordinates, for stiffness, roots and crown of any size: what a fit asks a thousand times.

Stiffness and mass are linear in what is sought. With e, r and c the factors on Young's modulus, on the ratio of root to
stem stiffness, and on the crown's mass,

    K = e K_wood + e r K_roots + G_stem + c G_crown        M = M_stem + c M_crown

G is the weight's. All of it is written in the modes of the plant as found at one or more points e, r, c (Ritz). The
stiffness of the wood is never multiplied out: of a mode found at a point it is K_wood φ = (ω² M φ - e r K_roots φ -
G φ)/e, which keeps its digits however short a segment is.
"""

from dataclasses import dataclass, replace
from math import pi

import numpy as np
from scipy.linalg import eigh
from scipy.sparse import bsr_array

from windflower.core.arrays import FloatArray
from windflower.mechanics.assembly import System
from windflower.mechanics.eigen import lowest_modes
from windflower.mechanics.modes import Conditions
from windflower.mechanics.wood import Wood
from windflower.plant.graph import Plant

__all__ = ["Factors", "FullPlant", "ReducedPlant"]

KEPT = 2  # places of which the modes are in the basis: the last ones
SAME = 1e-9  # squares of what tells directions of a basis apart, in the mass norm: less is rounding


@dataclass(frozen=True)
class Factors:
    """Factors on Young's modulus, on the ratio of root to stem stiffness, and on the crown's mass."""

    stiffness: float = 1.0
    roots: float = 1.0
    crown: float = 1.0


class FullPlant:
    """All matrices of a plant whose stiffness, roots and crown are sought; 1, 1, 1 is the plant as it is given."""

    def __init__(self, plant: Plant, wood: Wood, conditions: Conditions) -> None:
        self.plant, self.wood, self.conditions = plant, wood, conditions
        one, two = (self.system(Factors(crown=crown)) for crown in (1.0, 2.0))
        self.spread = one.spread
        self._gather = one.gather
        turning = np.zeros((1, plant.nodes, 6))
        turning[0, plant.roots, 3:] = np.diagonal(one.springs[plant.roots, 3:, 3:], axis1=1, axis2=2)
        self.roots: FloatArray = one.gather(turning)[:, 0]
        self.mass = _parts(one.mass, two.mass)
        self.weight = _parts(one.weight_stiffness, two.weight_stiffness)

    def changed(self, factors: Factors) -> tuple[Wood, Conditions]:
        """The wood and the conditions with these factors on them."""
        E = factors.stiffness * self.wood.E
        G = self.wood.G and factors.stiffness * self.wood.G
        roots = self.conditions.roots
        if isinstance(roots, float):
            roots = roots * factors.stiffness * factors.roots
        wood = replace(self.wood, E=E, G=G, crown=factors.crown * self.wood.crown)
        return wood, replace(self.conditions, roots=roots)

    def system(self, factors: Factors) -> System:
        """Assemble stiffness and mass with these factors."""
        wood, conditions = self.changed(factors)
        return conditions.system(self.plant, wood)

    def pushed(self, load: FloatArray) -> FloatArray:
        """(freedoms, columns) of loads (columns, nodes, 6), in the order of elimination."""
        return self._gather(load) if len(load) else np.zeros((len(self.roots), 0))


def _parts(one: bsr_array, two: bsr_array) -> tuple[bsr_array, bsr_array]:
    """The stem's and the crown's part of a matrix, from those with one and with two crowns."""
    crown = two - one
    return one - crown, crown


class ReducedPlant:
    """The same plant in the coordinates of modes and leans that were found at some factors."""

    def __init__(self, full: FullPlant, loads: FloatArray) -> None:
        """`loads` (columns, nodes, 6): under which it also has to lean rightly."""
        self.full = full
        self.load = full.pushed(loads)
        self._learned: list[tuple[FloatArray, FloatArray]] = []

    def learn(self, factors: Factors, count: int) -> tuple[FloatArray, FloatArray]:
        """Put the modes and leans at these factors into the basis; returns ω² and shapes of the modes.

        A plant that buckles there raises `BucklingError`, and is not learned.
        """
        full, system = self.full, self.full.system(factors)
        squares, shape = lowest_modes(system.mass, system.factor, count)
        lean = system.factor.solve(self.load) if self.load.shape[1] else self.load
        mass = (full.mass[0] + factors.crown * full.mass[1]) @ shape
        new = np.concatenate([shape, lean], axis=1)
        rest = np.concatenate([mass * squares, self.load], axis=1)
        rest = rest - factors.stiffness * factors.roots * full.roots[:, None] * new
        rest -= (full.weight[0] + factors.crown * full.weight[1]) @ new
        size = np.sqrt(np.maximum(np.einsum("ij,ij->j", new, full.mass[0] @ new + full.mass[1] @ new), 1e-300))
        self._learned = [*self._learned[1 - KEPT :], (new / size, rest / factors.stiffness / size)]
        self._basis, self._stiff = (np.concatenate(part, axis=1) for part in zip(*self._learned, strict=True))
        self._reduce()
        return squares, shape

    def _reduce(self) -> None:
        """Make the basis orthonormal in the mass norm, and project all matrices on it."""
        full = self.full
        gram = self._basis.T @ (full.mass[0] @ self._basis + full.mass[1] @ self._basis)
        values, vectors = eigh((gram + gram.T) / 2)
        kept = values > SAME * values[-1]
        turn = vectors[:, kept] / np.sqrt(values[kept])
        self._basis, self._stiff = self._basis @ turn, self._stiff @ turn
        basis = self._basis
        self._wood = _symmetric(basis.T @ self._stiff)
        self._roots = _symmetric(basis.T @ (full.roots[:, None] * basis))
        self._mass, self._weight = (
            [_symmetric(basis.T @ (part @ basis)) for part in pair] for pair in (full.mass, full.weight)
        )
        self._load = basis.T @ self.load

    def matrices(self, factors: Factors) -> tuple[FloatArray, FloatArray]:
        """K and M in the coordinates of the basis."""
        stiff = factors.stiffness * (self._wood + factors.roots * self._roots)
        stiff = stiff + self._weight[0] + factors.crown * self._weight[1]
        return stiff, self._mass[0] + factors.crown * self._mass[1]

    def modes(self, factors: Factors) -> tuple[FloatArray, FloatArray]:
        """Frequencies in Hz, negative for what buckles, and shapes in the coordinates of the basis, as columns."""
        squares, shape = eigh(*self.matrices(factors))
        return np.sign(squares) * np.sqrt(np.abs(squares)) / (2 * pi), shape

    def seen(self, shape: FloatArray) -> FloatArray:
        """(basis, columns) shapes (freedoms, columns) in the coordinates of the basis."""
        return np.asarray(self._basis.T @ (self.full.mass[0] @ shape + self.full.mass[1] @ shape))

    def leans(self, factors: Factors, watched: FloatArray) -> FloatArray:
        """(columns,) what each load gives of the displacement watched: watchedᵀ u with watched (freedoms, columns)."""
        lean = np.linalg.solve(self.matrices(factors)[0], self._load)
        return np.einsum("ij,ij->j", self._basis.T @ watched, lean)


def _symmetric(matrix: FloatArray) -> FloatArray:
    return np.asarray((matrix + matrix.T) / 2)
