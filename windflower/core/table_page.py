"""Pages of reference made from tables of files: each key with its meaning, what is allowed, its default, an example."""

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pydantic import BaseModel

__all__ = ["examples_in", "section"]

LONGEST = 70  # characters of an example


def examples_in(files: Iterable[BaseModel]) -> dict[type[BaseModel], dict[str, str]]:
    """For every key that any of these files gives, the shortest value that one of them has."""
    found: dict[type[BaseModel], dict[str, str]] = {}
    for file in files:
        for table in _tables(file):
            known = found.setdefault(type(table), {})
            for name, value in table.model_dump(exclude_unset=True).items():
                text = _toml(value)
                if len(text) < len(known.get(name, text + " ")):
                    known[name] = text
    return found


def _tables(value: Any) -> Iterator[BaseModel]:
    """A table and all tables in it."""
    if isinstance(value, BaseModel):
        yield value
        for name in value.model_fields_set:
            yield from _tables(getattr(value, name))
    elif isinstance(value, tuple | list):
        for one in value:
            yield from _tables(one)


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml(inner)}" for key, inner in value.items() if inner is not None) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_toml(inner) for inner in value) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dt.date):
        return value.isoformat()
    return f'"{value}"' if isinstance(value, str) else f"{value:g}" if isinstance(value, float) else str(value)


def section(title: str, model: type[BaseModel], examples: Mapping[str, str]) -> str:
    """A table of a file as Markdown: its docstring, and a line for every key, with its example as TOML."""
    schema = model.model_json_schema()
    required = schema.get("required", [])
    fields = sorted(schema["properties"].items(), key=lambda item: item[0] not in {"kind", "method"})
    rows = [_row(name, field, name in required, examples.get(name, "")) for name, field in fields]
    about = " ".join((model.__doc__ or "").split())
    head = ["| key | meaning | allowed | default | example |", "|---|---|---|---|---|"]
    return "\n".join(["", f"## {title}", "", about, "", *head, *rows, ""])


def _row(name: str, field: dict[str, Any], required: bool, example: str) -> str:
    filled = "by default" in field.get("description", "")  # by the reader of the file
    default = "required" if required and not filled else _default(field.get("default"))
    if not example and "const" in field:
        example = f'"{field["const"]}"'
    shown = f"`{name} = {example}`" if example and len(example) <= LONGEST else ""
    meaning = field.get("description", "selects this kind" if "const" in field else "")
    return f"| `{name}` | {meaning} | {_allowed(field)} | {default} | {shown} |"


def _default(value: Any) -> str:
    """Cell with a default value; empty for tables, whose own section has their defaults."""
    if value in (None, [], "") or isinstance(value, dict):
        return ""
    return "`true`" if value is True else "`false`" if value is False else f"`{value}`"


def _allowed(field: dict[str, Any]) -> str:
    """Allowed values of a field, from its JSON schema."""
    if "const" in field:
        return f"`{field['const']}`"
    if "enum" in field:
        return ", ".join(f"`{value}`" for value in field["enum"])
    if "anyOf" in field or "oneOf" in field:
        parts = [part for part in field.get("anyOf") or field["oneOf"] if part.get("type") != "null"]
        return " or ".join(dict.fromkeys(_allowed(part) for part in parts))
    if "$ref" in field or field["type"] == "object":
        return "a table"
    if field["type"] == "array":
        return _list(field)
    return _scalar(field)


def _list(field: dict[str, Any]) -> str:
    if "prefixItems" in field:
        return f"{len(field['prefixItems'])} × {_allowed(field['prefixItems'][0])}"
    inner = _allowed(field["items"])
    return "tables" if inner == "a table" else f"a list of {inner}"


def _scalar(field: dict[str, Any]) -> str:
    names = {"number": "a number", "integer": "a whole number", "string": "text", "boolean": "true or false"}
    if field.get("format") == "date":
        return "a date"
    words = {"exclusiveMinimum": "above", "minimum": "from", "exclusiveMaximum": "below", "maximum": "to"}
    bounds = [f"{word} {field[key]:,}".removesuffix(".0") for key, word in words.items() if key in field]
    return " ".join([names[field["type"]], *bounds])
