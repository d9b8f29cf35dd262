"""Whole trees: few modes and static vectors against all modes, and a digitised walnut against what is published."""

import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
from scipy.sparse.linalg import eigsh

from windflower.core.arrays import FloatArray
from windflower.mechanics import Modes, analyse
from windflower.mechanics.factor import as_csc
from windflower.mechanics.projection import wind_loads
from windflower.motion import ModalMotion, NoiseFilter, Places, SpectralMotion
from windflower.plant.graph import Plant
from windflower.plant.growth import grow
from windflower.plant.importers import read
from windflower.validate import Check, compared, within
from windflower.wind import Turbulence

__all__ = ["check_reduced", "check_walnut", "difference_from_all_modes", "young_tree"]

SPEED = 12.0  # m/s

# A tree of 40 branches, small enough for all of its modes (Stam 1996, §7: ten look like all on fewer than 50).
TRUNK, ARMS, JOINTS = 16, 8, 3
HEIGHT, REACH = 6.0, 1.2  # m
PERIOD, SAMPLES = 20.0, 1040

# The digitised walnut of Sinoquet, Rivet & Godin 1997.
WALNUT_NODES, WALNUT_HEIGHT = 8025, 7.955
FIRST, MODES, UP_TO = 1.4, 25, 2.6
OWN_FIRST = 1.532  # with the mean of a segment's two diameters in place of its taper


def check_reduced() -> Iterator[Check]:
    """Modes against SciPy and the whole matrices, sway against that of all modes, lengths against those at rest."""
    modes = analyse(grow("walnut", seed=1, detail=0.2), count=25, chosen="lowest", cache=False)
    yield compared("walnut, 25 modes", modes.omega**2, _squares_by_scipy(modes), 1e-6, "SciPy's eigsh")
    yield within("walnut, ‖φ - ω² K⁻¹ M φ‖ of 25 modes", _eigen_error(modes), 1e-6, "eigenvalue problem")
    yield within("lean in a steady wind, 25 modes", _lean_error(modes), 1e-6, "K u = f of the whole tree")
    yield within(f"longest stretch of a segment at {SPEED:g} m/s", _stretch(modes), 1e-12, "lengths at rest")
    noise = NoiseFilter(speed=6.0, correlation_time=1.0, correlation_distance=3.0)
    for name, wind in (("Stam's filter", noise), ("Kaimal", Turbulence(speed=6.0))):
        for part, lean, most in (("sway", False, 0.08), ("sway and lean", True, 0.02)):
            found = difference_from_all_modes(wind, static=True, lean=lean)
            yield within(f"10 modes of 40 branches, {name}: {part}", found, most, "all 240 modes")


def _eigen_error(modes: Modes) -> float:
    """The largest ‖φ - ω² K⁻¹ M φ‖ in the mass norm, in which every ‖φ‖ is 1."""
    system = modes.conditions.system(modes.plant, modes.wood)
    shape = system.gather(modes.shape)
    rest = shape - system.factor.solve(system.mass @ shape) * modes.omega**2
    return float(np.sqrt((rest * (system.mass @ rest)).sum(axis=0)).max())


def _squares_by_scipy(modes: Modes) -> FloatArray:
    system = modes.conditions.system(modes.plant, modes.wood)
    K, M = as_csc(system.stiffness), as_csc(system.mass)
    return np.sort(eigsh(K, len(modes), M, sigma=0.0, return_eigenvectors=False))


def _lean_error(modes: Modes) -> float:
    """Largest error of the linear pose against the solution of the whole system, relative to the largest deflection."""
    system, wind = modes.conditions.system(modes.plant, modes.wood), np.array([[[SPEED, 0.0, 3.0]]])
    push = modes.dynamic_wind(wind)[0]
    load = np.einsum("cknj,ck->nj", wind_loads(system, modes.cell, modes.cells), push)
    exact = system.displaced(load[None])[0, :, :3]
    motion = ModalMotion(modes, pose="linear")
    found = motion.pose(motion.settled(Places(), wind))[0] - modes.plant.position
    return float(np.abs(found - exact).max() / np.abs(exact).max())


def _stretch(modes: Modes) -> float:
    """The largest relative change of a segment's length in a strong steady wind, with the default pose."""
    motion, plant = ModalMotion(modes), modes.plant
    points = motion.pose(motion.settled(Places(), np.full((1, modes.cells, 3), [SPEED, 0.0, 0.0])))[0]
    length = np.linalg.norm(points - points[plant.parent], axis=1)[plant.segments]
    return float(np.abs(length / plant.length[plant.segments] - 1).max())


def check_walnut(path: Path) -> Iterator[Check]:
    """Size, first frequency, number of modes up to 2.6 Hz and eigenvalue error of the digitised walnut."""
    tree = read(path)
    yield compared("walnut, nodes", tree.nodes, WALNUT_NODES, 0.0, "the file's rows")
    yield compared("walnut, height", tree.height, WALNUT_HEIGHT, 1e-3, "the file's rows")
    modes = analyse(
        tree, count=40, wood="walnut", leaves=False, gravity=False, roots="clamped", chosen="lowest", cache=False
    )
    rodriguez = "Rodriguez et al. 2008"
    yield compared("walnut, first frequency", modes.frequency[0], FIRST, 0.1, rodriguez)
    yield compared("walnut, modes up to 2.6 Hz", np.count_nonzero(modes.frequency <= UP_TO), MODES, 0.2, rodriguez)
    yield compared("walnut, first frequency", modes.frequency[0], OWN_FIRST, 0.01, "another program, mean diameters")
    yield within("walnut, ‖φ - ω² K⁻¹ M φ‖ of 40 modes", _eigen_error(modes), 1e-6, "eigenvalue problem")


@cache
def young_tree() -> Plant:
    """A straight trunk of 16 segments, and 8 side branches of 3 that wind up around it: 40 branches in all."""
    trunk = np.linspace(0, 1, TRUNK + 1)
    position = [np.stack([0 * trunk, HEIGHT * trunk, 0 * trunk], axis=1)]
    parent, radius = [np.arange(-1, TRUNK)], [0.05 * (1 - 0.8 * trunk)]
    for arm in range(ARMS):
        parent_node, angle = 5 + arm * (TRUNK - 5) // ARMS, 2.4 * arm
        direction = np.array([np.cos(angle), 0.5, np.sin(angle)]) / np.hypot(1, 0.5)
        along = np.arange(1, JOINTS + 1) / JOINTS
        first = TRUNK + 1 + arm * JOINTS
        position.append(position[0][parent_node] + np.outer(REACH * (1 - 0.6 * arm / ARMS) * along, direction))
        parent.append(np.array([parent_node, *range(first, first + JOINTS - 1)]))
        radius.append(0.012 * (1 - 0.6 * along))
    return Plant(parent=np.concatenate(parent), position=np.concatenate(position), radius=np.concatenate(radius))


@cache
def _all_modes() -> Modes:
    """All 240 modes of the young tree, its crown split into eight cells."""
    return analyse(young_tree(), count=240, cells=8, cache=False)


def difference_from_all_modes(wind: Turbulence | NoiseFilter, *, static: bool, lean: bool) -> float:
    """Rms error over nodes and time of ten modes of the young tree against all of its modes, relative to all.

    T = 20 s and M = 1040. With `static`, the static vectors of eight cells are added to the ten modes; with `lean`, the
    steady lean counts as well as the sway about it.
    """
    every = _all_modes()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # so many samples do not hold the highest of all modes
        exact = _moved(SpectralMotion(every, period=PERIOD, samples=SAMPLES, wind=wind), 1000, lean)
    few = SpectralMotion(every.truncated(10), period=PERIOD, samples=SAMPLES, wind=wind)
    near = _moved(few, 1000 if static else 10, lean)
    return float(np.sqrt(((exact - near) ** 2).sum() / (exact**2).sum()))


def _moved(motion: SpectralMotion, shapes: int, lean: bool) -> FloatArray:
    """Displacements of the nodes by the first shapes, wave by wave, so that sums of squares are means over time."""
    loop, rows = motion.loop, motion.shapes[:shapes, :, :3]
    steady = np.tensordot(loop.mean[:shapes], rows, 1)[None] * lean
    sway = np.tensordot(loop.wave[:, :shapes], rows, 1) / np.sqrt(2)
    return np.concatenate([steady, sway.real, sway.imag])
