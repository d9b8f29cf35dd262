"""Small plants for tests."""

from typing import Any

import numpy as np
from hypothesis import strategies as st

from windflower import Plant


def chain(nodes: int = 5, length: float = 1.0, radius: float = 0.01, direction: tuple[float, ...] = (0, 1, 0)) -> Plant:
    """A straight axis of even thickness."""
    along = np.linspace(0, length, nodes)[:, None] * np.array(direction)
    return Plant(parent=np.arange(-1, nodes - 1), position=along, radius=np.full(nodes, radius))


def fork() -> Plant:
    """A trunk of two segments with a side branch of two segments at its middle."""
    position = [[0, 0, 0], [0, 1, 0], [0, 2, 0], [1, 1, 0], [2, 1, 0]]
    return Plant(parent=[-1, 0, 1, 1, 3], position=position, radius=[0.1, 0.08, 0.05, 0.03, 0.02])


@st.composite
def plants(draw: Any, most: int = 40) -> Plant:
    """Any plant of up to `most` nodes, with one or two roots."""
    count = draw(st.integers(2, most))
    second = draw(st.integers(2, count - 2)) if count >= 4 and draw(st.booleans()) else None
    parent = [-1]
    for node in range(1, count):
        low = second if second is not None and node > second else 0
        parent.append(-1 if node == second else draw(st.integers(low, node - 1)))
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    return Plant(parent=parent, position=rng.normal(size=(count, 3)), radius=rng.uniform(0.001, 0.1, count))
