"""Reading a data set again, sample by sample, with NumPy alone.

for sample in read_dataset("clips"):
    sample.facts["frames"][0]["wind"]     # what its JSON file says
    sample.frames("rgb")                  # (frames, height, width, 3), uint8
"""

import io
import json
import os
import tarfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.reading import open_file, read_file
from windflower.errors import FileError

__all__ = ["Sample", "read_dataset"]


@dataclass(frozen=True)
class Sample:
    """One sample: its number, the facts of its JSON file, and its other files by what follows its key.

    number  which of the data set it is, from 0
    facts   its JSON file: camera, sun, plants, winds
    files   its other files, by what follows its key
    """

    number: int
    facts: dict[str, Any]
    files: dict[str, bytes]

    def frames(self, name: str = "rgb") -> NDArray[Any]:
        """Frames of a pass, one after another along the first axis."""
        names = sorted(file for file in self.files if file.split(".")[1] == name)
        if not names:
            known = sorted({file.split(".")[1] for file in self.files})
            raise FileError(f"a sample has the passes {', '.join(known)}; '{name}' is none of them.")
        return np.stack([_array(file, self.files[file]) for file in names])


def read_dataset(folder: str | os.PathLike[str], *, shards: Iterable[int] | None = None) -> Iterator[Sample]:
    """Samples of a whole data set in order.

    folder  what `make_dataset` has completed
    shards  numbers of the shards to read, by default all: workers of a loader share a data set by them
    """
    place = Path(folder)
    manifest = json.loads(read_file(place / "manifest.json", "archive", what="the manifest of a whole data set"))
    for number in range(len(manifest["shards"])) if shards is None else shards:
        with open_file(place / manifest["shards"][number]["file"], "archive", what="a shard") as file:
            yield from _samples(file)


def _samples(file: Any) -> Iterator[Sample]:
    files: dict[str, bytes] = {}
    current = ""
    with tarfile.open(fileobj=file) as members:
        for member in members:
            key, _, name = member.name.partition(".")
            if key != current and files:
                yield _sample(current, files)
                files = {}
            inside = members.extractfile(member)
            current, files[name] = key, inside.read() if inside is not None else b""
    if files:
        yield _sample(current, files)


def _sample(key: str, files: dict[str, bytes]) -> Sample:
    return Sample(int(key), json.loads(files["json"]), {name: data for name, data in files.items() if name != "json"})


def _array(name: str, data: bytes) -> NDArray[Any]:
    if name.endswith(".npy"):
        found: NDArray[Any] = np.load(io.BytesIO(data), allow_pickle=False)
        return found
    from PIL import Image

    return np.asarray(Image.open(io.BytesIO(data)))
