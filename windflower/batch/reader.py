"""Reading a data set again, sample by sample, with NumPy alone.

for sample in read_dataset("clips"):
    sample.facts["frames"][0]["wind"]     # what its JSON file says
    sample.frames("rgb")                  # (frames, height, width, 3), uint8
    sample.frames("flow")                 # (frames, height, width, 2), float32, pixels to the next frame
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

from windflower.core.numpy_files import read_npy, read_npz
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
        """All frames of a layer: (frames, height, width), or (frames, height, width, channels)."""
        return np.stack([self._array(file) for file in self._named(name)])

    def frame(self, name: str, number: int) -> NDArray[Any]:
        """One frame of a layer: (height, width), or (height, width, channels)."""
        return self._array(self._named(name)[number])

    def _named(self, name: str) -> list[str]:
        """Files of a layer, in order."""
        names = sorted(file for file in self.files if file.split(".")[1] == name)
        if not names:
            known = sorted({file.split(".")[1] for file in self.files})
            raise FileError(f"a sample has the layers {', '.join(known)}; '{name}' is not one of them.")
        return names

    def _array(self, file: str) -> NDArray[Any]:
        """What one of its files holds."""
        name, data = f"sample {self.number}: {file}", io.BytesIO(self.files[file])
        if file.endswith(".npy"):
            return read_npy(data, name)
        if file.endswith(".npz"):
            (found,) = read_npz(data, name).values()
            return found
        return _picture(data, name)


def read_dataset(
    folder: str | os.PathLike[str], *, shards: Iterable[int] | None = None, samples: Iterable[int] | None = None
) -> Iterator[Sample]:
    """Samples of a whole data set in order.

    folder   what `make_dataset` has completed
    shards   numbers of the shards to read, by default all: workers of a loader share a data set by them
    samples  numbers of the samples to read, by default all; the others are skipped without being read
    """
    place = Path(folder)
    names, per_shard = _shards(place)
    wanted = None if samples is None else set(samples)
    if shards is None:
        shards = range(len(names)) if wanted is None else sorted({number // per_shard for number in wanted})
    for number in shards:
        if not 0 <= number < len(names):
            raise FileError(
                f"{place} has the shards 0 to {len(names) - 1}; {number} is not one of them. Choose others."
            )
        path = place / Path(names[number]).name
        with open_file(path, "shard", what="a shard") as file:
            try:
                yield from _samples(file, wanted)
            except (tarfile.TarError, KeyError, ValueError, EOFError) as error:
                raise FileError(
                    f"{path} must be a shard of a data set; it is damaged ({error}). Copy it again, or delete it and "
                    "make the data set again, which makes what is missing."
                ) from None


def _shards(folder: Path) -> tuple[list[str], int]:
    """Names of the shards' files, and the number of samples in each but the last."""
    path = folder / "manifest.json"
    content = read_file(path, "archive", what="the manifest of a whole data set")
    try:
        manifest = json.loads(content)
        return [str(shard["file"]) for shard in manifest["shards"]], int(manifest["recipe"]["shard"])
    except (KeyError, TypeError, ValueError):
        raise FileError(f"{path} must be the manifest of a data set, and is not. Make the data set again.") from None


def _samples(file: Any, wanted: set[int] | None) -> Iterator[Sample]:
    files: dict[str, bytes] = {}
    current, end = "", 0
    with tarfile.open(fileobj=file, mode="r:") as members:
        for member in members:
            end = member.offset_data + -(-member.size // tarfile.BLOCKSIZE) * tarfile.BLOCKSIZE
            key, _, name = member.name.partition(".")
            if key != current and files:
                yield _sample(current, files)
                files = {}
            current = key
            inside = members.extractfile(member) if wanted is None or int(key) in wanted else None
            if inside is not None:
                files[name] = inside.read()
    file.seek(end)
    if not current or file.read(tarfile.BLOCKSIZE) != bytes(tarfile.BLOCKSIZE):
        # `tarfile` takes a header that is damaged for the end.
        raise ValueError(f"nothing can be read {f'after a file of {current}' if current else 'in it'}")
    if files:
        yield _sample(current, files)


def _sample(key: str, files: dict[str, bytes]) -> Sample:
    return Sample(int(key), json.loads(files["json"]), {name: data for name, data in files.items() if name != "json"})


def _picture(data: io.BytesIO, name: str) -> NDArray[Any]:
    from PIL import Image

    try:
        return np.asarray(Image.open(data, formats=["PNG"]))
    except Exception:  # damage makes Pillow raise nearly anything
        raise FileError(f"{name} is not a picture (.png), or it is damaged. Copy its shard again.") from None
