"""Light of ground and sky by kernels, where the view pass has left marks: that shades on few processors of a card.

view pass: marks, light of all else ──> sky_pass.wgsl, ground_pass.wgsl ──> light of all
"""

from typing import Any

from windflower.core.buffers import bind_group
from windflower.core.device import Gpu
from windflower.render.ground import DrawnGround
from windflower.render.pipelines import LIGHT, Pipelines

__all__ = ["Marked"]

GROUP = 8  # invocations along a side of a workgroup
STORED, TEXTURE = 0x08, 0x04


class Marked:
    """A view of one size with marks, and the kernels that find what belongs there.

    picture  texture of the light of all
    """

    def __init__(self, gpu: Gpu, size: tuple[int, int], pipelines: Pipelines, light: Any, depth: Any) -> None:
        self._pipeline, self._groups = pipelines.sky_pass, [-(-side // GROUP) for side in size]
        self.picture = gpu.device.create_texture(size=(*size, 1), format=LIGHT, usage=STORED | TEXTURE)
        views = (one.create_view() for one in (light, depth, self.picture))
        self._bindings = bind_group(gpu, pipelines.layouts.marked, *views)

    def draw(self, encoder: Any, frame: Any, clouds: Any, ground: DrawnGround, timed: Any) -> None:
        """Record both kernels; `frame` and `clouds` are bind groups."""
        compute_pass = encoder.begin_compute_pass(timestamp_writes=timed)
        compute_pass.set_bind_group(0, frame)
        compute_pass.set_bind_group(2, self._bindings)
        compute_pass.set_pipeline(self._pipeline)
        compute_pass.set_bind_group(1, clouds)
        compute_pass.dispatch_workgroups(*self._groups)
        if ground.set_light_kernel(compute_pass):
            compute_pass.dispatch_workgroups(*self._groups)
        compute_pass.end()
