"""Tiles of ground about the camera on which grass, herbs, leaves and stones are drawn, in layers.

A layer is a population of its own: the wider its tiles, the thinner it stands and the farther it reaches. Near the
camera all of them stand together; with the distance one after the other ends, blade by blade, so that no edge is seen.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.layouts import layout
from windflower.scene.terrain import Terrain

__all__ = ["TILE", "Layer", "Sown", "Tiles", "tiles_in_view"]

TILE = layout("render/wgsl/sow.wgsl", "Tile")
TALL = 0.8  # m above the ground that what is drawn on a tile may reach
STEEP = 1.2  # slope up to which grass grows


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

    @property
    def count(self) -> int:
        """Number of tiles."""
        return len(self.away)

    def parts(self, until: Sequence[float]) -> list[tuple[int, int]]:
        """First tile and number of tiles up to each of these distances, m, which ascend."""
        ends = [0, *np.searchsorted(self.away, until).tolist()]
        return [(first, end - first) for first, end in pairwise(ends)]


class Sown(NamedTuple):
    """What is thrown over tiles: layers of them, things on a tile, and the largest number of tiles."""

    layers: tuple[Layer, ...]
    each: int
    most: int


def tiles_in_view(
    sown: tuple[Sown, ...], camera: FloatArray, projection: FloatArray, *, land: Terrain | None
) -> list[Tiles]:
    """For each of what is sown the tiles in view that are nearest to the camera.

    projection  view-projection matrix (4, 4)
    """
    cells, side, reach, number, kind = _candidates(tuple(one.layers for one in sown))
    place = camera[[0, 2], None]
    corner = (np.floor(place / side) + cells) * side
    gap = np.maximum(np.abs(corner + side / 2 - place) - side / 2, 0)
    level = gap[0] * gap[0] + gap[1] * gap[1]
    some = np.flatnonzero(level < reach * reach)
    corner, side, reach, level = corner[:, some].T, side[some], reach[some], level[some]
    middle = corner + side[:, None] / 2
    height = np.zeros(len(side)) if land is None else land.height(middle)
    half = np.full(len(side), TALL) if land is None else STEEP * side / 2 + TALL
    over = np.maximum(np.abs(height - camera[1]) - half, 0)
    away = np.sqrt(level + over**2)
    ball = np.column_stack([middle[:, 0], height, middle[:, 1], np.hypot(0.8 * side, half)])
    seen = np.flatnonzero((away < reach) & _in_view(ball, projection))
    seen = seen[np.lexsort((away[seen], kind[some[seen]]))]
    ends = np.searchsorted(kind[some[seen]], np.arange(len(sown) + 1)).tolist()
    found = []
    for one, first, end in zip(sown, ends, ends[1:], strict=False):
        chosen = seen[first : min(end, first + one.most)]
        records = np.zeros(len(chosen), TILE)
        records["corner"], records["side"], records["reach"] = corner[chosen], side[chosen], reach[chosen]
        records["layer"], records["each"] = number[some[chosen]], one.each
        found.append(Tiles(records, away[chosen]))
    return found


@lru_cache(maxsize=16)
def _candidates(
    sown: tuple[tuple[Layer, ...], ...],
) -> tuple[FloatArray, FloatArray, FloatArray, IntArray, IntArray]:
    """Cells (2, n) from that of the camera within reach, with side, reach and number of their layer, and what it is of.

    sown  layers of each
    """
    found = []
    for kind, layers in enumerate(sown):
        for number, layer in enumerate(layers):
            reach = int(np.ceil(layer.reach / layer.side))
            z, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
            cell = np.stack([x.ravel(), z.ravel()], axis=1)
            near = np.linalg.norm(np.maximum(np.abs(cell) - 1, 0), axis=1) * layer.side < layer.reach
            about = np.tile([layer.side, layer.reach, number, kind], (near.sum(), 1))
            found.append(np.column_stack([cell[near], about]))
    cells, side, reach_of, number_of, kind_of = np.split(np.concatenate(found), [2, 3, 4, 5], axis=1)
    numbers, kinds = number_of[:, 0].astype(np.int64), kind_of[:, 0].astype(np.int64)
    return cells.T.copy(), side[:, 0].copy(), reach_of[:, 0].copy(), numbers, kinds


def _in_view(balls: FloatArray, projection: FloatArray) -> NDArray[np.bool_]:
    """Whether balls (n, 4), centre and radius, reach into the view: none of its planes has one behind it."""
    x, y, _, w = projection
    planes = np.stack([w + x, w - x, w + y, w - y, w])
    planes /= np.linalg.norm(planes[:, :3], axis=1, keepdims=True)
    before = balls[:, :3] @ planes[:, :3].T + planes[:, 3]
    return np.asarray((before > -balls[:, 3:]).all(axis=1))
