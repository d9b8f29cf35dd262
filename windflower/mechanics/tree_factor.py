"""L D Lᵀ of a tree's stiffness from its links, tips first, that keeps its digits however short a segment is.

Node by node, A is the stiffness that all beyond a node has there. A link of flexibility F = R Rᵀ hands it on to the
base as A in series with F, like a bar on a bar: with T the link's rigid carry and W = 1 + Rᵀ A R,

    D⁻¹ = R W⁻¹ Rᵀ,    u = C u_base + D⁻¹ (load),    C = T - D⁻¹ A T,    A_base += Tᵀ A T - (A T)ᵀ D⁻¹ A T

Where F vanishes, W is 1 and A is handed on as it is. These are the factors that elimination in displacements would
have in exact arithmetic, and like those they have no entry that the matrix has not. Featherstone's articulated bodies
(1983) are the same recursion for joints.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import bsr_array, csc_array

from windflower.core.arrays import FloatArray, IntArray
from windflower.errors import MechanicsError
from windflower.mechanics.links import Links
from windflower.mechanics.substitution import UnitLower
from windflower.plant.graph import Plant

__all__ = ["TreeFactor"]

BoolArray = NDArray[np.bool_]


class TreeFactor:
    """The factors of K of a tree that is held at its roots, six freedoms a node, in the order of elimination.

    negatives   (nodes,)   negative eigenvalues of each node's D in the order of the nodes: all together as many as K
                           has (Sylvester)
    """

    def __init__(self, plant: Plant, links: Links, at_node: FloatArray, held: BoolArray) -> None:
        """`at_node` (nodes, 6, 6) is what else is stiff at the nodes; `held` (nodes, 6) the freedoms that are held."""
        self._plant, self._links, self._at_node, self._held = plant, links, at_node, held
        done = _eliminated(plant, links, at_node, held, np.zeros_like(links.carry))
        self.negatives = done.negatives
        self._half = done.half
        self._lower = UnitLower(_lower(plant, done.carry))

    @property
    def negative(self) -> int:
        """Number of negative eigenvalues of K."""
        return int(self.negatives.sum())

    def solve(self, load: FloatArray) -> FloatArray:
        """Solve for one load (freedoms,) or several (freedoms, columns)."""
        half = self._half[::-1]
        middle = self._lower.forward(load).reshape(len(half), 6, -1)
        return self._lower.backward((half @ (np.swapaxes(half, 1, 2) @ middle)).reshape(load.shape))

    def root(self) -> FloatArray:
        """R (freedoms, freedoms) with R Rᵀ = K⁻¹."""
        nodes = np.arange(len(self._half))
        half = np.zeros((len(nodes), 6, len(nodes), 6))
        half[nodes, :, nodes] = self._half[::-1]
        return self._lower.backward(half.reshape(6 * len(nodes), -1))

    def below(self, mass: bsr_array, square: float) -> int:
        """Number of modes with ω² below this."""
        own, coupled = _of_tree(self._plant, mass)
        shifted = self._at_node - square * own
        return int(_eliminated(self._plant, self._links, shifted, self._held, -square * coupled).negatives.sum())


@dataclass(frozen=True, eq=False)
class _Eliminated:
    """Half with D⁻¹ = half halfᵀ (nodes, 6, 6), C (nodes, 6, 6) and negative eigenvalues of D (nodes,)."""

    half: FloatArray
    carry: FloatArray
    negatives: IntArray


def _eliminated(plant: Plant, links: Links, at_node: FloatArray, held: BoolArray, coupled: FloatArray) -> _Eliminated:
    """Hand stiffness on from the tips to the roots; `coupled` (segments, 6, 6) joins each node to its base besides."""
    stiff = at_node.copy()
    half, carry = np.zeros_like(stiff), np.zeros_like(stiff)
    negatives = np.zeros(plant.nodes, np.int64)
    link = np.cumsum(plant.parent >= 0) - 1
    for level in reversed(plant.levels[1:]):
        nodes = level[np.argsort(plant.parent[level], kind="stable")]
        parent, e = plant.parent[nodes], link[nodes]
        A, R, T, O = stiff[nodes], links.root[e], links.carry[e], coupled[e]
        half[nodes], sign = _half(R, np.eye(6) + np.swapaxes(R, 1, 2) @ (A + links.weight_tip[e]) @ R)
        negatives[nodes] = (sign < 0).sum(axis=1)
        AT, Tt = A @ T, np.swapaxes(T, 1, 2)
        Y = np.swapaxes(half[nodes], 1, 2) @ (links.weight_cross[e] + AT + O)
        signed = sign[:, :, None] * Y
        carry[nodes] = T - half[nodes] @ signed
        joined = Tt @ O
        handed = links.weight_base[e] + Tt @ AT + joined + np.swapaxes(joined, 1, 2) - np.swapaxes(Y, 1, 2) @ signed
        first = np.flatnonzero(np.diff(parent, prepend=-1))
        stiff[parent[first]] += np.add.reduceat(handed, first)
    half[plant.roots], sign = _at_roots(stiff[plant.roots], held[plant.roots])
    negatives[plant.roots] = (sign < 0).sum(axis=1)
    return _Eliminated(half, carry, negatives)


def _at_roots(stiff: FloatArray, held: BoolArray) -> tuple[FloatArray, FloatArray]:
    """What `_half` gives for the roots (roots, 6, 6): of the freedoms that nothing holds, nothing of the others."""
    diagonal = np.abs(np.diagonal(stiff, axis1=1, axis2=2))
    scale = np.where(held, 0.0, 1 / np.sqrt(np.where(held, 1.0, diagonal)))
    return _half(np.eye(6) * scale[:, None, :], scale[:, :, None] * stiff * scale[:, None, :] + np.eye(6) * held[:, None])


def _half(root: FloatArray, middle: FloatArray) -> tuple[FloatArray, FloatArray]:
    """H (…, 6, 6) and signs (…, 6) with H sign Hᵀ = R W⁻¹ Rᵀ; the signs are those of W's eigenvalues."""
    try:
        lower = np.linalg.cholesky(middle)
        return np.swapaxes(np.linalg.solve(lower, np.swapaxes(root, 1, 2)), 1, 2), np.ones(root.shape[:2])
    except np.linalg.LinAlgError:
        values, vectors = np.linalg.eigh(middle)
        return (root @ vectors) / np.sqrt(np.abs(values))[:, None], np.sign(values)


def _lower(plant: Plant, carry: FloatArray) -> csc_array:
    """L from the C (nodes, 6, 6), in the order of elimination."""
    order = plant.segments[::-1]
    starts = np.concatenate([[0], np.cumsum(plant.parent[::-1] >= 0)])
    size = 6 * plant.nodes
    upper = bsr_array((-carry[order], plant.nodes - 1 - plant.parent[order], starts), shape=(size, size)).tocsr()
    return csc_array((upper.data, upper.indices, upper.indptr), shape=(size, size))


def _of_tree(plant: Plant, matrix: bsr_array) -> tuple[FloatArray, FloatArray]:
    """The blocks of a matrix in the order of elimination: of each node (nodes, …), of each segment's tip with its base."""
    row = np.repeat(np.arange(plant.nodes), np.diff(matrix.indptr))
    return matrix.data[row == matrix.indices][::-1], matrix.data[row < matrix.indices][::-1]
