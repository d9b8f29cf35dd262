"""Pictures of modes, in the manner of figure 4 of Diener et al. 2009: the plant at rest, and swung out."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.errors import MechanicsError
from windflower.mechanics import Modes
from windflower.motion.poses.pose import RotatedPose, turns
from windflower.plant.graph import Plant
from windflower.plots.figure import new_figure, plant_name, save_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_modes"]

REACH, BEND = 0.14, 0.6  # a mode is drawn with this sway, as a share of the height, or this bend, rad, if that is less
PANEL = 3.0  # inches, the width of a panel
STILL_TO_MOVING = ("#8d857b", "#e0a63b", "#d5472f", "#8a1253")


def draw_modes(
    modes: Modes, path: str | os.PathLike[str], *, numbers: Sequence[int] | None = None, title: str = ""
) -> None:
    """Draw some modes side by side, each from the side to which it sways least.

    The rest pose is grey; what moves most is darkest. `numbers` counts from 1; by default eight modes from the first
    to the last, closer together where frequencies are low.
    """
    chosen = _spread_out(len(modes)) if numbers is None else list(numbers)
    if not chosen or not all(1 <= number <= len(modes) for number in chosen):
        raise MechanicsError(f"modes are numbered from 1 to {len(modes)}; asked for {chosen}. Choose among them.")
    views = [_View(modes, number - 1) for number in chosen]
    left, right, low, high = _common_frame(views)
    rows = -(-len(views) // 4)
    columns = -(-len(views) // rows)
    height = PANEL * (high - low) / (right - left) + 0.25
    figure = new_figure(PANEL * columns, height * rows + 0.5)
    top = 1 - 0.5 / (height * rows + 0.5)
    for place, view in enumerate(views):
        row, column = divmod(place, columns)
        axes = figure.add_axes((column / columns, top * (1 - (row + 1) / rows), 1 / columns, top / rows))
        view.paint(axes, PANEL * 72 / (right - left))
        axes.set(xlim=(left, right), ylim=(low, low + (right - left) * height / PANEL), aspect="equal")
        axes.axis("off")
    figure.text(0.5, 1 - 0.12 / figure.get_figheight(), title or _title(modes), fontsize=13, ha="center", va="top")
    save_figure(figure, path)


class _View:
    """One mode on its plane: screen x is where it sways most."""

    def __init__(self, modes: Modes, mode: int) -> None:
        plant, shape = modes.plant, modes.shape[mode, :, :3]
        self.plant, self.label = plant, f"mode {mode + 1}   {modes.frequency[mode]:#.3g} Hz"
        across = _main_direction(plant, shape)
        amplitude = _amplitude(plant, shape) * (1 if plant.segment_volume @ (shape @ across) > 0 else -1)
        swung = RotatedPose(plant, shape[None]).points(np.array([[amplitude]]))[0]
        self.moved = np.linalg.norm(swung - plant.position, axis=1)
        foot = plant.position[plant.roots].mean(axis=0)
        self.rest, self.swung = (
            np.stack([(points - foot) @ across, points[:, 1] - foot[1]], axis=1) for points in (plant.position, swung)
        )

    def paint(self, axes: "Axes", points_per_metre: float) -> None:
        from matplotlib.colors import LinearSegmentedColormap

        palette = LinearSegmentedColormap.from_list("sway", STILL_TO_MOVING)
        share = self.moved / self.moved.max()
        order = np.argsort(share[self.plant.segments], kind="stable")  # what moves most is painted last
        self._wood(axes, self.rest, points_per_metre, "0.84", order)
        self._wood(axes, self.swung, points_per_metre, palette(share[self.plant.segments][order]), order)
        axes.text(0.5, 0.995, self.label, transform=axes.transAxes, ha="center", va="top", fontsize=9.5, color="0.25")

    def _wood(
        self, axes: "Axes", points: FloatArray, points_per_metre: float, colours: "str | FloatArray", order: IntArray
    ) -> None:
        from matplotlib.collections import LineCollection

        segments = self.plant.segments[order]
        lines = np.stack([points[self.plant.parent[segments]], points[segments]], axis=1)
        widths = (self.plant.base_radius + self.plant.radius)[segments] * points_per_metre
        axes.add_collection(
            LineCollection(list(lines), linewidths=np.maximum(widths, 0.3), colors=colours, capstyle="round")
        )


def _main_direction(plant: Plant, shape: FloatArray) -> FloatArray:
    """The level direction in which most wood sways, a unit vector."""
    level = shape[:, [0, 2]] * np.sqrt(plant.segment_volume)[:, None]
    x, z = np.linalg.eigh(level.T @ level)[1][:, -1]
    return np.array([x, 0, z]) * (1 if x > 0 else -1)


def _amplitude(plant: Plant, shape: FloatArray) -> float:
    bend = np.linalg.norm(turns(plant, shape[None])[0], axis=1)
    return float(min(REACH * plant.height / np.linalg.norm(shape, axis=1).max(), BEND / np.quantile(bend, 0.98)))


def _common_frame(views: list[_View]) -> tuple[float, float, float, float]:
    everything = np.concatenate([points for view in views for points in (view.rest, view.swung)])
    (left, low), (right, high) = everything.min(axis=0), everything.max(axis=0)
    margin = 0.04 * max(right - left, high - low)
    widest = max(right, -left) + margin
    widest = max(widest, 0.3 * (high - low))
    return -widest, widest, low - margin, high + margin


def _spread_out(count: int, panels: int = 8) -> list[int]:
    """Numbers from 1 to count, first close together and then apart."""
    if count <= panels:
        return list(range(1, count + 1))
    wished = np.geomspace(1, count, panels)
    least = np.arange(1, panels + 1)
    return [int(number) for number in np.maximum(np.round(wished), least)]


def _title(modes: Modes) -> str:
    return f"{len(modes)} modes of {plant_name(modes.plant)}, {modes.plant.height:.1f} m, {modes.plant.nodes:,} nodes"
