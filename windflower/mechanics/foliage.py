"""Mass of leaves, and drag of leaves and wood."""

from dataclasses import dataclass, fields
from math import pi

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.core.reading import is_file
from windflower.mechanics.beams import WEIGHT, Beams
from windflower.mechanics.crown_drag import CALM, in_air, in_mean_wind
from windflower.mechanics.medium import Medium
from windflower.plant.graph import Plant
from windflower.plant.outlines import outline
from windflower.plant.species import Species, species_names, species_of
from windflower.plant.species.settings import Air, Leaf

__all__ = [
    "Foliage",
    "beyond_points",
    "blade_area",
    "drag_by_parts",
    "foliage_at",
    "foliage_of",
    "known_species",
    "leaf_area",
    "leaf_mass",
    "leaf_of",
    "lumped",
    "segment_area",
    "wood_area",
]

STORM_BROAD, STORM_NEEDLE = 20.0, 25.0  # m/s: crowns streamline from CALM up to these
FLOAT = 0.25  # kg that the gas float of a kelp's blade lifts, for each kg of blade
ADDED = 3.0  # kg of water that a limp blade moves along with it, for each kg that it displaces
# For leaves without a species: a broad-leaved crown, between birch and oak.
GENERIC_LEAF = Leaf(shape="oval", length=0.1, aspect=0.6, per_metre=1, twig=1)
GENERIC_AIR = Air(drag=2.0, streamlining=0.85, porosity=0.5)


@dataclass(frozen=True, eq=False, kw_only=True)
class Foliage:
    """Mass and drag of a plant's leaves, and the drag law of its crown; bare wood without leaves.

    mass        (leaves,)  fresh mass, kg
    weight      (leaves,)  mass that the rest of the plant has to carry, kg; negative for floats
    added       (leaves,)  added mass of the medium that moves along, kg
    drag_area   (leaves,)  drag coefficient times area, m²
    wood_drag              drag coefficient of the wood
    streamlining, storm    N of C_D = C U^-N, and the wind up to which it holds, m/s; N = 0 for a bare stem
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


def foliage_of(plant: Plant, leaves: bool, medium: Medium, *, besides: NDArray[np.bool_] | None = None) -> Foliage:
    """The foliage of a plant; none with `leaves=False`. `mechanics.crown_drag` says what its drag follows from.

    besides  (nodes,) segments that are no wood but the threads of sheets
    """
    species, kind = known_species(plant), leaf_of(plant)
    air = species.air if species else GENERIC_AIR
    raw = air.at(CALM) / 2 * leaf_area(plant)
    if medium.carried:
        drag = in_mean_wind(plant, raw, air, leaves=leaves)
    else:
        drag = in_air(plant, raw, air, kind, leaves=leaves, besides=besides)
    mass = leaf_mass(plant) if leaves else np.zeros(0)
    return Foliage(
        mass=mass,
        weight=-FLOAT * mass if medium.carried else mass,
        added=ADDED * mass if medium.carried else np.zeros(len(mass)),
        drag_area=drag.leaf * raw[: len(mass)],
        wood_drag=drag.wood,
        streamlining=drag.streamlining,
        storm=STORM_NEEDLE if kind.shape == "needles" and len(mass) else STORM_BROAD,
        porosity=drag.porosity,
    )


def foliage_at(plant: Plant, share: float, medium: Medium, *, besides: NDArray[np.bool_] | None = None) -> Foliage:
    """The foliage of a plant of whose leaves a share is left: between that in leaf and bare wood."""
    if share in (0, 1):
        return foliage_of(plant, bool(share), medium, besides=besides)
    whole, bare = (foliage_of(plant, leaves, medium, besides=besides) for leaves in (True, False))
    left = {}
    for field in fields(Foliage):
        own = getattr(whole, field.name)
        is_array = isinstance(own, np.ndarray)
        left[field.name] = share * own + (0.0 if is_array else (1 - share) * getattr(bare, field.name))
    return Foliage(**left)


def drag_by_parts(plant: Plant, share: float) -> tuple[FloatArray, FloatArray]:
    """(nodes,) drag coefficient times area of each segment, and of the share of its leaves that is left, m².

    Each by itself in the mean wind inside the crown; see `crown_drag.in_mean_wind`.
    """
    species = known_species(plant)
    air = species.air if species else GENERIC_AIR
    leaf = share * air.at(CALM) / 2 * leaf_area(plant)
    drag = in_mean_wind(plant, leaf, air, leaves=share > 0)
    wood = drag.wood * (plant.base_radius + plant.radius) * plant.length
    return wood, drag.leaf * np.bincount(plant.leaves.node, leaf, plant.nodes).astype(np.float64)


def known_species(plant: Plant) -> Species | None:
    """The species of a plant, or None for one that came from elsewhere, or whose species file is gone."""
    known = plant.species in species_names() or is_file(plant.species)
    return species_of(plant.species) if known else None


def leaf_of(plant: Plant) -> Leaf:
    """What the leaves of a plant are like."""
    species = known_species(plant)
    return (species.leaf if species else None) or GENERIC_LEAF


def leaf_area(plant: Plant) -> FloatArray:
    """(leaves,) area of each leaf, one side, m²."""
    return blade_area(leaf_of(plant)) * plant.leaves.size**2


def leaf_mass(plant: Plant) -> FloatArray:
    """(leaves,) fresh mass of each leaf, kg."""
    return leaf_of(plant).mass_per_area * leaf_area(plant)


def wood_area(beams: Beams) -> FloatArray:
    """(segments,) frontal area of each segment, diameter times length, m²."""
    return (beams.base + beams.tip) * beams.length


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


def blade_area(leaf: Leaf) -> float:
    """Area of a leaf of length 1. Needles stand all round their shoot: they fill the ellipse about it."""
    if leaf.shape == "needles":
        return pi / 4 * leaf.aspect
    x, y = outline(leaf.shape, leaf.aspect).T
    return abs(float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum())) / 2
