"""The top level of a scene file, and its `[[clearings]]` and `[quality]` tables."""

import re
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from windflower.core.table import Length, Number, OnGround, Seed, Table, Whole, refuse
from windflower.errors import SceneError
from windflower.motion.leaves.seasons import NAMES
from windflower.scene.camera_table import CameraSettings, FramedCamera, OrbitCamera
from windflower.scene.foliage import SeasonName
from windflower.scene.ground import GroundSettings
from windflower.scene.stand_table import StandSettings
from windflower.scene.subject_names import subject_of
from windflower.scene.sun import SunSettings
from windflower.scene.wind_table import WindSettings

__all__ = ["ClearingSettings", "QualitySettings", "SceneSettings"]


class ClearingSettings(Table):
    """A place where no tree is scattered."""

    centre: OnGround = Field(description="x and z, m")
    radius: Length = Field(description="m")


class QualitySettings(Table):
    """Rendering quality."""

    level: Literal["draft", "good", "best"] = Field("good", description="what `--quality` chooses")
    shadows: Literal["map", "planar"] = Field(
        "map", description="`planar` is quicker and falls on level ground only, not on trees"
    )


def _parsed_size(value: Any) -> Any:
    """Parse a size such as `960x540`."""
    if not isinstance(value, str):
        return value
    found = re.fullmatch(r"\s*(\d{1,6})\s*[x×]\s*(\d{1,6})\s*", value)
    if not found:
        refuse(f'a size is written [960, 540] or "960x540"; this is {value[:40]!r}')
    return int(found[1]), int(found[2])


Pixels = Annotated[Whole, Field(ge=16, le=16384)]
Size = Annotated[tuple[Pixels, Pixels], BeforeValidator(_parsed_size)]


class SceneSettings(Table):
    """What a scene file says. All it needs is one stand."""

    title: str = Field(
        "", max_length=200, description="title of the scene, shown by the window and by `windflower scenes`"
    )
    seed: Seed = Field(1, description="seed of all random numbers; the same scene and seed give the same frames")
    seconds: Number = Field(6.0, gt=0, le=86_400, description="length of a clip, s")
    fps: Number = Field(24.0, gt=0, le=240, description="frames per second")
    size: Size = Field((960, 540), description='width and height of the picture, pixels: `[960, 540]` or `"960x540"`')
    stands: tuple[StandSettings, ...] = Field(min_length=1, max_length=1000, description="the plants")
    wind: WindSettings = Field(WindSettings(), description="the wind")
    sun: SunSettings = Field(SunSettings(), description="position of the sun, clouds and haze")
    ground: GroundSettings = Field(GroundSettings(), description="the ground, its hills or its pond")
    camera: CameraSettings = Field(OrbitCamera(kind="orbit"), description="the camera")
    season: SeasonName | None = Field(
        None,
        description=f"season of the leaves: {', '.join(NAMES)}, or a day of the year, 0 to 366; by default as grown",
    )
    clearings: tuple[ClearingSettings, ...] = Field((), max_length=1000, description="where no tree is scattered")
    quality: QualitySettings = Field(QualitySettings(), description="rendering quality")

    @model_validator(mode="after")
    def _a_frame_holds_plants(self) -> Self:
        if isinstance(self.camera, FramedCamera):
            try:
                subject_of(self.camera.subject, self.stands)
            except SceneError as error:
                refuse(str(error).removesuffix("."))
        return self

    @model_validator(mode="after")
    def _planar_shadows_need_a_plane(self) -> Self:
        if self.ground.terrain is not None and self.quality.shadows == "planar":
            refuse('planar shadows fall on level ground; leave out ground.terrain, or have quality.shadows = "map"')
        return self
