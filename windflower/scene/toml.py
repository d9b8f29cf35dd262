"""Settings as TOML text: only what differs from the defaults, in the order of the schema."""

import datetime as dt
import json
from typing import Any

from windflower.scene.settings import SceneSettings

__all__ = ["toml_text"]


def toml_text(settings: SceneSettings) -> str:
    """The scene file that reads back as these settings."""
    lines = _table_lines("", settings.model_dump(exclude_defaults=True, exclude_none=True))
    return "\n".join(lines).lstrip("\n") + "\n"


def _table_lines(name: str, table: dict[str, Any]) -> list[str]:
    """A table: plain values first; in the scene itself, tables of their own; then lists of tables."""
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
        # JSON's escapes are TOML's, but for this one character.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_value(inner)}" for key, inner in value.items()) + " }"
    return "[" + ", ".join(_value(inner) for inner in value) + "]"
