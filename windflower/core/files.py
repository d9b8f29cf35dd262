"""NumPy archives that round-trip bit-exact, and atomic writes: files that are never half written."""

import contextlib
import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.errors import FileError

__all__ = ["publish", "replacing", "write_archive"]


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Write atomically: yields a temporary path beside `path`, which replaces it on success."""
    path = Path(path)
    if not path.parent.is_dir():
        raise FileError(f"the folder of an output file must exist; {path.parent} does not. Make it first.")
    # The suffix stays, because writers of pictures and videos choose their format by it.
    handle, name = tempfile.mkstemp(prefix=f".{path.stem}-", suffix=path.suffix, dir=path.parent)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        publish(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def publish(temporary: Path, path: Path) -> None:
    """Replace `path` by a temporary file, with the permissions of a new file."""
    umask = os.umask(0)
    os.umask(umask)
    temporary.chmod(0o666 & ~umask)
    temporary.replace(path)


def write_archive(
    path: str | os.PathLike[str],
    kind: str,
    arrays: Mapping[str, NDArray[Any]],
    facts: Mapping[str, Any],
    *,
    compressed: bool = True,
) -> None:
    """Write named arrays and JSON metadata (`facts`). The same content always gives the same bytes."""
    header = json.dumps({"windflower": kind, **facts}, sort_keys=True)
    write = np.savez_compressed if compressed else np.savez
    with replacing(path) as temporary, temporary.open("wb") as file:
        write(file, header=np.array(header), **dict[str, Any](arrays))
