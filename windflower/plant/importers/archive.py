"""Plants that Windflower saved itself."""

import os
from typing import Any

from windflower.core.files import read_archive
from windflower.errors import FileError, PlantError
from windflower.plant.graph import Leaves, Plant

__all__ = ["read_plant"]


def read_plant(path: str | os.PathLike[str]) -> Plant:
    """Read what `Plant.save` wrote."""
    arrays, facts = read_archive(path, "plant")
    leaves = {name.removeprefix("leaf_"): arrays.pop(name) for name in list(arrays) if name.startswith("leaf_")}
    parts: dict[str, Any] = {**arrays, **facts}
    if not isinstance(facts.get("species"), str) or not isinstance(facts.get("seed"), int | None):
        raise FileError(f"{path}: the species is a name and the seed a whole number; here they are not. Save it again.")
    try:
        return Plant(**parts, leaves=Leaves(**leaves))
    except TypeError:
        raise FileError(f"{path} lacks a part of a plant or has one too many. Save it again.") from None
    except PlantError as error:
        raise FileError(f"{path}: {error}") from None
