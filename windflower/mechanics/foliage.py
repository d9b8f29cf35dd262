"""Mass of leaves, and drag of leaves and wood."""

from dataclasses import dataclass
from math import log, pi

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.reading import is_file
from windflower.mechanics.beams import WEIGHT, Beams
from windflower.mechanics.medium import Medium
from windflower.plant.graph import Plant
from windflower.plant.outlines import outline
from windflower.plant.species import Species, species_names, species_of
from windflower.plant.species.settings import Leaf

__all__ = [
    "Foliage",
    "beyond_points",
    "foliage_of",
    "known_species",
    "leaf_area",
    "leaf_mass",
    "leaf_of",
    "lumped",
    "segment_area",
    "wood_area",
]

BRANCH_DRAG = 1.1  # of a bare branch, a cylinder across the wind: 1.0 to 1.2
CALM, STORM_BROAD, STORM_NEEDLE = 10.0, 20.0, 25.0  # m/s: crowns streamline between these
BARE_POROSITY = 0.8  # of a crown that has no leaves to compare with
FLOAT = 0.25  # kg that the gas float of a kelp's blade lifts, for each kg of blade
ADDED = 3.0  # kg of water that a limp blade moves along with it, for each kg that it displaces
# For leaves without a species: a broad-leaved crown, between birch and oak.
GENERIC_LEAF = Leaf(shape="oval", length=0.1, aspect=0.6, per_metre=1, twig=1)
GENERIC_DRAG, GENERIC_STREAMLINING, GENERIC_POROSITY = 2.0, 0.85, 0.5


@dataclass(frozen=True, eq=False, kw_only=True)
class Foliage:
    """Mass and drag of a plant's leaves, and the drag law of its crown; bare wood without leaves.

    mass        (leaves,)  fresh mass, kg
    weight      (leaves,)  mass that the rest of the plant has to carry, kg; negative for floats
    added       (leaves,)  added mass of the medium that moves along, kg
    drag_area   (leaves,)  drag coefficient times area, m²
    wood_drag              drag coefficient of the wood
    streamlining, storm    N of C_D = C U^-N, and the wind up to which it holds, m/s; N = 0 for bare wood
    porosity               share of the wind speed left behind the crown
    """

    mass: FloatArray
    weight: FloatArray
    added: FloatArray
    drag_area: FloatArray
    wood_drag: float
    streamlining: float
    storm: float
    porosity: float

    def streamlined(self, speed: FloatArray) -> FloatArray:
        """C_D(U)/C_D(10 m/s): 1 up to 10 m/s, then falling as U^-N, constant again beyond the storm."""
        return np.asarray((np.clip(speed, CALM, self.storm) / CALM) ** -self.streamlining)


def foliage_of(plant: Plant, leaves: bool, medium: Medium) -> Foliage:
    """The foliage of a plant; none with `leaves=False`.

    A leaf's drag is isotropic, as if it looked every way: half its blade faces the wind, with the drag coefficient
    of its species' crown at 10 m/s. In leaf, the drag of leaves and wood alike is that of the mean wind inside the
    crown: its speed falls as exp(-τ) from 1 to the porosity p, so that the mean of its square is
    (1 - p²) / (-2 ln p).
    """
    species = known_species(plant)
    kind = (species.leaf if species else None) or GENERIC_LEAF
    factor, exponent, porosity = (
        (species.air.drag, species.air.streamlining, species.air.porosity)
        if species
        else (GENERIC_DRAG, GENERIC_STREAMLINING, GENERIC_POROSITY)
    )
    drag_area = factor * CALM**-exponent / 2 * _blade_area(kind) * plant.leaves.size**2
    if not leaves or not len(plant.leaves):
        return _bare(_bare_porosity(plant, drag_area, porosity))
    mass = kind.mass_per_area * _blade_area(kind) * plant.leaves.size**2
    exposure = (1 - porosity**2) / (-2 * log(porosity)) if porosity < 1 else 1.0
    return Foliage(
        mass=mass,
        weight=-FLOAT * mass if medium.carried else mass,
        added=ADDED * mass if medium.carried else np.zeros(len(mass)),
        drag_area=exposure * drag_area,
        wood_drag=exposure * BRANCH_DRAG,
        streamlining=exponent,
        storm=STORM_NEEDLE if kind.shape == "needles" else STORM_BROAD,
        porosity=porosity,
    )


def known_species(plant: Plant) -> Species | None:
    """The species of a plant, or None for one that came from elsewhere, or whose species file is gone."""
    known = plant.species in species_names() or is_file(plant.species)
    return species_of(plant.species) if known else None


def wood_area(beams: Beams) -> FloatArray:
    """(segments,) frontal area of each segment, diameter times length, m²."""
    return (beams.base + beams.tip) * beams.length


def leaf_of(plant: Plant) -> Leaf:
    """What the leaves of a plant are like."""
    species = known_species(plant)
    return (species.leaf if species else None) or GENERIC_LEAF


def leaf_area(plant: Plant) -> FloatArray:
    """(leaves,) area of each leaf, one side, m²."""
    return _blade_area(leaf_of(plant)) * plant.leaves.size**2


def leaf_mass(plant: Plant) -> FloatArray:
    """(leaves,) fresh mass of each leaf, kg."""
    return leaf_of(plant).mass_per_area * leaf_area(plant)


def segment_area(plant: Plant) -> FloatArray:
    """(nodes,) area of the leaves on each segment, one side, and of the silhouette of its wood, m²."""
    leaves = np.bincount(plant.leaves.node, leaf_area(plant), plant.nodes)
    return (plant.base_radius + plant.radius) * plant.length + leaves


def lumped(plant: Plant, values: FloatArray) -> FloatArray:
    """(nodes,) a quantity of each leaf (leaves,), shared between the two nodes of its segment by its place."""
    shared = np.zeros(plant.nodes)
    if len(values):
        node, place = plant.leaves.node, plant.leaves.place
        np.add.at(shared, node, values * place)
        np.add.at(shared, plant.parent[node], values * (1 - place))
    return shared


def beyond_points(plant: Plant, values: FloatArray) -> FloatArray:
    """(nodes, points) what of a quantity of each leaf (leaves,) sits on a segment beyond each of its Gauss points.

    A point stands for the part of the segment round it that its weight says, and a leaf inside that part for a share.
    """
    beyond = np.zeros((plant.nodes, len(WEIGHT)))
    if len(values):
        part = np.concatenate([[0.0], np.cumsum(WEIGHT)[:-1]])
        share = np.clip((plant.leaves.place[:, None] - part) / WEIGHT, 0.0, 1.0)
        np.add.at(beyond, plant.leaves.node, values[:, None] * share)
    return beyond


def _bare(porosity: float) -> Foliage:
    none = np.zeros(0)
    return Foliage(
        mass=none,
        weight=none,
        added=none,
        drag_area=none,
        wood_drag=BRANCH_DRAG,
        streamlining=0.0,
        storm=STORM_BROAD,
        porosity=porosity,
    )


def _bare_porosity(plant: Plant, leaf_drag: FloatArray, porosity: float) -> float:
    """The porosity of a crown whose leaves have gone: -ln p shrinks with the drag area."""
    if not len(leaf_drag):
        return BARE_POROSITY
    wood = BRANCH_DRAG * float(((plant.base_radius + plant.radius) * plant.length).sum())
    return float(porosity ** (wood / (wood + leaf_drag.sum())))


def _blade_area(leaf: Leaf) -> float:
    """Area of a leaf of length 1. Needles stand all round their shoot: they fill the ellipse about it."""
    if leaf.shape == "needles":
        return pi / 4 * leaf.aspect
    x, y = outline(leaf.shape, leaf.aspect).T
    return abs(float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum())) / 2
