"""Plants that tests export: recorded, and fitted with a skeleton."""

from typing import Any

import numpy as np

from windflower import Plant
from windflower.core.arrays import IntArray
from windflower.export.moving_plant import MovingPlant
from windflower.export.recording import fitted_plants, recordings
from windflower.export.settings import ExportSettings
from windflower.motion.stand import Stand
from windflower.scene import Scene

__all__ = ["moving", "recorded", "written_order"]


def recorded(subject: Plant | Scene, **how: Any) -> dict[str, tuple[Stand, ...]]:
    """The stands that play the loops of these settings, by clip."""
    return recordings(subject, ExportSettings(**how), _silent)


def moving(clips: dict[str, tuple[Stand, ...]], **how: Any) -> MovingPlant:
    """The first plant of recorded clips, on a skeleton by these settings."""
    return fitted_plants(clips, ExportSettings(**how), _silent)[0]


def written_order(plant: MovingPlant) -> IntArray:
    """Which vertices of a plant's mesh a file has, in its order: rings that two tubes share are written once."""
    return np.concatenate([part.vertex for part in plant.look(16).parts.values()])


def _silent(*_: object) -> None:
    pass
