"""A tree of 40 branches: small enough for all of its modes (Stam 1996, §7: ten look like all on fewer than 50)."""

import warnings
from functools import cache

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.mechanics import Modes, analyse
from windflower.motion import NoiseFilter, SpectralMotion
from windflower.plant.graph import Plant
from windflower.wind import Turbulence

__all__ = ["difference_from_all_modes", "young_modes", "young_tree"]

TRUNK, ARMS, JOINTS = 16, 8, 3
HEIGHT, REACH = 6.0, 1.2  # m
PERIOD, SAMPLES = 20.0, 1040


@cache
def young_tree() -> Plant:
    """A straight trunk of 16 segments, and 8 side branches of 3 that wind up around it: 40 branches in all."""
    trunk = np.linspace(0, 1, TRUNK + 1)
    position = [np.stack([0 * trunk, HEIGHT * trunk, 0 * trunk], axis=1)]
    parent, radius = [np.arange(-1, TRUNK)], [0.05 * (1 - 0.8 * trunk)]
    for arm in range(ARMS):
        bearer, angle = 5 + arm * (TRUNK - 5) // ARMS, 2.4 * arm
        direction = np.array([np.cos(angle), 0.5, np.sin(angle)]) / np.hypot(1, 0.5)
        along = np.arange(1, JOINTS + 1) / JOINTS
        first = TRUNK + 1 + arm * JOINTS
        position.append(position[0][bearer] + np.outer(REACH * (1 - 0.6 * arm / ARMS) * along, direction))
        parent.append(np.array([bearer, *range(first, first + JOINTS - 1)]))
        radius.append(0.012 * (1 - 0.6 * along))
    return Plant(parent=np.concatenate(parent), position=np.concatenate(position), radius=np.concatenate(radius))


@cache
def young_modes(count: int = 10, cells: int = 1) -> Modes:
    """Its lowest modes."""
    return analyse(young_tree(), count=count, cells=cells, cache=False)


def difference_from_all_modes(wind: Turbulence | NoiseFilter, *, static: bool, lean: bool) -> float:
    """How far ten modes move the tree from where all modes move it: rms over nodes and time, over that of all.

    T = 20 s and M = 1040. `static` says whether the static vectors of eight cells are added, and `lean` whether the
    steady lean counts, or the sway about it alone.
    """
    every = young_modes(240, 8)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # so many samples do not hold the highest of all modes
        exact = _moved(SpectralMotion(every, period=PERIOD, samples=SAMPLES, wind=wind), 1000, lean)
    few = SpectralMotion(every.truncated(10), period=PERIOD, samples=SAMPLES, wind=wind)
    near = _moved(few, 1000 if static else 10, lean)
    return float(np.sqrt(((exact - near) ** 2).sum() / (exact**2).sum()))


def _moved(motion: SpectralMotion, shapes: int, lean: bool) -> FloatArray:
    """Displacements of the nodes by the first shapes, wave by wave, so that sums of squares are means over time."""
    loop, rows = motion.loop, motion.shapes[:shapes]
    steady = np.tensordot(loop.mean[:shapes], rows, 1)[None] * lean
    sway = np.tensordot(loop.wave[:, :shapes], rows, 1) / np.sqrt(2)
    return np.concatenate([steady, sway.real, sway.imag])
