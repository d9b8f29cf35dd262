"""A sparse symmetric matrix, factorised from the tips to the root: sheets too, and bodies on joints."""

from functools import cached_property

import numpy as np
from scipy.linalg import solve_triangular
from scipy.sparse import bsr_array, csc_array
from scipy.sparse.linalg import splu

from windflower.core.arrays import FloatArray, IntArray
from windflower.errors import MechanicsError
from windflower.mechanics.substitution import UnitLower

__all__ = ["Factor", "as_csc"]


def as_csc(matrix: bsr_array) -> csc_array:
    """Turn a symmetric matrix of blocks into the columns that SuperLU takes: its rows are its columns."""
    rows = matrix.tocsr()
    return csc_array((rows.data, rows.indices, rows.indptr), shape=rows.shape)


class Factor:
    """L D Lᵀ of a symmetric matrix whose rows stand in the order of elimination, tips first.

    When a node's turn comes it touches only its parent, so L has no entry that the matrix has not, and there
    is no pivoting.

    pivots   (freedoms,) D: as many are negative as the matrix has negative eigenvalues (Sylvester)
    """

    def __init__(self, matrix: csc_array) -> None:
        symmetric = {"SymmetricMode": True}
        self._matrix = matrix
        try:
            self._lu = splu(
                matrix, permc_spec="NATURAL", diag_pivot_thresh=0.0, relax=6, panel_size=6, options=symmetric
            )
        except RuntimeError:
            raise MechanicsError(
                "a structure must resist every motion; this one is free to move somewhere (its stiffness is singular). "
                "Hold more of it, or give it stiffer parts."
            ) from None
        self.pivots: FloatArray = self._lu.U.diagonal()

    def solve(self, load: FloatArray) -> FloatArray:
        """Solve for one load (freedoms,) or several (freedoms, columns)."""
        if load.ndim == 1 and self._lower.quick:
            return self._lower.backward(self._lower.forward(load) / self.pivots)
        return np.asarray(self._lu.solve(load))

    @property
    def negatives(self) -> IntArray:
        """(nodes,) negative pivots of each node, in the order of the nodes."""
        return np.count_nonzero(self.pivots.reshape(-1, 6) < 0, axis=1)[::-1]

    def root(self) -> FloatArray:
        """R (freedoms, freedoms) with R Rᵀ = K⁻¹."""
        lower = np.linalg.cholesky(self._matrix.toarray())
        return np.asarray(solve_triangular(lower, np.eye(len(lower)), lower=True)).T

    def below(self, mass: bsr_array, square: float) -> int:
        """Number of modes with ω² below this."""
        shifted = Factor(csc_array(self._matrix - square * as_csc(mass)))
        return int(np.count_nonzero(shifted.pivots < 0))

    @cached_property
    def _lower(self) -> UnitLower:
        return UnitLower(csc_array(self._lu.L))
