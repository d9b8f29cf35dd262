"""Occlusion: whether what each pixel shows can be seen in the frame before or after it."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from windflower.core.buffers import bindings, dispatch, kernel, recorded, zeros
from windflower.core.device import Gpu

__all__ = ["Hidden", "Occlusion"]

TILE = 8  # pixels along a side of a workgroup, as in occlusion.wgsl


class Hidden(NamedTuple):
    """Whether what pixels show is hidden, or out of the picture, (height, width).

    after   of the earlier frame in the later one
    before  of the later frame in the earlier one
    """

    after: NDArray[np.bool_]
    before: NDArray[np.bool_]


class Occlusion:
    """Finds out what two frames of one size hide of one another."""

    def __init__(self, gpu: Gpu, size: tuple[int, int]) -> None:
        self._gpu, self.size = gpu, size
        self._kernel = kernel(gpu, "render/wgsl/occlusion.wgsl")
        self._found = zeros(gpu, 4 * size[0] * size[1], "hidden")

    def between(self, earlier: Sequence[Any], later: Sequence[Any]) -> Hidden:
        """What two frames hide; of each, textures of labels and of motion to the other, see data.wgsl."""
        width, height = self.size
        group = bindings(self._gpu, self._kernel, *(one.create_view() for one in (*earlier, *later)), self._found)
        with recorded(self._gpu) as compute_pass:
            dispatch(compute_pass, self._kernel, group, -(-width // TILE), -(-height // TILE))
        bits = np.frombuffer(self._gpu.queue.read_buffer(self._found), "<u4").reshape(height, width)
        return Hidden((bits & 1) > 0, (bits & 2) > 0)
