"""A season for shaders: the uniform that seasons.wgsl takes."""

import numpy as np
from numpy.typing import NDArray

from windflower.motion.leaves.seasons import Season

__all__ = ["SEASON", "season_record"]

# The layout of `Season` in seasons.wgsl.
SEASON = np.dtype([(name, "<f4", 4) for name in ("day", "summer", "early", "late")])


def season_record(season: Season) -> NDArray[np.void]:
    """`Season` in seasons.wgsl."""
    record = np.zeros((), SEASON)
    record["day"][:2] = season.day, season.evergreen
    record["summer"][:3] = season.summer
    record["early"][:3], record["late"][:3] = season.turned
    return record
