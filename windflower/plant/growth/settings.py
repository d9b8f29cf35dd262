"""What a species file may say under `[growth]`, one table for each way of growing."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["Colonisation", "Growth", "LSystem", "Recursion"]


class Table(BaseModel):
    """A table of a species file: nothing unknown in it, nothing changed after reading."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Recursion(Table):
    """Parametric recursion."""

    method: Literal["recursion"]


class Colonisation(Table):
    """Space colonisation."""

    method: Literal["colonisation"]


class LSystem(Table):
    """L-system."""

    method: Literal["l-system"]


Growth = Annotated[Recursion | Colonisation | LSystem, Field(discriminator="method")]
