"""Leaves, cards, twigs and grass of the view that kernels draw, where pixels have one sample.

leaves, cards, twigs, grass ──> see_*.wgsl: depths ──> see_*.wgsl: light, velocities ──> seen.wgsl ──> view pass
                                  seen_tiles.wgsl: what they hide
"""

from collections.abc import Callable, Sequence
from typing import Any

from windflower.core.buffers import zeros
from windflower.core.compute_pass import ComputeBundle, ComputeBundles, ComputePass
from windflower.core.device import Gpu
from windflower.render.frame import Drawables
from windflower.render.ground import DrawnGround
from windflower.render.pipelines import Pipelines
from windflower.render.splat_kernels import COUNTERS, seen_kernels

__all__ = ["SEEN_KINDS", "Seen"]

TILE = 8  # pixels along a side, as in seen_tiles.wgsl
SEEN_KINDS = ("leaves", "many twigs", "far")  # kinds of draw calls that kernels do in place of the view pass


class Seen:
    """What kernels draw of the view of one size."""

    def __init__(self, gpu: Gpu, pipelines: Pipelines, size: tuple[int, int], *, over_time: bool) -> None:
        self._gpu, self._pipeline, self._layouts = gpu, pipelines.seen, pipelines.layouts
        self._kernels, self._bundles = seen_kernels(gpu, pipelines.layouts, over_time=over_time), ComputeBundles()
        pixels, self._tiles = size[0] * size[1], [-(-side // TILE) for side in size]
        self._nearest, self._light = (
            zeros(gpu, 4 * (pixels + self._tiles[0] * self._tiles[1]), "nearest"),
            zeros(gpu, 16 * pixels, "seen"),
        )

    def bind(self, resources: Sequence[Any]) -> None:
        """Set the resources of the frame's bind group, in order; the first is its uniform buffer."""
        own, frame = {14: self._nearest, 15: self._light}, dict(enumerate(resources))
        self._written = _group(self._gpu, self._layouts.seen, frame | own)
        self._read = _group(self._gpu, self._layouts.shown, {0: frame[0]} | own)

    def draw(self, encoder: Any, drawables: Drawables, ground: DrawnGround, timed: Callable[[str], Any]) -> None:
        """Work out depths, light and velocities; after the shadow map."""
        encoder.clear_buffer(self._nearest)

        def find_depths(bundle: ComputeBundle) -> None:
            bundle.set_bind_group(0, self._written)
            drawables.see(bundle, self._kernels[0], lambda: self._look(bundle))
            self._look(bundle)

        def find_light(bundle: ComputeBundle) -> None:
            bundle.set_bind_group(0, self._written)
            drawables.see(bundle, self._kernels[1])

        made_with = drawables, self._written
        encoder.clear_buffer(self._kernels[0].queue, 0, COUNTERS)
        self._bundles.play("leaf depths", encoder, timed("leaf depths"), made_with, find_depths)
        self._see_ground(encoder, ground, timed("grass"), lit=False)
        encoder.clear_buffer(self._kernels[0].queue, 0, COUNTERS)
        self._bundles.play("leaf light", encoder, timed("leaf light"), made_with, find_light)
        self._see_ground(encoder, ground, timed("grass"), lit=True)

    def _see_ground(self, encoder: Any, ground: DrawnGround, timed: Any, *, lit: bool) -> None:
        compute_pass = ComputePass(encoder, timed)
        compute_pass.set_bind_group(0, self._written)
        ground.see(compute_pass, lit=lit)
        if not lit:
            self._look(compute_pass)
        compute_pass.end()

    def _look(self, compute_pass: ComputePass | ComputeBundle) -> None:
        """Find what is hidden by all that was drawn so far."""
        compute_pass.set_pipeline(self._kernels[0].tiles)
        compute_pass.dispatch_workgroups(*self._tiles)

    def show(self, view_pass: Any) -> None:
        """Hand all that was drawn to the view pass."""
        view_pass.set_pipeline(self._pipeline)
        view_pass.set_bind_group(0, self._read)
        view_pass.draw(3)


def _group(gpu: Gpu, layout: Any, resources: dict[int, Any]) -> Any:
    entries = [{"binding": number, "resource": one} for number, one in resources.items()]
    return gpu.device.create_bind_group(layout=layout, entries=entries)
