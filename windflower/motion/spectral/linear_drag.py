"""From velocities at the branches to forces, to first order about the mean wind (Stam 1996, eq. 3, put right).

Drag goes with the dynamic wind w = s(|v|) |v| v, where s tells how the crown streamlines. About a mean U e it is

    w ≈ s U² e + (s U²)′ (e · v′) e + s U (v′ - (e · v′) e)

so that on bare wood (s = 1) a gust along the wind counts 2 U and one across it U. The paper prints ρ C_D r P v, without
a speed: there the dynamic wind is v itself times 1 m/s.

On a sheet the dynamic wind is (|y| + λ |t|) y n, with y = n·v across it and t along it (`mechanics.plate_assembly`).
A flag stands along the wind: y has no mean there, and the slope of |y| y at its mean is 0. But y is random. If it is
normal, of mean m and deviation σ, the line that leaves the least square of error has the slope 2 E|y|, and

    E|y|   = σ √(2/π) exp(-m²/2σ²) + m erf(m/σ√2)
    E|y| y = (m² + σ²) erf(m/σ√2) + m σ √(2/π) exp(-m²/2σ²)

With σ → 0 that is |m| and |m| m: the ordinary slope. |t| is taken at the mean wind. A motion's "doubled" drag is for
wood; sheets are as here.
"""

from dataclasses import dataclass, replace
from math import pi, sqrt

import numpy as np
from scipy.special import erf

from windflower.core.arrays import FloatArray
from windflower.mechanics import Modes
from windflower.mechanics.plate_assembly import pressed
from windflower.motion.spectral.exposure import Exposure
from windflower.motion.spectral.noise_filter import NoiseFilter
from windflower.wind.direction import wind_axes
from windflower.wind.turbulence import Turbulence

__all__ = ["DRAGS", "LinearDrag", "SheetDrag", "linear_drag", "sheet_drag"]

DRAGS = ("linearised", "doubled", "printed")


@dataclass(frozen=True, eq=False)
class SheetDrag:
    """The pressure of a random wind on cells of sheets, along the wind, to its left and up.

    mean   (cells, 3)     the mean dynamic wind, (m/s)²
    gain   (cells, 3, 3)  its change per m/s of the wind's three components, m/s
    brake  (cells,)       what it loses per m/s at which the sheet itself moves across, m/s
    """

    mean: FloatArray
    gain: FloatArray
    brake: FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class LinearDrag:
    """What a wind does to a plant that stands turned by some angle.

    points   (branches, 3)          where the branches feel it, in the world, m
    speed    (branches,)            of the mean wind that reaches each, m/s
    shelter  (branches,)            factor on the fluctuations that reach each
    dynamic  (shapes, branches, 3)  what a dynamic wind along the wind, to its left and up brings, per (m/s)²
    rows     (shapes, branches, 3)  what fluctuations along the wind, to its left and up bring, per m/s
    crown    (3, branches, 3)       what they bring to the mean velocity over the crown, in the world
    steady   (shapes,)              what the mean wind brings: modal forces, then dynamic winds of the cells
    mean     (3,)                   the mean wind over the crown, in the world, m/s
    sheet    where the cells of sheets begin among the branches
    normal   (cells of sheets, 3)   along the wind, to its left and up
    lift     (cells of sheets,)     C_L/C_D
    brake    (cells of sheets,)     m/s: times `Exposure.brake`, what the air takes from the modes
    """

    points: FloatArray
    speed: FloatArray
    shelter: FloatArray
    dynamic: FloatArray
    rows: FloatArray
    crown: FloatArray
    steady: FloatArray
    mean: FloatArray
    sheet: int
    normal: FloatArray
    lift: FloatArray
    brake: FloatArray

    def quadratic(self, modes: Modes, velocity: FloatArray) -> FloatArray:
        """(times, shapes) what the same wind brings by drag as it is, for fluctuations (times, branches, 3), m/s."""
        wind = velocity * self.shelter[:, None]
        wind[..., 0] += self.speed
        sheets = pressed(wind[:, self.sheet :], self.normal, self.lift)
        speed = np.linalg.norm(wind, axis=-1)
        wind *= (modes.streamlined(speed) * speed)[..., None]
        wind[:, self.sheet :] = sheets
        return np.asarray(wind.reshape(len(wind), -1) @ self.dynamic.reshape(len(self.dynamic), -1).T)


def linear_drag(
    modes: Modes,
    exposure: Exposure,
    wind: Turbulence | NoiseFilter,
    *,
    turn: FloatArray,
    drag: str,
    sigma: FloatArray,
) -> LinearDrag:
    """The drag on a plant turned by `turn` (3, 3), from its own frame to the world.

    sigma  (3,) deviation of the wind at 10 m along, left and up, m/s
    """
    axes = wind_axes(wind.direction)
    in_plant = axes @ turn
    points = exposure.middle @ turn.T
    shelter = modes.shelter(in_plant[0])[exposure.cell]
    speed = wind.speed * wind.profile.mean(points) * shelter
    rows, first = exposure.rows @ in_plant.T, exposure.sheet
    normal = exposure.normal @ in_plant.T
    steady, gain = _gains(modes, speed[:first], drag)
    rough = wind.profile.eddies(points[first:]) * sigma
    sheets = sheet_drag(speed[first:], rough, normal, exposure.lift)
    if drag == "printed":
        unit = normal[:, :, None] * normal[:, None, :]
        sheets = replace(sheets, mean=unit[:, :, 0] * speed[first:, None], gain=unit)
    by_gusts = [rows[:, :first] * gain, np.einsum("ska,kab->skb", rows[:, first:], sheets.gain)]
    weight = exposure.area / exposure.area.sum()
    return LinearDrag(
        points=points,
        speed=speed,
        shelter=shelter,
        dynamic=rows,
        rows=np.concatenate(by_gusts, axis=1) * shelter[:, None],
        crown=np.einsum("k,ai->ika", weight * shelter, axes),
        steady=rows[:, :first, 0] @ steady + np.tensordot(rows[:, first:], sheets.mean, 2),
        mean=axes[0] * float(weight @ speed),
        sheet=first,
        normal=normal,
        lift=exposure.lift,
        brake=sheets.brake,
    )


def _gains(modes: Modes, speed: FloatArray, drag: str) -> tuple[FloatArray, FloatArray]:
    """(branches,) the mean dynamic wind, (m/s)², and (branches, 3) its change per m/s along, left and up."""
    if drag == "printed":
        return speed, np.ones((len(speed), 3))
    dynamic, gain = modes.streamlined(speed) * speed**2, modes.gust_gain(speed)
    return dynamic, gain[:, [0, 0, 0]] if drag == "doubled" else gain


def sheet_drag(speed: FloatArray, sigma: FloatArray, normal: FloatArray, lift: FloatArray) -> SheetDrag:
    """The drag at mean speeds (cells,), deviations (cells, 3), unit normals (cells, 3) and λ = C_L/C_D (cells,)."""
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
