"""Short side shoots on thin branches: what makes a colonised crown dense enough for leaves."""

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.randomness import Keys, between, draw, key
from windflower.core.vectors import UP, cross, perpendicular, unit
from windflower.plant.graph import Plant
from windflower.plant.growth.skeleton import Skeleton
from windflower.plant.species.settings import Twigs

__all__ = ["with_twigs"]


def with_twigs(skeleton: Skeleton, settings: Twigs, seed: int) -> Skeleton:
    """Add shoots of two segments to the nodes that bear little else."""
    bare = Plant(parent=skeleton.parent, position=skeleton.position, radius=np.ones(len(skeleton.parent)))
    thin = (bare.subtree_sum(bare.length) < settings.within) & (bare.parent >= 0)
    counts = np.where(thin, np.floor(settings.per_node + draw(seed, 401, np.arange(bare.nodes))), 0).astype(np.int64)
    bearer = np.repeat(np.arange(bare.nodes), counts)
    heading, pace = _shoots(settings, key(seed, 402, bearer, np.arange(len(bearer))), unit(bare.vector[bearer]))
    middle = bare.position[bearer] + heading * pace
    tip = middle + unit(heading + 0.6 * settings.rise * UP) * pace
    first = bare.nodes + np.arange(len(bearer))
    return Skeleton(
        np.concatenate([bare.parent, bearer, first]),
        np.concatenate([bare.position, middle, tip]),
        np.concatenate([bare.order, bare.order[bearer] + 1, bare.order[bearer] + 1]),
    )


def _shoots(settings: Twigs, keys: Keys, along: FloatArray) -> tuple[FloatArray, FloatArray]:
    """First direction of each shoot, and the length of its two segments."""
    azimuth = 2 * np.pi * draw(keys, 403)
    side = perpendicular(along)
    outward = np.cos(azimuth)[:, None] * side + np.sin(azimuth)[:, None] * cross(along, side)
    angle = np.radians(settings.angle * between(0.7, 1.3, keys, 404))[:, None]
    heading = unit(np.cos(angle) * along + np.sin(angle) * outward + settings.rise * UP)
    return heading, settings.length / 2 * between(0.6, 1.3, keys, 405)[:, None]
