"""What a stand's `motion` may say: one table for each kind of motion."""

from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import BeforeValidator, Field, field_validator, model_validator

from windflower.core.table import Flag, Length, Number, Table, Whole, refuse

__all__ = [
    "KINDS",
    "BroadleafSettings",
    "CantileverSettings",
    "HybridSettings",
    "ModalSettings",
    "MotionSettings",
    "SpectralSettings",
]


class ModalSettings(Table):
    """Motion by the plant's own modes (Diener et al. 2009)."""

    kind: Literal["modal"]
    modes: Whole = Field(25, ge=1, le=500, description="how many, the slowest first")
    pose: Literal["rotated", "linear", "corrected"] = Field(
        "rotated", description="rotated keeps all lengths; linear stretches in strong wind; corrected is the paper's"
    )
    cells: Whole = Field(4, ge=1, le=64, description="parts of the crown that feel the wind by themselves")
    twigs: Flag = Field(True, description="whether twigs that the modes leave out quiver, where they can be seen")


class SpectralSettings(ModalSettings):
    """Motion that repeats exactly, by modes in a random wind (Stam 1996). Gusts and hands do not reach it."""

    kind: Literal["spectral"]  # type: ignore[assignment]
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


class CantileverSettings(Table):
    """Motion in which every segment is a flat spring (Ota et al. 2003): the cheapest. Hands do not reach it."""

    kind: Literal["cantilever"]
    cells: Whole = Field(1, ge=1, le=64, description="parts of the crown that feel the wind by themselves")
    limit: Number = Field(
        20.0, gt=0, le=60, description="degrees that a segment turns at most against the one that bears it"
    )
    swing: Number = Field(0.5, ge=0, le=1, description="how strongly branches oscillate about their bend")
    frequency: Number | None = Field(
        None, gt=0, le=50, description="of the oscillation, Hz; by default that of each axis by its stiffness and mass"
    )
    noise: Number | None = Field(
        None, ge=0, le=4, description="exponent β of 1/f^β noise, in place of the paper's sine"
    )


class HybridSettings(Table):
    """Motion by a formula, and by physics where a hand is (Di Giacomo, Capo & Faure 2001). Every tree is different."""

    kind: Literal["hybrid"]
    levels: Flag = Field(True, description="fewer branches move where the wind is weak or the eye is far away")
    fade: Number = Field(1.0, ge=0, le=10, description="in which branches begin and cease to move, s")
    fading: Literal["smooth", "linear"] = Field("smooth", description="linear is the paper's")
    physical: Literal["touched", "all"] = Field("touched", description="which branches move by physics")
    torque: Literal["follow", "printed", "driven"] | None = Field(
        None,
        description="of the wind on these: they follow the formula, as printed, or swing by themselves, which is for "
        "physical = all and the default there",
    )
    integrator: Literal["implicit", "printed"] = Field("implicit", description="printed is the paper's explicit step")
    nesting: Literal["root", "felt"] = Field(
        "root", description="what a hand makes physical: all up to the held branch's order, or only what feels it"
    )


class BroadleafSettings(Table):
    """Motion of plants whose leaves are blades on mid-ribs of their own, such as banana and hosta (Guo et al. 2006)."""

    kind: Literal["broadleaf"]
    mass: Number = Field(1.0, gt=0, le=20, description="factor on all masses")
    length: Number = Field(1.0, ge=0.3, le=3, description="factor on the leaves' own, with their petioles")
    rigidity: Number = Field(1.0, gt=0, le=100, description="factor on the stiffness of stems and mid-ribs")
    blade_rigidity: Number = Field(1.0, gt=0, le=100, description="factor on that of blades, from mid-rib to rim")
    transfer: Number = Field(
        0.95, ge=0, le=1, description="share of its force that a segment hands on to the one that bears it"
    )
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
    along: Whole | None = Field(None, ge=2, le=65, description="mass points from base to apex; by default the species'")
    across: Whole | None = Field(None, ge=3, le=33, description="mass points from rim to rim, odd")

    @field_validator("across")
    @classmethod
    def _has_a_middle(cls, across: int | None) -> int | None:
        if across is not None and across % 2 == 0:
            refuse(f"the middle point of a row lies on the mid-rib, so across must be odd; it is {across}")
        return across


def _by_name(value: Any) -> Any:
    """`motion = "modal"` is short for a table with that kind."""
    return {"kind": value} if isinstance(value, str) else value


KINDS: dict[str, type[ModalSettings | CantileverSettings | HybridSettings | BroadleafSettings]] = {
    "modal": ModalSettings,
    "spectral": SpectralSettings,
    "cantilever": CantileverSettings,
    "hybrid": HybridSettings,
    "broadleaf": BroadleafSettings,
}
"""The tables by their kind."""

MotionSettings: TypeAlias = Annotated[
    Annotated[
        ModalSettings | SpectralSettings | CantileverSettings | HybridSettings | BroadleafSettings,
        Field(discriminator="kind"),
    ],
    BeforeValidator(_by_name),
]
