"""Beams against theory and published benchmarks."""

from collections.abc import Iterator
from math import pi

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.mechanics import Modes, Wood, analyse
from windflower.mechanics.eigen import lowest_modes
from windflower.plant.graph import Plant
from windflower.validate.check import Check, compared
from windflower.validate.rods import RADIUS, STIFF, bending_frequencies, rod, wave_constant

__all__ = ["argyris_frame", "check_beams"]

UNIFORM = (3.51602, 22.0345, 61.6972, 120.902, 199.860)
CONES = {
    0.5: (4.625, 19.548, 48.58, 91.81),
    0.25: (5.823, 18.480, 41.32, 74.94),
    0.1: (7.205, 18.68, 37.12),
}
SDLL09 = (23.289, 73.9, 165.23, 299.7, 478.1)
FV4 = (1.723, 1.727, 7.413, 9.972, 18.155, 26.957)
ARGYRIS = (11.2732, 30.5269)


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
    return analyse(plant, count=count, wood=wood, gravity=False, cache=False)


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
    """Frequencies out of its plane, Hz, of two legs of a strip 30 × 3 mm: bending and torsion together."""
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
    squares, _ = lowest_modes(system.stiffness, system.mass, system.factor, 6)
    return compared(
        "mast with masses off its axis, 6 frequencies", np.sqrt(squares) / (2 * pi), FV4, 2e-3, "NAFEMS FV4"
    )
