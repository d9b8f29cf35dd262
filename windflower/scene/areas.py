"""The `area` of a `[[stands]]` table: where trees are scattered, or the row that they stand in."""

import math
from typing import Annotated, Literal, Self, TypeAlias

from pydantic import Field, model_validator

from windflower.core.table import Angle, Length, Number, OnGround, Table, Whole, refuse

__all__ = ["AreaSettings", "Circle", "Rectangle", "Row"]


class Rectangle(Table):
    """A rectangle in which trees are scattered."""

    kind: Literal["rectangle"]
    centre: OnGround = Field((0.0, 0.0), description="x and z, m")
    size: tuple[Length, Length] = Field(description="size along x and along z, m")
    turn: Angle = Field(0.0, description="rotation about its centre, degrees, clockwise seen from above")


class Circle(Table):
    """A circle in which trees are scattered."""

    kind: Literal["circle"]
    centre: OnGround = Field((0.0, 0.0), description="x and z, m")
    radius: Length = Field(description="m")


class Row(Table):
    """Evenly spaced trees in a line; with two rows an avenue, with more an orchard."""

    kind: Literal["row"]
    start: OnGround = Field(description="x and z of the first tree, m; of an avenue, midway between its rows")
    end: OnGround = Field(description="x and z of the last tree, m")
    rows: Whole = Field(1, ge=1, le=1000, description="number of rows side by side")
    gap: Length = Field(10.0, description="distance between rows, m")
    jitter: Number = Field(0.0, ge=0, le=1000, description="largest random offset of a tree from its place, m")

    @model_validator(mode="after")
    def _has_a_length(self) -> Self:
        if math.dist(self.start, self.end) < 1e-3:
            refuse(f"start and end must lie apart; both are {list(self.start)}")
        return self


AreaSettings: TypeAlias = Annotated[Rectangle | Circle | Row, Field(discriminator="kind")]
