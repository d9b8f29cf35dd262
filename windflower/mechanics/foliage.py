"""What leaves weigh, and how much wind they and the wood catch."""

from dataclasses import dataclass
from math import pi

import numpy as np

from windflower.mechanics.medium import Medium
from windflower.plant.graph import FloatArray, Plant
from windflower.plant.species import Species, species_names, species_of

__all__ = ["BRANCH_DRAG", "Foliage", "foliage_of", "known_species", "lumped"]

BRANCH_DRAG = 1.1  # of a bare branch, a cylinder across the wind: 1.0 to 1.2
CALM, STORM_BROAD, STORM_NEEDLE = 10.0, 20.0, 25.0  # m/s: crowns streamline between these
GENERIC_ASPECT, GENERIC_MASS_PER_AREA = 0.6, 0.15  # width over length and kg/m² of leaves without a species
GENERIC_DRAG, GENERIC_STREAMLINING, GENERIC_POROSITY = 2.0, 0.85, 0.5  # a broad-leaved crown, as birch to oak


@dataclass(frozen=True, eq=False, kw_only=True)
class Foliage:
    """The leaves of a plant as mechanics sees them; without leaves, bare wood in the wind.

    mass       (leaves,)  fresh, kg
    added      (leaves,)  of the medium that moves along, kg
    drag_area  (leaves,)  drag coefficient times the area that faces the wind, m²
    streamlining, storm   N of C_D = C U^-N, and the wind up to which it holds, m/s; N = 0 for bare wood
    porosity              share of the wind speed left behind the crown
    """

    mass: FloatArray
    added: FloatArray
    drag_area: FloatArray
    streamlining: float
    storm: float
    porosity: float

    def streamlined(self, speed: FloatArray) -> FloatArray:
        """C_D(U)/C_D(10 m/s): 1 up to 10 m/s, then U^-N, constant again beyond the storm."""
        return np.asarray((np.clip(speed, CALM, self.storm) / CALM) ** -self.streamlining)


def known_species(plant: Plant) -> Species | None:
    """Look up the species of a plant; None for one that came from elsewhere."""
    known = plant.species.endswith(".toml") or plant.species in species_names()
    return species_of(plant.species) if known else None


def foliage_of(plant: Plant, leaves: bool, medium: Medium) -> Foliage:
    """Take the leaves of a plant; none with `leaves=False`.

    A blade is an ellipse of its size and its species' aspect. Its drag is isotropic, as if it looked every
    way: half its area faces the wind, with the crown's drag coefficient at 10 m/s. Water carried along is
    that of a plate, pi/4 density width² per length, in one direction of three.
    """
    species = known_species(plant)
    air, leaf = (species.air, species.leaf) if species else (None, None)
    aspect = leaf.aspect if leaf else GENERIC_ASPECT
    streamlining = air.streamlining if air else GENERIC_STREAMLINING
    size = plant.leaves.size if leaves else np.zeros(0)
    area = pi / 4 * aspect * size**2
    return Foliage(
        mass=(leaf.mass_per_area if leaf else GENERIC_MASS_PER_AREA) * area,
        added=medium.carried * pi / 12 * aspect * size * area,
        drag_area=(air.drag if air else GENERIC_DRAG) * CALM**-streamlining * area / 2,
        streamlining=streamlining if len(size) else 0.0,
        storm=STORM_NEEDLE if leaf and leaf.shape == "needles" else STORM_BROAD,
        porosity=air.porosity if air else GENERIC_POROSITY,
    )


def lumped(plant: Plant, values: FloatArray) -> FloatArray:
    """(nodes,) what each leaf has (leaves,), shared between the two nodes of its segment by its place."""
    if not len(values):
        return np.zeros(plant.nodes)
    node, place = plant.leaves.node, plant.leaves.place
    shared = np.zeros(plant.nodes)
    np.add.at(shared, node, values * place)
    np.add.at(shared, plant.parent[node], values * (1 - place))
    return shared
