"""A picture of a loop: how its highest node moves over a period, how strongly at each frequency, and where."""

import os
from typing import TYPE_CHECKING

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.motion import LoopMotion, SpectralMotion
from windflower.motion.spectral.loop_summary import LoopSummary, loop_summary
from windflower.plots.figure import labelled, new_figure, plant_name, save_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_loop"]

INK, ALONG, ACROSS = "0.25", "#c2410c", "#2b6c8f"
TOGETHER = 64  # times posed at once


def draw_loop(
    motion: LoopMotion, path: str | os.PathLike[str], *, title: str = "", node: int | None = None, theory: bool = True
) -> None:
    """Draw a loop, watching one node, by default the highest.

    `theory` draws the expected spectrum over that of the loop, if the motion knows its wind; that takes a while for
    plants of some thousand nodes.
    """
    summary = loop_summary(motion, node=node)
    view = _View(motion, summary)
    figure = new_figure(11, 7.2)
    _draw_time(figure.add_axes((0.07, 0.585, 0.9, 0.25)), view, motion.period)
    spectrum = figure.add_axes((0.07, 0.09, 0.53, 0.37))
    _draw_spectrum(spectrum, view)
    if theory and isinstance(motion, SpectralMotion):
        _draw_theory(spectrum, motion, view)
    spectrum.legend(frameon=False, fontsize=8.5, loc="lower left")
    _draw_path(figure.add_axes((0.69, 0.09, 0.28, 0.37)), view)
    name = plant_name(motion.plant)
    figure.text(0.07, 0.965, title or f"A loop of {motion.period:g} s: {name}", fontsize=16, va="top", color="0.1")
    figure.text(0.07, 0.905, _facts(summary), fontsize=10, va="top", color="0.35")
    save_figure(figure, path)


class _View:
    """What is drawn: the node's path in the wind's own directions, cm, and where its modes are."""

    def __init__(self, motion: LoopMotion, summary: LoopSummary) -> None:
        wind = motion.clip.air.mean * (1, 0, 1)
        along = wind / max(float(np.linalg.norm(wind)), 1e-12)
        self.axes = np.stack([along, np.cross(along, (0.0, 1.0, 0.0))])
        self.node, self.period = summary.node, motion.period
        self.time = motion.frame_times(max(60.0, 4 * motion.loop.samples / motion.period))
        parts = np.array_split(self.time, -(-len(self.time) // TOGETHER))
        points = np.concatenate([motion.at(part)[:, self.node] for part in parts])
        self.path = 100 * (points - motion.plant.position[self.node]) @ self.axes.T
        self.highest = motion.loop.samples / (2 * motion.period)

    @property
    def density(self) -> tuple[FloatArray, FloatArray]:
        """Frequencies (n,), Hz, and power densities along and across the wind (n, 2), cm²/Hz."""
        wave = np.fft.rfft(self.path, axis=0)[1:] * 2 / len(self.path)
        frequency = np.arange(1, len(wave) + 1) / self.period
        held = frequency < self.highest
        return frequency[held], (np.abs(wave) ** 2 / 2 * self.period)[held]


def _draw_time(axes: "Axes", view: _View, period: float) -> None:
    for column, (label, colour) in enumerate((("along the wind", ALONG), ("across it", ACROSS))):
        axes.plot(view.time, view.path[:, column], color=colour, linewidth=1.3, label=label)
        # A little of the next period, to see that there is no seam.
        after = view.time < 0.06 * period
        axes.plot(view.time[after] + period, view.path[after, column], color=colour, linewidth=1.3, alpha=0.45)
    axes.axvline(period, color=INK, linewidth=0.8, linestyle=":")
    axes.set_xlim(0, 1.06 * period)
    axes.legend(frameon=False, fontsize=8.5, loc="upper right", ncols=2)
    labelled(axes, "the highest node, from where it is at rest", "s", "cm")


def _draw_spectrum(axes: "Axes", view: _View) -> None:
    frequency, density = view.density
    for column, (label, colour) in enumerate((("along the wind", ALONG), ("across it", ACROSS))):
        axes.plot(frequency, density[:, column], ".", markersize=3.5, color=colour, label=f"{label}: this loop")
    axes.set(xscale="log", yscale="log", ylim=(density.max() * 1e-6, density.max() * 4))
    labelled(axes, "how strongly at each frequency", "Hz", "cm²/Hz")


def _draw_theory(axes: "Axes", motion: SpectralMotion, view: _View) -> None:
    """Draw the expected density of the node's linear displacement, |H|² S, and the natural frequencies."""
    forces = motion.cross_spectrum.matrix[:, :-3, :-3] / 2 * motion.period
    rows = 100 * motion.shapes[:, view.node] @ view.axes.T  # (shapes, 2)
    through = motion.transfer[:, :, None] * rows
    for column, colour in enumerate((ALONG, ACROSS)):
        one = through[:, :, column]
        density = np.einsum("pi,pij,pj->p", one, forces, one.conj(), optimize=True).real
        axes.plot(motion.loop.frequency, density, color=colour, linewidth=1.2, alpha=0.8)
    axes.plot([], [], color=INK, linewidth=1.2, label="expected")
    low = axes.get_ylim()[0]
    for frequency in motion.modes.frequency:
        axes.plot([frequency] * 2, [low, 2.5 * low], color=INK, linewidth=0.8)
    axes.plot([], [], "|", color=INK, label="natural frequencies")


def _draw_path(axes: "Axes", view: _View) -> None:
    closed = np.concatenate([view.path, view.path[:1]])
    axes.plot(closed[:, 1], closed[:, 0], color=INK, linewidth=0.9)
    axes.plot(0, 0, "o", color=ALONG, markersize=4)
    axes.set_aspect("equal", adjustable="datalim")
    labelled(axes, "its path from above; the dot is at rest", "across the wind, cm", "along, cm")


def _facts(summary: LoopSummary) -> str:
    return (
        f"wind {summary.wind:.1f} m/s over the crown; leans {100 * summary.lean:.1f} cm, sways "
        f"{100 * summary.along:.2f} cm along and {100 * summary.across:.2f} cm across (rms), mostly at "
        f"{summary.frequency:.2f} Hz; seam {summary.seam:.0e} m"
    )
