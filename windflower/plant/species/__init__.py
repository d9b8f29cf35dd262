"""Species: one TOML file each, with its numbers and a line on where they come from.

A file says how the plant grows (`[growth]`), how thick its wood is (`[girth]`), what its leaves are (`[leaf]`)
and how its crown takes the wind (`[air]`). `windflower.grow` makes a plant of it.
"""

from functools import cache, lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from windflower.core.reading import read_file
from windflower.core.table import ending
from windflower.core.table_errors import first_error
from windflower.core.toml_text import parse_toml
from windflower.errors import FileError, SpeciesError
from windflower.plant.species.merging import merged
from windflower.plant.species.settings import KINDS, Species

__all__ = ["Species", "species_names", "species_of", "species_text"]


def species_names() -> tuple[str, ...]:
    """The species that come with Windflower, sorted."""
    folder = resources.files(__name__)
    return tuple(sorted(file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml")))


def species_of(name: str) -> Species:
    """The species of this name, or the one described by this `.toml` file, as it is now.

    name  one of `species_names()`, or the path of a .toml file
    """
    if name.endswith(".toml"):
        path = Path(name)
        return _own_species(_content(path), path, path.resolve())
    return _stock_species(name)


@lru_cache(maxsize=64)
def _own_species(content: bytes, path: Path, place: Path) -> Species:
    found = _parsed(content, path.stem, str(path)).described_in(str(place))
    return found.model_copy(update={"wood": _wood_beside(path, found.wood)})


@cache
def _stock_species(name: str) -> Species:
    if name not in species_names():
        known = ", ".join(species_names())
        hint = ending(name, species_names())
        raise SpeciesError(f"a species is one of {known}, or a .toml file; '{name}' is neither{hint}")
    return _parsed(_stock(name), name, f"{name}.toml")


def species_text(name: str) -> str:
    """The file of a species that comes with Windflower, to copy and to change; with its name, by which trees are drawn.

    name  one of `species_names()`
    """
    note = "with the seed it decides which tree grows: keep it, and a copy grows the same"
    return f'name = "{name}" # {note}\n{_stock(name).decode()}'


def _stock(name: str) -> bytes:
    if name not in species_names():
        known = ", ".join(species_names())
        raise SpeciesError(f"a stock species is one of {known}; '{name}' is not{ending(name, species_names())}")
    return (resources.files(__name__) / f"{name}.toml").read_bytes()


def _on_its_base(table: dict[str, Any], origin: str) -> dict[str, Any]:
    """The keys of a file over those of its `base`, if it has one."""
    base = table.get("base")
    if base is None:
        return table
    if not isinstance(base, str) or base not in species_names():
        hint = ending(str(base), species_names(), "See windflower species.")
        raise SpeciesError(f"{origin}: base is a stock species; '{str(base)[:40]}' is not one of them{hint}")
    below = parse_toml(_stock(base), origin=f"{base}.toml", error=SpeciesError)
    growth = table.get("growth")
    if isinstance(growth, dict) and growth.get("method", below["growth"]["method"]) != below["growth"]["method"]:
        del below["growth"]
    return merged(below, table, origin)


def _content(path: Path) -> bytes:
    try:
        return read_file(path, "species_file", what="a species file")
    except FileError as error:
        raise SpeciesError(str(error)) from None


def _wood_beside(file: Path, wood: str) -> str:
    """The wood of a species file: its name, or the path of its own file, which lies in the same folder or below."""
    if not wood.endswith(".toml"):
        return wood
    home = file.resolve().parent
    try:
        found = (home / wood).resolve()
    except (OSError, RuntimeError, ValueError):  # a null byte, links in a circle, a name that is too long
        raise SpeciesError(f"{file}: wood is a file that can exist; {wood[:80]!r} cannot.") from None
    if not found.is_relative_to(home):
        raise SpeciesError(
            f"{file}: a species names a wood's file in its own folder, {home}; {found} is outside of it. Copy it there."
        )
    return str(found)


def _parsed(content: bytes, name: str, origin: str) -> Species:
    table = _on_its_base(parse_toml(content, origin=origin, error=SpeciesError), origin)
    try:
        return Species.model_validate({"name": table.get("base", name), **table})
    except ValidationError as error:
        raise SpeciesError(first_error(error, origin, kinds=KINDS)) from None
