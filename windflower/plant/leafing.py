"""Grows leaves on a plant that was read without any, by the rules of a species."""

from dataclasses import replace
from functools import lru_cache

import numpy as np

from windflower.errors import SpeciesError
from windflower.plant.graph import Plant
from windflower.plant.growth import foliage, grow
from windflower.plant.measures import crown_area
from windflower.plant.species import Species
from windflower.plant.taper import is_blurred, tapered

__all__ = ["with_leaves"]

SIZES = 0.75, 1.15  # smallest and largest leaf over the species' own, as growth has them
CROWDED = 6.0  # times the species' own leaves on a metre of twig, at most


def with_leaves(plant: Plant, species: Species, *, seed: int = 1) -> Plant:
    """The same plant in leaf: leaves on thin wood, as dense over the ground as a grown specimen of the species.

    A scan lacks most of the twigs, so that a species' leaves on a metre of twig would leave it nearly bare: as many
    are put on the twigs that it has as make the leaf area over the crown's area that of the species, up to six times
    as many. Where its twigs are too thick to tell, thin wood is what the pipe model says (see `plant.taper`).
    """
    leaf = species.leaf
    if leaf is None or leaf.per_metre == 0:
        raise SpeciesError(
            f"leaves are grown on a scan as a tree has them, so many on a metre of twig; those of {species.name} sit "
            "on buds of its own. Name a tree, or read the plant without leaves (--no-leaves, or leaves = false)."
        )
    vector, radius = plant.vector, (tapered(plant) if is_blurred(plant) else plant).base_radius
    twigs = float(plant.length[(radius < leaf.twig) & (plant.parent >= 0)].sum())
    if twigs == 0:
        return plant
    low, high = SIZES
    one = leaf.length**2 * leaf.cluster * (high**3 - low**3) / (3 * (high - low))  # mean square of a leaf's size, m²
    wanted = _leaf_density(species) * crown_area(plant) / one / twigs
    denser = leaf.model_copy(update={"per_metre": float(np.clip(wanted, 0.0, CROWDED * leaf.per_metre))})
    segment = np.where(plant.parent >= 0, radius, np.inf)
    return replace(plant, leaves=foliage(denser, seed, radius=segment, vector=vector))


@lru_cache(maxsize=64)
def _leaf_density(species: Species) -> float:
    """Sum of the squares of the leaves' sizes over the area of the crown, of a grown specimen."""
    grown = grow(species)
    return float((grown.leaves.size**2).sum()) / max(crown_area(grown), 1e-6)
