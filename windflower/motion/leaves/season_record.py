"""A season for shaders: the uniform that seasons.wgsl takes."""

import numpy as np
from numpy.typing import NDArray

from windflower.core.layouts import layout, record
from windflower.motion.leaves.seasons import Season

__all__ = ["SEASON", "season_record"]

SEASON = layout("motion/leaves/seasons.wgsl", "Season")


def season_record(season: Season) -> NDArray[np.void]:
    """`Season` in seasons.wgsl."""
    early, late = season.turned
    return record(SEASON, day=season.day, evergreen=season.evergreen, summer=season.summer, early=early, late=late)
