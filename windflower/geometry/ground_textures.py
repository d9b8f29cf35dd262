"""Tiling textures of ground: colour, height and normals of soil, turf, litter, needles, moss, sand and snow.

Every texture repeats without a seam: its noise is a sum of whole waves, and what lies on it is laid over its edges.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter

from windflower.core.arrays import FloatArray
from windflower.core.kept import kept
from windflower.core.randomness import between, draw

__all__ = ["MATERIALS", "SIDE", "GroundTexture", "ground_texture"]

SIDE = 512  # texels along a side
KEY = 61  # key of the random numbers of this module


@dataclass(frozen=True, eq=False)
class GroundTexture:
    """One material.

    size    length of a side, m
    colour  (n, n, 4) roots of linear RGB, and height, 0 to 1
    normal  (n, n, 4) slopes along x and z, -1 to 1, times a half and raised by a half; openness of its hollows; gloss
    """

    size: float
    colour: NDArray[np.uint8]
    normal: NDArray[np.uint8]

    @cached_property
    def mean(self) -> FloatArray:
        """Mean colour (3,), linear RGB."""
        return np.asarray(np.square(self.colour[..., :3] / 255).mean(axis=(0, 1)))


@cache
def ground_texture(name: str) -> GroundTexture:
    """A material by its name."""
    texels = kept(f"ground-{name}", partial(_texels, name))
    return GroundTexture(MATERIALS[name][0], texels["colour"], texels["normal"])


def _texels(name: str) -> dict[str, NDArray[Any]]:
    """Colours and normals of a material."""
    size, relief, gloss, make = MATERIALS[name]
    albedo, height = make()
    low, high = np.percentile(height, [0.5, 99.5])
    level = np.clip((height - low) / (high - low), 0, 1)
    metres = relief * level
    slope = [(np.roll(metres, -1, axis) - np.roll(metres, 1, axis)) * SIDE / (2 * size) for axis in (1, 0)]
    cavity = np.clip(1 + 3.0 * (level - gaussian_filter(level, 6, mode="wrap")), 0.35, 1.0)
    normal = np.stack([*(0.5 + 0.5 * np.clip(s, -1, 1) for s in slope), cavity, np.full_like(level, gloss)], axis=-1)
    colour = np.concatenate([np.clip(albedo, 0, 1), level[..., None]], axis=-1)
    return {"colour": _bytes(_encoded(colour)), "normal": _bytes(normal)}


def _encoded(colour: FloatArray) -> FloatArray:
    """Square roots of the colours, so that dark ones keep their steps; heights as they are."""
    return np.concatenate([np.sqrt(colour[..., :3]), colour[..., 3:]], axis=-1)


def _bytes(values: FloatArray) -> NDArray[np.uint8]:
    return np.round(255 * np.clip(values, 0, 1)).astype(np.uint8)


def _waves(seed: int, low: float, high: float, steep: float = 1.0) -> FloatArray:
    """Noise (n, n) of standard deviation 1: waves from `low` to `high` to a side, weaker by this power."""
    row, column = np.arange(SIDE)[:, None], np.arange(SIDE // 2 + 1)[None, :]
    k = np.hypot(np.fft.fftfreq(SIDE, 1 / SIDE)[:, None], column)
    weight = np.where((k >= low) & (k <= high), np.maximum(k, 1) ** -(1 + steep), 0)
    turn = np.exp(2j * np.pi * draw(KEY, seed, row, column))
    noise = np.fft.irfft2(weight * turn, s=(SIDE, SIDE))
    return np.asarray((noise - noise.mean()) / noise.std())


def _mix(a: tuple[float, ...], b: tuple[float, ...], share: FloatArray) -> FloatArray:
    """(n, n, 3) between two colours."""
    t = np.clip(share, 0, 1)[..., None]
    return np.asarray(np.array(a) * (1 - t) + np.array(b) * t)


Shape = Callable[[FloatArray, FloatArray, FloatArray], tuple[FloatArray, FloatArray, FloatArray]]
"""Coverage, height and colour (…, 3) or (3,) of a piece at places along and across it, by five random numbers."""


def _strewn(
    albedo: FloatArray,
    height: FloatArray,
    shape: Shape,
    *,
    seed: int,
    count: int,
    along: tuple[float, float],
    wide: float,
) -> None:
    """Strew pieces of a length in texels, and a width relative to it, over a ground, the later above the earlier."""
    number = np.arange(count)
    place = (np.stack([draw(KEY, seed, number, axis) for axis in range(2)], axis=1) * SIDE).astype(np.int64)
    half, turn = between(*along, KEY, seed, number, 2) / 2, 2 * np.pi * draw(KEY, seed, number, 3)
    own = draw(KEY, seed, number[:, None], np.arange(4, 9))
    c, s = np.cos(turn), np.sin(turn)
    aside = 2.5 * wide  # of a bent piece
    across = np.ceil(half * (np.abs(c) + aside * np.abs(s))).astype(np.int64)
    down = np.ceil(half * (np.abs(s) + aside * np.abs(c))).astype(np.int64)
    for k in number:
        x, z = (
            np.arange(-across[k], across[k] + 1, dtype=np.float32),
            np.arange(-down[k], down[k] + 1, dtype=np.float32),
        )
        u = (x * c[k] + z[:, None] * s[k]) / half[k]
        v = (z[:, None] * c[k] - x * s[k]) / (half[k] * wide)
        cover, level, colour = shape(u, v, own[k])
        rows, columns = (
            place[k, 1] + np.arange(-down[k], down[k] + 1),
            place[k, 0] + np.arange(-across[k], across[k] + 1),
        )
        where = np.ix_(rows % SIDE, columns % SIDE)
        under = height[where]
        height[where] = under + cover * (np.maximum(under, under.mean()) + level - under)
        below = albedo[where]
        albedo[where] = below + cover[..., None] * (colour - below)


def _edge(inside: FloatArray, soft: float) -> FloatArray:
    """Coverage of what is inside where a number is positive."""
    return np.clip(inside / soft + 0.5, 0, 1)


@cache
def _soil() -> tuple[FloatArray, FloatArray]:
    crumbs = np.abs(_waves(1, 18, 70, 0.4)) + 0.6 * np.abs(_waves(2, 50, 160, 0.2))
    lumps = _waves(3, 2, 14, 0.9)
    height = 0.9 * crumbs + 0.7 * lumps
    albedo = _mix((0.036, 0.026, 0.018), (0.106, 0.078, 0.054), 0.4 + 0.16 * lumps + 0.2 * (crumbs - 1))
    albedo *= (1 + 0.18 * _waves(4, 90, 255, 0.0))[..., None]

    def pebble(u: FloatArray, v: FloatArray, own: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        r = np.hypot(u, v) * (1 + 0.15 * np.cos(3 * np.arctan2(v, u) + 9 * own[0]))
        grey = np.array([0.15, 0.132, 0.110]) * (0.55 + 0.9 * own[1])
        return _edge(0.9 - r, 0.3), 2.2 * np.sqrt(np.clip(1 - r * r, 0, 1)), grey

    def crumb(u: FloatArray, v: FloatArray, own: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        r = np.hypot(u, v)
        brown = np.array([0.084, 0.060, 0.042]) * (0.5 + 1.0 * own[1])
        return _edge(0.8 - r, 0.4), 1.5 * np.sqrt(np.clip(1 - r * r, 0, 1)), brown

    _strewn(albedo, height, crumb, seed=5, count=1000, along=(5, 14), wide=0.8)
    _strewn(albedo, height, pebble, seed=6, count=110, along=(5, 20), wide=0.75)
    return albedo, height


def _turf() -> tuple[FloatArray, FloatArray]:
    """Thatch and short grass, seen from above between the blades."""
    height = 0.5 * _waves(11, 3, 20, 0.8)
    albedo = _mix((0.022, 0.026, 0.010), (0.050, 0.050, 0.020), 0.5 + 0.3 * height)
    greens = np.array([[0.040, 0.078, 0.014], [0.066, 0.105, 0.020], [0.095, 0.110, 0.034], [0.170, 0.145, 0.070]])

    def blade(u: FloatArray, v: FloatArray, own: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        bent = v + 2.0 * (u * u - 0.3) * (own[0] - 0.5)
        kind = greens[int(4 * own[1] ** 2)] * (0.6 + 0.7 * own[2])
        taper = 1 - 0.7 * np.clip(u, 0, 1)
        level = 0.5 + 1.2 * own[3] - 0.5 * np.abs(u)
        cover = _edge(taper - np.abs(bent), 0.7) * _edge(1 - np.abs(u), 0.2)
        return cover, level, kind

    _strewn(albedo, height, blade, seed=12, count=3000, along=(18, 46), wide=0.095)
    return albedo, height


def _litter() -> tuple[FloatArray, FloatArray]:
    """Dead leaves and twigs over humus; its colours are those of brown leaves, which the season may turn."""
    albedo, height = _soil()
    albedo, height = albedo * 0.55, 0.25 * height  # a copy
    tones = np.array([[0.150, 0.100, 0.060], [0.105, 0.072, 0.046], [0.205, 0.150, 0.096], [0.080, 0.060, 0.045]])

    def leaf(u: FloatArray, v: FloatArray, own: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        t = np.clip(0.5 + 0.5 * u, 0, 1)
        lobed = 1 + 0.22 * np.sin(16 * t + 9 * own[0]) * (own[1] < 0.33)
        outline = 1.9 * t**0.55 * (1 - t) ** 0.75 * lobed
        rib = np.exp(-((v / 0.09) ** 2)) + 0.35 * np.clip(np.cos(26 * (t - 0.35 * np.abs(v))) - 0.7, 0, 1)
        curl = 0.9 * (own[2] - 0.25) * v * v + 0.5 * (own[3] - 0.5) * u
        tone = tones[int(4 * own[4])] * (0.6 + 0.8 * own[0])
        colour = tone * (1 + 0.22 * rib - 0.15 * v)[..., None]
        return _edge(outline - np.abs(v), 0.25) * (np.abs(u) < 1), 0.85 + 1.3 * curl, colour

    def twig(u: FloatArray, v: FloatArray, own: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        bent = v + 3 * (u * u - 0.3) * (own[0] - 0.5)
        round_ = np.sqrt(np.clip(1 - bent * bent, 0, 1))
        colour = np.array([0.105, 0.078, 0.056]) * (0.55 + 0.7 * round_)[..., None]
        return _edge(1 - np.abs(bent), 0.5) * _edge(1 - np.abs(u), 0.1), 1.6 * round_, colour

    _strewn(albedo, height, leaf, seed=21, count=650, along=(20, 40), wide=0.55)
    _strewn(albedo, height, twig, seed=26, count=26, along=(40, 110), wide=0.035)
    _strewn(albedo, height, leaf, seed=22, count=420, along=(20, 40), wide=0.55)
    return albedo, height


def _needles() -> tuple[FloatArray, FloatArray]:
    """Needles in pairs, twigs and cones over humus."""
    albedo, height = _soil()
    albedo, height = albedo * 0.6, 0.25 * height  # a copy
    tones = np.array([[0.195, 0.105, 0.046], [0.150, 0.078, 0.036], [0.235, 0.150, 0.075], [0.095, 0.056, 0.034]])

    def needle(u: FloatArray, v: FloatArray, own: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Two that leave one sheath, each bent its own way."""
        spread = 0.9 * np.clip(0.5 + 0.5 * u, 0, 1)
        off = np.minimum(np.abs(v - spread * (0.6 + own[0])), np.abs(v + spread * (0.6 + own[1])))
        tone = tones[int(4 * own[2])] * (0.6 + 0.8 * own[3])
        return _edge(0.55 - off, 0.6) * _edge(1 - np.abs(u), 0.1), 0.5 + 0.5 * own[4], tone

    def twig(u: FloatArray, v: FloatArray, own: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        bent = v + 3 * (u * u - 0.3) * (own[0] - 0.5)
        round_ = np.sqrt(np.clip(1 - bent * bent, 0, 1))
        colour = np.array([0.120, 0.078, 0.052]) * (0.55 + 0.7 * round_)[..., None]
        return _edge(1 - np.abs(bent), 0.5) * _edge(1 - np.abs(u), 0.1), 1.6 * round_, colour

    def cone(u: FloatArray, v: FloatArray, own: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        r = np.hypot(u, v)
        scales = 0.5 + 0.5 * np.cos(9 * u + 4 * v) * np.cos(9 * u - 4 * v)
        colour = np.array([0.125, 0.080, 0.050]) * (0.35 + 0.9 * scales * (0.7 + 0.5 * own[0]))[..., None]
        return _edge(0.9 - r, 0.15), 2.4 * np.sqrt(np.clip(1 - r * r, 0, 1)) + 0.6 * scales, colour

    _strewn(albedo, height, needle, seed=61, count=2200, along=(14, 24), wide=0.09)
    _strewn(albedo, height, twig, seed=62, count=30, along=(20, 90), wide=0.04)
    _strewn(albedo, height, needle, seed=63, count=1600, along=(14, 24), wide=0.09)
    _strewn(albedo, height, cone, seed=64, count=9, along=(13, 18), wide=0.6)
    return albedo, height


def _moss() -> tuple[FloatArray, FloatArray]:
    cushions = np.square(_waves(31, 5, 16, 0.6)) * 0.5 + np.abs(_waves(34, 12, 40, 0.6)) * 0.5
    stems = _waves(32, 60, 200, 0.1)
    height = 1.6 * np.sqrt(cushions) + 0.35 * stems
    albedo = _mix((0.022, 0.040, 0.009), (0.072, 0.100, 0.020), 0.15 + 0.42 * np.sqrt(cushions) + 0.16 * stems)
    return albedo * (1 + 0.12 * _waves(33, 2, 8, 1.0))[..., None], height


def _sand() -> tuple[FloatArray, FloatArray]:
    z = np.arange(SIDE)[:, None] / SIDE
    warp = 0.055 * _waves(41, 1, 6, 1.6)
    phase = (9 * (z + warp)) % 1.0
    ripple = np.where(phase < 0.68, phase / 0.68, (1 - phase) / 0.32)
    ripple = gaussian_filter(ripple, 2.5, mode="wrap") * (0.75 + 0.25 * _waves(42, 1, 5, 1.5))
    grains = _waves(43, 120, 255, 0.0)
    height = ripple + 0.05 * grains + 0.12 * _waves(44, 4, 30, 0.9)
    albedo = _mix((0.35, 0.27, 0.175), (0.50, 0.41, 0.28), 0.45 + 0.25 * ripple + 0.10 * grains)
    dark = draw(KEY, 45, np.arange(SIDE)[:, None], np.arange(SIDE)) > 0.985
    return np.where(dark[..., None], albedo * 0.55, albedo), height


def _snow() -> tuple[FloatArray, FloatArray]:
    drift, crust = _waves(51, 1, 5, 1.6), _waves(52, 20, 200, 0.7)
    height = drift + 0.035 * crust
    return _mix((0.74, 0.79, 0.87), (0.86, 0.88, 0.91), 0.5 + 0.2 * drift + 0.1 * crust), height


MATERIALS: dict[str, tuple[float, float, float, Callable[[], tuple[FloatArray, FloatArray]]]] = {
    "soil": (1.4, 0.035, 0.10, _soil),
    "turf": (1.5, 0.030, 0.12, _turf),
    "litter": (1.6, 0.045, 0.20, _litter),
    "needles": (1.6, 0.030, 0.12, _needles),
    "moss": (0.9, 0.030, 0.05, _moss),
    "sand": (1.6, 0.035, 0.08, _sand),
    "snow": (3.0, 0.140, 0.30, _snow),
}
"""Length of a side, m, height of the relief, m, gloss, and the function that paints it, of each material."""
