"""Growing a plant from a species and a seed.

    species ──recursion│colonisation│L-system──> Skeleton ──pipe model──> radii ──> leaves ──room──> detail ──> Plant

The same species and seed give the same plant: its topology on every machine, its positions to 1e-9 m.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from zlib import crc32

import numpy as np
from scipy.spatial.transform import Rotation

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.budgets import fitting_memory, within
from windflower.core.randomness import Keys, between, draw, key
from windflower.core.registry import Registry
from windflower.core.vectors import UP, cross, perpendicular, unit
from windflower.errors import SpeciesError
from windflower.plant.detail import with_detail
from windflower.plant.graph import Leaves, Plant
from windflower.plant.growth.room import with_room
from windflower.plant.growth.skeleton import Skeleton
from windflower.plant.species import Species, species_of
from windflower.plant.species.settings import Girth, Leaf

__all__ = ["GROWERS", "foliage", "grow"]

GROWERS: Registry[Callable[[Any, int], Skeleton]] = Registry(
    {
        "recursion": "windflower.plant.growth.recursion:grow_recursion",
        "colonisation": "windflower.plant.growth.colonisation:grow_colonisation",
        "l-system": "windflower.plant.growth.lsystem:grow_lsystem",
    }
)
"""What makes a skeleton from the `[growth]` table of a species and a seed, by the table's `method`."""

GOLDEN_ANGLE = np.pi * (3 - np.sqrt(5))


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
    with fitting_memory(f"a plant of {described.name}", "Lower its branches or its leaves", error=SpeciesError):
        skeleton = GROWERS[described.growth.method](described.growth, own_seed)
        plant = _clothed(skeleton, described, own_seed, int(seed))
        if described.blade and described.leaf:
            plant = with_room(plant, described.blade, described.leaf.aspect)
        return with_detail(plant, detail)


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
    radius, base = _radii(bare, species.girth)
    if skeleton.radius is not None:
        given_base, given = skeleton.radius.T
        radius = np.where(given > 0, given, radius)
        onward = np.where(bare.continues, radius[np.maximum(bare.parent, 0)], base)
        base = np.where(given_base > 0, given_base, onward)
    leaves = None
    if species.leaf:
        ends = np.where(bare.child_count == 0, radius, base)  # a leader's last shoot is in leaf where it is thin
        leaves = foliage(species.leaf, own_seed, radius=base, tip=ends, vector=bare.vector, buds=skeleton.buds)
    return replace(bare, radius=radius, base_radius=base, leaves=leaves or Leaves())


def _radii(bare: Plant, girth: Girth) -> tuple[FloatArray, FloatArray]:
    """(nodes,) radius at each node, and at the base of each segment, m.

    The pipe model (Shinozaki et al. 1964): every metre of axis adds the same number of pipes, and r^n is proportional
    to the pipes that pass, so that at a fork r^n below equals the sum of r^n above (da Vinci's rule for n = 2). The
    pipes per metre follow from two radii that are easy to measure: the trunk's at its foot, and the thinnest twig's.

    A stem with a `taper` falls off as (length left to its tip)^taper, as foresters describe stems. Living pipes fill it
    at the foot of the crown; below, and wherever it is thicker than they need, the rest are pipes of lost branches.
    """
    above = bare.subtree_sum(bare.length) - bare.length  # metres of axis above each node
    stem, full, profile = np.flatnonzero(bare.axis == bare.axis[0]), 0, girth.trunk
    if girth.taper is not None:
        left = bare.length[stem][::-1].cumsum()[::-1] - bare.length[stem]
        profile = girth.twig + (girth.trunk - girth.twig) * (left / max(left[0], 1e-9)) ** girth.taper
        full = int(np.argmax(bare.child_count[stem] > 1))
    thickest = float(np.broadcast_to(profile, stem.shape)[full])
    per_metre = (max(thickest / girth.twig, 1.0) ** girth.exponent - 1) / above[stem[full]]
    radius, base = (
        girth.twig * (1 + per_metre * beyond) ** (1 / girth.exponent) for beyond in (above, above + bare.length)
    )
    if girth.taper is not None:
        radius[stem] = np.maximum(radius[stem], profile)
    begins = (bare.parent >= 0) & ~bare.continues
    return radius, np.where(begins, base, radius[np.maximum(bare.parent, 0)])


def foliage(
    leaf: Leaf,
    seed: int,
    *,
    radius: FloatArray,
    vector: FloatArray,
    tip: FloatArray | None = None,
    buds: IntArray | None = None,
) -> Leaves:
    """Leaves for segments given by the radius of their thick end and by their vector, or one leaf for each bud.

    tip  radius of their thin end, where a segment too thick at its foot bears leaves beyond it, m
    """
    if buds is not None:
        node, place, rank = buds, np.zeros(len(buds)), np.arange(len(buds))
    else:
        node, place, rank = _places(leaf, seed, radius, radius if tip is None else tip, vector)
    keys = key(seed, 61, node, rank)
    size = leaf.length * leaf.cluster**0.5 * between(0.75, 1.15, keys, 62)
    return Leaves(node=node, place=place, orientation=_orientations(leaf, unit(vector[node]), rank, keys), size=size)


def _places(
    leaf: Leaf, seed: int, radius: FloatArray, tip: FloatArray, vector: FloatArray
) -> tuple[IntArray, FloatArray, IntArray]:
    """The segment of each leaf, its place on it, and its rank among the leaves there."""
    length = np.sqrt(np.einsum("ij,ij->i", vector, vector))
    thick = np.where(radius < leaf.twig, 0.0, 1.0)  # share of a segment that is too thick
    both = np.flatnonzero((radius >= leaf.twig) & (tip < leaf.twig))
    thick[both] = (radius[both] - leaf.twig) / (radius[both] - tip[both])
    wanted = leaf.per_metre * length * (1 - thick)
    counts = np.floor(wanted + draw(seed, 60, np.arange(len(radius)))).astype(np.int64)
    counts[wanted == 0] = 0
    within("leaves", int(counts.sum()), "Lower leaf.per_metre", error=SpeciesError)
    node = np.repeat(np.arange(len(radius)), counts)
    rank = np.arange(len(node)) - np.repeat(np.cumsum(counts) - counts, counts)
    place = thick[node] + (1 - thick[node]) * (rank + draw(seed, 63, node, rank)) / counts[node]
    return node, place, rank


def _orientations(leaf: Leaf, twig: FloatArray, rank: IntArray, keys: Keys) -> FloatArray:
    """Leaves stand around their twig at an angle, sag or rise, and turn their upper side to the sky."""
    if leaf.arrangement == "flat":
        azimuth = np.pi * rank + leaf.spread * between(-1, 1, keys, 64)
    else:
        azimuth = rank * GOLDEN_ANGLE + 2 * np.pi * draw(keys, 64)
    side = perpendicular(twig)
    outward = np.cos(azimuth)[:, None] * side + np.sin(azimuth)[:, None] * cross(twig, side)
    angle = np.radians(leaf.angle) * between(1 - leaf.spread, 1 + leaf.spread, keys, 65)
    along = np.cos(angle)[:, None] * twig + np.sin(angle)[:, None] * outward
    along = unit(along * (1 - abs(leaf.droop)) - leaf.droop * UP + 1e-9)
    across = unit(cross(along, UP + leaf.spread * _random_vectors(keys)))
    across = np.where(np.any(across, axis=1)[:, None], across, perpendicular(along))
    frame = np.stack([across, along, cross(across, along)], axis=-1)
    return Rotation.from_matrix(frame.reshape(-1, 3, 3)).as_quat()


def _random_vectors(keys: Keys) -> FloatArray:
    return np.stack([between(-1, 1, keys, part) for part in (66, 67, 68)], axis=1)
