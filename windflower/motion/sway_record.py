"""The record of a sway: displacement, tilt, strain and base moment over time, as arrays, tables and statistics."""

import os
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from typing import Any

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.drawing import drawn
from windflower.core.files import check_target, replacing
from windflower.core.lengths import length_text
from windflower.errors import MechanicsError
from windflower.mechanics import Modes
from windflower.mechanics.identify import ModalIdentification, modal_identification, power_spectrum
from windflower.motion.sway_places import heights_of, top_of

__all__ = ["LargestStrain", "Sway"]

SHORTEST = 8  # times in a piece of a spectrum
CALM = 1e-9  # m/s
PERIODS = 20  # of the first mode, in each piece of a spectrum


@dataclass(frozen=True)
class LargestStrain:
    """The largest strain of a sway, and where it was.

    percent    strain of the outermost fibre, %
    node       at the base of this node's segment
    height     of that base above the root, m
    diameter   there, m
    """

    percent: float
    node: int
    height: float
    diameter: float


@dataclass(frozen=True, eq=False, kw_only=True)
class Sway:
    """The recorded motion of some nodes of a plant.

    modes        of the plant that moved
    nodes        (places,)            which nodes were watched
    time         (times,)             s
    paths        (places, times, 3)   their displacements from rest, m
    chords       (places, times, 3)   the segments that end there, m
    air          (times, 3)           the wind, mean over the crown, m/s
    strains      (places, times)      strain at the base of those segments, a ratio
    strain       (times,)             the largest strain of the wood that is at least `thicker`, a ratio
    peak_strain  (nodes,)             the largest strain of every segment, a ratio
    thicker      thickness from which on wood counts for `strain`, m; 0 for all wood
    moment       (times, 3)           moment that the first root takes, N·m
    """

    modes: Modes
    nodes: IntArray
    time: FloatArray
    paths: FloatArray
    chords: FloatArray
    air: FloatArray
    strains: FloatArray
    strain: FloatArray
    peak_strain: FloatArray
    thicker: float
    moment: FloatArray

    @property
    def node(self) -> int:
        """The first node that was watched."""
        return int(self.nodes[0])

    @property
    def path(self) -> FloatArray:
        """(times, 3) displacement of the first node from rest, m."""
        return self.paths[0]

    @property
    def speed(self) -> float:
        """Speed of the mean wind over the crown, m/s."""
        return float(np.linalg.norm(self.air.mean(axis=0)))

    @property
    def direction(self) -> FloatArray:
        """(3,) unit vector along the horizontal mean wind; along x if there is none."""
        mean = self.air.mean(axis=0) * (1, 0, 1)
        return mean / np.linalg.norm(mean) if np.linalg.norm(mean) > CALM else np.array([1.0, 0.0, 0.0])

    @property
    def along(self) -> FloatArray:
        """(times,) displacement of the first node along the wind, m."""
        return self.path @ self.direction

    @property
    def across(self) -> FloatArray:
        """(times,) its horizontal displacement across the wind, m."""
        return self.path @ self._left

    @property
    def _left(self) -> FloatArray:
        return np.cross(self.direction, (0.0, 1.0, 0.0))

    @property
    def tilt(self) -> FloatArray:
        """(places, times) angle of each watched segment from its rest, degrees; 0 for a root."""
        rest = self._rest_chords[:, None]
        return np.degrees(
            np.arctan2(np.linalg.norm(np.cross(rest, self.chords), axis=-1), (rest * self.chords).sum(axis=-1))
        )

    @property
    def tilt_along(self) -> FloatArray:
        """(places, times) tilt along the wind, degrees, as an inclinometer on the segment shows it."""
        return self._leaning(self.direction)

    @property
    def tilt_across(self) -> FloatArray:
        """(places, times) tilt across the wind, degrees."""
        return self._leaning(self._left)

    def _leaning(self, way: FloatArray) -> FloatArray:
        now, rest = _unit(self.chords), _unit(self._rest_chords)[:, None]
        return np.degrees(np.arcsin(np.clip(now @ way, -1, 1)) - np.arcsin(np.clip(rest @ way, -1, 1)))

    @property
    def _rest_chords(self) -> FloatArray:
        plant = self.modes.plant
        return plant.position[self.nodes] - plant.position[np.maximum(plant.parent[self.nodes], 0)]

    @property
    def base_moment(self) -> FloatArray:
        """(times,) bending moment at the first root, N·m: the level part."""
        return np.hypot(self.moment[:, 0], self.moment[:, 2])

    @property
    def heights(self) -> FloatArray:
        """(places,) height of the watched nodes above their root, m."""
        return heights_of(self.modes.plant)[self.nodes]

    @property
    def names(self) -> tuple[str, ...]:
        """What the watched places are called in tables: `top`, or their height."""
        top = top_of(self.modes.plant)
        plain = ["top" if n == top else f"{h:.2f}m" for n, h in zip(self.nodes.tolist(), self.heights, strict=True)]
        return tuple(
            name if plain.count(name) == 1 else f"{name}#{node}"
            for name, node in zip(plain, self.nodes.tolist(), strict=True)
        )

    @property
    def largest_strain(self) -> LargestStrain:
        """The largest strain of wood at least `thicker`, and where it was."""
        plant = self.modes.plant
        thick = plant.segments[2 * plant.base_radius[plant.segments] >= self.thicker]
        node = int(thick[np.argmax(self.peak_strain[thick])])
        base = float(heights_of(plant)[plant.parent[node]])
        return LargestStrain(100 * float(self.peak_strain[node]), node, base, 2 * float(plant.base_radius[node]))

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

    def statistics(self) -> dict[str, Any]:
        """Mean, rms about the mean, peak and gust factor of everything, f1 and damping, with units in the names."""
        found = self.identified
        strain = self.largest_strain
        return {
            "seconds": float(self.time[-1] - self.time[0]),
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
            "across_m": _facts(self.paths[index] @ self._left),
            "tilt_deg": _facts(self.tilt[index]),
            "strain_percent": _facts(100 * self.strains[index]),
        }

    def columns(self) -> dict[str, FloatArray]:
        """Everything over time by the name of its column, which ends with its unit."""
        left, up = self._left, np.array([0.0, 1.0, 0.0])
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

    def lines(self) -> list[str]:
        """The record in a few lines for people: each place, the largest strain, frequency and damping."""
        strain, found = self.largest_strain, self.identified
        wood = f"wood from {length_text(self.thicker)} on" if self.thicker else "all its wood"
        lines = [
            f"{'the top' if name == 'top' else f'the stem at {high:.2f} m'} leans {_cm(abs(along.mean()))} and sways "
            f"{_cm(along.std())} rms along the wind, {_cm(across.std())} across"
            for name, high, along, across in zip(
                self.names, self.heights, self.paths @ self.direction, self.paths @ self._left, strict=True
            )
        ]
        lines.append(
            f"largest strain of {wood}: {strain.percent:.2g} %, {strain.height:.2f} m high, where it is "
            f"{length_text(strain.diameter)} thick (node {strain.node})"
        )
        if found:
            lines.append(
                f"f1 {found.frequency:.3g} ± {found.frequency_error:.1g} Hz, damping {100 * found.damping:.2g} ± "
                f"{100 * found.damping_error:.1g} % of critical"
            )
        return lines


def _cm(length: float) -> str:
    return f"{100 * length:.2g} cm"


def _unit(vectors: FloatArray) -> FloatArray:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), np.finfo(float).tiny)


def _facts(values: FloatArray, *, gusts: bool = False) -> dict[str, float | None]:
    """Mean, rms about it and peak; with `gusts` also the peak over the mean, None of what has none."""
    mean, peak = float(values.mean()), float(values[np.argmax(np.abs(values))])
    found: dict[str, float | None] = {"mean": mean, "rms": float(values.std()), "peak": peak}
    if gusts:
        found["gust_factor"] = peak / mean if abs(mean) > CALM else None
    return found
