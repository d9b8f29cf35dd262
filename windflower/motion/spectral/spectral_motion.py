"""Motion without integration: a random wind and the plant's answer to it, in the frequency domain (Stam 1996).

    random velocities at the branches ──> modal forces ──> modal response ──> a loop of amounts of shapes
         noise_filter, eddies        exposure, linear_drag   `transfer`          loop, loop_motion
                                   └─> CrossSpectrum ───> a new draw without the branches

The mean wind gives a steady lean, and what the wind is more or less than its mean shakes the plant about it. Each
amount of a shape answers by itself: a mode as a damped oscillator (eq. 7), a static vector by following the wind.
"""

import warnings
from collections.abc import Iterator
from functools import cached_property
from math import ceil, isfinite, pi

import numpy as np
from scipy.fft import next_fast_len

from windflower.core.arrays import FloatArray
from windflower.core.budgets import within
from windflower.errors import MotionError
from windflower.mechanics import Modes, Sheet
from windflower.mechanics.plate_assembly import every_way
from windflower.motion.contract import one_of
from windflower.motion.places import Places
from windflower.motion.poses.sheet_limits import check_sheets
from windflower.motion.spectral.correlated import CorrelatedAir, CrossSpectrum, numbers_of
from windflower.motion.spectral.eddies import EddyAir
from windflower.motion.spectral.exposure import Exposure, exposure_of
from windflower.motion.spectral.linear_drag import DRAGS, LinearDrag, linear_drag
from windflower.motion.spectral.loop import ComplexArray, Loop
from windflower.motion.spectral.loop_motion import Clip, LoopMotion
from windflower.motion.spectral.noise_filter import FilteredAir, NoiseFilter
from windflower.wind.turbulence import Turbulence

__all__ = ["SpectralMotion"]

BRANCHES, FRESH = 1, 2  # what random numbers are for
MOST_HEADINGS = 360
SHORTEST = 1e-3  # period of a loop, s
MOMENTS = 200  # of a loop, at which sheets are looked at


class SpectralMotion(LoopMotion):
    """The modes of a plant in a random wind that repeats after a period.

    period    T, s
    speed     of the mean wind at 10 m, m/s; short for wind=Turbulence(speed=…)
    wind      a `Turbulence`, or the paper's `NoiseFilter` with its correlation time t_c and distance d_c. Its seed and
              loop are not used
    seed      of the random velocities
    samples   M: frequencies up to M/2T; by default at least four times the highest mode's
    alpha     α of the damping C = α M, 1/s, for all modes; by default the wood's own and the air's
    drag      "linearised": a gust along the wind counts 2 U, one across it U; "doubled": 2 U for both;
              "printed": eq. 3, without a speed
    headings  for how many directions of the wind about the plant there are clips: a stand of turned plants needs some
    pose, reading  see `LoopMotion`

    forces    `Loop` of the modal forces and the cells' dynamic winds
    """

    def __init__(
        self,
        modes: Modes,
        *,
        period: float,
        speed: float | None = None,
        wind: Turbulence | NoiseFilter | None = None,
        seed: int = 0,
        samples: int | None = None,
        alpha: float | None = None,
        drag: str = "linearised",
        headings: int = 1,
        pose: str = "rotated",
        reading: str = "exact",
    ) -> None:
        one_of("a drag", drag, DRAGS)
        self.modes, self.wind, self.seed = modes, _checked_wind(speed, wind), _whole("a seed", seed, 0)
        headings = _whole("the number of headings", headings, 1, MOST_HEADINGS)
        waves = _waves(modes, _checked_period(period), samples, headings)
        self.exposure = exposure_of(modes)
        self._frequency = np.arange(1, waves + 1) / period
        self._drags = [self._drag(turn, drag) for turn in _turns(headings)]
        self._air = [self._correlated(one.points) for one in self._drags]
        self.damping = _damping(modes, self.exposure, self._drags[0], alpha)
        drawn = self._drawn(self.seed)
        self.forces = Loop(float(period), self._drags[0].steady, drawn[0][:, :-3])
        super().__init__(modes.plant, self.exposure.shapes, self._clips(drawn), pose=pose, reading=reading)
        if sheets := modes.conditions.sheets:
            check_sheets(sheets, self.at(np.arange(MOMENTS) * self.period / MOMENTS), self.plant.position)

    @property
    def mode_count(self) -> int:
        """Number of modes that sway."""
        return len(self.modes)

    @property
    def sheets(self) -> tuple[Sheet, ...]:
        """Thin plates on its nodes."""
        return self.modes.conditions.sheets

    @cached_property
    def transfer(self) -> ComplexArray:
        """(waves, shapes) response to a force: eq. 7 for modes.

        What static vectors stand for follows the wind without overshoot, as in `ModalMotion`, and is held back by
        the air, or the water, as much as the last mode is.
        """
        omega = 2 * pi * self._frequency[:, None]
        modal = 1 / (self.modes.omega**2 - omega**2 + 1j * self.damping * omega)
        slow = 2 * pi * self.modes.static_frequency
        follow = slow**2 + 2j * slow * omega
        static = follow / (follow - omega**2 + 1j * self.damping[-1] * omega)
        return np.concatenate([modal, np.repeat(static, 3 * self.modes.cells, axis=1)], axis=1)

    @cached_property
    def cross_spectrum(self) -> CrossSpectrum:
        """The cross-spectrum of forces and mean wind over the crown, for the unturned plant; found when first asked."""
        return self._cross_spectrum(0)

    @property
    def natural_frequencies(self) -> FloatArray:
        """(modes,) natural frequencies, Hz."""
        return self.modes.frequency

    def expected_density(self, node: int, directions: FloatArray) -> FloatArray:
        """(waves, n) power density of a node's linear displacement along directions (n, 3), m²/Hz: |H|² S."""
        forces = self.cross_spectrum.matrix[:, :-3, :-3] / 2 * self.period
        through = self.transfer[:, :, None] * (self.shapes[:, node] @ np.transpose(directions))
        rows = [np.einsum("pi,pij,pj->p", one, forces, one.conj(), optimize=True) for one in np.moveaxis(through, 2, 0)]
        return np.stack(rows, axis=1).real

    def fresh(self, seed: int) -> LoopMotion:
        """Another loop in the same wind, from the cross-spectrum: the first takes a while, the next milliseconds."""
        numbers = numbers_of(_whole("a seed", seed, 0), FRESH)
        return self.with_clips(self._clips([one.drawn(numbers) for one in self._cross_spectra]))

    def again(self, seed: int) -> LoopMotion:
        """Another loop in the same wind, from random velocities at all branches, as `SpectralMotion(seed=…)`."""
        return self.with_clips(self._clips(self._drawn(_whole("a seed", seed, 0))))

    def velocities(self) -> ComplexArray:
        """(waves, branches, 3) amplitudes of the air at the branches, along the wind, to its left and up, m/s."""
        return np.concatenate(list(self._air[0].drawn(numbers_of(self.seed, BRANCHES))))

    def quadratic(self) -> Loop:
        """The amounts under drag as it is, in the very same air: beside `loop`, what the linear drag leaves out."""
        waves, modes = len(self._frequency), len(self.modes)
        velocity = self.velocities().reshape(waves, -1)
        table = Loop(self.period, np.zeros(velocity.shape[1]), velocity).table(4 * (waves + 1))
        forces = self._drags[0].quadratic(self.modes, table.reshape(len(table), -1, 3))
        series = np.fft.rfft(forces, axis=0) / len(table)
        lean = series[0].real
        lean[:modes] /= self.modes.omega**2
        return Loop(self.period, lean, 2 * self.transfer * series[1 : waves + 1])

    @cached_property
    def _cross_spectra(self) -> list[CrossSpectrum]:
        return [self.cross_spectrum, *(self._cross_spectrum(heading) for heading in range(1, len(self._drags)))]

    def _cross_spectrum(self, heading: int) -> CrossSpectrum:
        return CrossSpectrum(self._air[heading], _all_rows(self._drags[heading]), self._frequency)

    def _drag(self, turn: FloatArray, drag: str) -> LinearDrag:
        sigma = _deviation(self.wind, self._frequency)
        return linear_drag(self.modes, self.exposure, self.wind, turn=turn, drag=drag, sigma=sigma)

    def _correlated(self, points: FloatArray) -> CorrelatedAir:
        if isinstance(self.wind, NoiseFilter):
            return FilteredAir(self.wind, points, self._frequency)
        return EddyAir(self.wind, points, self._frequency, float(self._frequency[0]))

    def _drawn(self, seed: int) -> list[ComplexArray]:
        """(waves, shapes + 3) forces and winds over the crown, from random velocities at all branches (eq. 5, 8)."""
        rows = [_all_rows(drag).reshape(-1, 3 * len(self.exposure.area)) for drag in self._drags]
        parts = [[_times(*pair) for pair in zip(rows, some, strict=True)] for some in self._velocities(seed)]
        return [np.concatenate(one) for one in zip(*parts, strict=True)]

    def _velocities(self, seed: int) -> Iterator[ComplexArray]:
        """(headings, n, branches, 3) for some waves after the other; random numbers are the same for all headings."""
        if isinstance(self.wind, NoiseFilter):
            airs = [air.drawn(numbers_of(seed, BRANCHES)) for air in self._air]
            yield from (np.stack(some) for some in zip(*airs, strict=True))
            return
        together = self._correlated(np.concatenate([drag.points for drag in self._drags]))
        for some in together.drawn(numbers_of(seed, BRANCHES)):
            yield np.moveaxis(some.reshape(len(some), len(self._drags), -1, 3), 1, 0)

    def _clips(self, drawn: list[ComplexArray]) -> list[Clip]:
        """The response to forces drawn for each heading."""
        period, modes = self.forces.period, len(self.modes)
        clips = []
        for drag, forces in zip(self._drags, drawn, strict=True):
            lean = drag.steady.copy()
            lean[:modes] /= self.modes.omega**2
            sway = Loop(period, lean, self.transfer * forces[:, :-3])
            clips.append(Clip(sway, Loop(period, drag.mean, forces[:, -3:])))
        return clips


def _all_rows(drag: LinearDrag) -> FloatArray:
    return np.concatenate([drag.rows, drag.crown])


def _times(rows: FloatArray, velocity: ComplexArray) -> ComplexArray:
    """(n, rows) Σ rows · velocity, for velocities (n, branches, 3)."""
    flat = velocity.reshape(len(velocity), -1)
    return np.asarray(flat.real @ rows.T + 1j * (flat.imag @ rows.T))


def _turns(headings: int) -> FloatArray:
    """(headings, 3, 3) rotations of plants turned by even parts of a full turn."""
    yaw = 2 * pi * np.arange(headings) / headings
    return Places(np.zeros((headings, 3)), yaw=yaw).turn


def _deviation(wind: Turbulence | NoiseFilter, frequency: FloatArray) -> FloatArray:
    """(3,) standard deviation of the wind at 10 m along, left and up, over the waves of these frequencies, m/s."""
    if isinstance(wind, NoiseFilter):
        return np.full(3, wind.sigma)
    in_band = (frequency >= wind.low) & (frequency <= wind.high)
    return np.sqrt(wind.spectrum(frequency[in_band]).sum(axis=0) * frequency[0])


def _damping(modes: Modes, exposure: Exposure, drag: LinearDrag, alpha: float | None) -> FloatArray:
    """(modes,) γ = 2ζω of the wood and of the air at a mean wind, 1/s; or α for all.

    Sheets are braked as this very wind brakes them, and not as winds from all directions do on the mean.
    """
    if alpha is not None:
        if not (isfinite(alpha) and alpha >= 0):
            raise MotionError(f"damping never pushes; alpha is {alpha:g}. Give a number of 1/s from 0 up.")
        return np.full(len(modes), float(alpha))
    speed = float(np.linalg.norm(drag.mean))
    wood = modes.drag_damping - exposure.brake @ every_way(exposure.lift)
    air = wood * float(modes.streamlined(speed)) * speed + exposure.brake @ drag.brake
    return 2 * modes.damping * modes.omega + air


def _waves(modes: Modes, period: float, samples: int | None, headings: int) -> int:
    """How many waves there are below the Nyquist frequency of M samples."""
    highest = float(modes.frequency[-1])
    needed = 2 * highest * period if samples is None else samples
    within("samples", needed * headings, "Give it a shorter period, fewer modes or headings", error=MotionError)
    if samples is None:
        return int(next_fast_len(max(4, ceil(2 * highest * period)))) - 1
    if _whole("the number of samples M", samples, 4) % 2:
        raise MotionError(f"the number of samples M must be even; it is {samples}. Give {samples + 1}.")
    if samples / (2 * period) < highest:
        enough = 2 * ceil(2 * highest * period)
        warnings.warn(
            f"{samples} samples in {period:g} s hold frequencies up to {samples / (2 * period):.3g} Hz, but the modes "
            f"go up to {highest:.3g} Hz: their resonances are left out. Give samples={enough}, or leave it out.",
            UserWarning,
            stacklevel=3,
        )
    return samples // 2 - 1


def _checked_wind(speed: float | None, wind: Turbulence | NoiseFilter | None) -> Turbulence | NoiseFilter:
    if (speed is None) == (wind is None):
        given = "neither" if speed is None else "both"
        raise MotionError(f"a spectral motion takes a speed or a wind; {given} was given. Say speed=6, for example.")
    if wind is None:
        return Turbulence(speed=_positive("the speed of the wind", speed, "m/s"))
    return wind


def _positive(name: str, value: float | None, unit: str) -> float:
    if value is None or not (isfinite(value) and value > 0):
        raise MotionError(f"{name} must be a positive number of {unit}; it is {value}.")
    return float(value)


def _checked_period(period: float) -> float:
    if _positive("the period of a loop", period, "s") < SHORTEST:
        raise MotionError(f"the period of a loop must be at least {SHORTEST:g} s; it is {period:g} s.")
    return float(period)


def _whole(name: str, value: int, least: int, most: int = 2**53) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not least <= value <= most:
        raise MotionError(f"{name} must be a whole number from {least} up to {most}; it is {value!r}.")
    return int(value)
