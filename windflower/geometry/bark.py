"""Bark as a tile that repeats: colour and relief, from the functions by which tubes.wgsl paints trunks.

The patterns are solid: a function of the place in space, p = (r cos a, r sin a, metres along the stem). A tile is the
mantle of a stem of one size, unrolled; around the stem it closes by itself, and along it its ends are blended.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from windflower.core.arrays import FloatArray
from windflower.motion.rhythm import scrambled

__all__ = ["TILE", "BarkTile", "bark_tile", "noise3"]

TILE = 0.8  # m, side of the tile: what it goes around is a stem of 25 cm
ABOVE = 3.0  # m above the ground at which it is taken
BLENDED = 0.2  # share of its height in which its ends become one


@dataclass(frozen=True, eq=False)
class BarkTile:
    """A square of bark, rows from its upper end down.

    colour  (pixels, pixels, 3) linear RGB
    relief  (pixels, pixels) height, m
    """

    colour: FloatArray
    relief: FloatArray

    @property
    def normals(self) -> FloatArray:
        """(pixels, pixels, 3) unit normals in the frame of a texture: x to the right, y up, z outward."""
        step = TILE / len(self.relief)
        right = (np.roll(self.relief, -1, axis=1) - np.roll(self.relief, 1, axis=1)) / (2 * step)
        up = (np.roll(self.relief, 1, axis=0) - np.roll(self.relief, -1, axis=0)) / (2 * step)
        normal = np.stack([-right, -up, np.ones_like(up)], axis=-1)
        return np.asarray(normal / np.linalg.norm(normal, axis=-1, keepdims=True))


def bark_tile(colour: ArrayLike, pattern: str, pixels: int = 512) -> BarkTile:
    """The bark of a species with this colour, linear RGB, and pattern."""
    own, radius = np.asarray(colour, np.float64), TILE / (2 * np.pi)
    around = 2 * np.pi * (np.arange(pixels) + 0.5) / pixels
    along = TILE * (1 - (np.arange(pixels) + 0.5) / pixels)
    ring = np.stack([radius * np.cos(around), radius * np.sin(around)], axis=-1)

    def painted(z: FloatArray) -> FloatArray:
        both = np.broadcast_to(ring, (len(z), pixels, 2)), np.broadcast_to(z[:, None, None], (len(z), pixels, 1))
        p = np.concatenate(both, axis=-1)
        paint, relief = PATTERNS[pattern](own, p)
        return np.concatenate([paint, relief[..., None]], axis=-1)

    share = np.clip((along / TILE - (1 - BLENDED)) / BLENDED, 0, 1)[:, None, None]
    whole = painted(along) * (1 - share) + painted(along - TILE) * share
    return BarkTile(np.clip(whole[..., :3], 0, 1), whole[..., 3])


def noise3(p: FloatArray) -> FloatArray:
    """Smooth noise (…,) in [0, 1) at places (…, 3): random at whole numbers; the twin of `noise3` in noise.wgsl."""
    cell = np.floor(p)
    f = p - cell
    w = f * f * (3 - 2 * f)
    corner = cell.astype(np.int64)
    value = 0.0
    for k in range(8):
        step = np.array([k & 1, k >> 1 & 1, k >> 2 & 1])
        share = np.prod(np.where(step == 1, w, 1 - w), axis=-1)
        value = value + share * _lattice(corner + step)
    return np.asarray(value)


def _lattice(corner: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> FloatArray:
    x, y, z = np.moveaxis(corner.astype(np.uint32), -1, 0)
    with np.errstate(over="ignore"):
        mixed = (x * np.uint32(73856093)) ^ (y * np.uint32(19349663)) ^ (z * np.uint32(83492791))
    return (scrambled(mixed) >> np.uint32(8)).astype(np.float64) / 2**24


def _ridges(own: FloatArray, p: FloatArray) -> tuple[FloatArray, FloatArray]:
    wave = noise3(p * [7.0, 7.0, 1.3])
    furrow = np.abs(2 * noise3(p * [26.0, 26.0, 4.2] + wave[..., None] * 2.5) - 1)
    grain = noise3(p * [90.0, 90.0, 22.0])
    shade = (0.38 + 0.85 * _smooth(0.03, 0.45, furrow)) * (0.86 + 0.28 * grain)
    return own * (shade * (0.68 + 0.26 * wave))[..., None], 0.012 * _smooth(0.0, 0.5, furrow)


def _plates(own: FloatArray, p: FloatArray) -> tuple[FloatArray, FloatArray]:
    joint = np.abs(noise3(p * [13.0, 13.0, 5.0] + 3.0 * noise3(p * 3.0)[..., None]) - 0.5)
    flakes = noise3(p * [60.0, 60.0, 30.0])
    plate = 0.35 + 0.75 * _smooth(0.0, 0.11, joint)
    old = _mix(own, np.array([0.16, 0.12, 0.09]), 0.7 * _smooth(4.5, 0.5, np.array(ABOVE)))
    return old * (plate * (0.8 + 0.4 * flakes))[..., None], 0.009 * _smooth(0.0, 0.12, joint)


def _bands(own: FloatArray, p: FloatArray) -> tuple[FloatArray, FloatArray]:
    band = noise3(p * [5.0, 5.0, 26.0])
    scar = _smooth(0.70, 0.80, band) * _smooth(0.25, 0.6, noise3(p * [16.0, 16.0, 60.0] + 5.0))
    paper = 0.9 + 0.2 * noise3(p * [2.0, 2.0, 9.0])
    return _mix(own * paper[..., None], np.array([0.035, 0.03, 0.03]), (0.9 * scar)[..., None]), 0.002 * scar


def _rings(own: FloatArray, p: FloatArray) -> tuple[FloatArray, FloatArray]:
    turns = p[..., 2] * 7.0 + 0.35 * noise3(p * 6.0)
    ring = np.abs(turns - np.floor(turns) - 0.5) * 2
    shade = (0.5 + 0.6 * _smooth(0.0, 0.35, ring)) * (0.8 + 0.4 * noise3(p * [70.0, 70.0, 8.0]))
    return own * shade[..., None], 0.008 * _smooth(0.0, 0.4, ring)


def _even(own: FloatArray, p: FloatArray) -> tuple[FloatArray, FloatArray]:
    line = _smooth(0.72, 0.85, noise3(p * [12.0, 12.0, 80.0]))
    return own * (0.82 + 0.36 * noise3(p * [5.0, 5.0, 3.0]) - 0.25 * line)[..., None], 0.001 * line


PATTERNS: dict[str, Callable[[FloatArray, FloatArray], tuple[FloatArray, FloatArray]]] = {
    "ridges": _ridges,
    "plates": _plates,
    "bands": _bands,
    "rings": _rings,
    "smooth": _even,
}


def _smooth(low: float, high: float, x: FloatArray) -> FloatArray:
    t = np.clip((x - low) / (high - low), 0, 1)
    return np.asarray(t * t * (3 - 2 * t))


def _mix(a: FloatArray, b: FloatArray, share: FloatArray) -> FloatArray:
    return np.asarray(a * (1 - share) + b * share)
