"""How a wind bends a stem and turns its roots: moments by the dynamic wind in layers of height, once and for all winds.

The moment of the weight is in it twice: that of the tree as it stands, and that of what the wind displaces, which the
stiffness has (`System.weight_stiffness`), with roots as soft as they are near their limit.
"""

from dataclasses import dataclass, replace
from math import pi

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.errors import BucklingError
from windflower.mechanics.assembly import GRAVITY, System
from windflower.mechanics.foliage import leaf_mass
from windflower.mechanics.modes import Conditions
from windflower.mechanics.projection import wind_loads
from windflower.mechanics.strain import deformation, ground_moment
from windflower.mechanics.wood import Wood
from windflower.plant.graph import Plant

__all__ = ["Response", "response_of", "softened"]

LAYERS = 24  # of height in which the wind is one
STEM = 0.04  # m: thinner ends of a stem are twigs


@dataclass(frozen=True, eq=False, kw_only=True)
class Response:
    """Moments of a tree by a unit dynamic wind, 1 (m/s)² along x and along z, in each layer.

    segment  (n,)  those of the stem that may break
    height   (layers,)  middle of each layer above the foot, m
    stem     (layers, 2, n, 3)  bending moment at the base of each of these, N·m
    root     (layers, 2, 3)  moment that the roots take, N·m
    stem_rest, root_rest  (n, 3) and (3,)  the same by the tree's weight as it stands
    """

    segment: IntArray
    height: FloatArray
    stem: FloatArray
    root: FloatArray
    stem_rest: FloatArray
    root_rest: FloatArray


def softened(stiffness: float, moment: float, limit: float, turn: float) -> float:
    """Secant stiffness of roots at a moment, N·m/rad: M = M_crit (2x - x²), x their turn over the one at M_crit."""
    share = min(moment / limit, 1.0)
    return stiffness if share < 1e-6 else share * limit / (turn * (1 - np.sqrt(1 - share)))


def response_of(plant: Plant, wood: Wood, conditions: Conditions, roots: float) -> Response:
    """The response of a tree whose roots have this stiffness; where it would fall over by its weight, it is doubled."""
    for _ in range(8):
        try:
            system = replace(conditions, roots=roots).system(plant, wood)
            return _response(system)
        except BucklingError:
            roots *= 2
    return _response(replace(conditions, gravity=False, roots=roots).system(plant, wood))


def _response(system: System) -> Response:
    plant, wood = system.plant, system.wood
    foot = plant.position[plant.roots[0], 1]
    middle = (plant.position - plant.vector / 2)[:, 1] - foot
    edges = np.linspace(0, max(middle.max(), 1e-6), LAYERS + 1)
    layer = np.clip(np.searchsorted(edges, middle) - 1, 0, LAYERS - 1)
    loads = wind_loads(system, layer, LAYERS)[:, [0, 2]]
    moved = system.displaced(loads.reshape(-1, plant.nodes, 6)).reshape(loads.shape)
    segment = _breakable(plant)
    bent = deformation(system, moved)[..., segment, :3]
    stiff = wood.E * wood.bending * pi / 4 * plant.base_radius[segment] ** 4
    rest = _rest_moments(plant, wood, system)
    return Response(
        segment=segment,
        height=(edges[1:] + edges[:-1]) / 2,
        stem=bent * stiff[:, None],
        root=ground_moment(system, moved, loads=loads)[..., 0, :] * -1,
        stem_rest=rest[segment],
        root_rest=rest[plant.roots[0]],
    )


def _breakable(plant: Plant) -> IntArray:
    """The segments of the stem but its thin end."""
    stem = np.flatnonzero(plant.is_stem & (plant.parent >= 0))
    thick = stem[2 * plant.base_radius[stem] >= STEM]
    return thick if len(thick) else stem[:1]


def _rest_moments(plant: Plant, wood: Wood, system: System) -> FloatArray:
    """(nodes, 3) moment of the weight beyond the base of each segment, at the foot of that segment, N·m."""
    crown = np.where(plant.is_stem, 1.0, wood.crown)
    mass = wood.density * wood.area * crown * plant.segment_volume
    if len(system.foliage.mass):
        leaves = np.bincount(plant.leaves.node, leaf_mass(plant), plant.nodes)
        mass = mass + leaves * system.foliage.mass.sum() / max(leaves.sum(), 1e-300)
    middle = plant.position - plant.vector / 2
    total = plant.subtree_sum(np.column_stack([mass, mass[:, None] * middle]))
    arm = total[:, 1:] - total[:, :1] * (plant.position - plant.vector)
    return np.asarray(np.cross(arm, (0.0, -GRAVITY, 0.0)))
