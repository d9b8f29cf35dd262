"""Files that are never half written, and NumPy archives that round-trip bit-exact.

`check_target` refuses an output that cannot be written before any work is done for it, and `check_free` one that is
there. Pictures, plots and clips replace older ones; all else does so only when told to. `replacing` gives the writer a
hidden temporary file beside it, which is renamed when it is whole; `replacing_together` does so for a file that has
others beside it.
"""

import contextlib
import errno
import filecmp
import json
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from windflower.core.temporary import temporary_beside
from windflower.errors import FileError

if TYPE_CHECKING:  # `import windflower` loads this, and is quick
    from numpy.typing import NDArray

__all__ = [
    "check_folder",
    "check_free",
    "check_place",
    "check_target",
    "publish",
    "replacing",
    "replacing_together",
    "unwritten",
    "write_archive",
]

REMEDIES = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), "Free some space, or write elsewhere."),
    **dict.fromkeys((errno.EACCES, errno.EPERM, errno.EROFS), "Write to a folder that you may change."),
    errno.ENAMETOOLONG: "Choose a shorter name.",
}


def check_target(path: str | os.PathLike[str], what: str, suffixes: Iterable[str]) -> Path:
    """Refuse a file that cannot be written: its suffix, or the place where it shall be.

    what  what is written, with its article, for the sentence: "a plot"
    """
    target, known = Path(path), list(suffixes)
    if target.suffix.lower() not in known:
        *others, last = known
        listed = f"{', '.join(others)} or {last}" if others else last
        raise FileError(f"{what} is saved as {listed}; the name is '{os.fspath(path)}'. Choose another name.")
    check_place(target)
    return target


def check_place(path: Path) -> None:
    """Refuse a place where no file can be written."""
    if "\0" in str(path):
        raise FileError(f"a file's name has no null byte; it is '{path}'. Choose another name.")
    if not path.parent.is_dir():
        raise FileError(f"the folder of an output file must exist; {path.parent} does not. Make it first.")
    try:
        kind = path.stat().st_mode
    except FileNotFoundError:
        kind = stat.S_IFREG
    except OSError as error:
        raise unwritten(path, error) from None
    if not stat.S_ISREG(kind):
        found = "a folder" if stat.S_ISDIR(kind) else "a device"
        raise FileError(f"an output file must not be {found}; {path} is one. Choose another name.")
    _check_access(path, path.parent)


def check_free(path: str | os.PathLike[str], *, force: bool) -> None:
    """Refuse to replace a file unless told to: one that could be a plant or a measurement and not only a picture."""
    if os.path.lexists(path) and not force:
        raise FileError(f"{os.fspath(path)} is there already. Use --force to replace it, or another name.")


def check_folder(path: str | os.PathLike[str]) -> Path:
    """Refuse a folder of output that is not there and cannot be made, or cannot be written to."""
    folder = Path(path)
    if not os.fspath(path) or "\0" in str(folder):
        raise FileError(f"an output folder needs a name; it is '{os.fspath(path)}'. Choose another name.")
    there = next(each for each in (folder.absolute(), *folder.absolute().parents) if os.path.lexists(each))
    if not there.is_dir():
        raise FileError(f"an output folder must not be a file; {there} is one. Choose another name.")
    _check_access(folder, there)
    return folder


def _check_access(path: Path, folder: Path) -> None:
    if not os.access(folder, os.W_OK | os.X_OK):
        raise unwritten(path, OSError(errno.EACCES, f"the folder {folder.absolute()} is read-only"))


def unwritten(path: Path, why: OSError | str) -> FileError:
    """The error to raise where a file could not be written."""
    reason, number = (why, None) if isinstance(why, str) else (why.strerror or str(why), why.errno)
    if os.strerror(errno.ENOSPC) in reason:
        number = errno.ENOSPC
    kept = " The older one is kept." if os.path.lexists(path) else ""
    return FileError(f"{path} could not be written: {reason}.{kept} {REMEDIES.get(number or 0, 'Write elsewhere.')}")


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str], *, durable: bool = False) -> Iterator[Path]:
    """Write atomically: yields a temporary path beside `path`, to be written to; it replaces `path` on success.

    durable  wait until it is on the disk, so that not even a power cut leaves a name without its content
    """
    path = Path(path)
    check_place(path)
    with temporary_beside(path) as temporary:
        try:
            yield temporary
            if durable:
                _flush(temporary)
            publish(temporary, path)
            if durable and os.name != "nt":  # Windows opens no folders
                _flush(path.parent)
        except OSError as error:
            raise unwritten(path, error) from error


@contextlib.contextmanager
def replacing_together(path: str | os.PathLike[str], *, force: bool = False) -> Iterator[Path]:
    """Like `replacing`, for a file with others beside it: yields a path of the same name in a hidden folder.

    What is written to that folder gets its place, the file itself last. Others that are there and differ are replaced
    only by `force`.
    """
    path = Path(path)
    check_place(path)
    with temporary_beside(path) as folder:
        try:
            folder.mkdir()
            yield folder / path.name
            others = {file: path.with_name(file.name) for file in sorted(folder.iterdir()) if file.name != path.name}
            for file, place in others.items():
                check_place(place)
                if not force and place.exists() and not filecmp.cmp(place, file, shallow=False):
                    raise FileError(
                        f"{place} is written beside {path.name} and is there already, with other content. "
                        "Use --force, or another name."
                    )
            for file, place in (others | {folder / path.name: path}).items():
                publish(file, place)
        except OSError as error:
            raise unwritten(path, error) from error


def _flush(path: Path) -> None:
    """Wait until a file or a folder is on the disk."""
    number = os.open(path, os.O_RDWR if path.is_file() else os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def publish(temporary: Path, path: Path) -> None:
    """Give what was written its name. A folder that is there already gets the new files one by one."""
    if temporary.is_dir() and path.is_dir():
        for file in sorted(temporary.iterdir()):
            file.replace(path / file.name)
    else:
        temporary.replace(path)


def write_archive(
    path: str | os.PathLike[str],
    kind: str,
    arrays: "Mapping[str, NDArray[Any]]",
    facts: Mapping[str, Any],
    *,
    compressed: bool = True,
) -> None:
    """Write named arrays and JSON metadata (`facts`). The same content always gives the same bytes."""
    import numpy as np

    header = json.dumps({"windflower": kind, **facts}, sort_keys=True)
    write = np.savez_compressed if compressed else np.savez
    with replacing(path) as temporary, temporary.open("wb") as file:
        write(file, header=np.array(header), **dict[str, Any](arrays))
