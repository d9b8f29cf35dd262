"""Corners of the cards of sprigs on posed leaves: each slot as the renderer draws it near the camera.

Twin of `corner_of` in leaf_cards.wgsl. Cards are kites of four corners, left, foot, tip and right; a single leaf is
folded at its midrib. The last card of a slot with single leaves is the shoot that bears them.
"""

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.quaternions import turned
from windflower.geometry.frames import LeafFrames
from windflower.geometry.grids import Corners
from windflower.geometry.leaf_textures import LeafMask, leaf_mask
from windflower.geometry.mesh import Mesh
from windflower.geometry.sprigs import CARDS, VARIANTS
from windflower.mechanics.foliage import leaf_of
from windflower.motion.rhythm import scrambled, uniform

__all__ = ["CORNERS", "card_keys", "sprig_coordinates", "sprig_corners"]

CORNERS = 4  # of a card
FOLD, STEM_WIDTH = 0.30, 0.006  # as in leaf_cards.wgsl
STEM_TIP = 0.3  # width of a shoot at its tip over that at its foot


def sprig_corners(mesh: Mesh, frames: LeafFrames) -> Corners:
    """Corners of all cards, leaf by leaf and card by card."""
    mask, sprig = _mask(mesh), mesh.sprig
    size = frames.length / mask.stretch[frames.picture]
    twist = frames.shimmer[:, :, None] * (2 * uniform(card_keys(mesh)) - 0.6)
    at, normal = _own_corners(mesh, mask, twist if twist.any() else np.zeros((1, 1, 1)))
    variant = mesh.leaves["number"] % VARIANTS
    turn, foot = (part[variant, : sprig.count, None] for part in (sprig.turn, sprig.foot))
    at, normal = foot + _turned(turn, at), _turned(turn, normal)
    if sprig.shoot:
        stem, up = np.broadcast_to(_stem(sprig.shoot), (*at.shape[:2], 1, CORNERS, 3)), [0.0, 0.0, 1.0]
        at = np.concatenate([at, stem], axis=2)
        normal = np.concatenate([normal, np.broadcast_to(up, stem.shape)], axis=2)
    slot = frames.turn[:, :, None, None]
    position = frames.foot[:, :, None, None] + size[..., None, None, None] * _turned(slot, at)
    return Corners(*(part.reshape(len(position), -1, 3) for part in (position, _turned(slot, normal))))


def sprig_coordinates(mesh: Mesh) -> FloatArray:
    """(vertices, 2) in the picture of the cards, y down; kites reach a little beyond it. A shoot shows one texel."""
    mask, sprig = _mask(mesh), mesh.sprig
    cards = np.tile(mask.kite[sprig.layer], (sprig.count, 1, 1)) * [1, -1] + [0, 1]
    if sprig.shoot:
        cards = np.concatenate([cards, np.tile(_middle(mask.levels[0][sprig.layer, ..., 3]), (1, CORNERS, 1))])
    return np.tile(cards.reshape(-1, 2), (len(mesh.leaves), 1))


def card_keys(mesh: Mesh) -> NDArray[np.uint32]:
    """(leaves, cards) the key of each card for all that is random about it; not of shoots."""
    card = np.arange(mesh.sprig.count, dtype=np.uint32)
    with np.errstate(over="ignore"):
        return scrambled(mesh.leaves["number"][:, None] * np.uint32(CARDS) + card + np.uint32(977))


def _mask(mesh: Mesh) -> LeafMask:
    leaf = leaf_of(mesh.foliage.plant)
    return leaf_mask(leaf.shape, leaf.aspect)


def _own_corners(mesh: Mesh, mask: LeafMask, twist: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Corners and normals (count, leaves, cards, 4, 3) in the frames of cards, in units of the slot's size."""
    sprig = mesh.sprig
    x, along = mask.kite[sprig.layer].T
    aside = (x - 0.5) * mask.aspect[sprig.layer]
    fold = FOLD * (0.4 + 1.2 * uniform(scrambled(card_keys(mesh)))) * (sprig.layer == 0)
    sine, cosine = np.sin(fold)[..., None], np.cos(fold)[..., None]
    length = sprig.length * sprig.scale[mesh.leaves["number"] % VARIANTS, : sprig.count, None, None]
    flat = length * np.stack(np.broadcast_arrays(aside * cosine, along, np.abs(aside) * sine), axis=-1)
    tilt = np.stack(np.broadcast_arrays(-np.sign(aside) * sine, 0.0, np.where(aside == 0, 1.0, cosine)), axis=-1)
    return _twisted(flat, twist), _twisted(tilt, twist)


def _twisted(vectors: FloatArray, angle: FloatArray) -> FloatArray:
    """Vectors (leaves, cards, 4, 3) turned about y by angles (count, leaves, cards)."""
    sine, cosine = np.sin(angle)[..., None], np.cos(angle)[..., None]
    x, y, z = np.moveaxis(vectors, -1, 0)
    return np.stack(np.broadcast_arrays(cosine * x + sine * z, y, cosine * z - sine * x), axis=-1)


def _stem(shoot: float) -> FloatArray:
    """(4, 3) corners of a shoot."""
    half = STEM_WIDTH / 2
    return np.array([[-half, 0, 0], [half, 0, 0], [-STEM_TIP * half, shoot, 0], [STEM_TIP * half, shoot, 0]])


def _middle(alpha: NDArray[np.uint8]) -> FloatArray:
    """(2,) where the opaque pixel is that is nearest to the middle of all opaque ones."""
    place: IntArray = np.argwhere(alpha > 250)[:, ::-1]
    nearest = np.argmin(np.linalg.norm(place - place.mean(axis=0), axis=1))
    return (place[nearest] + 0.5) / alpha.shape[::-1]


def _turned(rotation: FloatArray, vectors: FloatArray) -> FloatArray:
    return turned(rotation[..., None], vectors[..., None])[..., 0]
