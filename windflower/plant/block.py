"""Many different plants as one block of arrays, each with its own root."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from windflower.core import quaternions
from windflower.core.vectors import yaw_matrix
from windflower.errors import PlantError
from windflower.plant.checks import numbers
from windflower.plant.graph import Leaves, Plant

__all__ = ["joined", "placed"]


def joined(plants: Sequence[Plant], positions: ArrayLike) -> Plant:
    """One plant with the roots of all, in their order; `positions` (plants, 3), m, are those of their origins.

    It keeps its species if all are of one, and has no seed.

    plants     the plants, each with its own root
    positions  (plants, 3) where their origins are, m
    """
    if not plants:
        raise PlantError("a block is made of plants; there is none. Give at least one.")
    places = numbers("positions", positions, (len(plants), 3))
    first = np.cumsum([0, *(plant.nodes for plant in plants)]).tolist()
    species = {plant.species for plant in plants}
    return Plant(
        parent=np.concatenate(
            [np.where(p.parent < 0, -1, p.parent + at) for p, at in zip(plants, first, strict=False)]
        ),
        position=np.concatenate([plant.position + place for plant, place in zip(plants, places, strict=True)]),
        radius=np.concatenate([plant.radius for plant in plants]),
        base_radius=np.concatenate([plant.base_radius for plant in plants]),
        order=np.concatenate([plant.order for plant in plants]),
        leaves=_leaves([replace(p.leaves, node=p.leaves.node + at) for p, at in zip(plants, first, strict=False)]),
        species=species.pop() if len(species) == 1 else "",
    )


def placed(plant: Plant, *, yaw: float = 0.0, scale: float = 1.0) -> Plant:
    """A plant turned about the vertical through its origin, rad from z toward x, and scaled."""
    leaves = plant.leaves
    turned = quaternions.joined(quaternions.about(yaw, 1)[:, None], leaves.orientation.T).T
    return replace(
        plant,
        position=scale * plant.position @ yaw_matrix(yaw).T,
        radius=scale * plant.radius,
        base_radius=scale * plant.base_radius,
        leaves=replace(leaves, orientation=turned, size=scale * leaves.size),
    )


def _leaves(parts: Sequence[Leaves]) -> Leaves:
    return Leaves(
        node=np.concatenate([part.node for part in parts]),
        place=np.concatenate([part.place for part in parts]),
        orientation=np.concatenate([part.orientation for part in parts]),
        size=np.concatenate([part.size for part in parts]),
    )
