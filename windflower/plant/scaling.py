"""The same plant, larger or smaller in all its measures."""

from dataclasses import replace

from windflower.plant.graph import Plant

__all__ = ["scaled"]


def scaled(plant: Plant, factor: float) -> Plant:
    """The plant with lengths, radii and leaves times a factor."""
    if factor == 1:
        return plant
    leaves = replace(plant.leaves, size=factor * plant.leaves.size)
    return replace(
        plant,
        position=factor * plant.position,
        radius=factor * plant.radius,
        base_radius=factor * plant.base_radius,
        leaves=leaves,
    )
