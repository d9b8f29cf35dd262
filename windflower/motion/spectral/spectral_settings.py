"""Settings of motion that repeats in a scene file."""

from typing import Any, Literal, Self

from pydantic import Field, model_validator

from windflower.core.table import Length, Number, Whole, refuse
from windflower.errors import SceneError
from windflower.motion.contract import Motion
from windflower.motion.settings import Circumstances, ModesSettings, Specimen
from windflower.motion.spectral.noise_filter import NoiseFilter
from windflower.motion.spectral.spectral_motion import SpectralMotion
from windflower.wind import Turbulence, turbulence_of

__all__ = ["SpectralSettings"]


class SpectralSettings(ModesSettings):
    """Motion that repeats exactly, by modes in a random wind (Stam 1996). Gusts and hands do not reach it."""

    kind: Literal["spectral"]
    period: Number | None = Field(
        None, gt=0, le=3600, description="after which it repeats, s; by default the length of the clip"
    )
    headings: Whole = Field(8, ge=1, le=64, description="directions of the wind about the plant that it is made for")
    correlation_time: Number | None = Field(
        None, gt=0, le=1000, description="t_c of the paper's filter, s; it takes the place of the wind's spectrum"
    )
    correlation_distance: Length | None = Field(None, description="d_c of the paper's filter, m")
    drag: Literal["linearised", "doubled", "printed"] = Field(
        "linearised",
        description="a gust counts twice the mean speed along the wind and once across it; twice for both; "
        "or, as printed, without a speed",
    )
    lines: Literal["integrated", "printed"] = Field(
        "integrated", description="each line carries all that is nearest to it, or only what is at it, as printed"
    )
    alpha: Number | None = Field(
        None, gt=0, le=100, description="α of the printed damping α M, 1/s; by default the wood's own and the air's"
    )

    reading: Literal["exact", "linear"] = Field(
        "exact", description="the series itself; or straight lines between its samples, as printed"
    )

    @model_validator(mode="after")
    def _whole_filter(self) -> Self:
        if (self.correlation_time is None) != (self.correlation_distance is None):
            refuse("the paper's filter takes a correlation_time and a correlation_distance; one of them is missing")
        return self

    def motion(self, specimen: Specimen, around: Circumstances) -> Motion[Any]:
        """The loop of a specimen in the mean wind and the turbulence about it."""
        assert specimen.modes is not None  # as asked for
        period = around.seconds if self.period is None else self.period
        eddies = turbulence_of(around.wind)
        if eddies is None:
            raise SceneError("a spectral motion needs a mean wind; this one is calm. Give the wind a speed.")
        options = self.model_dump(include={"headings", "pose", "drag", "lines", "alpha", "reading"})
        return SpectralMotion(specimen.modes, period=period, wind=self._air(eddies), seed=around.seed, **options)

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

    def for_sheets(self, specimen: Specimen) -> Self:
        """As in modal motion; and what flies always has the wind from one side."""
        return super().for_sheets(specimen).model_copy(update={"headings": 1} if specimen.flies else {})
