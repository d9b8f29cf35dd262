"""Places on a plant by name: its top, a height on its main stem, a node."""

from collections.abc import Iterable, Sequence

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.lengths import metres
from windflower.errors import MotionError, WindflowerError
from windflower.plant.graph import Plant

__all__ = ["heights_of", "nodes_at", "top_of"]


def nodes_at(plant: Plant, places: str | Iterable[str]) -> list[int]:
    """Nodes by name: `top`, a height on the main stem such as `1.3m`, or `node:17`; several after commas.

    Of a height it is the nearest node of the stem: from the root on, always the thickest branch.
    """
    words: Sequence[str] = [w.strip() for w in (places.split(",") if isinstance(places, str) else places) if w.strip()]
    if not words:
        raise MotionError("a place is top, a height such as 1.3m, or node:17; none was given.")
    return list(dict.fromkeys(_node_at(plant, word) for word in words))


def _node_at(plant: Plant, word: str) -> int:
    if word.lower() == "top":
        return top_of(plant)
    number = word.lower().removeprefix("node:")
    if number != word.lower() and number.isdigit():
        if int(number[:12]) >= plant.nodes:
            raise MotionError(f"the plant has {plant.nodes} nodes; node {number[:12]} is not among them.")
        return int(number)
    try:
        height = metres(word)
    except WindflowerError:
        raise MotionError(f"a place is top, a height such as 1.3m, or node:17; it is '{word[:40]}'.") from None
    stem = _stem(plant)
    high = heights_of(plant)[stem]
    if height > high.max() * 1.02:
        raise MotionError(
            f"a place on the main stem is at most {high.max():.2f} m high; it is {height:g} m. "
            "Choose a lower one, or top."
        )
    return int(stem[np.argmin(np.abs(high - height))])


def top_of(plant: Plant) -> int:
    """The highest node."""
    return int(np.argmax(plant.position[:, 1]))


def _stem(plant: Plant) -> IntArray:
    """The nodes of the first tree's main stem above its root."""
    found, node = [], int(plant.roots[0])
    while len(children := plant.children(node)):
        node = int(children[np.argmax(plant.base_radius[children])])
        found.append(node)
    return np.array(found or [int(plant.roots[0])], np.int64)


def heights_of(plant: Plant) -> FloatArray:
    """(nodes,) height above their root, m."""
    return np.asarray(plant.position[:, 1] - plant.position[plant.roots[plant.tree], 1])
