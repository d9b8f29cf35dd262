"""The names that commands take: of plants, scenes and files; for one that nobody knows, which was meant."""

import contextlib
import re
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from windflower.cli.console import console
from windflower.core.table import closest
from windflower.errors import FileError

if TYPE_CHECKING:
    from windflower.plant.graph import Plant
    from windflower.scene import SceneSettings

__all__ = ["check_plant_name", "check_wind_name", "plant_named", "scene_named"]

MOST_FILES = 1000  # of a folder, among which a similar name is sought


def plant_named(name: str, seed: int, detail: float) -> "Plant":
    """Grow a species or read a file; say what was repaired in a file."""
    from windflower.plant.detail import with_detail
    from windflower.plant.growth import grow
    from windflower.plant.importers import read_with_report
    from windflower.plant.species import species_names

    check_plant_name(name)
    if name in species_names() or name.endswith(".toml"):
        return grow(name, seed=seed, detail=detail)
    plant, report = read_with_report(name)
    for line in report.lines():
        console.print(line, style="dim")
    return with_detail(plant, detail) if detail != 1 else plant


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
    hint = _meant(name, known, scenes=scene_names()) or "windflower species lists them."
    raise FileError(f"a plant is a file or one of {', '.join(known)}; '{name}' is neither; {hint}")


def scene_named(name: str, out: Path, allow: Iterable[Path] | None = None) -> "SceneSettings":
    """Read a scene by its name or from its file; where a plant is named, say how to make a clip of it."""
    from windflower.mechanics.objects import OBJECTS
    from windflower.plant.species import species_names
    from windflower.scene import read_scene, scene_names

    if name in scene_names():
        return read_scene(name)  # those name no files
    instead = f"use windflower loop {name} -o {out if out.suffix == '.mp4' else 'clip.mp4'}."
    if name in species_names():
        raise FileError(f"'{name}' is neither a file nor a scene; it is a species: {instead}")
    if name in OBJECTS:
        raise FileError(f"'{name}' is neither a file nor a scene: {instead}")
    if not Path(name).exists():
        hint = _meant(name, (*scene_names(), *species_names(), *OBJECTS)) or "windflower scenes lists them."
        raise FileError(f"a scene is one of {', '.join(scene_names())}, or a .toml file; '{name}' is neither; {hint}")
    if not name.endswith(".toml"):
        raise FileError(f"a scene's file ends in .toml; '{name}' does not; if it is a plant, {instead}")
    return read_scene(name, allow=allow or ())


def check_wind_name(name: str) -> None:
    """Refuse what is neither a preset, a Beaufort number nor a file."""
    from windflower.wind import PRESETS

    if name in PRESETS or re.fullmatch(r"(beaufort[ -]?|b)?[0-9]{1,9}", name.lower()) or Path(name).exists():
        return
    known, hint = ", ".join(PRESETS), _meant(name, PRESETS) or "Try breeze."
    raise FileError(f"a wind is one of {known}, a Beaufort number or a file; '{name}' is none of them; {hint}")


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
