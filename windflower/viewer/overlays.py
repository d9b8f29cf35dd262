"""Overlays of the viewer: wind arrows, outlines of wind disks, and skeletons.

wind_arrows, disk_outlines ──> strokes ──> Overlays ──> draw calls in the view pass
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from windflower.core.arrays import FloatArray
from windflower.core.buffers import Bindings, Upload
from windflower.core.device import Gpu
from windflower.core.layouts import layout
from windflower.core.shaders import shader_module
from windflower.render.drawn import Block, DrawnMesh
from windflower.render.pipelines import DEPTH, LIGHT, Layouts
from windflower.scene.terrain import Terrain
from windflower.wind import ForcePrimitive, Wind

__all__ = ["STROKE", "Overlays", "arrows", "disk_outlines", "strokes", "wind_arrows"]

STROKE = layout("viewer/strokes.wgsl", "Stroke")
"""The layout of `Stroke` in strokes.wgsl."""

VERTEX = 1
ALPHA_BLEND = {"src_factor": "src-alpha", "dst_factor": "one-minus-src-alpha"}

# Wind arrows.
GRID_SIDE = 9  # arrows along a side of the grid
STRONG_WIND = 25.0  # m/s at which an arrow is as long as the grid's spacing; it never gets longer
WEAK_WIND = 0.05  # m/s below which no arrow is drawn
WEAK_COLOUR, STRONG_COLOUR = np.array([0.03, 0.16, 0.55]), np.array([0.75, 0.05, 0.01])

# Outlines of wind disks.
OUTLINE_POINTS = 96
OUTLINE_HEIGHT = 0.08  # m above the ground
OUTLINE_HALF_WIDTH = 1.4  # pixels
OUTLINE_COLOUR, FORCE_COLOUR = (0.02, 0.16, 0.75, 0.95), (0.75, 0.12, 0.02, 0.95)


def strokes(start: FloatArray, end: FloatArray, width: ArrayLike, colour: ArrayLike) -> NDArray[np.void]:
    """Records of straight strokes between points (n, 3), m.

    width   half widths (n,) of whole strokes or (n, 2) of their two ends, m
    colour  linear RGBA, (4,) or (n, 4)
    """
    found = np.zeros(len(start), STROKE)
    wide = np.asarray(width, float)
    found["start"][:, :3], found["end"][:, :3] = start, end
    found["start"][:, 3], found["end"][:, 3] = (wide[..., 0], wide[..., 1]) if wide.ndim == 2 else (wide, wide)
    found["colour"] = colour
    return found


def arrows(foot: FloatArray, vector: FloatArray, size: float, colour: FloatArray) -> NDArray[np.void]:
    """Arrows from points (n, 3) along vectors (n, 3), in metres; `size` is half the width of a head, m."""
    length = np.linalg.norm(vector, axis=1, keepdims=True)
    along = vector / np.maximum(length, 1e-9)
    head = np.minimum(2.6 * size, 0.6 * length)
    neck, tip = foot + vector - head * along, foot + vector
    thin = np.full(len(foot), 0.28 * size)
    wide = np.column_stack([head[:, 0] / 2.6, np.zeros(len(foot))])
    return np.concatenate([strokes(foot, neck, thin, colour), strokes(neck, tip, wide, colour)])


def wind_arrows(
    wind: Wind, t: float, around: FloatArray, radius: float, height: float, camera: FloatArray
) -> NDArray[np.void]:
    """Strokes of wind arrows at time `t`, s, on a grid that is fixed in the world.

    around  (3,) the grid's centre, rounded to a grid point, m; the grid reaches `radius` m to each side
    height  of the grid above the origin, m
    camera  (3,) position of the camera, m; arrows too near to it are left out
    """
    spacing = _power_of_two(2 * radius / (GRID_SIDE - 1))
    steps = spacing * (np.arange(GRID_SIDE) - GRID_SIDE // 2)
    x, z = np.meshgrid(np.round(around[0] / spacing) * spacing + steps, np.round(around[2] / spacing) * spacing + steps)
    places = np.stack([x.ravel(), np.full(x.size, height), z.ravel()], axis=1)
    velocity = wind.velocity(places, t)
    speed = np.linalg.norm(velocity, axis=1)
    drawn = (speed > WEAK_WIND) & (np.linalg.norm(places - camera, axis=1) > 2 * spacing)
    places, velocity, speed = places[drawn], velocity[drawn], speed[drawn]
    vector = velocity * np.minimum(spacing / STRONG_WIND, 0.95 * spacing / speed)[:, None]
    colour = WEAK_COLOUR + np.clip(1.4 * speed / STRONG_WIND, 0, 1)[:, None] * (STRONG_COLOUR - WEAK_COLOUR)
    return arrows(places - vector / 2, vector, 0.035 * spacing, np.column_stack([colour, np.full(len(colour), 0.9)]))


def _power_of_two(length: float) -> float:
    """The power of two, m, nearest to a length; a grid that grows by doubling keeps half of its points."""
    return float(2.0 ** np.round(np.log2(max(length, 1e-2))))


def disk_outlines(
    disks: tuple[ForcePrimitive, ...], t: float, camera: FloatArray, pixel: float, terrain: Terrain | None
) -> NDArray[np.void]:
    """Strokes of wind disks as circles on the ground at time `t`, s (Di Giacomo, Capo & Faure 2001, fig. 4).

    Each has an arrow along its force, as long, relative to its radius, as the force is strong now.

    camera  (3,) position of the camera, m
    pixel   height of a pixel at a distance of 1 m, m
    """
    parts = [np.zeros(0, STROKE)]
    for disk in disks:
        outline = _on_ground(_outline(disk, t), terrain)
        distance = np.linalg.norm(outline - camera, axis=1)
        half_width = OUTLINE_HALF_WIDTH * pixel * np.maximum(distance, 1.0)
        parts.append(strokes(outline, np.roll(outline, -1, axis=0), half_width, OUTLINE_COLOUR))
        parts.append(_force_arrow(disk, t, terrain))
    return np.concatenate(parts)


def _outline(disk: ForcePrimitive, t: float) -> FloatArray:
    """(points, 2) x and z of a circle, m."""
    angle = np.linspace(0, 2 * np.pi, OUTLINE_POINTS, endpoint=False)
    return np.asarray(disk.centre(t) + disk.radius * np.stack([np.cos(angle), np.sin(angle)], axis=1))


def _force_arrow(disk: ForcePrimitive, t: float, terrain: Terrain | None) -> NDArray[np.void]:
    """An arrow along the horizontal force; half the radius long where the force is F."""
    x, z = disk.centre(t).tolist()
    share = float(disk.share(np.array([x, 0.0, z]), t))
    horizontal = np.array(disk.strength) * (1, 0, 1)
    vector = 0.5 * disk.radius * share * horizontal / max(float(np.linalg.norm(disk.strength)), 1e-9)
    foot = _on_ground(disk.centre(t)[None], terrain)
    return arrows(foot, vector[None], 0.03 * disk.radius, np.array([FORCE_COLOUR]))


def _on_ground(points: FloatArray, terrain: Terrain | None) -> FloatArray:
    """(n, 3) points just above the ground at x and z (n, 2), m."""
    height = np.zeros(len(points)) if terrain is None else terrain.height(points)
    return np.stack([points[:, 0], height + OUTLINE_HEIGHT, points[:, 1]], axis=1)


class Overlays:
    """Pipelines of the overlays for a device and a sample count; gives draw calls for one frame."""

    def __init__(self, gpu: Gpu, layouts: Layouts, frame_samples: int) -> None:
        self.gpu, self.layouts = gpu, layouts
        self._layout = _stroke_layout(gpu)
        self._tested, self._in_front = (
            _stroke_pipeline(gpu, layouts, frame_samples, depth) for depth in ("greater", "always")
        )
        self._buffers: list[tuple[Upload, Bindings]] = []
        self._skeleton = _skeleton_pipeline(gpu, layouts, frame_samples)

    def strokes(self, some: NDArray[np.void], *, in_front: bool = False) -> Callable[[Any], None]:
        """A draw call of strokes: tested against the depth buffer, or in front of everything."""
        buffer = (
            self._buffers.pop() if self._buffers else (Upload(self.gpu, "strokes"), Bindings(self.gpu, self._layout))
        )
        upload, bindings = buffer
        group = bindings.group(upload.write(some))

        def draw(view_pass: Any) -> None:
            view_pass.set_pipeline(self._in_front if in_front else self._tested)
            view_pass.set_bind_group(1, group)
            view_pass.draw(6 * len(some))
            if buffer not in self._buffers:
                self._buffers.append(buffer)  # for the next frame

        return draw

    def skeletons(self, drawn: Sequence[tuple[DrawnMesh, Block]]) -> Callable[[Any], None]:
        """A draw call of the skeletons of all plants of a frame."""

        def draw(view_pass: Any) -> None:
            view_pass.set_pipeline(self._skeleton)
            for mesh, block in drawn:
                if mesh.tubes:
                    view_pass.set_bind_group(1, block.bindings)
                    view_pass.set_bind_group(2, mesh.tubes[0][0])
                    mesh.draw_lines(view_pass, block)

        return draw


@lru_cache(maxsize=2)
def _stroke_layout(gpu: Gpu) -> Any:
    buffer = {"binding": 0, "visibility": VERTEX, "buffer": {"type": "read-only-storage"}}
    return gpu.device.create_bind_group_layout(entries=[buffer])


@lru_cache(maxsize=8)
def _stroke_pipeline(gpu: Gpu, layouts: Layouts, samples: int, depth: str) -> Any:
    return _pipeline(gpu, "viewer/strokes.wgsl", [layouts.frame, _stroke_layout(gpu)], samples, "triangle-list", depth)


@lru_cache(maxsize=4)
def _skeleton_pipeline(gpu: Gpu, layouts: Layouts, samples: int) -> Any:
    groups = [layouts.frame, layouts.instances, layouts.mesh]
    return _pipeline(gpu, "viewer/skeleton.wgsl", groups, samples, "line-list", "always")


def _pipeline(gpu: Gpu, shader: str, layouts: list[Any], samples: int, topology: str, depth: str) -> Any:
    module = shader_module(gpu, shader)
    return gpu.device.create_render_pipeline(
        label=shader,
        layout=gpu.device.create_pipeline_layout(bind_group_layouts=layouts),
        vertex={"module": module, "entry_point": "vs_view"},
        primitive={"topology": topology, "cull_mode": "none"},
        depth_stencil={"format": DEPTH, "depth_compare": depth, "depth_write_enabled": False},
        multisample={"count": samples},
        fragment={
            "module": module,
            "entry_point": "fs_view",
            "targets": [{"format": LIGHT, "blend": {"color": ALPHA_BLEND, "alpha": ALPHA_BLEND}}],
        },
    )
