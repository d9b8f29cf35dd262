"""The medium around a plant: air or water."""

from dataclasses import dataclass

from windflower.errors import MechanicsError

__all__ = ["AIR", "WATER", "Medium", "medium_of"]


@dataclass(frozen=True, kw_only=True)
class Medium:
    """The medium around a plant.

    density   kg/m³, for drag
    carried   kg/m³ that buoys the plant up, and moves along with it as added mass. Water's own density;
              nothing for air, whose share of green wood's inertia is a thousandth
    drift     m/s of a slow current that draws out what is limp; nothing in air
    """

    name: str
    density: float
    carried: float
    drift: float


AIR = Medium(name="air", density=1.225, carried=0.0, drift=0.0)
WATER = Medium(name="water", density=1025.0, carried=1025.0, drift=0.1)


def medium_of(name: str) -> Medium:
    """The medium of this name."""
    for medium in (AIR, WATER):
        if medium.name == name:
            return medium
    raise MechanicsError(f"a plant stands in air or in water; '{name}' is neither. Say medium='air' or 'water'.")
