"""All of a stand that is drawn and does not need a device: levels of detail and their meshes.

A stand of one plant has that plant's meshes. One of different trees has, for each level, one mesh of all of them.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.errors import SpeciesError
from windflower.geometry.blades import blade_levels
from windflower.geometry.mesh import Mesh, mesh_of
from windflower.geometry.mesh_ranges import Ranges, merged
from windflower.mechanics import Sheet
from windflower.mechanics.structure import own_nodes
from windflower.motion import BroadleafMotion
from windflower.plant.graph import Plant
from windflower.plant.levels import Level, levels_of, whole_level
from windflower.plant.species import Species, species_of
from windflower.scene import BlockStand, Stand

__all__ = ["Dressed", "dressed", "dressed_stand"]


@dataclass(frozen=True, eq=False)
class Dressed:
    """What is drawn at each level.

    levels     of the plant, or of that one of different trees which has most
    meshes     one for each
    ranges     which part of each mesh is which tree; none where there is one plant
    nodes      (levels,) of one plant, on average
    triangles  (levels,)
    """

    species: Species | None
    levels: tuple[Level, ...]
    meshes: tuple[Mesh, ...]
    ranges: tuple[Ranges, ...]
    nodes: FloatArray
    triangles: FloatArray


@lru_cache(maxsize=64)
def dressed(plant: Plant) -> Dressed:
    """Prepare a plant for drawing. Found once for a plant, so that a thread may do it before a frame needs it."""
    return _dressed(plant)


def dressed_stand(stand: Stand) -> Dressed:
    """Prepare a stand for drawing. Found once for its plants."""
    if stand.sheets:
        return _dressed_thing(stand.plant, stand.sheets)
    if isinstance(stand.motion, BroadleafMotion):
        return _dressed_blades(stand.motion)
    return _dressed_trees(stand.trees) if isinstance(stand, BlockStand) else dressed(stand.plant)


def _dressed(plant: Plant) -> Dressed:
    levels, species = levels_of(plant), _species(plant)
    flare = species.girth.flare if species else 0.7
    meshes = tuple(
        mesh_of(level.plant, sides=level.sides, rings=level.rings, flare=flare, leaf=level.leaf) for level in levels
    )
    nodes, triangles = np.array([(mesh.nodes, mesh.triangles) for mesh in meshes]).T
    return Dressed(species, levels, meshes, (), nodes, triangles)


def _dressed_blades(motion: BroadleafMotion) -> Dressed:
    """Stems, petioles and mid-ribs; blades are drawn apart from these."""
    shown = blade_levels(motion.plant, motion.blades)
    nodes, triangles = np.array([(level.mesh.nodes, level.mesh.triangles) for level in shown]).T
    levels, meshes = tuple(level.level for level in shown), tuple(level.mesh for level in shown)
    return Dressed(_species(motion.plant), levels, meshes, (), nodes, triangles)


@lru_cache(maxsize=16)
def _dressed_thing(plant: Plant, sheets: tuple[Sheet, ...]) -> Dressed:
    """What bears sheets has but one level, with all of their nodes; they are drawn apart from the wood."""
    whole = whole_level(plant)
    mesh = mesh_of(plant, sides=whole.sides, rings=whole.rings, flare=0.0, besides=own_nodes(plant, sheets))
    return Dressed(None, (whole,), (mesh,), (), np.array([mesh.nodes]), np.array([mesh.triangles]))


@lru_cache(maxsize=6)
def _dressed_trees(trees: tuple[Plant, ...]) -> Dressed:
    each = [_dressed(tree) for tree in trees]
    finest = max(each, key=lambda one: len(one.levels))
    first = np.cumsum([0, *(tree.nodes for tree in trees)]).tolist()
    meshes, ranges, nodes = [], [], []
    for level in range(len(finest.levels)):
        mine = [min(level, len(one.levels) - 1) for one in each]
        numbers = [at + one.levels[own].node for at, one, own in zip(first, each, mine, strict=False)]
        mesh, parts = merged([one.meshes[own] for one, own in zip(each, mine, strict=True)], numbers)
        meshes.append(mesh)
        ranges.append(parts)
        nodes.append(sum(len(number) for number in numbers) / len(trees))
    triangles = np.array([mesh.triangles / len(trees) for mesh in meshes])
    return Dressed(finest.species, finest.levels, tuple(meshes), tuple(ranges), np.array(nodes), triangles)


def _species(plant: Plant) -> Species | None:
    try:
        return species_of(plant.species)
    except SpeciesError:
        return None
