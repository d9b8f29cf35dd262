"""Occlusion: whether what a pixel shows can be seen in another frame, by the depths of both."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["hidden_in"]

NEAR = 0.01  # relative difference of two depths up to which they are of one surface


def hidden_in(motion: NDArray[Any], depth: NDArray[Any]) -> NDArray[np.bool_]:
    """Whether what each pixel shows is hidden, or out of the picture, in another frame, (height, width).

    motion  (height, width, 4) pixels to where it is there, and how far from the camera it is then, m, 0 for the sky
    depth   (height, width) distances that the other frame shows, m, infinite for its sky

    It is seen if a pixel about the place where it is shows something as far away; depths there bound a surface that
    slants, so one that lies between the nearest and the farthest of four neighbours is seen too.
    """
    height, width = depth.shape
    row, column = np.mgrid[:height, :width]
    x, y = column + motion[..., 0], row + motion[..., 1]
    outside = ~((x > -0.5) & (x < width - 0.5) & (y > -0.5) & (y < height - 0.5))
    expected = np.where(motion[..., 2] > 0, motion[..., 2], np.inf)
    left, top = (np.floor(np.where(outside, 0.0, place)).astype(int) for place in (x, y))
    about = np.stack(
        [
            depth[np.clip(top + down, 0, height - 1), np.clip(left + right, 0, width - 1)]
            for down in (0, 1)
            for right in (0, 1)
        ]
    )
    with np.errstate(invalid="ignore"):
        there = (expected >= about.min(axis=0) * (1 - NEAR)) & (expected <= about.max(axis=0) * (1 + NEAR))
    seen = np.where(np.isinf(expected), np.isinf(about).any(axis=0), there)
    return np.asarray(outside | ~seen)
