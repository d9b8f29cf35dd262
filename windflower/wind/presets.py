"""Winds by name and by Beaufort number: mean wind, gusts and turbulence that belong together."""

import math

from windflower.errors import WindError
from windflower.wind.beaufort import beaufort_speed
from windflower.wind.checks import number
from windflower.wind.field import Wind
from windflower.wind.gusts import Gusts
from windflower.wind.profile import GRASSLAND, Profile
from windflower.wind.steady import Steady
from windflower.wind.turbulence import Turbulence

__all__ = ["PRESETS", "beaufort_wind", "gusty_wind", "preset"]

PRESETS = {"calm": 0, "breeze": 3, "windy": 5, "gale": 8, "storm": 10}
"""The Beaufort number of each preset."""


def gusty_wind(
    speed: float,
    *,
    direction: float = 270.0,
    seed: int = 0,
    gustiness: float = 0.4,
    intensity: float = 0.18,
    loop: float | None = None,
    profile: Profile = GRASSLAND,
) -> Wind:
    """A wind of this mean speed at 10 m, m/s: steady, with gusts of `gustiness` times its speed, and turbulence."""
    number("wind speed", speed, "Turn the direction by 180 to blow the other way.", least=0, unit="m/s")
    if speed == 0:
        return Steady(speed=0.0, direction=direction, profile=profile)
    gusts = Gusts(speed=speed, direction=direction, strength=gustiness * speed, seed=seed, loop=loop, profile=profile)
    turbulence = Turbulence(
        speed=speed, direction=direction, intensity=intensity, seed=seed, loop=loop, profile=profile
    )
    # What the gusts bring on average is taken from the steady part.
    rest = speed - math.hypot(*gusts.mean)
    return Steady(speed=rest, direction=direction, profile=profile) + gusts + turbulence


def beaufort_wind(step: int, *, seed: int = 0, direction: float = 270.0) -> Wind:
    """A gusty, turbulent wind in the middle of this Beaufort number, 0 to 12."""
    return gusty_wind(beaufort_speed(step), seed=seed, direction=direction)


def preset(name: str, *, seed: int = 0, direction: float = 270.0) -> Wind:
    """The wind of this name: calm, breeze, windy, gale or storm."""
    if name not in PRESETS:
        raise WindError(f"a preset is one of {', '.join(PRESETS)}; '{name}' is not. Choose one of them.")
    return beaufort_wind(PRESETS[name], seed=seed, direction=direction)
