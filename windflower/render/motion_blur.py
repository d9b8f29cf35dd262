"""Motion blur: what moves while the shutter is open, spread over its way, from the velocities of pixels.

velocity ──> blur_tiles.wgsl ──> fastest of each tile ──> blur.wgsl <── light, velocity, depth
"""

from typing import Any

from windflower.core.buffers import Bindings, bind_group, uniform
from windflower.core.device import Gpu
from windflower.core.layouts import layout, record
from windflower.render.pipelines import LIGHT, VELOCITY, Pipelines

__all__ = ["MotionBlur"]

SHUTTER = layout("render/wgsl/shutter.wgsl", "Shutter")
TILES = 30  # in the height of a picture: no blur is longer than two of them
LEAST = 8  # pixels along a side of a tile
ATTACHMENT, TEXTURE, COPY_SRC = 0x10, 0x04, 0x01


class MotionBlur:
    """Passes of a renderer's motion blur.

    shutter  angle for which the shutter is open, degrees: 360 is the whole time between two frames
    picture  texture of the blurred light
    """

    def __init__(self, gpu: Gpu, size: tuple[int, int], pipelines: Pipelines, shutter: float) -> None:
        side = max(size[1] // TILES, LEAST)
        tiles = (-(-size[0] // side), -(-size[1] // side), 1)
        self._pipelines, self.shutter = pipelines, shutter
        self._tiles = gpu.device.create_texture(size=tiles, format=VELOCITY, usage=ATTACHMENT | TEXTURE)
        self.picture = gpu.device.create_texture(size=(*size, 1), format=LIGHT, usage=ATTACHMENT | TEXTURE | COPY_SRC)
        self._uniform, self._gpu = uniform(gpu, SHUTTER.itemsize, "shutter"), gpu
        gpu.queue.write_buffer(self._uniform, 0, record(SHUTTER, share=shutter / 360, side=side))
        self._bindings = Bindings(gpu, pipelines.layouts.blur)
        self._tiles_view = self._tiles.create_view()

    def blur(self, encoder: Any, light: Any, velocity: Any, depth: Any, timed: Any) -> None:
        """Record both passes; the arguments are views of textures."""
        tiles = bind_group(self._gpu, self._pipelines.layouts.blur_tiles, velocity, self._uniform)
        _fill(encoder, self._tiles_view, self._pipelines.blur_tiles, tiles)
        group = self._bindings.group(light, velocity, depth, self._tiles_view, self._uniform)
        _fill(encoder, self.picture.create_view(), self._pipelines.blur, group, timed)


def _fill(encoder: Any, target: Any, pipeline: Any, group: Any, timed: Any = None) -> None:
    attachment = {"view": target, "clear_value": (0, 0, 0, 1), "load_op": "clear", "store_op": "store"}
    full_pass = encoder.begin_render_pass(color_attachments=[attachment], timestamp_writes=timed)
    full_pass.set_pipeline(pipeline)
    full_pass.set_bind_group(0, group)
    full_pass.draw(3)
    full_pass.end()
