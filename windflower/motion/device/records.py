"""Records that kernels of several motions read: where instances stand, and how a crown takes the wind."""

from collections.abc import Callable
from math import log

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.core.buffers import vec4
from windflower.core.layouts import layout, record
from windflower.motion.places import Places
from windflower.plant.graph import Plant

__all__ = ["PLACE", "by_depth", "cell_records", "crown_record", "place_records", "yaw_of"]

PLACE = layout("motion/places.wgsl", "Place")
CROWN = layout("mechanics/crown.wgsl", "Crown")


def place_records(places: Places) -> NDArray[np.void]:
    """(count,) `Place` in motion/places.wgsl."""
    records = np.zeros(len(places), PLACE)
    records["position"], records["scale"], records["stiffness"] = places.position, places.scale, places.stiffness
    records["yaw"] = yaw_of(places.yaw)
    return records


def yaw_of(angle: FloatArray) -> FloatArray:
    """(…, 2) cosine and sine of angles (…,), rad, as shaders have a yaw."""
    return np.stack([np.cos(angle), np.sin(angle)], axis=-1)


def crown_record(
    streamlined: Callable[[FloatArray], FloatArray], porosity: float, area: FloatArray
) -> NDArray[np.void]:
    """`Crown` in mechanics/crown.wgsl.

    streamlined  how much drag weakens at a wind speed, m/s: by a power of it from 10 m/s on, up to any storm
    porosity     share of the wind speed left behind the crown
    area         (cells,) drag area of its cells, m²
    """
    at_11, in_storm = streamlined(np.array([11.0, 1e9])).tolist()
    return record(CROWN, exponent=-log(at_11) / log(1.1), least=in_storm, depth=-log(porosity), area=area.sum())


def cell_records(
    centre: FloatArray, spread: FloatArray, area: FloatArray, press: FloatArray | float = 0.0
) -> NDArray[np.float32]:
    """(cells, 2, 4) of `b_plant` in mechanics/shelter.wgsl; `press` (cells, 3) stands beside a cell's area."""
    beside = np.broadcast_to(press, centre.shape)
    return np.stack([vec4(centre, spread**2), np.column_stack([area, beside]).astype("<f4")], axis=1)


def by_depth(plant: Plant) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """`b_begin` and `b_order` in path_sums.wgsl: (depths + 1,) where each depth begins; (nodes, 2) node and parent."""
    order = np.concatenate(plant.levels)
    begin = np.cumsum([0, *map(len, plant.levels)])
    return begin.astype("<u4"), np.stack([order, np.maximum(plant.parent, 0)[order]], axis=1).astype("<u4")
