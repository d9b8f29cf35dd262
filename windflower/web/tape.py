"""Tape: the WebGPU calls of a program, written down natively so that a browser can make the same calls.

    things    what lasts, in the order in which it was made: modules, layouts, pipelines, buffers, textures, bundles
    sections  what is done with it, in order: "start" once, then whatever `begin` names

A call is a list: its name as JavaScript has it, then its arguments. Things are {"$": number}, bytes {"bytes": number},
and numbers that a page fills in {"?": name}; all else is as in WebGPU.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

from windflower.core.device import Gpu

__all__ = ["Call", "Named", "Tape", "recording"]

Call: TypeAlias = list[Any]

LASTING = {
    "GPUDevice": (
        "create_shader_module",
        "create_bind_group_layout",
        "create_pipeline_layout",
        "create_compute_pipeline",
        "create_render_pipeline",
        "create_sampler",
        "create_buffer",
        "create_buffer_with_data",
        "create_texture",
        "create_bind_group",
    ),
    "GPUTexture": ("create_view",),
    "GPUComputePipeline": ("get_bind_group_layout",),
    "GPURenderPipeline": ("get_bind_group_layout",),
}
"""Calls that make something that lasts."""
ONCE = ("create_buffer", "create_buffer_with_data", "create_texture", "create_bind_group")
"""Those of them that make a new thing each time; of the others, equal calls make equal things."""
DRAWN = ("set_pipeline", "set_bind_group", "set_index_buffer")
DRAWS = (*DRAWN, "draw", "draw_indexed", "draw_indirect", "draw_indexed_indirect")
PASSES = {
    "GPUComputePassEncoder": (*DRAWN[:2], "dispatch_workgroups", "dispatch_workgroups_indirect"),
    "GPURenderPassEncoder": (*DRAWS, "execute_bundles", "set_viewport", "set_scissor_rect"),
    "GPURenderBundleEncoder": DRAWS,
}
COPIES = ("copy_buffer_to_buffer", "copy_texture_to_texture", "copy_texture_to_buffer", "clear_buffer")
READS = ("read_buffer", "read_texture")
VERBATIM = "constants"  # its keys are names of a shader's override constants


class Named(int):
    """A number that is not the same in each frame: a page fills in what it is then.

    name  by which the page knows it
    """

    name: str

    def __new__(cls, value: int, name: str) -> "Named":
        """The number as it is natively, under a name."""
        made = super().__new__(cls, value)
        made.name = name
        return made


class Tape:
    """Everything that is asked of a device between the two ends of `recording`.

    runs  whether work that is submitted is done, and reading is written down; else it is done only when something is
          read, and then forgotten with the reading: what the program makes of that is on the tape
    """

    def __init__(self, device: Any, *, runs: bool = False) -> None:
        self.runs = runs
        self.things: list[Call] = []
        self.labels: dict[str, list[int]] = {}
        self.sections: dict[str, list[Call]] = {"start": []}
        self.blobs: list[bytes] = []
        self._section = self.sections["start"]
        self._undone: list[tuple[Any, Call]] = []  # command buffers of this section, and how they are written down
        self._numbers: dict[int, tuple[Any, Any]] = {}  # with the object itself, so that its address stays its own
        self._equal: dict[str, int] = {}
        self._same_bytes: dict[bytes, int] = {}
        self._inside = False  # a call of wgpu itself, which makes others
        self._know(device, "device")
        self._know(device.queue, "queue")

    def begin(self, section: str) -> None:
        """Write what is done from now on to a section of this name."""
        self._section, self._undone = self.sections.setdefault(section, []), []

    def knows(self, thing: Any) -> bool:
        """Whether a thing was made while the tape ran."""
        return id(thing) in self._numbers

    def number(self, thing: Any) -> int:
        """The number of a thing that lasts."""
        found = self._numbers[id(thing)][0]
        assert isinstance(found, int)
        return found

    def stand_in(self, owner: Any, name: str, watch: Callable[[Any], None]) -> Callable[..., Any]:
        """A method that calls the real one and writes the call down."""
        real = getattr(owner, name)
        kind = type(owner).__name__

        def call(*args: Any, **named: Any) -> Any:
            if self._inside:
                return real(*args, **named)
            self._inside = True
            try:
                if name in READS and not self.runs:
                    self._catch_up(owner)
                waits = name == "submit" and not self.runs
                result = None if waits else real(*args, **named)
            finally:
                self._inside = False
            if name not in READS or self.runs:
                self._write(kind, owner, name, [*args, *([named] if named else [])], result)
            if waits:
                self._undone.append((args[0], self._section[-1]))
            watch(result)
            return result

        return call

    def _catch_up(self, queue: Any) -> None:
        """Do what was only written down since the section began: somebody looks at what it does."""
        for commands, _ in self._undone:
            type(queue).submit(queue, commands)
        done = [call for _, call in self._undone]
        self._section[:] = [call for call in self._section if not any(call is one for one in done)]
        self._undone = []

    def _know(self, thing: Any, as_what: Any) -> None:
        self._numbers[id(thing)] = as_what, thing

    def _write(self, kind: str, owner: Any, name: str, args: list[Any], result: Any) -> None:
        if name in LASTING.get(kind, ()):
            self._make(owner, name, args, result)
        elif kind == "GPUQueue":
            self._section.append(self._queued(name, args))
        elif name == "finish":
            self._finish(owner, result)
        elif name.startswith("begin_") or name in ("create_command_encoder", "create_render_bundle_encoder"):
            self._open(owner, name, args, result)
        else:
            self._numbers[id(owner)][0].append([_camel(name), *self._said(args)])

    def _make(self, owner: Any, name: str, args: list[Any], result: Any) -> None:
        """Write down a thing that lasts, once."""
        on = [] if type(owner).__name__ == "GPUDevice" else [self._said(owner)]
        call = [_camel(name), *on, *self._said(args)]
        key = "" if name in ONCE else json.dumps(call)
        if key in self._equal:
            self._know(result, self._equal[key])
            return
        number = self._lasting(call, result)
        if key:
            self._equal[key] = number
        label = next((one["label"] for one in args if isinstance(one, dict) and one.get("label")), None)
        if label and name in ONCE:
            self.labels.setdefault(label, []).append(number)

    def _lasting(self, call: Call, result: Any) -> int:
        self.things.append(call)
        self._know(result, len(self.things) - 1)
        return len(self.things) - 1

    def _queued(self, name: str, args: list[Any]) -> Call:
        if name == "submit":
            return ["submit", *(self._numbers[id(one)][0] for one in args[0])]
        return [_camel(name), *self._said(args)]

    def _open(self, owner: Any, name: str, args: list[Any], result: Any) -> None:
        """A list of calls: a command encoder's, a pass', or a bundle's, which begins with what it is made with."""
        calls: list[Any] = []
        if name.startswith("begin_"):
            which = "compute" if name == "begin_compute_pass" else "render"
            described = [] if which == "compute" else self._said(args)
            self._numbers[id(owner)][0].append([which, calls, *described])
        elif name == "create_render_bundle_encoder":
            calls.append(self._said(args)[0])
        self._know(result, calls)

    def _finish(self, owner: Any, result: Any) -> None:
        calls = self._numbers[id(owner)][0]
        if type(owner).__name__ == "GPURenderBundleEncoder":
            self._lasting(["createRenderBundle", *calls[:1], calls[1:]], result)
        else:
            self._know(result, calls)

    def _said(self, value: Any, *, keys: bool = True) -> Any:
        """A value as JSON: descriptors have the names that JavaScript gives them."""
        if isinstance(value, dict):
            return {
                _camel(key) if keys else key: self._said(item, keys=key != VERBATIM)
                for key, item in value.items()
                if item is not None and key not in ("timestamp_writes",)
            }
        if isinstance(value, list | tuple):
            return [self._said(item) for item in value]
        if isinstance(value, Named):
            return {"?": value.name}
        if isinstance(value, bytes | bytearray | memoryview | np.ndarray | np.void):
            return {"bytes": self._blob(np.asarray(value).tobytes())}
        if isinstance(value, np.generic):
            return value.item()
        return {"$": self.number(value)} if id(value) in self._numbers else value

    def _blob(self, data: bytes) -> int:
        if data not in self._same_bytes:
            self._same_bytes[data] = len(self.blobs)
            self.blobs.append(data)
        return self._same_bytes[data]


@contextmanager
def recording(gpu: Gpu, *, runs: bool = False, tape: type[Tape] = Tape) -> Iterator[tuple[Gpu, Tape]]:
    """Write down what is asked of a device, on a tape of some kind; see `Tape`.

    Gives the device under a new name, by which no pipeline and no texture is known yet, as a graphics card's: a
    browser has one.
    """
    written = tape(gpu.device, runs=runs)
    methods = {
        **LASTING,
        **{kind: (*names, "finish" if "Bundle" in kind else "end") for kind, names in PASSES.items()},
        "GPUCommandEncoder": ("begin_compute_pass", "begin_render_pass", *COPIES, "finish"),
        "GPUQueue": ("write_buffer", "write_texture", "submit", *READS),
    }
    methods["GPUDevice"] = (*LASTING["GPUDevice"], "create_command_encoder", "create_render_bundle_encoder")
    with ExitStack() as undo:

        def watch(thing: Any) -> None:
            for name in methods.get(type(thing).__name__, ()):
                if name not in vars(thing):
                    setattr(thing, name, written.stand_in(thing, name, watch))
                    undo.callback(vars(thing).pop, name, None)

        watch(gpu.device)
        watch(gpu.queue)
        yield replace(gpu, software=False), written


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)
