"""Buffers, bind groups, compute pipelines and dispatches: short forms of the WebGPU calls that kernels need."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.compute_pass import ComputePass
from windflower.core.device import Gpu
from windflower.core.quick_calls import copying, write_buffer
from windflower.core.shaders import shader_module

__all__ = [
    "MOST_WORKGROUPS",
    "Bindings",
    "Recorder",
    "Upload",
    "bind_group",
    "bindings",
    "dispatch",
    "kernel",
    "read_floats",
    "recorded",
    "storage",
    "uniform",
    "vec4",
    "wait",
    "zeros",
]

STORAGE, UNIFORM, COPY_SRC, COPY_DST = 0x80, 0x40, 0x04, 0x08
MOST_WORKGROUPS = 65_535  # along one dimension


def zeros(gpu: Gpu, size: int, label: str = "") -> Any:
    """Storage buffer of `size` bytes, all zero."""
    return gpu.device.create_buffer(size=max(size, 16), usage=STORAGE | COPY_SRC | COPY_DST, label=label)


def storage(gpu: Gpu, data: NDArray[Any], label: str = "") -> Any:
    """Storage buffer with the contents of an array."""
    usage = STORAGE | COPY_SRC | COPY_DST
    return gpu.device.create_buffer_with_data(data=np.ascontiguousarray(data), usage=usage, label=label)


def uniform(gpu: Gpu, size: int, label: str = "") -> Any:
    """Uniform buffer of `size` bytes."""
    return gpu.device.create_buffer(size=size, usage=UNIFORM | COPY_DST, label=label)


def vec4(vectors: NDArray[Any], fourth: NDArray[Any] | float = 0.0) -> NDArray[np.float32]:
    """Vectors (…, 3) as vec4<f32> (…, 4) for a shader; `fourth` (…,) is the last component."""
    padded = np.empty((*vectors.shape[:-1], 4), "<f4")
    for axis in range(3):  # NumPy goes through three long rows faster than through many of three
        padded[..., axis] = vectors[..., axis]
    padded[..., 3] = fourth
    return padded


@lru_cache(maxsize=64)
def kernel(gpu: Gpu, name: str, **constants: float) -> Any:
    """Compute pipeline of a shader, cached for each set of override constants."""
    module = shader_module(gpu, name)
    compute = {"module": module, "entry_point": "main", "constants": constants}
    return gpu.device.create_compute_pipeline(layout="auto", compute=compute, label=name)


def bind_group(gpu: Gpu, layout: Any, *resources: Any) -> Any:
    """Bind group of a layout: buffers, buffer ranges (dicts), texture views or samplers at bindings 0, 1, and so on.

    None leaves a binding out.
    """
    entries = [{"binding": i, "resource": resource} for i, resource in enumerate(resources) if resource is not None]
    return gpu.device.create_bind_group(layout=layout, entries=entries)


def bindings(gpu: Gpu, pipeline: Any, *buffers: Any) -> Any:
    """Bind group 0 of a kernel: buffers, or buffer ranges (dicts), at bindings 0, 1, and so on."""
    return bind_group(gpu, pipeline.get_bind_group_layout(0), *buffers)


class Bindings:
    """Cached bind groups of a layout: the latest two, because many resources take turns from frame to frame."""

    def __init__(self, gpu: Gpu, layout: Any) -> None:
        self._gpu, self._layout = gpu, layout
        self._latest: list[tuple[tuple[Any, ...], Any]] = []

    def group(self, *resources: Any) -> Any:
        """Bind group of these resources; see `bind_group`."""
        for known, group in self._latest:
            if known == resources:
                return group
        made = bind_group(self._gpu, self._layout, *resources)
        self._latest = [(resources, made), *self._latest[:1]]
        return made


class Upload:
    """A storage buffer for repeated uploads, with some room, replaced by a larger one when it has to grow."""

    def __init__(self, gpu: Gpu, label: str = "") -> None:
        self._gpu, self._label = gpu, label
        self._buffer: Any = None

    def write(self, data: NDArray[Any]) -> Any:
        """Upload an array to the start of the buffer, after all submitted commands; returns the buffer."""
        size = self._buffer.size if self._buffer else 0
        if size < max(data.nbytes, 1):
            self._buffer = zeros(self._gpu, max(data.nbytes * 5 // 16 * 4, data.nbytes, 3 * size // 8 * 4), self._label)
        if data.size:
            write_buffer(self._gpu.queue, self._buffer, 0, np.ascontiguousarray(data))
        return self._buffer


def dispatch(compute_pass: Any, pipeline: Any, group: Any, workgroups: int, rows: int = 1, *, at: int = 0) -> None:
    """Dispatch `workgroups` × `rows` workgroups. Too many for one dimension are split over two, if `rows` is 1."""
    compute_pass.set_pipeline(pipeline)
    compute_pass.set_bind_group(at, group)
    if workgroups > MOST_WORKGROUPS:
        rows = -(-workgroups // MOST_WORKGROUPS)
        workgroups = -(-workgroups // rows)
    compute_pass.dispatch_workgroups(workgroups, rows)


class Recorder:
    """A command encoder that records all compute work between two copies in one pass.

    A pass costs a driver and Python more than a dispatch does; in one pass, dispatches still follow one another.
    """

    def __init__(self, gpu: Gpu) -> None:
        self._encoder = gpu.device.create_command_encoder()
        self._copy = copying(self._encoder)
        self._pass: ComputePass | None = None
        self._part: _Part | None = None

    def begin_compute_pass(self) -> "_Part":
        """The pass, begun if it is not open."""
        if self._pass is None or self._part is None:
            self._pass = ComputePass(self._encoder)
            self._part = _Part(self._pass)
        return self._part

    def copy_buffer_to_buffer(self, *copied: Any) -> None:
        """Copy bytes, after all that was recorded before."""
        self._close()
        self._copy(*copied)

    def finish(self) -> Any:
        """All that was recorded, to be submitted."""
        self._close()
        return self._encoder.finish()

    def _close(self) -> None:
        if self._pass is not None:
            self._pass.end()
            self._pass = None


class _Part:
    """A part of a pass, whose end does not end the pass."""

    def __init__(self, whole: ComputePass) -> None:
        self.set_pipeline, self.set_bind_group = whole.set_pipeline, whole.set_bind_group
        self.dispatch_workgroups = whole.dispatch_workgroups

    def end(self) -> None:
        """End the part; another may follow in the pass."""


@contextmanager
def recorded(gpu: Gpu, encoder: Any = None) -> Iterator[Any]:
    """Compute pass, submitted at its end; with an `encoder` it is only recorded there."""
    recorder = encoder or Recorder(gpu)
    compute_pass = recorder.begin_compute_pass()
    yield compute_pass
    compute_pass.end()
    if encoder is None:
        gpu.queue.submit([recorder.finish()])


def read_floats(gpu: Gpu, buffer: Any, offset: int = 0, size: int | None = None) -> NDArray[np.float32]:
    """Read bytes of a buffer as float32, after waiting for all submitted work."""
    return np.frombuffer(gpu.queue.read_buffer(buffer, offset, size), "<f4")


def wait(gpu: Gpu, buffer: Any) -> None:
    """Wait for all submitted work, by reading 16 bytes of this buffer."""
    gpu.queue.read_buffer(buffer, 0, 16)
