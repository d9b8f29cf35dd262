"""Draw lists: what a pass draws, recorded once as a render bundle and replayed with the counts of each frame.

Counts lie in a buffer (indirect draws), so that a bundle holds as long as the buffers of a frame do.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from windflower.core.device import Gpu
from windflower.core.quick_calls import copying, write_buffer

__all__ = ["Arguments", "DrawLists", "Part"]

INDIRECT, COPY_DST = 0x100, 0x08
ROW = 20  # bytes of the arguments of a draw


class Part(NamedTuple):
    """A draw call of plants: its kind, its bind groups from 1 on, its indices, and its arguments.

    kind       wood, twigs, leaves, sheets or far: each pass has a pipeline for it
    arguments  indices or vertices, instances, first index or vertex, base vertex; the first instance is 0
    counted    buffer and offset in it, bytes, of arguments that the device has found, in place of these
    """

    kind: str
    groups: tuple[Any, ...]
    indices: Any
    arguments: tuple[int, int, int, int]
    counted: tuple[Any, int] | None = None

    def draw(self, render_pass: Any, buffer: Any = None, offset: int = 0) -> None:
        """Draw it with its own arguments, or with those in a buffer."""
        for number, group in enumerate(self.groups, 1):
            render_pass.set_bind_group(number, group)
        if self.indices is None:
            if buffer is None:
                render_pass.draw(*self.arguments[:3], 0)
            else:
                render_pass.draw_indirect(buffer, offset)
            return
        render_pass.set_index_buffer(self.indices, "uint32")
        if buffer is None:
            render_pass.draw_indexed(*self.arguments, 0)
        else:
            render_pass.draw_indexed_indirect(buffer, offset)


class Arguments:
    """Buffer of the arguments of all parts of a frame."""

    def __init__(self, gpu: Gpu) -> None:
        self._gpu = gpu
        self.buffer: Any = None

    def write(self, parts: Sequence[Part]) -> Any:
        """Upload the arguments of a frame; returns the buffer, a new one if it has to grow."""
        rows = _rows(parts)
        if self.buffer is None or self.buffer.size < rows.nbytes:
            size = max(2 * rows.nbytes, 64 * ROW)
            self.buffer = self._gpu.device.create_buffer(size=size, usage=INDIRECT | COPY_DST, label="arguments")
        if len(parts):
            write_buffer(self._gpu.queue, self.buffer, 0, rows)
        return self.buffer


def _rows(parts: Sequence[Part]) -> NDArray[np.uint32]:
    """(parts, 5) arguments; a draw without indices reads the first four, of which the last is its first instance."""
    plain = [(*part.arguments[:3], 0) if part.indices is None else part.arguments for part in parts]
    rows = np.zeros((len(parts), 5), "<u4")
    if plain:
        rows[:, :4] = plain
    return rows


class DrawLists:
    """Render bundles of all passes, by name; each is recorded again when what it draws with has changed."""

    def __init__(self, gpu: Gpu) -> None:
        self._gpu, self._arguments = gpu, Arguments(gpu)
        self._parts: list[Part] = []
        self._bundles: dict[str, Any] = {}
        self._with: list[Any] = []

    def begin(self, parts: Sequence[Part]) -> None:
        """Take the parts of a frame, in drawing order."""
        buffer = self._arguments.write(parts)
        used = [buffer, *(thing for part in parts for thing in (part.kind, *part.groups, part.indices))]
        if len(used) != len(self._with) or any(a is not b for a, b in zip(used, self._with, strict=True)):
            self._bundles, self._with = {}, used
        self._parts = list(parts)

    def fetch(self, encoder: Any) -> None:
        """Take over the arguments that the device has found."""
        copy = copying(encoder)
        for number, part in enumerate(self._parts):
            if part.counted:
                copy(*part.counted, self._arguments.buffer, ROW * number, 16)

    def draw(self, render_pass: Any, name: str, pipelines: Mapping[str, Any], frame: Any, form: dict[str, Any]) -> None:
        """Draw the parts that it has pipelines for, with the pass' bind group 0; `form` are its targets."""
        if not self._parts:
            return
        made_with, bundle = self._bundles.get(name, (None, None))
        if made_with is not frame:
            bundle = self._record(pipelines, frame, form)
            self._bundles[name] = frame, bundle
        render_pass.execute_bundles([bundle])

    def _record(self, pipelines: Mapping[str, Any], frame: Any, form: dict[str, Any]) -> Any:
        encoder = self._gpu.device.create_render_bundle_encoder(**form)
        encoder.set_bind_group(0, frame)
        kind = ""
        for number, part in enumerate(self._parts):
            if part.kind not in pipelines:
                continue
            if part.kind != kind:
                kind = part.kind
                encoder.set_pipeline(pipelines[kind])
            part.draw(encoder, self._arguments.buffer, ROW * number)
        return encoder.finish()
