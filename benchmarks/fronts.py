"""Gust fronts running over the crowns of two stock scenes, seen from above.

python benchmarks/fronts.py docs/fronts.webp

Every dot is a tree of the scene where it stands, coloured by how far its crown leans downwind now, over how far it
leans on the mean of half a minute: what the device moved, not the wind.
"""

import sys

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.device import Gpu, open_gpu
from windflower.plots.figure import labelled, new_figure, save_plot
from windflower.scene import Scene, build, read_scene
from windflower.simulation import DeviceSimulation
from windflower.simulation.device_stand import DeviceStand

TIMES = {"forest": (3.0, 4.5, 6.0, 7.5), "hills": (40.0, 45.0, 50.0, 55.0)}
SHOWN = {"forest": (0.0, -52.0, 100.0, 75.0), "hills": (300.0, -40.0, 160.0, 120.0)}
"""Middle, x and z, and half of the width and height of what is shown, m."""
BEFORE, EVERY = 25.0, 0.5  # s before the first picture in which the mean is taken, and between its moments
MOST = 3.0  # leans beyond are as dark


def main(path: str) -> None:
    """Draw both scenes at four moments each."""
    gpu, figure = open_gpu(), new_figure(11.0, 4.6)
    figure.set_layout_engine("constrained")
    all_axes = figure.subplots(2, 4)
    for axes_row, (name, times) in zip(all_axes, TIMES.items(), strict=True):
        scene = build(read_scene(name))
        where = np.concatenate([stand.places.position for stand in scene.stands])[:, [0, 2]]
        x, z, wide, high = SHOWN[name]
        for axes, time, lean in zip(axes_row, times, _leans(gpu, scene, times), strict=True):
            order = np.argsort(lean)  # those that lean most are drawn last
            dots = axes.scatter(*where[order].T, c=lean[order], s=7, cmap="YlGnBu", vmin=0.0, vmax=MOST, linewidths=0)
            axes.set(xlim=(x - wide, x + wide), ylim=(z + high, z - high), aspect="equal", xticks=[], yticks=[])
            labelled(axes, f"{name}, {time:g} s", "", "")
            axes.grid(visible=False)
    figure.colorbar(dots, ax=all_axes.ravel().tolist(), shrink=0.7, label="lean downwind over its mean")
    save_plot(all_axes[0, 0], path, dpi=120)


def _leans(gpu: Gpu, scene: Scene, times: tuple[float, ...]) -> list[FloatArray]:
    """(trees,) how far each crown leans downwind at each moment, over its mean until the last."""
    simulation = DeviceSimulation(scene, gpu, start=times[0] - BEFORE)
    along = scene.wind.mean / np.linalg.norm(scene.wind.mean)
    moments = np.arange(times[0] - BEFORE + EVERY, times[-1] + EVERY / 2, EVERY)
    found = []
    for moment in moments:
        simulation.advance(moment)
        found.append(np.concatenate([_lean(stand, along) for stand in simulation.stands]))
    mean = np.maximum(np.mean(found, axis=0), 1e-9)
    return [found[int(np.argmin(np.abs(moments - time)))] / mean for time in times]


def _lean(stand: DeviceStand, along: FloatArray) -> FloatArray:
    """(trees,) how far the crowns of a stand are downwind of where they are at rest, m."""
    twin, places = stand.twin, stand.stand.places
    last = len(stand.stand.motion.levels)  # the foot and the crown of each
    twin.pose(last, np.arange(len(places)))
    moved = twin.read_points(last)[:, 1] - twin.crown
    downwind = np.einsum("na,na->n", moved, places.turned_to_plant(np.broadcast_to(along, (len(places), 1, 3)))[:, 0])
    return np.asarray(downwind)


if __name__ == "__main__":
    main(sys.argv[1])
