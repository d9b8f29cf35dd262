"""Calls of a frame that go into a known driver directly, without wgpu's look for errors after each."""

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["KNOWN", "NATIVE", "copying", "is_native", "write_buffer"]

NATIVE, KNOWN = "wgpu.backends.wgpu_native", 29  # wgpu's driver, and the version of it whose functions are called here


def is_native(thing: Any, *names: str) -> bool:
    """Whether a thing of wgpu is of the driver that is known, and has its own methods of these names.

    Where methods were replaced, to watch what is called, they are to be called.
    """
    native, api = sys.modules.get(NATIVE), f"{NATIVE}._api"
    if native is None or type(thing).__module__ != api or native.version_info[0] != KNOWN:
        return False
    own = vars(thing)
    return all(name not in own and getattr(type(thing), name).__module__ == api for name in names)


def write_buffer(queue: Any, buffer: Any, offset: int, data: NDArray[Any]) -> None:
    """`queue.write_buffer(buffer, offset, data)` with a contiguous array of whole words that fits the buffer."""
    size = data.nbytes
    fits = size and size % 4 == 0 and offset % 4 == 0 and offset + size <= buffer.size
    if (
        not fits
        or not isinstance(data, np.ndarray)
        or not data.flags.c_contiguous
        or not is_native(queue, "write_buffer")
    ):
        queue.write_buffer(buffer, offset, data)
        return
    native = sys.modules[NATIVE]
    native.lib.wgpuQueueWriteBuffer(queue._internal, buffer._internal, offset, native.ffi.from_buffer(data), size)


def copying(encoder: Any) -> Callable[[Any, int, Any, int, int], None]:
    """`encoder.copy_buffer_to_buffer`, of whole words; what is wrong with it is found when the encoder is finished."""
    if not is_native(encoder, "copy_buffer_to_buffer"):
        return encoder.copy_buffer_to_buffer
    own, copy = encoder._internal, sys.modules[NATIVE].lib.wgpuCommandEncoderCopyBufferToBuffer

    def call(source: Any, source_offset: int, target: Any, offset: int, size: int) -> None:
        copy(own, source._internal, source_offset, target._internal, offset, size)

    return call
