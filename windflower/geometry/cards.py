"""Which far plants are drawn as impostor cards, front to back: the reference of cull_cards.wgsl; arrays, no device."""

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.geometry.candidates import BAND
from windflower.geometry.culling import CARD, NEARER
from windflower.geometry.lod import beyond

__all__ = ["LARGEST", "STEPS", "cards_in_view", "distance_steps"]

STEPS = 32  # of distance, three an octave, the first of which ends at 16 m
SLACK = 0.01  # octaves by which more is drawn than has to be: the card's shader works in single precision
LARGEST = float(np.log2(CARD)) + BAND / 2 + SLACK  # octaves of pixels above which a plant is no card


def cards_in_view(
    ball: FloatArray,
    height: FloatArray,
    camera: FloatArray,
    projection: FloatArray,
    reach: float,
    chosen: FloatArray,
    scale: float,
) -> IntArray:
    """Numbers of the plants that are drawn as cards, by steps of distance, and in one step by number.

    ball    (n, 4) centres and radii, m; height (n,) m
    camera  (3,) m; projection (4, 4): of the view; reach: how far out of it a plant may be, m
    chosen  (3,) the camera by which levels are chosen, m
    scale   pixels of a metre at a distance of 1 m, times the factor of the levels
    """
    centre, radius = ball[:, :3], ball[:, 3]
    away = np.maximum(np.linalg.norm(centre - chosen, axis=1) - NEARER * radius, 0.5)
    small = np.log2(height * scale / away) < LARGEST
    seen = np.flatnonzero(small & (beyond(centre, radius, projection) <= reach))
    return seen[np.argsort(distance_steps(centre[seen], camera), kind="stable")]


def distance_steps(centre: FloatArray, camera: FloatArray) -> IntArray:
    """(n,) the step of distance of each place (n, 3), m."""
    far = np.maximum(np.linalg.norm(centre - camera, axis=1), 1.0)
    return np.clip(3 * np.log2(far / 16), 0, STEPS - 1).astype(np.int64)
