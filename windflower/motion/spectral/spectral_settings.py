"""What a scene file may say of motion that repeats."""

from typing import Any, Literal, Self

from pydantic import Field, model_validator

from windflower.core.table import Flag, Length, Number, Whole, refuse
from windflower.errors import SceneError
from windflower.motion.contract import Motion
from windflower.motion.settings import Circumstances, MotionSettings, Specimen
from windflower.motion.spectral.noise_filter import NoiseFilter
from windflower.motion.spectral.spectral_motion import SpectralMotion
from windflower.wind import Turbulence, turbulence_of

__all__ = ["SpectralSettings"]


class SpectralSettings(MotionSettings):
    """Motion that repeats exactly, by modes in a random wind (Stam 1996). Gusts and hands do not reach it."""

    moves_sheets = True

    kind: Literal["spectral"]
    modes: Whole = Field(25, ge=1, le=500, description="how many, the slowest first")
    pose: Literal["rotated", "linear", "corrected"] = Field(
        "rotated", description="rotated keeps all lengths; linear stretches in strong wind; corrected is the paper's"
    )
    cells: Whole = Field(4, ge=1, le=64, description="parts of the crown that feel the wind by themselves")
    twigs: Flag = Field(True, description="whether twigs that the modes leave out quiver, where they can be seen")
    period: Number | None = Field(
        None, gt=0, le=3600, description="after which it repeats, s; by default the length of the clip"
    )
    headings: Whole = Field(8, ge=1, le=64, description="directions of the wind about the plant that it is made for")
    correlation_time: Number | None = Field(
        None, gt=0, le=1000, description="t_c of the paper's filter, s; it takes the place of the wind's spectrum"
    )
    correlation_distance: Length | None = Field(None, description="d_c of the paper's filter, m")

    @model_validator(mode="after")
    def _whole_filter(self) -> Self:
        if (self.correlation_time is None) != (self.correlation_distance is None):
            refuse("the paper's filter takes a correlation_time and a correlation_distance; one of them is missing")
        return self

    @property
    def modes_needed(self) -> tuple[int, int]:
        """How many modes, and in how many cells of the crown they feel the wind."""
        return self.modes, self.cells

    def motion(self, specimen: Specimen, around: Circumstances) -> Motion[Any]:
        """The loop of a specimen in the mean wind and the turbulence about it."""
        assert specimen.modes is not None  # as asked for
        period = around.seconds if self.period is None else self.period
        eddies = turbulence_of(around.wind)
        if eddies is None:
            raise SceneError("a spectral motion needs a mean wind; this one is calm. Give the wind a speed.")
        air, options = self._air(eddies), {"headings": self.headings, "pose": self.pose}
        return SpectralMotion(specimen.modes, period=period, wind=air, seed=around.seed, **options)  # type: ignore[arg-type]

    def _air(self, eddies: Turbulence) -> Turbulence | NoiseFilter:
        if self.correlation_time is None or self.correlation_distance is None:
            return eddies
        return NoiseFilter(
            speed=eddies.speed,
            direction=eddies.direction,
            correlation_time=self.correlation_time,
            correlation_distance=self.correlation_distance,
            intensity=eddies.intensity,
            profile=eddies.profile,
        )

    def quivers_above(self, specimen: Specimen) -> float | None:
        """The frequency of the first mode left out, if twigs quiver."""
        modes = specimen.modes
        return modes.static_frequency if modes and self.twigs and not modes.conditions.sheets else None

    def suited(self, specimen: Specimen) -> "SpectralSettings":
        """As in modal motion; and what flies always has the wind from one side."""
        sheets = specimen.modes.conditions.sheets if specimen.modes else ()
        held = any(not sheet.own[:, -1].any() for sheet in sheets)
        flies = any(sheet.pull.any() for sheet in sheets)
        changes = ({"pose": "linear"} if held else {}) | ({"headings": 1} if flies else {})
        return self.model_copy(update=changes)
