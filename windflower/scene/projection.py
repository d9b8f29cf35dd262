"""View, projection and shadow-map matrices. Column vectors; Y up; depth 0 to 1."""

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.vectors import UP, unit

__all__ = ["NEAR", "look_at", "perspective", "shadow_projection"]

NEAR = 0.05


def look_at(eye: FloatArray, target: FloatArray) -> FloatArray:
    """View matrix (4, 4): world to camera space, x right, y up, z backward."""
    back = unit(eye - target)
    helper = UP if abs(back[1]) < 0.999 else np.array([0.0, 0.0, -1.0])
    right = unit(np.cross(helper, back))
    view = np.eye(4)
    view[:3, :3] = [right, np.cross(back, right), back]
    view[:3, 3] = -view[:3, :3] @ eye
    return view


def perspective(field_of_view: float, aspect: float) -> FloatArray:
    """Projection matrix (4, 4), camera to clip space; reversed depth, 1 at the near plane and 0 at infinity."""
    f = 1 / np.tan(np.radians(field_of_view) / 2)
    return np.array([[f / aspect, 0, 0, 0], [0, f, 0, 0], [0, 0, 0, NEAR], [0, 0, -1, 0]])


def shadow_projection(
    sun: FloatArray, middle: FloatArray, radius: float, height: float, texels: int
) -> tuple[FloatArray, float, float]:
    """Shadow-map matrix about a bounding sphere, snapped to whole texels so that shadows do not crawl.

    Returns the matrix (4, 4), the size of a texel in m, and the depth range in m; `height` is how far above the sphere
    shadow casters may be, m.
    """
    texel = 2 * radius / texels
    view = look_at(sun, np.zeros(3))
    at = view[:3, :3] @ middle
    at[:2] = np.round(at[:2] / texel) * texel
    depth = 2 * (radius + height)
    matrix = np.eye(4)
    matrix[:2] = view[:2] / radius
    matrix[:2, 3] = -at[:2] / radius
    matrix[2, :3] = -view[2, :3] / depth
    matrix[2, 3] = at[2] / depth + 0.5
    return matrix, texel, depth
