"""What a user may set of a broad-leaved plant in motion: the constants of Guo, Li & Feng 2006, and the switches."""

from dataclasses import dataclass, fields
from math import isfinite

from windflower.errors import MotionError
from windflower.motion.contract import one_of

__all__ = ["AIR", "GRAVITY", "BroadleafConstants"]

AIR, GRAVITY = 1.2, 9.81  # kg/m³, m/s²
CHOICES = {
    "wind_law": ("drag", "paper"),
    "weight": ("balanced", "sag", "none"),
    "handed_over": ("all", "longitudinal"),
    "inertia": ("borne", "own"),
    "integrator": ("implicit", "paper"),
}
FROM_ZERO = ("pressure", "viscosity", "stem_drag", "blade_drag", "blade_damping", "vein", "wake", "flutter")
POSITIVE = ("rigidity", "mass", "blade_rigidity", "longest")


@dataclass(frozen=True, kw_only=True)
class BroadleafConstants:
    """Constants and switches of broad leaves.

    The defaults are right physics; `BroadleafConstants.printed()` is the paper's letter.

    wind_law           "drag": force ∝ speed²; "paper": pressure ∝ velocity, eq. 1 and 6
    stem_drag          drag coefficient of segments
    blade_drag         drag coefficient of a blade across the wind
    pressure           of the wind on segments for each m/s, with the paper's law, Pa s/m
    viscosity          C_w of eq. 6 for a square metre of blade, with the paper's law, N s/m³
    rigidity           factor on the wood's stiffness
    constant_rigidity  K_r of eq. 3 for all segments alike, N/m²; None: that of the wood, E I / (l r)²
    damping            damping ratio of the segments; None: the wood's
    mass               factor on all masses
    transfer           K_t K_r of eq. 4: the share of its force that a segment hands to its parent
    moments            whether a force keeps its arm on the way down; otherwise it pulls at each tip, as printed
    handed_over        of a blade's force, to its mid-rib: "all", or only the "longitudinal" part, as §3.2 says
    inertia            that turns with a segment: all that it carries ("borne"), or its "own" m l²/3, eq. 5
    weight             "balanced": the modelled shape is the loaded shape; "sag": it sinks to equilibrium; "none"
    softness           K_a of eq. 9: how short a piece of vein may become, as a share of its length
    blade_rigidity     factor on the blades' stiffness
    support            C_r of eq. 7 and 8: at the base, at the apex, and the factor on it from mid-rib to rim
    blade_damping      damping ratio of a blade's points
    vein               factor on the forces of neighbours along a vein (fig. 5)
    wake               share of the air's drag that slows turns of joints whichever way they go; 0: none, as in print
    flutter            factor on the eddies that blades shed, with which their rims beat; 0: none, as in print
    contact            whether blades are kept out of stems, the ground and neighbouring blades
    integrator         "implicit", stable at any step; or the "paper"'s explicit one, eq. 5 and 8
    longest            sub-step, s
    """

    wind_law: str = "drag"
    stem_drag: float = 1.1
    blade_drag: float = 1.2
    pressure: float = 6.0
    viscosity: float = 6.0
    rigidity: float = 1.0
    constant_rigidity: float | None = None
    damping: float | None = None
    mass: float = 1.0
    transfer: float = 0.95
    moments: bool = True
    handed_over: str = "all"
    inertia: str = "borne"
    weight: str = "balanced"
    softness: float = 0.9
    blade_rigidity: float = 1.0
    support: tuple[float, float, float] = (1.0, 0.75, 0.7)
    blade_damping: float = 0.12
    vein: float = 1.0
    wake: float = 0.02
    flutter: float = 1.0
    contact: bool = True
    integrator: str = "implicit"
    longest: float = 1 / 60

    @classmethod
    def printed(cls, *, constant_rigidity: float, longest: float = 1 / 1000) -> "BroadleafConstants":
        """All switches as the paper prints them; its step needs short sub-steps, the shorter the stiffer the plant."""
        return cls(
            wind_law="paper",
            constant_rigidity=constant_rigidity,
            moments=False,
            handed_over="longitudinal",
            inertia="own",
            wake=0.0,
            flutter=0.0,
            integrator="paper",
            longest=longest,
        )

    def __post_init__(self) -> None:
        for name, allowed in CHOICES.items():
            one_of(f"the {name} of a broad-leaved plant", getattr(self, name), allowed)
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, float) and not isfinite(value):
                raise MotionError(f"{field.name} must be a finite number; it is {value}.")
        for name in FROM_ZERO:
            if getattr(self, name) < 0:
                raise MotionError(f"{name} is a number from 0 up; it is {getattr(self, name):g}.")
        for name in POSITIVE:
            if getattr(self, name) <= 0:
                raise MotionError(f"{name} must be positive; it is {getattr(self, name):g}.")
        self._check_shares()

    def _check_shares(self) -> None:
        if not 0 <= self.transfer <= 1:
            raise MotionError(
                f"a segment hands on a share of its force, from 0 to 1; transfer is {self.transfer:g}. "
                "Above 1 a chain would make force out of nothing."
            )
        if not 0.3 <= self.softness < 1:
            raise MotionError(
                f"a vein keeps a share of its length, from 0.3 to below 1; softness is {self.softness:g}. "
                "0.9 is a firm leaf, 0.6 a limp one."
            )
        if not all(0 < share <= 1 for share in self.support):
            raise MotionError(f"support is three shares, above 0 and up to 1; it is {self.support}.")
        for name in ("constant_rigidity", "damping"):
            value = getattr(self, name)
            if value is not None and value <= 0:
                raise MotionError(f"{name} must be positive, or None for the wood's own; it is {value:g}.")
