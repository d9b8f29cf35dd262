"""Things with sheets in a scene: flags, banners, blades and signs stand where plants stand, and move by their modes."""

import inspect
from collections.abc import Mapping
from typing import Any

import numpy as np

from windflower.mechanics import Structure
from windflower.mechanics.things import THINGS
from windflower.motion import Places
from windflower.scene.stand_table import StandSettings
from windflower.wind import Wind

__all__ = ["downwind", "made_for", "thing_of"]

LEAST_WIND, WINDS = 1.0, 2  # m/s that a flag is made for at least, and in how many parts of 1 m/s it is told


def thing_of(name: str, changes: Mapping[str, Any]) -> Structure:
    """A thing by its name, with other numbers than its own."""
    return THINGS[name](**changes)


def made_for(table: StandSettings, wind: Wind) -> StandSettings:
    """The table of a flag that is made for this wind, unless it says for which; any other as it is."""
    if not table.is_thing or "wind" not in inspect.signature(THINGS[table.plant]).parameters:
        return table
    speed = max(float(np.linalg.norm(wind.mean)), LEAST_WIND)
    return table.model_copy(update={"changes": {"wind": round(WINDS * speed) / WINDS, **table.changes}})


def downwind(places: Places, wind: Wind) -> Places:
    """The same places, turned so that x points where the wind blows to."""
    yaw = np.arctan2(-wind.mean[2], wind.mean[0])
    return Places(places.position, yaw=np.full(len(places), yaw), scale=places.scale, stiffness=places.stiffness)
