"""Tiles of ground about the camera on which grass, herbs, leaves and stones are drawn, in layers.

A layer is a population of its own: the wider its tiles, the thinner it stands and the farther it reaches. Near the
camera all of them stand together; with the distance one after the other ends, blade by blade, so that no edge is seen.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.core.layouts import layout
from windflower.scene.terrain import Terrain

__all__ = ["TILE", "Layer", "Tiles", "tiles_in_view"]

TILE = layout("render/wgsl/sow.wgsl", "Tile")
TALL = 0.8  # m above the ground that what is drawn on a tile may reach
NORMAL = np.tan(np.radians(23.0))  # half the height of a usual picture at a distance of 1


@dataclass(frozen=True)
class Layer:
    """Side of its tiles, and the distance to which it is drawn, m."""

    side: float
    reach: float


@dataclass(frozen=True, eq=False)
class Tiles:
    """Tiles in view, the nearest first: records of `TILE`, and their distance (tiles,) from the camera, m."""

    records: NDArray[np.void]
    away: FloatArray

    def __len__(self) -> int:
        return len(self.away)


def tiles_in_view(
    layers: Sequence[Layer], camera: FloatArray, projection: FloatArray, *, each: int, most: int, land: Terrain | None
) -> Tiles:
    """At most this many tiles with `each` things, those nearest to the camera.

    projection  view-projection matrix (4, 4)
    """
    found = [_of_layer(number, one, camera, projection, land) for number, one in enumerate(layers)]
    records, away = (np.concatenate(parts) for parts in zip(*found, strict=True))
    order = np.argsort(away, kind="stable")[:most]
    records = records[order]
    records["each"] = each
    return Tiles(records, away[order])


def _of_layer(
    number: int, layer: Layer, camera: FloatArray, projection: FloatArray, land: Terrain | None
) -> tuple[NDArray[np.void], FloatArray]:
    """Records and distances of the visible tiles of one layer."""
    cells = int(np.ceil(layer.reach / layer.side))
    first = np.floor(camera[[0, 2]] / layer.side).astype(np.int64) - cells
    z, x = np.meshgrid(*(first[axis] + np.arange(2 * cells + 1) for axis in (1, 0)), indexing="ij")
    corner = np.stack([x.ravel(), z.ravel()], axis=1) * layer.side
    low, high = _heights(corner, layer.side, land)
    away = _distance(corner, layer.side, low, high, camera)
    near = np.flatnonzero(away < layer.reach)
    seen = near[_visible(corner[near], layer.side, low[near], high[near], projection)]
    records = np.zeros(len(seen), TILE)
    records["corner"], records["side"] = corner[seen], layer.side
    records["reach"], records["layer"] = layer.reach, number
    return records, away[seen]


def _heights(corner: FloatArray, side: float, land: Terrain | None) -> tuple[FloatArray, FloatArray]:
    """Lowest and highest ground of tiles, m, with what stands on it."""
    if land is None:
        return np.zeros(len(corner)), np.full(len(corner), TALL)
    spots = corner[:, None] + side * np.array([[0, 0], [1, 0], [0, 1], [1, 1], [0.5, 0.5]])
    height = land.height(spots)
    return height.min(axis=1) - 0.1 * side, height.max(axis=1) + 0.1 * side + TALL


def _distance(corner: FloatArray, side: float, low: FloatArray, high: FloatArray, camera: FloatArray) -> FloatArray:
    """Distance (tiles,) from the camera to the nearest point of each tile, m."""
    gap = np.maximum(np.maximum(corner - camera[[0, 2]], camera[[0, 2]] - corner - side), 0)
    over = np.maximum(np.maximum(low - camera[1], camera[1] - high), 0)
    return np.asarray(np.sqrt((gap**2).sum(axis=1) + over**2))


def _visible(
    corner: FloatArray, side: float, low: FloatArray, high: FloatArray, projection: FloatArray
) -> NDArray[np.bool_]:
    """Whether a box about each tile is within the view: no plane has all its corners outside."""
    x = corner[:, :1] + side * np.array([-0.15, 1.15])
    z = corner[:, 1:] + side * np.array([-0.15, 1.15])
    y = np.stack([low, high], axis=1)
    ones = np.ones((len(corner), 2, 2, 2))
    box = np.stack([x[:, :, None, None] * ones, y[:, None, :, None] * ones, z[:, None, None, :] * ones, ones], axis=-1)
    at = box.reshape(len(corner), 8, 4) @ projection.T
    w = at[..., 3]
    outside = [at[..., axis] * sign > w for axis in (0, 1) for sign in (1, -1)]
    return ~np.any([plane.all(axis=1) for plane in [*outside, w <= 0]], axis=0)
