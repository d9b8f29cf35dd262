"""The numbers of a sway: spectrum, frequency and damping, statistics, a table, and a few lines for people."""

import os
from dataclasses import dataclass
from functools import cached_property
from math import ceil, floor, isfinite
from typing import Any

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.drawing import drawn
from windflower.core.files import check_target, replacing
from windflower.core.lengths import length_text
from windflower.core.text import plain
from windflower.errors import MechanicsError
from windflower.mechanics.identify import PERIODS as PERIODS_TOLD
from windflower.mechanics.identify import ModalIdentification, modal_identification, power_spectrum
from windflower.motion.sway_signals import CALM, SwaySignals
from windflower.wind.beaufort import speed_text

__all__ = ["Sway"]

SHORTEST = 8  # times in a piece of a spectrum
PERIODS = 20  # of the first mode, in each piece of a spectrum
UNSURE, WANTED = 0.4, 0.2  # errors of damping, as shares of it, that get a remark, and that it advises
SMALLEST = 1e-9  # damping


@dataclass(frozen=True, eq=False, kw_only=True)
class Sway(SwaySignals):
    """The recorded motion of some nodes of a plant, and its numbers."""

    def __repr__(self) -> str:
        where = "1 place" if len(self.nodes) == 1 else f"{len(self.nodes)} places"
        return f"<Sway of {self.modes.plant}: {self.seconds:.3g} s at {where} in a wind of {self.asked:.3g} m/s>"

    def spectrum(self) -> tuple[FloatArray, FloatArray]:
        """Frequencies (n,) in Hz, and one-sided power densities along and across the wind, (2, n) in m²/Hz.

        The mean over pieces of the record (Welch's method) that are long enough to tell the first mode apart.
        """
        step = float(self.time[1] - self.time[0])
        least = max(SHORTEST, ceil(PERIODS / self.modes.frequency[0] / step))
        return power_spectrum(self.time, np.stack([self.along, self.across]), seconds=least * step)

    @cached_property
    def identified(self) -> ModalIdentification | None:
        """First frequency and damping as the displacement along the wind shows them; None if it is too short.

        The damping holds what the air adds to that of the wood.
        """
        try:
            return modal_identification(self.time, self.along, near=float(self.modes.frequency[0]))
        except MechanicsError:
            return None

    @property
    def wood_damping(self) -> float:
        """The part of the damping ratio of the first mode that was put in for the wood."""
        return float(self.modes.damping[0])

    @property
    def air_damping(self) -> float:
        """Damping ratio that the mean wind adds: a plant moving with the wind feels less of it, and against it more."""
        return float(self.modes.air_damping(self.speed)[0])

    def statistics(self) -> dict[str, Any]:
        """Mean, rms about the mean, peak and gust factor of everything, f1 and damping, with units in the names."""
        found = self.identified
        strain = self.largest_strain
        return {
            "seconds": self.seconds,
            "wind_asked_m_s": self.asked,
            "wind_m_s": _facts(np.linalg.norm(self.air, axis=1), gusts=True),
            "base_moment_N_m": _facts(self.base_moment, gusts=True),
            "strain_percent": {
                "peak": strain.percent,
                "node": strain.node,
                "height_m": strain.height,
                "diameter_m": strain.diameter,
                "thicker_than_m": self.thicker,
            },
            "f1_hz": found and found.frequency,
            "f1_error_hz": found and found.frequency_error,
            "damping": found and found.damping,
            "damping_error": found and found.damping_error,
            "damping_of_wood": self.wood_damping,
            "damping_of_air": self.air_damping,
            "places": [self._place(i) for i in range(len(self.nodes))],
        }

    def _place(self, index: int) -> dict[str, Any]:
        plant, node = self.modes.plant, int(self.nodes[index])
        return {
            "name": self.names[index],
            "node": node,
            "height_m": float(self.heights[index]),
            "diameter_m": 2 * float(plant.radius[node]),
            "along_m": _facts(self.paths[index] @ self.direction, gusts=True),
            "across_m": _facts(self.paths[index] @ self.left),
            "tilt_deg": _facts(self.tilt[index]),
            "strain_percent": _facts(100 * self.strains[index]),
        }

    def columns(self) -> dict[str, FloatArray]:
        """Everything over time, (times,) each, by the name of its column, which ends with its unit: `time_s`."""
        left, up = self.left, np.array([0.0, 1.0, 0.0])
        found = {
            "time_s": self.time,
            "wind_m_s": np.linalg.norm(self.air, axis=1),
            "wind_along_m_s": self.air @ self.direction,
            "base_moment_N_m": self.base_moment,
            "largest_strain_percent": 100 * self.strain,
        }
        tilt, tilt_along, tilt_across = self.tilt, self.tilt_along, self.tilt_across
        for i, name in enumerate(self.names):
            path = self.paths[i]
            found |= {
                f"{name}_along_m": path @ self.direction,
                f"{name}_across_m": path @ left,
                f"{name}_up_m": path @ up,
                f"{name}_tilt_deg": tilt[i],
                f"{name}_tilt_along_deg": tilt_along[i],
                f"{name}_tilt_across_deg": tilt_across[i],
                f"{name}_strain_percent": 100 * self.strains[i],
            }
        return found

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write `columns` as a table with commas, a row for each time."""
        check_target(path, "a table", (".csv",))
        columns = self.columns()
        with replacing(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
            np.savetxt(
                file, np.column_stack(list(columns.values())), "%.9g", ",", header=",".join(columns), comments=""
            )

    def plot(self, **options: Any) -> Any:
        """Draw wind, displacement and spectrum: `plot_sway`, whose axes are returned."""
        return drawn("plot_sway", self, options)

    @property
    def seconds(self) -> float:
        """Length of the record, s."""
        return float(self.time[-1] - self.time[0])

    @property
    def remark(self) -> str | None:
        """That the record is too short to tell frequency and damping, or to tell damping well; None if it is not."""
        found, periods = self.identified, self.seconds * float(self.modes.frequency[0])
        if found is None:
            least = ceil(1.2 * PERIODS_TOLD / self.modes.frequency[0])
            return (
                f"f1 and damping are told from a record of {PERIODS_TOLD} periods of f1 on; this has "
                f"{floor(10 * periods) / 10:g}. Record {least} s."
            )
        share = found.damping_error / max(found.damping, SMALLEST)
        if share <= UNSURE:
            return None
        longer = f"about {plain(self.seconds * (share / WANTED) ** 2)} s" if isfinite(share) else "some minutes"
        return (
            f"the record is short for its damping: {plain(self.seconds, 3)} s are {periods:.0f} periods. "
            f"It takes {longer} to tell it to a fifth."
        )

    def lines(self, source: str = "the wind has") -> list[str]:
        """The record in a few lines for people: the wind, each place, the largest strain, frequency and damping.

        source  what the mean wind is of, as the beginning of a sentence
        """
        felt = np.linalg.norm(self.air, axis=1)
        strain, found = self.largest_strain, self.identified
        wood = f"wood at least {length_text(self.thicker)} thick" if self.thicker else "all its wood"
        lines = [
            f"{source} {speed_text(self.asked)}, as its mean at 10 m; in these {plain(self.seconds, 3)} s the crown "
            f"felt {self.speed:.1f} m/s on average, {felt.max():.1f} m/s at most"
        ]
        lines += [
            f"{'the top' if name == 'top' else f'the stem at {high:.2f} m'} leans {_cm(abs(along.mean()))} and sways "
            f"{_cm(along.std())} rms along the wind, {_cm(across.std())} across"
            for name, high, along, across in zip(
                self.names, self.heights, self.paths @ self.direction, self.paths @ self.left, strict=True
            )
        ]
        lines.append(
            f"largest strain in {wood}: {plain(strain.percent)} %, {strain.height:.2f} m high, where it is "
            f"{length_text(strain.diameter)} thick (node {strain.node})"
        )
        if found:
            lines.append(
                f"f1 {plain(found.frequency, 3)}{_error(found.frequency_error)} Hz, damping "
                f"{plain(100 * found.damping)}{_error(100 * found.damping_error)} % of critical "
                f"(the wood has {plain(100 * self.wood_damping)} %, the air adds {plain(100 * self.air_damping)} %)"
            )
        return lines


def _error(value: float) -> str:
    """An error of one digit, if there is one: ` ± 30`."""
    return f" ± {plain(value, 1)}" if isfinite(value) else ""


def _cm(length: float) -> str:
    return f"{plain(100 * length)} cm"


def _facts(values: FloatArray, *, gusts: bool = False) -> dict[str, float | None]:
    """Mean, rms about it and peak; with `gusts` also the peak over the mean, None of what has none."""
    mean, peak = float(values.mean()), float(values[np.argmax(np.abs(values))])
    found: dict[str, float | None] = {"mean": mean, "rms": float(values.std()), "peak": peak}
    if gusts:
        found["gust_factor"] = peak / mean if abs(mean) > CALM else None
    return found
