"""The pressure of a random wind on sheets, as its mean and the best straight line about it.

On a sheet the dynamic wind is (|y| + λ |t|) y n, with y = n·v across it and t along it (`mechanics.plate_assembly`).
A flag stands along the wind: y has no mean there, and the slope of |y| y at its mean is 0. But y is random. If it is
normal, of mean m and deviation σ, the line that leaves the least square of error has the slope 2 E|y|, and

    E|y|   = σ √(2/π) exp(-m²/2σ²) + m erf(m/σ√2)
    E|y| y = (m² + σ²) erf(m/σ√2) + m σ √(2/π) exp(-m²/2σ²)

With σ → 0 that is |m| and |m| m: the ordinary slope. |t| is taken at the mean wind. A motion's "doubled" drag is for
wood; sheets are as here.
"""

from dataclasses import dataclass
from math import pi, sqrt

import numpy as np
from scipy.special import erf

from windflower.core.arrays import FloatArray

__all__ = ["SheetDrag", "sheet_drag"]


@dataclass(frozen=True, eq=False)
class SheetDrag:
    """What the wind brings to some sheets' cells, in its own axes: along, left and up.

    mean   (cells, 3)     the mean dynamic wind, (m/s)²
    gain   (cells, 3, 3)  its change per m/s of the wind's three components, m/s
    brake  (cells,)       what it loses per m/s at which the sheet itself moves across, m/s
    """

    mean: FloatArray
    gain: FloatArray
    brake: FloatArray


def sheet_drag(speed: FloatArray, sigma: FloatArray, normal: FloatArray, lift: FloatArray) -> SheetDrag:
    """Work it out for mean speeds (cells,), deviations (cells, 3), unit normals (cells, 3) and λ = C_L/C_D (cells,)."""
    across = speed * normal[:, 0]
    size, signed = _moments(across, np.sqrt(((sigma * normal) ** 2).sum(axis=1)))
    along = np.array([1.0, 0.0, 0.0]) * speed[:, None] - across[:, None] * normal
    pace = np.linalg.norm(along, axis=1)
    brake = 2 * size + lift * pace
    heading = along / np.where(pace > 0, pace, 1.0)[:, None]
    slope = brake[:, None] * normal + (lift * across)[:, None] * heading
    return SheetDrag(
        mean=(signed + lift * pace * across)[:, None] * normal,
        gain=normal[:, :, None] * slope[:, None, :],
        brake=brake,
    )


def _moments(mean: FloatArray, sigma: FloatArray) -> tuple[FloatArray, FloatArray]:
    """E|y| and E|y| y of normal numbers y."""
    safe = np.maximum(sigma, 1e-12)
    ratio = np.clip(mean / safe, -1e6, 1e6)
    bell = safe * sqrt(2 / pi) * np.exp(-(ratio**2) / 2)
    inside = erf(ratio / sqrt(2))
    return bell + mean * inside, (mean**2 + safe**2) * inside + mean * bell
