"""Sprigs: how the leaves of one slot are drawn, as a few cards at their real size.

A plant keeps leaves that stand together as one larger leaf, a slot: it has one place, one rhythm and one fate. Near the
camera a slot is drawn as its single leaves about a short shoot, farther away as a few sprays. The cards of a slot
together show its leaf area, at every level of detail.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.spatial.transform import Rotation

from windflower.core.arrays import FloatArray
from windflower.core.quaternions import about, joined, turned
from windflower.core.randomness import between
from windflower.core.vectors import cross, unit
from windflower.geometry.leaf_textures import leaf_mask
from windflower.geometry.phototropism import LIGHT
from windflower.mechanics.foliage import blade_area
from windflower.plant.species.settings import Leaf

__all__ = ["CARDS", "VARIANTS", "Sprig", "sprig_of", "sprig_points"]

CARDS, VARIANTS = 8, 4  # most cards of a slot, and arrangements of them; as in deform.wgsl
FEW = (8, 3, 2, 1)  # most cards of a slot at each level of detail
GOLDEN_ANGLE = np.pi * (3 - np.sqrt(5))
SHOOT, SPREAD = 1.5, 0.9  # how far the feet of single leaves, and of sprays, are apart, over the slot's size
ROW = 0.1  # how far leaflets that stand in rows are apart, over the slot's size
NEEDLED = 0.7  # how far the feet of shoots with needles are apart, over the slot's size
CROWDED = 1.35  # how many single leaves may be wanted over those that are drawn, which are larger then
SIZES = 0.7, 1.15  # smallest and largest leaf of a shoot over their mean, about
FLAT, LOOSE = 0.75, 0.42  # how far leaves of a shoot lie across the light, and how much they differ


@dataclass(frozen=True, eq=False)
class Sprig:
    """Cards of a slot in its own frame, in units of its size; see `Leaves` for the frame.

    layer   which picture of the species' `LeafMask` the cards show
    count   number of cards
    length  of a card, on average
    foot    (VARIANTS, CARDS, 3) where each card begins; those beyond `count` are not drawn
    turn    (VARIANTS, CARDS, 4) quaternions x, y, z, w from the card's frame to the slot's
    scale   (VARIANTS, CARDS) length of each card over the mean; their squares have the mean 1
    shoot   length of the shoot that is drawn with single leaves; 0 for none
    """

    layer: int
    count: int
    length: float
    foot: FloatArray
    turn: FloatArray
    scale: FloatArray
    shoot: float

    @property
    def drawn(self) -> int:
        """Number of cards, with one for the shoot."""
        return self.count + (self.shoot > 0)


@lru_cache(maxsize=256)
def sprig_of(leaf: Leaf, leaves: float, level: int) -> Sprig:
    """The sprig of slots that stand for so many leaves of a kind on average, at a level of detail."""
    mask, area, most = leaf_mask(leaf.shape, leaf.aspect), blade_area(leaf), FEW[min(level, len(FEW) - 1)]
    # How many cards of each layer, with leaves of their real size, have the area of the slot.
    wanted = leaves * area / (mask.opaque * mask.aspect * mask.leaf_lengths**2)
    fits = np.flatnonzero(np.round(wanted) <= most * np.where(np.arange(len(wanted)) == 0, CROWDED, 1.0))
    layer = int(fits[0]) if len(fits) else len(wanted) - 1
    count = int(np.clip(round(float(wanted[layer])), 1, most))
    brush = leaf.shape == "needles" and layer == 0
    if brush and leaf.arrangement != "flat":
        count += count % 2  # views of a brush cross in pairs
    length = float(np.sqrt(area / (count * mask.opaque[layer] * mask.aspect[layer])))
    fan = brush or (leaf.shape == "needles" and leaf.arrangement == "flat")
    foot, turn = _needled(leaf, count) if fan else _arranged(leaf, count, SHOOT if layer == 0 else SPREAD)
    bears = level == 0 and layer == 0 and count > 1 and not brush
    return Sprig(layer, count, length, foot, turn, _scales(1 if brush else count), SHOOT if bears else 0.0)


def sprig_points(sprig: Sprig, aspect: float, variant: int, corner: FloatArray) -> FloatArray:
    """Points (cards, corners, 3) in the slot's frame, of corners (n, 2): across from -0.5 to 0.5, along 0 to 1."""
    flat, own = np.column_stack([corner[:, 0] * aspect, corner[:, 1], np.zeros(len(corner))]), slice(sprig.count)
    sized = sprig.length * sprig.scale[variant, own, None, None] * flat
    return sprig.foot[variant, own, None] + turned(sprig.turn[variant, own, None, :, None], sized[..., None])[..., 0]


def _arranged(leaf: Leaf, count: int, shoot: float) -> tuple[FloatArray, FloatArray]:
    foot, turn = np.zeros((VARIANTS, CARDS, 3)), np.zeros((VARIANTS, CARDS, 4))
    turn[..., 3] = 1.0
    if leaf.arrangement == "flat":
        foot[:, :count, 0] = ROW * (np.arange(count) - (count - 1) / 2)
        return foot, turn
    for variant in range(VARIANTS):
        if count > 1:
            foot[variant, :count], turn[variant, :count] = _about_a_shoot(leaf, count, shoot, variant)
    return foot, turn


def _needled(leaf: Leaf, count: int) -> tuple[FloatArray, FloatArray]:
    """Feet and turns of shoots with needles: brushes of two views crossed along them, or flat ones side by side."""
    foot, turn = np.zeros((VARIANTS, CARDS, 3)), np.zeros((VARIANTS, CARDS, 4))
    variant, card = np.arange(VARIANTS)[:, None], np.arange(count)
    flat = leaf.arrangement == "flat"
    shoot = card if flat else card // 2
    shoots = shoot[-1] + 1
    side = np.where(shoot % 2 == 0, 1, -1) * np.where(shoot == shoots - 1, 0.25, 1.0)  # the last one goes on
    lean = side * np.radians(leaf.angle) * between(0.7, 1.0, 811, variant, shoot)
    own = between(-0.45, 0.45, 812, variant, card) if flat else np.pi / 2 * card + between(0, 1.5, 813, variant, shoot)
    foot[:, :count, 1] = NEEDLED * shoot / shoots
    rolled, aside, along = about(between(-0.6, 0.6, 814, variant, shoot), 1), about(-lean, 2), about(own, 1)
    turn[:, :count] = joined(rolled[..., None], joined(aside[..., None], along[..., None]))[..., 0]
    turn[:, count:, 3] = 1.0
    return foot, turn


def _about_a_shoot(leaf: Leaf, count: int, shoot: float, variant: int) -> tuple[FloatArray, FloatArray]:
    """Feet and turns of leaves around a shoot, the lowest at the widest angle, upper sides to the light."""
    card = np.arange(count)
    place = (card + between(0.3, 1.0, 801, variant, card)) / count
    lean = np.radians(leaf.angle * (1.25 - 0.75 * place)) * between(0.8, 1.2, 802, variant, card)
    lean[-1] *= 0.35  # the last one stands at the tip
    around = card * GOLDEN_ANGLE + between(-0.5, 0.5, 803, variant, card) + 1.7 * variant
    outward = np.stack([np.cos(around), np.zeros(count), np.sin(around)], axis=1)
    free = np.cos(lean)[:, None] * [0.0, 1.0, 0.0] + np.sin(lean)[:, None] * outward
    # Stalks bend until the leaves lie across the light, side by side; see phototropism.py.
    light = np.array([0.0, np.cos(LIGHT), np.sin(LIGHT)])
    along = unit(free - FLAT * (free @ light)[:, None] * light)
    jitter = np.stack([between(-1, 1, key, variant, card) for key in (804, 805, 806)], axis=1)
    across = unit(cross(along, light + 0.2 * outward + LOOSE * jitter))
    frame = np.stack([across, along, cross(across, along)], axis=-1)
    foot = np.zeros((count, 3))
    foot[:, 1] = shoot * place
    return foot, np.asarray(Rotation.from_matrix(frame).as_quat())


def _scales(count: int) -> FloatArray:
    """(VARIANTS, CARDS) lengths of cards over the mean: the lowest and the last leaves of a shoot are small."""
    if count == 1:
        return np.ones((VARIANTS, CARDS))
    variant, card = np.arange(VARIANTS)[:, None], np.arange(CARDS)
    grown = np.sin(np.pi * (0.22 + 0.56 * (card + 0.5) / count))
    scale = grown * between(*SIZES, 807, variant, card)
    return np.asarray(scale / np.sqrt(np.square(scale[:, :count]).mean(axis=1, keepdims=True)))
