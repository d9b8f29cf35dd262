"""Drag of a crown as a whole, from the published law of its species, and how leaves and wood share it.

**In leaf** a crown has the drag that wind tunnels found for it: C_D(U) = C U^-N on its silhouette in still air. Leaf by
leaf and branch by branch it is a sum, because each catches the wind where it sits: a leaf with that same C_D on the
half of its blade that faces the wind, a branch as a cylinder. Parts add up to more than the whole, since they stand in
one another's lee. So the sum is weighed with one exposure for all: the whole over the sum.

**Bare**, the same lee is thinner. Through a crown with the drag area S behind its front A the wind falls by
exp(-S/2A), so that its drag area is A (1 - exp(-S/A)). In leaf that is the published one, which gives S/A =
-ln(1 - C_D); the wood keeps its share of S. The drag of what bends away rises as U^(4/3) (Alben, Shelley & Zhang 2002):
that of branches, not of stems.
"""

from dataclasses import dataclass
from math import exp, expm1, log

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.mechanics.silhouette import frontal_area
from windflower.plant.graph import Plant
from windflower.plant.species.settings import Air, Leaf

__all__ = ["CALM", "CrownDrag", "in_air", "in_mean_wind"]

CALM = 10.0  # m/s: up to here drag coefficients are those of 10 m/s
CYLINDER = 1.1  # drag coefficient of a branch across the wind: 1.0 to 1.2
BENDING = 2 / 3  # N of branches that bend in the wind
BARE_POROSITY = 0.8  # of a crown that has no leaves to compare with
DENSEST = 0.99  # C_D of a crown that lets hardly anything through


@dataclass(frozen=True, kw_only=True)
class CrownDrag:
    """What each part of a crown catches.

    wood          drag coefficient of wood on diameter times length
    leaf          factor on the drag areas of leaves that stand alone
    streamlining  N of C_D = C U^-N
    porosity      share of the wind speed left behind the crown
    """

    wood: float
    leaf: float
    streamlining: float
    porosity: float


def in_air(
    plant: Plant, leaf_area: FloatArray, air: Air, kind: Leaf, *, leaves: bool, besides: NDArray[np.bool_] | None = None
) -> CrownDrag:
    """The drag of a crown in air, in leaf or bare.

    leaf_area  (leaves,) drag coefficient times area of each leaf alone, m²
    besides    (nodes,) segments that are no wood but the threads of sheets
    """
    surfaces = (plant.base_radius + plant.radius) * plant.length
    if besides is not None:
        surfaces = np.where(besides, 0.0, surfaces)
    wood, branches = _wood_area(plant, surfaces)
    surface = max(float(surfaces.sum()), 1e-12)
    bending = BENDING * branches / max(wood, 1e-12)
    if not len(leaf_area):
        lee = _exposure(branches / frontal_area(plant, None, gaps=False))
        return CrownDrag(wood=lee * wood / surface, leaf=0.0, streamlining=bending, porosity=BARE_POROSITY)
    share = wood / (wood + float(leaf_area.sum()))
    coefficient = air.at(CALM)
    caught = coefficient * frontal_area(plant, kind)
    if leaves:
        exposure = caught * share / max(wood, 1e-12)
        return CrownDrag(
            wood=exposure * wood / surface, leaf=exposure, streamlining=air.streamlining, porosity=air.porosity
        )
    depth = -log(1 - min(coefficient, DENSEST))
    caught *= expm1(-depth * share) / expm1(-depth)
    return CrownDrag(wood=caught / surface, leaf=0.0, streamlining=bending, porosity=air.porosity**share)


def in_mean_wind(plant: Plant, leaf_area: FloatArray, air: Air, *, leaves: bool) -> CrownDrag:
    """The drag of parts that stand in the mean square of a speed that falls from 1 to the porosity, each by itself.

    In air they would be more than the whole crown, whose published law has streamlined them: this is for plants in
    water, and for shoots whose turning away is moved link by link (`mechanics.limp`).
    """
    if not leaves or not len(leaf_area):
        wood = CYLINDER * float(((plant.base_radius + plant.radius) * plant.length).sum())
        share = wood / (wood + float(leaf_area.sum()))
        left = air.porosity**share if len(leaf_area) else BARE_POROSITY
        return CrownDrag(wood=CYLINDER, leaf=0.0, streamlining=0.0, porosity=left)
    lee = _exposure(-2 * log(air.porosity))
    return CrownDrag(wood=lee * CYLINDER, leaf=lee, streamlining=air.streamlining, porosity=air.porosity)


def _exposure(depth: float) -> float:
    """Mean square of the wind, over that before it, in a crown with the drag area `depth` on each m² of its front."""
    return (1 - exp(-depth)) / depth if depth > 1e-9 else 1.0


def _wood_area(plant: Plant, surfaces: FloatArray) -> tuple[float, float]:
    """Drag area of all wood and of all but the stems, m²: cylinders in a horizontal wind from any side.

    Only the wind across a cylinder drags it: C D L sin³ of the angle between them, along the wind.
    """
    upright = (plant.vector[:, 1] / np.maximum(plant.length, 1e-12)) ** 2
    turn = (np.arange(8) + 0.5) * np.pi / 16  # of the wind about the vertical, over a quarter of the horizon
    across = 1 - (1 - upright)[:, None] * np.cos(turn) ** 2
    area = CYLINDER * surfaces * (across**1.5).mean(axis=1)
    return float(area.sum()), float(area[~plant.is_stem].sum())
