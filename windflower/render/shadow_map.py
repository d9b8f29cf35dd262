"""The shadow map: depths from the sun, as a texture that every shader reads.

sheets, or all on a software driver ──> render pass ────────────────────────────> map
leaves, wood, cards ──> splat_*.wgsl ──> buffer of depths ──> shadow_end.wgsl ──> map
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.buffers import bind_group, dispatch, kernel, zeros
from windflower.core.compute_pass import ComputeBundle, ComputeBundles
from windflower.core.device import Gpu
from windflower.render.draw_lists import DrawLists
from windflower.render.frame import Drawables
from windflower.render.pipelines import CAST, DEPTH, Pipelines
from windflower.render.splat_kernels import shadow_kernels

__all__ = ["ShadowMap"]

ATTACHMENT, STORED, TEXTURE, COPY_SRC = 0x10, 0x08, 0x04, 0x01
GROUP, SIDE = 64, 8  # invocations of shadow_begin.wgsl, and along a side of shadow_end.wgsl


class ShadowMap:
    """Depths seen from the sun.

    texels  along a side
    splats  whether kernels fill it with plants
    view    the map, for shaders
    """

    def __init__(self, gpu: Gpu, pipelines: Pipelines, frame: Any, texels: int, *, splats: bool) -> None:
        self._gpu, self._pipelines, self._texels = gpu, pipelines, texels
        self.splats = splats and 4 * texels**2 <= gpu.binding_size
        size = (texels, texels, 1)
        self._map = gpu.device.create_texture(size=size, format=CAST, usage=ATTACHMENT | STORED | TEXTURE | COPY_SRC)
        self._depth = gpu.device.create_texture(size=size, format=DEPTH, usage=ATTACHMENT)
        self.view = self._map.create_view()
        self._bindings = bind_group(gpu, pipelines.layouts.frame_without_shadow, frame)
        self._bundles = ComputeBundles()
        if self.splats:
            self._make_kernels(frame)

    def _make_kernels(self, frame: Any) -> None:
        gpu, self._kernels = self._gpu, shadow_kernels(self._gpu, self._pipelines.layouts)
        self._buffer = zeros(gpu, 4 * self._texels**2, "depths from the sun")
        self._begin = [kernel(gpu, "render/wgsl/shadow_begin.wgsl", DRAWN=drawn) for drawn in (False, True)]
        self._end = kernel(gpu, "render/wgsl/shadow_end.wgsl")
        self._begun = [bind_group(gpu, one.get_bind_group_layout(0), self.view, self._buffer) for one in self._begin]
        self._ended = bind_group(gpu, self._end.get_bind_group_layout(0), self._buffer, self.view)
        entries = [
            {"binding": number, "resource": {"buffer": one, "offset": 0, "size": one.size}}
            for number, one in ((0, frame), (15, self._buffer))
        ]
        self._cast = gpu.device.create_bind_group(layout=self._pipelines.layouts.cast, entries=entries)

    def draw(
        self,
        encoder: Any,
        drawables: Drawables,
        lists: DrawLists,
        kinds: Mapping[str, Any],
        timed: Callable[[str], Any],
        *,
        empty: bool,
    ) -> None:
        """Fill the map with all that casts shadows, or leave it `empty` where none are seen.

        kinds  pipelines by kind of draw call; timed: timestamps of a pass
        """
        if empty or not self.splats:
            self._draw_triangles(encoder, lists, {} if empty else kinds, timed)
            return
        if drawables.surfaces:
            self._draw_triangles(encoder, lists, {"sheets": kinds["sheets"]}, timed)
        self._splat(encoder, drawables, timed)

    def read(self) -> NDArray[np.float32]:
        """Read the latest map, (texels, texels): depths, 1 where nothing stands."""
        side = self._texels
        data = self._gpu.queue.read_texture(
            {"texture": self._map}, {"bytes_per_row": 4 * side, "rows_per_image": side}, (side, side, 1)
        )
        return np.frombuffer(data, "<f4").reshape(side, side)

    def _draw_triangles(
        self, encoder: Any, lists: DrawLists, kinds: Mapping[str, Any], timed: Callable[[str], Any]
    ) -> None:
        shadow_pass = encoder.begin_render_pass(
            color_attachments=[
                {"view": self.view, "clear_value": (1, 0, 0, 0), "load_op": "clear", "store_op": "store"}
            ],
            depth_stencil_attachment={
                "view": self._depth.create_view(),
                "depth_clear_value": 1.0,
                "depth_load_op": "clear",
                "depth_store_op": "discard",
            },
            timestamp_writes=timed("shadow"),
        )
        if kinds:
            form = {"color_formats": [CAST], "depth_stencil_format": DEPTH, "sample_count": 1}
            lists.draw(shadow_pass, "shadow", kinds, self._bindings, form)
        shadow_pass.end()

    def _splat(self, encoder: Any, drawables: Drawables, timed: Callable[[str], Any]) -> None:
        self._bundles.play("shadow", encoder, timed("shadow"), (drawables,), partial(self._record, drawables))

    def _record(self, drawables: Drawables, bundle: ComputeBundle) -> None:
        """Record the kernels, from the map as it was drawn, or from nothing, to the map."""
        drawn = bool(drawables.surfaces)
        dispatch(bundle, self._begin[drawn], self._begun[drawn], -(-(self._texels**2) // GROUP))
        bundle.set_bind_group(0, self._cast)
        drawables.cast(bundle, self._kernels)
        bundle.set_pipeline(self._end)
        bundle.set_bind_group(0, self._ended)
        side = -(-self._texels // SIDE)
        bundle.dispatch_workgroups(side, side)
