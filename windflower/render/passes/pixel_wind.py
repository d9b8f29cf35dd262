"""The wind where each pixel's surface is."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.core.buffers import recorded
from windflower.core.device import Gpu
from windflower.scene import Scene, View
from windflower.wind.at_points import WindAtPoints

__all__ = ["places_of", "wind_at"]

AT_ONCE = 1 << 20  # points


def places_of(depth: NDArray[Any], view: View) -> FloatArray:
    """(height, width, 3) the surface of each pixel in the world, m, by its distance along the camera's axis."""
    height, width = depth.shape
    near = np.linalg.inv(view.projection((width, height)))
    x = (np.arange(width) + 0.5) / width * 2 - 1
    y = 1 - (np.arange(height) + 0.5) / height * 2
    flat = np.stack([*np.meshgrid(x, y), np.ones(depth.shape), np.ones(depth.shape)], axis=-1) @ near.T
    ray = flat[..., :3] / flat[..., 3:] - view.eye
    ahead = (view.target - view.eye) / np.linalg.norm(view.target - view.eye)
    return np.asarray(view.eye + ray * (depth / (ray @ ahead))[..., None])


def wind_at(
    gpu: Gpu, scene: Scene, view: View, depth: NDArray[Any], low: NDArray[np.bool_], t: float
) -> NDArray[np.float32]:
    """(height, width, 3) wind where the surface of each pixel is at t seconds, m/s; 0 in the sky.

    Wind follows the land: heights count from the ground, where there is none. Depths would miss it by a little, so
    `low` says which pixels show it.
    """
    found, seen = np.zeros((*depth.shape, 3), np.float32), np.isfinite(depth)
    points = places_of(np.where(seen, depth, 1.0), view)[seen]
    if scene.ground.terrain:
        points[:, 1] -= scene.ground.terrain.height(points[:, [0, 2]])
    points[:, 1] = np.where(low[seen], 0.0, np.maximum(points[:, 1], 0.0))
    parts = [_found(gpu, scene, points[at : at + AT_ONCE], t) for at in range(0, len(points), AT_ONCE)]
    if parts:
        found[seen] = np.concatenate(parts)
    return found


def _found(gpu: Gpu, scene: Scene, points: FloatArray, t: float) -> FloatArray:
    """The wind at points (n, 3), m/s; most of it is summed on the device."""
    wind = WindAtPoints(gpu, points)
    wind.prepare(scene.wind, t, 1.0, 1)
    with recorded(gpu) as compute_pass:
        wind.record(compute_pass)
    return wind.read()[0]
