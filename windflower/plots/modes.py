"""Modes: the plant at rest and swung out (Diener et al. 2009, figure 4), and the paths of its tips (figure 6)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.errors import MechanicsError
from windflower.mechanics import Modes
from windflower.motion.poses.pose import RotatedPose, turns
from windflower.plant.graph import Plant
from windflower.plots.figure import HEAD, cover, draw_wood, heading, new_figure, panels, plain, plant_name, scale_bar
from windflower.plots.style import COLUMN, PAGE, PALETTE, in_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_modes", "plot_trajectories"]

REACH, BEND = 0.14, 0.6  # a mode is drawn with this sway, as a share of the height, or this bend, rad, if that is less
NOTHING = 1e-12  # m and rad
STILL_TO_MOVING = ("#8d857b", "#e0a63b", "#d5472f", "#8a1253")

# Trajectories
TURN = 1.1  # rad that the most turned segment of a mode turns at the ends of a path
MOMENTS, PATHS = 41, 30  # on a path; paths of a mode


@in_style
def plot_modes(
    modes: Modes, *, axes: "Axes | Sequence[Axes] | None" = None, numbers: Sequence[int] | None = None, title: str = ""
) -> "list[Axes]":
    """Draw modes side by side, each seen from the direction in which it sways least.

    The plant at rest is grey; what moves most is darkest. Amplitudes are exaggerated.

    modes    what `analyse` returned
    axes     where to draw, one for each mode; without them a figure is made
    numbers  of the modes, from 1; by default eight from the first to the last, closer together at low frequencies
    title    of the figure that is made; by default the species, its height and its nodes
    """
    chosen = _spread_out(len(modes)) if numbers is None else list(numbers)
    if not chosen or not all(1 <= number <= len(modes) for number in chosen):
        raise MechanicsError(f"modes are numbered from 1 to {len(modes)}; asked for {chosen}. Choose among them.")
    views = [_View(modes, number - 1) for number in chosen]
    half, low, high = _common_frame(views)
    drawn = panels(
        axes,
        len(views),
        lambda: _row_of_panels(len(views), (high - low) / (2 * half)),
        remedy="Name as many modes as there are axes: numbers=[1] for one.",
    )
    for ax, view in zip(drawn, views, strict=True):
        plain(ax, left=-half, low=low, width=2 * half, height=high - low)
        view.paint(ax)
    scale_bar(drawn[0])
    if axes is None:
        heading(drawn[0], title or f"{_counted(len(views), len(modes))} of {plant_name(modes.plant)}", _facts(modes))
    return drawn


class _View:
    """One mode on a plane: x is the direction in which it sways most."""

    def __init__(self, modes: Modes, mode: int) -> None:
        plant, shape = modes.plant, modes.shape[mode]
        self.plant, self.label = plant, f"mode {mode + 1}   {modes.frequency[mode]:#.3g} Hz"
        across = _main_direction(plant, shape)
        amplitude = _amplitude(plant, shape) * (1 if plant.segment_volume @ (shape[:, :3] @ across) > 0 else -1)
        swung = RotatedPose(plant, shape[None]).points(np.array([[amplitude]]))[0]
        self.moved = np.linalg.norm(swung - plant.position, axis=1)
        foot = plant.position[plant.roots].mean(axis=0)
        self.rest, self.swung = (
            np.stack([(points - foot) @ across, points[:, 1] - foot[1]], axis=1) for points in (plant.position, swung)
        )

    def paint(self, ax: "Axes") -> None:
        from matplotlib.colors import LinearSegmentedColormap

        palette = LinearSegmentedColormap.from_list("sway", STILL_TO_MOVING)
        share = (self.moved / max(self.moved.max(), NOTHING))[self.plant.segments]
        order = np.argsort(share, kind="stable")  # what moves most is painted last
        draw_wood(ax, self.plant, self.rest, "0.84", order)
        draw_wood(ax, self.plant, self.swung, palette(share[order]), order)
        ax.text(0.5, 0.995, self.label, transform=ax.transAxes, ha="center", va="top", fontsize=7, color="0.25")


def _row_of_panels(count: int, shape: float) -> "list[Axes]":
    """Axes in at most four columns; `shape` is height over width."""
    rows = -(-count // 4)
    columns = -(-count // rows)
    across = COLUMN if columns < 3 else PAGE * columns / 4
    high = across / columns * shape + 0.16
    figure = new_figure(across, high * rows + HEAD)
    width, height = 1 / columns, high / (high * rows + HEAD)
    places = (divmod(place, columns) for place in range(count))
    return [figure.add_axes((column * width, (rows - row - 1) * height, width, height)) for row, column in places]


def _main_direction(plant: Plant, shape: FloatArray) -> FloatArray:
    """The level direction in which most wood sways, a unit vector."""
    level = shape[:, [0, 2]] * np.sqrt(plant.segment_volume)[:, None]
    x, z = np.linalg.eigh(level.T @ level)[1][:, -1]
    return np.array([x, 0, z]) * (1 if x > 0 else -1)


def _amplitude(plant: Plant, shape: FloatArray) -> float:
    bend = np.linalg.norm(turns(plant, shape[None])[0], axis=1)
    reach = max(float(np.linalg.norm(shape[:, :3], axis=1).max()), NOTHING)  # a twist moves no node of a straight pole
    return float(min(REACH * plant.height / reach, BEND / max(np.quantile(bend, 0.98), NOTHING)))


def _common_frame(views: list[_View]) -> tuple[float, float, float]:
    """Half the width, the lower and the upper end of what all views show, m."""
    everything = np.concatenate([points for view in views for points in (view.rest, view.swung)])
    (left, low), (right, high) = everything.min(axis=0), everything.max(axis=0)
    margin = 0.04 * max(right - left, high - low)
    return max(right + margin, margin - left, 0.3 * (high - low)), low - margin, high + margin


def _spread_out(count: int, most: int = 8) -> list[int]:
    """Numbers from 1 to count, first close together and then apart."""
    if count <= most:
        return list(range(1, count + 1))
    wished = np.geomspace(1, count, most)
    least = np.arange(1, most + 1)
    return [int(number) for number in np.maximum(np.round(wished), least)]


def _counted(shown: int, known: int) -> str:
    """How many modes a figure shows, and of how many, if it does not show all."""
    return f"{known} modes" if shown == known else f"{shown} of {known} modes"


def _facts(modes: Modes) -> str:
    return f"{modes.plant.height:.1f} m, {modes.plant.nodes:,} nodes, {modes.wood.name or 'wood'}"


@in_style
def plot_trajectories(modes: Modes, *, ax: "Axes | None" = None) -> "Axes":
    """Draw a plant, and the paths of the branch tips that each mode moves most, a colour a mode.

    modes  what `analyse` returned
    ax     where to draw; without it a figure is made
    """
    plant, alone = modes.plant, ax is None
    if ax is None:
        ax = new_figure(5, 5.4).add_axes((0, 0, 1, 0.93))
    cover(ax, plant.position[:, :2], margin=0.06)
    draw_wood(ax, plant, plant.position[:, :2], "0.78")
    for mode, colour in zip(range(len(modes)), PALETTE, strict=False):
        for way in _paths(modes, mode):
            ax.plot(way[:, 0], way[:, 1], color=colour, lw=0.7, alpha=0.85)
        ax.plot([], [], color=colour, label=f"mode {mode + 1}, {modes.frequency[mode]:.2f} Hz")
    ax.legend(loc="lower right")
    scale_bar(ax)
    if alone:
        heading(ax, "Paths of branch tips, one mode at a time")
    return ax


def _paths(modes: Modes, mode: int) -> FloatArray:
    """(paths, moments, 3) of the tips that this mode moves most, from one side to the other."""
    shape = modes.shape[mode : mode + 1]
    reach = TURN / np.linalg.norm(turns(modes.plant, shape), axis=-1).max()
    amount = np.linspace(-reach, reach, MOMENTS)[:, None]
    points = RotatedPose(modes.plant, shape).points(amount)
    return np.swapaxes(points[:, _tips(modes, mode)], 0, 1)


def _tips(modes: Modes, mode: int) -> IntArray:
    plant = modes.plant
    tips = np.setdiff1d(plant.segments, plant.parent)
    moved = np.linalg.norm(modes.shape[mode, tips, :3], axis=1)
    far = tips[np.argsort(-moved)]
    return far[: min(PATHS, int(np.count_nonzero(moved > 0.15 * moved.max())))]
