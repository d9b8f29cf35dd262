"""The tree of 40 branches on which the spectral motion is held against itself."""

from functools import cache

import numpy as np

from windflower import Plant
from windflower.mechanics import Modes, analyse

TRUNK, ARMS, JOINTS = 16, 8, 3
HEIGHT, REACH = 6.0, 1.2  # m


@cache
def young_tree() -> Plant:
    """A straight trunk of 16 segments, and 8 side branches of 3 that wind up around it: 40 branches in all."""
    trunk = np.linspace(0, 1, TRUNK + 1)
    position = [np.stack([0 * trunk, HEIGHT * trunk, 0 * trunk], axis=1)]
    parent, radius = [np.arange(-1, TRUNK)], [0.05 * (1 - 0.8 * trunk)]
    for arm in range(ARMS):
        bearer, angle = 5 + arm * (TRUNK - 5) // ARMS, 2.4 * arm
        direction = np.array([np.cos(angle), 0.5, np.sin(angle)]) / np.hypot(1, 0.5)
        along = np.arange(1, JOINTS + 1) / JOINTS
        first = TRUNK + 1 + arm * JOINTS
        position.append(position[0][bearer] + np.outer(REACH * (1 - 0.6 * arm / ARMS) * along, direction))
        parent.append(np.array([bearer, *range(first, first + JOINTS - 1)]))
        radius.append(0.012 * (1 - 0.6 * along))
    return Plant(parent=np.concatenate(parent), position=np.concatenate(position), radius=np.concatenate(radius))


@cache
def young_modes(count: int = 10, cells: int = 1) -> Modes:
    """Its lowest modes."""
    return analyse(young_tree(), count=count, cells=cells, cache=False)
