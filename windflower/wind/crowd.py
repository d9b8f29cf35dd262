"""Many points at once: parts that stay in the processor's cache, shared between its cores."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from windflower.core.arrays import FloatArray

__all__ = ["in_parts"]

PART = 16384
"""Points in a part. The number of cores changes no part, and so no bit of the answer."""

Flow = Callable[[FloatArray, FloatArray | float], FloatArray]


def in_parts(flow: Flow, points: FloatArray, t: FloatArray | float) -> FloatArray:
    """`flow(points, t)` for points (n, 3) at one time or at (n,) times, worked out part by part."""
    count = len(points)
    if count <= PART:
        return flow(points, t)
    parts = [slice(start, start + PART) for start in range(0, count, PART)]
    out = np.empty((count, 3))

    def fill(part: slice) -> None:
        out[part] = flow(points[part], t if isinstance(t, float) else t[part])

    with ThreadPoolExecutor(min(os.cpu_count() or 1, len(parts))) as pool:
        # Going through the answers raises what went wrong in a part.
        for _ in pool.map(fill, parts):
            pass
    return out
