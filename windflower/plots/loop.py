"""A loop: how its highest node moves over a period, how strongly at each frequency, and its path from above."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.motion import LoopMotion
from windflower.motion.spectral.loop_summary import LoopSummary, loop_summary
from windflower.plots.figure import heading, labelled, new_figure, panels, plain_decades, plant_name
from windflower.plots.style import ACROSS, ALONG, INK, PAGE, in_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_loop"]

DIRECTIONS = (("along the wind", ALONG), ("across it", ACROSS))


@in_style
def plot_loop(
    motion: LoopMotion,
    *,
    axes: "Sequence[Axes] | None" = None,
    node: int | None = None,
    theory: bool = True,
    title: str = "",
) -> "list[Axes]":
    """Draw how one node of a loop moves: its displacement over a period, its spectrum, and its path from above.

    motion  the loop
    axes    where to draw the three, in this order; without them a figure is made
    node    by default the highest
    theory  draw the expected spectrum over that of the loop, if the motion knows its wind; with some thousand nodes
            that takes a while
    title   of the figure that is made; by default the species and the period
    """
    summary = loop_summary(motion, node=node)
    view = _View(motion, summary)
    drawn = panels(axes, 3, _three_panels)
    _plot_time(drawn[0], view)
    _plot_spectrum(drawn[1], view)
    if theory:
        _plot_theory(drawn[1], motion, view)
    drawn[1].legend(loc="lower left")
    _plot_path(drawn[2], view)
    if axes is None:
        heading(drawn[0], title or f"A loop of {motion.period:g} s: {plant_name(motion.plant)}", _facts(summary))
    return drawn


def _three_panels() -> "list[Axes]":
    figure = new_figure(PAGE, 4.9)
    return [
        figure.add_axes(box) for box in ((0.08, 0.585, 0.89, 0.245), (0.08, 0.09, 0.5, 0.36), (0.69, 0.09, 0.28, 0.36))
    ]


class _View:
    """The node's path along and across the wind over one period, cm."""

    def __init__(self, motion: LoopMotion, summary: LoopSummary) -> None:
        wind = motion.clip.air.mean * (1, 0, 1)
        along = wind / max(float(np.linalg.norm(wind)), 1e-12)
        self.axes = np.stack([along, np.cross(along, (0.0, 1.0, 0.0))])
        self.node, self.period = summary.node, motion.period
        fps = max(60.0, 4 * motion.loop.samples / motion.period)
        self.time, points = motion.frame_times(fps), motion.path(self.node, fps)
        self.path = 100 * (points - motion.plant.position[self.node]) @ self.axes.T
        self.highest = motion.loop.samples / (2 * motion.period)

    @property
    def density(self) -> tuple[FloatArray, FloatArray]:
        """Frequencies (n,), Hz, and power densities along and across the wind (n, 2), cm²/Hz."""
        wave = np.fft.rfft(self.path, axis=0)[1:] * 2 / len(self.path)
        frequency = np.arange(1, len(wave) + 1) / self.period
        held = frequency < self.highest
        return frequency[held], (np.abs(wave) ** 2 / 2 * self.period)[held]


def _plot_time(ax: "Axes", view: _View) -> None:
    period = view.period
    for column, (label, colour) in enumerate(DIRECTIONS):
        ax.plot(view.time, view.path[:, column], color=colour, linewidth=1.3, label=label)
        # A little of the next period, to see that there is no seam.
        after = view.time < 0.06 * period
        ax.plot(view.time[after] + period, view.path[after, column], color=colour, linewidth=1.3, alpha=0.45)
    ax.axvline(period, color=INK, linewidth=0.8, linestyle=":")
    ax.set_xlim(0, 1.06 * period)
    ax.legend(ncols=2, loc="lower right", bbox_to_anchor=(1, 1), borderaxespad=0.1)
    labelled(ax, f"node {view.node}, from its position at rest", "time, s", "displacement, cm")


def _plot_spectrum(ax: "Axes", view: _View) -> None:
    frequency, density = view.density
    for column, (label, colour) in enumerate(DIRECTIONS):
        ax.plot(frequency, density[:, column], ".", markersize=3.5, color=colour, label=f"{label}: this loop")
    ax.set(xscale="log", yscale="log", ylim=(density.max() * 1e-6, density.max() * 4))
    plain_decades(ax)
    labelled(ax, "how strongly at each frequency", "frequency, Hz", "power density, cm²/Hz")


def _plot_theory(ax: "Axes", motion: LoopMotion, view: _View) -> None:
    """Draw the expected power density and the natural frequencies, where the motion knows them."""
    expected = motion.expected_density(view.node, view.axes)
    if expected is not None:
        for density, colour in zip(1e4 * expected.T, (ALONG, ACROSS), strict=True):
            ax.plot(motion.loop.frequency, density, color=colour, linewidth=1.2, alpha=0.8)
        ax.plot([], [], color=INK, linewidth=1.2, label="expected")
    if len(motion.natural_frequencies):
        low = ax.get_ylim()[0]
        ax.vlines(motion.natural_frequencies, low, 2.5 * low, color=INK, linewidth=0.8)
        ax.plot([], [], "|", color=INK, label="natural frequencies")


def _plot_path(ax: "Axes", view: _View) -> None:
    closed = np.concatenate([view.path, view.path[:1]])
    ax.plot(closed[:, 1], closed[:, 0], color=INK, linewidth=0.9)
    ax.plot(0, 0, "o", color=ALONG, markersize=4)
    ax.set_aspect("equal", adjustable="datalim")
    labelled(ax, "path from above; the dot is at rest", "across the wind, cm", "along the wind, cm")


def _facts(summary: LoopSummary) -> str:
    return (
        f"wind {summary.wind:.1f} m/s over the crown · leans {100 * summary.lean:.1f} cm, sways "
        f"{100 * summary.along:.2f} cm along and {100 * summary.across:.2f} cm across (rms), mostly at "
        f"{summary.frequency:.2f} Hz · seam {summary.seam:.0e} m"
    )
