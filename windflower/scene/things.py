"""Things with sheets in a scene: flags, banners, blades and signs stand where plants stand, and move by their modes."""

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from windflower.mechanics import Sheet, Structure
from windflower.mechanics.things import THINGS
from windflower.motion import Places
from windflower.plant.graph import Plant
from windflower.scene.motion_table import ModalSettings, SpectralSettings
from windflower.scene.stand_table import StandSettings
from windflower.wind import Wind

__all__ = ["downwind", "fly_length", "made_for", "suited", "thing_of"]

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


def suited(settings: ModalSettings, sheets: Sequence[Sheet], *, flies: bool) -> ModalSettings:
    """What a motion's settings become for a thing.

    A sheet that is held at both ends is posed linearly, as a rotated row would not reach the other end; and what flies
    always has the wind from one side.
    """
    changes: dict[str, Any] = {}
    if any(not sheet.own[:, -1].any() for sheet in sheets):
        changes["pose"] = "linear"
    if flies and isinstance(settings, SpectralSettings):
        changes["headings"] = 1
    return settings.model_copy(update=changes)


def fly_length(plant: Plant, sheets: Sequence[Sheet]) -> float:
    """How long the longest sheet is that the wind draws out, m; 0 where none is."""
    return max((_along_pull(plant, sheet) for sheet in sheets), default=0.0)


def downwind(places: Places, wind: Wind) -> Places:
    """The same places, turned so that x points where the wind blows to."""
    yaw = np.arctan2(-wind.mean[2], wind.mean[0])
    return Places(places.position, yaw=np.full(len(places), yaw), scale=places.scale, stiffness=places.stiffness)


def _along_pull(plant: Plant, sheet: Sheet) -> float:
    strength = float(np.linalg.norm(sheet.pull))
    if strength == 0:
        return 0.0
    return float(np.ptp(plant.position[sheet.node] @ sheet.pull)) / strength
