"""Leaves that turn to the light: how the slots of a crown are turned before their leaves are drawn.

The mechanics knows the leaves as they grew, with their upper sides to the zenith. On a tree each petiole twists until
its blade looks to where most of its light comes from, and shoots bend a little toward it: at the side of a crown that
is outward. So the leaves of a bough are lit alike, and cover what is behind them.
"""

import numpy as np
from scipy.spatial.transform import Rotation

from windflower.core.arrays import FloatArray
from windflower.core.quaternions import turned
from windflower.core.vectors import cross, dot, unit
from windflower.plant.species.settings import Leaf

__all__ = ["LIGHT", "turned_to_light"]

LIGHT = np.radians(60.0)  # angle from a shoot's tip to the light on it, to which its leaves are arranged
NEAREST, FARTHEST = np.radians(35.0), np.radians(95.0)  # of that angle, to which shoots bend
ASIDE = np.array([1.0, 0.5, 1.0])  # the sky's brightest part is not its zenith all day
ROUND = ("needles", "frond", "ribbon", "broad")  # shapes that do not twist; nor do rows of leaflets


def turned_to_light(orientation: FloatArray, light: FloatArray, leaf: Leaf) -> FloatArray:
    """Quaternions (leaves, 4) of leaves so turned, of those as they grew; `light` (leaves, 3): unit vectors to it."""
    if leaf.shape in ROUND or leaf.arrangement == "flat" or len(orientation) == 0:
        return orientation
    light = unit(light * ASIDE, light)
    along, up = (turned(orientation[..., None], np.array(axis)[:, None])[..., 0] for axis in ([0.0, 1, 0], [0.0, 0, 1]))
    angle = np.arccos(np.clip(dot(along, light), -1, 1))[..., 0]
    wanted = angle + (np.clip(angle, NEAREST, FARTHEST) - angle) * (1 - abs(leaf.droop))
    aside = unit(along - dot(along, light) * light, up)  # where it points to, across the light
    bent = np.cos(wanted)[:, None] * light + np.sin(wanted)[:, None] * aside
    face = unit(light - dot(light, bent) * bent, up)
    frame = np.stack([cross(bent, face), bent, face], axis=-1)
    return np.asarray(Rotation.from_matrix(frame).as_quat())
