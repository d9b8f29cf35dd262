"""The wind over the grass around the camera: a small map, sampled ten times a second, that blades of grass read.

Eddies of tens of metres reach up to where the wind carries them as fast as gusts and trees have it: those are in the
map. Smaller ones live near the ground and go at half that speed: the shader makes them, and the map leaves them out.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.core.buffers import Bindings, kernel, uniform
from windflower.core.device import Gpu
from windflower.core.layouts import layout, record
from windflower.core.quick_calls import write_buffer
from windflower.wind import Wind
from windflower.wind.at_points import Carried, WindAtPoints
from windflower.wind.grid import Box
from windflower.wind.shapes import smooth

__all__ = ["DrawnWindMap", "FoundWindMap", "WindMap"]

POINTS, SPACING = 28, 5.5  # samples along a side, and m between them: they reach as far as the grass, 71 m
APART = 0.1  # s between two samples of a place, at most: air of 20 m/s comes 2 m far
FINER = 4  # texels between two samples
RIM = 3  # samples over which the map becomes its mean
SIDE = FINER * (POINTS - 1) + 1
STORAGE, TEXTURE, COPY_DST, COPY_SRC = 0x08, 0x04, 0x02, 0x01
SHADER, GROUP = "render/wgsl/wind_texels.wgsl", 8
MOMENT = layout(SHADER, "Moment")
ROOM = 300.0  # m about the map in which it goes on with what is known of the wind


@dataclass(frozen=True, eq=False)
class WindMap:
    """The wind on a square about the camera.

    wind, time  the field and the moment, s
    corner      (2,) lowest x and z, m
    height      height above the land, m; the wind follows the land
    period      time after which the wind repeats, s; 0 for never
    """

    wind: Wind
    time: float
    corner: FloatArray
    height: float
    period: float = 0.0

    @classmethod
    def about(cls, camera: FloatArray, wind: Wind, time: float, height: float, *, period: float = 0.0) -> "WindMap":
        """The map about a camera; it moves in whole cells, so that a sample stays where it is."""
        corner = (np.floor(camera[[0, 2]] / SPACING) - (POINTS // 2 - 1)) * SPACING
        return cls(wind, time, corner, height, period)

    @property
    def step(self) -> float:
        """Time between two samples of a place, s."""
        return float(self.period / np.ceil(self.period / APART)) if self.period else APART

    @property
    def moments(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """The two sampled times, s, before and after this one, each with its share; many frames have the same."""
        step = self.step
        before, share = divmod(self.time / step, 1.0)
        return (step * before, 1 - share), (step * (before + 1), share)

    @property
    def points(self) -> FloatArray:
        """(along z, along x, 3) where it is sampled, m."""
        x, z = (low + SPACING * np.arange(POINTS) for low in self.corner)
        return np.stack(np.broadcast_arrays(x, self.height, z[:, None]), axis=-1)

    def samples_at(self, time: float, known: "Samples | None" = None) -> FloatArray:
        """(along z, along x, 2) velocity along x and z at a time, m/s; places that are `known` are not asked again."""
        points = self.points
        samples = np.empty((POINTS, POINTS, 2))
        new = np.ones((POINTS, POINTS), bool)
        if known is not None:
            right, down = np.rint((self.corner - known.corner) / SPACING).astype(int).tolist()
            here, there = (tuple(_overlap(sign * by) for by in (down, right)) for sign in (1, -1))
            samples[here], new[here] = known.wind[there], False
        if new.any():
            samples[new] = self.wind.velocity(points[new], time)[:, [0, 2]]
        return samples

    def texels(self, samples: FloatArray) -> NDArray[np.float32]:
        """(along z, along x, 2) means of the samples about each texel, close enough to be read linearly.

        Toward the rim they become the mean of the map, which holds beyond it.
        """
        share, inside = _shares(), _inside()[:, :, None]
        wide = np.einsum("az,zxc,bx->abc", share, samples, share, optimize=True)
        return (inside * wide + (1 - inside) * samples.mean(axis=(0, 1))).astype("<f4")

    def same_wind(self, other: "WindMap") -> bool:
        """Whether another map shows the same wind at the same height."""
        return self.wind is other.wind and self.height == other.height

    @property
    def place(self) -> tuple[float, float, float, float]:
        """Corner x and z, m, texels per m, and texels along a side."""
        return float(self.corner[0]), float(self.corner[1]), FINER / SPACING, float(SIDE)


class Samples(NamedTuple):
    """Wind (along z, along x, 2) at the samples of a map from a corner (2,), and its texels."""

    corner: FloatArray
    wind: FloatArray
    texels: NDArray[np.float32]


def _overlap(by: int) -> slice:
    """Samples along a side that one map shares with another, whose corner lies so many samples further back."""
    return slice(max(-by, 0), max(POINTS - max(by, 0), 0))


@lru_cache(maxsize=1)
def _shares() -> FloatArray:
    """(texels, samples) share of each sample along a side: a bell as wide as samples lie apart."""
    away = np.arange(SIDE)[:, None] / FINER - np.arange(POINTS)
    bell = np.exp(-0.5 * away**2)
    return np.asarray(bell / bell.sum(axis=1, keepdims=True))


@lru_cache(maxsize=1)
def _inside() -> FloatArray:
    """(texels, texels) 1 in the middle of the map, 0 on its rim."""
    along = smooth(np.minimum(np.arange(SIDE), np.arange(SIDE)[::-1]) / (FINER * RIM))
    return np.asarray(along[:, None] * along)


class DrawnWindMap:
    """The map on the device.

    view    of its texture, for breeze.wgsl
    before  of that of the map before
    """

    def __init__(self, gpu: Gpu) -> None:
        self._gpu = gpu
        self._texture, self._texture_before = (
            gpu.device.create_texture(size=(SIDE, SIDE, 1), format="rg16float", usage=TEXTURE | COPY_DST, label=label)
            for label in ("wind map", "wind map before")
        )
        self.view, self.before = (one.create_view() for one in (self._texture, self._texture_before))
        self._map: WindMap | None = None
        self._texels: Any = None
        self._known: dict[float, Samples] = {}  # by moment

    def write(self, wind_map: WindMap) -> None:
        """Upload a map: between two moments, of which most frames know the first or both."""
        if self._map is None or not wind_map.same_wind(self._map):
            self._known = {}
        self._map = wind_map
        (before, left), (after, right) = wind_map.moments
        self._known = {at: self._sampled(wind_map, at) for at in (before, after)}
        first, second = self._known[before].texels, self._known[after].texels
        texels = (np.float32(left) * first + np.float32(right) * second).astype("<f2")
        self._upload(self._texture, texels)
        self._upload(self._texture_before, texels if self._texels is None else self._texels)
        self._texels = texels

    def record(self, encoder: Any) -> None:
        """Nothing: all was done on the processor."""

    def _upload(self, texture: Any, texels: NDArray[np.float16]) -> None:
        layout = {"bytes_per_row": texels.nbytes // SIDE, "rows_per_image": SIDE}
        self._gpu.queue.write_texture({"texture": texture}, texels, layout, (SIDE, SIDE, 1))

    def _sampled(self, wind_map: WindMap, time: float) -> Samples:
        """The samples of a moment, s: as known, or as far as they are where the camera has gone on."""
        known = self._known.get(time)
        if known is not None and np.array_equal(known.corner, wind_map.corner):
            return known
        wind = wind_map.samples_at(time, known)
        return Samples(wind_map.corner, wind, wind_map.texels(wind))


class FoundWindMap:
    """The map as kernels find it: the same, without work of the processor for each of its places.

    view, before  as of `DrawnWindMap`
    """

    def __init__(self, gpu: Gpu) -> None:
        self._gpu = gpu
        usage = STORAGE | TEXTURE | COPY_DST | COPY_SRC
        self._texture, self._texture_before = (
            gpu.device.create_texture(size=(SIDE, SIDE, 1), format="rgba16float", usage=usage, label=label)
            for label in ("found wind map", "found wind map before")
        )
        self.view, self.before = (one.create_view() for one in (self._texture, self._texture_before))
        self._kernel = kernel(gpu, SHADER, POINTS=POINTS, FINER=FINER, RIM=RIM)
        self._moment = uniform(gpu, MOMENT.itemsize, "moment of the wind map")
        self._bindings = Bindings(gpu, self._kernel.get_bind_group_layout(0))
        self._map: WindMap | None = None
        self._box: Box | None = None
        self._known, self._fresh = False, False

    def write(self, wind_map: WindMap) -> None:
        """Have `record` find a map."""
        known = self._map
        same = known is not None and wind_map.same_wind(known)
        moved = known is None or not np.array_equal(wind_map.corner, known.corner)
        if not same or self._box is None or not _holds(self._box, wind_map):
            self._box, points = _box_about(wind_map), wind_map.points
            self._air = WindAtPoints(self._gpu, points, carried=Carried(self._gpu, self._box))
        elif moved:
            self._air.move(wind_map.points)
        (before, left), (_, right) = wind_map.moments
        if not same or moved or known is None or known.moments[0][0] != before:
            self._air.prepare(wind_map.wind, before, wind_map.step, 2)
            self._fresh = True
        write_buffer(self._gpu.queue, self._moment, 0, record(MOMENT, share=(left, right)))
        self._map = wind_map

    def record(self, encoder: Any) -> None:
        """Find the map that was written, and keep the one before."""
        if self._map is None:
            return
        if self._known:
            self._keep(encoder)
        compute_pass = encoder.begin_compute_pass()
        if self._fresh:
            self._air.record(compute_pass)
            self._fresh = False
        compute_pass.set_pipeline(self._kernel)
        compute_pass.set_bind_group(0, self._bindings.group(self._moment, self._air.air, self.view))
        compute_pass.dispatch_workgroups(-(-SIDE // GROUP), -(-SIDE // GROUP))
        compute_pass.end()
        if not self._known:
            self._keep(encoder)
            self._known = True

    def _keep(self, encoder: Any) -> None:
        encoder.copy_texture_to_texture({"texture": self._texture}, {"texture": self._texture_before}, (SIDE, SIDE, 1))


def _box_about(wind_map: WindMap) -> Box:
    """A box in which the map can go on for a while."""
    low, high = wind_map.corner - ROOM, wind_map.corner + SPACING * (POINTS - 1) + ROOM
    (x, z), (far_x, far_z), tall = low.tolist(), high.tolist(), wind_map.height
    return Box((x, tall, z), (far_x, tall, far_z))


def _holds(box: Box, wind_map: WindMap) -> bool:
    """Whether all samples of a map lie in a box."""
    (x, z), far = wind_map.corner.tolist(), SPACING * (POINTS - 1)
    return box.low[0] <= x <= box.high[0] - far and box.low[2] <= z <= box.high[2] - far
