"""Changes to a scene's settings, checked as a scene file is."""

from typing import Any, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from windflower.core.arrays import FloatArray
from windflower.scene import SceneSettings
from windflower.scene.camera_table import FixedCamera
from windflower.scene.complaints import complaint
from windflower.scene.foliage import SeasonName
from windflower.scene.settings import ClearingSettings
from windflower.scene.wind_table import GustSettings
from windflower.viewer.cameras import Eye
from windflower.wind import wind_axes

__all__ = [
    "STRENGTHS",
    "drafted",
    "seen_by",
    "with_gust",
    "with_puff",
    "with_season",
    "with_stand",
    "with_table",
    "with_wind",
]

DRAFT = 500  # nodes of a plant while someone turns its knobs
ARRIVES = 1.0  # s until a gust on demand reaches what the eye looks at
GUST, LEAST_GUST = 1.2, 5.0  # its strength over the mean wind, and at least, m/s
PUFF = 0.35  # width of a puff over the distance of what it is meant for
PAST = 60.0  # s after which it is forgotten
STRENGTHS = ("preset", "beaufort", "speed", "file")
"""Ways to say how hard the wind blows, of which there is one at a time."""

Model = TypeVar("Model", bound=BaseModel)


def _changed(table: Model, **changes: Any) -> Model:
    try:
        return type(table).model_validate({**table.model_dump(), **changes})
    except ValidationError as error:
        raise complaint(error, "this change") from None


def with_wind(settings: SceneSettings, **changes: Any) -> SceneSettings:
    """Another wind. A new strength takes the place of the one before, however that was said."""
    if any(name in changes for name in STRENGTHS):
        changes = {**dict.fromkeys(STRENGTHS), **changes}
    return settings.model_copy(update={"wind": _changed(settings.wind, **changes)})


def with_gust(settings: SceneSettings, mean: float, target: FloatArray, now: float) -> tuple[SceneSettings, float]:
    """One gust more, which soon reaches a point (3,), and its strength in m/s; those long past are dropped."""
    strength = min(max(GUST * mean, LEAST_GUST), 100.0)
    speed = min(max(mean, strength), 100.0)
    along, left, _ = wind_axes(settings.wind.direction)
    at = now + ARRIVES - float(target @ along) / speed
    gust = GustSettings(at=at, strength=strength, speed=speed, offset=float(target @ left))
    recent = [one for one in settings.wind.gusts if one.at + one.duration + PAST > now]
    return with_wind(settings, gusts=[one.model_dump() for one in (*recent, gust)]), strength


def with_puff(
    settings: SceneSettings, mean: float, eye: FloatArray, ray: FloatArray, far: float, now: float
) -> tuple[SceneSettings, float]:
    """One puff more, which runs from the eye (3,) along a ray (3,), and its strength in m/s; past ones are dropped.

    far  how far away is what it is meant for, m: it is as wide as a part of that, and fades behind
    """
    strength = min(max(2 * GUST * mean, 2 * LEAST_GUST), 100.0)
    puff = {"kind": "front", "place": eye.tolist(), "toward": ray.tolist(), "at": now, "strength": strength}
    puff |= {"speed": max(far / ARRIVES, 1.0), "length": max(far, 0.5), "width": PUFF * far, "reach": 3 * far}
    kept = [one.model_dump() for one in settings.wind.sources if one.ends >= now]
    return with_wind(settings, sources=[*kept, puff]), strength


def with_season(settings: SceneSettings, season: float | str | None) -> SceneSettings:
    """Another season or day of the year, or none."""
    try:
        known = TypeAdapter(SeasonName | None).validate_python(season)
    except ValidationError as error:
        raise complaint(error, "this change") from None
    return settings.model_copy(update={"season": known})


def with_table(settings: SceneSettings, name: str, **changes: Any) -> SceneSettings:
    """Another sun, ground or quality."""
    return settings.model_copy(update={name: _changed(getattr(settings, name), **changes)})


def with_stand(settings: SceneSettings, index: int, **changes: Any) -> SceneSettings:
    """Another stand in the place of one."""
    stands = list(settings.stands)
    stands[index] = _changed(stands[index], **changes)
    return settings.model_copy(update={"stands": tuple(stands)})


def drafted(settings: SceneSettings, index: int, nodes: int) -> SceneSettings:
    """The same with fewer nodes in one stand, whose plants have this many, so that it grows while someone watches."""
    detail = settings.stands[index].detail * min(1.0, DRAFT / max(nodes, 1))
    return with_stand(settings, index, detail=detail)


def seen_by(settings: SceneSettings, eye: Eye, way: Any) -> SceneSettings:
    """The same with an eye that stands where someone left it, and trees that stay where they are.

    way  (n, 2) x and z of the way of the scene's own camera that trees keep clear of
    """
    own = settings.camera
    place, target = (tuple(round(float(x), 4) for x in point) for point in (eye.place, eye.target))
    camera = FixedCamera(
        kind="fixed",
        eye=place,
        target=target,
        field_of_view=eye.field_of_view,
        clearing=0.0,
        aperture=eye.aperture,
        focus=eye.focus,
    )
    clear = [ClearingSettings(centre=(float(x), float(z)), radius=own.clearing) for x, z in way if own.clearing > 0]
    return settings.model_copy(update={"camera": camera, "clearings": (*settings.clearings, *clear)})
