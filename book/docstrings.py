"""Reading a docstring: sentences, then a table of names, each with its shape, unit and meaning.

parent       (nodes,)    the node at the base of each segment; -1 for a root
nu, G        Poisson's ratio, or the shear modulus in Pa; give one
"""

import inspect
import re
from dataclasses import dataclass

__all__ = ["Described", "described"]

NAMES = r"(\*{0,2}[A-Za-z_]\w*(?:, \*{0,2}[A-Za-z_]\w*)*)"
ENTRY = re.compile(NAMES + r" {2,}(\S.*)$")
LONG = re.compile(NAMES + r" (\(.*)$")  # a name so long that only one space is left before its shape


@dataclass(frozen=True)
class Described:
    """A docstring in parts.

    text     the paragraphs outside of tables
    entries  what the tables say, by name
    """

    text: str
    entries: dict[str, str]


def described(docstring: str | None) -> Described:
    """Split a docstring into its sentences and the entries of its tables."""
    text: list[str] = []
    entries: dict[str, str] = {}
    for paragraph in re.split(r"\n\s*\n", inspect.cleandoc(docstring or "")):
        found = _entries(paragraph.splitlines())
        if found is None:
            text.append(paragraph)
        else:
            entries |= found
    return Described("\n\n".join(text), entries)


def _entries(lines: list[str]) -> dict[str, str] | None:
    """Entries of a paragraph that is a table; None for any other."""
    found: dict[str, str] = {}
    names: list[str] = []
    for line in lines:
        entry = ENTRY.match(line) or (LONG.match(line) if names else None)
        if entry:
            names = [name.lstrip("*") for name in entry[1].split(", ")]
            words = entry[2]
        elif names and line.startswith("  "):
            words = line.strip()
        else:
            return None
        for name in names:
            found[name] = f"{found.get(name, '')} {words}".strip()
    return found or None
