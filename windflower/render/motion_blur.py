"""Motion blur: what moves while the shutter is open, spread over its way, from the velocities of pixels.

velocity ──> blur_tiles.wgsl ──> fastest of each tile ──> blur.wgsl <── light, velocity, depth
"""

from typing import Any

from windflower.core.buffers import Bindings, uniform
from windflower.core.device import Gpu
from windflower.core.layouts import layout, record
from windflower.render.pipelines import LIGHT, Pipelines

__all__ = ["MotionBlur"]

SHUTTER = layout("render/wgsl/shutter.wgsl", "Shutter")
TILES = 30  # in the height of a picture: no blur is longer than two of them
LEAST = 8  # pixels along a side of a tile
GROUP = 8  # invocations along a side of a workgroup of blur.wgsl
STORED, TEXTURE, COPY_SRC = 0x08, 0x04, 0x01


class MotionBlur:
    """Kernels of a renderer's motion blur.

    shutter  angle for which the shutter is open, degrees: 360 is the whole time between two frames
    picture  texture of the blurred light
    """

    def __init__(self, gpu: Gpu, size: tuple[int, int], pipelines: Pipelines, shutter: float) -> None:
        side = max(size[1] // TILES, LEAST)
        self._tiles_size, self._size = (-(-size[0] // side), -(-size[1] // side)), size
        self._pipelines, self.shutter = pipelines, shutter
        tiles = gpu.device.create_texture(size=(*self._tiles_size, 1), format=LIGHT, usage=STORED | TEXTURE)
        self.picture = gpu.device.create_texture(
            size=(*size, 1), format=LIGHT, usage=STORED | TEXTURE | COPY_SRC, label="blurred"
        )
        self._uniform = uniform(gpu, SHUTTER.itemsize, "shutter")
        gpu.queue.write_buffer(self._uniform, 0, record(SHUTTER, share=shutter / 360, side=side))
        layouts = pipelines.layouts
        self._first, self._second = Bindings(gpu, layouts.blur_tiles), Bindings(gpu, layouts.blur)
        self._tiles, self._target = tiles.create_view(), self.picture.create_view()

    def blur(self, encoder: Any, light: Any, velocity: Any, depth: Any, timed: Any) -> None:
        """Record both kernels; the arguments are views of textures."""
        tiles = self._first.group(velocity, self._uniform, self._tiles)
        group = self._second.group(light, velocity, depth, self._tiles, self._uniform, self._target)
        compute_pass = encoder.begin_compute_pass(timestamp_writes=timed)
        compute_pass.set_pipeline(self._pipelines.blur_tiles)
        compute_pass.set_bind_group(0, tiles)
        compute_pass.dispatch_workgroups(*self._tiles_size)
        compute_pass.set_pipeline(self._pipelines.blur)
        compute_pass.set_bind_group(0, group)
        compute_pass.dispatch_workgroups(*(-(-side // GROUP) for side in self._size))
        compute_pass.end()
