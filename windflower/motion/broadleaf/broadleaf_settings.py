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

SUBSTEPS = {"implicit": 1 / 60, "paper": 1 / 1000}  # s


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
    wake: Number = Field(
        0.02, ge=0, le=1, description="share of the air's drag that slows turns whichever way they go; 0 as printed"
    )
    texture: Literal["own", "slanted", "parallel", "netted", "plain"] = Field(
        "own", description="veins that are drawn on blades: those of the species, or others"
    )
    wind_law: Literal["drag", "paper"] = Field("drag", description="force by the square of the speed, or as printed")
    weight: Literal["balanced", "sag", "none"] = Field(
        "balanced", description="balanced keeps the modelled shape; with sag it sinks to equilibrium"
    )
    constant_rigidity: Number | None = Field(
        None,
        gt=0,
        le=1e9,
        examples=[4e4],
        description="K_r of the paper for all segments alike, N/m²; by default the wood's own",
    )
    moments: Flag = Field(True, description="a force keeps its arm on the way to the root; as printed it does not")
    handed_over: Literal["all", "longitudinal"] = Field(
        "all", description="what of a blade's force its mid-rib feels: all, or the part along it, as printed"
    )
    inertia: Literal["borne", "own"] = Field(
        "borne", description="that turns with a segment: all that it bears, or its own m l²/3, as printed"
    )
    contact: Flag = Field(True, description="blades are kept out of stems, of the ground and of one another")
    integrator: Literal["implicit", "paper"] = Field(
        "implicit", description="stable at any step; or the paper's explicit one, which needs short sub-steps"
    )
    longest: Number | None = Field(
        None,
        ge=1e-4,
        le=0.1,
        examples=[1 / 1000],
        description="the longest sub-step, s; by default 1/60, and 1/1000 for the paper's integrator",
    )
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
    controls = settings.model_dump(exclude={"kind", "length", "texture", "along", "across", "longest"})
    longer = plant if settings.length == 1 else lengthened(plant, settings.length)
    constants = BroadleafConstants(**controls, longest=settings.longest or SUBSTEPS[settings.integrator])
    motion = BroadleafMotion(longer, wood=own, constants=constants, along=settings.along, across=settings.across)
    if damping == 1:
        return motion
    ratios = {"damping": damping * motion.body.segments.damping, "blade_damping": damping * constants.blade_damping}
    return motion.retuned(**ratios)
