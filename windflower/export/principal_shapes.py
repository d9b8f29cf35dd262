"""A moving mesh as a sum of few shapes with weights from 0 to 1, as morph targets and shape keys want them."""

from dataclasses import dataclass

import numpy as np

from windflower.core.arrays import FloatArray

__all__ = ["PrincipalShapes", "principal_shapes"]


@dataclass(frozen=True, eq=False)
class PrincipalShapes:
    """A mesh that is its base plus weighted shapes.

    base    (vertices, 3)          where all weights are 0, m
    shape   (shapes, vertices, 3)  what a weight of 1 adds, m
    weight  (frames, shapes)       0 to 1
    """

    base: FloatArray
    shape: FloatArray
    weight: FloatArray

    def posed(self, frame: int) -> FloatArray:
        """(vertices, 3) the mesh in a frame, m."""
        return np.asarray(self.base + np.tensordot(self.weight[frame], self.shape, 1))


def principal_shapes(posed: FloatArray, count: int) -> PrincipalShapes:
    """The shapes by which a mesh (frames, vertices, 3) is told with least error, at most so many."""
    mean = posed.mean(axis=0)
    moved = (posed - mean).reshape(len(posed), -1)
    square, frames = np.linalg.eigh(moved @ moved.T)
    kept = np.argsort(-square, kind="stable")[: min(count, len(posed) - 1)]
    kept = kept[square[kept] > 1e-12 * max(square.max(), 1e-30)] if len(kept) else kept
    amount = frames[:, kept] * np.sqrt(np.maximum(square[kept], 0))
    shape = (amount.T @ moved) / np.maximum(square[kept], 1e-30)[:, None]
    low, range_ = amount.min(axis=0), np.ptp(amount, axis=0)
    base = mean + (low @ shape).reshape(mean.shape)
    return PrincipalShapes(base, (range_[:, None] * shape).reshape(-1, *mean.shape), (amount - low) / range_)
