"""Vertex animation textures by the layout of OpenVAT: offsets and normals of every vertex in every frame, as pixels.

    columns: vertices, a strip of them after the other     rows: frames, one after the other in each strip
    upper half: offset from the bound mesh, 0 to 1 between Min and Max     lower half: normals, 0 to 1 for -1 to 1

Axes are Blender's: x, -z, y of ours. The second texture coordinates of a vertex name its pixel of the first frame.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.errors import FileError

__all__ = ["VertexTexture"]

SIDES = tuple(2**power for power in range(6, 14))  # 64 to 8192
FINENESS = 1e-4  # m, to which Min and Max are rounded outward


@dataclass(frozen=True, eq=False)
class VertexTexture:
    """Offsets from the bound mesh and normals over frames.

    offset  (frames, vertices, 3)  m
    normal  (frames, vertices, 3)
    """

    offset: FloatArray
    normal: FloatArray

    @cached_property
    def size(self) -> tuple[int, int]:
        """Width and height: powers of two, as little as can be, neither more than twice the other if that can be."""
        frames, vertices = self.offset.shape[:2]
        sizes = [(width, _power(2 * -(-vertices // width) * frames)) for width in SIDES]
        fitting = [(width, height) for width, height in sizes if height <= SIDES[-1]]
        if not fitting:
            raise FileError(
                f"a vertex animation texture has at most {SIDES[-1]} pixels a side; {vertices:,} vertices in {frames} "
                "frames need more. Use fewer --triangles, a lower --fps or shorter loops."
            )
        return min(fitting, key=lambda size: (size[0] * size[1], abs(np.log2(size[0] / size[1]))))

    @cached_property
    def bounds(self) -> tuple[FloatArray, FloatArray]:
        """(3,) least and largest offset, m, in Blender's axes."""
        offset = _blender(self.offset)
        least = np.floor(offset.min(axis=(0, 1)) / FINENESS) * FINENESS
        most = np.ceil(offset.max(axis=(0, 1)) / FINENESS) * FINENESS
        return np.round(least, 6), np.round(np.maximum(most, least + FINENESS), 6)

    @property
    def coordinates(self) -> FloatArray:
        """(vertices, 2) texture coordinates of each vertex in the first frame, y down."""
        (width, height), (frames, vertices) = self.size, self.offset.shape[:2]
        column, strip = np.arange(vertices) % width, np.arange(vertices) // width
        return np.column_stack([(column + 0.5) / width, (strip * frames + 0.5) / height])

    def pixels(self) -> FloatArray:
        """(height, width, 3) values from 0 to 1."""
        (width, height), (frames, vertices), (least, most) = self.size, self.offset.shape[:2], self.bounds
        picture = np.zeros((height, width, 3))
        column, strip = np.arange(vertices) % width, np.arange(vertices) // width
        row = strip * frames + np.arange(frames)[:, None]
        picture[row, column] = (_blender(self.offset) - least) / (most - least)
        picture[height // 2 + row, column] = 0.5 + 0.5 * _blender(self.normal)
        return picture


def _blender(vectors: FloatArray) -> FloatArray:
    return np.stack([vectors[..., 0], -vectors[..., 2], vectors[..., 1]], axis=-1)


def _power(least: int) -> int:
    return 1 << max(0, least - 1).bit_length()
