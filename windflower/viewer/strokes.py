"""What a window draws besides plants: strokes, and the skeletons of what is drawn."""

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

__all__ = ["STROKE", "Overlays", "arrows", "strokes"]

STROKE = layout("viewer/strokes.wgsl", "Stroke")
VERTEX = 1
COVER = {"src_factor": "src-alpha", "dst_factor": "one-minus-src-alpha"}


def strokes(start: FloatArray, end: FloatArray, width: ArrayLike, colour: ArrayLike) -> NDArray[np.void]:
    """Strokes between points (n, 3), with half widths (n,) or (n, 2) at both ends in m, in linear RGBA (n, 4)."""
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


class Overlays:
    """Pipelines for a device and a number of samples, and the draws of a frame."""

    def __init__(self, gpu: Gpu, layouts: Layouts, frame_samples: int) -> None:
        self.gpu, self.layouts = gpu, layouts
        self._layout = _stroke_layout(gpu)
        self._hidden, self._shown = (
            _stroke_pipeline(gpu, layouts, frame_samples, depth) for depth in ("greater", "always")
        )
        self._rooms: list[tuple[Upload, Bindings]] = []
        self._skeleton = _skeleton_pipeline(gpu, layouts, frame_samples)

    def strokes(self, some: NDArray[np.void], *, in_front: bool = False) -> Callable[[Any], None]:
        """A draw of strokes, hidden by what is before them or in front of everything."""
        room = self._rooms.pop() if self._rooms else (Upload(self.gpu, "strokes"), Bindings(self.gpu, self._layout))
        upload, bindings = room
        group = bindings.group(upload.write(some))

        def draw(view_pass: Any) -> None:
            view_pass.set_pipeline(self._shown if in_front else self._hidden)
            view_pass.set_bind_group(1, group)
            view_pass.draw(6 * len(some))
            if room not in self._rooms:
                self._rooms.append(room)  # for the next frame

        return draw

    def skeletons(self, drawn: Sequence[tuple[DrawnMesh, Block]]) -> Callable[[Any], None]:
        """A draw of the skeletons of what a frame draws."""

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
            "targets": [{"format": LIGHT, "blend": {"color": COVER, "alpha": COVER}}],
        },
    )
