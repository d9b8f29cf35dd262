"""How bark of each kind is painted: functions that make the parts of a tile from noise, cells and scars.

Everything repeats along both sides: noise is a sum of whole waves, cells are found on a torus, and scars are laid over
the edges. Lengths are in widths of a tile; u runs to the right from 0 to 1, v down from 0 to 2.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from scipy.ndimage import gaussian_filter, zoom
from scipy.spatial import cKDTree

from windflower.core.arrays import FloatArray
from windflower.core.randomness import draw

__all__ = [
    "HIGH",
    "WIDE",
    "Painted",
    "eyes",
    "flakes",
    "paper",
    "plates",
    "ridges",
    "rings",
    "scales",
    "smooth",
    "thin",
]

WIDE, HIGH = 512, 1024  # texels
KEY = 67  # key of the random numbers of this module


class Painted(NamedTuple):
    """Weights of the own and the second colour, height over the tile's width, and the noise of lichen."""

    own: FloatArray
    second: FloatArray
    height: FloatArray
    lichen: FloatArray


def _waves(seed: int, across: tuple[float, float], along: float = 1.0, steep: float = 0.5) -> FloatArray:
    """Noise (HIGH, WIDE) of standard deviation 1, from the first to the last number of waves to a width.

    along  how much longer waves are along the stem than around it
    steep  power by which shorter waves are weaker
    """
    row = np.fft.fftfreq(HIGH, 1 / HIGH)[:, None] * (WIDE / HIGH) * along
    column = np.arange(WIDE // 2 + 1)[None, :]
    k = np.hypot(row, column)
    weight = np.where((k >= across[0]) & (k <= across[1]), np.maximum(k, 1) ** -(1 + steep), 0)
    turn = np.exp(2j * np.pi * draw(KEY, seed, np.arange(HIGH)[:, None], column))
    noise = np.fft.irfft2(weight * turn, s=(HIGH, WIDE))
    return np.asarray((noise - noise.mean()) / noise.std())


class _Cells(NamedTuple):
    """Distances to the nearest and second nearest cell, over the cells' size, and a random number of the nearest."""

    near: FloatArray
    next: FloatArray
    own: FloatArray

    @property
    def border(self) -> FloatArray:
        """How far from the border of a cell, 0 to about 1."""
        return self.next - self.near


def _cells(seed: int, columns: int, rows: int, warp: tuple[FloatArray, FloatArray]) -> _Cells:
    """Irregular cells, so many around and along a tile, at places that are shifted by a warp in widths."""
    fine = 2  # worked out on every second texel: distances are smooth
    row, column = np.meshgrid(np.arange(rows), np.arange(columns), indexing="ij")
    shift = 0.5 * (row % 2)
    x = (column + shift + 0.15 + 0.7 * draw(KEY, seed, row, column, 0)) / columns
    y = (row + 0.1 + 0.8 * draw(KEY, seed, row, column, 1)) / rows
    box = np.array([float(columns), float(rows)])
    tree = cKDTree(np.stack([x.ravel() % 1, y.ravel() % 1], axis=1) * box % box, boxsize=box)
    u = (np.arange(WIDE)[::fine] + 0.5) / WIDE + warp[0][::fine, ::fine]
    v = ((np.arange(HIGH)[::fine, None] + 0.5) / WIDE + warp[1][::fine, ::fine]) * (WIDE / HIGH)
    place = np.stack([u % 1, np.broadcast_to(v % 1, u.shape)], axis=-1).reshape(-1, 2) * box
    found = tree.query(np.minimum(place, box * (1 - 1e-12)), k=2)
    distance, which = np.asarray(found[0]), np.asarray(found[1])
    shape = (HIGH // fine, WIDE // fine)
    near, following = (_finer(distance[:, k].reshape(shape)) for k in range(2))
    own = draw(KEY, seed, which[:, 0].reshape(shape), 2)
    return _Cells(near, following, np.asarray(np.kron(own, np.ones((fine, fine))), np.float64))


def _finer(values: FloatArray) -> FloatArray:
    """Twice as many texels, smooth between."""
    return np.asarray(zoom(values, 2, order=1, mode="grid-wrap", grid_mode=True))


def smooth(low: float, high: float, x: FloatArray) -> FloatArray:
    """From 0 at `low` to 1 at `high`, as smoothstep in WGSL."""
    t = np.clip((x - low) / (high - low), 0, 1)
    return np.asarray(t * t * (3 - 2 * t))


@cache
def _lichen() -> FloatArray:
    return np.asarray(0.5 + 0.17 * _waves(90, (3, 60), 1.0, 0.35))


def _scars(
    seed: int,
    count: int,
    long: tuple[float, float],
    high: tuple[float, float],
    *,
    bent: float = 0.0,
    rough: float = 0.3,
) -> FloatArray:
    """Coverage (HIGH, WIDE) of marks across the stem: lens-shaped, bent up or down at their ends, with rough rims."""
    marks = np.zeros((HIGH, WIDE))
    rim = _waves(seed + 1000, (10, 60), 1.0, 0.4)
    own = draw(KEY, seed, np.arange(count)[:, None], np.arange(5))
    for a, b, c, d, e in own:
        half, thick = (long[0] + (long[1] - long[0]) * c * c) / 2, (high[0] + (high[1] - high[0]) * d) / 2
        across, down = int(half * WIDE) + 2, int((2.5 * thick + abs(bent) * half) * WIDE) + 2
        x, y = np.arange(-across, across + 1), np.arange(-down, down + 1)[:, None]
        where = np.ix_((int(a * HIGH) + y[:, 0]) % HIGH, (int(b * WIDE) + x) % WIDE)
        u, v = x / WIDE / half, (y / WIDE - bent * half * (np.abs(x / WIDE / half) ** 1.3) * (0.6 + 0.8 * e)) / thick
        inside = (1 - u * u) * (1 + rough * rim[where]) - np.abs(v)
        marks[where] = np.maximum(marks[where], np.clip(inside / 0.35 + 0.5, 0, 1) * (np.abs(u) < 1))
    return marks


@cache
def ridges() -> Painted:
    """Deep furrows between long ridges that part and join: oak, walnut, poplar, willow."""
    sway = 0.030 * _waves(1, (1, 5), 2.5, 0.8) + 0.006 * _waves(2, (8, 30), 2.0, 0.5)
    slide = 0.16 * _waves(3, (1, 8), 1.6, 0.4)
    long = _cells(4, 15, 6, (sway, slide))
    cracks = _cells(5, 13, 34, (sway, slide + 0.012 * _waves(6, (4, 30), 0.6, 0.5)))
    fibre, grain = _waves(7, (30, 200), 6.0, 0.3), _waves(8, (60, 250), 1.5, 0.0)
    crest = smooth(0.02, 0.55, long.border + 0.05 * fibre + 0.04 * _waves(9, (10, 40), 3.0, 0.5))
    block = smooth(0.0, 0.22, cracks.border + 0.03 * grain)
    top = crest * (0.72 + 0.28 * block) + 0.10 * crest * (long.own - 0.5)
    height = 0.040 * top + 0.0022 * fibre * (0.4 + 0.6 * crest) + 0.0010 * grain
    furrow = 1 - smooth(0.05, 0.5, crest)
    light = (0.80 + 0.45 * crest) * (0.86 + 0.14 * block) * (0.9 + 0.25 * long.own) * (1 + 0.09 * fibre + 0.07 * grain)
    own = light * (1 - 0.85 * furrow)
    return Painted(own, 0.75 * furrow * (1 + 0.1 * grain), height, _lichen())


@cache
def plates() -> Painted:
    """Long plates of many thin flakes, with deep and dark fissures between them: the foot of a pine."""
    warp = 0.020 * _waves(11, (2, 10), 1.8, 0.6) + 0.006 * _waves(12, (10, 50), 1.5, 0.4)
    slide = 0.05 * _waves(13, (2, 10), 1.0, 0.6) + 0.010 * _waves(14, (10, 50), 1.0, 0.4)
    cells = _cells(15, 10, 8, (warp, slide))
    rough = tuple(0.008 * _waves(seed, (8, 60), 1.0, 0.3) for seed in (19, 20))
    scaly = _cells(18, 22, 30, (warp + rough[0], slide + rough[1]))
    grain, fibre = _waves(17, (60, 250), 1.2, 0.0), _waves(16, (20, 160), 3.0, 0.3)
    ragged = cells.border + 0.05 * (scaly.own - 0.5) + 0.025 * fibre
    joint = 1 - smooth(0.05, 0.24, ragged)
    crack = (1 - smooth(0.0, 0.13, scaly.border + 0.02 * grain)) * (1 - joint)
    shell = np.sqrt(smooth(0.04, 0.55, ragged))
    flake = scaly.own * (1 - joint) + 0.5 * (0.5 - scaly.near)
    height = 0.026 * shell + 0.007 * flake - 0.005 * crack + 0.0009 * grain + 0.0012 * fibre
    tone = 0.86 + 0.30 * (cells.own - 0.5) + 0.55 * (scaly.own - 0.5) + 0.10 * fibre + 0.28 * (shell - 0.7)
    own = np.maximum(tone, 0.25) * (1 + 0.10 * grain) * (1 - 0.93 * joint) * (1 - 0.55 * crack)
    return Painted(own, np.clip(0.95 * joint + 0.35 * crack, 0, 1), height, _lichen())


@cache
def flakes() -> Painted:
    """Papery orange flakes that peel: a pine from half its height on."""
    warp = 0.035 * _waves(21, (2, 30), 0.8, 0.45), 0.035 * _waves(22, (2, 30), 0.8, 0.45)
    cells = _cells(23, 9, 15, warp)
    grain, line = _waves(24, (50, 250), 0.7, 0.1), _waves(26, (10, 120), 0.35, 0.25)
    layers = 2.3 * (0.5 + 0.26 * _waves(25, (4, 60), 1.1, 0.5)) + 1.2 * cells.own
    steps = np.floor(layers) + smooth(0.75, 1.0, layers - np.floor(layers))
    open_ = smooth(-0.6, 1.0, _waves(27, (3, 24), 1.0, 0.5))  # joints come and go
    joint = (1 - smooth(0.0, 0.10, cells.border + 0.03 * grain)) * open_
    height = 0.0045 * steps + 0.004 * (1 - joint) + 0.0006 * grain + 0.0010 * line
    edge = np.clip(gaussian_filter(steps, 2, mode="wrap") - steps, -1, 1)
    tone = 0.92 + 0.22 * (cells.own - 0.5) + 0.13 * (steps - 1.5) + 0.55 * edge + 0.06 * line
    own = np.maximum(tone, 0.2) * (1 + 0.07 * grain) * (1 - 0.6 * joint)
    return Painted(own, np.clip(0.5 * joint + 0.5 * np.maximum(-edge, 0), 0, 1), height, _lichen())


@cache
def scales() -> Painted:
    """Small round scales that come off: spruce."""
    warp = 0.012 * _waves(31, (4, 24), 1.0, 0.5), 0.012 * _waves(32, (4, 24), 1.0, 0.5)
    cells = _cells(33, 24, 40, warp)
    grain, patch = _waves(34, (60, 250), 1.0, 0.1), _waves(35, (2, 14), 1.2, 0.6)
    joint = 1 - smooth(0.0, 0.24, cells.border + 0.04 * grain)
    lifted = smooth(0.3, 0.9, cells.own + 0.2 * patch)
    height = 0.010 * (1 - joint) * (0.5 + 0.8 * lifted) + 0.004 * (0.6 - cells.near) * lifted + 0.001 * grain
    own = (0.9 + 0.4 * (cells.own - 0.5) + 0.14 * patch) * (1 + 0.09 * grain) * (1 - 0.75 * joint)
    return Painted(own, 0.7 * joint, height, _lichen())


@cache
def paper() -> Painted:
    """White paper that peels across the stem, with lenticels and black scars: birch."""
    sheets = _waves(41, (2, 26), 0.18, 0.45) + 0.25 * _waves(42, (10, 60), 0.3, 0.3)
    fine = _waves(43, (12, 120), 0.12, 0.15)
    grain = _waves(44, (80, 250), 0.6, 0.0)
    layers = 2.0 + 0.9 * sheets
    steps = np.floor(layers) + smooth(0.86, 1.0, layers - np.floor(layers))
    curl = np.clip(gaussian_filter(steps, (2.5, 1), mode="wrap") - steps, -1, 1)
    dashes = _scars(45, 420, (0.015, 0.10), (0.003, 0.008), rough=0.2)
    lips = _scars(46, 56, (0.10, 0.34), (0.006, 0.016), rough=0.45)
    eyes_ = _scars(47, 12, (0.12, 0.36), (0.05, 0.12), bent=0.5, rough=0.45)
    scar = np.maximum(np.maximum(0.62 * dashes, 0.8 * lips), eyes_)
    rim = np.clip(gaussian_filter(np.maximum(lips, eyes_), 5, mode="wrap") - scar, 0, 1)
    height = 0.0030 * steps + 0.0012 * fine + 0.004 * rim - 0.004 * np.maximum(lips, eyes_) + 0.003 * dashes
    height += 0.0025 * eyes_ * _waves(48, (20, 120), 2.0, 0.2)
    tone = 1.0 + 0.045 * (steps - 2) + 0.05 * fine + 0.025 * grain + 0.30 * curl - 0.25 * rim
    return Painted(tone * (1 - scar), 0.95 * scar * (1 + 0.1 * grain), height, _lichen())


@cache
def eyes() -> Painted:
    """Smooth and greenish, with eyes where branches were, and lines of lenticels: aspen."""
    cloud, fine = _waves(51, (1, 12), 0.6, 0.7), _waves(52, (16, 120), 0.25, 0.2)
    grain = _waves(53, (80, 250), 1.0, 0.0)
    dots = _scars(54, 420, (0.010, 0.035), (0.006, 0.016), rough=0.3)
    # Both by the same random numbers: a brow above each eye.
    brows = np.roll(_scars(55, 9, (0.16, 0.32), (0.012, 0.03), bent=0.5, rough=0.4), -22, axis=0)
    pupils = _scars(55, 9, (0.07, 0.16), (0.05, 0.09), rough=0.5)
    scar = np.maximum(np.maximum(0.45 * dots, brows), pupils)
    rim = np.clip(gaussian_filter(np.maximum(brows, pupils), 6, mode="wrap") - scar, 0, 1)
    height = 0.0015 * fine + 0.002 * cloud + 0.006 * rim + 0.003 * dots - 0.003 * scar
    tone = 1.0 + 0.10 * cloud + 0.05 * fine + 0.04 * grain - 0.2 * rim
    return Painted(tone * (1 - scar), 0.9 * scar, height, _lichen())


@cache
def rings() -> Painted:
    """Rings of old leaf scars, with fibres: palm, bamboo."""
    v = (np.arange(HIGH)[:, None] + 0.5) / WIDE
    turns = 10 * v + 0.12 * _waves(61, (1, 6), 1.0, 0.8)
    part = turns - np.floor(turns)
    step = smooth(0.0, 0.16, part) * (1 - 0.6 * part)
    fibre, grain = _waves(62, (40, 220), 5.0, 0.2), _waves(63, (60, 250), 1.0, 0.0)
    cracks = smooth(0.8, 1.7, _waves(64, (12, 60), 4.0, 0.4))
    height = 0.020 * step + 0.0018 * fibre - 0.005 * cracks
    dark = np.clip(1 - smooth(0.0, 0.22, part) + 0.55 * cracks, 0, 1)
    own = (0.78 + 0.42 * step) * (1 + 0.11 * fibre + 0.06 * grain) * (1 - 0.8 * dark)
    return Painted(own, 0.8 * dark, height, _lichen())


@cache
def thin() -> Painted:
    """Thin and even, with fine lines and dots: hazel, kelp, young wood, painted metal."""
    cloud, line = _waves(71, (1, 8), 0.8, 0.8), _waves(72, (12, 100), 0.2, 0.2)
    dots = _scars(73, 260, (0.008, 0.03), (0.004, 0.010), rough=0.2)
    height = 0.0010 * line + 0.002 * cloud + 0.003 * dots
    own = (1.0 + 0.08 * cloud + 0.035 * line) * (1 - 0.3 * dots)
    return Painted(own, 0.1 * dots, height, _lichen())
