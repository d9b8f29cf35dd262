"""The names that commands take: of plants, scenes and files; for one that nobody knows, which was meant."""

import contextlib
import os
import re
from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from windflower.core.table import closest
from windflower.errors import FileError

if TYPE_CHECKING:
    from windflower.scene import SceneSettings
    from windflower.wind import Wind

__all__ = ["check_plant_name", "scene_named", "scene_of_wind", "wind_named"]

MOST_FILES = 1000  # of a folder, among which a similar name is sought


def check_plant_name(name: str, *, sheets: bool = False) -> None:
    """Refuse what is neither a species nor a file, nor, with `sheets`, a flag or a sign; say what it is instead."""
    from windflower.mechanics.objects import OBJECTS
    from windflower.plant.species import species_names
    from windflower.scene import scene_names

    known = (*species_names(), *(OBJECTS if sheets else ()))
    if name in known or Path(name).exists():
        return
    if name in scene_names():
        raise FileError(f"'{name}' is neither a file nor a species; it is a scene: use windflower view {name}.")
    if name in OBJECTS:
        raise FileError(f"'{name}' is neither a file nor a species: use windflower loop {name} -o {name}.mp4.")
    _check_file_name(name)
    hint = _meant(name, known, scenes=scene_names()) or "windflower species lists them."
    raise FileError(f"a plant is a file or one of {', '.join(known)}; '{name}' is neither; {hint}")


def scene_named(
    name: str, allow: Iterable[Path] | None = None, *, stand: Mapping[str, Any] | None = None
) -> "SceneSettings":
    """Read a scene by its name or from its file, or make one of a plant, with these keys of its stand."""
    from windflower.mechanics.objects import OBJECTS
    from windflower.plant.species import species_names
    from windflower.scene import scene_names, settings_of

    known = (*scene_names(), *species_names(), *OBJECTS)
    if name not in known and not Path(name).exists():
        _check_file_name(name)
        hint = _meant(name, known) or "windflower scenes and windflower species list them."
        raise FileError(
            f"a scene is one of {', '.join(scene_names())}, a species, or the file of a scene or a plant; '{name}' is "
            f"none of them; {hint}"
        )
    return settings_of(name, allow=allow or (), **(stand or {}))


def wind_named(
    name: str,
    *,
    seed: int = 0,
    direction: float | None = None,
    columns: Mapping[str, str] | None = None,
    mast_height: float | None = None,
    repeat: bool = False,
) -> "Wind":
    """The wind that a command names: its strength, a recording, or that of a scene, as over open country."""
    from windflower.scene.wind import wind_of
    from windflower.wind import wind_from

    scene = scene_of_wind(name)
    if scene is None:
        _check_wind_name(name)
        return wind_from(name, seed=seed, direction=direction, columns=columns, mast_height=mast_height, repeat=repeat)
    if columns or mast_height is not None or repeat:
        raise FileError(f"--columns, --mast-height and --repeat are for a recording; '{name}' is a scene. Drop them.")
    return wind_of(scene.wind, seed=scene.seed)


def scene_of_wind(name: str) -> "SceneSettings | None":
    """The scene whose wind is meant; None if the name is not a scene's."""
    from windflower.scene import read_scene, scene_names

    return read_scene(name) if name in scene_names() or name.lower().endswith(".toml") else None


def _check_wind_name(name: str) -> None:
    """Refuse what is neither a strength nor a file."""
    from windflower.wind import PRESETS, strength_in
    from windflower.wind.beaufort import NAMES

    if strength_in(name) is not None or Path(name).exists():
        return
    _check_file_name(name)
    known, hint = ", ".join(PRESETS), _meant(name, (*PRESETS, *NAMES)) or "try 9, b5 or breeze."
    raise FileError(
        f"a wind is a speed in m/s (9), a Beaufort number (b5), one of {known}, a file or a scene; '{name}' is not one "
        f"of them; {hint}"
    )


def _check_file_name(name: str) -> None:
    """Refuse what is plainly the name of a file, for none of that name is there."""
    if os.sep in name or re.fullmatch(r"\.[A-Za-z][A-Za-z0-9]{1,7}", Path(name).suffix):
        hint = _meant(name, ()) or "check its name and its folder."
        raise FileError(f"there is no file '{name}'; {hint}")


def _meant(name: str, known: Iterable[str], *, scenes: Iterable[str] = ()) -> str:
    """Which known name, scene, or file in the same folder, was meant, as a question; empty if none is similar."""
    path, names = Path(name), tuple(known)
    files: list[str] = []
    with contextlib.suppress(OSError, ValueError):
        files = [file.name for file in islice(path.parent.iterdir(), MOST_FILES) if not file.name.startswith(".")]
    file = closest(path.name, files) if path.suffix else None
    found = path.parent / file if file else closest(name, (*names, *scenes))
    kind = "" if file or found in names else "the scene "
    return f"did you mean {kind}'{found}'?" if found else ""
