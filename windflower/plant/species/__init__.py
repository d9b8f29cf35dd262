"""Species: one TOML file each, with its numbers and a line on where they come from.

A file says how the plant grows (`[growth]`), how thick its wood is (`[girth]`), what its leaves are (`[leaf]`)
and how its crown takes the wind (`[air]`). `windflower.grow` makes a plant of it.
"""

import tomllib
from functools import cache
from importlib import resources
from pathlib import Path

from pydantic import ValidationError

from windflower.errors import SpeciesError
from windflower.plant.species.settings import Species

__all__ = ["Species", "species_names", "species_of"]


def species_names() -> tuple[str, ...]:
    """The species that come with Windflower, sorted."""
    folder = resources.files(__name__)
    return tuple(sorted(file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml")))


@cache
def species_of(name: str) -> Species:
    """The species of this name, or the one described by this `.toml` file."""
    if name.endswith(".toml"):
        path = Path(name)
        if not path.is_file():
            raise SpeciesError(f"a species file must exist; {path} does not.")
        return _parsed(path.read_bytes(), path.stem, str(path)).described_in(str(path.resolve()))
    if name not in species_names():
        known = ", ".join(species_names())
        raise SpeciesError(f"a species is one of {known}, or a .toml file; '{name}' is neither.")
    return _parsed((resources.files(__name__) / f"{name}.toml").read_bytes(), name, f"{name}.toml")


def _parsed(content: bytes, name: str, origin: str) -> Species:
    try:
        return Species.model_validate({"name": name, **tomllib.loads(content.decode())})
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SpeciesError(f"{origin} is not valid TOML: {error}.") from None
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise SpeciesError(f"{origin}: {place}: {first['msg']}; it is {first['input']!r}.") from None
