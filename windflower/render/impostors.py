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

    plant    the plant at rest
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
        self._gpu, self.plant, self.atlas = gpu, plant, atlas
        self._far = record(
            FAR,
            middle=(*atlas.middle, atlas.radius),
            crown=(*crown, plant.height),
            band=(np.log2(up_to), BAND, foliage.flutter.frequency, nearer),
            extent=atlas.extent.reshape(2, 4),
            flutter=flutter_record(foliage, 0.0),
        )
        self.uniform = uniform(gpu, FAR.itemsize, "far plants")
        self.smooth = gpu.device.create_sampler(mag_filter="linear", min_filter="linear", mipmap_filter="linear")
        self._bindings = bind_group(gpu, layouts.impostor, *self.resources)

    def judge(self, camera: FloatArray, pixel: float, factor: float) -> None:
        """Set camera position, pixel size and factor of this frame's level selection; see `Candidates`."""
        self._far["judge"] = (*camera, factor / pixel)
        self._gpu.queue.write_buffer(self.uniform, 0, self._far)

    @property
    def resources(self) -> tuple[Any, ...]:
        """What shaders read of them: uniforms, colours, normals, a sampler."""
        return self.uniform, self.atlas.albedo, self.atlas.normal, self.smooth

    def splat(self, compute_pass: Any, pipeline: Any, block: Block) -> None:
        """Put a block into the shadow map or the view."""
        compute_pass.set_bind_group(1, block.bindings)
        compute_pass.set_bind_group(2, self._bindings)
        block.deformed.splat_cards(compute_pass, pipeline, block.count)

    def part(self, block: Block) -> Part:
        """Draw call of those instances of a block that the device has listed."""
        groups = block.bindings, self._bindings, block.points_before
        return Part("far", groups, None, (6, block.count, 0, 0), block.counted)
