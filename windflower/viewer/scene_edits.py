"""Edits of a scene's settings, validated like a scene file; and the growth controls of a species."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from windflower.core.arrays import FloatArray
from windflower.plant.species import Species
from windflower.plant.species.changes import changed
from windflower.plant.species.settings import Colonisation, Level, LSystem, Recursion
from windflower.scene import SceneSettings
from windflower.scene.camera_table import FixedCamera
from windflower.scene.error_messages import scene_error
from windflower.scene.foliage import SeasonName
from windflower.scene.frame_edit import clearings_of
from windflower.scene.scene import low_camera_path
from windflower.scene.wind_table import GustSettings
from windflower.viewer.view_camera import ViewCamera
from windflower.wind import wind_axes

__all__ = [
    "WIND_STRENGTHS",
    "GrowthControl",
    "as_draft",
    "growth_controls",
    "with_camera",
    "with_gust",
    "with_number",
    "with_puff",
    "with_season",
    "with_stand",
    "with_table",
    "with_wind",
]

DRAFT_NODES = 500  # nodes of a plant while someone drags a number of its growth
GUST_DELAY = 1.0  # s until a gust on demand reaches the camera's target
GUST_FACTOR, MIN_GUST = 1.2, 5.0  # strength of a gust over the mean wind, and at least, m/s
PUFF_WIDTH = 0.35  # width of a puff over the distance of the camera's target
GUST_MEMORY = 60.0  # s after its end until a gust is dropped from the settings
WIND_STRENGTHS = ("preset", "beaufort", "speed", "file")
"""Keys that set the strength of the wind; one of them at a time."""

Model = TypeVar("Model", bound=BaseModel)


def _changed(table: Model, **changes: Any) -> Model:
    try:
        return type(table).model_validate({**table.model_dump(), **changes})
    except ValidationError as error:
        raise scene_error(error, "this change") from None


# Wind.


def with_wind(settings: SceneSettings, **changes: Any) -> SceneSettings:
    """Change the wind. A new strength replaces the old one, whichever key that had."""
    if any(name in changes for name in WIND_STRENGTHS):
        changes = {**dict.fromkeys(WIND_STRENGTHS), **changes}
    return settings.model_copy(update={"wind": _changed(settings.wind, **changes)})


def with_gust(settings: SceneSettings, mean: float, target: FloatArray, now: float) -> tuple[SceneSettings, float]:
    """Add a gust that soon reaches a point (3,); returns its strength too, m/s. Gusts long past are dropped."""
    strength = min(max(GUST_FACTOR * mean, MIN_GUST), 100.0)
    speed = min(max(mean, strength), 100.0)
    along, left, _ = wind_axes(settings.wind.direction)
    at = now + GUST_DELAY - float(target @ along) / speed
    gust = GustSettings(at=at, strength=strength, speed=speed, offset=float(target @ left))
    recent = [one for one in settings.wind.gusts if one.at + one.duration + GUST_MEMORY > now]
    return with_wind(settings, gusts=[one.model_dump() for one in (*recent, gust)]), strength


def with_puff(
    settings: SceneSettings, mean: float, start: FloatArray, ray: FloatArray, distance: float, now: float
) -> tuple[SceneSettings, float]:
    """Add a puff that runs from a point (3,) along a ray (3,); returns its strength too, m/s. Past ones are dropped.

    distance  distance of its target, m: sets the puff's width and where it fades
    """
    strength = min(max(2 * GUST_FACTOR * mean, 2 * MIN_GUST), 100.0)
    puff = {"kind": "front", "place": start.tolist(), "toward": ray.tolist(), "at": now, "strength": strength}
    puff |= {"speed": max(distance / GUST_DELAY, 1.0), "length": max(distance, 0.5)}
    puff |= {"width": PUFF_WIDTH * distance, "reach": 3 * distance}
    kept = [one.model_dump() for one in settings.wind.sources if one.ends >= now]
    return with_wind(settings, sources=[*kept, puff]), strength


# Season, stands, camera.


def with_season(settings: SceneSettings, season: float | str | None) -> SceneSettings:
    """Change the season: its name, a day of the year, or None."""
    try:
        known = TypeAdapter(SeasonName | None).validate_python(season)
    except ValidationError as error:
        raise scene_error(error, "this change") from None
    return settings.model_copy(update={"season": known})


def with_table(settings: SceneSettings, name: str, **changes: Any) -> SceneSettings:
    """Change a table of the scene file: sun, ground or quality."""
    return settings.model_copy(update={name: _changed(getattr(settings, name), **changes)})


def with_stand(settings: SceneSettings, index: int, **changes: Any) -> SceneSettings:
    """Change one stand."""
    stands = list(settings.stands)
    stands[index] = _changed(stands[index], **changes)
    return settings.model_copy(update={"stands": tuple(stands)})


def as_draft(settings: SceneSettings, index: int, nodes: int) -> SceneSettings:
    """Lower the detail of one stand, whose plants have this many nodes now, so that they grow quickly."""
    detail = settings.stands[index].detail * min(1.0, DRAFT_NODES / max(nodes, 1))
    return with_stand(settings, index, detail=detail)


def with_camera(settings: SceneSettings, camera: ViewCamera) -> SceneSettings:
    """Fix the camera at its current view; trees stay where they are."""
    place, target = (tuple(round(float(x), 4) for x in point) for point in (camera.place, camera.target))
    fixed = FixedCamera(
        kind="fixed",
        eye=place,
        target=target,
        field_of_view=camera.field_of_view,
        clearing=0.0,
        aperture=camera.aperture,
        focus=camera.focus,
    )
    clear = clearings_of(settings, low_camera_path(settings))
    return settings.model_copy(update={"camera": fixed, "clearings": (*settings.clearings, *clear)})


# Growth.


@dataclass(frozen=True)
class GrowthControl:
    """A growth parameter of a species, and its slider.

    path       keys from the top of the species' file to the number
    group      heading in the panel; empty for none
    low, high  range of the slider
    format     printf format of the number
    tip        what the number means
    """

    path: tuple[str, ...]
    group: str
    label: str
    value: float
    low: float
    high: float
    format: str = "%.2f"
    tip: str = "a constant of the growth rules"


def growth_controls(species: Species, changes: Mapping[str, Any] | None = None) -> tuple[GrowthControl, ...]:
    """All growth controls of a species: size first, then branches level by level, then wood and leaves.

    Ranges are those of the unchanged species, so that a slider stays where it is while it is dragged.
    """
    own = tuple(replace(control, tip=_meaning(species, control.path) or control.tip) for control in _controls(species))
    if not changes:
        return own
    now = {control.path: control.value for control in _controls(changed(species, changes))}
    return tuple(replace(control, value=now[control.path]) for control in own)


def with_number(changes: Mapping[str, Any], path: tuple[str, ...], value: float) -> dict[str, Any]:
    """Add the change of one number to the changes of a species."""
    first, *rest = path
    inner = with_number(changes.get(first, {}), tuple(rest), value) if rest else value
    return {**changes, first: inner}


def _meaning(table: Any, path: tuple[str, ...]) -> str:
    """Description of a number in a species' file; empty if it has none."""
    key, *rest = path
    if not isinstance(table, BaseModel):
        inner, described = table[int(key) if key.isdigit() else key], ""
    else:
        inner, described = getattr(table, key), type(table).model_fields[key].description or ""
    return (_meaning(inner, tuple(rest)) if rest else "") or described


def _controls(species: Species) -> Iterator[GrowthControl]:
    growth = species.growth
    if isinstance(growth, Recursion):
        yield from _of_recursion(growth)
    elif isinstance(growth, Colonisation):
        yield from _of_colonisation(growth)
    else:
        yield from _of_lsystem(growth)
    yield from _of_wood_and_leaves(species)


def _of_recursion(growth: Recursion) -> Iterator[GrowthControl]:
    yield _height(growth.height)
    for number, level in enumerate(growth.levels):
        yield from _of_level(number, level)


def _of_level(number: int, level: Level) -> Iterator[GrowthControl]:
    path, group = ("growth", "levels", str(number)), "trunk" if number == 0 else f"branches of level {number}"
    if number:
        most = max(3 * level.branches, 4.0)
        yield GrowthControl((*path, "branches"), group, "number", level.branches, 0, most, "%.0f")
        yield GrowthControl((*path, "angle", "0"), group, "angle at base", level.angle[0], 0, 150, "%.0f°")
        yield GrowthControl((*path, "angle", "1"), group, "angle at tip", level.angle[1], 0, 150, "%.0f°")
        yield GrowthControl((*path, "length"), group, "length", level.length, 0.05, max(2 * level.length, 0.1))
    yield GrowthControl((*path, "wander"), group, "crookedness", level.wander, 0, 120, "%.0f°")


def _of_colonisation(growth: Colonisation) -> Iterator[GrowthControl]:
    yield _height(growth.height)
    yield GrowthControl(("growth", "width"), "", "crown width", growth.width, 0.1, max(2 * growth.width, 1.0))
    yield GrowthControl(("growth", "bole"), "", "bare trunk", growth.bole, 0, 0.9)
    yield GrowthControl(("growth", "kill"), "branches", "distance", growth.kill, 1.0, 6.0)
    yield GrowthControl(("growth", "wander"), "branches", "crookedness", growth.wander, 0, 1)
    yield GrowthControl(("growth", "weight"), "branches", "rise", growth.weight, -1, 1)
    if growth.twigs:
        yield GrowthControl(("growth", "twigs", "per_node"), "twigs", "number", growth.twigs.per_node, 0.1, 4)
        yield GrowthControl(("growth", "twigs", "angle"), "twigs", "angle", growth.twigs.angle, 0, 120, "%.0f°")


def _of_lsystem(growth: LSystem) -> Iterator[GrowthControl]:
    for name, value in growth.constants.items():
        low, high = sorted((0.4 * value, 2 * value))
        yield GrowthControl(("growth", "constants", name), "", name, value, low, high, "%.3g")


def _of_wood_and_leaves(species: Species) -> Iterator[GrowthControl]:
    group, trunk = "wood and leaves", species.girth.trunk
    yield GrowthControl(("girth", "trunk"), group, "trunk radius", trunk, 0.3 * trunk, 3 * trunk, "%.3f m")
    if species.leaf:
        per_metre = species.leaf.per_metre
        yield GrowthControl(("leaf", "per_metre"), group, "leaves / m", per_metre, 0, max(3 * per_metre, 3), "%.1f")
        yield GrowthControl(("leaf", "droop"), group, "leaf droop", species.leaf.droop, -1, 1)


def _height(height: float) -> GrowthControl:
    return GrowthControl(("growth", "height"), "", "height", height, 0.3 * height, 2 * height, "%.1f m")
