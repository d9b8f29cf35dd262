"""Compute passes with few and quick calls into the driver: a frame makes more than a thousand."""

import sys
from collections.abc import Callable
from typing import Any, NamedTuple

from windflower.core.quick_calls import NATIVE, is_native

__all__ = ["ComputeBundle", "ComputeBundles", "ComputePass"]

CALLS = "set_pipeline", "set_bind_group", "dispatch_workgroups"


class ComputePass:
    """A compute pass in which nothing is set again that is set already."""

    def __init__(self, encoder: Any, timed: Any = None) -> None:
        self._pass = encoder.begin_compute_pass(timestamp_writes=timed)
        self._calls = _calls_of(self._pass)
        self._pipeline: Any = None
        self._groups: dict[int, Any] = {}

    def set_pipeline(self, pipeline: Any) -> None:
        """Set the pipeline of the dispatches that follow."""
        if pipeline is not self._pipeline:
            self._pipeline = pipeline
            self._calls.set_pipeline(pipeline)

    def set_bind_group(self, at: int, group: Any) -> None:
        """Set a bind group of the dispatches that follow."""
        if group is not self._groups.get(at):
            self._groups[at] = group
            self._calls.set_bind_group(at, group)

    def dispatch_workgroups(self, x: int, y: int = 1, z: int = 1) -> None:
        """Dispatch workgroups."""
        self._calls.dispatch(x, y, z)

    def end(self) -> None:
        """End the pass."""
        self._pass.end()


class ComputeBundle:
    """The calls of a compute pass, recorded once and played as often as the same work is to be done.

    It is recorded as a pass is. Nothing that it uses may be replaced meanwhile; what is in it may change.
    """

    def __init__(self) -> None:
        self._pipeline: Any = None
        self._groups: dict[int, Any] = {}
        self._recorded: list[tuple[str, tuple[Any, ...]]] = []
        self._native: list[tuple[Any, tuple[Any, ...]]] | None = None

    def set_pipeline(self, pipeline: Any) -> None:
        """Set the pipeline of the dispatches that follow."""
        if pipeline is not self._pipeline:
            self._pipeline = pipeline
            self._recorded.append(("set_pipeline", (pipeline,)))

    def set_bind_group(self, at: int, group: Any) -> None:
        """Set a bind group of the dispatches that follow."""
        if group is not self._groups.get(at):
            self._groups[at] = group
            self._recorded.append(("set_bind_group", (at, group)))

    def dispatch_workgroups(self, x: int, y: int = 1, z: int = 1) -> None:
        """Dispatch workgroups."""
        self._recorded.append(("dispatch_workgroups", (x, y, z)))

    def play(self, encoder: Any, timed: Any = None) -> None:
        """Make a pass of an encoder do it all."""
        raw = encoder.begin_compute_pass(timestamp_writes=timed)
        if is_native(raw, *CALLS):
            if self._native is None:
                self._native = [_NATIVE[name](args) for name, args in self._recorded]
            own = raw._internal
            for call, args in self._native:
                call(own, *args)
        else:
            for name, args in self._recorded:
                getattr(raw, name)(*args)
        raw.end()


class ComputeBundles:
    """Bundles by name, each recorded anew when what it is made with is no longer the same."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[tuple[Any, ...], ComputeBundle]] = {}

    def play(
        self,
        name: str,
        encoder: Any,
        timed: Any,
        made_with: tuple[Any, ...],
        record: Callable[[ComputeBundle], None],
    ) -> None:
        """Play a bundle in a pass of an encoder; `record` records it, where `made_with` is not what it was."""
        known, bundle = self._known.get(name, ((), None))
        if bundle is None or any(a is not b for a, b in zip(known, made_with, strict=True)):
            bundle = ComputeBundle()
            record(bundle)
            self._known[name] = made_with, bundle
        bundle.play(encoder, timed)


class _Calls(NamedTuple):
    set_pipeline: Callable[[Any], None]
    set_bind_group: Callable[[int, Any], None]
    dispatch: Callable[[int, int, int], None]


def _calls_of(raw: Any) -> _Calls:
    """Calls of a pass; those of a driver that is known without wgpu's look for errors after each, ten times as long.

    What is wrong in a pass is found when its encoder is finished, too.
    """
    if not is_native(raw, *CALLS):
        return _Calls(raw.set_pipeline, raw.set_bind_group, raw.dispatch_workgroups)
    native = sys.modules[NATIVE]
    lib, own, nothing = native.lib, raw._internal, native.ffi.NULL
    set_pipeline = lib.wgpuComputePassEncoderSetPipeline
    set_bind_group = lib.wgpuComputePassEncoderSetBindGroup
    dispatch = lib.wgpuComputePassEncoderDispatchWorkgroups
    return _Calls(
        lambda pipeline: set_pipeline(own, pipeline._internal),
        lambda at, group: set_bind_group(own, at, group._internal, 0, nothing),
        lambda x, y, z: dispatch(own, x, y, z),
    )


_NATIVE: dict[str, Callable[[tuple[Any, ...]], tuple[Any, tuple[Any, ...]]]] = {
    "set_pipeline": lambda args: (_lib().wgpuComputePassEncoderSetPipeline, (args[0]._internal,)),
    "set_bind_group": lambda args: (
        _lib().wgpuComputePassEncoderSetBindGroup,
        (args[0], args[1]._internal, 0, sys.modules[NATIVE].ffi.NULL),
    ),
    "dispatch_workgroups": lambda args: (_lib().wgpuComputePassEncoderDispatchWorkgroups, args),
}
"""Function of the driver and its arguments after the pass, of each call of a pass."""


def _lib() -> Any:
    return sys.modules[NATIVE].lib
