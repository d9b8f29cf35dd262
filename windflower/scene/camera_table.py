"""The `[camera]` table of a scene file."""

import math
from itertools import pairwise
from typing import Annotated, Literal, Self, TypeAlias

from pydantic import Field, model_validator

from windflower.core.table import Angle, Flag, Length, Number, Point, Table, refuse

__all__ = ["CameraSettings", "CameraTable", "FixedCamera", "FlyCamera", "FramedCamera", "Key", "OrbitCamera"]


class CameraTable(Table):
    """Keys that all kinds of camera have."""

    field_of_view: Number = Field(40.0, ge=1, le=150, description="vertical field of view, degrees")
    clearing: Number = Field(3.0, ge=0, le=1000, description="no tree is scattered this near to the camera's path, m")
    over_ground: Flag = Field(False, description="whether heights of eye and target are relative to the ground below")
    aperture: Number = Field(
        0.0, ge=0, le=1, description="diameter of the lens, m; 0 has everything in focus, 0.03 little"
    )
    focus: Length | None = Field(None, description="distance in focus, m; by default that of the target")


class FixedCamera(CameraTable):
    """A camera that stands still."""

    kind: Literal["fixed"]
    eye: Point = Field(description="position of the camera: x, y (up) and z, m")
    target: Point = Field(description="point that it looks at, m")

    @model_validator(mode="after")
    def _looks_somewhere(self) -> Self:
        _refuse_blind(self.eye, self.target, "eye and target")
        return self


class OrbitCamera(CameraTable):
    """A camera that orbits a point."""

    kind: Literal["orbit"]
    target: Point | None = Field(None, description="the point that it orbits, m; by default the middle of the trees")
    distance: Length | None = Field(
        None, description="distance from the target, m; by default as near as shows all trees"
    )
    azimuth: Angle = Field(
        160.0, description="direction of the camera at the start, seen from the target: degrees clockwise from north"
    )
    elevation: Number = Field(
        5.0, ge=-85, le=85, description="angle of the camera above the horizon, seen from the target, degrees"
    )
    turn: Angle = Field(6.0, description="angular speed, degrees a second, clockwise seen from above; 0 stands still")


class FramedCamera(CameraTable):
    """A camera that stands still where a plant, or a group of plants, just fits its picture."""

    kind: Literal["framed"]
    subject: str = Field(
        "all", max_length=1000, description="all, a plant's name, the number of a stand, or one of several: `oak:2`"
    )
    margin: Number = Field(0.06, ge=0, le=0.45, description="free share of the picture's width and height on each side")
    azimuth: Angle = Field(
        160.0, description="direction of the camera seen from the subject: degrees clockwise from north"
    )
    elevation: Number = Field(
        5.0,
        ge=-85,
        le=85,
        description="angle of the camera above the horizon, degrees; more where it would be in the ground",
    )


class Key(Table):
    """A key point of a fly-through."""

    eye: Point = Field(description="position of the camera: x, y (up) and z, m")
    target: Point | None = Field(
        None, description="point that it looks at there, m; by default straight ahead. All keys or none have one"
    )
    at: Number | None = Field(None, ge=0, le=1e6, description="time at which it is there, s. All keys or none have one")


class FlyCamera(CameraTable):
    """A camera that flies along key points in smooth curves."""

    kind: Literal["fly"]
    keys: tuple[Key, ...] = Field(min_length=2, max_length=10_000, description="the key points, in order")
    pace: Literal["constant", "even"] | None = Field(
        None, description="constant (the default): one speed throughout; even: the same time from key to key"
    )
    closed: Flag = Field(False, description="whether it flies back to its first point, in a closed loop")

    @model_validator(mode="after")
    def _keys_agree(self) -> Self:
        for name in ("target", "at"):
            given = sum(getattr(key, name) is not None for key in self.keys)
            if given not in (0, len(self.keys)):
                refuse(f"all or none of the {len(self.keys)} keys must have {name}; {given} have it")
        times = [key.at for key in self.keys if key.at is not None]
        if any(later <= earlier for earlier, later in pairwise(times)):
            refuse(f"the times of keys must grow from one to the next; at is {', '.join(f'{t:g}' for t in times)}")
        if times and (self.pace or self.closed):
            refuse("pace and closed are for keys without at; these have one each")
        self._check_places()
        return self

    def _check_places(self) -> None:
        around = (*self.keys, self.keys[0]) if self.closed else self.keys
        for key, following in pairwise(around):
            _refuse_blind(key.eye, following.eye, "the eyes of two keys in a row")
            if key.target is not None:
                _refuse_blind(key.eye, key.target, "eye and target of a key")


CameraSettings: TypeAlias = Annotated[FixedCamera | OrbitCamera | FramedCamera | FlyCamera, Field(discriminator="kind")]


def _refuse_blind(one: Point, other: Point, what: str) -> None:
    if math.dist(one, other) < 1e-3:
        refuse(f"{what} must lie apart; both are {list(one)}")
