"""Makes a scene of any subject: a scene, a scene file, a species, an object, a plant file, or a plant."""

import os
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

from pydantic import ValidationError

from windflower.core.reading import is_file, read_file
from windflower.core.table import nearest
from windflower.core.toml_text import parse_toml
from windflower.errors import FileError, SceneError
from windflower.mechanics.objects import OBJECTS
from windflower.mechanics.scans import PreparedScan, prepare_scan
from windflower.plant.graph import Plant
from windflower.plant.species import species_names, species_of
from windflower.scene.camera_table import OrbitCamera
from windflower.scene.error_messages import scene_error
from windflower.scene.files import read_scene, scene_names
from windflower.scene.frame_edit import with_frame
from windflower.scene.ground import GroundSettings
from windflower.scene.scene import Scene, build
from windflower.scene.settings import SceneSettings
from windflower.scene.stand_table import StandSettings
from windflower.scene.stands import PlantCache
from windflower.scene.wind_table import WindSettings

__all__ = ["Named", "Subject", "is_scene", "scene_of", "settings_of"]

Named: TypeAlias = str | os.PathLike[str] | SceneSettings | Scene
"""A scene, or the name or file of a scene or of a plant."""
Subject: TypeAlias = Named | Plant
"""A subject by name, or a plant."""

ANY_SPECIES = "oak"  # placeholder species in the settings of a scene of a plant without file or species
PIXELS = 16, 16384  # least and most width and height of a picture, pixels
STRAW = ("wheat-straw", "grass-culm", "reed")  # of plants that a meadow would hide
WATER_CURRENT = WindSettings(speed=0.15, turbulence=1.0, gustiness=0.0)


def settings_of(
    subject: Named, *, seed: int = 1, allow: Iterable[str | os.PathLike[str]] = (), **stand: Any
) -> SceneSettings:
    """Settings of a scene, given by name or file, as settings, or built.

    A species, an object or a plant's file becomes a scene of that one plant, in a breeze or a current of water; `seed`
    says which specimen of a species, and `stand` has other keys of its stand. A scene's file names files in its own
    folder and in those of `allow`.
    """
    if isinstance(subject, Scene):
        return subject.settings
    if isinstance(subject, SceneSettings):
        return subject
    return _settings_named(os.fspath(subject), allow, {"seed": seed, **stand})


def scene_of(
    subject: Subject,
    *,
    size: tuple[int, int] | None = None,
    allow: Iterable[str | os.PathLike[str]] = (),
    stand: Mapping[str, Any] | None = None,
    wind: WindSettings | None = None,
    frame: str | None = None,
) -> Scene:
    """Build the scene of a subject; cameras are fitted to the picture's `size`, width and height in pixels.

    A scene's file names files in its own folder and in those of `allow`. Of a plant, keys of its stand and the wind
    may be said. With a `frame` the camera is fitted to what it names: see `with_frame`.
    """
    if isinstance(subject, Scene) and frame is None:
        return subject
    if isinstance(subject, Plant):
        settings = _settings_of_plant(subject, **(stand or {}))
        settings = settings if wind is None else settings.model_copy(update={"wind": wind})
        return build(_framed(_sized(settings, size), frame), plants=_only(subject))
    return build(_framed(_sized(settings_of(subject, allow=allow), size), frame))


def _framed(settings: SceneSettings, frame: str | None) -> SceneSettings:
    return settings if frame is None else with_frame(settings, frame)


def is_scene(name: str) -> bool:
    """Whether a name is a scene's, or that of a file that describes no species."""
    return name in scene_names() or (name.endswith(".toml") and not _describes_a_species(Path(name)))


def _settings_named(name: str, allow: Iterable[str | os.PathLike[str]], stand: dict[str, Any]) -> SceneSettings:
    """Settings of a scene by name or file, or of one plant by species, object or file, with these keys of its stand."""
    if is_scene(name):
        if keys := [key for key, value in stand.items() if (key, value) != ("seed", 1)]:
            raise SceneError(
                f"{keys[0]} is said of a plant; {Path(name).name} is a scene, whose stands have it as a key. "
                "Change it there, or name a plant."
            )
        return read_scene(name, allow=allow)
    own = (*species_names(), *OBJECTS)
    if name not in own and not is_file(name):
        known = (*scene_names(), *own)
        hint = nearest(name, known) or f"known are {', '.join(known)}."
        raise FileError(f"'{name}' is neither a scene, a species nor a file; {hint}")
    return _alone(name, name, **stand) if name in own else _alone(str(Path(name).resolve()), Path(name).name, **stand)


def _alone(plant: str, title: str, **keys: Any) -> SceneSettings:
    """Settings of one plant in a breeze, or in a current if it grows in water; `keys` are of its stand."""
    unvaried: dict[str, Any] = {"scale_variation": 0.0, "yaw_variation": 0.0, "stiffness_variation": 0.0}
    try:
        stand = StandSettings(plant=plant, **unvaried, **keys)
    except ValidationError as error:
        raise scene_error(error, title) from None
    species = species_of(stand.plant) if stand.is_grown else None
    underwater = species is not None and species.habitat == "water"
    herb = species is not None and (species.blade is not None or species.wood in STRAW)
    return SceneSettings(
        title=title,
        stands=(stand,),
        wind=WATER_CURRENT if underwater else WindSettings(preset="breeze"),
        ground=GroundSettings(kind="seabed" if underwater else "soil" if herb else "meadow"),
        camera=OrbitCamera(kind="orbit", turn=0.0),
    )


def _settings_of_plant(plant: Plant, **keys: Any) -> SceneSettings:
    known = plant.species in species_names()
    return _alone(plant.species if known else ANY_SPECIES, plant.species, seed=plant.seed or 1, **keys)


def _only(plant: Plant) -> PlantCache:
    """A cache that gives this plant and its modes for any table."""
    ready = prepare_scan(plant) if plant.seed is None else PreparedScan(plant)
    cache = PlantCache()
    cache.plant = lru_cache(lambda *_: ready)
    return cache


def _sized(settings: SceneSettings, size: tuple[int, int] | None) -> SceneSettings:
    if size is None:
        return settings
    least, most = PIXELS
    if len(size) != 2 or not all(least <= side <= most for side in size):
        raise SceneError(f"a size is width and height in pixels, {least} to {most} each; it is {size}.")
    return settings.model_copy(update={"size": (int(size[0]), int(size[1]))})


def _describes_a_species(path: Path) -> bool:
    try:
        return bool(
            {"growth", "base"} & parse_toml(read_file(path, "scene_file"), origin=path.name, error=FileError).keys()
        )
    except FileError:
        return False  # reading it as a scene will report why
