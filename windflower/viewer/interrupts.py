"""Ctrl-C and SIGTERM while a window is open: they close it between two events, never in the middle of one."""

import asyncio
import contextlib
import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any, Self

__all__ = ["Interrupts"]

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interrupts:
    """Takes the signals that ask a program to end, and passes the first one on when the window is closed.

    A window that is destroyed from inside its own event handling crashes, and a signal may come while glfw polls events
    or while a frame is drawn. So the handler only notes the signal, and has the event loop close the window later.
    """

    def __init__(self) -> None:
        self._received: int | None = None
        self._close: Callable[[], object] | None = None
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        self._take()
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        if self._received is not None:
            signal.raise_signal(self._received)

    def run(self, loop: Any, close: Callable[[], None]) -> None:
        """Run the asyncio event loop of rendercanvas until its window is closed; a signal calls `close` from it."""

        def begin() -> None:
            running = asyncio.get_running_loop()
            self._close = lambda: running.call_soon_threadsafe(close)
            self._take()
            if self._received is not None:
                close()

        loop.call_soon(begin)  # when it starts, the loop takes the signals for itself; this task takes them back
        loop.run()
        self._close = None
        self._take()

    def _take(self) -> None:
        if threading.current_thread() is not threading.main_thread():
            return  # signals never come here
        for number in SIGNALS:
            if signal.getsignal(number) != signal.SIG_IGN:  # as in a job in the background, which no Ctrl-C shall end
                handler = signal.signal(number, self._note)
                self._before.setdefault(number, signal.SIG_DFL if handler is None else handler)

    def _note(self, number: int, _: FrameType | None) -> None:
        if self._received is None:
            self._received = number
        if self._close is not None:
            with contextlib.suppress(RuntimeError):  # the loop has just ended by itself
                self._close()
