"""When a gust arrives at trees downwind: in the wind itself, in the kernel's sum, and on a coarse grid.

python benchmarks/gusts_travel.py docs/gusts-travel.webp

Three stock scenes, a line of crowns 13 m apart along the wind. The arrival is the shift at which ten minutes of a
crown's wind are most like the first crown's. The grid is what kernels read before they summed the waves: at most 6,000
points over the scene, every 0.2 s, with straight lines between them.
"""

import sys

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.buffers import recorded
from windflower.core.device import Gpu, open_gpu
from windflower.plots.figure import ACROSS, ALONG, labelled, new_figure, save_plot
from windflower.scene import Scene, build, read_scene
from windflower.wind.at_points import WindAtPoints
from windflower.wind.grid import Box, box_around, grid_place, sample

SCENES = ("forest", "hills", "hundred-thousand")
APART, COUNT = 13.0, 12  # m from crown to crown, and how many
DT, SECONDS, START = 0.1, 600.0, 60.0
GRID_POINTS, GRID_INTERVAL = 6000, 0.2


def main(path: str) -> None:
    """Draw the three scenes beside one another, and print how late the last crown's gust is."""
    gpu, figure = open_gpu(), new_figure(11.0, 3.6)
    all_axes = figure.subplots(1, 3)
    for axes, name in zip(all_axes, SCENES, strict=True):
        scene = build(read_scene(name))
        away: FloatArray = APART * np.arange(float(COUNT))
        points = _line(scene, away)
        winds = {"wind": _true(scene, points), "kernel": _summed(gpu, scene, points), "grid": _gridded(scene, points)}
        lags = {how: _arrivals(series) for how, series in winds.items()}
        axes.plot(away, lags["wind"], color="0.6", linewidth=5, label="the wind itself")
        axes.plot(away, lags["grid"], "s--", color=ACROSS, label=f"grid of {GRID_POINTS:,} points")
        axes.plot(away, lags["kernel"], "o-", color=ALONG, markersize=4, label="summed by the kernel")
        labelled(axes, name, "downwind, m", "arrival, s")
        alike = {how: _alike(series, winds["wind"]) for how, series in winds.items()}
        for how, lag in lags.items():
            sys.stdout.write(f"{name}, {how}: r = {alike[how]:.4f}; arrivals {np.round(lag, 1).tolist()} s\n")
    all_axes[0].legend(frameon=False, fontsize=8)
    figure.tight_layout()
    save_plot(all_axes[0], path)


def _line(scene: Scene, away: FloatArray) -> FloatArray:
    """Points at the height of crowns, along the wind about the middle of the scene."""
    mean = scene.wind.mean
    return 7.0 * np.array([0.0, 1.0, 0.0]) + np.multiply.outer(away - away.mean(), mean / np.linalg.norm(mean))


def _times() -> FloatArray:
    return np.asarray(START + DT * np.arange(round(SECONDS / DT)), np.float64)


def _true(scene: Scene, points: FloatArray) -> FloatArray:
    return scene.wind.velocity(points, _times()[:, None])


def _summed(gpu: Gpu, scene: Scene, points: FloatArray) -> FloatArray:
    found, parts = WindAtPoints(gpu, points), []
    for times in np.split(_times(), range(found.most, round(SECONDS / DT), found.most)):
        found.prepare(scene.wind, float(times[0]), DT, len(times))
        with recorded(gpu) as compute_pass:
            found.record(compute_pass)
        parts.append(found.read())
    return np.concatenate(parts)


def _grid_around(probes: FloatArray) -> tuple[Box, tuple[int, int, int]]:
    """A box around points (n, 3), and grid points along its axes, 4 m apart and 3 m up, or as far as they must be."""
    size, apart = np.ptp(probes, axis=0), np.array([4.0, 3.0, 4.0])
    while np.prod(np.ceil(size / apart) + 1) > GRID_POINTS:
        apart = apart * 1.1
    x, y, z = (np.ceil(size / apart) + 1).astype(int).tolist()
    return box_around(probes), (x, y, z)


def _gridded(scene: Scene, points: FloatArray) -> FloatArray:
    probes = np.concatenate([stand.probes.reshape(-1, 3) for stand in scene.stands])
    box, shape = _grid_around(probes)
    place, parts = grid_place(box, shape, points), []
    corners = np.unique(np.concatenate([np.floor(place), np.ceil(place)], axis=1), axis=1)  # all that is ever read
    low, high = corners.min(axis=1).astype(int), corners.max(axis=1).astype(int)
    lines = [np.linspace(a, b, n) for a, b, n in zip(box.low, box.high, shape, strict=True)]
    some = np.stack(np.meshgrid(*(x[a : b + 1] for x, a, b in zip(lines, low, high, strict=True)), indexing="ij"), -1)
    moments = np.arange(START - GRID_INTERVAL, START + SECONDS + 2 * GRID_INTERVAL, GRID_INTERVAL)
    values = np.stack([scene.wind.velocity(some, t) for t in moments])
    for t in _times():
        when = np.full(len(points), (t - moments[0]) / GRID_INTERVAL)
        parts.append(sample(values, [when, *(one - a for one, a in zip(place, low, strict=True))]))
    return np.stack(parts)


def _arrivals(series: FloatArray) -> list[float]:
    """When each crown feels what the first felt, s."""
    speed = np.linalg.norm(series[..., [0, 2]], axis=-1)
    speed = speed - speed.mean(axis=0)
    size = 2 * len(speed)
    alike = np.fft.irfft(np.fft.rfft(speed, size, axis=0) * np.fft.rfft(speed[:, :1], size, axis=0).conj(), axis=0)
    return (DT * np.argmax(alike[: len(speed) // 4], axis=0)).tolist()


def _alike(series: FloatArray, true: FloatArray) -> float:
    """Mean correlation of the crowns' wind along x with the true one."""
    pairs = zip(series[..., 0].T, true[..., 0].T, strict=True)
    return float(np.mean([np.corrcoef(one, other)[0, 1] for one, other in pairs]))


if __name__ == "__main__":
    main(sys.argv[1])
