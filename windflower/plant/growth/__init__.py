"""Growing a plant from a species and a seed.

    species ──recursion│colonisation│L-system──> Skeleton ──girth──> radii ──foliage──> leaves ──detail──> Plant

The same species and seed give the same plant: its topology on every machine, its positions to 1e-9 m.
"""

from dataclasses import replace
from zlib import crc32

import numpy as np

from windflower.core.randomness import key
from windflower.errors import SpeciesError
from windflower.plant.detail import with_detail
from windflower.plant.graph import Leaves, Plant
from windflower.plant.growth.colonisation import grow_colonisation
from windflower.plant.growth.foliage import foliage
from windflower.plant.growth.girth import pipe_radii
from windflower.plant.growth.lsystem import grow_lsystem
from windflower.plant.growth.recursion import grow_recursion
from windflower.plant.growth.skeleton import Skeleton
from windflower.plant.species import Species, species_of
from windflower.plant.species.settings import Colonisation, Recursion

__all__ = ["grow"]


def grow(species: str | Species, *, seed: int = 1, detail: float = 1.0) -> Plant:
    """Grow a plant.

    species  a name (`windflower species` lists them), a path to a species file, or a `Species`
    seed     which specimen: any whole number from 0
    detail   scales the number of nodes without changing the silhouette; 1 is the species' own
    """
    described = species_of(species) if isinstance(species, str) else species
    if seed != int(seed) or not 0 <= seed < 2**53:
        raise SpeciesError(f"a seed is a whole number from 0; it is {seed}.")
    own_seed = int(key(seed, crc32(described.name.encode())) >> np.uint64(1))  # a walnut 1 is not like an oak 1
    return with_detail(_clothed(_skeleton(described, own_seed), described, own_seed, int(seed)), detail)


def _skeleton(species: Species, seed: int) -> Skeleton:
    growth = species.growth
    if isinstance(growth, Recursion):
        return grow_recursion(growth, seed)
    if isinstance(growth, Colonisation):
        return grow_colonisation(growth, seed)
    return grow_lsystem(growth, seed)


def _clothed(skeleton: Skeleton, species: Species, own_seed: int, seed: int) -> Plant:
    """Give a skeleton its wood and its leaves."""
    bare = Plant(
        parent=skeleton.parent,
        position=skeleton.position,
        radius=np.ones(len(skeleton.parent)),
        order=skeleton.order,
        species=species.known_as,
        seed=seed,
    )
    begins = np.flatnonzero((bare.parent >= 0) & ~bare.continues)
    # Metres of axis above each node: all that it bears, less the segment that ends there.
    borne = bare.subtree_sum(bare.length) - bare.length
    girth = species.girth
    radius, own_base = pipe_radii(
        borne, bare.length, begins, trunk=girth.trunk, twig=girth.twig, exponent=girth.exponent
    )
    base = radius[np.maximum(bare.parent, 0)]
    base[begins] = own_base
    leaves = None
    if species.leaf:
        leaves = foliage(species.leaf, own_seed, radius=base, vector=bare.vector, buds=skeleton.buds)
    return replace(bare, radius=radius, base_radius=base, leaves=leaves or Leaves())
