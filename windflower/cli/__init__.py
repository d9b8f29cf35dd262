"""The command line: `main` runs a command, `commands` has them all.

A mistake prints one line (the rule, the value, the remedy) and exits with 2; see `boundary`. This module loads little
by itself: Ctrl-C while libraries load is then inside of `main`, too.
"""

import sys
from typing import Any

from windflower.cli.signals import ending_in_order

__all__ = ["main"]


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

    from windflower.cli.boundary import INTERRUPTED, UNREAD, traceback_wanted, unread
    from windflower.cli.commands import app
    from windflower.cli.console import degrade_streams, show_warnings

    degrade_streams()
    show_warnings()
    if not traceback_wanted():
        logging.getLogger().addHandler(logging.NullHandler())  # what libraries log reaches us as exceptions too
    try:
        code = app(standalone_mode=False)
    except SystemExit as end:
        sys.exit(UNREAD if end.code == 1 and unread() else end.code)  # click's own code for a help that nobody reads
    if code == INTERRUPTED:  # all that Typer makes of a Ctrl-C while it reads the words of a command
        raise KeyboardInterrupt
    return code
