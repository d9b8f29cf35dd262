"""Random small plants: sound ones for files, and strange ones for mechanics and motion."""

import json
from random import Random
from typing import Any

import numpy as np

from tests.branchings import branching
from tests.fuzz.extremes import extreme_float, log_uniform
from windflower import Plant

__all__ = ["plant_of", "random_plant", "strange_plant"]


def random_plant(rng: Random, *, most: int = 14) -> Plant:
    """A plant of some nodes, as every format can hold it."""
    count = rng.randrange(2, most)
    parent, order = branching(count, rng.choice, lambda: rng.random() < 0.6)
    position = np.zeros((count, 3))
    for node in range(1, count):
        step = [rng.uniform(-0.5, 0.5), rng.uniform(0.1, 1.0), rng.uniform(-0.5, 0.5)]
        position[node] = position[parent[node]] + step
    radius = [max(0.06 - 0.004 * node, 0.004) * rng.uniform(0.8, 1.2) for node in range(count)]
    return Plant(parent=parent, position=position, radius=radius, order=order)


def strange_plant(rng: Random) -> bytes:
    """The arrays of a plant as JSON: with very short, long, thin or thick segments, or ones in one place."""
    plant = random_plant(rng, most=9)
    position, radius, parent = plant.position.copy(), plant.radius.copy(), plant.parent.tolist()
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        node = rng.randrange(1, plant.nodes)
        match rng.randrange(6):
            case 0:
                position[node:] += (10 ** rng.uniform(-14, 2) - 1) * plant.vector[node]
            case 1:
                radius[node] *= 10 ** rng.uniform(-9, 6)
            case 2:
                position[node] = position[parent[node]]
            case 3:
                position *= log_uniform(rng, 1.0, rng.choice((1, 3, 150)))
            case 4:
                radius *= log_uniform(rng, 1.0, rng.choice((1, 3, 150)))
            case _:
                (position.reshape(-1) if rng.random() < 0.5 else radius)[rng.randrange(plant.nodes)] = extreme_float(
                    rng
                )
    return json.dumps({"parent": parent, "position": position.tolist(), "radius": radius.tolist()}).encode()


def plant_of(data: bytes) -> Plant:
    """The plant that the JSON describes."""
    arrays: dict[str, Any] = json.loads(data)
    return Plant(**arrays)
