"""How far joints may turn: a mid-rib bends and twists no further than its blade's veins can follow."""

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.plant.blades import Blades
from windflower.plant.graph import Plant

__all__ = ["joint_limits"]

MOST_TURN, MOST_BEND = 1.0, 0.35  # rad of a joint; and where it bears a blade
TILT_SHARE = 0.04  # lift at the rim over the rows' distance that a twist may cause: half of what veins allow
STRAIGHTER = 0.01  # by which veins may lengthen because a curved mid-rib straightens


def joint_limits(
    plant: Plant, blades: Blades, bladed: NDArray[np.bool_], softness: float
) -> tuple[FloatArray, FloatArray]:
    """(nodes, 3) least and most turn about each axis of a segment's frame, rad; `bladed` segments bear rows."""
    width = np.full(plant.nodes, 1e-12)
    np.maximum.at(width, blades.ribs.segment, blades.half_width)
    most = np.full((plant.nodes, 3), MOST_TURN)
    reach = plant.length / width
    most[bladed, 0] = np.minimum(MOST_BEND, 2 * (1 - softness) * reach[bladed])
    most[bladed, 1] = np.minimum(MOST_BEND, TILT_SHARE * reach[bladed])
    least, (down, up) = -most, _straightening(plant, blades)
    most[:, 0], least[:, 0] = np.minimum(most[:, 0], up), np.maximum(least[:, 0], -down)
    return least, most


def _straightening(plant: Plant, blades: Blades) -> tuple[FloatArray, FloatArray]:
    """(nodes,) and (nodes,) how far a joint may turn down and up, rad, for veins that its bend at rest makes shorter.

    They are shorter than the mid-rib by b · lift. If it straightened, they would have to lengthen.
    """
    centre, normal = blades.point[:, :, blades.middle], blades.frame[..., 2]
    lift = np.einsum("bajc,bac->baj", blades.point - centre[:, :, None], normal)
    step = np.diff(centre, axis=1)
    between = -np.einsum("bac,bac->ba", step, np.diff(normal, axis=1)) / np.square(step).sum(axis=-1)
    bend = np.concatenate([between[:, :1], between], axis=1)
    down, up = np.full(plant.nodes, np.inf), np.full(plant.nodes, np.inf)
    for limit, side in ((down, lift.max(axis=2)), (up, lift.min(axis=2))):
        shorter = bend * side > STRAIGHTER
        room = STRAIGHTER / np.maximum(np.abs(side), 1e-12) * plant.length[blades.ribs.segment]
        np.minimum.at(limit, blades.ribs.segment, np.where(shorter, room, np.inf))
    return down, up
