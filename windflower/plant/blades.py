"""Blades of broad leaves at rest: grids of points along parallel veins, spread out on both sides of a mid-rib.

A leaf's mid-rib is the end of the axis of its bud, from the base of the bud's segment to the tip; what lies below on
that axis is its petiole. Rows of points stand across the mid-rib, veins run along it (Guo, Li & Feng 2006,
fig. 2 and 3).
"""

from dataclasses import dataclass

import numpy as np

from windflower.core.arrays import FloatArray, frozen
from windflower.core.vectors import UP, cross, unit
from windflower.errors import PlantError
from windflower.plant.graph import Plant
from windflower.plant.ribs import Ribs, ribs_of
from windflower.plant.species.settings import Blade

__all__ = ["SHAPES", "Blades", "blades_of", "half_width"]

SHAPES = ("oblong", "elliptic", "rhombic", "spoon", "ovate")
MOST_ROWS = 129
NARROWEST = 0.05  # of the widest: a blade ends in a point that is still a surface
WAVES = 7.0  # along a rippled rim


@dataclass(frozen=True, eq=False, kw_only=True)
class Blades:
    """All blades of one plant at rest. Immutable.

    ribs            where the rows' middles are on the plant
    point           (blades, along, across, 3)  m, in the plant's frame; the middle column lies on the mid-rib
    frame           (blades, along, 3, 3)       columns: across, along and the normal of the upper side, at each row
    area            (blades, along, across)     of surface around each point, m²
    texture         (blades, along, across, 2)  from rim to rim and from base to apex, 0 to 1
    """

    ribs: Ribs
    point: FloatArray
    frame: FloatArray
    area: FloatArray
    texture: FloatArray

    def __post_init__(self) -> None:
        for name in ("point", "frame", "area", "texture"):
            frozen(getattr(self, name))

    def __len__(self) -> int:
        return len(self.point)

    def __repr__(self) -> str:
        return f"<{len(self)} blades of {self.along} by {self.across} points>"

    @property
    def along(self) -> int:
        """Number of rows of a blade, from base to apex."""
        return self.point.shape[1]

    @property
    def across(self) -> int:
        """Number of points of a row, from rim to rim; the middle one lies on the mid-rib."""
        return self.point.shape[2]

    @property
    def middle(self) -> int:
        """The column on the mid-rib."""
        return self.across // 2

    @property
    def half_width(self) -> FloatArray:
        """(blades, along) half the width, measured along the row from mid-rib to rim, m."""
        rods = np.linalg.norm(np.diff(self.point[:, :, self.middle :], axis=2), axis=-1)
        return np.asarray(rods.sum(axis=2))


def half_width(shape: str, t: FloatArray) -> FloatArray:
    """Half the width of a blade at `t` from base (0) to apex (1), as a share of its widest half."""
    from_middle = np.abs(2 * t - 1)
    match shape:
        case "oblong":
            width = np.sqrt(1 - from_middle**4)
        case "rhombic":
            width = 1 - from_middle**1.3
        case "spoon":
            width = np.sin(np.pi * np.clip(t, 0, 1) ** 2.2) ** 0.8 + 0.18 * (1 - t)
        case "ovate":
            width = np.sin(np.pi * np.clip(t, 0, 1) ** 0.62) ** 0.8
        case "elliptic":
            width = np.sqrt(1 - from_middle**2)
        case _:
            raise PlantError(f"a blade is {', '.join(SHAPES)}; '{shape}' is not one of them.")
    return np.asarray(np.maximum(width / width.max(), NARROWEST))


def blades_of(
    plant: Plant,
    kind: Blade,
    *,
    aspect: float,
    along: int | None = None,
    across: int | None = None,
) -> Blades:
    """Spread a blade of this kind on every mid-rib of a plant.

    aspect         width over the length of the mid-rib, for the leaf nearest to the root
    along, across  numbers of points from base to apex and from rim to rim, if other than the kind's own
    """
    along, across = along or kind.along, across or kind.across
    if not 3 <= along <= MOST_ROWS or not 3 <= across <= MOST_ROWS or across % 2 == 0:
        raise PlantError(
            f"a blade has 3 to {MOST_ROWS} rows and an odd number of points across, from 3; it is {along} by {across}. "
            "The middle point of a row lies on the mid-rib."
        )
    if not NARROWEST**2 <= aspect <= 100:
        raise PlantError(f"a blade's width over its length is {NARROWEST**2:g} to 100; it is {aspect:g}.")
    ribs = ribs_of(plant, along)
    frame = _frames(plant, ribs)
    widest = 0.5 * aspect * ribs.length * (1 - kind.shrink * _remoteness(plant, ribs))
    half = half_width(kind.shape, ribs.run) * widest[:, None]
    flat = _rows(kind, half, ribs.run, across)
    point = ribs.points(plant.position)[:, :, None] + np.einsum("bakc,bajc->bajk", frame, flat)
    texture = np.stack(
        np.broadcast_arrays(np.linspace(0, 1, across), ribs.run[..., None]),
        axis=-1,
    )
    return Blades(ribs=ribs, point=point, frame=frame, area=_areas(point), texture=texture)


def _areas(point: FloatArray) -> FloatArray:
    """(blades, along, across) area at each point, m²: a quarter of each quadrilateral goes to each of its corners."""
    one, other = point[:, 1:, 1:] - point[:, :-1, :-1], point[:, 1:, :-1] - point[:, :-1, 1:]
    quarter = np.linalg.norm(cross(one, other), axis=-1) / 8  # the diagonals span twice the quadrilateral
    area = np.zeros(point.shape[:-1])
    for i in (slice(None, -1), slice(1, None)):
        for j in (slice(None, -1), slice(1, None)):
            area[:, i, j] += quarter
    return area


def _remoteness(plant: Plant, ribs: Ribs) -> FloatArray:
    """(blades,) 0 for the leaf whose bud is nearest to the root, 1 for the farthest."""
    depth = plant.depth[ribs.bud].astype(np.float64)
    return np.asarray((depth - depth.min()) / max(float(np.ptp(depth)), 1.0))


def _frames(plant: Plant, ribs: Ribs) -> FloatArray:
    """(blades, along, 3, 3) frames; across is level, and one direction for a blade as far as its mid-rib allows."""
    tangent = unit(ribs.tangents(plant.position))
    side = cross(tangent, UP).sum(axis=1)
    upright = np.linalg.norm(side, axis=1) < 0.02 * ribs.along
    side[upright] = _own_side(plant, ribs)[upright]
    across = side[:, None] - np.einsum("bc,bac->ba", side, tangent)[..., None] * tangent
    across = unit(across)
    return np.stack([across, tangent, cross(across, tangent)], axis=-1)


def _own_side(plant: Plant, ribs: Ribs) -> FloatArray:
    """(blades, 3) the side that a leaf's own orientation has, for mid-ribs that stand upright."""
    x, y, z, w = plant.leaves.orientation[ribs.leaf].T
    return np.stack([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)], axis=1)


def _rows(kind: Blade, half: FloatArray, run: FloatArray, across: int) -> FloatArray:
    """(blades, along, across, 3) points in the rows' own frames: rods from the mid-rib outward that rise, then sink."""
    rods = across // 2
    outward = (np.arange(rods) + 0.5) / rods
    rise = np.radians(kind.fold * (1 - outward) - kind.droop * outward)
    side = np.cumsum(np.cos(rise)) / rods
    lift = np.cumsum(np.sin(rise)) / rods
    share = np.arange(1, rods + 1) / rods
    wave = 2 * kind.ripple * np.sin(2 * np.pi * WAVES * run)[..., None] * share**2
    right = np.stack(
        np.broadcast_arrays(half[..., None] * side, 0.0, half[..., None] * (lift + wave)),
        axis=-1,
    )
    left = right[..., ::-1, :] * np.array([-1.0, 1.0, 1.0])
    return np.concatenate([left, np.zeros((*half.shape, 1, 3)), right], axis=2)
