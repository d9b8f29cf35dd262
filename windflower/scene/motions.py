"""From what a stand's `motion` says to the way its plants move."""

from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from windflower.mechanics import Modes
from windflower.motion import (
    BroadleafConstants,
    BroadleafMotion,
    CantileverMotion,
    HybridMotion,
    LoopMotion,
    ModalMotion,
    Motion,
)
from windflower.motion.hybrid.branch_laws import BranchLaws
from windflower.plant.block import joined, placed
from windflower.plant.graph import Plant
from windflower.plant.ribs import lengthened
from windflower.scene.loops import loop_of
from windflower.scene.motion_table import (
    BroadleafSettings,
    CantileverSettings,
    HybridSettings,
    ModalSettings,
    MotionSettings,
    SpectralSettings,
)
from windflower.wind import Wind

__all__ = ["Moved", "block_motion", "block_trees", "broadleaf_motion", "motion_of"]


class Moved(NamedTuple):
    """How a stand moves: step by step, or in a loop that was made before, with or without `twigs` on top of it."""

    motion: Motion[Any]
    loop: LoopMotion | None = None
    twigs: bool = False


def motion_of(
    settings: MotionSettings,
    plant: Plant,
    modes: Modes | None,
    wind: Wind,
    *,
    seconds: float,
    seed: int,
    damping: float = 1.0,
) -> Moved:
    """The motion of a plant; `modes` if it needs them, `seconds` the length of the clip.

    damping  factor on that of what needs no modes; these have their own already
    """
    if isinstance(settings, CantileverSettings):
        options = settings.model_dump(exclude={"kind"})
        return Moved(CantileverMotion(plant, leaves=len(plant.leaves) > 0, seed=seed, **options))
    if isinstance(settings, BroadleafSettings):
        return Moved(broadleaf_motion(plant, settings, damping))
    assert modes is not None
    assert isinstance(settings, ModalSettings)
    speed = float(np.linalg.norm(wind.mean))
    motion = ModalMotion(modes, pose=settings.pose, speed=speed)
    if isinstance(settings, SpectralSettings):
        return Moved(motion, loop_of(settings, modes, wind, seconds=seconds, seed=seed), settings.twigs)
    return Moved(motion, twigs=settings.twigs)


@lru_cache(maxsize=64)
def broadleaf_motion(plant: Plant, settings: BroadleafSettings, damping: float) -> BroadleafMotion:
    """A plant with blades, as long as settings say, with a factor on its damping. The same for the same, once made."""
    knobs = settings.model_dump(exclude={"kind", "length", "texture", "along", "across"})
    longer = plant if settings.length == 1 else lengthened(plant, settings.length)
    constants = BroadleafConstants(**knobs)
    motion = BroadleafMotion(longer, constants=constants, along=settings.along, across=settings.across)
    if damping == 1:
        return motion
    ratios = {"damping": damping * motion.body.segments.damping, "blade_damping": damping * constants.blade_damping}
    return motion.retuned(**ratios)


@lru_cache(maxsize=6)
def block_trees(plants: tuple[Plant, ...], yaw: bytes, scale: bytes) -> tuple[Plant, ...]:
    """Plants turned and scaled as they stand in a block: rad and times, float64. The same for the same, once made."""
    both = zip(np.frombuffer(yaw), np.frombuffer(scale), strict=True)
    return tuple(
        placed(plant, yaw=float(turn), scale=float(larger)) for plant, (turn, larger) in zip(plants, both, strict=True)
    )


@lru_cache(maxsize=6)
def block_motion(
    trees: tuple[Plant, ...], position: bytes, stiffness: bytes, settings: HybridSettings, damping: float
) -> HybridMotion:
    """Trees that move as one block, at places in m, with a stiffness of each, float64; the same for the same."""
    laws = BranchLaws()
    firm = np.repeat(np.frombuffer(stiffness), [len(tree.roots) for tree in trees])
    return HybridMotion(
        joined(trees, np.frombuffer(position).reshape(-1, 3)),
        laws=replace(laws, damping=damping * laws.damping),
        stiffness=firm,
        **settings.model_dump(exclude={"kind", "levels"}),
    )
