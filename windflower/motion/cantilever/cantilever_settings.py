"""Settings of flat springs in a scene file."""

from typing import Any, Literal

from pydantic import Field

from windflower.core.table import Number, Whole
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

    def motion(self, specimen: Specimen, around: Circumstances) -> Motion[Any]:
        """The springs of a specimen."""
        options = self.model_dump(exclude={"kind"})
        plant = specimen.plant
        return CantileverMotion(plant, wood=specimen.wood, leaves=len(plant.leaves) > 0, seed=around.seed, **options)
