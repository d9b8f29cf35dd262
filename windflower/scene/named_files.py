"""The files that a scene names: which they are, and whether a stranger's scene may read them."""

import os
import shlex
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeGuard, TypeVar

from pydantic import BaseModel

from windflower.errors import SceneError
from windflower.plant.species import species_names
from windflower.scene.settings import SceneSettings
from windflower.scene.stand_table import StandSettings

__all__ = ["beside", "folders_outside", "named_files", "renamed"]

Model = TypeVar("Model", bound=BaseModel | None)


def named_files(settings: SceneSettings) -> Iterator[tuple[str, str]]:
    """Key and path of each file that a scene names: plants, species, woods, maps and winds."""
    for index, stand in enumerate(settings.stands):
        if not _is_built_in(stand):
            yield f"stands[{index}].plant", stand.plant
        for key, file in (("species", stand.species), ("wood", stand.wood)):
            if _is_file(file):
                yield f"stands[{index}].{key}", file
        if stand.density is not None and stand.density.file is not None:
            yield f"stands[{index}].density.file", stand.density.file
    if settings.wind.file is not None:
        yield "wind.file", settings.wind.file
    if settings.ground.terrain is not None and settings.ground.terrain.file is not None:
        yield "ground.terrain.file", settings.ground.terrain.file


def renamed(settings: SceneSettings, rename: Callable[[str], str]) -> SceneSettings:
    """The same settings with every path in them replaced by `rename(path)`."""
    ground = settings.ground.model_copy(update={"terrain": _renamed_file(settings.ground.terrain, rename)})
    return settings.model_copy(
        update={
            "stands": tuple(_renamed_stand(stand, rename) for stand in settings.stands),
            "wind": _renamed_file(settings.wind, rename),
            "ground": ground,
        }
    )


def beside(
    settings: SceneSettings, folder: Path, allow: Iterable[str | os.PathLike[str]] = (), *, origin: str
) -> SceneSettings:
    """The same settings with paths resolved against a scene's folder, links followed.

    Files outside of that folder are refused, unless they lie in one of those that are allowed.
    """
    home = folder.resolve()
    allowed = [home, *(Path(one).resolve() for one in allow)]
    settings = renamed(settings, lambda name: _resolved(home, name, origin))
    for key, file in named_files(settings):
        if not any(Path(file).is_relative_to(one) for one in allowed):
            raise SceneError(
                f"{origin}: {key}: a scene names files in its own folder, {home}; {file} is outside of it. "
                f"If you trust the scene, allow that folder: --allow {shlex.quote(str(Path(file).parent))}"
            )
    return settings


def folders_outside(settings: SceneSettings, folder: Path) -> list[Path]:
    """Folders of the named files that do not lie in this one, sorted: what `allow` has to name."""
    home = folder.resolve()
    files = (Path(file) for _, file in named_files(settings))
    return sorted({file.parent for file in files if file.is_absolute() and not file.is_relative_to(home)})


def _resolved(home: Path, name: str, origin: str) -> str:
    try:
        return str((home / name).resolve())
    except (OSError, RuntimeError, ValueError):  # a null byte, links in a circle, a name that is too long
        raise SceneError(f"{origin}: a scene names files that can exist; {name[:80]!r} cannot.") from None


def _is_built_in(stand: StandSettings) -> bool:
    return stand.plant in species_names() or stand.is_object


def _renamed_stand(stand: StandSettings, rename: Callable[[str], str]) -> StandSettings:
    plant = stand.plant if _is_built_in(stand) else rename(stand.plant)
    species, wood = (rename(one) if _is_file(one) else one for one in (stand.species, stand.wood))
    own = {"plant": plant, "species": species, "wood": wood, "density": _renamed_file(stand.density, rename)}
    return stand.model_copy(update=own)


def _is_file(name: str | None) -> TypeGuard[str]:
    return name is not None and name.endswith(".toml")


def _renamed_file(table: Model, rename: Callable[[str], str]) -> Model:
    """A table with its `file`, if it has one, replaced by `rename(file)`."""
    file = getattr(table, "file", None)
    return table if table is None or file is None else table.model_copy(update={"file": rename(file)})
