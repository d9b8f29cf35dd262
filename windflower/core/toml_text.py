"""TOML from a stranger: a table, or one sentence that says what is wrong with the text."""

import re
import tomllib
from typing import Any

from windflower.errors import WindflowerError

__all__ = ["parse_toml"]

DEEPEST = 32  # tables and lists inside one another: far more than any table of ours
LARGEST = 2**63  # TOML's whole numbers have 64 bits
PART = r"""(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')"""
LONG_KEY = re.compile(rf"(?<![\w\\-]){PART}(?:[ \t]*+\.[ \t]*+{PART}){{{DEEPEST}}}")
"""A dotted key with too many parts; the parser's time grows with the square of their number."""


def parse_toml(content: bytes | str, *, origin: str, error: type[WindflowerError]) -> dict[str, Any]:
    """Parse TOML; `origin` names the file in error messages, and `error` is the class of them."""
    try:
        text = content if isinstance(content, str) else content.decode("utf-8")
        if LONG_KEY.search(text):
            raise error(_too_deep(origin))
        table = tomllib.loads(text.removeprefix("\ufeff"))
    except RecursionError:
        raise error(_too_deep(origin)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise error(f"{origin} is not valid TOML: {wrong}.") from None
    except ValueError:  # Python's refusal to read thousands of digits
        raise error(_not_64_bits(origin, "thousands of digits")) from None
    _check_values(table, origin, error)
    return table


def _check_values(table: dict[str, Any], origin: str, error: type[WindflowerError]) -> None:
    """Refuse what TOML does not allow and Python does, level by level: dotted keys nest without end."""
    level: list[Any] = [table]
    for _ in range(DEEPEST):
        inner: list[Any] = []
        for value in level:
            if isinstance(value, int) and not -LARGEST <= value < LARGEST:
                raise error(_not_64_bits(origin, f"{value.bit_length()} bits"))
            if isinstance(value, dict | list):
                inner += value.values() if isinstance(value, dict) else value
        if not inner:
            return
        level = inner
    raise error(_too_deep(origin))


def _not_64_bits(origin: str, found: str) -> str:
    return f"{origin} is not valid TOML: a whole number has at most 64 bits, and one there has {found}."


def _too_deep(origin: str) -> str:
    return f"tables and lists are nested at most {DEEPEST} deep; those of {origin} are deeper. Flatten them."
