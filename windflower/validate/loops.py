"""Short loops against the long-time variance of the sway: what a loop of ten seconds keeps, and what it leaves out."""

from collections.abc import Iterator
from functools import cache
from math import pi
from typing import cast

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.mechanics import Modes, Wood, analyse
from windflower.motion import SpectralMotion
from windflower.motion.spectral.eddies import EddyAir
from windflower.motion.spectral.exposure import exposure_of
from windflower.motion.spectral.linear_drag import linear_drag
from windflower.plant.graph import Plant
from windflower.plant.growth import grow
from windflower.validate import Check, compared, within
from windflower.wind import Turbulence

__all__ = ["LongTime", "check_loops", "swaying"]

PERIOD, SPEED = 10.0, 6.0  # s, m/s
KNOWN, FINE = 60, 2e-3  # frequencies at which forces are worked out; Hz between those at which answers are


def check_loops() -> Iterator[Check]:
    """The mean variance of the top's sway over all loops of 10 s, and the share that is slower than they hold."""
    for name in ("pole", "lightly damped pole", "silver-birch", "spruce", "walnut"):
        motion = swaying(name)
        truth, half = LongTime(motion), 0.5 / PERIOD
        held, slow = truth.variance(half, truth.highest), truth.variance(truth.lowest, half)
        kept = motion.expected_density(truth.node, np.eye(3)[[0, 2]]).sum() / PERIOD
        yield compared(f"{name}, sway in loops of {PERIOD:g} s", kept, held, 0.05, f"∫|H|² S df above {half:g} Hz")
        told = motion.left_out() - slow / (slow + held)
        yield within(f"{name}, share left out", told, 0.01, f"∫|H|² S df below {half:g} Hz")


@cache
def swaying(name: str, lines: str = "integrated") -> SpectralMotion:
    """A plant in loops of 10 s: a species, or a bare pole of 8 m."""
    speed = 3.0 if name.startswith("lightly") else SPEED
    return SpectralMotion(_modes(name), period=PERIOD, speed=speed, lines=lines)


@cache
def _modes(name: str) -> Modes:
    if not name.endswith("pole"):
        return analyse(grow(name, seed=1, detail=0.05), count=12, cells=2, cache=False)
    height = np.linspace(0, 8, 10)
    pole = Plant(parent=np.arange(-1, 9), position=np.outer(height, [0.0, 1.0, 0.0]), radius=np.full(10, 0.05))
    wood = Wood(E=1e10, density=800, damping=0.005 if name.startswith("lightly") else 0.04)
    return analyse(pole, count=6, cells=2, wood=wood, roots="clamped", cache=False)


class LongTime:
    """The sway of the top in a wind that does not repeat: ∫ |H|² S df on a fine grid, from all pairs of branches.

    Forces are straight lines between some frequencies, answers are worked out at each; no line and no bin is asked.
    """

    def __init__(self, motion: SpectralMotion) -> None:
        wind = cast("Turbulence", motion.wind)  # of a speed it is
        drag = linear_drag(
            motion.modes, exposure_of(motion.modes), wind, turn=np.eye(3), drag="linearised", sigma=np.zeros(3)
        )
        self.lowest, self.highest = wind.low, min(float(motion.loop.frequency[-1]) + 0.5 / motion.period, wind.high)
        self._known = np.geomspace(self.lowest, self.highest * (1 - 1e-12), KNOWN)
        air = EddyAir(wind, drag.points, self._known, 1.0)
        self._forces = np.stack([air.covariance(drag.rows, k) / 2 for k in range(KNOWN)])
        self._motion, self.node = motion, int(np.argmax(motion.plant.position[:, 1]))

    def variance(self, low: float, high: float) -> float:
        """Variance along and across the wind between two frequencies, m²."""
        count = int((high - low) / FINE) + 1
        step = (high - low) / count
        middle = low + step * (np.arange(count) + 0.5)
        return step * sum(self._density(part).sum() for part in np.array_split(middle, -(-count // 500)))

    def _density(self, f: FloatArray) -> FloatArray:
        modes, gamma, omega = self._motion.modes, self._motion.damping, 2 * pi * f[:, None]
        swung = 1 / (modes.omega**2 - omega**2 + 1j * gamma * omega)
        follow = (2 * pi * modes.static_frequency) ** 2 + 4j * pi * modes.static_frequency * omega
        static = np.repeat(follow / (follow - omega**2 + 1j * gamma[-1] * omega), 3 * modes.cells, axis=1)
        through = np.concatenate([swung, static], axis=1)[:, :, None] * self._motion.shapes[:, self.node][:, [0, 2]]
        before = np.clip(np.searchsorted(self._known, f) - 1, 0, KNOWN - 2)
        share = ((f - self._known[before]) / (self._known[before + 1] - self._known[before]))[:, None, None]
        forces = self._forces[before] * (1 - share) + self._forces[before + 1] * share
        return np.einsum("pia,pij,pja->p", through, forces, through.conj(), optimize=True).real
