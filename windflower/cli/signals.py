"""Signals that end a command: in order, and never in the middle of an import.

Libraries that Ctrl-C meets while they load make an `ImportError` of it, or another error, or nothing at all, and some
abort the process. So a Ctrl-C that comes then waits until they are loaded.
"""

import contextlib
import signal
import sys
import threading
from _thread import interrupt_main
from collections.abc import Iterator
from types import FrameType

__all__ = ["ending_in_order"]

WAIT = 0.05  # s until an interruption that came during an import is tried again


@contextlib.contextmanager
def ending_in_order() -> Iterator[None]:
    """Let a command that is told to end (Ctrl-C, SIGTERM, or its terminal is closed) tidy up: no torn file stays."""
    later: list[threading.Timer] = []

    def end(number: int, _: object) -> None:
        sys.exit(128 + number)

    def interrupt(number: int, frame: FrameType | None) -> None:
        if not _importing(frame):
            signal.default_int_handler(number, frame)
        later[:] = [threading.Timer(WAIT, _interrupt_again)]
        later[0].daemon = True
        later[0].start()

    names = ("SIGTERM", "SIGHUP")  # the second is not on Windows
    asked = [getattr(signal, name) for name in names if hasattr(signal, name)]
    before = {number: signal.signal(number, end) for number in asked if signal.getsignal(number) == signal.SIG_DFL}
    if signal.getsignal(signal.SIGINT) == signal.default_int_handler:
        before[signal.SIGINT] = signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        for timer in later:
            timer.cancel()
        for number, handler in before.items():
            signal.signal(number, handler)


def _importing(frame: FrameType | None) -> bool:
    """Whether an import is under way where the program is."""
    while frame is not None and not frame.f_code.co_filename.startswith("<frozen importlib"):
        frame = frame.f_back
    return frame is not None


def _interrupt_again() -> None:
    """Send Ctrl-C to the main thread, which it wakes where the system can do that."""
    if sys.platform == "win32":
        interrupt_main()
    else:
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
