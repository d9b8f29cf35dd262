"""The frontal area of a plant in still air: its silhouette, as a photograph along the wind shows it."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from windflower.core.arrays import FloatArray, IntArray
from windflower.plant.graph import Plant
from windflower.plant.outlines import outline
from windflower.plant.species.settings import Leaf

__all__ = ["frontal_area", "silhouette"]

ROWS = 500  # pixels of the height: 2.6 cm on a tree of 13 m. Finer gaps are closed, as in outlines drawn on photographs
LEAF_ROWS = 100  # of a leaf's length at most
HEADINGS = (0.3, 0.3 + np.pi / 2)  # of the wind, rad: two are within a few per cent of the mean over all


@lru_cache(maxsize=8)
def frontal_area(plant: Plant, leaf: Leaf | None, *, gaps: bool = True) -> float:
    """Mean area of the silhouettes seen along two horizontal winds, m²; with `gaps=False`, of their outlines.

    leaf  what the leaves look like; None leaves them out
    """
    return silhouette(plant, leaf, gaps=gaps)


def silhouette(plant: Plant, leaf: Leaf | None, *, gaps: bool = True, rows: int = ROWS) -> float:
    """The same, in so many rows of pixels."""
    total = 0.0
    for heading in HEADINGS:
        seen, pixel = _picture(plant, leaf, heading, rows)
        first, last = np.argmax(seen, axis=1), seen.shape[1] - np.argmax(seen[:, ::-1], axis=1)
        spans = np.where(seen.any(axis=1), last - first, 0)
        total += pixel**2 * float(np.count_nonzero(seen) if gaps else spans.sum())
    return total / len(HEADINGS)


def _picture(plant: Plant, leaf: Leaf | None, heading: float, rows: int) -> tuple[NDArray[np.bool_], float]:
    """The silhouette as an array (rows, columns) of bool, lowest row first, and the side of its pixels, m."""
    across = np.array([[np.cos(heading), 0.0, np.sin(heading)], [0.0, 1.0, 0.0]])
    pixel = float(max(np.ptp(plant.position, axis=0).max(), plant.radius.max(), plant.base_radius.max())) / rows
    if leaf is not None and len(plant.leaves):
        pixel = max(pixel, float(plant.leaves.size.max()) / LEAF_ROWS)
    seen = [_wood(plant, across, pixel)]
    if leaf is not None and len(plant.leaves):
        seen.append(_leaves(plant, leaf, across, pixel))
    place = np.floor(np.concatenate(seen) / pixel).astype(np.int64)
    place -= place.min(axis=0)
    shown = np.zeros(place.max(axis=0)[::-1] + 1, bool)
    shown[place[:, 1], place[:, 0]] = True
    return shown, pixel


def _wood(plant: Plant, across: FloatArray, pixel: float) -> FloatArray:
    """(points, 2) points all over the wood, as seen, at most a pixel apart."""
    segments = plant.segments
    of, place = _portions(np.ceil(plant.length[segments] / pixel).astype(np.int64) + 1)
    node = segments[of]
    middle = (plant.position[node] - (1 - place)[:, None] * plant.vector[node]) @ across.T
    radius = (1 - place) * plant.base_radius[node] + place * plant.radius[node]
    along = plant.vector @ across.T
    long = np.linalg.norm(along, axis=1)
    along = np.where(long[:, None] > 1e-9, along / np.maximum(long, 1e-9)[:, None], [0.0, 1.0])[node]
    of, share = _portions(np.ceil(2 * radius / pixel).astype(np.int64))
    aside = np.stack([-along[:, 1], along[:, 0]], axis=1)[of]
    return np.asarray(middle[of] + ((2 * share - 1) * radius[of])[:, None] * aside)


def _leaves(plant: Plant, leaf: Leaf, across: FloatArray, pixel: float) -> FloatArray:
    """(points, 2) points all over the leaves, as seen."""
    leaves = plant.leaves
    inside = _blade_points(leaf, int(np.ceil(np.quantile(leaves.size, 0.9) / pixel)) + 1)
    foot = plant.position[leaves.node] - (1 - leaves.place)[:, None] * plant.vector[leaves.node]
    frame = across @ Rotation.from_quat(leaves.orientation).as_matrix()[:, :, :2] * leaves.size[:, None, None]
    return np.asarray((foot @ across.T)[:, None] + np.swapaxes(frame @ inside.T, 1, 2)).reshape(-1, 2)


def _blade_points(leaf: Leaf, steps: int) -> FloatArray:
    """(points, 2) of a grid over a leaf of length 1, on its blade alone. Needles fill the ellipse about their shoot."""
    x, y = np.meshgrid((np.arange(steps) + 0.5) / steps - 0.5, (np.arange(steps) + 0.5) / steps)
    if leaf.shape == "needles":
        on = (2 * x) ** 2 + (2 * y - 1) ** 2 <= 1
        return np.stack([x[on] * leaf.aspect, y[on]], axis=1)
    rim = outline(leaf.shape, leaf.aspect)
    low, high = rim.min(axis=0), rim.max(axis=0)
    grid = np.stack([x.ravel() + 0.5, y.ravel()], axis=1) * (high - low) + low
    return grid[_within(rim, grid)]


def _within(rim: FloatArray, points: FloatArray) -> NDArray[np.bool_]:
    """(points,) whether each lies inside a closed outline: a ray to the right crosses it an odd number of times."""
    (x0, y0), (x1, y1) = rim.T, np.roll(rim, -1, axis=0).T
    x, y = points[:, :1], points[:, 1:]
    spans = (y0 > y) != (y1 > y)
    crossing = x0 + (y - y0) * (x1 - x0) / np.where(y1 == y0, 1.0, y1 - y0)
    return np.asarray((spans & (x < crossing)).sum(axis=1) % 2 == 1)


def _portions(counts: IntArray) -> tuple[IntArray, FloatArray]:
    """For so many points on each of several things: which one each point is on, and where on it, inside 0 to 1."""
    counts = np.maximum(counts, 1)
    of = np.repeat(np.arange(len(counts)), counts)
    rank = np.arange(len(of)) - np.repeat(np.cumsum(counts) - counts, counts)
    return of, (rank + 0.5) / counts[of]
