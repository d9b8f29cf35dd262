"""Error messages for scene files: one sentence with the key, the rule and the value."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from windflower.core.table import nearest
from windflower.errors import SceneError, WindflowerError

__all__ = ["naming", "scene_error"]

KINDS = {
    "area": ("rectangle", "circle", "row"),
    "camera": ("fixed", "orbit", "fly"),
}
"""Kinds of the tables that have several; pydantic puts the kind into an error's location, after the table."""

RULES = {
    "greater_than": "must be greater than {gt}",
    "greater_than_equal": "must be at least {ge}",
    "less_than": "must be less than {lt}",
    "less_than_equal": "must be at most {le}",
    "finite_number": "must be a finite number",
    "literal_error": "must be {expected}",
    "too_short": "must have {min_length} or more entries",
    "too_long": "must have at most {max_length} entries",
    "string_too_short": "must not be empty",
    "string_type": "must be text",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "tuple_type": "must be a list",
    "model_type": "must be a table",
    "model_attributes_type": "must be a table",
    "date_type": "must be a date such as 2024-06-21",
    "date_parsing": "must be a date such as 2024-06-21",
    "date_from_datetime_parsing": "must be a date such as 2024-06-21",
    "date_from_datetime_inexact": "must be a date such as 2024-06-21, without a time",
    "string_too_long": "must have at most {max_length} characters",
}


def scene_error(error: ValidationError, origin: str) -> SceneError:
    """Convert pydantic's first error to a `SceneError`; `origin` names the file."""
    text = f"{origin}: {_sentence(error.errors(include_url=False)[0])}"
    return SceneError(" ".join(text.split()))


def _sentence(error: ErrorDetails) -> str:
    where, value = _key(error["loc"]), error["input"]
    if error["type"].startswith("union_tag") or error["type"] == "unknown_kind":
        return _wrong_kind(where, error)
    if error["type"] == "missing":
        return f"{where} is missing{_of_table(value)}."
    if error["type"] == "refused":
        stop = "" if error["msg"].endswith("?") else "."
        return f"{where}: {error['msg']}{stop}".removeprefix(": ")
    rule = error["msg"][:1].lower() + error["msg"][1:]
    if error["type"] in RULES:
        rule = RULES[error["type"]].format(**{name: _plain(limit) for name, limit in error.get("ctx", {}).items()})
    return f"{where or 'a scene'} {rule}; it is {_shown(value)}."


def _wrong_kind(where: str, error: ErrorDetails) -> str:
    """Message for a table whose `kind` is missing or unknown."""
    if error["type"] == "unknown_kind":
        known, kind = error["ctx"]["known"], error["ctx"]["kind"]
    else:
        known = ", ".join(KINDS[[str(part) for part in error["loc"] if part in KINDS][-1]])
        kind = error["input"].get("kind") if isinstance(error["input"], dict) else None
    hint = nearest(kind, known.split(", ")) if isinstance(kind, str) else ""
    found = "missing" if kind is None else _shown(kind)
    return f"{where}.kind must be one of {known}; it is {found}{f'; {hint}' if hint else '.'}"


@contextmanager
def naming(key: str) -> Iterator[None]:
    """Put a key of the scene file before the message of any error raised inside."""
    try:
        yield
    except SceneError:
        raise
    except WindflowerError as error:
        raise SceneError(f"{key}: {error}") from None


def _key(place: tuple[int | str, ...]) -> str:
    """Dotted key of an error's location, as `stands[0].area.radius`."""
    text = ""
    for part in place:
        if isinstance(part, int):
            text += f"[{part}]"
        elif not any(part in kinds for kinds in KINDS.values()):
            text += f".{part}" if text else part
    return text


def _plain(value: Any) -> Any:
    return f"{value:g}" if isinstance(value, float) else value


def _shown(value: Any) -> str:
    """A value as text, shortened if it is long."""
    if isinstance(value, dict):
        return f"a table with {', '.join(map(str, value)) or 'no keys'}"[:120]
    text = f"{value:g}" if isinstance(value, float) else repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


def _of_table(table: Any) -> str:
    """The keys that a table has, for the message about a missing one."""
    return f"; there is only {', '.join(map(str, table))}"[:160] if isinstance(table, dict) and table else ""
