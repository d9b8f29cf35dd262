"""Tape: the WebGPU calls of a program, written down natively so that a browser can make the same calls."""

import base64
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from windflower.core.device import Gpu

__all__ = ["Tape", "recording"]

LASTING = (
    "create_shader_module",
    "create_bind_group_layout",
    "create_pipeline_layout",
    "create_compute_pipeline",
    "create_render_pipeline",
)
"""Calls whose result depends on their arguments alone, so that equal ones are written once."""

METHODS = {
    "GPUDevice": (
        *LASTING,
        "create_buffer",
        "create_buffer_with_data",
        "create_bind_group",
        "create_command_encoder",
    ),
    "GPUQueue": ("write_buffer", "submit", "read_buffer"),
    "GPUCommandEncoder": ("begin_compute_pass", "finish"),
    "GPUComputePassEncoder": ("set_pipeline", "set_bind_group", "dispatch_workgroups", "end"),
    "GPUComputePipeline": ("get_bind_group_layout",),
}
"""What is written down of each class of wgpu; a tape without compute passes has only the lasting calls."""

VERBATIM = "constants"  # its keys are names of a shader's override constants


class Tape:
    """Calls in their order, as JSON: `id` of the result, the object `on` which it is called, what to `do`, arguments.

    The device is object 0 and its queue object 1. Bytes are {"$bytes": base64}, objects {"$": id}.
    """

    def __init__(self, device: Any) -> None:
        self.calls: list[dict[str, Any]] = []
        self._known: dict[int, tuple[int, Any]] = {}  # with the object itself, so that its address stays its own
        self._equal: dict[str, int] = {}
        self._count = 0
        self._inside = False  # a call of wgpu itself, which makes others
        for thing in (device, device.queue):
            self._number(thing)

    def method(self, owner: Any, name: str, watch: Callable[[Any], None]) -> Callable[..., Any]:
        """A stand-in for a method: it calls the real one and writes the call down."""
        real = getattr(owner, name)

        def call(*args: Any, **named: Any) -> Any:
            if self._inside:
                return real(*args, **named)
            self._inside = True
            try:
                result = real(*args, **named)
            finally:
                self._inside = False
            self._write(owner, name, args, named, result)
            watch(result)
            return result

        return call

    def _write(self, owner: Any, name: str, args: tuple[Any, ...], named: dict[str, Any], result: Any) -> None:
        call = {"on": self._known[id(owner)][0], "do": _camel(name), "args": self._said(args)}
        if named:
            call["args"].append(self._said(named))
        key = json.dumps(call) if name in LASTING else ""
        if key in self._equal:
            self._known[id(result)] = (self._equal[key], result)
            return
        number = self._number(result)
        if key:
            self._equal[key] = number
        self.calls.append({"id": number, **call})

    def _number(self, thing: Any) -> int:
        number, self._count = self._count, self._count + 1
        self._known[id(thing)] = (number, thing)
        return number

    def _said(self, value: Any, *, keys: bool = True) -> Any:
        """A value as JSON: descriptors have the names that JavaScript gives them."""
        if isinstance(value, dict):
            return {
                _camel(key) if keys else key: self._said(item, keys=key != VERBATIM)
                for key, item in value.items()
                if item is not None
            }
        if isinstance(value, list | tuple):
            return [self._said(item) for item in value]
        if isinstance(value, bytes | bytearray | memoryview | np.ndarray | np.void):
            return {"$bytes": base64.b64encode(np.asarray(value).tobytes()).decode()}
        if isinstance(value, np.generic):
            return value.item()
        return {"$": self._known[id(value)][0]} if id(value) in self._known else value


@contextmanager
def recording(gpu: Gpu, *, compute: bool = False) -> Iterator[tuple[Gpu, Tape]]:
    """Write down what is asked of a device: all modules and pipelines, and with `compute` what kernels do, too.

    Gives the device under a new name, by which no pipeline is known yet, as a graphics card's: a browser has one.
    """
    tape = Tape(gpu.device)
    with ExitStack() as undo:

        def watch(thing: Any) -> None:
            for name in METHODS.get(type(thing).__name__, ()):
                if (compute or name in LASTING) and name not in vars(thing):
                    setattr(thing, name, tape.method(thing, name, watch))
                    undo.callback(delattr, thing, name)

        watch(gpu.device)
        watch(gpu.queue)
        yield replace(gpu, software=False), tape


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)
