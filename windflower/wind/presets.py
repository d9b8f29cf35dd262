"""Winds from a few words: by speed, by Beaufort number, by name, from a file, and the air around a flag.

A gusty wind joins a mean wind, gusts and turbulence that belong together.
"""

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.text import shortened
from windflower.errors import WindError
from windflower.wind.beaufort import beaufort_speed
from windflower.wind.checks import number
from windflower.wind.direction import direction_of, wind_axes
from windflower.wind.field import Wind
from windflower.wind.grid import Beyond
from windflower.wind.gridded import read_array
from windflower.wind.gusts import Gusts
from windflower.wind.gusty import Gusty
from windflower.wind.profile import GRASSLAND, REFERENCE_HEIGHT, Profile, WindProfile
from windflower.wind.recorded import read_csv
from windflower.wind.steady import Steady
from windflower.wind.strength import PRESETS, strength_in
from windflower.wind.turbsim import TurbSimWind, read_bts
from windflower.wind.turbulence import Turbulence

__all__ = ["Aligned", "beaufort_wind", "flag_air", "gusty_wind", "pole_wake", "preset", "wind_from"]

RECORDINGS = (".csv", ".txt", ".tsv", ".dat")
LONGEST, SHORTEST = 2.5, 0.75  # wavelengths of the eddies behind a pole, over the flag's length
UPRIGHT = 0.3  # decay of coherence: what a pole sheds is alike all along it; in free air it is 8 to 12


def gusty_wind(
    speed: float,
    *,
    direction: float = 270.0,
    seed: int = 0,
    gustiness: float = 0.4,
    intensity: float = 0.18,
    loop: float | None = None,
    profile: WindProfile = GRASSLAND,
) -> Wind:
    """A wind of this mean speed at 10 m, m/s: steady, with gusts of `gustiness` times its speed, and turbulence."""
    number("wind speed", speed, "Turn the direction by 180 to blow the other way.", least=0, unit="m/s")
    if speed == 0:
        return Steady(speed=0.0, direction=direction, profile=profile)
    pace = profile.pace * speed
    gusts = Gusts(speed=pace, direction=direction, strength=gustiness * speed, seed=seed, loop=loop, profile=profile)
    turbulence = Turbulence(
        speed=speed,
        carried=pace,
        direction=direction,
        form=profile.form or "kaimal",
        intensity=intensity,
        length=profile.length,
        seed=seed,
        loop=loop,
        profile=profile,
    )
    # The mean of the gusts is taken from the steady part.
    rest = speed - math.hypot(*gusts.mean)
    return Gusty(Steady(speed=rest, direction=direction, profile=profile) + gusts, turbulence)


def beaufort_wind(step: int, *, seed: int = 0, direction: float = 270.0) -> Wind:
    """A gusty, turbulent wind in the middle of this Beaufort number, 0 to 12.

    step       Beaufort number, 0 to 12
    seed       of gusts and turbulence
    direction  where it blows from, degrees: 0 north, 90 east, 270 west
    """
    return gusty_wind(beaufort_speed(step), seed=seed, direction=direction)


Wind.beaufort = staticmethod(beaufort_wind)


def preset(name: str, *, seed: int = 0, direction: float = 270.0) -> Wind:
    """The wind of this name: calm, breeze, windy, gale or storm.

    name       one of `PRESETS`
    seed       of gusts and turbulence
    direction  where it blows from, degrees: 0 north, 90 east, 270 west
    """
    if name not in PRESETS:
        raise WindError(f"a preset is one of {', '.join(PRESETS)}; '{name}' is not. Choose one of them.")
    return beaufort_wind(PRESETS[name], seed=seed, direction=direction)


def wind_from(
    name: str | os.PathLike[str] | float | Wind,
    *,
    seed: int = 0,
    direction: float | None = None,
    columns: Mapping[str, str] | None = None,
    mast_height: float | None = None,
    repeat: bool = False,
    profile: Profile = GRASSLAND,
) -> Wind:
    """A wind from one word: its strength, or its file.

    name         a mean speed at 10 m, m/s (`9`, `9.5`, `9m/s`); a Beaufort number (`b5`, `5bft`, `beaufort-5`); a name
                 (calm, breeze, windy, gale, storm, or one of the Beaufort scale: `fresh breeze`); or a file: `.csv`,
                 `.txt`, `.tsv`, `.dat` (a mast's recording), `.bts` (a TurbSim box), `.npz`, `.npy` (an array). A wind
                 is returned as it is
    seed         of gusts and turbulence, where a strength is given
    direction    where it blows from, degrees; by default 270, or as a file says; an array of velocities has its own
    columns      of a recording, as in `read_csv`
    mast_height  of a recording's instrument above the ground, m; by default 10
    repeat       play a file again and again; else it ends
    profile      how a recording grows with height
    """
    if isinstance(name, Wind):
        return name
    text = name if isinstance(name, float | int | np.number) else os.fspath(name)
    speed = strength_in(text)
    suffix = Path(str(text)).suffix.lower()
    if (columns or mast_height is not None) and (speed is not None or suffix not in RECORDINGS):
        raise WindError(
            f"columns and a mast's height belong to a recording (.csv); '{text}' is not a recording. Leave them out."
        )
    if speed is not None:
        return gusty_wind(speed, seed=seed, direction=270.0 if direction is None else direction)
    return _from_file(str(text), suffix, direction, columns, mast_height, repeat, profile)


def _from_file(
    path: str,
    suffix: str,
    direction: float | None,
    columns: Mapping[str, str] | None,
    mast_height: float | None,
    repeat: bool,
    profile: Profile,
) -> Wind:
    beyond: Beyond = "repeat" if repeat else "hold"
    if suffix in RECORDINGS:
        height = REFERENCE_HEIGHT if mast_height is None else mast_height
        return read_csv(path, direction=direction, columns=columns, height=height, profile=profile, repeat=repeat)
    if suffix == ".bts":
        return TurbSimWind(read_bts(path), direction=270.0 if direction is None else direction, beyond=beyond)
    if suffix in (".npz", ".npy"):
        return replace(read_array(path), beyond=beyond)
    raise WindError(
        f"a wind is a speed in m/s (9), a Beaufort number (b5), a name ({', '.join(PRESETS)}), or a .csv, .txt, .tsv, "
        f".dat, .bts, .npz or .npy file; '{shortened(path, 80)}' is not one of them."
    )


@dataclass(frozen=True)
class Aligned(Wind):
    """The speed of another wind, all of it along one direction: what an object feels that turns with the wind.

    heading  unit vector that it blows along
    """

    wind: Wind
    heading: tuple[float, float, float]

    def _flow(self, points: FloatArray, t: FloatArray | float) -> FloatArray:
        return np.multiply.outer(np.linalg.norm(self.wind._flow(points, t), axis=1), self.heading)

    @property
    def lasts(self) -> float:
        """As long as the other wind, s."""
        return self.wind.lasts

    @property
    def mean(self) -> FloatArray:
        """The other wind's mean speed at 10 m along the heading, m/s."""
        return math.hypot(*self.wind.mean) * np.array(self.heading)

    def repeating(self, period: float) -> "Aligned":
        """The speed of the other wind, made to repeat."""
        return Aligned(self.wind.repeating(period), self.heading)


def pole_wake(speed: float, length: float, *, direction: float = 270.0, intensity: float = 0.11) -> Turbulence:
    """The fluctuations behind a pole in which a flag of this length (m) waves, in a mean wind of this speed (m/s).

    Eddies as long as the flag, upright as the pole is.

    speed      mean wind at 10 m, m/s
    length     length of the flag, m
    direction  where it blows from, degrees; the flag should point downwind
    intensity  ratio of the rms along the wind to the speed
    """
    number("length of a flag", length, "1 to 3 m is usual.", above=0, unit="m")
    number("speed of the wind", speed, "Some m/s are usual.", above=0, unit="m/s")
    return Turbulence(
        speed=speed,
        direction=direction,
        intensity=intensity,
        form="noise",
        exponent=0.0,
        decay=UPRIGHT,
        low=speed / (LONGEST * length),
        high=speed / (SHORTEST * length),
    )


def flag_air(wind: Wind, length: float, *, direction: float | None = None) -> Wind:
    """The air around a flag of this length, m, that turns with the wind: its whole speed along it, and a pole's wake.

    A wind without a mean makes no wake, and is returned as it is.

    direction  where it blows from, degrees, in place of the wind's own mean direction
    """
    speed = math.hypot(*wind.mean)
    if speed == 0:
        return wind
    x, y, z = wind.mean / speed if direction is None else wind_axes(direction)[0]
    wake = pole_wake(speed, length, direction=direction_of(wind.mean) if direction is None else direction)
    return Aligned(wind, (float(x), float(y), float(z))) + wake
