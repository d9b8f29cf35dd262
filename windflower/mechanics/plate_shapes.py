"""Shapes on the square from (-1, -1) to (1, 1), by its corners and the middles of its sides.

Corners go round: 0 (-1, -1), 1 (1, -1), 2 (1, 1), 3 (-1, 1); side i goes from corner i to the next. Places are
(points, 2) in the square's coordinates ξ, η.
"""

import numpy as np

from windflower.core.arrays import FloatArray

__all__ = [
    "CORNER",
    "Grid",
    "bilinear",
    "bilinear_slope",
    "deflection",
    "deflection_slope",
    "gauss",
    "serendipity_slope",
]

CORNER: FloatArray = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
MIDDLE: FloatArray = np.array([[0.0, -1.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])

Grid = tuple[FloatArray, FloatArray]
"""Places (points, 2) and weights (points,) of a sum that stands for an integral."""


def gauss(points: int) -> Grid:
    """Gauss' points and weights on the square, as many along each side."""
    place, weight = np.polynomial.legendre.leggauss(points)
    return np.stack(np.meshgrid(place, place, indexing="ij"), axis=-1).reshape(-1, 2), np.outer(weight, weight).ravel()


def bilinear(place: FloatArray) -> FloatArray:
    """(points, 4)."""
    return (1 + place[:, :1] * CORNER[:, 0]) * (1 + place[:, 1:] * CORNER[:, 1]) / 4


def bilinear_slope(place: FloatArray) -> FloatArray:
    """(points, 4, 2) d/dξ, d/dη."""
    x, y = place[:, :1] * CORNER[:, 0], place[:, 1:] * CORNER[:, 1]
    return np.stack([CORNER[:, 0] * (1 + y), CORNER[:, 1] * (1 + x)], axis=-1) / 4


def serendipity_slope(place: FloatArray) -> FloatArray:
    """(points, 8, 2) d/dξ, d/dη of the eight quadratic shapes: corners, then mid-sides."""
    (a, b), (x, y) = CORNER.T, np.moveaxis(place[:, :, None], 1, 0)  # (4,), (points, 1)
    corner = np.stack([a * (1 + b * y) * (2 * a * x + b * y), b * (1 + a * x) * (2 * b * y + a * x)], axis=-1) / 4
    on_x, on_y = MIDDLE[:, 0] == 0, MIDDLE[:, 1] == 0
    a, b = MIDDLE.T
    along = np.where(on_x, -x * (1 + b * y), a * (1 - y * y) / 2)
    across = np.where(on_y, -y * (1 + a * x), b * (1 - x * x) / 2)
    return np.concatenate([corner, np.stack([along, across], axis=-1)], axis=1)


def deflection(place: FloatArray) -> FloatArray:
    """(points, 4, 3) the twelve-term polynomial of Melosh, Adini and Clough, by w, w,ξ and w,η of the corners."""
    (a, b), (x, y) = CORNER.T, np.moveaxis(place[:, None] * CORNER, -1, 0)  # (4,), (points, 4)
    own = (1 + x) * (1 + y) * (2 + x + y - x * x - y * y)
    along = a * (1 + x) ** 2 * (x - 1) * (1 + y)
    across = b * (1 + x) * (1 + y) ** 2 * (y - 1)
    return np.stack([own, along, across], axis=-1) / 8


def deflection_slope(place: FloatArray) -> FloatArray:
    """(points, 4, 3, 2) its d/dξ and d/dη."""
    (a, b), (x, y) = CORNER.T, np.moveaxis(place[:, None] * CORNER, -1, 0)
    own = a * (1 + y) * (3 + y - 3 * x * x - y * y), b * (1 + x) * (3 + x - 3 * y * y - x * x)
    along = (1 + x) * (3 * x - 1) * (1 + y), a * b * (1 + x) ** 2 * (x - 1)
    across = a * b * (1 + y) ** 2 * (y - 1), (1 + y) * (3 * y - 1) * (1 + x)
    return np.stack([np.stack(one, axis=-1) for one in (own, along, across)], axis=-2) / 8
