"""Hidden temporary files and folders, beside the one that they will become.

Their names begin with `.windflower-` and say which process of which machine writes them. A process that ends, however
it is told to, removes its own; those of one that was killed are swept when the next one writes into the same folder.
Windows has no safe way to ask whether a process runs, so nothing is swept there.
"""

import atexit
import contextlib
import hashlib
import os
import platform
import re
import secrets
import shutil
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

__all__ = ["sweep", "temporary_beside"]

NAME = re.compile(r"\.windflower-(?P<machine>[0-9a-f]{8})-(?P<process>[0-9]{1,10})-[0-9a-f]{12}(\..*)?")
_in_use: set[Path] = set()
_swept: set[Path] = set()


@contextlib.contextmanager
def temporary_beside(path: Path) -> Iterator[Path]:
    """A hidden name in the folder of `path`; whatever bears it at the end is removed.

    Nothing is made here, so there is no moment in which a signal could leave something behind. The suffix is kept,
    because writers of pictures and videos choose their format by it.
    """
    folder = path.parent.absolute()
    if folder not in _swept:
        _swept.add(folder)
        sweep(folder)
    temporary = folder / f".windflower-{_machine()}-{os.getpid()}-{secrets.token_hex(6)}{path.suffix}"
    _in_use.add(temporary)
    try:
        yield temporary
    finally:
        _remove(temporary)
        _in_use.discard(temporary)


def sweep(folder: Path) -> None:
    """Remove the temporaries that killed processes of this machine have left in a folder."""
    with contextlib.suppress(OSError):
        for path in list(folder.iterdir()):
            found = NAME.fullmatch(path.name)
            if found and found["machine"] == _machine() and path not in _in_use and _ended(int(found["process"])):
                _remove(path)


def _ended(process: int) -> bool:
    if process == os.getpid():  # the names that this one uses are known
        return True
    if sys.platform == "win32":
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    return False


@cache
def _machine() -> str:
    """A few digits for this machine, and for this container on it: elsewhere the same number is another process."""
    namespace = ""
    with contextlib.suppress(OSError):
        namespace = os.readlink("/proc/self/ns/pid")
    return hashlib.sha256(f"{platform.node()} {namespace}".encode()).hexdigest()[:8]


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


@atexit.register
def _remove_all() -> None:
    """Remove what a second signal, while the first was being answered, has left."""
    for path in [*_in_use]:
        if f"-{os.getpid()}-" in path.name:  # and not that of the process from which this one was forked
            _remove(path)
