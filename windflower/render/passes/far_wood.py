"""Which parts of the cards of far plants are wood: drawn by the data view from all sides of the impostor atlas."""

from functools import lru_cache
from typing import Any

import numpy as np

from windflower.core.buffers import bind_group, uniform
from windflower.core.device import Gpu
from windflower.geometry.culling import bounding_sphere
from windflower.plant.graph import Plant
from windflower.render.drawn_stand import LEAFY, atlas_mesh
from windflower.render.impostor_atlas import SIDE, SUPERSAMPLING, plant_at_rest, view_axes, view_frame
from windflower.render.impostors import DrawnImpostors
from windflower.render.passes.data_pipelines import data_pipelines, far_layout
from windflower.render.passes.data_targets import DataTargets
from windflower.render.passes.frame_group import frame_group, sky_group
from windflower.render.passes.registry import PARTS
from windflower.render.pipelines import FRAME, Layouts, Pipelines

__all__ = ["far_group"]

TEXTURE, COPY_DST = 0x04, 0x02
WOOD = PARTS.index("wood")


def far_group(gpu: Gpu, pipelines: Pipelines, cards: DrawnImpostors) -> Any:
    """Bind group 2 of the cards of a plant in data views."""
    return bind_group(gpu, far_layout(gpu), *cards.resources, _wood(gpu, pipelines, cards.plant))


@lru_cache(maxsize=32)
def _wood(gpu: Gpu, pipelines: Pipelines, plant: Plant) -> Any:
    """View of a texture array with the share of wood in each texel of the atlas, cached."""
    pictures = _drawn(gpu, pipelines, plant)
    layers = np.stack([_halved(one[..., 1] == WOOD) for one in pictures])
    texture = gpu.device.create_texture(size=(SIDE, SIDE, len(layers)), format="r8unorm", usage=TEXTURE | COPY_DST)
    layout = {"bytes_per_row": SIDE, "rows_per_image": SIDE}
    gpu.queue.write_texture({"texture": texture}, np.ascontiguousarray(layers), layout, (SIDE, SIDE, len(layers)))
    return texture.create_view(dimension="2d-array")


def _halved(covered: Any) -> Any:
    mean = covered.reshape(SIDE, SUPERSAMPLING, SIDE, SUPERSAMPLING).mean(axis=(1, 3))
    return np.round(255 * mean).astype(np.uint8)


def _drawn(gpu: Gpu, pipelines: Pipelines, plant: Plant) -> list[Any]:
    """Labels of each view of the atlas."""
    layouts: Layouts = pipelines.layouts
    shown, mesh = atlas_mesh(gpu, layouts, plant)
    block, (middle, radius) = plant_at_rest(gpu, layouts, shown), bounding_sphere(plant, sway=LEAFY)
    targets, drawn = DataTargets(gpu, (SUPERSAMPLING * SIDE, SUPERSAMPLING * SIDE), 1), data_pipelines(gpu, ("labels",))
    buffer, found = uniform(gpu, FRAME.itemsize), []
    group, sky = frame_group(gpu, layouts, buffer), sky_group(gpu, layouts, buffer)

    def record(render_pass: Any) -> None:
        render_pass.set_bind_group(0, group)
        for part in (*mesh.wood_parts(block), *mesh.leaf_parts(block)):
            render_pass.set_pipeline(drawn.plants[part.kind])
            part.draw(render_pass)

    for axes in view_axes():
        gpu.queue.write_buffer(buffer, 0, view_frame(axes, middle, radius))
        encoder = gpu.device.create_command_encoder()
        deform_pass = encoder.begin_compute_pass()
        deform_pass.set_bind_group(0, sky)
        mesh.deform(deform_pass, pipelines, block)
        deform_pass.end()
        targets.draw(encoder, record)
        gpu.queue.submit([encoder.finish()])
        found.append(targets.read(0).copy())
    return found
