"""Leaves cut out along the outlines in their picture, for formats that have no pictures."""

import numpy as np

from windflower.core.arrays import FloatArray, IntArray

__all__ = ["cut_leaves", "leaf_outlines"]

RAYS = 14  # corners of an outline


def leaf_outlines(alpha: FloatArray, pictures: int) -> FloatArray:
    """(pictures, RAYS + 1, 2) a middle and the corners about it, 0 to 1, y down, of pictures that lie side by side.

    alpha  (height, pictures · width) where they are opaque
    """
    return np.stack([_outline(one) for one in np.split(alpha, pictures, axis=1)])


def _outline(alpha: FloatArray) -> FloatArray:
    """The furthest opaque pixel from the middle, in directions all around."""
    y, x = np.nonzero(alpha > 0.5)
    places = (np.column_stack([x, y]) + 0.5) / alpha.shape[::-1]
    middle = places.mean(axis=0)
    away = places - middle
    direction = np.floor(np.arctan2(away[:, 1], away[:, 0]) / (2 * np.pi) % 1 * RAYS).astype(np.int64)
    furthest = np.zeros(RAYS)
    np.maximum.at(furthest, np.minimum(direction, RAYS - 1), np.linalg.norm(away, axis=1))
    angle = 2 * np.pi * (np.arange(RAYS) + 0.5) / RAYS
    corners = middle + furthest[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    return np.clip(np.concatenate([middle[None], corners]), 0, 1)


def cut_leaves(card: FloatArray, turned: IntArray, outline: FloatArray) -> tuple[FloatArray, IntArray]:
    """Vertices (leaves · (RAYS + 1), n) and triangles of leaves that are cut out of cards.

    card     (leaves, 4, n) numbers at the left and right of a leaf's foot, then of its tip, which is above in a picture
    turned   (leaves,) which show their back, so that triangles go the other way around
    outline  (leaves, RAYS + 1, 2)
    """
    u, v = np.moveaxis(outline, 2, 0)[..., None]
    foot, right, tip = (card[:, k, None] for k in (0, 1, 2))
    vertices = foot + u * (right - foot) + (1 - v) * (tip - foot)
    ring = 1 + np.arange(RAYS)
    fan = np.column_stack([np.zeros(RAYS, np.int64), np.roll(ring, -1), ring])
    fans = np.where(turned[:, None, None], fan[:, ::-1], fan)
    first = (RAYS + 1) * np.arange(len(card))
    return vertices.reshape(-1, card.shape[2]), (first[:, None, None] + fans).reshape(-1, 3)
