"""Plants that Windflower saved itself, as NumPy archives."""

from io import BytesIO
from typing import Any

from windflower.core.numpy_files import archive_in
from windflower.errors import FileError, PlantError
from windflower.plant.graph import Leaves, Plant
from windflower.plant.importers.importer import Importer, PlantFile

__all__ = ["ARCHIVE"]


def _plant(file: PlantFile) -> Plant:
    """Read what `Plant.save` wrote."""
    path = file.path
    arrays, facts = archive_in(BytesIO(file.data), str(path), "plant")
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


ARCHIVE = Importer(
    title="a Windflower archive",
    recognises=lambda file: file.data.startswith(b"PK") or file.suffix == ".npz",
    read=_plant,
)
