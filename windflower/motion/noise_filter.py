"""The paper's air: white noise at every branch, filtered by distance (Stam 1996, eq. 8).

    V_k(ω) = n_k Σ_l exp(-t_c ω d_kl / d_c) w_l

As printed, the filter is 1 for all pairs as ω → 0 and for a branch with itself at all ω; its rows would have as much
energy as there are branches near. So here each row has a factor n_k that gives every branch the wanted rms speed over
all waves. The spectrum keeps the paper's shape: as many branches as are within reach at low frequencies, and an even
floor at high ones. Pairs that the filter leaves less than CUT of are left out, so its reach follows ω; a plant of many branches is
taken in lumps much smaller than the reach. Both keep the cost linear in the branches.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist

from windflower.motion.correlated import complex_normals
from windflower.motion.loop import ComplexArray
from windflower.plant.graph import FloatArray, IntArray
from windflower.wind.checks import number
from windflower.wind.direction import check_direction
from windflower.wind.profile import GRASSLAND, Profile

__all__ = ["FilteredAir", "NoiseFilter"]

CUT = 0.01  # what is left of the filter's value where it is cut off
EXACT = 600  # up to so many branches, each is a lump of its own at all frequencies
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
    profile: Profile = GRASSLAND

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
        """Distance over which the filter falls to 1/e at angular frequencies ω in rad/s, m."""
        return np.asarray(self.correlation_distance / (self.correlation_time * omega))


class FilteredAir:
    """Filtered noise at some points (points, 3), for waves of these frequencies, Hz."""

    smooth = np.inf

    def __init__(self, wind: NoiseFilter, points: FloatArray, frequency: FloatArray) -> None:
        self._length = wind.length(2 * np.pi * frequency)
        octave = np.floor(np.log2(frequency / frequency[0]) + 1e-9).astype(np.int64)
        self._level = octave
        self._lumps = [_Lumps(points, self._length[octave == one]) for one in range(octave[-1] + 1)]
        energy = np.zeros(len(points))
        for wave in range(len(frequency)):
            lumps, matrix = self._filter(wave)
            energy += (matrix.power(2) if isinstance(matrix, csr_array) else matrix**2) @ lumps.count @ ...
        self._scale = wind.sigma * wind.profile.factor(points[:, 1]) * np.sqrt(2 / energy)
