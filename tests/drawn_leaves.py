"""Leaves as they are drawn, worked out in NumPy: the twin of `corner_of` in leaf_cards.wgsl."""

from typing import NamedTuple

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.quaternions import about, joined, turned
from windflower.geometry.frames import LeafConditions, leaf_frames
from windflower.geometry.leaf_textures import LeafMask, leaf_mask
from windflower.geometry.mesh import Mesh
from windflower.geometry.sprig_cards import FOLD, card_keys
from windflower.motion import Places
from windflower.motion.rhythm import scrambled, uniform
from windflower.plant.species.settings import Leaf

__all__ = ["DrawnLeaves", "Seen", "alpha_at", "drawn_leaves"]

SMALL, STEM_WIDTH = (5.0, 9.0), 0.006  # as in leaf_cards.wgsl


class Seen(NamedTuple):
    """From where leaves are seen: a camera (3,), and the height of a pixel at a distance of 1 m, m."""

    eye: FloatArray
    pixel: float


class DrawnLeaves(NamedTuple):
    """Kites of all cards of all leaves of one plant, of each leaf that of its shoot last.

    corner  (leaves, cards, 4, 3) in the world, m
    uv      (leaves, cards, 4, 2) in the picture of the card, y down
    small   (leaves, cards) 1 where the outline is not looked at
    """

    corner: FloatArray
    uv: FloatArray
    small: FloatArray

    @property
    def triangle(self) -> FloatArray:
        """(triangles, 3, 3) two of each kite."""
        return np.stack([self.corner[..., [0, 1, 2], :], self.corner[..., [2, 1, 3], :]], axis=2).reshape(-1, 3, 3)

    @property
    def triangle_uv(self) -> FloatArray:
        """(triangles, 3, 2)"""
        return np.stack([self.uv[..., [0, 1, 2], :], self.uv[..., [2, 1, 3], :]], axis=2).reshape(-1, 3, 2)


def drawn_leaves(
    mesh: Mesh, leaf: Leaf, points: FloatArray, now: LeafConditions, place: Places, seen: Seen
) -> DrawnLeaves:
    """Leaves of a posed plant, points (1, nodes, 3), at the finest level of detail, as a camera sees them."""
    frames, mask, sprig = leaf_frames(mesh, points, now), leaf_mask(leaf.shape, leaf.aspect), mesh.sprig
    size = (frames.length / mask.stretch[frames.picture])[0]
    random = card_keys(mesh)
    variant = mesh.leaves["number"] % 4
    own = _in_halves(frames.turn[0])[:, None, :, None]
    foot = frames.foot[0, :, None] + size[:, None, None] * _turned(own, sprig.foot[variant, : sprig.count])
    twist = about(_in_ten_bits(frames.shimmer[0])[:, None] * (2 * uniform(random) - 0.6), 1)
    turn = joined(joined(own, sprig.turn[variant, : sprig.count, :, None]), twist[..., None])
    longer = sprig.scale[variant, : sprig.count]
    length = size[:, None] * sprig.length * longer
    away = np.linalg.norm(place.to_world(foot.reshape(1, -1, 3))[0].reshape(foot.shape) - seen.eye, axis=-1)
    small = _smallness(length * place.scale[0] / (away * seen.pixel)) * (sprig.layer == 0)
    corner = _tightened(mask, sprig.layer, small)
    fold = FOLD * (0.4 + 1.2 * uniform(scrambled(random))) * (sprig.layer == 0)
    aside = (corner[..., 0] - 0.5) * mask.aspect[sprig.layer]
    lift = np.abs(aside) * np.sin(fold)[..., None]
    flat = np.stack([aside * np.cos(fold)[..., None], corner[..., 1], lift], axis=-1) * length[..., None, None]
    world = foot[:, :, None] + _turned(turn[:, :, None], flat)
    uv = np.stack([corner[..., 0], 1 - corner[..., 1]], axis=-1)
    if sprig.shoot:
        stem = frames.foot[0, :, None, None] + size[:, None, None, None] * _turned(own[:, :, None], _stem(sprig.shoot))
        world = np.concatenate([world, stem], axis=1)
        uv = np.concatenate([uv, np.full_like(uv[:, :1], 0.5)], axis=1)
        small = np.concatenate([small, np.ones_like(small[:, :1])], axis=1)
    placed = place.to_world(world.reshape(1, -1, 3))[0].reshape(world.shape)
    return DrawnLeaves(placed, uv, small)


def _stem(length: float) -> FloatArray:
    """(4, 3) a shoot, over the size of its leaf: a triangle, as `stem_corner` in leaf_cards.wgsl has it."""
    half = STEM_WIDTH / 2
    return np.array([[-half, 0, 0], [half, 0, 0], [0, length, 0], [0, length, 0]])


def _in_halves(turn: FloatArray) -> FloatArray:
    """Quaternions as the deform pass hands them on, for a plant that is not turned."""
    whole = np.round(turn * 32767)
    return np.asarray(whole / np.linalg.norm(whole, axis=-1, keepdims=True))


def _in_ten_bits(shimmer: FloatArray) -> FloatArray:
    """Angles as the deform pass hands them on: `packed_facts` in leaf_elements.wgsl."""
    return np.asarray((np.round((np.clip(shimmer / 1.8, -1, 1) + 1) * 511) / 511 - 1) * 1.8)


def _smallness(pixels: FloatArray) -> FloatArray:
    t = np.clip((pixels - SMALL[0]) / (SMALL[1] - SMALL[0]), 0, 1)
    return np.asarray(1 - t * t * (3 - 2 * t))


def _tightened(mask: LeafMask, layer: int, small: FloatArray) -> FloatArray:
    """(leaves, cards, 4, 2) corners of kites about outlines; of small leaves, as large as the leaf itself."""
    whole = mask.kite[layer]
    x, y = mask.kite[0][[0, 1, 3, 2]].T
    area = abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1))) / 2
    rows = mask.levels[0][0, ..., 3].sum(axis=1).astype(float)
    middle = np.array([0.5, float(rows @ (1 - (np.arange(len(rows)) + 0.5) / len(rows)) / rows.sum())])
    tight = middle + (whole - middle) * np.sqrt(mask.opaque[0] / area)
    return np.asarray(whole + small[..., None, None] * (tight - whole))


def alpha_at(mask: LeafMask, layer: int, uv: FloatArray) -> FloatArray:
    """Coverage of the finest picture at texture coordinates (n, 2), smooth between texels; 0 beside it."""
    alpha = mask.levels[0][layer, ..., 3] / 255
    side = np.array(alpha.shape[::-1])
    at = np.clip(uv * side - 0.5, 0, side - 1)
    low = np.minimum(at.astype(int), side - 2)
    (fx, fy), (x, y) = (at - low).T, low.T
    top = alpha[y, x] * (1 - fx) + alpha[y, x + 1] * fx
    below = alpha[y + 1, x] * (1 - fx) + alpha[y + 1, x + 1] * fx
    return np.asarray(np.where(np.any(np.abs(uv - 0.5) > 0.5, axis=1), 0.0, top * (1 - fy) + below * fy))


def _turned(rotation: FloatArray, vectors: FloatArray) -> FloatArray:
    return turned(rotation, vectors[..., None])[..., 0]
