"""Error messages for tables of a file: one sentence with the key, the rule and the value."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from windflower.core.table import nearest

__all__ = ["first_error"]

Kinds = Mapping[str, Sequence[str]]

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


def first_error(error: ValidationError, origin: str, *, kinds: Kinds | None = None, whole: str = "the file") -> str:
    """Pydantic's first error as one sentence.

    origin  the file that the message names
    kinds   kinds of the tables that have several; pydantic puts the kind into an error's place, after the table
    whole   how the message calls all of it
    """
    text = f"{origin}: {_sentence(error.errors(include_url=False)[0], kinds or {}, whole)}"
    return " ".join(text.split())


def _sentence(error: ErrorDetails, kinds: Kinds, whole: str) -> str:
    where, value = _key(error["loc"], kinds), error["input"]
    if error["type"].startswith("union_tag") or error["type"] == "unknown_kind":
        return _wrong_kind(where, error, kinds)
    if error["type"] == "missing":
        return f"{where} is missing{_of_table(value)}."
    if error["type"] == "refused":
        stop = "" if error["msg"].endswith("?") else "."
        return f"{where}: {error['msg']}{stop}".removeprefix(": ")
    rule = error["msg"][:1].lower() + error["msg"][1:]
    if error["type"] in RULES:
        rule = RULES[error["type"]].format(**{name: _plain(limit) for name, limit in error.get("ctx", {}).items()})
    return f"{where or whole} {rule}; it is {_shown(value)}."


def _wrong_kind(where: str, error: ErrorDetails, kinds: Kinds) -> str:
    """Message for a table whose kind is missing or unknown."""
    name = "kind"
    if error["type"] == "unknown_kind":
        known, kind = error["ctx"]["known"], error["ctx"]["kind"]
    else:
        name = error["ctx"]["discriminator"].strip("'")
        known = ", ".join(kinds[[str(part) for part in error["loc"] if part in kinds][-1]])
        kind = error["input"].get(name) if isinstance(error["input"], dict) else None
    hint = nearest(kind, known.split(", ")) if isinstance(kind, str) else ""
    found = "missing" if kind is None else _shown(kind)
    return f"{where}.{name} must be one of {known}; it is {found}{f'; {hint}' if hint else '.'}"


def _key(place: tuple[int | str, ...], kinds: Kinds) -> str:
    """Dotted key of an error's location, as `stands[0].area.radius`."""
    text = ""
    for part in place:
        if isinstance(part, int):
            text += f"[{part}]"
        elif not any(part in some for some in kinds.values()):
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
