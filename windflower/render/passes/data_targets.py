"""Render targets of a data view, read back as arrays."""

from collections.abc import Callable
from typing import Any

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.buffers import bind_group
from windflower.core.device import Gpu
from windflower.render.passes.data_pipelines import FACTS, mean_pipeline
from windflower.render.pipelines import DEPTH

__all__ = ["DataTargets"]

ATTACHMENT, TEXTURE, COPY_SRC = 0x10, 0x04, 0x01


class DataTargets:
    """One texture for each kind of data, and a depth buffer.

    size  width and height, pixels
    side  samples along a side of a pixel; their mean is read
    """

    def __init__(self, gpu: Gpu, size: tuple[int, int], count: int, *, side: int = 1) -> None:
        self._gpu, self.size, self.side = gpu, size, side
        self.large = size[0] * side, size[1] * side
        self._colours = [self._texture(self.large, FACTS) for _ in range(count)]
        self._depth = self._texture(self.large, DEPTH, usage=ATTACHMENT)
        self._means = [self._texture(size, FACTS) for _ in self._colours] if side > 1 else []

    def draw(self, encoder: Any, record: Callable[[Any], None]) -> None:
        """Record a render pass that draws into them."""
        render_pass = encoder.begin_render_pass(
            color_attachments=[_cleared(one) for one in self._colours],
            depth_stencil_attachment={
                "view": self._depth.create_view(),
                "depth_clear_value": 0.0,
                "depth_load_op": "clear",
                "depth_store_op": "discard",
            },
        )
        record(render_pass)
        render_pass.end()
        for samples, mean in zip(self._colours, self._means, strict=False):
            self._average(encoder, samples, mean)

    @property
    def form(self) -> dict[str, Any]:
        """Formats, for render bundles."""
        return {"color_formats": [FACTS for _ in self._colours], "depth_stencil_format": DEPTH, "sample_count": 1}

    def read(self) -> list[FloatArray]:
        """Read what was drawn: of each kind of data (height, width, 4)."""
        width, height = self.size
        layout = {"bytes_per_row": 16 * width, "rows_per_image": height}
        return [
            np.frombuffer(self._gpu.queue.read_texture({"texture": one}, layout, (width, height, 1)), "<f4").reshape(
                height, width, 4
            )
            for one in self._means or self._colours
        ]

    def _texture(self, size: tuple[int, int], form: str, usage: int = ATTACHMENT | TEXTURE | COPY_SRC) -> Any:
        return self._gpu.device.create_texture(size=(*size, 1), format=form, usage=usage)

    def _average(self, encoder: Any, samples: Any, mean: Any) -> None:
        pipeline = mean_pipeline(self._gpu, self.side)
        full_pass = encoder.begin_render_pass(color_attachments=[_cleared(mean)])
        full_pass.set_pipeline(pipeline)
        full_pass.set_bind_group(0, bind_group(self._gpu, pipeline.get_bind_group_layout(0), samples.create_view()))
        full_pass.draw(3)
        full_pass.end()


def _cleared(texture: Any) -> dict[str, Any]:
    return {"view": texture.create_view(), "clear_value": (0, 0, 0, 0), "load_op": "clear", "store_op": "store"}
