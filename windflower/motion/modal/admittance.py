"""How much of a turbulent wind a mode really feels at its own frequency, where cells of the crown feel it at one point.

Eddies that are smaller than a cell push its branches one against the other, but a wind that is felt at the cell's
centre pushes all of them in step: with few cells a tree would shake several times too strongly. The ratio of the
spectra of the modal force, felt by all branches S_b and felt by the cells S_c, both under drag to first order about the
mean wind, tells by how much at the mode's frequency f:

    χ² = S_b(f)/S_c(f),    S(f) = Σ_components S_v(f) E |Σ_k a_k exp i(2π f s_k/U + κ·x_k)|²

Slow gusts are larger than the crown and felt alike by both. So `ModalMotion` splits each modal force into what lies
about the mode's frequency, and all else; it takes χ of the former, and the latter as it is.

The mean over the wave numbers κ across the wind is one over the coherence exp(-c f d/U) of pairs: done pair by pair for
cells, and for branches by waves out of its transform (see `wind.turbulence`), which is linear in the branches.
"""

from dataclasses import dataclass, replace
from math import hypot, pi
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.vectors import yaw_matrix
from windflower.mechanics import Modes
from windflower.motion.places import Places
from windflower.wind.direction import wind_axes
from windflower.wind.field import Wind
from windflower.wind.gusty import eddies_of
from windflower.wind.profile import WindProfile
from windflower.wind.turbulence import Turbulence

__all__ = ["Admittance", "admittance_in"]

HEADINGS = 32  # of the wind about the plant
WAVES = 32  # across the wind, at each heading
FINEST = 1000.0  # wave numbers go up to this many α; beyond are 0.1 % of the waves
CLOSE = 1.04  # modes whose frequencies are within this ratio are felt by the same waves
GOLDEN = 0.6180339887498949
TOGETHER = 2**18  # multiplications in one matrix product: BLAS hands larger ones to threads, which then wait for long
MOST = 10.0  # of χ, where the cells of a plant hardly feel what its branches do

_LATEST: WeakKeyDictionary[Modes, tuple[Turbulence, FloatArray, FloatArray]] = WeakKeyDictionary()
"""The last wind of each plant, where it was felt, and its χ: a scene is often built again for other reasons."""


@dataclass(frozen=True, eq=False)
class Admittance:
    """Factors on the part of each modal force that lies about the mode's frequency.

    along   (3,)               along the mean wind, in the world
    factor  (headings, modes)  χ for winds at even steps of angle about the plant, from its x towards its z
    """

    along: FloatArray
    factor: FloatArray

    def at(self, places: Places) -> FloatArray:
        """(count, modes) χ of each instance, which may be turned."""
        x, _, z = np.moveaxis(places.turned_to_plant(self.along[None, None])[:, 0], -1, 0)
        heading = np.arctan2(z, x) / (2 * pi) * len(self.factor)
        before = np.floor(heading).astype(np.int64)
        share = (heading - before)[:, None]
        count = len(self.factor)
        return self.factor[before % count] * (1 - share) + self.factor[(before + 1) % count] * share


def admittance_in(
    modes: Modes, wind: Wind, *, felt: FloatArray | None = None, profile: WindProfile | None = None
) -> Admittance | None:
    """The admittance of a plant in a wind; None where nothing is turbulent, and for sheets, whose patches are small.

    felt     (cells, 3) where its cells feel the wind, m; by default in their centres
    profile  of the air about the plant, in place of the wind's own
    """
    eddies = eddies_of(wind)
    if eddies is None or eddies.intensity == 0 or modes.conditions.sheets:
        return None
    alike = replace(eddies, direction=270.0, seed=0, loop=None, waves=1, profile=profile or eddies.profile)
    felt, known = modes.cell_centre if felt is None else felt, _LATEST.get(modes)
    if known is None or known[0] != alike or not np.array_equal(known[1], felt):
        known = _LATEST[modes] = alike, felt, _factors(modes, alike, felt)
    return Admittance(wind_axes(eddies.direction)[0], known[2])


def _factors(modes: Modes, wind: Turbulence, felt: FloatArray) -> FloatArray:
    """(HEADINGS, modes) χ, where cells feel the wind at points (cells, 3)."""
    branches = _Felt(modes, wind, _middles(modes), modes.cell[modes.plant.segments], modes.branch_projection)
    cells = _Felt(modes, wind, felt, np.arange(modes.cells), np.swapaxes(modes.projection, 0, 1))
    headings = wind_axes(270.0) @ yaw_matrix(2 * pi * np.arange(HEADINGS) / HEADINGS)  # the wind turns from x to z
    true = np.stack([branches.by_waves(axes) for axes in headings])
    felt = np.stack([cells.by_pairs(axes) for axes in headings])
    square = np.divide(true, felt, out=np.full(true.shape, MOST**2), where=felt * MOST**2 > true)
    return np.sqrt(np.where(true > 0, square, 1.0))


def _middles(modes: Modes) -> FloatArray:
    return (modes.plant.position - modes.plant.vector / 2)[modes.plant.segments]


@dataclass(frozen=True, eq=False)
class _Felt:
    """A wind that is felt at points (points, 3) in cells (points,) of a plant, by rows (modes, points, 3)."""

    modes: Modes
    wind: Turbulence
    points: FloatArray
    cell: IntArray
    rows: FloatArray

    def by_waves(self, axes: FloatArray) -> FloatArray:
        """(modes,) spectrum of the modal forces, from WAVES wave numbers."""
        places, rows = (self.points @ axes.T).astype(np.float32), self._rows(axes).astype(np.float32)
        power = np.zeros(len(rows))
        for some in _alike(self.modes.frequency):
            phase = places @ self._wave_numbers(float(self.modes.frequency[some].mean())).astype(np.float32)
            flat = np.swapaxes(rows[some], 1, 2).reshape(-1, len(places))
            square = _product(flat, np.cos(phase)) ** 2 + _product(flat, np.sin(phase)) ** 2
            power[some] = square.reshape(-1, 3 * WAVES).sum(axis=1) / WAVES
        return power

    def by_pairs(self, axes: FloatArray) -> FloatArray:
        """(modes,) spectrum of the modal forces, from the coherence of all pairs of points."""
        places, frequency = self.points @ axes.T, self.modes.frequency[:, None, None]
        apart = np.linalg.norm(places[:, None, 1:] - places[None, :, 1:], axis=-1)
        carried = self._rows(axes) * np.exp(-2j * pi / self.wind.pace * frequency * places[:, :1])
        coherent = np.exp(-self.wind.decay / self.wind.pace * frequency * apart)
        return np.asarray((np.conj(carried) * (coherent @ carried)).sum(axis=(1, 2)).real)

    def _rows(self, axes: FloatArray) -> FloatArray:
        """(modes, points, 3) modal forces by eddies of unit randomness along, left and up, with their spectra."""
        modes, wind = self.modes, self.wind
        shelter = modes.shelter(axes[0])[self.cell]
        mean = wind.speed * shelter * wind.profile.mean(self.points)
        gain = modes.gust_gain(mean) * shelter[:, None] * wind.profile.eddies(self.points)
        amplitude = np.sqrt(wind.spectrum(np.clip(modes.frequency, wind.low, wind.high)))
        return self.rows @ axes.T * gain * amplitude[:, None]

    def _wave_numbers(self, frequency: float) -> FloatArray:
        """(3, WAVES) radians per metre along, left and up, on a spiral: each stands for waves of the same chance."""
        rank = (np.arange(WAVES) + 0.5) / WAVES
        beyond = 1 - rank * (1 - 1 / hypot(1, FINEST))  # α/√(α² + κ²)
        radius = self.wind.decay * frequency / self.wind.pace * np.sqrt(1 / beyond**2 - 1)
        angle = 2 * pi * GOLDEN * np.arange(WAVES)
        along = np.full(WAVES, -2 * pi * frequency / self.wind.pace)
        return np.stack([along, radius * np.cos(angle), radius * np.sin(angle)])


def _alike(frequency: FloatArray) -> list[IntArray]:
    """Which modes have nearly the same frequency, group by group; frequencies ascend."""
    group = np.floor(np.log(frequency / frequency[0]) / np.log(CLOSE))
    return np.split(np.arange(len(frequency)), np.flatnonzero(np.diff(group)) + 1)


def _product(rows: NDArray[np.float32], waves: NDArray[np.float32]) -> NDArray[np.float32]:
    """(rows, waves) the matrix product of (rows, points) and (points, waves), block of points by block."""
    points, count = waves.shape
    size = min(max(1, TOGETHER // (len(rows) * count)), points)
    whole = points // size * size
    left = np.swapaxes(rows[:, :whole].reshape(len(rows), -1, size), 0, 1)
    blocks = left @ waves[:whole].reshape(-1, size, count)
    return np.asarray(blocks.sum(axis=0) + rows[:, whole:] @ waves[whole:])
