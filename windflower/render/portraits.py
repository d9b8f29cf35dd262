"""Portraits of a plant: how it looks from all sides and from above, unlit, drawn once by the shaders of the view.

A far tree is one card that shows the portraits from the nearest sides, lit as the hour has it (impostor.wgsl).
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
from windflower.render.drawn import INSTANCE, STORAGE, UNIFORM, Block, DrawnMesh, Records
from windflower.render.pipelines import DEPTH, FRAME, Layouts

__all__ = [
    "AROUND",
    "PAINTED_BYTES",
    "PORTRAIT_BYTES",
    "SIDE",
    "UP",
    "Portraits",
    "directions",
    "halved_pictures",
    "portraits_of",
]

AROUND, UP, SIDE = (
    12,
    4,
    128,
)  # views around, rings from the horizon to above, and pixels of a side; as in impostor.wgsl
SITS = 4  # as paint.wgsl numbers an instance that sits for its portrait
FINER = 2  # times as large as they are kept, portraits are painted: four samples of each pixel
FORMS = ("rgba8unorm-srgb", "rgba8unorm")  # dark colours need the finer steps of sRGB
AWAY = 1000.0  # radii that the painter stands away, so that all of the plant is as far
PAINTED_BYTES = 2 * 4 * AROUND * UP * (FINER * SIDE) ** 2  # while they are painted
PORTRAIT_BYTES = 2 * 4 * AROUND * UP * SIDE * SIDE * 4 // 3  # of all portraits of a plant, with smaller ones of each
ATTACHMENT, TEXTURE, COPY_SRC, COPY_DST = 0x10, 0x04, 0x01, 0x02


class Portraits(NamedTuple):
    """Two arrays of pictures on the device, one layer a view: colour with coverage, and normal with openness.

    middle, radius  of the ball about the plant that each picture shows, m, in the plant's own frame
    extent          (UP, 2) how far from its middle the plant reaches aside and up in the pictures of a ring, 1 the rim
    """

    albedo: Any
    normal: Any
    middle: FloatArray
    radius: float
    extent: FloatArray


def directions() -> FloatArray:
    """(views, 3, 3) right, up and toward the painter of each view, ring by ring from the horizon up."""
    elevation, azimuth = np.meshgrid(
        np.linspace(0, np.pi / 2, UP), 2 * np.pi * np.arange(AROUND) / AROUND, indexing="ij"
    )
    e, a = elevation.ravel(), azimuth.ravel()
    toward = np.stack([np.cos(e) * np.sin(a), np.sin(e), np.cos(e) * np.cos(a)], axis=1)
    right = np.stack([np.cos(a), 0 * a, -np.sin(a)], axis=1)
    return np.stack([right, np.cross(toward, right), toward], axis=1)


def portraits_of(
    gpu: Gpu, layouts: Layouts, plant: Plant, mesh: DrawnMesh, *, middle: FloatArray, radius: float
) -> Portraits:
    """Have a plant's portraits painted from its mesh at rest; see `Portraits`."""
    painted = [_texture(gpu, form, AROUND * UP, ATTACHMENT | COPY_SRC) for form in FORMS]
    sitter = _sitter(gpu, layouts, plant)
    encoder = gpu.device.create_command_encoder()
    canvas = _canvas(gpu, layouts)
    for layer, axes in enumerate(directions()):
        wall = [one.create_view(dimension="2d", base_array_layer=layer, array_layer_count=1) for one in painted]
        canvas.paint(encoder, mesh, sitter, _frame(axes, middle, radius), wall)
    gpu.queue.submit([encoder.finish()])
    pictures = [_read(gpu, one) for one in painted]
    albedo, normal = (_with_smaller(gpu, form, some) for form, some in zip(FORMS, pictures, strict=True))
    return Portraits(albedo, normal, middle, radius, _extent(pictures[0][..., 3] > 0))


def _extent(covered: NDArray[np.bool_]) -> FloatArray:
    """(UP, 2) how far aside and up, 1 at the rim, anything is seen in pictures (views, side, side) of each ring."""
    side = covered.shape[1]
    outward = np.abs(np.arange(side) + 0.5 - side / 2) + 0.5
    seen: NDArray[np.bool_] = np.any(covered.reshape(UP, AROUND, side, side), axis=1)
    aside, up = ((seen.any(axis=axis) * outward).max(axis=1) for axis in (1, 2))
    return np.stack([aside, up], axis=1) / (side / 2)


def _sitter(gpu: Gpu, layouts: Layouts, plant: Plant) -> Block:
    """The plant at rest at the origin, in no wind."""
    points = np.zeros((plant.nodes, 4), "<f4")
    points[:, :3] = plant.position
    instance = record(INSTANCE, place=(0, 0, 0, 1), turn=(1, 0, 0.5, 1), id=(0, SITS, 0, 0))[None]
    nodes, air = (gpu.device.create_buffer_with_data(data=data, usage=STORAGE) for data in (points, np.zeros(4, "<f4")))
    return Records(gpu, layouts).block(nodes, air, instance)


class _Canvas:
    """Pipelines by which one view after another is painted."""

    def __init__(self, gpu: Gpu, layouts: Layouts) -> None:
        self._gpu, self._layout = gpu, layouts.frame_without_shadow
        own = [layouts.frame_without_shadow, layouts.instances, layouts.mesh]
        self._wood = _pipeline(gpu, "tubes.wgsl", "vs_view", own)
        self._leaves = _pipeline(gpu, "leaves.wgsl", "vs_portrait", own)
        self._depth = _texture(gpu, DEPTH, 1, ATTACHMENT)

    def paint(self, encoder: Any, mesh: DrawnMesh, sitter: Block, frame: NDArray[np.void], targets: list[Any]) -> None:
        """Paint colour and normal of one view into two targets."""
        uniform = self._gpu.device.create_buffer_with_data(data=frame, usage=UNIFORM)
        painting = encoder.begin_render_pass(
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
        painting.set_bind_group(0, bind_group(self._gpu, self._layout, uniform))
        painting.set_pipeline(self._wood)
        mesh.draw_wood(painting, sitter)
        painting.set_pipeline(self._leaves)
        mesh.draw_leaves(painting, sitter)
        painting.end()


@lru_cache(maxsize=1)
def _canvas(gpu: Gpu, layouts: Layouts) -> _Canvas:
    """One for all plants: its pipelines take longer to make than most portraits."""
    return _Canvas(gpu, layouts)


def _pipeline(gpu: Gpu, shader: str, vertex: str, layouts: list[Any]) -> Any:
    module = shader_module(gpu, f"render/wgsl/{shader}")
    return gpu.device.create_render_pipeline(
        label=f"portrait of {shader}",
        layout=gpu.device.create_pipeline_layout(bind_group_layouts=layouts),
        vertex={"module": module, "entry_point": vertex},
        primitive={"topology": "triangle-list"},
        depth_stencil={"format": DEPTH, "depth_compare": "greater", "depth_write_enabled": True},
        fragment={"module": module, "entry_point": "fs_portrait", "targets": [{"format": form} for form in FORMS]},
    )


def _frame(axes: FloatArray, middle: FloatArray, radius: float) -> NDArray[np.void]:
    """`Frame` in frame.wgsl, as far as a portrait needs it: parallel light, a painter far away."""
    matrix = np.zeros((4, 4))
    matrix[:3, :3] = axes * np.array([1.0, 1.0, 0.45])[:, None] / radius
    matrix[:3, 3] = -matrix[:3, :3] @ middle + [0, 0, 0.5]
    matrix[3, 3] = 1.0
    return record(
        FRAME,
        view_proj=matrix.T,
        eye=(*(middle + AWAY * radius * axes[2]), 0.0),
        viewport=(FINER * SIDE, FINER * SIDE, 2 / (FINER * SIDE * AWAY), 1.0),
    )


def _texture(gpu: Gpu, form: str, layers: int, usage: int, *, levels: int = 0) -> Any:
    """Of the size that is painted, or with `levels` of the size that is kept."""
    side = SIDE if levels else FINER * SIDE
    return gpu.device.create_texture(
        size=(side, side, layers), format=form, usage=usage, mip_level_count=max(levels, 1)
    )


def _read(gpu: Gpu, texture: Any) -> NDArray[np.uint8]:
    """(views, side, side, 4) as painted."""
    side, views = FINER * SIDE, AROUND * UP
    layout = {"bytes_per_row": 4 * side, "rows_per_image": side}
    data = gpu.queue.read_texture({"texture": texture}, layout, (side, side, views))
    return np.frombuffer(data, np.uint8).reshape(views, side, side, 4)


def _with_smaller(gpu: Gpu, form: str, pictures: NDArray[np.uint8]) -> Any:
    """A texture of these pictures, and of ever smaller ones."""
    levels = halved_pictures(pictures, srgb=form.endswith("srgb"))
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


FINE = 1 << 14  # steps of light that are told apart: dark ones need them


def halved_pictures(pictures: NDArray[np.uint8], *, srgb: bool) -> list[NDArray[np.uint8]]:
    """Pictures (n, side, side, 4) halved until a side is odd, the first as they are.

    srgb  whether colours are in sRGB; the fourth number, coverage, is always what it is. Colours are times coverage, so
          that means are right
    """
    levels, light = [pictures], _light(pictures, srgb=srgb)
    while light.shape[1] % 2 == 0:
        # Sums of four slices are several times as quick as a mean over two axes.
        rows = light[:, 0::2] + light[:, 1::2]
        light = (rows[:, :, 0::2] + rows[:, :, 1::2]) * np.float32(0.25)
        levels.append(_shown(light, srgb=srgb))
    return levels


def _light(shown: NDArray[np.uint8], *, srgb: bool) -> NDArray[np.float32]:
    """From the numbers of a picture to light."""
    light = np.empty(shown.shape, np.float32)
    light[..., :3] = _tables()[0][shown[..., :3]] if srgb else shown[..., :3] / np.float32(255)
    light[..., 3] = shown[..., 3] / np.float32(255)
    return light


def _shown(light: NDArray[np.float32], *, srgb: bool) -> NDArray[np.uint8]:
    """And back."""
    shown = (light * np.float32(255) + np.float32(0.5)).astype(np.uint8)
    if srgb:
        step = (light[..., :3] * np.float32(FINE) + np.float32(0.5)).astype(np.uint16)
        shown[..., :3] = _tables()[1][step]
    return shown


@cache
def _tables() -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
    """(256,) light of each number of sRGB, and (FINE + 1,) the number of each step of light."""
    shown, light = np.arange(256) / 255, np.arange(FINE + 1) / FINE
    decoded = np.where(shown <= 0.04045, shown / 12.92, ((shown + 0.055) / 1.055) ** 2.4)
    encoded = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    return decoded.astype(np.float32), np.round(255 * encoded).astype(np.uint8)
