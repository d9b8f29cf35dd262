"""A square of trees."""

import numpy as np

from windflower.motion.places import Places

__all__ = ["square_of"]

APART = 6.0  # m from tree to tree


def square_of(trees: int) -> Places:
    """So many trees, each turned, scaled and stiffened a little differently."""
    rng, side = np.random.default_rng(1), int(np.ceil(np.sqrt(trees)))
    x, z = np.divmod(np.arange(trees), side)
    return Places(
        APART * np.stack([x, np.zeros(trees), z], axis=1),
        yaw=rng.uniform(0, 2 * np.pi, trees),
        scale=rng.uniform(0.8, 1.2, trees),
        stiffness=rng.uniform(0.8, 1.2, trees),
    )
