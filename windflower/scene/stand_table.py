"""What a `[[stands]]` table of a scene file may say: which plants, how many, where, and how they move."""

import math
from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import Field, field_validator, model_validator

from windflower.core.table import (
    Angle,
    Coordinate,
    Flag,
    Length,
    Number,
    OnGround,
    Seed,
    Table,
    Whole,
    nearest,
    refuse,
)
from windflower.errors import SpeciesError
from windflower.mechanics.things import THINGS, unfit_change
from windflower.motion.modal import ModalSettings
from windflower.motion.registry import AnyMotionSettings
from windflower.plant.species import species_names, species_of
from windflower.plant.species.changes import changed
from windflower.scene.density import DensitySettings, Likes
from windflower.scene.foliage import SheddingSettings

__all__ = [
    "AreaSettings",
    "Circle",
    "Rectangle",
    "Row",
    "StandSettings",
]


Variation = Annotated[Number, Field(ge=0, lt=1)]


class Rectangle(Table):
    """A rectangle in which trees are scattered."""

    kind: Literal["rectangle"]
    centre: OnGround = Field((0.0, 0.0), description="x and z, m")
    size: tuple[Length, Length] = Field(description="along x and along z, m")
    turn: Angle = Field(0.0, description="about its centre, degrees, clockwise seen from above")


class Circle(Table):
    """A circle in which trees are scattered."""

    kind: Literal["circle"]
    centre: OnGround = Field((0.0, 0.0), description="x and z, m")
    radius: Length = Field(description="m")


class Row(Table):
    """Trees in a line, evenly; with two rows an avenue, with more an orchard."""

    kind: Literal["row"]
    start: OnGround = Field(description="x and z of the first tree, m; of an avenue, midway between its rows")
    end: OnGround = Field(description="x and z of the last tree, m")
    rows: Whole = Field(1, ge=1, le=1000, description="side by side")
    gap: Length = Field(10.0, description="between rows, m")
    jitter: Number = Field(0.0, ge=0, le=1000, description="how far a tree may stand from its place, m")

    @model_validator(mode="after")
    def _has_a_length(self) -> Self:
        if math.dist(self.start, self.end) < 1e-3:
            refuse(f"start and end must lie apart; both are {list(self.start)}")
        return self


AreaSettings: TypeAlias = Annotated[Rectangle | Circle | Row, Field(discriminator="kind")]


class StandSettings(Table):
    """Plants of one kind. Stands without an area share a circle about the origin; a single tree stands there."""

    plant: str = Field(
        min_length=1,
        description="a species, or a file: a species' .toml, a scan, a saved plant; or a thing with sheets: "
        + ", ".join(f"`{name}`" for name in THINGS),
    )
    seed: Seed = Field(1, description="of the first specimen; the others have the next numbers")
    specimens: int = Field(
        1, ge=1, le=64, strict=True, description="different plants of the species, dealt out at random"
    )
    detail: Number = Field(1.0, gt=0, le=100, description="scales the number of nodes; 1 is the species' own")
    changes: dict[str, Any] = Field(
        {},
        description="other numbers for the species or the thing than its own: "
        "`{ growth.height = 12, leaf.per_metre = 4 }`, `{ length = 2.4 }`",
    )
    leaves: Flag = Field(True, description="false for a bare tree")
    count: Whole | None = Field(
        None, ge=1, le=1_000_000, description="how many trees; by default 1, in a row as many as `spacing` allows"
    )
    positions: tuple[OnGround, ...] | None = Field(
        None, min_length=1, max_length=1_000_000, description="x and z of each tree, m; instead of `count` and `area`"
    )
    area: AreaSettings | None = Field(None, description="where they are scattered, or the row they stand in")
    spacing: Length | None = Field(
        None, description="least distance between two, m; by default what suits the area and the number of trees in it"
    )
    density: DensitySettings | None = Field(None, description="where in the area they stand densely; evenly by default")
    steepest: Number | None = Field(
        None, gt=0, le=90, description="slope of the ground that they still stand on, degrees"
    )
    heights: tuple[Coordinate, Coordinate] | None = Field(
        None, description="of the ground that they stand on, from and to, m"
    )
    scale: Number = Field(1.0, gt=0, le=100, description="size over the plant's own")
    scale_variation: Variation | None = Field(
        None, description="by which the scale differs at most, up and down; by default 0.12, and 0 for things"
    )
    yaw: Angle = Field(0.0, description="turn about the vertical, degrees, counter-clockwise seen from above")
    yaw_variation: Number | None = Field(
        None, ge=0, le=180, description="by which the turn differs at most, degrees; by default 180, and 0 for things"
    )
    stiffness: Number = Field(1.0, gt=0, le=1000, description="factor on the wood's")
    damping: Number = Field(1.0, gt=0, le=1000, description="factor on the wood's")
    stiffness_variation: Variation | None = Field(
        None,
        description="by which it differs at most, which keeps neighbours out of step; by default 0.2, and 0 for things",
    )
    motion: AnyMotionSettings = Field(
        ModalSettings(kind="modal"), description="how they move: a kind, or a table with it"
    )
    flutter: Number = Field(1.0, ge=0, le=10, description="how far leaves turn in the wind over their kind's own")
    shedding: SheddingSettings | None = Field(
        None, description="leaves that come off and fall; they are in autumn unless the scene has a `season`"
    )

    @property
    def is_grown(self) -> bool:
        """Whether the plant is grown from a species; otherwise it is a thing, or read from a file."""
        return self.plant in species_names() or self.plant.endswith(".toml")

    @property
    def is_thing(self) -> bool:
        """Whether it is a thing with sheets: a flag, a sign."""
        return self.plant in THINGS

    @property
    def varies(self) -> tuple[float, float, float]:
        """By how much scale, turn in degrees, and stiffness differ at most; things are put up as they are made."""
        usual = (0.0, 0.0, 0.0) if self.is_thing else (0.12, 180.0, 0.2)
        given = (self.scale_variation, self.yaw_variation, self.stiffness_variation)
        scale, yaw, stiffness = (own if own is not None else by for own, by in zip(given, usual, strict=True))
        return scale, yaw, stiffness

    @property
    def likes(self) -> Likes:
        """What it asks of the ground."""
        return Likes(self.density, self.steepest, self.heights)

    @field_validator("plant")
    @classmethod
    def _known_plant(cls, plant: str) -> str:
        """A species or a thing that there is, or what looks like a file."""
        known = [*species_names(), *THINGS]
        if plant not in known and not any(mark in plant for mark in "./\\"):
            refuse(
                f"a plant is one of {', '.join(known)}, or a file; {plant[:40]!r} is neither. "
                f"{nearest(plant, known)}".rstrip(". ")
            )
        return plant

    @model_validator(mode="after")
    def _thing_fits(self) -> Self:
        if self.is_thing:
            if wrong := unfit_change(self.plant, self.changes):
                refuse(wrong.strip())
            if not self.motion.moves_sheets:
                refuse(f"a {self.plant} moves by its modes: modal or spectral; its motion is {self.motion.kind}")
        return self

    @model_validator(mode="after")
    def _changes_fit(self) -> Self:
        if self.changes and not (self.is_grown or self.is_thing):
            refuse(f"changes are for species; {self.plant[:40]!r} is read from a file")
        if self.changes and self.plant in species_names():
            try:
                changed(species_of(self.plant), self.changes)
            except SpeciesError as error:
                refuse(str(error).rstrip("."))
        return self

    @model_validator(mode="after")
    def _all_different(self) -> Self:
        motion = self.motion
        if motion.together and self.specimens > 1:
            refuse(f"with {motion.kind} motion every tree is different; leave out specimens, which is {self.specimens}")
        if self.shedding is not None and motion.keeps_leaves is not None:
            refuse(motion.keeps_leaves)
        return self

    @model_validator(mode="after")
    def _one_way_to_place(self) -> Self:
        if self.positions is not None and (self.count is not None or self.area is not None):
            refuse("positions already say where every tree stands; leave out count and area, or positions")
        if self.likes and (self.positions is not None or isinstance(self.area, Row)):
            refuse("density, steepest and heights are for scattered trees; these have positions or stand in a row")
        if self.heights is not None and self.heights[1] <= self.heights[0]:
            refuse(f"heights go from a lower to a higher one; they are {list(self.heights)}")
        if self.specimens > 1 and not self.is_grown:
            refuse(f"a file holds one plant, and a thing is one, so specimens must be 1; it is {self.specimens}")
        if isinstance(self.area, Row) and (self.count is None) == (self.spacing is None):
            given = "neither" if self.count is None else f"count {self.count} and spacing {self.spacing:g}"
            refuse(f"a row takes either count or spacing; it has {given}")
        return self
