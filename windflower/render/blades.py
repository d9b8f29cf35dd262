"""How the blades of broad leaves look."""

from windflower.core.device import Gpu
from windflower.mechanics.foliage import GENERIC_LEAF, known_species
from windflower.plant.blade_levels import blade_levels
from windflower.plant.blades import Blades
from windflower.plant.species.settings import Blade
from windflower.render.pipelines import Layouts
from windflower.render.surfaces import DrawnSurface, Look
from windflower.scene import Stand

__all__ = ["blades_drawn"]

PATTERNS = {"slanted": "blade", "parallel": "parallel", "netted": "netted", "plain": "plain"}
DARK = 0.42  # of a leaf's colour: a blade is one surface in full light, not the mean of a crown's cards
PALE = 0.6  # how much of the way to a pale green mid-ribs are
RIB = (0.20, 0.27, 0.10)


def blades_drawn(gpu: Gpu, layouts: Layouts, stand: Stand, blades: Blades) -> list[tuple[DrawnSurface, ...]]:
    """The blades of a stand at each level."""
    look = _look(stand)
    return [
        (DrawnSurface(gpu, layouts, level.grids, len(level.kept), look),) for level in blade_levels(stand.plant, blades)
    ]


def _look(stand: Stand) -> Look:
    """Veins as the stand has them, or the species; mid-ribs are paler than blades."""
    species = known_species(stand.plant)
    blade = (species.blade if species else None) or Blade()
    leaf = (species.leaf if species else None) or GENERIC_LEAF
    colour = (DARK * leaf.colour[0], DARK * leaf.colour[1], DARK * leaf.colour[2])
    pale = tuple(c + PALE * (p - c) for c, p in zip(colour, RIB, strict=True))
    return Look(
        PATTERNS[blade.veins if stand.veins == "own" else stand.veins],
        colour,
        (pale[0], pale[1], pale[2]),
        through=blade.translucency,
        lines=blade.vein_count,
        aspect=1 / leaf.aspect,
    )
