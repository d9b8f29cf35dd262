"""Modes on disk: saved ones, and those kept from earlier runs, because modes are meant to be computed off-line.

Kept modes lie in `$WINDFLOWER_CACHE`, or else in the user's cache folder. A file's name is the hash of all that the
modes follow from: the plant, its species' numbers, the wood, the conditions and this package's own source. A damaged
file is ignored and written anew; where nothing can be written, nothing is.
"""

import contextlib
import hashlib
import json
import os
from dataclasses import asdict, fields, replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.kept import cache_folder
from windflower.core.numpy_files import read_archive
from windflower.errors import FileError, WindflowerError
from windflower.mechanics.foliage import known_species
from windflower.mechanics.modes import ARRAYS, LEAVES, PLANT, POINTS, Conditions, Modes
from windflower.mechanics.sheet import Sheet
from windflower.mechanics.wood import Rayleigh, Wood
from windflower.plant.graph import Leaves, Plant

__all__ = ["keep", "kept_at", "read_kept", "read_modes"]

LIMIT = 2**30  # bytes: the files unused for longest go first


def read_modes(path: str | os.PathLike[str]) -> Modes:
    """Read what `Modes.save` wrote.

    path  the .npz file
    """
    arrays, facts = read_archive(path, "modes")
    try:
        return _modes(arrays, facts)
    except (ArithmeticError, AttributeError, IndexError, KeyError, TypeError, ValueError, WindflowerError):
        raise FileError(f"{path} lacks a part of the modes, or has a wrong one. Save them again.") from None


def _modes(arrays: dict[str, Any], facts: dict[str, Any]) -> Modes:
    plant = Plant(
        **{name: arrays[f"plant_{name}"] for name in PLANT},
        leaves=Leaves(**{name: arrays[f"leaf_{name}"] for name in LEAVES}),
        species=facts["species"],
        seed=facts["seed"],
    )
    damping = facts["wood"].pop("damping")
    wood = Wood(**facts["wood"], damping=Rayleigh(**damping) if isinstance(damping, dict) else damping)
    conditions = Conditions(
        **facts["conditions"],
        **{name: arrays[name] for name in POINTS},
        sheets=tuple(_sheet(arrays, i) for i in range(facts["sheets"])),
        held=arrays.get("held"),
    )
    return Modes(
        plant=plant,
        wood=wood,
        conditions=conditions,
        static_frequency=float(facts["static_frequency"]),
        **{name: np.asarray(arrays[name]) for name in ARRAYS},
    )


def _sheet(arrays: dict[str, NDArray[Any]], number: int) -> Sheet:
    parts: dict[str, Any] = {field.name: arrays[f"sheet{number}_{field.name}"].tolist() for field in fields(Sheet)}
    return Sheet(**parts)


def kept_at(plant: Plant, wood: Wood, conditions: Conditions, asked: tuple[int, int, str]) -> Path | None:
    """The file in which these modes are kept, or will be; None where there is no home for it."""
    try:
        return cache_folder() / f"modes-{_key(plant, wood, conditions, asked)}.npz"
    except RuntimeError:
        return None


def read_kept(path: Path, plant: Plant) -> Modes | None:
    """The modes of this plant from an earlier run; None if none are kept there, or the file is damaged."""
    with contextlib.suppress(FileError, OSError):
        found = replace(read_modes(path), plant=plant)
        os.utime(path)
        return found
    return None


def keep(modes: Modes, path: Path) -> None:
    """Keep modes for the next run, and drop those that nobody has asked for longest; a full disk is no hindrance."""
    with contextlib.suppress(FileError, OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        modes.save(path, compressed=False)
        _tidy(path.parent)


def _key(plant: Plant, wood: Wood, conditions: Conditions, asked: tuple[int, int, str]) -> str:
    species = known_species(plant)
    facts = [asdict(wood), conditions.facts, asked, species and species.model_dump(mode="json")]
    digest = hashlib.sha256(_source() + json.dumps(facts).encode())
    leaves = plant.leaves
    for array in (plant.parent, plant.position, plant.radius, plant.base_radius, plant.order):
        digest.update(array.tobytes())
    for array in (leaves.node, leaves.place, leaves.size):
        digest.update(array.tobytes())
    for name, array in conditions.arrays.items():
        digest.update(f"{name} {array.shape}".encode() + array.tobytes())
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
