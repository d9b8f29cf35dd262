"""Impostors: far instances of a stand as cards in one draw call, of those that the device lists (`card_culling`)."""

from typing import Any

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.buffers import bind_group, uniform
from windflower.core.device import Gpu
from windflower.core.layouts import layout, record
from windflower.geometry.lod import BAND
from windflower.motion import LeafMotion
from windflower.motion.leaves.leaf_kernels import flutter_record
from windflower.plant.graph import Plant
from windflower.render.draw_lists import Part
from windflower.render.drawn import Block
from windflower.render.impostor_atlas import ImpostorAtlas
from windflower.render.pipelines import Layouts

__all__ = ["DrawnImpostors"]

FAR = layout("render/wgsl/impostor.wgsl", "Far")


class DrawnImpostors:
    """Impostor cards of one plant.

    crown    (3,) centre of its crown at rest, m
    nearer   length subtracted from distances to plants, m
    up_to    height in pixels up to which a plant is a card
    foliage  how its leaves move
    """

    def __init__(
        self,
        gpu: Gpu,
        layouts: Layouts,
        plant: Plant,
        atlas: ImpostorAtlas,
        *,
        crown: FloatArray,
        nearer: float,
        up_to: float,
        foliage: LeafMotion,
    ) -> None:
        self._gpu, self.atlas = gpu, atlas
        self._far = record(
            FAR,
            middle=(*atlas.middle, atlas.radius),
            crown=(*crown, plant.height),
            band=(np.log2(up_to), BAND, foliage.flutter.frequency, nearer),
            extent=atlas.extent.reshape(2, 4),
            flutter=flutter_record(foliage, 0.0),
        )
        self._uniform = uniform(gpu, FAR.itemsize, "far plants")
        smooth = gpu.device.create_sampler(mag_filter="linear", min_filter="linear", mipmap_filter="linear")
        pictures = atlas.albedo, atlas.normal
        self._bindings = bind_group(gpu, layouts.impostor, self._uniform, *pictures, smooth)

    def judge(self, camera: FloatArray, pixel: float, factor: float) -> None:
        """Set camera position, pixel size and factor of this frame's level selection; see `Candidates`."""
        self._far["judge"] = (*camera, factor / pixel)
        self._gpu.queue.write_buffer(self._uniform, 0, self._far)

    def splat(self, compute_pass: Any, pipeline: Any, block: Block) -> None:
        """Put a block into the shadow map or the view."""
        compute_pass.set_bind_group(1, block.bindings)
        compute_pass.set_bind_group(2, self._bindings)
        block.deformed.splat_cards(compute_pass, pipeline, block.count)

    def part(self, block: Block) -> Part:
        """Draw call of those instances of a block that the device has listed."""
        groups = block.bindings, self._bindings, block.points_before
        return Part("far", groups, None, (6, block.count, 0, 0), block.counted)
