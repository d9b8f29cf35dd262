"""Changes the number of trees of a scene at the same density."""

import math

import numpy as np

from windflower.core.arrays import IntArray
from windflower.errors import SceneError
from windflower.scene.areas import Circle, Rectangle, Row
from windflower.scene.scatter import trees_in_rows
from windflower.scene.settings import ClearingSettings, SceneSettings
from windflower.scene.stand_table import StandSettings

__all__ = ["trees_in", "trees_of", "with_trees"]


def trees_in(settings: SceneSettings) -> int:
    """Number of trees in a scene's settings."""
    return sum(trees_of(stand) for stand in settings.stands)


def trees_of(stand: StandSettings) -> int:
    """Number of trees in a stand's settings."""
    return (stand.count or 1) if _is_scattered(stand) else _standing(stand)


def with_trees(settings: SceneSettings, trees: int) -> SceneSettings:
    """The same scene with another total number of trees, as dense as before.

    Areas and clearings grow or shrink about the origin. Trees in rows and at given positions
    stay as they are; scattered stands keep their shares.
    """
    scattered = [stand for stand in settings.stands if _is_scattered(stand)]
    fixed = sum(_standing(stand) for stand in settings.stands if not _is_scattered(stand))
    if trees == fixed + sum(stand.count or 1 for stand in scattered):
        return settings
    if not scattered or trees <= fixed:
        allowed = f"more than {fixed:,}" if scattered else f"{fixed:,}"
        raise SceneError(
            f"the number of trees must be {allowed}, as {fixed:,} of this scene's have given places; it is {trees:,}."
        )
    counts = np.array([stand.count or 1 for stand in scattered])
    shares = _apportioned(counts, trees - fixed)
    factor = math.sqrt((trees - fixed) / counts.sum())
    resized = iter(_resized(stand, int(share), factor) for stand, share in zip(scattered, shares, strict=True))
    stands = [next(resized) if _is_scattered(stand) else stand for stand in settings.stands]
    return settings.model_copy(
        update={
            "stands": tuple(stand for stand in stands if stand is not None),
            "clearings": tuple(_scaled_clearing(clearing, factor) for clearing in settings.clearings),
        }
    )


def _is_scattered(stand: StandSettings) -> bool:
    return stand.positions is None and not isinstance(stand.area, Row)


def _standing(stand: StandSettings) -> int:
    """Number of trees in a row or at given positions."""
    if isinstance(stand.area, Row):
        return trees_in_rows(stand.area, count=stand.count, spacing=stand.spacing)
    return len(stand.positions or ())


def _apportioned(counts: IntArray, total: int) -> IntArray:
    """Apportion a total in proportion to counts, by largest remainders."""
    exact = counts * (total / counts.sum())
    shares = np.floor(exact).astype(np.int64)
    most = np.argsort(shares - exact, kind="stable")[: total - int(shares.sum())]
    shares[most] += 1
    return shares


def _resized(stand: StandSettings, count: int, factor: float) -> StandSettings | None:
    """The stand with this many trees; None for 0."""
    if count == 0:
        return None
    return stand.model_copy(update={"count": count, "area": _scaled(stand.area, factor)})


def _scaled(area: Rectangle | Circle | Row | None, factor: float) -> Rectangle | Circle | Row | None:
    if area is None or isinstance(area, Row):
        return area
    centre = (area.centre[0] * factor, area.centre[1] * factor)
    if isinstance(area, Circle):
        return area.model_copy(update={"centre": centre, "radius": area.radius * factor})
    return area.model_copy(update={"centre": centre, "size": (area.size[0] * factor, area.size[1] * factor)})


def _scaled_clearing(clearing: ClearingSettings, factor: float) -> ClearingSettings:
    centre = (clearing.centre[0] * factor, clearing.centre[1] * factor)
    return clearing.model_copy(update={"centre": centre, "radius": clearing.radius * factor})
