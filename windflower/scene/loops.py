"""Loops of a scene's plants, in the mean wind and the turbulence of the scene."""

from windflower.errors import SceneError
from windflower.mechanics import Modes
from windflower.motion import NoiseFilter, SpectralMotion
from windflower.scene.motion_table import SpectralSettings
from windflower.wind import Turbulence, Wind, turbulence_of

__all__ = ["loop_of"]


def loop_of(settings: SpectralSettings, modes: Modes, wind: Wind, *, seconds: float, seed: int) -> SpectralMotion:
    """The loop of a plant in a wind; `seconds` is the length of the clip."""
    eddies = turbulence_of(wind)
    if eddies is None:
        raise SceneError("a spectral motion needs a mean wind; this one is calm. Give the wind a speed.")
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
