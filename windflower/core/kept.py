"""Arrays that take long to make and are always the same, kept on disk for the next run: textures of ground and sky.

They lie in `$WINDFLOWER_CACHE`, or else in the user's cache folder, each under its name and a hash of the source that
makes it and of NumPy's version, so that none outlives what made it. A damaged file is made anew; where nothing can be
written, nothing is.
"""

import contextlib
import hashlib
import inspect
import os
import sys
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core import randomness
from windflower.core.files import write_archive
from windflower.core.numpy_files import read_archive
from windflower.errors import FileError

__all__ = ["cache_folder", "kept"]

KIND = "texture"
DIGITS = 20  # of a hash


def cache_folder() -> Path:
    """The folder of what is kept from run to run."""
    if own := os.environ.get("WINDFLOWER_CACHE"):
        return Path(own)
    shared = os.environ.get("XDG_CACHE_HOME")
    return (Path(shared) if shared else Path.home() / ".cache") / "windflower"


def kept(name: str, make: Callable[[], dict[str, NDArray[Any]]]) -> dict[str, NDArray[Any]]:
    """What `make` returns, from the disk if an earlier run has kept it.

    That follows from its own module and from random numbers alone.
    """
    try:
        module = sys.modules[(make.func if isinstance(make, partial) else make).__module__]
        path = cache_folder() / f"{name}-{_hash(module)}.npz"
    except (OSError, RuntimeError):  # neither source nor home
        return make()
    with contextlib.suppress(FileError, OSError):
        return read_archive(path, KIND)[0]
    made = make()
    with contextlib.suppress(FileError, OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_archive(path, KIND, made, {}, compressed=False)
        for older in path.parent.glob(f"{name}-{'?' * DIGITS}.npz"):
            if older != path:
                older.unlink(missing_ok=True)
    return made


@cache
def _hash(module: ModuleType) -> str:
    """A hash of what arrays that a module makes follow from."""
    facts = np.__version__, inspect.getsource(randomness), inspect.getsource(module)
    return hashlib.sha256("\n".join(facts).encode()).hexdigest()[:DIGITS]
