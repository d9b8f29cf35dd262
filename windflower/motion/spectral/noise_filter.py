"""The paper's air: white noise at every branch, filtered by distance (Stam 1996, eq. 8).

    V_k(ω) = n_k Σ_l exp(-t_c ω d_kl / d_c) w_l

As printed, the filter is 1 for all pairs as ω → 0 and for a branch with itself at all ω; its rows would have as much
energy as there are branches near. So here each row has a factor n_k that gives every branch the wanted rms speed over
all waves. The spectrum keeps the paper's shape: as many branches as are within reach at low frequencies, and an even
floor at high ones. Pairs that the filter leaves less than CUT of are left out, so its reach follows ω; a plant of many
branches is taken in lumps much smaller than the reach. Both keep the cost linear in the branches.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf, log, pi

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist

from windflower.core.arrays import FloatArray
from windflower.mechanics.sums import summed_by
from windflower.motion.spectral.correlated import complex_normals, knots_of, lumped
from windflower.motion.spectral.force_spectrum import APART, ForceSpectrum, knots_between
from windflower.motion.spectral.loop import ComplexArray
from windflower.wind.checks import number
from windflower.wind.direction import check_direction
from windflower.wind.profile import GRASSLAND, WindProfile

__all__ = ["FilteredAir", "NoiseFilter"]

Matrix = NDArray[np.float32] | csr_array

CUT = 0.01  # what is left of the filter's value where it is cut off
EXACT = 1500  # up to so many branches, each is a lump of its own at all frequencies
LUMP = 0.25  # size of a lump over the distance at which the filter falls to 1/e
CROWDED = 0.2  # share of all pairs within reach from which a full matrix is quicker


@dataclass(frozen=True, kw_only=True)
class NoiseFilter:
    """The paper's random air, by its two numbers, in a mean wind.

    speed                 mean wind at 10 m, m/s
    direction             where it blows from, degrees
    correlation_time      t_c, s
    correlation_distance  d_c, m: at an angular frequency of 1/t_c the filter falls to 1/e over this distance
    intensity             rms of each component over speed, at 10 m
    profile               how mean and fluctuations grow with height
    """

    speed: float
    direction: float = 270.0
    correlation_time: float = 1.0
    correlation_distance: float = 1.0
    intensity: float = 0.2
    profile: WindProfile = GRASSLAND

    def __post_init__(self) -> None:
        number("speed of the mean wind", self.speed, "Some m/s are usual.", above=0, unit="m/s")
        check_direction(self.direction)
        number("correlation time", self.correlation_time, "About 1 s is usual.", above=0, unit="s")
        number("correlation distance", self.correlation_distance, "A branch's length is usual.", above=0, unit="m")
        number("intensity of turbulence", self.intensity, "0.1 to 0.3 is usual.", least=0, most=2)

    @property
    def sigma(self) -> float:
        """Rms of each component at 10 m, m/s."""
        return self.intensity * self.speed

    def length(self, omega: FloatArray) -> FloatArray:
        """(…,) distance over which the filter falls to 1/e at angular frequencies (…,), m."""
        return np.asarray(self.correlation_distance / (self.correlation_time * omega))


class FilteredAir:
    """Filtered noise at some points (points, 3), for waves of these ascending frequencies, Hz."""

    smooth = inf

    def __init__(self, wind: NoiseFilter, points: FloatArray, frequency: FloatArray) -> None:
        self._wind, self._points, self._frequency = wind, points, frequency
        self._length = wind.length(2 * pi * frequency)
        self._octave = np.floor(np.log2(frequency / frequency[0]) + 1e-9).astype(np.int64)
        self._lumps = [_Lumps(points, self._length[self._octave == one]) for one in range(self._octave[-1] + 1)]
        energy = sum(self._of(wave).energy(length)[self._of(wave).lump] for wave, length in enumerate(self._length))
        self._scale = wind.sigma * wind.profile.eddies(points) * np.sqrt(2 / energy)[:, None]

    def drawn(self, numbers: np.random.Generator) -> Iterator[ComplexArray]:
        """See `CorrelatedAir`."""
        for wave, length in enumerate(self._length):
            lumps = self._of(wave)
            noise = complex_normals(numbers, len(lumps), 3)
            parts = np.concatenate([noise.real, noise.imag], axis=1).astype(np.float32)
            filtered = lumps.filter(length) @ parts
            velocity = (filtered[:, :3] + 1j * filtered[:, 3:])[lumps.lump]
            yield np.asarray(velocity * self._scale, np.complex128)[None]

    def covariance(self, rows: FloatArray, wave: int) -> ComplexArray:
        """See `CorrelatedAir`."""
        return self._covariance(rows, self._of(wave), self._length[wave])

    def spectrum(self, rows: FloatArray, low: float, high: float, *, lumps: int) -> ForceSpectrum:  # noqa: ARG002
        """See `CorrelatedAir`; lumps are as at all times. Below its first wave the filter is taken further down."""
        first, knots = float(self._frequency[0]), knots_of(self._frequency, APART)
        below = knots_between(low, first)[:-1]
        lengths = self._wind.length(2 * pi * below)
        slow = [self._covariance(rows, _Lumps(self._points, lengths[[i]]), length) for i, length in enumerate(lengths)]
        matrix: ComplexArray = np.stack([*slow, *(self.covariance(rows, int(wave)) for wave in knots)])
        return ForceSpectrum(np.concatenate([below, self._frequency[knots]]), np.asarray(matrix / (2 * first)))

    def _covariance(self, rows: FloatArray, lumps: "_Lumps", length: float) -> ComplexArray:
        by_lump = summed_by(lumps.lump, np.moveaxis(rows * self._scale, 1, 0), len(lumps))
        flat = by_lump.reshape(len(lumps), -1).astype(np.float32)
        through = np.asarray(lumps.filter(length).T @ flat, np.float64)
        parts = np.moveaxis(through.reshape(len(lumps), len(rows), 3), 1, 0).reshape(len(rows), -1)
        return (parts @ parts.T).astype(np.complex128)

    @property
    def pairs(self) -> int:
        """Number of filter values that all waves take together: the cost of a draw."""
        return sum(self._of(wave).pairs for wave in range(len(self._length)))

    def _of(self, wave: int) -> "_Lumps":
        return self._lumps[self._octave[wave]]


class _Lumps:
    """Points (points, 3) in lumps, and the distances between lumps within reach, for filters of these lengths.

    lump   (points,)  which lump each point is in
    """

    def __init__(self, points: FloatArray, lengths: FloatArray) -> None:
        edge = LUMP * float(lengths.min()) if len(points) > EXACT else 0.0
        self.lump, centre, count = lumped(points, edge)
        self._root = np.sqrt(count).astype(np.float32)  # noise of as many branches
        self._distance = _distances(centre, float(lengths.max()) * log(1 / CUT))

    def __len__(self) -> int:
        return len(self._root)

    @property
    def pairs(self) -> int:
        """Number of pairs of lumps within reach, each counted twice, and those of lumps with themselves."""
        return int(self._distance.nnz if isinstance(self._distance, csr_array) else self._distance.size)

    def filter(self, length: float) -> Matrix:
        """(lumps, lumps) exp(-d / length) times the noise of each lump."""
        if isinstance(self._distance, csr_array):
            data = np.exp(self._distance.data * np.float32(-1 / length)) * self._root[self._distance.indices]
            return csr_array((data, self._distance.indices, self._distance.indptr), shape=self._distance.shape)
        return np.exp(self._distance * np.float32(-1 / length)) * self._root

    def energy(self, length: float) -> FloatArray:
        """(lumps,) sum of the squares of each row."""
        matrix = self.filter(length)
        square = matrix.power(2) if isinstance(matrix, csr_array) else matrix**2
        return np.asarray(square.sum(axis=1), np.float64)


def _distances(centre: FloatArray, reach: float) -> Matrix:
    """Distances of all pairs within reach, in single precision: of all pairs if most are."""
    tree = cKDTree(centre)
    if tree.count_neighbors(tree, reach) > CROWDED * len(centre) ** 2:
        return cdist(centre, centre).astype(np.float32)
    first, second = tree.query_pairs(reach, output_type="ndarray").T
    apart = np.linalg.norm(centre[first] - centre[second], axis=1)
    same = np.arange(len(centre))
    row, column = np.concatenate([first, second, same]), np.concatenate([second, first, same])
    data = np.concatenate([apart, apart, np.zeros(len(centre))]).astype(np.float32)
    return csr_array(coo_array((data, (row, column)), shape=(len(centre), len(centre))))
