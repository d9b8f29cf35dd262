"""Places for entities of an MTG that bear a branch but have no coordinates: between the placed ones of their axis."""

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.plant.importers.draft import BoolArray
from windflower.plant.importers.mtg_topology import Entities

__all__ = ["place_bearers"]


def place_bearers(entities: Entities, position: FloatArray) -> FloatArray:
    """Fill in positions (entities, 3) where they are nan, and something placed branches off there.

    Entities of the finest scale count as equally long; coarser ones have no length of their own.
    """
    given = ~np.isnan(position[:, 0])
    finest = max(entities.scale)
    steps = [count if scale == finest else 0 for count, scale in zip(entities.count, entities.scale, strict=True)]
    before, steps_down = _placed_before(entities, given, steps)
    after, steps_up = _placed_after(entities, given, steps)
    wanted = ~given & _bears_something_placed(entities, given) & (before >= 0) & (after >= 0)
    share = (steps_down / np.maximum(steps_down + steps_up, 1))[:, None]
    between = (1 - share) * position[before] + share * position[after]
    return np.where(wanted[:, None], between, position)


def _placed_before(entities: Entities, given: BoolArray, steps: list[int]) -> tuple[IntArray, FloatArray]:
    """The nearest placed entity at or before each one (-1: none), and how many steps it lies back."""
    nearest: list[int] = []
    distance: list[float] = []
    for entity, (placed, above) in enumerate(zip(given.tolist(), entities.parent, strict=True)):
        nearest.append(entity if placed else nearest[above] if above >= 0 else -1)
        distance.append(0.0 if placed or above < 0 else distance[above] + steps[entity])
    return np.array(nearest), np.array(distance)


def _placed_after(entities: Entities, given: BoolArray, steps: list[int]) -> tuple[IntArray, FloatArray]:
    """The next placed entity after each one on the same axis (-1: none), and how many steps it lies ahead."""
    count, placed = len(entities.parent), given.tolist()
    nearest, distance = [-1] * count, [0.0] * count
    for entity in range(count - 1, 0, -1):
        above = entities.parent[entity]
        if above >= 0 and entities.continues[entity] and (placed[entity] or nearest[entity] >= 0):
            nearest[above] = entity if placed[entity] else nearest[entity]
            distance[above] = steps[entity] + (0.0 if placed[entity] else distance[entity])
    return np.array(nearest), np.array(distance)


def _bears_something_placed(entities: Entities, given: BoolArray) -> BoolArray:
    """Whether a branch with a placed entity begins at each one."""
    holds, bears = given.tolist(), [False] * len(entities.parent)
    for entity in range(len(entities.parent) - 1, 0, -1):
        above = entities.parent[entity]
        if above >= 0 and holds[entity]:
            holds[above] = True
            bears[above] = bears[above] or not entities.continues[entity]
    return np.array(bears)
