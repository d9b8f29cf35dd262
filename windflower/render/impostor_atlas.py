"""Impostor atlas of a plant: unlit views from all sides and from above, baked once by the shaders of the view pass.

A far tree is one card that blends the nearest views of the atlas, lit by the current light (impostor.wgsl).
"""

from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.core.buffers import bind_group
from windflower.core.device import Gpu
from windflower.core.layouts import record
from windflower.core.shaders import shader_module
from windflower.plant.graph import Plant
from windflower.render.drawn import INSTANCE, STORAGE, UNIFORM, Block, DrawnMesh, InstanceBuffer
from windflower.render.drawn_sky import DrawnSky
from windflower.render.pipelines import DEPTH, FRAME, Layouts, make_pipelines

__all__ = [
    "ATLAS_BYTES",
    "AZIMUTHS",
    "BAKE_BYTES",
    "ELEVATIONS",
    "SIDE",
    "SUPERSAMPLING",
    "ImpostorAtlas",
    "bake_atlas",
    "mipmaps",
    "plant_at_rest",
    "view_axes",
    "view_frame",
]

AZIMUTHS, ELEVATIONS, SIDE = 12, 4, 128  # views around, views from horizon to zenith, texels; as in impostor.wgsl
ATLAS = 4  # paint of an instance that is drawn for the atlas, as in paint.wgsl
SUPERSAMPLING = 2  # views are baked this many times as large as they are kept: four samples per texel
FORMS = ("rgba8unorm-srgb", "rgba8unorm")  # texture formats of albedo and normal; dark colours need sRGB
DISTANCE = 1000.0  # distance of the camera in radii: nearly a parallel projection
BAKE_BYTES = 2 * 4 * AZIMUTHS * ELEVATIONS * (SUPERSAMPLING * SIDE) ** 2  # bytes of the textures while baking
ATLAS_BYTES = 2 * 4 * AZIMUTHS * ELEVATIONS * SIDE * SIDE * 4 // 3  # bytes of an atlas with its mipmaps
ATTACHMENT, TEXTURE, COPY_SRC, COPY_DST = 0x10, 0x04, 0x01, 0x02


class ImpostorAtlas(NamedTuple):
    """Two texture arrays on the device, one layer a view: colour with coverage, and normal with openness.

    middle, radius  bounding sphere of the plant that each view shows, m, in the plant's own frame
    extent          (ELEVATIONS, 2) largest half width and half height of the plant at each elevation, 1 at the rim
    """

    albedo: Any
    normal: Any
    middle: FloatArray
    radius: float
    extent: FloatArray


def view_axes() -> FloatArray:
    """Camera axes (views, 3, 3) of each view: right, up, toward the camera; elevation by elevation from the horizon."""
    elevation, azimuth = np.meshgrid(
        np.linspace(0, np.pi / 2, ELEVATIONS), 2 * np.pi * np.arange(AZIMUTHS) / AZIMUTHS, indexing="ij"
    )
    e, a = elevation.ravel(), azimuth.ravel()
    toward = np.stack([np.cos(e) * np.sin(a), np.sin(e), np.cos(e) * np.cos(a)], axis=1)
    right = np.stack([np.cos(a), 0 * a, -np.sin(a)], axis=1)
    return np.stack([right, np.cross(toward, right), toward], axis=1)


def bake_atlas(
    gpu: Gpu, layouts: Layouts, plant: Plant, mesh: DrawnMesh, *, middle: FloatArray, radius: float
) -> ImpostorAtlas:
    """Bake the impostor atlas of a plant from its mesh at rest; see `ImpostorAtlas`."""
    textures = [_texture(gpu, form, AZIMUTHS * ELEVATIONS, ATTACHMENT | COPY_SRC) for form in FORMS]
    plant_block = plant_at_rest(gpu, layouts, plant)
    encoder = gpu.device.create_command_encoder()
    atlas_pass = _atlas_pass(gpu, layouts)
    atlas_pass.deform(encoder, mesh, plant_block)
    for layer, axes in enumerate(view_axes()):
        targets = [one.create_view(dimension="2d", base_array_layer=layer, array_layer_count=1) for one in textures]
        atlas_pass.draw(encoder, mesh, plant_block, view_frame(axes, middle, radius), targets)
    gpu.queue.submit([encoder.finish()])
    pictures = [_read(gpu, one) for one in textures]
    albedo, normal = (_mipmapped(gpu, form, some) for form, some in zip(FORMS, pictures, strict=True))
    return ImpostorAtlas(albedo, normal, middle, radius, _extent(pictures[0][..., 3] > 0))


def _extent(covered: NDArray[np.bool_]) -> FloatArray:
    """Largest half width and half height (ELEVATIONS, 2), 1 at the rim, of coverage (views, side, side)."""
    side = covered.shape[1]
    outward = np.abs(np.arange(side) + 0.5 - side / 2) + 0.5
    seen: NDArray[np.bool_] = np.any(covered.reshape(ELEVATIONS, AZIMUTHS, side, side), axis=1)
    aside, up = ((seen.any(axis=axis) * outward).max(axis=1) for axis in (1, 2))
    return np.stack([aside, up], axis=1) / (side / 2)


def plant_at_rest(gpu: Gpu, layouts: Layouts, plant: Plant) -> Block:
    """Block of one instance: the plant at rest at the origin, without wind."""
    points = np.zeros((plant.nodes, 4), "<f4")
    points[:, :3] = plant.position
    instance = record(INSTANCE, place=(0, 0, 0, 1), turn=(1, 0, 0.5, 1), id=(0, ATLAS, 0, 0))[None]
    nodes, air = (gpu.device.create_buffer_with_data(data=data, usage=STORAGE) for data in (points, np.zeros(4, "<f4")))
    return InstanceBuffer(gpu, layouts).block(nodes, air, instance)


class _AtlasPass:
    """Render pass that bakes one view at a time."""

    def __init__(self, gpu: Gpu, layouts: Layouts) -> None:
        self._gpu, self._layout, self._lit_layout = gpu, layouts.frame_without_shadow, layouts.frame_and_sky
        own = [layouts.frame_without_shadow, layouts.instances, layouts.mesh]
        self._wood = _pipeline(gpu, "tubes.wgsl", "vs_view", [*own, layouts.elements])
        self._leaves = _pipeline(gpu, "leaf_atlas.wgsl", "vs_atlas", [*own, layouts.elements])
        self._deform = make_pipelines(gpu, 1)
        self._depth = _texture(gpu, DEPTH, 1, ATTACHMENT)

    def deform(self, encoder: Any, mesh: DrawnMesh, plant_block: Block) -> None:
        """Work out segments and leaves, which are the same in every view."""
        clear = record(FRAME, viewport=(1, 1, 1, 1e12))  # no haze
        uniform = self._gpu.device.create_buffer_with_data(data=clear, usage=UNIFORM)
        deform_pass = encoder.begin_compute_pass()
        sky = DrawnSky(self._gpu).bindings  # dark: cards are lit later
        deform_pass.set_bind_group(0, bind_group(self._gpu, self._lit_layout, uniform, *sky))
        mesh.deform(deform_pass, self._deform, plant_block)
        deform_pass.end()

    def draw(
        self, encoder: Any, mesh: DrawnMesh, plant_block: Block, frame: NDArray[np.void], targets: list[Any]
    ) -> None:
        """Draw albedo and normal of one view into two targets."""
        uniform = self._gpu.device.create_buffer_with_data(data=frame, usage=UNIFORM)
        render_pass = encoder.begin_render_pass(
            color_attachments=[
                {"view": target, "clear_value": (0, 0, 0, 0), "load_op": "clear", "store_op": "store"}
                for target in targets
            ],
            depth_stencil_attachment={
                "view": self._depth.create_view(),
                "depth_clear_value": 0.0,
                "depth_load_op": "clear",
                "depth_store_op": "discard",
            },
        )
        render_pass.set_bind_group(0, bind_group(self._gpu, self._layout, uniform))
        render_pass.set_pipeline(self._wood)
        for part in mesh.wood_parts(plant_block):
            part.draw(render_pass)
        render_pass.set_pipeline(self._leaves)
        for part in mesh.leaf_parts(plant_block):
            part.draw(render_pass)
        render_pass.end()


@lru_cache(maxsize=1)
def _atlas_pass(gpu: Gpu, layouts: Layouts) -> _AtlasPass:
    """Cached for all plants: compiling its pipelines takes longer than most bakes."""
    return _AtlasPass(gpu, layouts)


def _pipeline(gpu: Gpu, shader: str, vertex: str, layouts: list[Any]) -> Any:
    module = shader_module(gpu, f"render/wgsl/{shader}")
    return gpu.device.create_render_pipeline(
        label=f"atlas of {shader}",
        layout=gpu.device.create_pipeline_layout(bind_group_layouts=layouts),
        vertex={"module": module, "entry_point": vertex},
        primitive={"topology": "triangle-list"},
        depth_stencil={"format": DEPTH, "depth_compare": "greater", "depth_write_enabled": True},
        fragment={"module": module, "entry_point": "fs_atlas", "targets": [{"format": form} for form in FORMS]},
    )


def view_frame(axes: FloatArray, middle: FloatArray, radius: float) -> NDArray[np.void]:
    """Record `Frame` of frame.wgsl for a view: a parallel projection from a distant camera."""
    matrix = np.zeros((4, 4))
    matrix[:3, :3] = axes * np.array([1.0, 1.0, 0.45])[:, None] / radius
    matrix[:3, 3] = -matrix[:3, :3] @ middle + [0, 0, 0.5]
    matrix[3, 3] = 1.0
    return record(
        FRAME,
        view_proj=matrix.T,
        eye=(*(middle + DISTANCE * radius * axes[2]), 0.0),
        viewport=(SUPERSAMPLING * SIDE, SUPERSAMPLING * SIDE, 2 / (SUPERSAMPLING * SIDE * DISTANCE), 1.0),
    )


def _texture(gpu: Gpu, form: str, layers: int, usage: int, *, levels: int = 0) -> Any:
    """Texture array of the size that is baked, or, with mipmap `levels`, of the size that is kept."""
    side = SIDE if levels else SUPERSAMPLING * SIDE
    return gpu.device.create_texture(
        size=(side, side, layers), format=form, usage=usage, mip_level_count=max(levels, 1)
    )


def _read(gpu: Gpu, texture: Any) -> NDArray[np.uint8]:
    """Read the baked views (views, side, side, 4)."""
    side, views = SUPERSAMPLING * SIDE, AZIMUTHS * ELEVATIONS
    layout = {"bytes_per_row": 4 * side, "rows_per_image": side}
    data = gpu.queue.read_texture({"texture": texture}, layout, (side, side, views))
    return np.frombuffer(data, np.uint8).reshape(views, side, side, 4)


def _mipmapped(gpu: Gpu, form: str, pictures: NDArray[np.uint8]) -> Any:
    """View of a texture array of these pictures with mipmaps."""
    levels = mipmaps(pictures, srgb=form.endswith("srgb"))
    kept = [level for level in levels if level.shape[1] <= SIDE]
    texture = _texture(gpu, form, len(pictures), TEXTURE | COPY_DST, levels=len(kept))
    for number, level in enumerate(kept):
        side = level.shape[1]
        gpu.queue.write_texture(
            {"texture": texture, "mip_level": number},
            np.ascontiguousarray(level),
            {"bytes_per_row": 4 * side, "rows_per_image": side},
            (side, side, len(level)),
        )
    return texture.create_view(dimension="2d-array")


STEPS = 1 << 14  # steps of the table from linear light to sRGB: dark colours need them


def mipmaps(pictures: NDArray[np.uint8], *, srgb: bool) -> list[NDArray[np.uint8]]:
    """Mipmaps of pictures (n, side, side, 4), averaged in linear light, until a side is odd; the first is as given.

    srgb  whether colours are in sRGB; alpha, the coverage, is always linear. Colours are premultiplied, so that means
          are right
    """
    levels, light = [pictures], _linear(pictures, srgb=srgb)
    while light.shape[1] % 2 == 0:
        # Sums of four slices are several times as quick as a mean over two axes.
        rows = light[:, 0::2] + light[:, 1::2]
        light = (rows[:, :, 0::2] + rows[:, :, 1::2]) * np.float32(0.25)
        levels.append(_encoded(light, srgb=srgb))
    return levels


def _linear(shown: NDArray[np.uint8], *, srgb: bool) -> NDArray[np.float32]:
    """Decode 8-bit pictures to linear light."""
    light = np.empty(shown.shape, np.float32)
    light[..., :3] = _tables()[0][shown[..., :3]] if srgb else shown[..., :3] / np.float32(255)
    light[..., 3] = shown[..., 3] / np.float32(255)
    return light


def _encoded(light: NDArray[np.float32], *, srgb: bool) -> NDArray[np.uint8]:
    """Encode linear light as 8-bit pictures."""
    shown = (light * np.float32(255) + np.float32(0.5)).astype(np.uint8)
    if srgb:
        step = (light[..., :3] * np.float32(STEPS) + np.float32(0.5)).astype(np.uint16)
        shown[..., :3] = _tables()[1][step]
    return shown


@cache
def _tables() -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
    """Tables from sRGB to linear light (256,), and back from steps of linear light (STEPS + 1,)."""
    shown, light = np.arange(256) / 255, np.arange(STEPS + 1) / STEPS
    decoded = np.where(shown <= 0.04045, shown / 12.92, ((shown + 0.055) / 1.055) ** 2.4)
    encoded = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    return decoded.astype(np.float32), np.round(255 * encoded).astype(np.uint8)
