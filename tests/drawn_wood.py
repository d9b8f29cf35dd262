"""Wood as it is drawn, worked out in NumPy: the twin of `corner_at` in tubes.wgsl."""

from typing import NamedTuple

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.geometry.bark import HIGHER, PATTERNS, tiles_of, times_around
from windflower.geometry.finishes import Bark
from windflower.geometry.frames import SegmentFrames, segment_frames
from windflower.geometry.mesh import Mesh, Tubes, tube_triangles
from windflower.geometry.triangle_mesh import tube_corners
from windflower.motion import Places
from windflower.render.drawn import Cut

__all__ = ["bark_of", "drawn_wood"]

FINE_SIDES = 16  # from which on a tube's outline shows its bark


class Relief(NamedTuple):
    """Heights of a bark's tiles with mipmaps, 0 to 1; how high that is over a tile's width; how high it is old, m."""

    levels: list[list[FloatArray]]
    high: list[float]
    old: float


def bark_of(bark: Bark) -> Relief:
    """The relief of a bark, as textures hold it."""
    tiles, old = tiles_of(bark.pattern), PATTERNS[bark.pattern].old
    return Relief(
        [_mipmaps(tile.texels[0][..., 2].astype(float)) for tile in tiles],
        [float(np.ptp(tile.height)) for tile in tiles],
        old.reach if old else 0.0,
    )


def _mipmaps(texels: FloatArray) -> list[FloatArray]:
    level, found = texels, list[FloatArray]()
    while True:
        found.append(np.round(level) / 255)
        if level.shape[1] == 1:
            return found
        level = (level[::2] + level[1::2])[:, ::2] / 4 + (level[::2] + level[1::2])[:, 1::2] / 4


def drawn_wood(mesh: Mesh, points: FloatArray, place: Places, eye: FloatArray, bark: Relief) -> FloatArray:
    """(triangles, 3, 3) the wood of a posed plant, points (1, nodes, 3), at the finest level of detail, in the world.

    Thin twigs are bands that face the camera, thick wood has the relief of its bark.
    """
    frames, cut, found = segment_frames(mesh, points), Cut.of(0), list[FloatArray]()
    own = ((eye - place.position[0]) @ place.turn[0]) / place.scale[0]
    for tubes in mesh.tubes:
        if cut.look(tubes)[0] == 2:
            corner, triangle = _bands(frames, tubes, own), _band_triangles(tubes)
        else:
            corner, triangle = _tubes(frames, tubes, bark), tube_triangles(tubes, tubes.sides + 1)
        found.append(place.to_world(corner[None])[0][triangle])
    return np.concatenate(found)


def _band_triangles(tubes: Tubes) -> IntArray:
    ring = np.array([[0, 1, 2], [2, 1, 3]]) + 2 * np.arange(tubes.rings)[:, None, None]
    return np.asarray((ring + 2 * (tubes.rings + 1) * np.arange(tubes.count)[:, None, None, None]).reshape(-1, 3))


def _bands(frames: SegmentFrames, tubes: Tubes, eye: FloatArray) -> FloatArray:
    """(vertices, 3) of bands, as `band_corner` in deform.wgsl has them."""
    mine = slice(tubes.first, tubes.first + tubes.count)
    (a, b), (tangent_a, tangent_b) = (part[:, 0, mine, None] for part in (frames.point, frames.tangent))
    t = np.linspace(0, 1, tubes.rings + 1)[:, None]
    chord = b - a
    size = np.linalg.norm(chord, axis=-1, keepdims=True)
    bend = t * (1 - t) * ((1 - t) * (tangent_a * size - chord) - t * (tangent_b * size - chord))
    ahead = _unit(tangent_a * (1 - t) + tangent_b * t)
    across = _unit(np.cross(ahead, eye - (a + t * chord)))
    along, radius = (
        ends[0, mine, None] * (1 - t[:, 0]) + ends[1, mine, None] * t[:, 0] for ends in (frames.along, frames.radius)
    )
    flare, foot = (one[mine, None] for one in (frames.flare, frames.foot))
    wide = (radius * (1 + flare * np.exp(-along / (1.6 * foot + 1e-4))))[..., None]
    middle = a + t * chord + bend
    return np.asarray(np.stack([middle - across * wide, middle + across * wide], axis=2).reshape(-1, 3))


def _tubes(frames: SegmentFrames, tubes: Tubes, bark: Relief) -> FloatArray:
    """(vertices, 3) of tubes, with the relief of their bark where they have many sides."""
    corners = tube_corners(frames, tubes)
    if tubes.sides < FINE_SIDES:
        return np.asarray(corners.position[0])
    mine = slice(tubes.first, tubes.first + tubes.count)
    t = np.linspace(0, 1, tubes.rings + 1)
    along, radius, girths = (
        (ends[0, mine, None] * (1 - t) + ends[1, mine, None] * t)[..., None]
        for ends in (frames.along, frames.radius, frames.girths)
    )
    turn = np.arange(tubes.sides + 1) % tubes.sides / tubes.sides
    times = times_around(frames.foot[mine])[:, None, None]
    level = np.log2(np.maximum(bark.levels[0][0].shape[1] * times / tubes.sides, 1)) - 0.7
    at = list(np.broadcast_arrays(times * turn, -times * girths / HIGHER, level))
    joining = np.where(frames.phase[mine, None, None] >= 1, 1 - t[:, None], 1.0)
    high = _relief(bark, at, along) * 2 * np.pi * radius / times * joining
    return np.asarray(corners.position[0] + corners.normal[0] * high.reshape(-1, 1))


def _relief(bark: Relief, at: list[FloatArray], along: FloatArray) -> FloatArray:
    above = (_sampled(bark.levels[0], *at) - 0.5) * bark.high[0]
    if not bark.old:
        return np.asarray(above)
    x = np.clip((0.75 - 0.5 * along / bark.old - 0.38) / (0.62 - 0.38), 0, 1)
    old = x * x * (3 - 2 * x)
    below = np.where(old > 0, _sampled(bark.levels[-1], *at), _sampled(bark.levels[0], *at)) - 0.6
    return np.asarray(above * (1 - old) + below * bark.high[-1] * old)


def _sampled(levels: list[FloatArray], u: FloatArray, v: FloatArray, level: FloatArray) -> FloatArray:
    """Smooth between texels and between mipmaps, of a tile that repeats."""
    level = np.clip(level, 0, len(levels) - 1)
    low = np.floor(level).astype(int)
    found = np.zeros(u.shape)
    for number in np.unique([low, np.minimum(low + 1, len(levels) - 1)]):
        weight = np.maximum(1 - np.abs(level - number), 0)
        found += weight * _texel(levels[number], u, v)
    return found


def _texel(texels: FloatArray, u: FloatArray, v: FloatArray) -> FloatArray:
    rows, columns = texels.shape
    x, y = u * columns - 0.5, v * rows - 0.5
    left, top = np.floor(x).astype(int), np.floor(y).astype(int)
    fx, fy = x - left, y - top

    def one(down: int, right: int) -> FloatArray:
        return np.asarray(texels[(top + down) % rows, (left + right) % columns])

    return np.asarray((one(0, 0) * (1 - fx) + one(0, 1) * fx) * (1 - fy) + (one(1, 0) * (1 - fx) + one(1, 1) * fx) * fy)


def _unit(v: FloatArray) -> FloatArray:
    return np.asarray(v / np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), 1e-12))
