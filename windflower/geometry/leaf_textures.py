"""Leaf card textures with veins, relief and mipmaps: one leaf, a spray of a few, a bough of many, a branch.

Far trees have fewer and larger cards of the same leaf area. A large card shows a spray and not a giant leaf, so the
leaves keep their size in every picture.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import zoom

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.randomness import between
from windflower.plant.needles import BRUSH, needled_shoot
from windflower.plant.outlines import blades, outline

__all__ = ["LeafMask", "leaf_mask"]

TEXELS, FINER = {"needles": 256}, 2  # along a side of a picture, 128 of other shapes; and how much finer it is painted
SPRAYS = (1, 6, 14, 30)  # number of leaves on a card of each layer
DIRECTIONS, MARGIN = 48, 0.012  # of the sides of triangles about outlines, and how far those stand off, cards
DARKEST = (0.85, 0.68)  # darkest tone of a part of a leaf, and of a leaf among others, which may shade it
SHADED = 0.45  # the same of a needle
STALK = {"round": 0.26, "triangular": 0.24, "oval": 0.1, "lobed": 0.05, "narrow": 0.06}  # of a leaf with its stalk
SLENDER = 0.006  # half the width of a stalk
# Of sprays of narrow shoots, and of brushes: the twig, its lowest side twigs (degrees), steps between shoots on these.
FEATHER, TUFTED = (0.64, 50.0, 0.26), (0.66, 56.0, 0.44)
TILT, CURL, DROOP, QUILT = 0.45, 0.34, 0.32, 0.07  # slopes: of leaves in a spray, to the rims, to the tip, beside veins


@dataclass(frozen=True, eq=False)
class LeafMask:
    """Texture array of leaf cards, one layer for each kind of card.

    levels        mipmaps (layers, height, width, 4): red the tone; green and blue the slope of the surface across and
                  along the card, halved and raised by a half; alpha the coverage
    aspect        (layers,) width over length of the card
    stretch       (layers,) length of the card over that of a single leaf of the same area
    opaque        (layers,) share of the card that is covered
    leaf_lengths  (layers,) length of the card over that of a leaf on it
    cover         (layers, 3, 2) corners of a small triangle about all that the card shows: x across, y along, 0 to 1
    kite          (layers, 4, 2) corners of a kite about it: left, foot, tip, right
    """

    levels: tuple[NDArray[np.uint8], ...]
    aspect: FloatArray
    stretch: FloatArray
    opaque: FloatArray
    leaf_lengths: FloatArray
    cover: FloatArray
    kite: FloatArray


class _Picture(NamedTuple):
    """Coverage, tone and slopes (height, width) of a card."""

    alpha: FloatArray
    tone: FloatArray
    across: FloatArray
    along: FloatArray


@cache
def leaf_mask(shape: str, aspect: float) -> LeafMask:
    """Card textures of a leaf of this shape."""
    parts, side, thin = blades(shape, aspect), TEXELS.get(shape, 128), shape == "needles"
    single = _painted(_single(shape, aspect), SHADED if thin else DARKEST[0], tilt=0.5 * TILT * thin, side=side)
    own = aspect * float(_painted([_on_card(part, aspect) for part in parts], 1.0, tilt=0.0, side=side).alpha.mean())
    area = own if shape == "needles" else _area(outline(shape, aspect))
    layers, lengths = [single], [1 / (1 - STALK.get(shape, 0.0))]
    for count in SPRAYS[1:]:
        # Size of a leaf at which it is as large as the single one; overlap costs some area.
        size = 1.2 * count**-0.36 if thin else 1 / float(np.sqrt(own * count / 0.5))
        polygons, scale = _needled_spray(aspect, count, size) if thin else _spray(parts, count, size)
        layers.append(_painted(polygons, SHADED if thin else DARKEST[1], tilt=TILT, side=side))
        lengths.append(1 / (size * scale))
    chains = [_mipmaps(picture) for picture in layers]
    levels = tuple(np.stack(level) for level in zip(*chains, strict=True))
    opaque = np.array([max(float(picture.alpha.mean()), 0.02) for picture in layers])
    aspects = np.array([aspect, 1.0, 1.0, 1.0])
    return LeafMask(
        levels,
        aspects,
        np.sqrt(area / (opaque * aspects)),
        opaque,
        np.array(lengths),
        np.stack([_triangle_about(picture.alpha > 0) for picture in layers]),
        np.stack([_kite_about(picture.alpha > 0) for picture in layers]),
    )


def _area(polygon: FloatArray) -> float:
    x, y = polygon.T
    return abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1))) / 2


def _on_card(part: FloatArray, aspect: float) -> FloatArray:
    return part / [aspect, 1.0] + [0.5, 0.0]


def _single(shape: str, aspect: float) -> list[FloatArray]:
    """Polygons of one leaf with its stalk, or of a shoot with all its needles, on a card."""
    if shape == "needles":
        return [_on_card(part, aspect) for part in needled_shoot(aspect, "near")]
    stalk = STALK.get(shape, 0.0)
    raised = [part * (1 - stalk) + [0.0, stalk] for part in blades(shape, aspect)]
    polygons = [_on_card(part, aspect) for part in raised]
    return [_stroke((0.5, 0.0), (0.5, stalk + 0.08), SLENDER / aspect), *polygons] if stalk else polygons


def _kite_about(shown: NDArray[np.bool_]) -> FloatArray:
    """Corners (4, 2), left, foot, tip and right, of a small kite about all that is shown."""
    height, width = shown.shape
    rows = np.flatnonzero(shown.any(axis=1))
    aside = (shown[rows] * np.abs((np.arange(width) + 0.5) / width - 0.5)).max(axis=1) + MARGIN
    up = 1 - (rows + 0.5) / height
    best, found = np.inf, np.zeros((4, 2))
    for foot in (-0.02, -0.1, -0.25, -0.5):
        for tip in (1.02, 1.1, 1.25, 1.5):
            for middle in np.linspace(0.15, 0.85, 15):
                reach = np.where(up < middle, (up - foot) / (middle - foot), (tip - up) / (tip - middle))
                half = float((aside / np.maximum(reach, 1e-3)).max())
                if half * (tip - foot) < best:
                    best = half * (tip - foot)
                    found = np.array([[0.5 - half, middle], [0.5, foot], [0.5, tip], [0.5 + half, middle]])
    return found


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


def _spray(parts: tuple[FloatArray, ...], count: int, size: float) -> tuple[list[FloatArray], float]:
    """Polygons of leaves on a twig with side shoots, in a square card from (0.5, 0) up; the factor on their size."""
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


def _needled_spray(aspect: float, count: int, size: float) -> tuple[list[FloatArray], float]:
    """The same of shoots with needles, on both sides of a long twig up to its tip, and so of its side twigs.

    Seen from afar, where they run together, they are still a feather, or tufts, and not a lobed leaf.
    """
    stem, widest, apart = TUFTED if aspect > BRUSH else FEATHER
    shoot, polygons = needled_shoot(aspect, "spray"), [_stroke((0.5, 0.0), (0.5, stem), 0.006)]
    twigs = np.split(np.arange(count), np.cumsum(_borne(count))[:-1])
    for k, own in enumerate(twigs):
        height = k / (len(twigs) - 1)
        heading = 0.0 if height == 1 else np.radians(widest - 24 * height) * (-1) ** k
        way, start = np.array([np.sin(heading), np.cos(heading)]), np.array([0.5, stem * height])
        reach = start + apart * size * len(own) * way
        polygons.append(_stroke((start[0], start[1]), (reach[0], reach[1]), 0.004))
        for rank, number in enumerate(own):
            last = rank == len(own) - 1
            aside = 0.0 if last else np.radians(46) * (-1) ** (rank + k)
            turn = heading + aside + float(between(-0.14, 0.14, 707, number))
            c, s = np.cos(turn), np.sin(turn)
            foot = start + (apart * size * rank + 0.02) * way
            polygons += [part * size @ np.array([[c, -s], [s, c]]) + foot for part in shoot]
    return _fitted(polygons)


def _borne(count: int) -> IntArray:
    """How many of so many shoots each twig of a spray bears, from its foot to its tip, where it ends in a point."""
    twigs = count if count < 8 else round(2.4 * np.sqrt(count))
    reached = np.cumsum(np.linspace(1.0, 0.0, twigs))
    more = np.round((count - twigs) * reached / reached[-1])
    return 1 + np.diff(more, prepend=0).astype(np.int64)


def _shoots(count: int) -> Iterator[tuple[FloatArray, float, float, IntArray]]:
    """Side shoots of a number of leaves: base, angle from upright, length, and numbers of its leaves.

    They leave the twig to the left and to the right in turn, the shorter and the steeper the higher. Many short ones
    of two or three leaves leave gaps between leaves all over the card, so that it never looks like one giant leaf.
    """
    shoots = max(3, round(count / 2.7))
    number = np.arange(shoots)
    height = number / (shoots - 1)
    heading = np.radians(62 - 36 * height) * (-1.0) ** number
    heading[-1] = 0.0
    length = (0.5 - 0.22 * height) * between(0.55, 1.15, 704, number)
    leaves = np.array_split(np.arange(count), shoots)
    for k in range(shoots):
        yield np.array([0.5, 0.04 + 0.66 * height[k]]), float(heading[k]), float(length[k]), leaves[k]


def _fitted(polygons: list[FloatArray]) -> tuple[list[FloatArray], float]:
    """Polygons scaled to fill the card, and by how much: what stands out at the rim would be cut straight."""
    points = np.concatenate(polygons)
    low, high = points.min(axis=0), points.max(axis=0)
    scale = 0.96 / max(high[1] - low[1], 2 * (high[0] - 0.5), 2 * (0.5 - low[0]))
    return [(polygon - [0.5, low[1]]) * scale + [0.5, 0.02] for polygon in polygons], float(scale)


def _stroke(start: tuple[float, float], end: tuple[float, float], half: float) -> FloatArray:
    a, b = np.array(start), np.array(end)
    normal = np.array([a[1] - b[1], b[0] - a[0]]) / max(float(np.hypot(*(b - a))), 1e-9) * half
    return np.array([a - normal, a + normal, b + normal / 2, b - normal / 2])


def _painted(polygons: list[FloatArray], darkest: float, *, tilt: float, side: int) -> _Picture:
    """Rasterised polygons: later ones lie above earlier ones, which are darker, and each is tilted its own way."""
    height = width = side * FINER
    columns, rows = (np.arange(width) + 0.5) / width, 1 - (np.arange(height) + 0.5) / height
    alpha, tone, across, along = np.zeros((4, height, width))
    tone[:] = 0.85
    number = np.arange(len(polygons))
    tones = between(darkest, 1.0, 703, number) * (1 - 0.7 * (1 - darkest) * (1 - number / len(polygons)))
    tilts = tilt * np.stack([between(-1, 1, 705, number), between(-1, 1, 706, number)], axis=1)
    for polygon, own, lean in zip(polygons, tones, tilts, strict=True):
        (left, low), (right, high) = polygon.min(axis=0), polygon.max(axis=0)
        # Pixel centres inside the polygon's box; rows run downward.
        box = slice(*np.searchsorted(-rows, [-high, -low])), slice(*np.searchsorted(columns, [left, right]))
        x, y = columns[box[1]], rows[box[0]]
        inside = _inside(polygon, x, y)
        row, column = np.nonzero(inside)
        pattern, slope = _surface(polygon, np.stack([x[column], y[row]], axis=1))
        alpha[box][inside], tone[box][inside] = 1.0, pattern * own
        across[box][inside], along[box][inside] = (slope + lean).T
    small = (side, FINER, side, FINER)
    return _Picture(*(part.reshape(small).mean(axis=(1, 3)) for part in (alpha, tone, across, along)))


def _inside(polygon: FloatArray, x: FloatArray, y: FloatArray) -> NDArray[np.bool_]:
    """(rows, columns) whether the points of a grid lie in the polygon: an odd number of edges cross to their right."""
    ends = np.concatenate([polygon[1:], polygon[:1]])
    (x0, y0), (x1, y1) = ((points[:, :1], points[:, 1:]) for points in (polygon, ends))
    crosses = (y0 > y) != (y1 > y)
    rise = np.where(y0 == y1, 1.0, y1 - y0)  # a level edge crosses no row
    right = np.where(crosses, x0 + (y - y0) * (x1 - x0) / rise, -np.inf)
    return np.logical_xor.reduce(x < right[:, :, None], axis=0)


def _surface(polygon: FloatArray, at: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Tone and slopes (n, 2) of a blade at points.

    A pale midrib from its foot (its first point) to its farthest point, side veins between which it is quilted, and
    rims and a tip that bend down.
    """
    foot = polygon[0]
    tip = polygon[int(np.argmax(np.linalg.norm(polygon - foot, axis=1)))]
    size = max(float(np.linalg.norm(tip - foot)), 1e-9)
    ahead = (tip - foot) / size
    aside = np.array([ahead[1], -ahead[0]])
    t, side = (at - foot) @ ahead / size, (at - foot) @ aside / size
    phase = np.pi * 8 * (t - 0.55 * np.abs(side))  # side veins leave the midrib at a slant
    vein = np.exp(-((np.sin(phase) / 0.16) ** 2)) * np.clip(1.4 - 4 * np.abs(side), 0.35, 1)
    rib = np.exp(-((side / 0.014) ** 2)) * (1 - 0.5 * np.clip(t, 0, 1))
    tone = 0.82 + 0.13 * vein + 0.28 * rib + 0.06 * t
    across = CURL * side / 0.3 + QUILT * np.sin(2 * phase) * np.sign(side) - 0.22 * np.sign(side) * rib
    along = DROOP * 2 * (t - 0.45) - QUILT * np.sin(2 * phase)
    return tone, across[:, None] * aside + along[:, None] * ahead


def _mipmaps(picture: _Picture) -> list[NDArray[np.uint8]]:
    """Mipmaps of a picture: what is finer than their texels becomes a haze of the same coverage."""
    levels = [_rgba(picture)]
    while min(picture.alpha.shape) > 1:
        picture = _Picture(*map(_halved, picture))
        levels.append(_rgba(picture))
    return levels


def _halved(values: FloatArray) -> FloatArray:
    return np.asarray(zoom(values, 0.5, order=1, grid_mode=True, mode="nearest"))


def _rgba(picture: _Picture) -> NDArray[np.uint8]:
    slopes = (0.5 + 0.5 * np.clip(slope, -1, 1) for slope in (picture.across, picture.along))
    image = np.stack([picture.tone, *slopes, picture.alpha], axis=2)
    return np.round(255 * np.clip(image, 0, 1)).astype(np.uint8)
