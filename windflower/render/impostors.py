"""Far plants: all instances of a stand as cards, in one call. The shader itself leaves out those that are nearer."""

from typing import Any

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.buffers import bind_group, uniform
from windflower.core.device import Gpu
from windflower.core.layouts import layout, record
from windflower.geometry.lod import BAND
from windflower.motion import LeafMotion
from windflower.motion.leaves.flutter_kernels import flutter_record
from windflower.plant.graph import Plant
from windflower.render.drawn import Block
from windflower.render.pipelines import Layouts
from windflower.render.portraits import Portraits

__all__ = ["DrawnImpostors"]

FAR = layout("render/wgsl/impostor.wgsl", "Far")


class DrawnImpostors:
    """The cards of one plant.

    crown    (3,) the middle of its crown at rest, m
    nearer   by how much distances to plants are taken for less, m
    up_to    pixels that a plant is tall when cards take over
    foliage  how its leaves move
    """

    def __init__(
        self,
        gpu: Gpu,
        layouts: Layouts,
        plant: Plant,
        portraits: Portraits,
        *,
        crown: FloatArray,
        nearer: float,
        up_to: float,
        foliage: LeafMotion,
    ) -> None:
        self._gpu, self.portraits = gpu, portraits
        self._far = record(
            FAR,
            middle=(*portraits.middle, portraits.radius),
            crown=(*crown, plant.height),
            band=(np.log2(up_to), BAND, foliage.flutter.frequency, nearer),
            extent=portraits.extent.reshape(2, 4),
            flutter=flutter_record(foliage, 0.0),
        )
        self._uniform = uniform(gpu, FAR.itemsize, "far plants")
        smooth = gpu.device.create_sampler(mag_filter="linear", min_filter="linear", mipmap_filter="linear")
        pictures = portraits.albedo, portraits.normal
        self._bindings = bind_group(gpu, layouts.impostor, self._uniform, *pictures, smooth)

    def judge(self, eye: FloatArray, pixel: float, factor: float) -> None:
        """Say from where, and how finely, the levels of this frame are chosen; see `Candidates`."""
        self._far["judge"] = (*eye, factor / pixel)
        self._gpu.queue.write_buffer(self._uniform, 0, self._far)

    def draw(self, render_pass: Any, block: Block) -> None:
        """Draw all instances of a block."""
        render_pass.set_bind_group(1, block.bindings)
        render_pass.set_bind_group(2, self._bindings)
        render_pass.draw(6, block.count)
