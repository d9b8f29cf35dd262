"""Motion without integration: a random wind and the plant's answer to it, in the frequency domain (Stam 1996).

    random velocities at the branches ──> modal forces ──> modal response ──> a loop of amounts of shapes
         noise_filter, eddies        exposure, linear_drag    response           loop, loop_motion
                                   └─> CrossSpectrum ───> a new draw without the branches

The mean wind gives a steady lean, and what the wind is more or less than its mean shakes the plant about it. Each
amount of a shape answers by itself: a mode as a damped oscillator (eq. 7), a static vector by following the wind.
"""

from collections.abc import Iterator
from functools import cached_property, lru_cache
from math import isfinite, pi

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.errors import MotionError
from windflower.mechanics import Modes, Sheet
from windflower.mechanics.analysis import without_leaves
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
from windflower.motion.spectral.response import Response
from windflower.motion.spectral.spectral_checks import checked_period, checked_wind, waves_of, whole
from windflower.wind.turbulence import Turbulence

__all__ = ["SpectralMotion"]

LINES = ("integrated", "printed")
ROUGH, FINE = 200, 1000  # lumps of branches, to tell how forces change inside a bin, and how strong they are
TINY = 1e-300
BRANCHES, FRESH = 1, 2  # what random numbers are for
MOST_HEADINGS = 360
MOMENTS = 200  # of a loop, at which sheets are looked at


class SpectralMotion(LoopMotion):
    """The modes of a plant in a random wind that repeats after a period.

    modes     what `analyse` returned
    period    T, s
    speed     of the mean wind at 10 m, m/s; short for wind=Turbulence(speed=…)
    wind      a `Turbulence`, or the paper's `NoiseFilter` with its correlation time t_c and distance d_c. Its seed and
              loop are not used
    seed      of the random velocities
    samples   M: frequencies up to M/2T; by default at least four times the highest mode's
    alpha     α of the damping C = α M, 1/s, for all modes; by default the wood's own and the air's
    drag      "linearised": a gust along the wind counts 2 U, one across it U; "doubled": 2 U for both;
              "printed": eq. 3, without a speed
    lines     "integrated": what a loop has at p/T carries all that is nearer to it than to other lines (`response`);
              "printed": only what is at p/T itself, as in the paper
    headings  for how many directions of the wind about the plant there are clips: a stand of turned plants needs some
    pose, reading  see `LoopMotion`

    forces    `Loop` of the modal forces and the cells' dynamic winds at p/T
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
        lines: str = "integrated",
        headings: int = 1,
        pose: str = "rotated",
        reading: str = "exact",
    ) -> None:
        made = {name: value for name, value in locals().items() if name not in ("self", "modes", "__class__")}
        self._bare = lru_cache(maxsize=1)(lambda: SpectralMotion(without_leaves(modes), **made))
        one_of("a drag", drag, DRAGS)
        one_of("a kind of lines", lines, LINES)
        self.modes, self.wind, self.seed = modes, checked_wind(speed, wind), whole("a seed", seed, 0)
        headings = whole("the number of headings", headings, 1, MOST_HEADINGS)
        waves = waves_of(modes, checked_period(period), samples, headings)
        self.exposure = exposure_of(modes)
        self._frequency = np.arange(1, waves + 1) / period
        self._drags = [self._drag(turn, drag) for turn in _turns(headings)]
        self._air = [self._correlated(one.points) for one in self._drags]
        self.damping = _damping(modes, self.exposure, self._drags[0], alpha)
        self._response = Response(modes, self.damping)
        self._gains = self._gains_of(lines)
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
    def first_mode(self) -> tuple[float, float, float]:
        """Frequency of the first mode, Hz, and its damping ratios by the wood and by the air (α counts as air)."""
        modes = self.modes
        both, wood = float(self.damping[0] / (2 * modes.omega[0])), float(modes.damping[0])
        return float(modes.frequency[0]), min(wood, both), max(both - wood, 0.0)

    def with_leaves(self, share: float) -> "SpectralMotion":
        """The loop of the bare plant where less than half of its leaves are left: a loop has its leaves or has none."""
        sheds = len(self.plant.leaves) and self.modes.conditions.leaves and not self.sheets
        return self._bare() if sheds and share < 0.5 else self

    @property
    def sheets(self) -> tuple[Sheet, ...]:
        """Thin plates on its nodes."""
        return self.modes.conditions.sheets

    @cached_property
    def transfer(self) -> ComplexArray:
        """(waves, shapes) answer to a force at p/T: eq. 7."""
        return self._response.transfer(self._frequency[:, None])

    @property
    def gain(self) -> FloatArray:
        """(waves, shapes) factor on that answer by which each line carries its bin; 1 where lines are as printed."""
        return self._gains[0][:, :-3]

    @cached_property
    def cross_spectrum(self) -> CrossSpectrum:
        """The cross-spectrum of forces and mean wind over the crown, for the unturned plant; found when first asked."""
        return self._cross_spectrum(0)

    @property
    def natural_frequencies(self) -> FloatArray:
        """(modes,) natural frequencies, Hz."""
        return self.modes.frequency

    def expected_density(self, node: int, directions: FloatArray) -> FloatArray:
        """(waves, n) power density of a node's linear displacement along directions (n, 3), m²/Hz: |H|² S.

        It is that of the lines: the mean over all loops, and |H|² S itself as its mean over the bin of each line.
        """
        forces = self.cross_spectrum.matrix[:, :-3, :-3] / 2 * self.period
        through = (self.gain * self.transfer)[:, :, None] * (self.shapes[:, node, :3] @ np.transpose(directions))
        rows = [np.einsum("pi,pij,pj->p", one, forces, one.conj(), optimize=True) for one in np.moveaxis(through, 2, 0)]
        return np.stack(rows, axis=1).real

    def left_out(self, node: int | None = None) -> float:
        """Share of the long-time variance of a node's level sway that is slower than 1/2T and so in no line.

        By default of the highest node. Long is as long as the wind goes: to its `low` end, by default ten minutes.
        """
        low, high = self._band
        slowest = min(max(0.5 / self.period, low), high)
        forces = self._air[0].spectrum(self._drags[0].rows, low, high, lumps=FINE)
        level = self.shapes[:, self.watched(node)][:, [0, 2]]
        parts = [self._response.variance(forces, level, *ends).sum() for ends in ((low, slowest), (slowest, high))]
        return float(parts[0] / max(sum(parts), TINY))

    def fresh(self, seed: int) -> LoopMotion:
        """Another loop in the same wind, from the cross-spectrum: the first takes a while, the next milliseconds."""
        numbers = numbers_of(whole("a seed", seed, 0), FRESH)
        return self.with_clips(self._clips([one.drawn(numbers) for one in self._cross_spectra]))

    def again(self, seed: int) -> LoopMotion:
        """Another loop in the same wind, from random velocities at all branches, as `SpectralMotion(seed=…)`."""
        return self.with_clips(self._clips(self._drawn(whole("a seed", seed, 0))))

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
        return Loop(self.period, lean, 2 * self.gain * self.transfer * series[1 : waves + 1])

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

    @property
    def _band(self) -> tuple[float, float]:
        """Where the wind begins and where it ends, or the loop, Hz; the filter begins far below its first wave."""
        first, end = float(self._frequency[0]), float(self._frequency[-1]) + 0.5 / self.period
        if isinstance(self.wind, NoiseFilter):
            return 1e-3 * first, end
        return self.wind.low, max(self.wind.low, min(self.wind.high, end))

    def _gains_of(self, lines: str) -> list[FloatArray]:
        """(waves, shapes + 3) for each heading, factors on what is drawn at each line for the shapes and the wind."""
        if lines == "printed":
            return [np.ones((len(self._frequency), len(self.exposure.shapes) + 3))] * len(self._drags)
        first, last = 0.5 * self._frequency[0], self._frequency[-1] + 0.5 * self._frequency[0]
        pairs = zip(self._air, self._drags, strict=True)
        spectra = [air.spectrum(_all_rows(one), first, last, lumps=ROUGH) for air, one in pairs]
        return [self._response.gains(self._frequency, one) for one in spectra]

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
        for drag, gain, forces in zip(self._drags, self._gains, drawn, strict=True):
            lean, carried = drag.steady.copy(), gain * forces
            lean[:modes] /= self.modes.omega**2
            sway = Loop(period, lean, self.transfer * carried[:, :-3])
            clips.append(Clip(sway, Loop(period, drag.mean, carried[:, -3:])))
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
