"""Few modes and static vectors against the whole plant."""

from collections.abc import Iterator

import numpy as np
from scipy.sparse.linalg import eigsh

from windflower.core.arrays import FloatArray
from windflower.mechanics import Modes, analyse
from windflower.mechanics.factor import as_csc
from windflower.mechanics.projection import wind_loads
from windflower.motion import ModalMotion, NoiseFilter, Places
from windflower.plant.growth import grow
from windflower.validate.check import Check, compared, within
from windflower.validate.young_tree import difference_from_all_modes
from windflower.wind import Turbulence

__all__ = ["check_reduced", "eigen_error"]

SPEED = 12.0


def check_reduced() -> Iterator[Check]:
    """Modes against another solver and the whole matrices, sway against that of all modes, lengths against rest."""
    modes = analyse(grow("walnut", seed=1, detail=0.2), count=25, cache=False)
    yield compared("walnut, 25 modes", modes.omega**2, _squares_by_scipy(modes), 1e-6, "SciPy's eigsh")
    yield within("walnut, ‖φ - ω² K⁻¹ M φ‖ of 25 modes", eigen_error(modes), 1e-6, "eigenvalue problem")
    yield within("lean in a steady wind, 25 modes", _lean_error(modes), 1e-6, "K u = f of the whole tree")
    yield within(f"longest stretch of a segment at {SPEED:g} m/s", _stretch(modes), 1e-12, "lengths at rest")
    noise = NoiseFilter(speed=6.0, correlation_time=1.0, correlation_distance=3.0)
    for name, wind in (("Stam's filter", noise), ("Kaimal", Turbulence(speed=6.0))):
        for part, lean, most in (("sway", False, 0.05), ("sway and lean", True, 0.02)):
            found = difference_from_all_modes(wind, static=True, lean=lean)
            yield within(f"10 modes of 40 branches, {name}: {part}", found, most, "all 240 modes")


def eigen_error(modes: Modes) -> float:
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
    """How far the linear pose is from the solution of the whole system, over the farthest that a node moves."""
    system, wind = modes.conditions.system(modes.plant, modes.wood), np.array([[[SPEED, 0.0, 3.0]]])
    push = modes.dynamic_wind(wind)[0]
    load = np.einsum("cknj,ck->nj", wind_loads(system, modes.cell, modes.cells), push)
    exact = system.spread(system.factor.solve(system.gather(load[None])))[0, :, :3]
    motion = ModalMotion(modes, pose="linear")
    found = motion.pose(motion.settled(Places(), wind))[0] - modes.plant.position
    return float(np.abs(found - exact).max() / np.abs(exact).max())


def _stretch(modes: Modes) -> float:
    """The largest relative change of a segment's length in a strong steady wind, with the default pose."""
    motion, plant = ModalMotion(modes), modes.plant
    points = motion.pose(motion.settled(Places(), np.full((1, modes.cells, 3), [SPEED, 0.0, 0.0])))[0]
    length = np.linalg.norm(points - points[plant.parent], axis=1)[plant.segments]
    return float(np.abs(length / plant.length[plant.segments] - 1).max())
