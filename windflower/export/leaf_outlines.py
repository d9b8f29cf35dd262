"""Leaves cut out along the outlines in their picture, for formats that have no pictures."""

import numpy as np

from windflower.core.arrays import FloatArray, IntArray

__all__ = ["cut_leaves", "leaf_outline"]

RAYS = 14  # corners of an outline


def leaf_outline(alpha: FloatArray) -> FloatArray:
    """(RAYS + 1, 2) a middle and the corners about it, 0 to 1, y down, of what is opaque in a picture.

    Corners are the furthest opaque pixels from the middle, in directions all around.
    """
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


def cut_leaves(
    card: FloatArray, turned: IntArray, kite: FloatArray, outline: FloatArray
) -> tuple[FloatArray, IntArray]:
    """Vertices (leaves · (RAYS + 1), n) and triangles of leaves that are cut out of cards.

    card     (leaves, 4, n) numbers at the left, the foot, the tip and the right of a kite, folded from foot to tip
    turned   (leaves,) which show their back, so that triangles go the other way around
    kite     (4, 2) where these lie in the picture
    outline  (RAYS + 1, 2)
    """
    left, foot, tip, right = (card[:, k, None] for k in range(4))
    (u_left, v_left), (u_foot, v_foot), (_, v_tip), (u_right, v_right) = kite
    u, v = outline.T[..., None]

    def midrib(v: FloatArray) -> FloatArray:
        return np.asarray(foot + (v - v_foot) / (v_tip - v_foot) * (tip - foot))

    on_left = (left - midrib(v_left)) * np.maximum(u_foot - u, 0) / (u_foot - u_left)
    on_right = (right - midrib(v_right)) * np.maximum(u - u_foot, 0) / (u_right - u_foot)
    vertices = midrib(v) + on_left + on_right
    ring = 1 + np.arange(RAYS)
    fan = np.column_stack([np.zeros(RAYS, np.int64), np.roll(ring, -1), ring])
    fans = np.where(turned[:, None, None], fan[:, ::-1], fan)
    first = (RAYS + 1) * np.arange(len(card))
    return vertices.reshape(-1, card.shape[2]), (first[:, None, None] + fans).reshape(-1, 3)
