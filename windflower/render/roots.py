"""Roots that run over the ground about the trunks near the camera, on the device."""

from typing import Any

import numpy as np

from windflower.core.buffers import Bindings, Upload, bind_group
from windflower.core.device import Gpu
from windflower.geometry.trunks import Roots
from windflower.render.bark_textures import bark_textures
from windflower.render.ground_pipelines import GroundPipelines
from windflower.render.sward import SOWN, indices

__all__ = ["DrawnRoots"]


class DrawnRoots:
    """The roots in view; none until some are written."""

    def __init__(self, gpu: Gpu, pipelines: GroundPipelines) -> None:
        self._mesh = indices(gpu, "roots", 0, 1)
        self._upload, self._grown = Upload(gpu, "roots"), Bindings(gpu, pipelines.sown)
        self._gpu, self._layout = gpu, pipelines.bark
        self._buffer: Any = None
        self._bark: Any = None
        self.count = 0

    def write(self, roots: Roots) -> None:
        """Upload roots, in place of those before."""
        self.count = len(roots.yaw)
        records = np.zeros(self.count, SOWN)
        records["root"][:, [0, 2]], records["root"][:, 3] = roots.foot, roots.length
        records["lean"] = np.column_stack([roots.trunk, roots.reach, roots.yaw, roots.radius])
        records["colour"] = np.column_stack([roots.colour, (997 * roots.yaw + 89 * roots.length) % 1])
        records["air"][:, 1] = roots.moss
        self._buffer = self._upload.write(records)
        if self.count and self._bark is None:
            self._bark = bind_group(self._gpu, self._layout, *bark_textures(self._gpu, "ridges"))

    def draw(self, render_pass: Any, pipelines: GroundPipelines) -> None:
        """Draw them, in the pass of these pipelines."""
        if not self.count:
            return
        render_pass.set_pipeline(*pipelines.grow["roots"])
        render_pass.set_bind_group(2, self._grown.group(self._buffer, self._buffer))
        render_pass.set_bind_group(3, self._bark)
        render_pass.set_index_buffer(self._mesh, "uint32")
        render_pass.draw_indexed(self._mesh.size // 4, self.count)
