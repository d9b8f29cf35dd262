"""Loops of a scene's plants, in the mean wind and the turbulence of the scene."""

import math
from dataclasses import replace

from windflower.errors import SceneError
from windflower.mechanics import Modes
from windflower.motion import NoiseFilter, SpectralMotion
from windflower.scene.motion_table import SpectralSettings
from windflower.wind import FlagAir, Sum, Turbulence, Wind, direction_of

__all__ = ["loop_of", "turbulence_of"]

ALONG = 270.0  # where a wind comes from that blows along x


def loop_of(settings: SpectralSettings, modes: Modes, wind: Wind, *, seconds: float, seed: int) -> SpectralMotion:
    """The loop of a plant in a wind; `seconds` is the length of the clip."""
    eddies = turbulence_of(wind)
    air: Turbulence | NoiseFilter = eddies
    if settings.correlation_time is not None and settings.correlation_distance is not None:
        air = NoiseFilter(
            speed=eddies.speed,
            direction=eddies.direction,
            correlation_time=settings.correlation_time,
            correlation_distance=settings.correlation_distance,
            intensity=eddies.intensity,
            profile=eddies.profile,
        )
    period = seconds if settings.period is None else settings.period
    return SpectralMotion(modes, period=period, wind=air, seed=seed, headings=settings.headings, pose=settings.pose)


def turbulence_of(wind: Wind) -> Turbulence:
    """The turbulence in a wind; for a recording, that of its mean; for a flag, which turns with it, along the flag."""
    if isinstance(wind, FlagAir):
        return replace(wind.wake, direction=ALONG)
    parts = wind.parts if isinstance(wind, Sum) else (wind,)
    for part in parts:
        if isinstance(part, Turbulence):
            return part
    speed = math.hypot(*wind.mean)
    if speed == 0:
        raise SceneError("a spectral motion needs a mean wind; this one is calm. Give the wind a speed.")
    return Turbulence(speed=speed, direction=direction_of(wind.mean))
