"""Settings of flat springs in a scene file."""

from typing import Any, Literal, Self

from pydantic import Field, model_validator

from windflower.core.table import Flag, Number, Whole, refuse
from windflower.motion.cantilever.cantilever_motion import CantileverMotion
from windflower.motion.contract import Motion
from windflower.motion.settings import Circumstances, MotionSettings, Specimen

__all__ = ["CantileverSettings"]


class CantileverSettings(MotionSettings):
    """Motion in which every segment is a flat spring (Ota et al. 2003): the cheapest. Hands do not reach it."""

    kind: Literal["cantilever"]
    cells: Whole = Field(1, ge=1, le=64, description="parts of the crown that feel the wind by themselves")
    limit: Number = Field(20.0, gt=0, le=60, description="degrees that a segment turns at most against its parent")
    swing: Number = Field(0.5, ge=0, le=1, description="how strongly branches oscillate about their bend")
    frequency: Number | None = Field(
        None, gt=0, le=50, description="of the oscillation, Hz; by default that of each axis by its stiffness and mass"
    )
    noise: Number | None = Field(
        None, ge=0, le=4, description="exponent β of 1/f^β noise, in place of the paper's sine"
    )
    unison: Number = Field(
        0.8, ge=0, le=1, description="1: whole axes oscillate together; 0: each segment with its own phase, as printed"
    )
    loads: Literal["borne", "own"] = Field(
        "borne", description="wind that bends a segment: on all that it carries, or on itself alone, as printed"
    )
    weight: Flag = Field(True, description="whether weight draws down again what has been lifted; not with own loads")
    inertia: Flag = Field(
        True, description="whether thick axes follow the wind more slowly than thin ones; at once is as printed"
    )

    @model_validator(mode="after")
    def _one_wind_for_own_loads(self) -> Self:
        if self.loads == "own" and self.cells != 1:
            refuse(f"segments under their own wind feel one for all; leave out cells, which is {self.cells}")
        return self

    def motion(self, specimen: Specimen, around: Circumstances) -> Motion[Any]:
        """The springs of a specimen."""
        options = self.model_dump(exclude={"kind"})
        plant = specimen.plant
        return CantileverMotion(plant, wood=specimen.wood, leaves=len(plant.leaves) > 0, seed=around.seed, **options)
