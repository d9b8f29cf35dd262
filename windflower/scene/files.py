"""Reading and writing scene files: built-in ones by name, others by path."""

import datetime as dt
import json
import os
from collections.abc import Iterable
from importlib import resources
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from windflower.core.files import replacing
from windflower.core.reading import read_file
from windflower.core.table import ending
from windflower.core.toml_text import parse_toml
from windflower.errors import FileError, SceneError
from windflower.scene.error_messages import scene_error
from windflower.scene.named_files import beside, renamed
from windflower.scene.settings import SceneSettings

__all__ = ["parse_scene", "read_scene", "save_scene", "scene_names", "scene_text", "toml_text"]


def scene_names() -> tuple[str, ...]:
    """Names of the built-in scenes, sorted."""
    folder = resources.files("windflower") / "scenes"
    return tuple(sorted(file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml")))


def scene_text(name: str) -> bytes:
    """The text of a built-in scene's file."""
    if name not in scene_names():
        known = scene_names()
        raise SceneError(f"a stock scene is one of {', '.join(known)}; '{name}' is not{ending(name, known)}")
    return (resources.files("windflower") / "scenes" / f"{name}.toml").read_bytes()


def read_scene(name: str | os.PathLike[str], *, allow: Iterable[str | os.PathLike[str]] = ()) -> SceneSettings:
    """Read a built-in scene by name, or a `.toml` file; files that it names are relative to its folder.

    name   one of `scene_names()`, or the path of a .toml file
    allow  folders outside of its own from which it may name files
    """
    text = os.fspath(name)
    if text in scene_names():
        return parse_scene(scene_text(text), origin=f"{text}.toml")
    if not text.endswith(".toml"):
        known = scene_names()
        raise SceneError(
            f"a scene is one of {', '.join(known)}, or a .toml file; '{text}' is neither{ending(text, known)}"
        )
    path = Path(text)
    settings = parse_scene(read_file(path, "scene_file", what="the scene file"), origin=path.name)
    return beside(settings, path.parent, allow, origin=path.name)


def parse_scene(content: bytes | str, *, origin: str = "scene") -> SceneSettings:
    """Read a scene from the text of a scene file; `origin` names it in error messages.

    content  the TOML text of a scene file
    origin   its name in error messages
    """
    return _validated(parse_toml(content, origin=origin, error=SceneError), origin)


def _validated(table: dict[str, Any], origin: str) -> SceneSettings:
    try:
        return SceneSettings.model_validate(table)
    except ValidationError as error:
        raise scene_error(error, origin) from None


def save_scene(settings: SceneSettings, path: str | os.PathLike[str]) -> None:
    """Write a scene file that reads back as these settings; paths below its folder become relative.

    settings  what to write
    path      the .toml file to write
    """
    path = Path(path)
    if path.suffix != ".toml":
        better = path.with_suffix(".toml") if path.name else path / "scene.toml"
        raise FileError(f"a scene is saved as .toml; the name is {path}. Use {better}.")
    text = toml_text(renamed(settings, lambda name: _seen_from(name, path.parent.resolve())))
    with replacing(path) as temporary:
        temporary.write_text(text, "utf-8")


def _seen_from(name: str, folder: Path) -> str:
    path = Path(name)
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else name


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
