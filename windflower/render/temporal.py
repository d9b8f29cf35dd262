"""Temporal anti-aliasing: what a renderer keeps of the frames before, and the kernel that mixes it with a new one.

projection ──jitter──> view pass: light, depth, velocity ──> temporal.wgsl ──> history ──> focus, blur, tone
                                                  history of the frame before ──┘
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.core.buffers import Bindings, uniform
from windflower.core.device import Gpu
from windflower.core.layouts import layout, record
from windflower.core.quick_calls import write_buffer
from windflower.render.pipelines import LIGHT, VELOCITY, Pipelines
from windflower.scene import View

__all__ = ["Temporal", "jitter"]

HISTORY = layout("render/wgsl/temporal.wgsl", "History")
PLACES = 16  # of a sample in its pixel, one after another
TURNED = np.cos(np.radians(25.0))  # of a camera's direction between two frames that belong together, at least
FAR = 0.35  # of the distance to its target that a camera goes between two such frames, at most
GROUP = 8  # invocations along a side of a workgroup of temporal.wgsl
ATTACHMENT, STORED, TEXTURE, COPY_SRC = 0x10, 0x08, 0x04, 0x01


def jitter(number: int) -> FloatArray:
    """(2,) where the sample of a pixel lies in it in a frame, pixels from its middle (Halton 1960, bases 2 and 3)."""
    return np.array([_halton(number % PLACES + 1, base) for base in (2, 3)]) - 0.5


def _halton(number: int, base: int) -> float:
    found, share = 0.0, 1.0
    while number:
        share /= base
        number, digit = divmod(number, base)
        found += share * digit
    return found


class Temporal:
    """History of a renderer whose frames follow one another.

    velocity  texture of pixels' velocities, which the view pass writes
    number    of the frame among those that follow one another
    """

    def __init__(self, gpu: Gpu, size: tuple[int, int], pipelines: Pipelines, light: Any, depth: Any) -> None:
        self._gpu, self._pipelines, self._size, self.number = gpu, pipelines, size, 0
        usage = TEXTURE | COPY_SRC
        self.velocity = gpu.device.create_texture(size=(*size, 1), format=VELOCITY, usage=usage | ATTACHMENT)
        self._pair = [gpu.device.create_texture(size=(*size, 1), format=LIGHT, usage=usage | STORED) for _ in range(2)]
        self._uniform = uniform(gpu, HISTORY.itemsize, "history")
        smooth = gpu.device.create_sampler(mag_filter="linear", min_filter="linear")
        inputs = light.create_view(), self.velocity.create_view(), depth.create_view()
        self._groups = [Bindings(gpu, pipelines.layouts.temporal) for _ in range(2)]
        views = [one.create_view() for one in self._pair]
        pairs = zip(views, reversed(views), strict=True)
        self._resources = [(*inputs, source, smooth, self._uniform, target) for source, target in pairs]
        self._before: tuple[View, FloatArray, NDArray[np.void]] | None = None

    def forget(self) -> None:
        """Start anew, after a cut."""
        self._before, self.number = None, 0

    def follow(self, view: View) -> bool:
        """Whether a frame follows the one before; if it does not, the history is forgotten."""
        if self._before is not None and not _same_take(self._before[0], view):
            self.forget()
        data = record(HISTORY, known=float(self._before is not None), frames=self.number)
        write_buffer(self._gpu.queue, self._uniform, 0, data)
        return self._before is not None

    def before(self, projection: FloatArray, fields: NDArray[np.void]) -> tuple[FloatArray, NDArray[np.void]]:
        """Projection and record of the frame before; those of this one, if there was none."""
        return self._before[1:] if self._before else (projection, fields)

    def keep(self, view: View, projection: FloatArray, fields: NDArray[np.void]) -> None:
        """Keep what the next frame needs to know of this one."""
        self._before = view, projection, fields.copy()
        self.number += 1

    @property
    def picture(self) -> Any:
        """Texture of the light that the kernel has written last."""
        return self._pair[self.number % 2]

    def resolve(self, encoder: Any, timed: Any) -> None:
        """Record the kernel that mixes the new frame with the history."""
        source = 1 - self.number % 2
        compute_pass = encoder.begin_compute_pass(timestamp_writes=timed)
        compute_pass.set_pipeline(self._pipelines.temporal)
        compute_pass.set_bind_group(0, self._groups[source].group(*self._resources[source]))
        compute_pass.dispatch_workgroups(*(-(-side // GROUP) for side in self._size))
        compute_pass.end()


def _same_take(before: View, view: View) -> bool:
    """Whether a camera may have gone from one view to the other between two frames, without a cut."""
    sights = view.target - view.eye, before.target - before.eye
    lengths = [float(np.linalg.norm(sight)) for sight in sights]
    cosine = float(np.dot(*sights)) / max(lengths[0] * lengths[1], 1e-12)
    gone = float(np.linalg.norm(view.eye - before.eye))
    return cosine > TURNED and gone < FAR * max(lengths) and view.field_of_view == before.field_of_view
