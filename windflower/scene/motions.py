"""From what a stand's `motion` says to the way its plants move."""

from typing import Any, NamedTuple

import numpy as np

from windflower.mechanics import Modes
from windflower.motion import CantileverMotion, LoopMotion, ModalMotion, Motion
from windflower.plant.graph import Plant
from windflower.scene.loops import loop_of
from windflower.scene.motion_table import CantileverSettings, MotionSettings, SpectralSettings
from windflower.wind import Wind

__all__ = ["Moved", "motion_of"]


class Moved(NamedTuple):
    """How a stand moves: step by step, or in a loop that was made before."""

    motion: Motion[Any]
    loop: LoopMotion | None = None


def motion_of(
    settings: MotionSettings, plant: Plant, modes: Modes | None, wind: Wind, *, seconds: float, seed: int
) -> Moved:
    """The motion of a plant; `modes` if it needs them, `seconds` the length of the clip."""
    if isinstance(settings, CantileverSettings):
        options = settings.model_dump(exclude={"kind"})
        return Moved(CantileverMotion(plant, leaves=len(plant.leaves) > 0, seed=seed, **options))
    assert modes is not None
    speed = float(np.linalg.norm(wind.mean))
    motion = ModalMotion(modes, pose=settings.pose, speed=speed)
    if isinstance(settings, SpectralSettings):
        return Moved(motion, loop_of(settings, modes, wind, seconds=seconds, seed=seed))
    return Moved(motion)
