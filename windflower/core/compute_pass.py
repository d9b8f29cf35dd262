"""Compute passes with few and quick calls into the driver: a frame makes more than a thousand."""

import sys
from collections.abc import Callable
from typing import Any, NamedTuple

__all__ = ["ComputePass"]

NATIVE, KNOWN = "wgpu.backends.wgpu_native", 29  # wgpu's driver, and the version of it whose functions are called here


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


class _Calls(NamedTuple):
    set_pipeline: Callable[[Any], None]
    set_bind_group: Callable[[int, Any], None]
    dispatch: Callable[[int, int, int], None]


def _calls_of(raw: Any) -> _Calls:
    """Calls of a pass; those of a driver that is known without wgpu's look for errors after each, ten times as long.

    What is wrong in a pass is found when its encoder is finished, too. A pass whose methods were replaced, to watch
    what it does, keeps them.
    """
    native = sys.modules.get(NATIVE)
    is_native = native is not None and type(raw).__module__ == f"{NATIVE}._api" and native.version_info[0] == KNOWN
    if native is None or not is_native or {"set_pipeline", "set_bind_group", "dispatch_workgroups"} & set(vars(raw)):
        return _Calls(raw.set_pipeline, raw.set_bind_group, raw.dispatch_workgroups)
    lib, own, nothing = native.lib, raw._internal, native.ffi.NULL
    set_pipeline = lib.wgpuComputePassEncoderSetPipeline
    set_bind_group = lib.wgpuComputePassEncoderSetBindGroup
    dispatch = lib.wgpuComputePassEncoderDispatchWorkgroups
    return _Calls(
        lambda pipeline: set_pipeline(own, pipeline._internal),
        lambda at, group: set_bind_group(own, at, group._internal, 0, nothing),
        lambda x, y, z: dispatch(own, x, y, z),
    )
