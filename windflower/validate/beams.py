"""Beams against theory and published benchmarks, without their weight and under it."""

from collections.abc import Iterator
from math import pi

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.errors import MechanicsError
from windflower.mechanics import Modes, Wood, analyse
from windflower.mechanics.assembly import GRAVITY
from windflower.mechanics.eigen import lowest_modes
from windflower.plant.graph import Plant
from windflower.validate import Check, compared

__all__ = [
    "BESSEL",
    "RADIUS",
    "STIFF",
    "UNIFORM",
    "argyris_frame",
    "bending_frequencies",
    "check_beams",
    "check_weight",
    "rod",
    "wave_constant",
]

STIFF = Wood(E=1e10, density=1000.0, nu=0.3)
RADIUS = 0.01  # m
UNIFORM = (3.51602, 22.0345, 61.6972, 120.902, 199.860)
CONES = {
    0.5: (4.625, 19.548, 48.58, 91.81),
    0.25: (5.823, 18.480, 41.32, 74.94),
    0.1: (7.205, 18.68, 37.12),
}
SDLL09 = (23.289, 73.9, 165.23, 299.7, 478.1)
FV4 = (1.723, 1.727, 7.413, 9.972, 18.155, 26.957)
ARGYRIS = (11.2732, 30.5269)
BESSEL = (2.40483, 5.52008, 8.65373)  # zeros of J₀
GREENHILL = 7.8373  # ρAgL³/EI of the tallest column that stands


def rod(
    elements: int,
    *,
    length: float = 1.0,
    radius: float = RADIUS,
    ratio: float = 1.0,
    direction: tuple[float, float, float] = (0, 1, 0),
) -> Plant:
    """A straight rod whose radius tapers from `radius` to `ratio` times that; lengths in m."""
    place = np.linspace(0, 1, elements + 1)
    return Plant(
        parent=np.arange(-1, elements),
        position=length * place[:, None] * np.array(direction, float),
        radius=radius * (1 + (ratio - 1) * place),
    )


def bending_frequencies(modes: Modes) -> FloatArray:
    """Bending frequencies in one plane, Hz: the bending modes of a round rod come in pairs."""
    axis = modes.plant.vector[-1] / modes.plant.length[-1]
    moved = modes.shape[:, -1, :3]
    sideways = moved - (moved @ axis)[:, None] * axis
    amount = np.linalg.norm(sideways, axis=1)
    return np.asarray(modes.frequency[amount > 1e-3 * amount.max()][::2])


def wave_constant(wood: Wood, radius: float) -> float:
    """√(EI/ρA) of a round rod, m²/s."""
    return float(np.sqrt(wood.E / wood.density)) * radius / 2


# Without weight


def check_beams() -> Iterator[Check]:
    """Cantilevers, cones, bars, a frame, and a mast with masses beside its tip."""
    yield _cantilever()
    yield _convergence()
    yield from (_cone(ratio) for ratio in CONES)
    yield _one_element()
    yield _square_bar()
    yield _frame()
    yield _mast()


def _modes(plant: Plant, count: int, wood: Wood = STIFF) -> Modes:
    return analyse(plant, count=count, wood=wood, gravity=False, roots="clamped", cache=False)


def _cantilever() -> Check:
    found = 2 * pi * bending_frequencies(_modes(rod(60), 16))[:5] / wave_constant(STIFF, RADIUS)
    return compared("even cantilever, 5 frequencies", found, UNIFORM, 1e-4, "Euler–Bernoulli")


def _convergence() -> Check:
    """The error of the first frequency falls with the fourth power of the element's length."""
    exact = 1.8751040687119611**2 * wave_constant(STIFF, RADIUS) / (2 * pi)
    error = np.array([_modes(rod(elements), 1).frequency[0] for elements in (4, 8, 16)]) / exact - 1
    return compared("order of convergence", np.log2(error[:-1] / error[1:]), (4, 4), 0.04, "cubic elements")


def _cone(ratio: float) -> Check:
    constants = CONES[ratio]
    unit = 2 * RADIUS / (8 * pi) * np.sqrt(STIFF.E / STIFF.density)
    found = bending_frequencies(_modes(rod(20, ratio=ratio), 12))[: len(constants)] / unit
    what = f"cone that tapers to {ratio:g}, {len(constants)} frequencies"
    return compared(what, found, constants, 2e-3, "finite elements, converged")


def _one_element() -> Check:
    """Tip deflection of a cone under a force at its tip: F L³ / 3 E I₀ over the ratio of the radii."""
    ratio = 0.1
    found = _modes(rod(1, ratio=ratio), 1).compliance(1)[0, 0, 1, 0]
    exact = 1 / (3 * STIFF.E * pi / 4 * RADIUS**4 * ratio)
    return compared("cone of one element, tip deflection", found, exact, 1e-10, "closed form")


def _square_bar() -> Check:
    steel = Wood(E=2e11, density=7800.0, area=4 / pi, bending=16 / (3 * pi))  # square sections, h = 2 r
    unit = 0.01 / (2 * pi) * np.sqrt(steel.E / (12 * steel.density))
    found = bending_frequencies(_modes(rod(40, radius=0.02, ratio=0.25), 10, steel)) / unit
    return compared("square bar that tapers to 1/4, 5 frequencies", found, SDLL09, 1e-3, "Code_Aster SDLL09")


def argyris_frame() -> FloatArray:
    """Out-of-plane frequencies of an L-frame of a strip 30 × 3 mm, Hz: bending and torsion together."""
    legs = 20
    upward = [[0, 0.24 * i / legs, 0] for i in range(legs + 1)]
    sideways = [[0.24 * i / legs, 0.24, 0] for i in range(1, legs + 1)]
    round_area, round_bending, round_torsion = pi * RADIUS**2, pi / 4 * RADIUS**4, pi / 2 * RADIUS**4
    strip = Wood(
        E=71.24e9,
        nu=0.31,
        density=5000.0,
        area=90e-6 / round_area,
        bending=67.5e-12 / round_bending,
        torsion=252.99e-12 / round_torsion,
        polar=6817.5e-12 / round_torsion,
    )
    frame = Plant(parent=np.arange(-1, 2 * legs), position=upward + sideways, radius=np.full(2 * legs + 1, RADIUS))
    modes = _modes(frame, 4, strip)
    out = np.abs(modes.shape[..., 2]).max(axis=1) > np.abs(modes.shape[..., :2]).max(axis=(1, 2))
    return modes.frequency[out]


def _frame() -> Check:
    return compared("L-frame out of its plane, 2 frequencies", argyris_frame(), ARGYRIS, 1e-2, "Argyris et al.")


def _mast() -> Check:
    """A cantilever with two masses on rigid arms beside its tip: bending and torsion coupled."""
    steel, plant = Wood(E=200e9, density=8000.0, nu=0.3), rod(40, length=10.0, radius=0.25)
    system = _modes(plant, 1, steel).conditions.system(plant, steel)
    for mass, side in ((10_000.0, 2.0), (1_000.0, -2.0)):
        arm = np.eye(3, 6)
        arm[0, 4], arm[1, 3] = side, -side  # u + θ × (0, 0, side)
        system.mass.data[0] += mass * arm.T @ arm  # the tip's block comes first
    squares, _ = lowest_modes(system.mass, system.factor, 6)
    return compared(
        "mast with masses off its axis, 6 frequencies", np.sqrt(squares) / (2 * pi), FV4, 2e-3, "NAFEMS FV4"
    )


# Under their weight: what hangs is stiffened by it, and what stands is softened until it buckles


def check_weight() -> Iterator[Check]:
    """Hanging chains, standing columns, a pole on a spring, a stem in water."""
    yield _hanging_chain()
    yield _tallest_column()
    yield _loaded_column()
    yield _rocking_pole()
    yield _wet_rod()


def _hanging_chain() -> Check:
    limp, length = Wood(E=1e5, density=1000.0), 2.0
    modes = analyse(
        rod(200, length=length, radius=0.002, direction=(0, -1, 0)), count=12, wood=limp, roots="clamped", cache=False
    )
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
        analyse(plant, count=1, wood=wood, roots="clamped", cache=False)
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
        analyse(column, count=1, wood=wood, point_mass=mass, gravity=gravity, roots="clamped", cache=False).frequency[0]
        for gravity in (True, False)
    )
    u = pi / 2 * np.sqrt(share)
    exact = u**3 / (3 * (np.tan(u) - u))
    return compared("column under half of Euler's load, (f/f₀)²", (heavy / light) ** 2, exact, 1e-3, "closed form")


def _rocking_pole() -> Check:
    """A rigid pole on a spring is a pendulum on its head: ω² = (k - m g L/2) / (m L²/3)."""
    rigid, length, spring = Wood(E=1e16, density=500.0), 2.0, 50.0
    modes = analyse(rod(4, length=length), count=2, wood=rigid, roots=spring, cache=False)
    mass = rigid.density * pi * RADIUS**2 * length
    exact = (spring - mass * GRAVITY * length / 2) / (mass * length**2 / 3)
    return compared("rigid pole on a root spring, ω²", modes.omega**2, (exact, exact), 1e-3, "closed form")


def _wet_rod() -> Check:
    """In water of its own density a rod takes its own mass of water along."""
    wood = Wood(E=1e9, density=1025.0)
    dry, wet = (
        analyse(rod(8), count=1, wood=wood, medium=medium, gravity=False, roots="clamped", cache=False).frequency[0]
        for medium in ("air", "water")
    )
    return compared("rod in water, f(air)/f(water)", dry / wet, np.sqrt(2), 1e-9, "added mass of a cylinder")
