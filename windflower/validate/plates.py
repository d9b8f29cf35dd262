"""Plates and membranes against textbooks."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.mechanics import Modes, Wood, analyse_structure, sheet_alone
from windflower.mechanics.assembly import GRAVITY
from windflower.validate import Check, compared
from windflower.validate.beams import BESSEL, UNIFORM

__all__ = ["check_plates"]

CELLS = 20
H, E, RHO, NU = 0.01, 1e9, 1000.0, 0.3
D = E * H**3 / 12 / (1 - NU**2)
SIMPLY_SUPPORTED = (19.739, 49.348, 49.348, 78.957, 98.696)
CANTILEVER = (3.492, 8.525, 21.43, 27.33, 31.11)


def check_plates() -> Iterator[Check]:
    """Square plates, a strip, a drum and a cloth that hangs."""
    yield _supported_square()
    yield _clamped_square()
    yield _strip()
    yield _drum()
    yield _hanging_cloth()


def _grid(along: int, up: int, length: float = 1.0, width: float = 1.0) -> FloatArray:
    x, y = np.meshgrid(np.linspace(0, length, along + 1), np.linspace(0, width, up + 1))
    return np.stack([x, y, np.zeros(x.shape)], axis=-1)


def _modes(points: FloatArray, held: NDArray[np.bool_] | None = None, count: int = 5, **changes: Any) -> Modes:
    plate = {"thickness": H, "density": RHO, "E": E, "nu": NU, **changes}
    structure = sheet_alone(points, wood=Wood(E=1e10, density=500.0), held=held, **plate)
    return analyse_structure(structure, count=count, gravity=False, cache=False)


def _held_rim(up: int, along: int) -> NDArray[np.bool_]:
    held = np.zeros((up + 1, along + 1, 6), bool)
    held[[0, -1], :, :3] = held[:, [0, -1], :3] = True
    return held


def _scaled(modes: Modes) -> FloatArray:
    """ω a² √(ρh/D) of a plate with a = 1 m."""
    return np.asarray(modes.omega * np.sqrt(RHO * H / D))


def _supported_square() -> Check:
    found = _scaled(_modes(_grid(CELLS, CELLS), _held_rim(CELLS, CELLS)))
    return compared("simply supported square plate, 5 frequencies", found, SIMPLY_SUPPORTED, 0.01, "π²(m² + n²)")


def _clamped_square() -> Check:
    found = _scaled(_modes(_grid(CELLS, CELLS)))
    return compared("square plate held at one edge, 5 frequencies", found, CANTILEVER, 0.01, "Leissa 1969")


def _strip() -> Check:
    """Out of its plane and without twist a narrow plate is a beam."""
    width = 0.03
    modes = _modes(_grid(40, 2, 1.0, width), count=8)
    tip = np.abs(modes.shape[:, -1])
    bends = (tip[:, 2] > 10 * tip[:, 1]) & (tip[:, 3] * width < 0.2 * tip[:, 2])
    found = modes.omega[bends][:3] * np.sqrt(RHO * H / (E * H**3 / 12))
    return compared("narrow plate as a beam, 3 frequencies", found, UNIFORM[:3], 0.01, "Euler–Bernoulli")


def _drum() -> Check:
    a, b, tension, thickness = 1.5, 1.0, 40.0, 1e-4
    modes = _modes(_grid(24, 16, a, b), _held_rim(16, 24), 4, thickness=thickness, tension=(tension, tension))
    knots = np.array([(1, 1), (2, 1), (1, 2), (3, 1)]) / (a, b)
    exact = np.pi * np.sqrt(tension / (RHO * thickness) * (knots**2).sum(axis=1))
    return compared("stretched membrane, 4 frequencies", modes.omega, exact, 0.01, "π √(T/ρh (m²/a² + n²/b²))")


def _hanging_cloth() -> Check:
    x, y = np.meshgrid([0.0, 0.05], np.linspace(0, -1, 61), indexing="ij")
    points = np.stack([x, y, np.zeros(x.shape)], axis=-1)
    cloth = sheet_alone(points, wood=Wood(E=1e10, density=500.0), thickness=2e-4, density=1000.0, E=1e7, nu=0.0)
    modes = analyse_structure(cloth, count=12, cache=False)
    hem = modes.shape[:, cloth.sheets[0].node[:, -1], 2]
    swings_out = np.abs(hem).max(axis=1) > 0.5 * np.abs(modes.shape[..., :3]).max(axis=(1, 2))  # not in its plane
    even = swings_out & (np.ptp(hem, axis=1) < 0.05 * np.abs(hem[:, -1]))
    found = 2 * modes.omega[even][:3] / np.sqrt(GRAVITY)
    return compared("hanging cloth, 3 frequencies", found, BESSEL, 0.01, "ω = j₀ₙ/2 √(g/L)")
