"""L D Lᵀ of a tree's stiffness from its links, tips first, that keeps its digits however short a segment is.

Node by node, A is the stiffness that all beyond a node has there. A link of flexibility F = R Rᵀ hands it on to the
base as A in series with F, like a bar on a bar: with T the link's rigid carry and W = 1 + Rᵀ A R,

    D⁻¹ = R W⁻¹ Rᵀ,    u = C u_base + D⁻¹ (load),    C = T - D⁻¹ A T,    A_base += Tᵀ A T - (A T)ᵀ D⁻¹ A T

Where F vanishes, W is 1 and A is handed on as it is. These are the factors that elimination in displacements would
have in exact arithmetic, and like those they have no entry that the matrix has not. Featherstone's articulated bodies
(1983) are the same recursion for joints.
"""

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
        done = _Elimination(plant, links, at_node, held)
        finite = np.isfinite(done.half).all(axis=(1, 2)) & np.isfinite(done.carry).all(axis=(1, 2))
        if not finite.all():
            raise MechanicsError(
                "a plant must resist every motion, within the range of numbers; this one does not at segment "
                f"{np.flatnonzero(~finite)[-1]} or beyond. Check its lengths, radii and masses."
            )
        self.negatives = done.negatives
        self._half = done.half
        self._lower = UnitLower(_lower(plant, done.carry))

    def solve(self, load: FloatArray) -> FloatArray:
        """Solve for one load (freedoms,) or several (freedoms, columns)."""
        half = self._half[::-1]
        middle = self._lower.forward(load).reshape(len(half), 6, -1)
        return self._lower.backward((half @ (_transposed(half) @ middle)).reshape(load.shape))

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
        done = _Elimination(self._plant, self._links, shifted, self._held, -square * coupled)
        return int(done.negatives.sum())


class _Elimination:
    """One pass from the tips to the roots.

    stiff      (nodes, 6, 6)   A
    half       (nodes, 6, 6)   with D⁻¹ = half · sign · halfᵀ
    carry      (nodes, 6, 6)   C
    negatives  (nodes,)        negative eigenvalues of D
    """

    @np.errstate(all="ignore")  # what is not finite is refused
    def __init__(
        self, plant: Plant, links: Links, at_node: FloatArray, held: BoolArray, coupled: FloatArray | None = None
    ) -> None:
        self._links, self._coupled = links, np.zeros_like(links.carry) if coupled is None else coupled
        self.stiff = at_node.copy()
        self.half, self.carry = np.zeros_like(at_node), np.zeros_like(at_node)
        self.negatives = np.zeros(plant.nodes, np.int64)
        link = np.cumsum(plant.parent >= 0) - 1
        for level in reversed(plant.levels[1:]):
            nodes = level[np.argsort(plant.parent[level], kind="stable")]
            parent = plant.parent[nodes]
            first = np.flatnonzero(np.diff(parent, prepend=-1))
            self.stiff[parent[first]] += np.add.reduceat(self._handed_on(nodes, link[nodes]), first)
        self.half[plant.roots], sign = _at_roots(self.stiff[plant.roots], held[plant.roots])
        self.negatives[plant.roots] = (sign < 0).sum(axis=1)

    def _handed_on(self, nodes: IntArray, link: IntArray) -> FloatArray:
        """(nodes, 6, 6) the stiffness that some nodes give their bases, through their links."""
        links, A, T, R = self._links, self.stiff[nodes], self._links.carry[link], self._links.root[link]
        half, sign = _half(R, np.eye(6) + _transposed(R) @ (A + links.weight_tip[link]) @ R)
        AT, beside = A @ T, _transposed(T) @ self._coupled[link]
        bent = _transposed(half) @ (links.weight_cross[link] + AT + self._coupled[link])
        signed = sign[:, :, None] * bent
        self.half[nodes], self.negatives[nodes] = half, (sign < 0).sum(axis=1)
        self.carry[nodes] = T - half @ signed
        rigid = links.weight_base[link] + _transposed(T) @ AT + beside + _transposed(beside)
        return np.asarray(rigid - _transposed(bent) @ signed)


def _at_roots(stiff: FloatArray, held: BoolArray) -> tuple[FloatArray, FloatArray]:
    """What `_half` gives for the roots (roots, 6, 6): of the freedoms that nothing holds, nothing of the others."""
    diagonal = np.abs(np.diagonal(stiff, axis1=1, axis2=2))
    scale = np.where(held, 0.0, 1 / np.sqrt(np.where(held, 1.0, diagonal)))
    unit = scale[:, :, None] * stiff * scale[:, None, :] + np.eye(6) * held[:, None]
    return _half(np.eye(6) * scale[:, None, :], unit)


def _half(root: FloatArray, middle: FloatArray) -> tuple[FloatArray, FloatArray]:
    """H (…, 6, 6) and signs (…, 6) with H sign Hᵀ = R W⁻¹ Rᵀ; the signs are those of W's eigenvalues."""
    try:
        lower = np.linalg.cholesky(middle)
        return _transposed(np.linalg.solve(lower, _transposed(root))), np.ones(root.shape[:2])
    except np.linalg.LinAlgError:
        values, vectors = np.linalg.eigh(np.where(np.isfinite(middle).all(axis=(1, 2), keepdims=True), middle, 0.0))
        return (root @ vectors) / np.sqrt(np.abs(values))[:, None], np.sign(values)


def _lower(plant: Plant, carry: FloatArray) -> csc_array:
    """L from the C (nodes, 6, 6), in the order of elimination."""
    order = plant.segments[::-1]
    starts = np.concatenate([[0], np.cumsum(plant.parent[::-1] >= 0)])
    size = 6 * plant.nodes
    upper = bsr_array((-carry[order], plant.nodes - 1 - plant.parent[order], starts), shape=(size, size)).tocsr()
    return csc_array((upper.data, upper.indices, upper.indptr), shape=(size, size))


def _of_tree(plant: Plant, matrix: bsr_array) -> tuple[FloatArray, FloatArray]:
    """The blocks of a matrix in the order of elimination: of each node, and of each segment's tip with its base."""
    row = np.repeat(np.arange(plant.nodes), np.diff(matrix.indptr))
    return matrix.data[row == matrix.indices][::-1], matrix.data[row < matrix.indices][::-1]


def _transposed(matrices: FloatArray) -> FloatArray:
    return np.swapaxes(matrices, 1, 2)
