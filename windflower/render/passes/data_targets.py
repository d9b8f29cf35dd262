"""Render targets of a data view, read back as arrays."""

from collections.abc import Callable
from typing import Any

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.buffers import bind_group
from windflower.core.device import Gpu
from windflower.errors import GpuError
from windflower.render.passes.data_pipelines import FACTS, mean_pipeline
from windflower.render.pipelines import DEPTH

__all__ = ["DataTargets", "target_bytes"]

ATTACHMENT, TEXTURE, COPY_SRC = 0x10, 0x04, 0x01
TEXEL, DEPTH_TEXEL = 16, 4  # bytes


def target_bytes(size: tuple[int, int], count: int, *, side: int = 1) -> int:
    """Bytes on the device of the targets of so many kinds of data: see `DataTargets`."""
    means = TEXEL * count if side > 1 else 0
    return size[0] * size[1] * (side * side * (TEXEL * count + DEPTH_TEXEL) + means)


class DataTargets:
    """One texture for each kind of data, and a depth buffer.

    size  width and height, pixels
    side  samples along a side of a pixel; their mean is read
    """

    def __init__(self, gpu: Gpu, size: tuple[int, int], count: int, *, side: int = 1) -> None:
        self._gpu, self.size, self.side = gpu, size, side
        self.large = size[0] * side, size[1] * side
        _check(gpu, self.large, side)
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

    @property
    def textures(self) -> list[Any]:
        """What was drawn, with one texel for each pixel."""
        return self._means or self._colours

    def read(self, kind: int) -> FloatArray:
        """Read what was drawn of one kind of data, (height, width, 4)."""
        width, height = self.size
        layout = {"bytes_per_row": TEXEL * width, "rows_per_image": height}
        found = self._gpu.queue.read_texture({"texture": self.textures[kind]}, layout, (width, height, 1))
        return np.frombuffer(found, "<f4").reshape(height, width, 4)

    def _texture(self, size: tuple[int, int], form: str, usage: int = ATTACHMENT | TEXTURE | COPY_SRC) -> Any:
        return self._gpu.device.create_texture(size=(*size, 1), format=form, usage=usage)

    def _average(self, encoder: Any, samples: Any, mean: Any) -> None:
        pipeline = mean_pipeline(self._gpu, self.side)
        full_pass = encoder.begin_render_pass(color_attachments=[_cleared(mean)])
        full_pass.set_pipeline(pipeline)
        full_pass.set_bind_group(0, bind_group(self._gpu, pipeline.get_bind_group_layout(0), samples.create_view()))
        full_pass.draw(3)
        full_pass.end()


def _check(gpu: Gpu, large: tuple[int, int], side: int) -> None:
    """Refuse what is larger with all its samples than the device can draw."""
    longest = gpu.device.limits["max-texture-dimension-2d"]
    if max(large) > longest:
        raise GpuError(
            f"albedo has {side} samples along a side of a pixel, so this device draws it up to {longest // side:,} "
            f"pixels a side; asked for is {large[0] // side}x{large[1] // side}. Leave albedo out, or draw smaller."
        )


def _cleared(texture: Any) -> dict[str, Any]:
    return {"view": texture.create_view(), "clear_value": (0, 0, 0, 0), "load_op": "clear", "store_op": "store"}
