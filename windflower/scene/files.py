"""Reading and writing scene files: built-in ones by name, others by path."""

import datetime as dt
import json
import os
import tomllib
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from windflower.core.files import replacing
from windflower.core.table import nearest
from windflower.errors import FileError, SceneError
from windflower.plant.species import species_names
from windflower.scene.error_messages import scene_error
from windflower.scene.settings import SceneSettings
from windflower.scene.stand_table import StandSettings

__all__ = ["parse_scene", "read_scene", "save_scene", "scene_names", "toml_text"]

Model = TypeVar("Model", bound=BaseModel | None)


def scene_names() -> tuple[str, ...]:
    """Names of the built-in scenes, sorted."""
    folder = resources.files("windflower") / "scenes"
    return tuple(sorted(file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml")))


def read_scene(name: str | os.PathLike[str]) -> SceneSettings:
    """Read a built-in scene by name, or a `.toml` file; files that it names are relative to its folder."""
    text = os.fspath(name)
    if text in scene_names():
        content = (resources.files("windflower") / "scenes" / f"{text}.toml").read_bytes()
        return parse_scene(content, origin=f"{text}.toml")
    if not text.endswith(".toml"):
        known, hint = ", ".join(scene_names()), nearest(text, scene_names())
        raise SceneError(f"a scene is one of {known}, or a .toml file; '{text}' is neither. {hint}".strip())
    path = Path(text)
    return _beside(parse_scene(_content(path), origin=path.name), path.parent)


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise FileError(f"the scene file must exist; {path} does not.") from None
    except (OSError, ValueError) as error:
        raise FileError(f"{path} cannot be read: {error}.") from None


def parse_scene(content: bytes | str, *, origin: str = "scene") -> SceneSettings:
    """Read a scene from the text of a scene file; `origin` names it in error messages."""
    try:
        table = tomllib.loads(content if isinstance(content, str) else content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise SceneError(f"{origin} is not valid TOML: {error}.") from None
    return _validated(table, origin)


def _validated(table: dict[str, Any], origin: str) -> SceneSettings:
    try:
        return SceneSettings.model_validate(table)
    except ValidationError as error:
        raise scene_error(error, origin) from None


def save_scene(settings: SceneSettings, path: str | os.PathLike[str]) -> None:
    """Write a scene file that reads back as these settings; paths below its folder become relative."""
    path = Path(path)
    if path.suffix != ".toml":
        raise FileError(f"a scene is saved as .toml; the name is {path}. Use {path.with_suffix('.toml')}.")
    text = toml_text(_renamed(settings, lambda name: _seen_from(name, path.parent.resolve())))
    with replacing(path) as temporary:
        temporary.write_text(text, "utf-8")


def _beside(settings: SceneSettings, folder: Path) -> SceneSettings:
    """The same settings with relative paths resolved against a folder."""
    return _renamed(settings, lambda name: str((folder / name).resolve()))


def _seen_from(name: str, folder: Path) -> str:
    path = Path(name)
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else name


def _renamed(settings: SceneSettings, rename: Callable[[str], str]) -> SceneSettings:
    """The same settings with every path in them replaced by `rename(path)`."""
    ground = settings.ground.model_copy(update={"terrain": _renamed_file(settings.ground.terrain, rename)})
    return settings.model_copy(
        update={
            "stands": tuple(_renamed_stand(stand, rename) for stand in settings.stands),
            "wind": _renamed_file(settings.wind, rename),
            "ground": ground,
        }
    )


def _renamed_stand(stand: StandSettings, rename: Callable[[str], str]) -> StandSettings:
    plant = stand.plant if stand.plant in species_names() or stand.is_object else rename(stand.plant)
    return stand.model_copy(update={"plant": plant, "density": _renamed_file(stand.density, rename)})


def _renamed_file(table: Model, rename: Callable[[str], str]) -> Model:
    """A table with its `file`, if it has one, replaced by `rename(file)`."""
    file = getattr(table, "file", None)
    return table if table is None or file is None else table.model_copy(update={"file": rename(file)})


def toml_text(settings: SceneSettings) -> str:
    """TOML text of a scene file that reads back as these settings."""
    lines = _table_lines("", settings.model_dump(exclude_defaults=True, exclude_none=True))
    return "\n".join(lines).lstrip("\n") + "\n"


def _table_lines(name: str, table: dict[str, Any]) -> list[str]:
    """Lines of a table: plain values, then (at the top level) sub-tables, then arrays of tables."""
    own = {key: value for key, value in table.items() if name == "" and isinstance(value, dict)}
    lists = {key: value for key, value in table.items() if _is_list_of_tables(value)}
    lines = [f"{key} = {_value(value)}" for key, value in table.items() if key not in own and key not in lists]
    for key, value in own.items():
        lines += ["", f"[{key}]", *_table_lines(key, value)]
    for key, entries in lists.items():
        full = f"{name}.{key}" if name else key
        for entry in entries:
            lines += ["", f"[[{full}]]", *(f"{inner} = {_value(value)}" for inner, value in entry.items())]
    return lines


def _is_list_of_tables(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) > 0 and isinstance(value[0], dict)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, dt.date):
        return value.isoformat()
    if isinstance(value, str):
        # TOML's escapes are those of JSON, except for this character.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_value(inner)}" for key, inner in value.items()) + " }"
    return "[" + ", ".join(_value(inner) for inner in value) + "]"
