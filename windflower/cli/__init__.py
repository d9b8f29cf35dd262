"""The command line: `main` runs a command, `commands` has them all.

A mistake prints one line (the rule, the value, the remedy) and exits with 2; see `boundary`. This module loads nothing
by itself: what Ctrl-C meets while libraries load is then inside of `main`, too.
"""

import contextlib
import signal
import sys
from collections.abc import Iterator
from types import FrameType
from typing import Any

__all__ = ["ending_in_order", "main"]


def main() -> None:
    """Run the command line; show what goes wrong as one line and not as a traceback."""
    try:
        with ending_in_order():
            sys.exit(_run())
    except SystemExit:
        raise
    except BaseException as error:  # the boundary: nothing goes further
        from windflower.cli.boundary import report

        sys.exit(report(error))


def _run() -> Any:
    import logging

    from windflower.cli.boundary import traceback_wanted
    from windflower.cli.commands import app
    from windflower.cli.console import degrade_streams

    degrade_streams()
    if not traceback_wanted():
        logging.getLogger().addHandler(logging.NullHandler())  # what libraries log reaches us as exceptions too
    return app(standalone_mode=False)


@contextlib.contextmanager
def ending_in_order() -> Iterator[None]:
    """Let a command that is told to end (SIGTERM, or its terminal is closed) tidy up: no half-written file stays.

    Libraries that Ctrl-C meets while they load make an `ImportError` of it, or whatever comes to their mind; here it is
    an interruption again.
    """
    interrupted = False

    def end(number: int, _: object) -> None:
        sys.exit(128 + number)

    def interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal interrupted
        interrupted = True
        signal.default_int_handler(number, frame)

    names = ("SIGTERM", "SIGHUP")  # the second is not on Windows
    asked = [getattr(signal, name) for name in names if hasattr(signal, name)]
    before = {number: signal.signal(number, end) for number in asked if signal.getsignal(number) == signal.SIG_DFL}
    if signal.getsignal(signal.SIGINT) == signal.default_int_handler:
        before[signal.SIGINT] = signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    except Exception:
        if interrupted:
            raise KeyboardInterrupt from None
        raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
