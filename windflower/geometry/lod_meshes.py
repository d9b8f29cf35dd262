"""Meshes of a plant or a stand at all levels of detail.

A stand of one plant has that plant's meshes. One of different trees has, for each level, one merged mesh.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.errors import SpeciesError
from windflower.geometry.crown_light import crown_light
from windflower.geometry.grids import sheet_grids
from windflower.geometry.mesh import Mesh, mesh_of
from windflower.geometry.mesh_ranges import Ranges, merged
from windflower.geometry.twig_widths import twig_widths
from windflower.mechanics import Sheet
from windflower.mechanics.structure import own_nodes
from windflower.motion.leaves.leaf_motion import LeafMotion
from windflower.motion.stand import Stand
from windflower.plant.blade_levels import blade_levels
from windflower.plant.blades import Blades
from windflower.plant.graph import Leaves, Plant
from windflower.plant.levels import Level, levels_of, whole_level
from windflower.plant.species import Species, species_of

__all__ = ["LodMeshes", "plant_meshes", "stand_meshes"]


@dataclass(frozen=True, eq=False)
class LodMeshes:
    """Meshes at each level of detail.

    species    of the plant, which gives leaves and bark their looks; None if it is not known
    levels     levels of the plant; of different trees, those of the tree with most
    meshes     one mesh for each level
    ranges     for each level, the range of each tree in its mesh; empty for one plant
    nodes      (levels,) mean number of nodes of a plant
    triangles  (levels,) mean number of triangles of a plant
    """

    species: Species | None
    levels: tuple[Level, ...]
    meshes: tuple[Mesh, ...]
    ranges: tuple[Ranges, ...]
    nodes: FloatArray
    triangles: FloatArray


@lru_cache(maxsize=64)
def plant_meshes(plant: Plant) -> LodMeshes:
    """Meshes of one plant, cached, so that a background thread can make them before a frame needs them.

    plant  the plant at rest
    """
    return _plant_meshes(plant)


def stand_meshes(stand: Stand) -> LodMeshes:
    """Meshes of a stand, cached for its plants.

    stand  one of `Scene.stands`
    """
    if stand.sheets:
        return _sheet_meshes(stand.plant, stand.sheets)
    if stand.motion.blades is not None:
        return _blade_meshes(stand.plant, stand.motion.blades)
    return _tree_meshes(stand.trees) if stand.all_different else plant_meshes(stand.plant)


def _plant_meshes(plant: Plant) -> LodMeshes:
    levels, species = levels_of(plant), _species(plant)
    flare = species.girth.flare if species else 0.7
    loose = LeafMotion.of(plant).loose  # leaves flutter as far at every level, however large their cards are there
    light = crown_light(plant)
    meshes = tuple(
        mesh_of(
            level.plant,
            widths=twig_widths(plant, level.plant),
            sides=level.sides,
            rings=level.rings,
            flare=flare,
            leaf=level.leaf,
            loose=loose[level.leaf],
            light=light.of(level.leaf),
            level=number,
        )
        for number, level in enumerate(levels)
    )
    nodes, triangles = np.array([(mesh.nodes, mesh.triangles) for mesh in meshes]).T
    return LodMeshes(species, levels, meshes, (), nodes, triangles)


@lru_cache(maxsize=64)
def _blade_meshes(plant: Plant, blades: Blades) -> LodMeshes:
    """Meshes of stems, petioles and midribs; blades are drawn separately, on points that follow the nodes."""
    shown, species = blade_levels(plant, blades), _species(plant)
    flare = species.girth.flare if species else 0.0
    rest, meshes = np.concatenate([plant.position, blades.point.reshape(-1, 3)]), []
    for one in shown:
        bare = replace(one.level.plant, leaves=Leaves())
        mesh = mesh_of(bare, sides=one.level.sides, rings=one.level.rings, flare=flare)
        meshes.append(replace(mesh, rest=rest[one.kept], grids=tuple(one.grids)))
    nodes, triangles = np.array([(mesh.nodes, mesh.triangles) for mesh in meshes]).T
    return LodMeshes(species, tuple(one.level for one in shown), tuple(meshes), (), nodes, triangles)


@lru_cache(maxsize=16)
def _sheet_meshes(plant: Plant, sheets: tuple[Sheet, ...]) -> LodMeshes:
    """Mesh of an object with sheets: one level with all nodes; sheets are drawn separately from the wood."""
    whole = whole_level(plant)
    mesh = mesh_of(plant, sides=whole.sides, rings=whole.rings, flare=0.0, besides=own_nodes(plant, sheets))
    mesh = replace(mesh, grids=sheet_grids(sheets))
    return LodMeshes(None, (whole,), (mesh,), (), np.array([mesh.nodes]), np.array([mesh.triangles]))


@lru_cache(maxsize=6)
def _tree_meshes(trees: tuple[Plant, ...]) -> LodMeshes:
    each = [_plant_meshes(tree) for tree in trees]
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
    return LodMeshes(finest.species, finest.levels, tuple(meshes), tuple(ranges), np.array(nodes), triangles)


def _species(plant: Plant) -> Species | None:
    try:
        return species_of(plant.species)
    except SpeciesError:
        return None
