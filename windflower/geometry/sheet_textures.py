"""Sheets as pictures: veins of blades, and what flags and signs show; twins of the patterns in surface.wgsl.

A picture lies over the whole of a sheet: x across it, y along it from the edge that holds it, downward.
"""

from collections.abc import Callable

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.geometry.finishes import SheetLook
from windflower.motion.rhythm import scrambled, uniform

__all__ = ["BACK", "WARMER", "is_blade", "sheet_picture", "sheet_tints"]

BACK = (0.30, 0.31, 0.32)  # bare metal behind a sign
RIM, RIM_SHARE = np.array([0.30, 0.27, 0.08]), 0.25  # of a blade; its mean share, as blades have from 0 to twice that
WARMER = np.array([1.05, 0.92, 0.88])  # a blade than the colour of its look
TONES = 0.8, 0.4  # the darkest blade over the mean one, and how much brighter the brightest is than that
TURN = 6.2832


def sheet_picture(look: SheetLook, pixels: int = 512) -> FloatArray:
    """(pixels, pixels, 3) linear RGB of the front of a sheet of mean tone."""
    v, u = (np.indices((pixels, pixels)) + 0.5) / pixels
    return np.clip(PATTERNS.get(look.pattern, _blade)(look, u, v, 1.4 / pixels), 0, 1)


def sheet_tints(look: SheetLook, sheet: IntArray) -> FloatArray:
    """(n,) factors on the picture for sheets of these numbers: every blade has its own tone."""
    if not is_blade(look):
        return np.ones(len(sheet))
    with np.errstate(over="ignore"):
        return TONES[0] + TONES[1] * uniform(scrambled(sheet.astype(np.uint32) * np.uint32(11) + np.uint32(3)))


def is_blade(look: SheetLook) -> bool:
    """Whether it is a living blade, not cloth or a sign."""
    return look.pattern not in PATTERNS


def _blade(look: SheetLook, u: FloatArray, v: FloatArray, _: float) -> FloatArray:
    side = np.abs(u - 0.5) * 2
    rib, rim = np.exp(-((side / 0.035) ** 2)), RIM_SHARE * _smooth(0.86, 1.0, side)
    green = np.array(look.colour) * WARMER * (0.82 + 0.18 * _between_veins(look, u, v, side))[..., None]
    return _mix(_mix(green, RIM, rim), np.array(look.second), 0.8 * rib)


def _between_veins(look: SheetLook, u: FloatArray, v: FloatArray, side: FloatArray) -> FloatArray:
    if look.pattern == "parallel":
        return 0.5 - 0.5 * np.cos(TURN * look.lines * 0.5 * side)
    if look.pattern == "netted":
        fan = 0.5 - 0.5 * np.cos(look.lines * np.arctan2(np.abs(u - 0.5), (v + 0.04) * look.aspect))
        net = 0.5 - 0.5 * np.cos(TURN * look.lines * (v - 0.3 * side))
        return 1 - (1 - fan) ** 2 - 0.25 * (1 - net)
    if look.pattern == "plain":
        return np.ones_like(u)
    return 0.5 + 0.5 * np.cos(TURN * look.lines * (v - 0.18 * side))


def _striped(look: SheetLook, u: FloatArray, _: FloatArray, __: float) -> FloatArray:
    even = (np.floor(u * look.lines) % 2 == 0)[..., None]
    return np.where(even, look.colour, look.second)


def _flowered(look: SheetLook, u: FloatArray, v: FloatArray, pixel: float) -> FloatArray:
    many = max(round(look.aspect / 1.5), 1)
    x, y = 2 * (u - 0.5), 2 * (v * many % 1 - 0.5) * look.aspect / many
    r, angle = np.hypot(x, y), np.arctan2(x, y)
    petal = 0.36 + 0.30 * np.sqrt(np.abs(np.cos(3 * angle)))
    line = 0.12 * _smooth(0.02, 0.10, np.abs(np.sin(3 * angle))) + 0.88
    white, ground = np.array(look.second), np.array(look.colour)
    flower = _mix(white * line[..., None], ground, _beyond(petal, r, pixel))
    heart = _mix(np.array([0.62, 0.36, 0.03]), flower, _beyond(0.15, r, pixel))
    return _mix(heart, white, _beyond(0.86, np.abs(x), pixel) - _beyond(0.94, np.abs(x), pixel))


def _signed(look: SheetLook, u: FloatArray, v: FloatArray, pixel: float) -> FloatArray:
    x, y = 2 * (u - 0.5), 2 * (v - 0.5)
    rim = np.maximum(np.abs(x), np.abs(y))
    border = _beyond(0.86, rim, pixel) - _beyond(0.95, rim, pixel)
    shaft = (1 - _beyond(0.13, np.abs(x), pixel)) * (1 - _beyond(0.62, np.abs(y), pixel))
    head = (1 - _beyond(0.0, np.abs(x) * 1.1 + y - 0.68, pixel)) * _beyond(0.08, y, pixel)
    return _mix(np.array(look.colour), np.array(look.second), np.clip(border + np.maximum(shaft, head), 0, 1))


PATTERNS: dict[str, Callable[[SheetLook, FloatArray, FloatArray, float], FloatArray]] = {
    "stripes": _striped,
    "flower": _flowered,
    "sign": _signed,
}


def _beyond(edge: FloatArray | float, x: FloatArray, pixel: float) -> FloatArray:
    return _smooth(edge - pixel, edge + pixel, x)


def _smooth(low: FloatArray | float, high: FloatArray | float, x: FloatArray) -> FloatArray:
    t = np.clip((x - low) / (np.asarray(high) - low), 0, 1)
    return np.asarray(t * t * (3 - 2 * t))


def _mix(a: FloatArray, b: FloatArray, share: FloatArray) -> FloatArray:
    return np.asarray(a + (b - a) * share[..., None])
