"""How strongly every segment is bent, and what the roots have to hold."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.mechanics import Modes, fibre_strain
from windflower.motion.places import Places
from windflower.motion.touch import Grips

__all__ = ["Gauges", "Strain"]


@dataclass(frozen=True, eq=False)
class Strain:
    """What gauges on a plant would show.

    fibre        (count, nodes)     largest strain of the wood at each segment's base; 0 at roots
    root_moment  (count, roots, 3)  moment that the ground gives each root, N·m, about the axes of the plant's frame
    """

    fibre: FloatArray
    root_moment: FloatArray


class Gauges:
    """Sums the curvatures and moments of modes, static vectors and held nodes."""

    def __init__(self, modes: Modes) -> None:
        self._modes = modes
        self._held = lru_cache(maxsize=32)(self._held_node)

    def read(self, places: Places, amount: FloatArray, grips: Grips) -> Strain:
        """The strain for amounts (count, shapes) of modes and static vectors.

        A larger plant of the same angles is strained alike, and its moments grow with the cube of its size.
        """
        modes = self._modes
        bent = _total(amount, modes.shape_deformation, modes.static_deformation)
        moment = _total(amount, modes.root_moment, modes.static_root_moment)
        for instance, node, pull in zip(grips.instance, grips.node.tolist(), grips.pull, strict=True):
            held_bent, held_moment = self._held(node)
            bent[instance] += np.tensordot(pull, held_bent, 1)
            moment[instance] += np.tensordot(pull, held_moment, 1)
        firmer = places.scale**3 * places.stiffness
        return Strain(fibre_strain(modes.plant, bent), moment * firmer[:, None, None])

    def _held_node(self, node: int) -> tuple[FloatArray, FloatArray]:
        """(3, nodes, 4) and (3, roots, 3) deformation and root moments by the residual of 1 N along x, y, z."""
        modes = self._modes
        whole = modes.compliance(node)[0]
        by_modes = (modes.shape[:, node, :3] / modes.omega[:, None] ** 2).T
        return (
            modes.deformation(whole) - np.tensordot(by_modes, modes.shape_deformation, 1),
            modes.reaction(whole) - np.tensordot(by_modes, modes.root_moment, 1),
        )


def _total(amount: FloatArray, shape: FloatArray, static: FloatArray) -> FloatArray:
    """(count, …) Σ amounts times (modes, …) and (cells, 3, …), as one matrix product."""
    rows = np.concatenate([shape, static.reshape(-1, *shape.shape[1:])]).reshape(amount.shape[1], -1)
    return np.asarray(amount @ rows).reshape(len(amount), *shape.shape[1:])
