"""Weight: what hangs is stiffened by it, and what stands is softened until it buckles."""

from collections.abc import Iterator
from math import pi

import numpy as np

from windflower.errors import MechanicsError
from windflower.mechanics import Wood, analyse
from windflower.mechanics.assembly import GRAVITY
from windflower.plant.graph import Plant
from windflower.validate.check import Check, compared
from windflower.validate.rods import RADIUS, bending_frequencies, rod

__all__ = ["check_weight"]

BESSEL = (2.40483, 5.52008, 8.65373)  # zeros of J₀
GREENHILL = 7.8373  # ρAgL³/EI of the tallest column that stands


def check_weight() -> Iterator[Check]:
    """Hanging chains, standing columns, a pole on a spring, a stem in water."""
    yield _hanging_chain()
    yield _tallest_column()
    yield _loaded_column()
    yield _rocking_pole()
    yield _wet_rod()


def _hanging_chain() -> Check:
    limp, length = Wood(E=1e5, density=1000.0), 2.0
    modes = analyse(rod(200, length=length, radius=0.002, direction=(0, -1, 0)), count=12, wood=limp, cache=False)
    found = 4 * pi * bending_frequencies(modes)[:3] / np.sqrt(GRAVITY / length)
    return compared("hanging chain, 3 frequencies", found, BESSEL, 5e-3, "ω = j₀ₙ/2 √(g/L)")


def _tallest_column() -> Check:
    """Halve the gap between a ρAgL³/EI at which a column stands and one at which it falls."""
    density, length = 1000.0, 5.0
    column, stands, falls = rod(20, length=length), 6.0, 10.0
    for _ in range(14):
        middle = (stands + falls) / 2
        E = density * GRAVITY * length**3 / (middle * RADIUS**2 / 4)
        if _stands(column, Wood(E=E, density=density)):
            stands = middle
        else:
            falls = middle
    return compared("tallest column that stands, ρAgL³/EI", stands, GREENHILL, 1e-3, "Greenhill 1881")


def _stands(plant: Plant, wood: Wood) -> bool:
    try:
        analyse(plant, count=1, wood=wood, cache=False)
    except MechanicsError:
        return False
    return True


def _loaded_column() -> Check:
    """A weightless column under a mass at its top: k/k₀ = u³ / 3 (tan u - u) with u = L √(P/EI)."""
    wood, column = Wood(E=1e9, density=1e-3), rod(20)
    euler, share = pi**2 * wood.E * pi / 4 * RADIUS**4 / 4, 0.5
    mass = np.zeros(column.nodes)
    mass[-1] = share * euler / GRAVITY
    heavy, light = (
        analyse(column, count=1, wood=wood, point_mass=mass, gravity=gravity, cache=False).frequency[0]
        for gravity in (True, False)
    )
    u = pi / 2 * np.sqrt(share)
    exact = u**3 / (3 * (np.tan(u) - u))
    return compared("column under half of Euler's load, (f/f₀)²", (heavy / light) ** 2, exact, 1e-3, "closed form")


def _rocking_pole() -> Check:
    """A rigid pole on a spring is a pendulum on its head: ω² = (k - m g L/2) / (m L²/3)."""
    rigid, length, spring = Wood(E=1e16, density=500.0), 2.0, 50.0
    modes = analyse(rod(4, length=length), count=2, wood=rigid, root_stiffness=spring, cache=False)
    mass = rigid.density * pi * RADIUS**2 * length
    exact = (spring - mass * GRAVITY * length / 2) / (mass * length**2 / 3)
    return compared("rigid pole on a root spring, ω²", modes.omega**2, (exact, exact), 1e-3, "closed form")


def _wet_rod() -> Check:
    """In water of its own density a rod takes its own mass of water along."""
    wood = Wood(E=1e9, density=1025.0)
    dry, wet = (
        analyse(rod(8), count=1, wood=wood, medium=medium, gravity=False, cache=False).frequency[0]
        for medium in ("air", "water")
    )
    return compared("rod in water, f(air)/f(water)", dry / wet, np.sqrt(2), 1e-9, "added mass of a cylinder")
