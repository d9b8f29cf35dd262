"""Ever smaller copies of pictures, halved as light and not as the numbers that stand for it."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

__all__ = ["halved_pictures"]

FINE = 1 << 14  # steps of light that are told apart: dark ones need them


def halved_pictures(pictures: NDArray[np.uint8], *, srgb: bool) -> list[NDArray[np.uint8]]:
    """Pictures (n, side, side, 4) halved until a side is odd, the first as they are.

    srgb  whether colours are in sRGB; the fourth number, coverage, is always what it is. Colours are times coverage, so
          that means are right
    """
    levels, light = [pictures], _light(pictures, srgb=srgb)
    while light.shape[1] % 2 == 0:
        # Sums of four slices are several times as quick as a mean over two axes.
        rows = light[:, 0::2] + light[:, 1::2]
        light = (rows[:, :, 0::2] + rows[:, :, 1::2]) * np.float32(0.25)
        levels.append(_shown(light, srgb=srgb))
    return levels


def _light(shown: NDArray[np.uint8], *, srgb: bool) -> NDArray[np.float32]:
    """From the numbers of a picture to light."""
    light = np.empty(shown.shape, np.float32)
    light[..., :3] = _tables()[0][shown[..., :3]] if srgb else shown[..., :3] / np.float32(255)
    light[..., 3] = shown[..., 3] / np.float32(255)
    return light


def _shown(light: NDArray[np.float32], *, srgb: bool) -> NDArray[np.uint8]:
    """And back."""
    shown = (light * np.float32(255) + np.float32(0.5)).astype(np.uint8)
    if srgb:
        step = (light[..., :3] * np.float32(FINE) + np.float32(0.5)).astype(np.uint16)
        shown[..., :3] = _tables()[1][step]
    return shown


@cache
def _tables() -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
    """(256,) light of each number of sRGB, and (FINE + 1,) the number of each step of light."""
    shown, light = np.arange(256) / 255, np.arange(FINE + 1) / FINE
    decoded = np.where(shown <= 0.04045, shown / 12.92, ((shown + 0.055) / 1.055) ** 2.4)
    encoded = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    return decoded.astype(np.float32), np.round(255 * encoded).astype(np.uint8)
