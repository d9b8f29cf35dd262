"""The lowest natural frequencies of a plant and their shapes: K φ = ω² M φ (Diener et al. 2009, eq. 5)."""

from functools import cached_property

import numpy as np
from scipy.linalg import eigh
from scipy.sparse.linalg import LinearOperator, eigsh, splu

from windflower.errors import MechanicsError
from windflower.mechanics.assembly import System
from windflower.plant.graph import FloatArray

__all__ = ["Factor", "lowest_modes"]


class Factor:
    """K factorised once, tips to root, so that each solve takes linear time."""

    def __init__(self, system: System) -> None:
        self.system = system

    @cached_property
    def _lu(self):  # type: ignore[no-untyped-def]
        lu = splu(
            self.system.K,
            permc_spec="NATURAL",
            diag_pivot_thresh=0.0,
            options={"SymmetricMode": True},
        )
        if (lu.U.diagonal() <= 0).any():
            raise MechanicsError(
                "a plant must stand under its own weight; this one buckles. "
                "Give it thicker or stiffer wood, fewer leaves, or set gravity=False."
            )
        return lu

    def solve(self, load: FloatArray) -> FloatArray:
        """K⁻¹ load, for loads (free, columns)."""
        return np.asarray(self._lu.solve(load))


def lowest_modes(system: System, factor: Factor, count: int) -> tuple[FloatArray, FloatArray]:
    """ω² (count,) ascending and φ (free, count) with φᵀMφ = 1."""
    K, M = system.K, system.M
    if 3 * count >= K.shape[0] or K.shape[0] < 120:
        squares, shapes = eigh(K.toarray(), M.toarray(), subset_by_index=[0, count - 1])
        return squares, shapes
    inverse = LinearOperator(K.shape, matvec=factor.solve, dtype=np.float64)
    start = np.random.default_rng(0).standard_normal(K.shape[0])
    squares, shapes = eigsh(K, count, M, sigma=0.0, OPinv=inverse, v0=start, tol=1e-12)
    ascending = np.argsort(squares)
    return squares[ascending], shapes[:, ascending]
