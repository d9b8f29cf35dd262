"""The wind at points that stay where they are, for steps of a simulation, summed on the device.

Carried winds (`Wind.layer`) are summed by a kernel, wave by wave and front by front, so that every crown feels what
`Wind.velocity` says. All others are asked on the processor, at the same points, and added.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.core.buffers import Bindings, Upload, dispatch, kernel, read_floats, storage, uniform, vec4, zeros
from windflower.core.device import Gpu
from windflower.core.layouts import layout, record
from windflower.core.quick_calls import write_buffer
from windflower.wind.field import Sum, Wind
from windflower.wind.grid import Box, box_around
from windflower.wind.layer import Layer, merged
from windflower.wind.layer_records import LayerRecords

__all__ = ["Carried", "WindAtPoints", "bytes_at_points"]

SHADER = "wind/at_points.wgsl"
FIELD = layout(SHADER, "Field")
THREADS, TOGETHER = 64, 4  # invocations of a workgroup, and steps of an invocation
MOST_STEPS, MOST_BYTES = 128, 1 << 24  # found at a time


def most_steps(points: int, limit: int = MOST_BYTES) -> int:
    """How many steps' winds at so many points are found at a time, in at most so many bytes."""
    return min(max(min(limit, MOST_BYTES) // (16 * points), 1), MOST_STEPS)


def bytes_at_points(points: int) -> int:
    """Bytes on the device for the wind at so many points: their places, what each makes of the wind, and the wind."""
    return 16 * points * (2 + most_steps(points)) if points else 0


class Carried:
    """A wind on the device, for all who find it at points of their own in one box: its waves and fronts, step by step.

    layers  what the kernel sums; others: what is asked on the processor, or None
    """

    def __init__(self, gpu: Gpu, box: Box) -> None:
        self.box = box
        self.layers: list[Layer] = []
        self.others: Wind | None = None
        self._wind: Wind | None = None
        self._uploads = {name: Upload(gpu, name) for name in ("layers", "waves", "trains", "fronts")}
        self._steps: tuple[float, float, int] | None = None
        self.buffers: list[Any] = []

    def prepare(self, wind: Wind, first: float, dt: float, steps: int) -> None:
        """Upload so many steps, dt apart, of which the first ends at `first`, s; what is there is left alone."""
        if wind is not self._wind:
            self._sort(wind)
        if (first, dt, steps) != self._steps:
            self._steps = first, dt, steps
            records = self._records.at(first, dt, first + dt * (steps - 1))
            self.buffers = [upload.write(records[name]) for name, upload in self._uploads.items()]

    def _sort(self, wind: Wind) -> None:
        """Sort a wind into what the kernel sums and what is asked here."""
        found = [(part, part.layer) for part in wind.parts]
        parts = [(part, layer if layer is not None and layer.suits(self.box) else None) for part, layer in found]
        others = tuple(part for part, layer in parts if layer is None)
        self.layers = merged([layer for _, layer in parts if layer is not None])
        self._wind, self.others, self._steps = wind, Sum(others) if others else None, None
        self._records = LayerRecords(self.layers, self.box)


class WindAtPoints:
    """The wind at points (…, 3), m: `prepare` says which and when, and a pass in which it is recorded finds it.

    carried  the wind, which those who share out points share; by default their own, in a box around the points
    limit    bytes that a buffer may have, if fewer than the device allows
    most     steps that can be prepared at a time
    air      buffer of vec4<f32>: steps x points, m/s
    """

    def __init__(
        self, gpu: Gpu, points: FloatArray, *, carried: Carried | None = None, limit: int | None = None
    ) -> None:
        self.gpu, self._points = gpu, points.reshape(-1, 3)
        size = min(gpu.binding_size, gpu.buffer_size, limit or gpu.binding_size)
        self.most = most_steps(len(self._points), size)
        self._carried = carried or Carried(gpu, box_around(points))
        self._place = storage(gpu, vec4(self._points - self._carried.box.middle), "points in the wind")
        self._field, self._latest = uniform(gpu, FIELD.itemsize, "field"), dict[str, float]()
        self._steps, self.air = 0, zeros(gpu, 16 * len(self._points), "air at points")
        self._gains, self._gain = Upload(gpu, "gains"), None  # the buffer of those that hold
        self._layers: list[Layer] | None = None
        self._kernel = kernel(gpu, SHADER, THREADS=THREADS)
        self._bindings = Bindings(gpu, self._kernel.get_bind_group_layout(0))

    def move(self, points: FloatArray) -> None:
        """Go on with as many other points (…, 3), m, in the same box."""
        self._points, self._layers = points.reshape(-1, 3), None
        write_buffer(self.gpu.queue, self._place, 0, vec4(self._points - self._carried.box.middle))

    def portions(self, steps: int) -> Iterator[int]:
        """So many steps in portions that can be prepared at a time."""
        for first in range(0, steps, self.most):
            yield min(self.most, steps - first)

    def prepare(self, wind: Wind, first: float, dt: float, steps: int) -> None:
        """Have the next pass find the wind of so many steps, dt apart, of which the first ends at `first`, s."""
        carried = self._carried
        carried.prepare(wind, first, dt, steps)
        self._take(carried.layers)
        self._steps, count, given = steps, len(self._points), carried.others is not None
        if self.air.size < 16 * steps * count:
            self.air = zeros(self.gpu, 16 * steps * count, "air at points")
        if carried.others is not None:
            times = first + dt * np.arange(steps)
            write_buffer(self.gpu.queue, self.air, 0, vec4(carried.others.velocity(self._points, times[:, None])))
        field = {"points": count, "steps": steps, "layers": len(carried.layers), "given": given, "dt": dt}
        if field != self._latest:
            self._latest = field
            write_buffer(self.gpu.queue, self._field, 0, record(FIELD, **field))

    def record(self, compute_pass: Any) -> None:
        """Find the prepared winds in a pass."""
        group = self._bindings.group(self._field, self._place, self._gain, *self._carried.buffers, self.air)
        invocations = len(self._points) * -(-self._steps // TOGETHER)
        dispatch(compute_pass, self._kernel, group, -(-invocations // THREADS))

    def read(self) -> FloatArray:
        """(steps, n, 3) the winds that were found, m/s."""
        found = read_floats(self.gpu, self.air, 0, 16 * self._steps * len(self._points))
        return found.reshape(self._steps, -1, 4)[..., :3].astype(np.float64)

    def _take(self, layers: list[Layer]) -> None:
        """Find out what the places make of layers, once."""
        if layers is not self._layers:
            self._layers = layers
            gains: NDArray[Any] = np.concatenate([np.zeros((1, 4)), *(layer.gains(self._points) for layer in layers)])
            self._gain = self._gains.write(gains[1 if layers else 0 :].astype("<f4"))
