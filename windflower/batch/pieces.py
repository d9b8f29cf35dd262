"""Finished pieces of a long job in a folder, so that it can go on after any end.

A piece is a file that gets its name when it is whole: what has a name counts, and nothing else does.
"""

import contextlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

from windflower.core.files import replacing
from windflower.core.reading import open_file
from windflower.errors import FileError

__all__ = ["Pieces", "held"]

NAME = re.compile(r"([0-9]{9})")


class Pieces:
    """Pieces by number, in a hidden folder of this folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / ".pieces"
        self.folder.mkdir(exist_ok=True)

    def done(self) -> set[int]:
        """Numbers of the pieces that are there."""
        return {int(file.name) for file in self.folder.iterdir() if NAME.fullmatch(file.name)}

    def keep(self, number: int, content: bytes) -> None:
        """Write a piece."""
        with replacing(self._path(number), durable=True) as temporary:
            temporary.write_bytes(content)

    def content(self, number: int) -> bytes:
        """Read a piece."""
        with open_file(self._path(number), "shard", what="a piece") as file:
            return file.read()

    def drop(self, number: int) -> None:
        """Remove a piece, if it is there."""
        self._path(number).unlink(missing_ok=True)

    def remove(self) -> None:
        """Remove the folder of pieces, which are no longer needed."""
        for number in self.done():
            self.drop(number)
        with contextlib.suppress(OSError):
            self.folder.rmdir()

    def _path(self, number: int) -> Path:
        return self.folder / f"{number:09d}"


@contextlib.contextmanager
def held(folder: Path) -> Iterator[None]:
    """Hold a folder for this process alone, where the system can do that."""
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise FileError(
                f"one process writes a batch; another one writes {folder} now. Wait until it ends."
            ) from None
        except OSError:  # a disk in the network that has no locks
            pass
        yield
    finally:
        os.close(number)
