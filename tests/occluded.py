"""Occlusion worked out in NumPy: the twin of occlusion.wgsl."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["hidden_in"]

NEAR = 0.004  # relative difference of two depths up to which they may be of one surface
BESIDE = 0.9  # pixels up to which the middle of a pixel is about a place
ASTRAY = 0.3, 0.1  # pixels by which two ways lead apart that are still one: always, and of their length


def hidden_in(motion: NDArray[Any], depth: NDArray[Any], back: NDArray[Any]) -> NDArray[np.bool_]:
    """Whether what each pixel shows is hidden, or out of the picture, in another frame, (height, width).

    motion  (height, width, 4) pixels to where it is there, and how far from the camera it is then, m, 0 for the sky
    depth   (height, width) distances that the other frame shows, m, infinite for its sky
    back    (height, width, 4) the motion of the other frame to this one

    It is seen if one of the four pixels about the place where it is shows something as far away that came from here.
    """
    height, width = depth.shape
    row, column = np.mgrid[:height, :width]
    x, y = column + motion[..., 0], row + motion[..., 1]
    outside = ~((x > -0.5) & (x < width - 0.5) & (y > -0.5) & (y < height - 0.5))
    left, top = (np.floor(np.where(outside, 0.0, place)).astype(int) for place in (x, y))
    expected = np.where(motion[..., 2] > 0, motion[..., 2], np.inf)
    slope = np.where(np.isfinite(expected), _slope(expected), 0.0)
    room = ASTRAY[0] + ASTRAY[1] * np.hypot(motion[..., 0], motion[..., 1])
    seen = np.zeros(depth.shape, bool)
    for down, right in ((0, 0), (0, 1), (1, 0), (1, 1)):
        at = np.clip(top + down, 0, height - 1), np.clip(left + right, 0, width - 1)
        with np.errstate(invalid="ignore"):
            close = (depth[at] == expected) | (np.abs(depth[at] - expected) < NEAR * expected + slope)
        about = (np.abs(top + down - y) < BESIDE) & (np.abs(left + right - x) < BESIDE)
        apart = motion[..., :2] + back[at][..., :2]
        seen |= about & close & (np.hypot(apart[..., 0], apart[..., 1]) < room)
    return np.asarray(outside | ~seen)


def _slope(depth: NDArray[Any]) -> NDArray[Any]:
    """How much depths change from a pixel to the next, along the surface that each shows, m."""
    padded = np.pad(depth, 1, mode="edge")
    middle = padded[1:-1, 1:-1]
    with np.errstate(invalid="ignore"):
        beside = np.fmin(np.abs(padded[1:-1, 2:] - middle), np.abs(padded[1:-1, :-2] - middle))
        above = np.fmin(np.abs(padded[2:, 1:-1] - middle), np.abs(padded[:-2, 1:-1] - middle))
    return np.minimum(np.nan_to_num(beside + above, posinf=0.0), NEAR * 5 * middle)
