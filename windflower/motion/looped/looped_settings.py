"""Settings of a loop of any other motion in a scene file."""

from typing import Any, Literal, Self

from pydantic import Field, model_validator

from windflower.core.table import Number, Whole, refuse
from windflower.motion.contract import Motion
from windflower.motion.looped.looped_motion import LoopedMotion
from windflower.motion.registry import AnyMotionSettings, MotionKind
from windflower.motion.settings import Circumstances, MotionSettings, Specimen

__all__ = ["KIND", "LoopSettings"]


class LoopSettings(MotionSettings):
    """Another motion that repeats exactly: recorded once in the scene's wind, and played over and over."""

    moves_sheets = True

    kind: Literal["loop"]
    of: AnyMotionSettings = Field(description="the motion that is recorded: a kind, or a table with it")
    period: Number | None = Field(
        None, gt=0, le=600, description="after which it repeats, s; by default the length of the clip"
    )
    headings: Whole = Field(4, ge=1, le=64, description="directions of the wind about the plant that are recorded")

    @model_validator(mode="after")
    def _one_plant(self) -> Self:
        if self.of.together:
            refuse(f"a loop is of one plant; with {self.of.kind} motion every tree is different")
        return self

    @property
    def modes_needed(self) -> tuple[int, int] | None:
        """As the recorded motion."""
        return self.of.modes_needed

    @property
    def keeps_leaves(self) -> str | None:  # type: ignore[override]
        """As the recorded motion."""
        return self.of.keeps_leaves

    @property
    def veins(self) -> str:
        """As the recorded motion."""
        return self.of.veins

    def quivers_above(self, specimen: Specimen) -> float | None:
        """As the recorded motion; twigs then repeat with the loop."""
        return self.of.quivers_above(specimen)

    def motion(self, specimen: Specimen, around: Circumstances) -> Motion[Any]:
        """The recording of a specimen."""
        period = around.seconds if self.period is None else self.period
        return LoopedMotion(self.of.motion(specimen, around), around.wind, period=period, headings=self.headings)

    def for_sheets(self, specimen: Specimen) -> "LoopSettings":
        """As the recorded motion; a flag turns with the wind, which then always comes from one side."""
        headings = {"headings": 1} if specimen.flies else {}
        return self.model_copy(update={"of": self.of.for_sheets(specimen)} | headings)


KIND = MotionKind(LoopSettings)
