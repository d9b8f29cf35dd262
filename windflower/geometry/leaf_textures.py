"""Leaf card textures with veins and mipmaps: one leaf, a spray of a few, a bough of many, a branch.

Far trees have fewer and larger cards of the same leaf area. A large card shows a spray and not a giant leaf, so the
leaves keep their size in every picture.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import zoom

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.randomness import between
from windflower.plant.outlines import blades

__all__ = ["LeafMask", "leaf_mask"]

WIDTH, HEIGHT, FINER = 128, 128, 2
SPRAYS = (1, 7, 30, 110)  # number of leaves on a card of each layer
DIRECTIONS, MARGIN = 48, 0.012  # of the sides of triangles about outlines, and how far those stand off, cards
DARKEST = (0.75, 0.45)  # darkest tone of a part of a leaf, and of a leaf among others, which may shade it


@dataclass(frozen=True, eq=False)
class LeafMask:
    """Texture array of leaf cards, one layer for each kind of card.

    levels   mipmaps (layers, height, width, 4): red, green, blue the pattern, alpha the coverage
    aspect   (layers,) width over length of the card
    stretch  (layers,) length of the card over that of a single leaf of the same area
    cover    (layers, 3, 2) corners of a small triangle about all that the card shows: x across, y along, 0 to 1
    """

    levels: tuple[NDArray[np.uint8], ...]
    aspect: FloatArray
    stretch: FloatArray
    cover: FloatArray


@cache
def leaf_mask(shape: str, aspect: float) -> LeafMask:
    """Card textures of a leaf of this shape."""
    parts = blades(shape, aspect)
    single = _painted([part / [aspect, 1.0] + [0.5, 0.0] for part in parts], DARKEST[0])
    area = aspect * float((single[0] > 0.5).mean())
    layers, stretch = [single], [1.0]
    for count in SPRAYS[1:]:
        # Length of the card at which its leaves are as large as the single one; overlap costs some area.
        length = float(np.sqrt(area * count / 0.5))
        sprayed = _painted(_spray(parts, count, 1 / length), DARKEST[1])
        layers.append(sprayed)
        stretch.append(float(np.sqrt(area / max(float((sprayed[0] > 0.5).mean()), 0.05))))
    chains = [_mipmaps(alpha, shade) for alpha, shade in layers]
    levels = tuple(np.stack(level) for level in zip(*chains, strict=True))
    cover = np.stack([_triangle_about(alpha > 0) for alpha, _ in layers])
    return LeafMask(levels, np.array([aspect, 1.0, 1.0, 1.0]), np.array(stretch), cover)


def _triangle_about(shown: NDArray[np.bool_]) -> FloatArray:
    """Corners (3, 2) of the smallest triangle about all that is shown (rows, columns), of those with 48 directions."""
    row, column = np.nonzero(shown)
    height, width = shown.shape
    points = np.stack([(column + 0.5) / width, 1 - (row + 0.5) / height], axis=1)
    angle = 2 * np.pi * np.arange(DIRECTIONS) / DIRECTIONS
    normal = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    reach = (points @ normal.T).max(axis=0) + MARGIN
    sides = np.array(list(combinations(range(DIRECTIONS), 3)))
    turns = np.diff(angle[sides], append=angle[sides[:, :1]] + 2 * np.pi, axis=1)
    sides = sides[(turns < np.pi - 0.1).all(axis=1)]
    after = np.roll(sides, -1, axis=1)
    # Where two sides meet: both normals times the corner are what they reach.
    corners = np.linalg.solve(np.stack([normal[sides], normal[after]], axis=2), _column(reach[sides], reach[after]))[
        ..., 0
    ]
    a, b = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    return np.asarray(corners[np.argmin(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])])


def _column(a: FloatArray, b: FloatArray) -> FloatArray:
    return np.stack([a, b], axis=-1)[..., None]


def _spray(parts: tuple[FloatArray, ...], count: int, size: float) -> list[FloatArray]:
    """Polygons of leaves of this size on a twig with side shoots, in a square card from (0.5, 0) up."""
    polygons = [_stroke((0.5, 0.0), (0.5, 0.7), 0.008)]
    for base, heading, length, leaves in _shoots(count):
        tip = base + length * np.array([np.sin(heading), np.cos(heading)])
        polygons.append(_stroke((base[0], base[1]), (tip[0], tip[1]), 0.005))
        for number, place in zip(leaves, np.linspace(0.25, 1.0, len(leaves)), strict=True):
            side = 0.0 if place == 1.0 else np.radians(42) * (-1) ** number
            turn = heading + side + np.radians(between(-25, 25, 702, number))
            c, s = np.cos(turn), np.sin(turn)
            foot = base + place * (tip - base)
            polygons += [part * size @ np.array([[c, -s], [s, c]]) + foot for part in parts]
    return _fitted(polygons)


def _shoots(count: int) -> Iterator[tuple[FloatArray, float, float, IntArray]]:
    """Side shoots of a number of leaves: base, angle from upright, length, and numbers of its leaves.

    They leave the twig to the left and to the right in turn, the shorter and the steeper the higher; with gaps between
    them a card does not look like one giant leaf.
    """
    shoots = max(3, round(np.sqrt(count)))
    number = np.arange(shoots)
    height = number / (shoots - 1)
    heading = np.radians(62 - 36 * height) * (-1.0) ** number
    heading[-1] = 0.0
    length = (0.5 - 0.22 * height) * between(0.7, 1.1, 704, number)
    leaves = np.array_split(np.arange(count), shoots)
    for k in range(shoots):
        yield np.array([0.5, 0.04 + 0.66 * height[k]]), float(heading[k]), float(length[k]), leaves[k]


def _fitted(polygons: list[FloatArray]) -> list[FloatArray]:
    """Polygons scaled to fill the card: what stands out at the rim would be cut straight."""
    points = np.concatenate(polygons)
    low, high = points.min(axis=0), points.max(axis=0)
    scale = 0.98 / max(high[1] - low[1], 2 * (high[0] - 0.5), 2 * (0.5 - low[0]))
    return [(polygon - [0.5, low[1]]) * scale + [0.5, 0.01] for polygon in polygons]


def _stroke(start: tuple[float, float], end: tuple[float, float], half: float) -> FloatArray:
    a, b = np.array(start), np.array(end)
    normal = np.array([a[1] - b[1], b[0] - a[0]]) / max(float(np.hypot(*(b - a))), 1e-9) * half
    return np.array([a - normal, a + normal, b + normal / 2, b - normal / 2])


def _painted(polygons: list[FloatArray], darkest: float) -> tuple[FloatArray, FloatArray]:
    """Rasterised coverage and shade (height, width): later polygons lie above earlier ones and differ in tone."""
    height, width = HEIGHT * FINER, WIDTH * FINER
    columns, rows = (np.arange(width) + 0.5) / width, 1 - (np.arange(height) + 0.5) / height
    alpha, shade = np.zeros((height, width)), np.full((height, width), 0.85)
    tones = between(darkest, 1.0, 703, np.arange(len(polygons)))
    for polygon, tone in zip(polygons, tones, strict=True):
        (left, low), (right, high) = polygon.min(axis=0), polygon.max(axis=0)
        # Pixel centres inside the polygon's box; rows run downward.
        across = slice(*np.searchsorted(columns, [left, right]))
        down = slice(*np.searchsorted(-rows, [-high, -low]))
        x, y = columns[across], rows[down]
        inside = _inside(polygon, x, y)
        row, column = np.nonzero(inside)
        at = np.stack([x[column], y[row]], axis=1)
        alpha[down, across][inside] = 1.0
        shade[down, across][inside] = _veins(polygon, at) * tone
    small = (HEIGHT, FINER, WIDTH, FINER)
    return alpha.reshape(small).mean(axis=(1, 3)), shade.reshape(small).mean(axis=(1, 3))


def _inside(polygon: FloatArray, x: FloatArray, y: FloatArray) -> NDArray[np.bool_]:
    """(rows, columns) whether the points of a grid lie in the polygon: an odd number of edges cross to their right."""
    ends = np.concatenate([polygon[1:], polygon[:1]])
    (x0, y0), (x1, y1) = (np.split(points, 2, axis=1) for points in (polygon, ends))
    crosses = (y0 > y) != (y1 > y)
    rise = np.where(y0 == y1, 1.0, y1 - y0)  # a level edge crosses no row
    right = np.where(crosses, x0 + (y - y0) * (x1 - x0) / rise, -np.inf)
    return np.logical_xor.reduce(x < right[:, :, None], axis=0)


def _veins(polygon: FloatArray, at: FloatArray) -> FloatArray:
    """Pattern of a pale midrib and side veins from a blade's foot (its first point) to its farthest point."""
    foot = polygon[0]
    tip = polygon[int(np.argmax(np.linalg.norm(polygon - foot, axis=1)))]
    size = max(float(np.linalg.norm(tip - foot)), 1e-9)
    along = (tip - foot) / size
    t = (at - foot) @ along / size
    side = np.abs((at - foot) @ np.array([-along[1], along[0]])) / size
    return 0.86 + 0.06 * np.cos(2 * np.pi * 7 * (t - 0.5 * side)) + 0.12 * np.exp(-((side / 0.02) ** 2)) + 0.06 * t


def _mipmaps(alpha: FloatArray, shade: FloatArray) -> list[NDArray[np.uint8]]:
    coverage = float((alpha > 0.5).mean())
    levels = [_rgba(alpha, shade)]
    while min(alpha.shape) > 1:
        alpha, shade = (
            _next_mipmap(alpha, coverage),
            np.asarray(zoom(shade, 0.5, order=1, grid_mode=True, mode="nearest")),
        )
        levels.append(_rgba(alpha, shade))
    return levels


def _next_mipmap(alpha: FloatArray, coverage: float) -> FloatArray:
    """Next mipmap of alpha, scaled so that the same share passes the alpha test (Castaño 2010)."""
    small = np.asarray(zoom(alpha, 0.5, order=1, grid_mode=True, mode="nearest"))
    factors = np.geomspace(0.5, 12, 71)
    passes = [abs((small * factor > 0.5).mean() - coverage) for factor in factors]
    return np.clip(small * factors[int(np.argmin(passes))], 0, 1)


def _rgba(alpha: FloatArray, shade: FloatArray) -> NDArray[np.uint8]:
    image = np.stack([shade, shade, shade, alpha], axis=2)
    return np.round(255 * np.clip(image, 0, 1)).astype(np.uint8)
