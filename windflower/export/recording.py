"""Loops of a plant, or of all plants of a scene, recorded in some winds: what moving formats are written from."""

from dataclasses import replace
from typing import Any

import numpy as np

from windflower.errors import PlantError
from windflower.export.joint_count import fitted
from windflower.export.moving_plant import MovingPlant
from windflower.export.settings import ExportSettings, Report
from windflower.mechanics.foliage import known_species
from windflower.motion.looped import LoopSettings
from windflower.motion.modal import ModalSettings
from windflower.motion.places import Places
from windflower.motion.settings import MotionSettings
from windflower.motion.stand import Stand
from windflower.plant.graph import Plant
from windflower.plant.ribs import ribs_of
from windflower.scene.scene import Scene, build
from windflower.scene.settings import SceneSettings
from windflower.scene.stand_table import StandSettings
from windflower.scene.subjects import WATER_CURRENT, scene_of
from windflower.scene.wind_table import WindSettings

__all__ = ["fitted_plants", "moving_plants", "recorded_stands", "recordings", "resting_stand"]

MODES, CELLS = 25, 4  # of the recorded motion
BREEZE = 8.0  # m/s
HEADINGS = 5  # directions in which plants of a scene are turned
MEMORY, NUMBER, SAMPLES = 5e8, 48, 30  # bytes of a recording, at most; of each of its numbers; samples a second
MANY = 10_000  # points of a plant that is not known yet


def moving_plants(subject: Plant | Scene, how: ExportSettings, report: Report) -> list[MovingPlant]:
    """A plant that plays a clip for each wind, or one for each stand of a scene, which knows its places."""
    return fitted_plants(recordings(subject, how, report), how, report)


def fitted_plants(clips: dict[str, tuple[Stand, ...]], how: ExportSettings, report: Report) -> list[MovingPlant]:
    """A plant on a skeleton for each stand that is in all clips."""
    moving, count = [], len(next(iter(clips.values())))
    for number, stands in enumerate(zip(*clips.values(), strict=True)):
        report("fitting the skeleton", 0.6 + 0.3 * number / count)
        moving.append(fitted(stands, list(clips), how, report))
    return moving


def recordings(subject: Plant | Scene, how: ExportSettings, report: Report) -> dict[str, tuple[Stand, ...]]:
    """The stands that play the loop of each wind, by the clip's name: "wind 8 m/s"."""
    clips = {}
    for number, speed in enumerate(winds := _winds(subject, how)):
        name = _name(subject, speed)
        report(f"recording the loop in {name}", 0.6 * number / len(winds))
        clips[name] = recorded_stands(subject, speed, how.seconds)
    return clips


def resting_stand(plant: Plant) -> Stand:
    """The stand of a plant as it is without wind."""
    return scene_of(plant, stand={"motion": _motion(plant)}).stands[0]


def recorded_stands(subject: Plant | Scene, speed: float | None, seconds: float) -> tuple[Stand, ...]:
    """The stand of a plant, or those of a scene, that play the loop of a wind, m/s; None is the scene's own.

    All plants of a stand are turned alike, since they lean with the wind: a scene's own stand becomes several.
    """
    if isinstance(subject, Plant):
        wind = WATER_CURRENT.model_copy(update={"speed": speed}) if _in_water(subject) else WindSettings(speed=speed)
        return scene_of(subject, wind=wind, stand={"motion": _loop_of_plant(subject, seconds)}).stands
    each = [_headings(subject, table, seconds) for table in range(len(subject.settings.stands))]
    stands = build(_looped(subject.settings, speed, seconds, each)).stands
    return tuple(one for stand in stands for one in ([stand] if stand.flies else _turned(stand, each[stand.table])))


def _loop_of_plant(plant: Plant, seconds: float) -> dict[str, Any]:
    return {"kind": "loop", "of": _motion(plant), "period": seconds, "headings": 1}


def _motion(plant: Plant) -> dict[str, Any]:
    if _has_blades(plant):
        return {"kind": "broadleaf"}
    return {"kind": "modal", "modes": MODES, "cells": min(CELLS, len(plant.segments))}


def _has_blades(plant: Plant) -> bool:
    """Whether its leaves are blades, and each is the end of an axis of its own: in little detail several share one."""
    species = known_species(plant)
    if species is None or species.blade is None:
        return False
    try:
        ribs_of(plant, 2)
    except PlantError:
        return False
    return True


def _looped(settings: SceneSettings, speed: float | None, seconds: float, headings: list[int]) -> SceneSettings:
    """The same scene, whose stands all play loops of one period, in a wind of another mean if one is said."""
    stands = tuple(
        table.model_copy(update={"motion": _loop_of_table(table, seconds, each)})
        for table, each in zip(settings.stands, headings, strict=True)
    )
    wind = settings.wind
    if speed is not None:
        wind = wind.model_copy(update={"speed": speed, "preset": None, "beaufort": None})
    return settings.model_copy(update={"stands": stands, "wind": wind, "seconds": seconds})


def _headings(scene: Scene, table: int, seconds: float) -> int:
    """For how many turns of its plants a table is recorded: as many as fit the memory, and one for a plant alone."""
    points = [len(stand.motion.kept_points[0]) for stand in scene.stands if stand.table == table]
    fit = MEMORY / (NUMBER * SAMPLES * seconds * 3 * max(points, default=MANY))
    return 1 if scene.trees == 1 else int(np.clip(fit, 1, HEADINGS))


def _turned(stand: Stand, headings: int) -> list[Stand]:
    """The plants of a stand by the nearest direction of which there is a recording, to which they are turned."""
    places, turn = stand.places, np.rint(stand.places.yaw / (2 * np.pi) * headings).astype(np.int64) % headings
    stands = []
    for number in np.unique(turn).tolist():
        mine, yaw = places.some(np.flatnonzero(turn == number)), 2 * np.pi * number / headings
        there = Places(mine.position, yaw=yaw, scale=mine.scale, stiffness=mine.stiffness)
        stands.append(replace(stand, places=there))
    return stands


def _loop_of_table(table: StandSettings, seconds: float, headings: int) -> LoopSettings:
    """The loop of a table's own motion, or of modes where that is of many different plants together."""
    own: MotionSettings = getattr(table.motion, "of", table.motion)
    of = ModalSettings(kind="modal") if own.together else own
    return LoopSettings(kind="loop", of=of, period=seconds, headings=headings)


def _winds(subject: Plant | Scene, how: ExportSettings) -> tuple[float | None, ...]:
    if how.winds is not None:
        return how.winds
    if isinstance(subject, Plant):
        return (WATER_CURRENT.speed if _in_water(subject) else BREEZE,)
    return (None,)


def _name(subject: Plant | Scene, speed: float | None) -> str:
    """The name of a clip."""
    if speed is None:
        return "wind"
    return f"{'current' if isinstance(subject, Plant) and _in_water(subject) else 'wind'} {speed:.4g} m/s"


def _in_water(plant: Plant) -> bool:
    species = known_species(plant)
    return species is not None and species.habitat == "water"
