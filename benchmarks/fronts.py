"""Gust fronts running over the crowns of two stock scenes, seen from above.

python benchmarks/fronts.py docs/fronts.webp

Every dot is a tree of the scene where it stands, coloured by how far its crown leans downwind now, in degrees: what the
device moved, not the wind. Trees are looked at in the middle of the scene.
"""

import sys

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.device import Gpu, open_gpu
from windflower.plots.figure import labelled, new_figure, save_plot
from windflower.scene import Scene, build, read_scene
from windflower.simulation import DeviceSimulation

TIMES = {"forest": (3.0, 4.5, 6.0, 7.5), "hills": (40.0, 48.0, 56.0, 64.0)}
HALF = {"forest": (100.0, 75.0), "hills": (400.0, 300.0)}  # m shown to either side of the middle, along x and z
SWAYS_BEFORE = 10.0  # s that the trees move before the first picture


def main(path: str) -> None:
    """Draw both scenes at four moments each."""
    gpu, figure = open_gpu(), new_figure(13.0, 6.2)
    for axes_row, (name, times) in zip(figure.subplots(2, 4), TIMES.items(), strict=True):
        scene = build(read_scene(name))
        where = np.concatenate([stand.places.position for stand in scene.stands])[:, [0, 2]]
        centre = (where.min(axis=0) + where.max(axis=0)) / 2
        leans = list(_leans(gpu, scene, times))
        top = float(np.percentile(np.concatenate(leans), 98))
        for axes, time, lean in zip(axes_row, times, leans, strict=True):
            order = np.argsort(lean)  # those that lean most are drawn last
            dots = axes.scatter(*(where - centre)[order].T, c=lean[order], s=5, cmap="YlGnBu", vmin=0, vmax=top)
            axes.set(xlim=(-HALF[name][0], HALF[name][0]), ylim=(HALF[name][1], -HALF[name][1]), aspect="equal")
            labelled(axes, f"{name}, {time:g} s", "east, m", "south, m" if axes is axes_row[0] else "")
        figure.colorbar(dots, ax=list(axes_row), shrink=0.8, label="lean downwind, °")
    save_plot(figure.axes[0], path, dpi=110)


def _leans(gpu: Gpu, scene: Scene, times: tuple[float, ...]) -> "list[FloatArray]":
    """(trees,) how far each crown leans downwind at each moment, degrees."""
    simulation = DeviceSimulation(scene, gpu, start=times[0] - SWAYS_BEFORE)
    along = scene.wind.mean / np.linalg.norm(scene.wind.mean)
    found = []
    for time in times:
        simulation.advance(time)
        found.append(np.concatenate([_lean(stand, along) for stand in simulation.stands]))
    return found


def _lean(stand: "object", along: FloatArray) -> FloatArray:
    twin, places = stand.twin, stand.stand.places  # type: ignore[attr-defined]
    last = len(stand.stand.motion.levels)  # type: ignore[attr-defined]  # foot and crown
    twin.pose(last, np.arange(len(places)))
    moved = twin.read_points(last)[:, 1] - twin.crown
    downwind = np.einsum("na,na->n", moved, places.turned_to_plant(np.broadcast_to(along, (len(places), 1, 3)))[:, 0])
    return np.degrees(np.arctan2(downwind, twin.crown[1]))


if __name__ == "__main__":
    main(sys.argv[1])
