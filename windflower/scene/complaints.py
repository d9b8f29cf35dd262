"""What is wrong with a scene, in one sentence: the key, the value, and what is allowed."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pydantic import ValidationError

from windflower.errors import SceneError, WindflowerError

__all__ = ["blamed", "complaint"]

KINDS = frozenset(
    ("fixed", "orbit", "fly", "rectangle", "circle", "row", "modal", "vortex", "fan", "explosion"),
)
"""What pydantic adds to the place of an error to say which kind of table it is about; no key has such a name."""

RULES = {
    "greater_than": "must be greater than {gt}",
    "greater_than_equal": "must be at least {ge}",
    "less_than": "must be less than {lt}",
    "less_than_equal": "must be at most {le}",
    "finite_number": "must be a finite number",
    "literal_error": "must be {expected}",
    "too_short": "must have at least {min_length} entries",
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
    "dict_type": "must be a table",
    "union_tag_invalid": "must have {discriminator} = {expected_tags}",
    "union_tag_not_found": "must say its {discriminator}",
}


def complaint(error: ValidationError, origin: str) -> SceneError:
    """The first thing that is wrong, as an error of ours; `origin` names the file."""
    first = error.errors(include_url=False)[0]
    where = _key(first["loc"])
    if first["type"] == "missing":
        return SceneError(f"{origin}: {where} is missing{_of_table(first['input'])}.")
    if first["type"] == "refused":
        stop = "" if first["msg"].endswith("?") else "."
        return SceneError(f"{origin}: {where}{': ' if where else ''}{first['msg']}{stop}")
    rule = RULES.get(first["type"], first["msg"][:1].lower() + first["msg"][1:])
    rule = rule.format(**{name: _plain(value) for name, value in first.get("ctx", {}).items()})
    return SceneError(f"{origin}: {where or 'the scene'} {rule}; it is {_shown(first['input'])}.")


@contextmanager
def blamed(key: str) -> Iterator[None]:
    """Put the key of a scene file before what goes wrong inside."""
    try:
        yield
    except SceneError:
        raise
    except WindflowerError as error:
        raise SceneError(f"{key}: {error}") from None


def _key(place: tuple[int | str, ...]) -> str:
    """`stands[0].area.radius`: as a person would name it."""
    text = ""
    for part in place:
        if isinstance(part, int):
            text += f"[{part}]"
        elif part not in KINDS:
            text += f".{part}" if text else part
    return text


def _plain(value: Any) -> Any:
    return f"{value:g}" if isinstance(value, float) else value


def _shown(value: Any) -> str:
    """A value as a person wrote it, cut if it is long."""
    if isinstance(value, dict):
        return f"a table with {', '.join(map(str, value)) or 'no keys'}"[:120]
    text = f"{value:g}" if isinstance(value, float) else repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


def _of_table(table: Any) -> str:
    """What there is instead of the key that is missing."""
    return f"; there is only {', '.join(map(str, table))}"[:160] if isinstance(table, dict) and table else ""
