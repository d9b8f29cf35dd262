"""Appearance of wood and sheets: colours and patterns, of species and of objects, for shaders and exports."""

from dataclasses import dataclass
from typing import NamedTuple

from windflower.mechanics.foliage import GENERIC_LEAF, known_species
from windflower.motion.stand import Stand
from windflower.plant.species import Species
from windflower.plant.species.settings import Blade

__all__ = ["Bark", "Finish", "SheetLook", "finish_of"]

VEINS = {"slanted": "blade", "parallel": "parallel", "netted": "netted", "plain": "plain"}
DARK = 0.42  # factor on a leaf's colour: a blade is one surface in full light, not the mean of a crown's cards
PALE = 0.6  # share of pale green in the colour of midribs
RIB = (0.20, 0.27, 0.10)


class Bark(NamedTuple):
    """Appearance of wood: its colour (linear RGB), a pattern, and moss near the ground, 0 to 1."""

    colour: tuple[float, float, float] = (0.23, 0.18, 0.14)
    pattern: str = "ridges"
    moss: float = 0.4

    @staticmethod
    def of(species: Species | None) -> "Bark":
        """Bark of a species, or a default."""
        return Bark(species.bark, species.bark_pattern, species.moss) if species else Bark()


@dataclass(frozen=True)
class SheetLook:
    """Appearance of a sheet: a pattern of two colours (linear RGB), and its translucency.

    lines   number of veins of a blade along its length, or of stripes along a flag
    aspect  length over width
    before  offset from its points along its normal, m
    """

    pattern: str = "blade"
    colour: tuple[float, float, float] = (0.13, 0.26, 0.05)
    second: tuple[float, float, float] = (0.22, 0.32, 0.10)
    through: float = 0.45
    lines: float = 26.0
    aspect: float = 1.0
    before: float = 0.0


class Finish(NamedTuple):
    """Appearance of a plant or an object: its sheets, if any, and the wood or metal that carries them."""

    sheets: SheetLook
    bark: Bark


ALUMINIUM = Bark((0.42, 0.43, 0.44), "smooth", 0.0)
STEEL = Bark((0.20, 0.21, 0.22), "smooth", 0.0)
FINISHES = {
    "flag": Finish(SheetLook("flower", (0.03, 0.20, 0.36), (0.80, 0.80, 0.77), through=0.45, aspect=1.5), ALUMINIUM),
    "banner": Finish(SheetLook("flower", (0.36, 0.025, 0.03), (0.80, 0.74, 0.62), through=0.3, aspect=2.9), STEEL),
    "banana-blade": Finish(
        SheetLook("blade", (0.09, 0.20, 0.035), (0.24, 0.32, 0.09), through=0.45, lines=34.0),
        Bark((0.20, 0.27, 0.07), "smooth", 0.0),
    ),
    "road-sign": Finish(
        SheetLook("sign", (0.01, 0.07, 0.30), (0.80, 0.80, 0.80), through=0.0, before=0.035),
        Bark(STEEL.colour, "smooth"),
    ),
}
PLAIN = Finish(SheetLook("stripes", (0.70, 0.68, 0.62), (0.30, 0.32, 0.36), through=0.25, lines=1.0), ALUMINIUM)


def finish_of(stand: Stand) -> Finish:
    """Appearance of a stand: of an object by its name, where unknown ones are plain; of a plant by its species."""
    if stand.sheets:
        return FINISHES.get(stand.name, PLAIN)
    return Finish(_blades(stand), Bark.of(known_species(stand.plant)))


def _blades(stand: Stand) -> SheetLook:
    """Appearance of blades: veins of the stand, or else of the species; midribs are paler than blades."""
    species = known_species(stand.plant)
    blade = (species.blade if species else None) or Blade()
    leaf = (species.leaf if species else None) or GENERIC_LEAF
    colour = (DARK * leaf.colour[0], DARK * leaf.colour[1], DARK * leaf.colour[2])
    pale = tuple(c + PALE * (p - c) for c, p in zip(colour, RIB, strict=True))
    return SheetLook(
        VEINS[blade.veins if stand.veins == "own" else stand.veins],
        colour,
        (pale[0], pale[1], pale[2]),
        through=blade.translucency,
        lines=blade.vein_count,
        aspect=1 / leaf.aspect,
    )
