"""Modes that were found before, on disk: "computed off-line" is the point of the paper.

They lie in `$WINDFLOWER_CACHE`, or else in the user's cache folder. A file's name is the hash of all that the modes
follow from: the plant, its species' numbers, the wood, the conditions and this package's own source. A file that is
damaged is ignored and written anew; where nothing can be written, nothing is.
"""

import contextlib
import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import asdict, replace
from functools import cache
from importlib import resources
from pathlib import Path

from windflower.errors import FileError
from windflower.mechanics.archive import APART, read_modes, sheet_arrays, write_modes
from windflower.mechanics.foliage import known_species
from windflower.mechanics.modes import Conditions, Modes
from windflower.mechanics.wood import Wood
from windflower.plant.graph import Plant

__all__ = ["cache_folder", "cached"]

LIMIT = 2**30  # bytes: the files unused for longest go first


def cache_folder() -> Path:
    """Where modes are kept."""
    if own := os.environ.get("WINDFLOWER_CACHE"):
        return Path(own)
    shared = os.environ.get("XDG_CACHE_HOME")
    return (Path(shared) if shared else Path.home() / ".cache") / "windflower"


def cached(
    plant: Plant, wood: Wood, conditions: Conditions, count: int, cells: int, compute: Callable[[], Modes]
) -> Modes:
    """The modes from an earlier time, or else computed now and kept for the next."""
    try:
        path = cache_folder() / f"modes-{_key(plant, wood, conditions, count, cells)}.npz"
    except RuntimeError:  # there is no home
        return compute()
    with contextlib.suppress(FileError, OSError):
        found = replace(read_modes(path), plant=plant)
        os.utime(path)
        return found
    modes = compute()
    with contextlib.suppress(FileError, OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_modes(modes, path, compressed=False)
        _tidy(path.parent)
    return modes


def _key(plant: Plant, wood: Wood, conditions: Conditions, count: int, cells: int) -> str:
    species = known_species(plant)
    options = {name: value for name, value in vars(conditions).items() if name not in APART}
    facts = [asdict(wood), options, count, cells, species and species.model_dump(mode="json")]
    digest = hashlib.sha256(_source() + json.dumps(facts).encode())
    leaves = plant.leaves
    for array in (plant.parent, plant.position, plant.radius, plant.base_radius, plant.order):
        digest.update(array.tobytes())
    for array in (leaves.node, leaves.place, leaves.size, conditions.point_mass, conditions.point_lift):
        digest.update(array.tobytes())
    digest.update(b"" if conditions.held is None else conditions.held.tobytes())
    for sheet in conditions.sheets:
        digest.update(repr([(name, array.shape, array.tobytes()) for name, array in sheet_arrays(sheet)]).encode())
    return digest.hexdigest()[:40]


@cache
def _source() -> bytes:
    """A hash of this package: modes do not outlive the code that found them."""
    digest = hashlib.sha256()
    for file in sorted(resources.files(__package__).iterdir(), key=lambda file: file.name):
        if file.name.endswith((".py", ".toml")):
            digest.update(file.read_bytes())
    return digest.digest()


def _tidy(folder: Path) -> None:
    """Remove the files unused for longest until the rest is within the limit."""
    newest_first = sorted(folder.glob("modes-*.npz"), key=lambda path: path.stat().st_mtime, reverse=True)
    total = 0
    for path in newest_first:
        total += path.stat().st_size
        if total > LIMIT:
            path.unlink(missing_ok=True)
