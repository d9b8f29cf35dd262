"""Settings of broad leaves in a scene file."""

from functools import lru_cache
from typing import Any, Literal

from pydantic import Field, field_validator

from windflower.core.table import Flag, Number, Whole, refuse
from windflower.mechanics.wood import wood_of
from windflower.motion.broadleaf.broadleaf_motion import BroadleafMotion
from windflower.motion.broadleaf.constants import BroadleafConstants
from windflower.motion.contract import Motion
from windflower.motion.settings import Circumstances, MotionSettings, Specimen
from windflower.plant.graph import Plant
from windflower.plant.ribs import lengthened

__all__ = ["BroadleafSettings"]


class BroadleafSettings(MotionSettings):
    """Motion of plants whose leaves are blades on mid-ribs of their own, such as banana and hosta (Guo et al. 2006)."""

    keeps_leaves = "leaves that are cards come off; with broadleaf motion they are blades that stay"

    kind: Literal["broadleaf"]
    mass: Number = Field(1.0, gt=0, le=20, description="factor on all masses")
    length: Number = Field(1.0, ge=0.3, le=3, description="factor on the leaves' own, with their petioles")
    rigidity: Number = Field(1.0, gt=0, le=100, description="factor on the stiffness of stems and mid-ribs")
    blade_rigidity: Number = Field(1.0, gt=0, le=100, description="factor on that of blades, from mid-rib to rim")
    transfer: Number = Field(0.95, ge=0, le=1, description="share of its force that a segment hands on to its parent")
    softness: Number = Field(
        0.9, ge=0.3, lt=1, description="how short a piece of vein may become, over its length: 0.9 firm, 0.6 limp"
    )
    flutter: Number = Field(1.0, ge=0, le=5, description="how strongly rims beat in the eddies that blades shed")
    texture: Literal["own", "slanted", "parallel", "netted", "plain"] = Field(
        "own", description="veins that are drawn on blades: those of the species, or others"
    )
    wind_law: Literal["drag", "paper"] = Field("drag", description="force by the square of the speed, or as printed")
    weight: Literal["balanced", "sag", "none"] = Field(
        "balanced", description="balanced keeps the modelled shape; with sag it sinks to equilibrium"
    )
    contact: Flag = Field(True, description="blades are kept out of stems, of the ground and of one another")
    along: Whole | None = Field(None, ge=3, le=65, description="mass points from base to apex; by default the species'")
    across: Whole | None = Field(None, ge=3, le=33, description="mass points from rim to rim, odd")

    @field_validator("across")
    @classmethod
    def _has_a_middle(cls, across: int | None) -> int | None:
        if across is not None and across % 2 == 0:
            refuse(f"the middle point of a row lies on the mid-rib, so across must be odd; it is {across}")
        return across

    @property
    def veins(self) -> str:
        """The pattern of veins drawn on blades."""
        return self.texture

    def motion(self, specimen: Specimen, around: Circumstances) -> Motion[Any]:
        """The blades of a specimen."""
        return _motion(specimen.plant, self, around.damping, specimen.wood)


@lru_cache(maxsize=64)
def _motion(plant: Plant, settings: BroadleafSettings, damping: float, wood: str | None) -> BroadleafMotion:
    """A plant with blades, as long as settings say, with a factor on its damping. The same for the same, once made."""
    own = wood_of(wood) if wood else None
    controls = settings.model_dump(exclude={"kind", "length", "texture", "along", "across"})
    longer = plant if settings.length == 1 else lengthened(plant, settings.length)
    constants = BroadleafConstants(**controls)
    motion = BroadleafMotion(longer, wood=own, constants=constants, along=settings.along, across=settings.across)
    if damping == 1:
        return motion
    ratios = {"damping": damping * motion.body.segments.damping, "blade_damping": damping * constants.blade_damping}
    return motion.retuned(**ratios)
