"""GPU time of each render pass, by timestamp queries, where the driver has them."""

from typing import Any

import numpy as np

from windflower.core.device import Gpu

__all__ = ["PassTimer"]

MOST = 16
QUERY_RESOLVE, COPY_SRC = 0x0200, 0x0004


class PassTimer:
    """Timestamp queries around render passes, by name; read after the frame."""

    def __init__(self, gpu: Gpu) -> None:
        self.gpu, self.names = gpu, list[str]()
        self._queries: Any = None
        if gpu.timestamps:
            self._queries = gpu.device.create_query_set(type="timestamp", count=2 * MOST)
            self._buffer = gpu.device.create_buffer(size=16 * MOST, usage=QUERY_RESOLVE | COPY_SRC)

    def writes(self, name: str) -> dict[str, Any] | None:
        """The `timestamp_writes` of a render pass with this name; None if no query is left."""
        if self._queries is None or len(self.names) == MOST:
            return None
        first = 2 * len(self.names)
        self.names.append(name)
        return {
            "query_set": self._queries,
            "beginning_of_pass_write_index": first,
            "end_of_pass_write_index": first + 1,
        }

    def resolve(self, encoder: Any) -> None:
        """Resolve the queries into a buffer, at the end of a frame."""
        if self.names:
            encoder.resolve_query_set(self._queries, 0, 2 * len(self.names), self._buffer, 0)

    def read(self) -> dict[str, float]:
        """Seconds of each pass since the last call, by name."""
        if not self.names:
            return {}
        ticks = np.frombuffer(self.gpu.queue.read_buffer(self._buffer, 0, 16 * len(self.names)), "<u8")
        seconds = np.diff(ticks.reshape(-1, 2).astype(np.int64), axis=1)[:, 0] * 1e-9
        named: dict[str, float] = dict.fromkeys(self.names, 0.0)
        for name, value in zip(self.names, seconds, strict=True):
            named[name] += float(value)
        self.names.clear()
        return named
