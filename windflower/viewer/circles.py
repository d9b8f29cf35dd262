"""Disks of wind as circles on the ground, with the push of each (Di Giacomo, Capo & Faure 2001, fig. 4)."""

import math

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.scene.terrain import Terrain
from windflower.viewer.strokes import STROKE, arrows, strokes
from windflower.wind import ForcePrimitive

__all__ = ["circles"]

CORNERS = 96  # of a circle
ABOVE = 0.08  # the ground, m
WIDE = 1.4  # pixels that half a line is wide
RIM, PUSH = (0.02, 0.16, 0.75, 0.95), (0.75, 0.12, 0.02, 0.95)


def circles(
    disks: tuple[ForcePrimitive, ...], t: float, eye: FloatArray, pixel: float, terrain: Terrain | None
) -> NDArray[np.void]:
    """Strokes of the rims of disks at a time, and arrows as long, over their radius, as their force is now.

    pixel  height of one at a distance of 1
    """
    parts = [np.zeros(0, STROKE)]
    for disk in disks:
        rim = _on_ground(_rim(disk, t), terrain)
        after = np.roll(rim, -1, axis=0)
        away = np.linalg.norm(rim - eye, axis=1)
        parts.append(strokes(rim, after, WIDE * pixel * np.maximum(away, 1.0), RIM))
        parts.append(_push(disk, t, terrain))
    return np.concatenate(parts)


def _rim(disk: ForcePrimitive, t: float) -> FloatArray:
    """(corners, 2) x and z, m."""
    angle = np.linspace(0, 2 * np.pi, CORNERS, endpoint=False)
    return np.asarray(disk.centre(t) + disk.radius * np.stack([np.cos(angle), np.sin(angle)], axis=1))


def _push(disk: ForcePrimitive, t: float, terrain: Terrain | None) -> NDArray[np.void]:
    """An arrow along the force on the ground; half the radius when it is strongest."""
    beat = math.sin(disk.pulsation * t + math.radians(disk.phase))
    along = np.array(disk.strength) * (1, 0, 1)
    vector = 0.5 * disk.radius * beat * along / max(float(np.linalg.norm(disk.strength)), 1e-9)
    foot = _on_ground(disk.centre(t)[None], terrain)
    return arrows(foot, vector[None], 0.03 * disk.radius, np.array([PUSH]))


def _on_ground(places: FloatArray, terrain: Terrain | None) -> FloatArray:
    """(n, 3) just above the ground at x and z (n, 2)."""
    height = np.zeros(len(places)) if terrain is None else terrain.height(places)
    return np.stack([places[:, 0], height + ABOVE, places[:, 1]], axis=1)
