"""Plants in the wind that files are written of: what plays a loop, and where its points are at a time."""

from typing import Any

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.motion.stand import Stand
from windflower.plant.graph import Plant
from windflower.plant.species import species_names, species_of
from windflower.scene.subjects import scene_of
from windflower.scene.wind_table import WindSettings

__all__ = ["loop_stand", "points_at", "resting_stand"]

MODES, CELLS = 25, 4  # of the recorded motion


def loop_stand(plant: Plant, speed: float, seconds: float) -> Stand:
    """A stand of the plant that plays the loop of a wind, recorded here."""
    motion = {"kind": "loop", "of": _motion(plant), "period": seconds, "headings": 1}
    return scene_of(plant, wind=WindSettings(speed=speed), stand={"motion": motion}).stands[0]


def resting_stand(plant: Plant) -> Stand:
    """A stand of the plant as it is without wind."""
    return scene_of(plant, stand={"motion": _motion(plant)}).stands[0]


def points_at(stand: Stand, time: float) -> FloatArray:
    """(points, 3) where the points of the first instance are at a time of its loop, s, in m."""
    motion = stand.motion
    state = motion.begin(stand.places, np.zeros((len(stand), 0, 3)), time)
    return np.asarray(motion.points(state)[0])


def _motion(plant: Plant) -> dict[str, Any]:
    species = species_of(plant.species) if plant.species in species_names() else None
    broad = species is not None and species.blade is not None
    return {"kind": "broadleaf"} if broad else {"kind": "modal", "modes": MODES, "cells": CELLS}
