"""What a fit cannot tell, in plain sentences: the directions in which no measurement changes."""

from collections.abc import Sequence
from math import exp, log

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.mechanics.roots import Roots

__all__ = ["untold"]

NAMES = ("E/density", "root over stem stiffness", "crown mass over stem")
TOGETHER = log(2.0)  # a change of all by so much that stays within the errors is one that is not told
SMALL = 0.05  # part of such a change that is not worth a word
SHOWN = log(1.2)  # by which the first of them is changed in the sentence


def untold(
    jacobian: FloatArray, sought: Sequence[int], frequencies: int, *, absolute: bool, at_limit: bool, roots: Roots
) -> tuple[str, ...]:
    """Sentences about what was held, what cannot be told apart, and where the search ended.

    jacobian  (measurements, 4) changes over standard errors, by the logarithms of stiffness, roots, crown and mass
    """
    notes = []
    possible = [i for i in range(3) if not (i == 1 and isinstance(roots, str))]
    held = [NAMES[i] for i in possible if i not in sought]
    if held:
        notes.append(f"held as the model has it: {' and '.join(held)}; the interval of the rest is for that value")
    _, sizes, ways = np.linalg.svd(jacobian[:frequencies, possible])
    sizes = np.concatenate([sizes, np.zeros(len(possible) - len(sizes))])
    for size, way in zip(sizes, ways, strict=True):
        if 1.96 / max(size, 1e-300) > TOGETHER:
            notes.append(_sentence(way, [NAMES[i] for i in possible]))
    if not absolute:
        notes.append(
            "stiffness and mass scaled together change no frequency: give a density or a pull test for E and masses"
        )
    if at_limit:
        notes.append("the search ended where the tree would buckle under its own weight: its frequency is a bound")
    return tuple(notes)


def _sentence(way: FloatArray, names: list[str]) -> str:
    largest = int(np.argmax(np.abs(way)))
    change = way / way[largest] * SHOWN
    parts = [f"{name} {exp(c) - 1:+.0%}" for name, c in zip(names, change, strict=True) if abs(c) > SMALL * SHOWN]
    if len(parts) == 1:
        return f"{names[largest]} is not told by these frequencies: no likely change of it shows in them"
    return f"not told apart by these frequencies: {', '.join(parts)} together change none of them beyond its error"
