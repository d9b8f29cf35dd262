"""The one way in which a user's file is opened, whatever it holds, so that none can hang or flood the program.

path ──> is it a plain file? ──> is it small enough for its kind? ──> an open file, or its bytes

Folders, pipes, sockets and devices are refused, behind links too, and opening never waits. `tests/test_reading.py`
fails where a module opens a user's file in another way.
"""

import os
import stat
from pathlib import Path
from typing import BinaryIO

from windflower.core.budgets import within
from windflower.errors import FileError

__all__ = ["is_file", "open_file", "read_file"]

# A pipe without a writer would keep `open` waiting, and a terminal could become the process's own.
FLAGS = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_NOCTTY", "O_BINARY", "O_CLOEXEC"))
ODD = {"a folder": stat.S_ISDIR, "a pipe": stat.S_ISFIFO, "a socket": stat.S_ISSOCK}
SMALLER = "Is it the right file? Keep only what is needed"
PIECE = 1 << 20  # bytes read at once from a file whose system tells no size


def open_file(path: str | os.PathLike[str], budget: str, *, what: str = "the file") -> BinaryIO:
    """Open a file for reading, or raise a `FileError`.

    budget  of its size: a key of `BUDGETS`, such as "plant_file"
    what    how the message calls it, as in "the scene file must exist"
    """
    path = _checked(path)
    try:
        number = os.open(path, FLAGS)
    except FileNotFoundError:
        raise FileError(f"{what} must exist; {path} does not. Check its name and its folder.") from None
    except OSError as error:
        raise FileError(f"{what} must be a plain file; {path} {_refusal(path, error)}.") from None
    try:
        about = os.fstat(number)
        if not stat.S_ISREG(about.st_mode):
            raise FileError(f"{what} must be a plain file; {path} is {_kind(about.st_mode)}. Give the file itself.")
        within(budget, about.st_size, SMALLER, error=FileError, whose=path.name)
        return os.fdopen(number, "rb")
    except BaseException:
        os.close(number)
        raise


def read_file(path: str | os.PathLike[str], budget: str, *, what: str = "the file") -> bytes:
    """Read a whole file, or raise a `FileError`; the arguments are those of `open_file`."""
    with open_file(path, budget, what=what) as file:
        try:
            size = os.fstat(file.fileno()).st_size
            return file.read(size) if size else _piecewise(file, budget, Path(path).name)
        except MemoryError:
            raise FileError(f"{path} does not fit into the memory that is left. Close other programs.") from None
        except OSError as error:
            raise FileError(f"{path} cannot be read: {error.strerror}. Copy it again.") from None


def is_file(path: str | os.PathLike[str]) -> bool:
    """Whether there is a plain file of this name; False for a name that no file can have."""
    try:
        return Path(path).is_file()
    except (OSError, ValueError):  # a null byte, or a name that is too long
        return False


def _checked(path: str | os.PathLike[str]) -> Path:
    text = os.fspath(path)
    if "\0" in text:
        raise FileError(f"the name of a file has no null byte; {text[:80]!r} has one. Check the name.")
    return Path(text)


def _piecewise(file: BinaryIO, budget: str, name: str) -> bytes:
    pieces, total = list[bytes](), 0
    while piece := file.read(PIECE):
        total += len(piece)
        within(budget, total, SMALLER, error=FileError, whose=name)
        pieces.append(piece)
    return b"".join(pieces)


def _refusal(path: Path, error: OSError) -> str:
    """Why a file was not opened: sockets, and folders on Windows, are told apart only afterwards."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        mode = stat.S_IFREG
    if not stat.S_ISREG(mode):
        return f"is {_kind(mode)}. Give the file itself"
    return f"cannot be opened: {error.strerror}. Check its name and its permissions"


def _kind(mode: int) -> str:
    return next((name for name, is_it in ODD.items() if is_it(mode)), "a device")
