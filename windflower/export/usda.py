"""Text of a USD layer (.usda): prims with attributes, put together one by one."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from numpy.typing import NDArray

__all__ = ["Prim", "identifier", "layer", "names", "numbers", "targets"]

INDENT = "    "


class Prim:
    """A prim: its attributes and relations in order, then its children.

    facts  metadata, such as kind or apiSchemas, each as a line of text
    """

    def __init__(self, kind: str, name: str, *facts: str, specifier: str = "def") -> None:
        self._head = f'{specifier} {kind} "{name}"' if kind else f'{specifier} "{name}"'
        self._facts, self._lines = list(facts), list[str]()
        self._children, self._variants = list[Prim](), dict[str, dict[str, list[Prim]]]()

    def set(self, what: str, value: str, *facts: str) -> None:
        """An attribute or a relation: its type and name, and its value as text."""
        self._lines.append(f"{what} = {value}{_facts(facts)}")

    def declare(self, what: str) -> None:
        """An attribute without a value, such as an output."""
        self._lines.append(what)

    def vary(self, what: str, samples: Mapping[float, str], *facts: str) -> None:
        """An attribute that changes over time: values by time code."""
        if facts:
            self._lines.append(f"{what}{_facts(facts)}")
        lines = "".join(f"{INDENT}{time:.10g}: {value},\n" for time, value in samples.items())
        self._lines.append(f"{what}.timeSamples = {{\n{lines}}}")

    def add(self, child: "Prim") -> "Prim":
        """Add a child, and return it."""
        self._children.append(child)
        return child

    def vary_by(self, name: str, variants: Mapping[str, Iterable["Prim"]]) -> None:
        """A variant set: children by variant, of which the first is chosen."""
        self._variants[name] = {variant: list(children) for variant, children in variants.items()}

    def text(self) -> str:
        """The prim as text."""
        facts = list(self._facts)
        if self._variants:
            chosen = [f'string {name} = "{next(iter(variants))}"' for name, variants in self._variants.items()]
            facts += [f"variants = {{\n{_indented(chosen)}}}", f"prepend variantSets = {names(self._variants)}"]
        body = [*self._lines, *(child.text() for child in self._children)]
        body += [_variant_set(name, variants) for name, variants in self._variants.items()]
        return f"{self._head}{_facts(facts)}\n{{\n{_indented(body)}}}"


def layer(root: Prim, **facts: str) -> str:
    """A whole layer, whose default prim is the root."""
    lines = "".join(f"{INDENT}{name} = {value}\n" for name, value in facts.items())
    return f"#usda 1.0\n(\n{lines})\n\n{root.text()}\n"


def identifier(name: str) -> str:
    """A name as USD takes it: letters, digits and underscores."""
    plain = re.sub(r"[^A-Za-z0-9_]+", "_", name).strip("_") or "plant"
    return f"_{plain}" if plain[0].isdigit() else plain


def numbers(values: NDArray[Any], form: str = "%.7g") -> str:
    """An array of numbers, (n,); of tuples, (n, k): points, coordinates, quaternions; or of matrices, (n, k, k).

    One format for all of them: number by number it would take half as long again.
    """
    one = form
    for size in reversed(values.shape[1:]):
        one = f"({', '.join([one] * size)})"
    return f"[{', '.join([one] * len(values)) % tuple(values.ravel().tolist())}]"


def names(values: Iterable[str]) -> str:
    """An array of names."""
    return f"[{', '.join(chr(34) + value + chr(34) for value in values)}]"


def targets(*paths: str) -> str:
    """Targets of a relation."""
    return f"<{paths[0]}>" if len(paths) == 1 else f"[{', '.join(f'<{path}>' for path in paths)}]"


def _facts(facts: Iterable[str]) -> str:
    lines = _indented(list(facts))
    return f" (\n{lines})" if lines else ""


def _indented(parts: list[str]) -> str:
    return "".join(f"{INDENT}{line}\n" for part in parts for line in part.splitlines())


def _variant_set(name: str, variants: dict[str, list[Prim]]) -> str:
    body = [
        f'"{variant}" {{\n{_indented([child.text() for child in children])}}}' for variant, children in variants.items()
    ]
    return f'variantSet "{name}" = {{\n{_indented(body)}}}'
