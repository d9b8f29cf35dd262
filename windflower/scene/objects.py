"""Objects with sheets in a scene: flags, banners, blades and signs, placed like plants and moved by their modes."""

import inspect
from collections.abc import Mapping
from typing import Any

import numpy as np

from windflower.mechanics import Structure
from windflower.mechanics.objects import OBJECTS
from windflower.motion import Places
from windflower.scene.stand_table import StandSettings
from windflower.wind import Wind

__all__ = ["downwind", "object_of", "with_design_wind"]

LEAST_WIND, STEPS = 1.0, 2  # smallest design wind of a flag, m/s, and the steps of 1 m/s to which it is rounded


def object_of(name: str, changes: Mapping[str, Any]) -> Structure:
    """An object by name, with changed parameters."""
    return OBJECTS[name](**changes)


def with_design_wind(table: StandSettings, wind: Wind) -> StandSettings:
    """Set a flag's design wind to the scene's mean wind, unless its table has one; other tables are unchanged."""
    if not table.is_object or "wind" not in inspect.signature(OBJECTS[table.plant]).parameters:
        return table
    speed = max(float(np.linalg.norm(wind.mean)), LEAST_WIND)
    return table.model_copy(update={"changes": {"wind": round(STEPS * speed) / STEPS, **table.changes}})


def downwind(places: Places, wind: Wind) -> Places:
    """The same places with the yaw that turns x downwind."""
    yaw = np.arctan2(-wind.mean[2], wind.mean[0])
    return Places(places.position, yaw=np.full(len(places), yaw), scale=places.scale, stiffness=places.stiffness)
