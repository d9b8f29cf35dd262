"""A wind from one word: a preset, a Beaufort number, or a file."""

import os
import re
from pathlib import Path

from windflower.errors import WindError
from windflower.wind.arrays import read_array
from windflower.wind.field import Wind
from windflower.wind.presets import PRESETS, beaufort_wind, preset
from windflower.wind.recorded import read_csv
from windflower.wind.turbsim import TurbSimWind, read_bts

__all__ = ["wind_from"]


def wind_from(name: str | os.PathLike[str], *, seed: int = 0, direction: float = 270.0) -> Wind:
    """The wind that a person names.

    name       a preset (calm, breeze, windy, gale, storm), a Beaufort number (`5`, `beaufort-5`), or a file: `.csv`
               (a recording), `.bts` (a TurbSim box), `.npz` or `.npy` (an array of velocities)
    seed       of presets and Beaufort winds
    direction  where it blows from, degrees; an array of velocities has its own
    """
    text = os.fspath(name)
    number = re.fullmatch(r"(?:beaufort[ -]?|b)?(\d+)", text.lower())
    if number:
        return beaufort_wind(int(number[1]), seed=seed, direction=direction)
    if text in PRESETS:
        return preset(text, seed=seed, direction=direction)
    suffix = Path(text).suffix.lower()
    if suffix in (".csv", ".txt", ".tsv"):
        return read_csv(text, direction=direction)
    if suffix == ".bts":
        return TurbSimWind(read_bts(text), direction=direction)
    if suffix in (".npz", ".npy"):
        return read_array(text)
    raise WindError(
        f"a wind is a preset ({', '.join(PRESETS)}), a Beaufort number from 0 to 12, or a .csv, .bts, .npz or .npy "
        f"file; '{text}' is none of them."
    )
