"""Generates docs/species-file.md from the tables themselves, so that it cannot be out of date."""

from pydantic import BaseModel

from windflower.core.table_page import examples_in, section
from windflower.plant.species import species_names, species_of
from windflower.plant.species.settings import (
    Air,
    Blade,
    Colonisation,
    Girth,
    Leaf,
    Level,
    LSystem,
    Recursion,
    Rule,
    Shoot,
    Species,
    Twigs,
)

__all__ = ["sections", "species_reference"]

INTRODUCTION = """\
# The species file

For everyone who writes a species: all keys, with examples. A species is a TOML file: what the plant is, how it grows,
how thick its wood is, what its leaves are. Its path works wherever a species' name does:
`windflower show my-plant.toml -o my-plant.png`. [How to make one](own-species.md) goes through it step by step;
`windflower species walnut -o my-plant.toml` writes one to begin with; [species](species.md) says where the numbers of
the stock ones come from.

Metres, kilograms and degrees; shares are 0 to 1. Examples are from stock species. This page is made from the program's
own tables.
"""

MORE = {
    "Colonisation": {"height_variation": "0.1"},
    "Species": {"base": '"walnut"'},
    "Twigs": {"angle": "45", "rise": "0.3"},
    "Rule": {"weight": "2"},
}
"""Examples of keys that no stock species has, by table."""


def species_reference() -> str:
    """The whole page as Markdown."""
    examples = examples_in(species_of(name) for name in species_names())
    return INTRODUCTION + "".join(
        section(title, model, MORE.get(model.__name__, {}) | examples.get(model, {}))
        for title, model in sections().items()
    )


def sections() -> dict[str, type[BaseModel]]:
    """Models by section title."""
    return {
        "The file": Species,
        "`[girth]`": Girth,
        "`[leaf]`": Leaf,
        "`[blade]`": Blade,
        "`[air]`": Air,
        "`[growth]`, recursion": Recursion,
        "`[[growth.levels]]`": Level,
        "`growth.levels.shoot`": Shoot,
        "`[growth]`, colonisation": Colonisation,
        "`[growth.twigs]`": Twigs,
        "`[growth]`, l-system": LSystem,
        "`[[growth.rules]]`": Rule,
    }
