"""What the `[camera]` table of a scene file may say."""

import math
from itertools import pairwise
from typing import Annotated, Literal, Self, TypeAlias

from pydantic import Field, model_validator

from windflower.core.table import Angle, Flag, Length, Number, Point, Table, refuse

__all__ = ["CameraSettings", "Eye", "FixedCamera", "FlyCamera", "Key", "OrbitCamera"]


class Eye(Table):
    """What all cameras have."""

    field_of_view: Number = Field(40.0, ge=1, le=150, description="from the bottom of the picture to its top, degrees")
    clearing: Number = Field(3.0, ge=0, le=1000, description="no tree is scattered this near to the eye's way, m")
    over_ground: Flag = Field(False, description="whether heights of eye and target are counted from the ground below")
    aperture: Number = Field(0.0, ge=0, le=1, description="of the lens, m; 0 has everything in focus, 0.03 little")
    focus: Length | None = Field(None, description="how far away is sharp, m; by default what the eye looks at")


class FixedCamera(Eye):
    """An eye that stands still."""

    kind: Literal["fixed"]
    eye: Point = Field(description="x, y (up) and z, m")
    target: Point = Field(description="what it looks at, m")

    @model_validator(mode="after")
    def _looks_somewhere(self) -> Self:
        _refuse_blind(self.eye, self.target, "eye and target")
        return self


class OrbitCamera(Eye):
    """An eye that circles about a point."""

    kind: Literal["orbit"]
    target: Point | None = Field(None, description="the point, m; by default the middle of the trees")
    distance: Length | None = Field(None, description="of the eye from it, m; by default as near as shows all trees")
    azimuth: Angle = Field(160.0, description="where the eye starts, seen from the point: degrees clockwise from north")
    elevation: Number = Field(5.0, ge=-85, le=85, description="of the eye, seen from the point, degrees")
    turn: Angle = Field(6.0, description="degrees a second, clockwise seen from above; 0 stands still")


class Key(Table):
    """A point of a fly-through."""

    eye: Point = Field(description="x, y (up) and z, m")
    target: Point | None = Field(None, description="what it looks at there, m; by default where it goes. All or none")
    at: Number | None = Field(None, ge=0, le=1e6, description="when it is there, s. All or none")


class FlyCamera(Eye):
    """An eye that flies along points in smooth curves."""

    kind: Literal["fly"]
    keys: tuple[Key, ...] = Field(min_length=2, max_length=10_000, description="the points, in order")
    pace: Literal["constant", "even"] | None = Field(
        None, description="constant (the default): one speed all along; even: the same time from point to point"
    )
    closed: Flag = Field(False, description="whether it flies back to its first point, around and around")

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


CameraSettings: TypeAlias = Annotated[FixedCamera | OrbitCamera | FlyCamera, Field(discriminator="kind")]


def _refuse_blind(one: Point, other: Point, what: str) -> None:
    if math.dist(one, other) < 1e-3:
        refuse(f"{what} must lie apart; both are {list(one)}")
