"""Species: one TOML file each, with its numbers and a line on where they come from.

A file says how the plant grows (`[growth]`), how thick its wood is (`[girth]`), what its leaves are (`[leaf]`)
and how its crown takes the wind (`[air]`). `windflower.grow` makes a plant of it.
"""

import tomllib
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from windflower.errors import SpeciesError
from windflower.plant.growth.settings import Growth

__all__ = ["Air", "Girth", "Leaf", "Species", "species_names", "species_of"]


class Table(BaseModel):
    """A table of a species file: nothing unknown in it, nothing changed after reading."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Girth(Table):
    """How thick the wood is: the pipe model, scaled to the trunk."""

    trunk: float = Field(gt=0, description="radius of the trunk at its foot, m")
    twig: float = Field(gt=0, description="radius of the thinnest twig, m")
    exponent: float = Field(2.3, ge=1, le=4, description="r^n below a fork = sum of r^n above it")


class Leaf(Table):
    """What a leaf is and where it grows."""

    shape: Literal[
        "round", "oval", "lobed", "pinnate", "narrow", "triangular", "needles", "frond", "broad", "ribbon"
    ]
    length: float = Field(gt=0, description="from base to tip, m")
    aspect: float = Field(gt=0, le=2, description="width over length")
    per_metre: float = Field(ge=0, description="leaves on a metre of twig")
    twig: float = Field(gt=0, description="wood thinner than this radius bears leaves, m")
    angle: float = Field(50.0, ge=0, le=180, description="between leaf and twig, degrees")
    droop: float = Field(0.2, ge=-1, le=1, description="0 keeps the angle, 1 hangs straight down, -1 stands up")
    spread: float = Field(0.3, ge=0, le=1, description="randomness of the orientation")
    mass_per_area: float = Field(0.15, gt=0, description="fresh, kg/m²")
    colour: tuple[float, float, float] = Field((0.18, 0.36, 0.08), description="linear RGB of the upper side")


class Air(Table):
    """How the crown takes the wind: C_D(U) = drag * U^-streamlining, and how much wind passes through."""

    drag: float = Field(1.0, gt=0, description="drag factor C of the crown in leaf")
    streamlining: float = Field(0.7, ge=0, lt=2, description="N of C_D = C U^-N; the Vogel exponent is -N")
    porosity: float = Field(0.5, gt=0, le=1, description="share of the wind speed left behind the crown")


class Species(Table):
    """All that is known of a species."""

    name: str = Field(pattern=r"^[a-z][a-z0-9-]*$")
    title: str
    latin: str
    source: str = Field(min_length=10, description="where the numbers come from")
    wood: str = Field(description="the name of its wood")
    habitat: Literal["land", "water"] = "land"
    bark: tuple[float, float, float] = Field((0.23, 0.18, 0.14), description="linear RGB")
    girth: Girth
    leaf: Leaf | None = None
    air: Air = Air()
    growth: Growth = Field(discriminator="method")


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
        return _parsed(path.read_bytes(), path.stem, str(path))
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
