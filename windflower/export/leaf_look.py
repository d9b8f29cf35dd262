"""What leaf cards look like in a file: one picture for all, and vertices with normals, coordinates and tints."""

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.export.leaf_light import looks_inward, reader_normals, reader_shade
from windflower.export.part import Part
from windflower.export.pictures import srgb
from windflower.geometry.leaf_textures import leaf_mask
from windflower.geometry.mesh import Mesh
from windflower.geometry.sprig_cards import CORNERS, card_keys
from windflower.geometry.triangle_mesh import TriangleMesh
from windflower.mechanics.foliage import GENERIC_LEAF
from windflower.motion.rhythm import scrambled, uniform
from windflower.plant.species import Species

__all__ = ["leaf_part"]

SMALLER = (16, 32)  # times, at which the cut-out of leaves is chosen: those of a tree that is seen whole
FULLER = 1.4  # times as much of them as is opaque: what readers cut out has no soft rims, behind which leaves hide more
NARROWEST = 4  # times, at most, that a card's picture is halved across
BRIGHTEST = 1.7  # tint of a leaf, at most: colours of vertices and of pictures are up to 1
WOODY, WOODINESS = (
    np.array([0.11, 0.085, 0.05]),
    0.65,
)  # of shoots: their linear RGB and its share, as in leaf_shading.wgsl


def leaf_part(
    bound: TriangleMesh, mesh: Mesh, vertex: IntArray, triangle: IntArray, species: Species | None, colour: FloatArray
) -> tuple[Part, NDArray[np.uint8], float]:
    """Cards that show one picture of a colour, the second result, cut out at an alpha, the third.

    Each card has its tint, part of the crown's normal, and its outer side in front.
    """
    leaf = species.leaf if species and species.leaf else GENERIC_LEAF
    brightest = min(BRIGHTEST, 1 / float(colour.max()))
    mask = leaf_mask(leaf.shape, leaf.aspect)
    tone, alpha = _square_texels(mask.levels[0][mesh.sprig.layer], mask.aspect[mesh.sprig.layer])
    painted = np.dstack([srgb(brightest * colour * tone[..., None]), np.round(255 * alpha).astype(np.uint8)])
    picture, uv = _widened(painted, bound.uv[vertex])
    out = (bound.position[0, vertex] - mesh.crown_middle) / mesh.crown_radius
    upper = bound.normal[0, vertex]
    inward = looks_inward(upper.reshape(-1, CORNERS, 3).sum(axis=1), out.reshape(-1, CORNERS, 3).mean(axis=1))
    side = upper * np.where(np.repeat(inward, CORNERS), -1, 1)[:, None]
    triangle = np.where(np.repeat(inward, 2)[:, None], triangle[:, ::-1], triangle)
    tint = np.clip(_tints(mesh, colour) / brightest, 0, 1)
    normal = reader_normals(side, out)
    return Part(vertex, triangle, normal, uv, np.repeat(tint, CORNERS, axis=0)), picture, _cutoff(alpha)


def _square_texels(texels: NDArray[np.uint8], aspect: float) -> tuple[FloatArray, FloatArray]:
    """Tone and alpha (height, width), 0 to 1, with texels as wide as high on a card of this width over its length.

    Otherwise readers take mipmaps of narrow cards by their width, in which needles vanish.
    """
    tone, alpha = texels[..., 0] / 255.0, texels[..., 3] / 255.0
    height, width = alpha.shape
    step = 2 ** int(np.clip(np.round(-np.log2(aspect)), 0, NARROWEST))
    blocks = alpha.reshape(height, width // step, step)
    weight = (blocks + 1e-3) / (blocks + 1e-3).sum(axis=2, keepdims=True)
    return (tone.reshape(blocks.shape) * weight).sum(axis=2), blocks.mean(axis=2)


def _cutoff(alpha: FloatArray) -> float:
    """The alpha above which smaller pictures keep what is opaque, and a little more: thin leaves blur away."""
    cuts = [np.quantile(_smaller(alpha, step), max(1 - FULLER * alpha.mean(), 0)) for step in SMALLER]
    return round(float(np.clip(min(cuts), 0.1, 0.5)), 3)


def _smaller(alpha: FloatArray, step: int) -> FloatArray:
    across = min(step, alpha.shape[1] // 2)
    blocks = alpha.reshape(alpha.shape[0] // step, step, alpha.shape[1] // across, across)
    return np.asarray(blocks.mean(axis=(1, 3)))


def _widened(picture: NDArray[np.uint8], uv: FloatArray) -> tuple[NDArray[np.uint8], FloatArray]:
    """The picture with a margin in which nothing is seen, for corners beyond it, and coordinates in that."""
    size = np.array(picture.shape[1::-1])
    before = np.ceil(np.maximum(-uv.min(axis=0), 0) * size).astype(np.int64)
    after = np.ceil(np.maximum(uv.max(axis=0) - 1, 0) * size).astype(np.int64)
    margins = ((before[1], after[1]), (before[0], after[0]), (0, 0))
    wide = np.concatenate([np.pad(picture[..., :3], margins, mode="edge"), np.pad(picture[..., 3:], margins)], axis=-1)
    return wide, (uv * size + before) / wide.shape[1::-1]


def _tints(mesh: Mesh, colour: FloatArray) -> FloatArray:
    """(cards, 3) factors on the colour of leaves; what bears them is of wood."""
    twig = _twig_tints(mesh.leaves["number"]) * reader_shade(mesh.leaves["open"].astype(np.float64))
    tint = twig[:, None] * _card_tints(card_keys(mesh))
    if mesh.sprig.shoot:
        own = tint.mean(axis=1, keepdims=True)
        tint = np.concatenate([tint, own * (1 - WOODINESS) + WOODINESS * WOODY / np.maximum(colour, 1e-3)], axis=1)
    return tint.reshape(-1, 3)


def _twig_tints(number: NDArray[np.uint32]) -> FloatArray:
    """(leaves, 3) brightness and hue by twig and branch, in an average tree: `leaf_colour` in deform_leaves.wgsl."""
    with np.errstate(over="ignore"):
        twig, branch = (number.astype(np.uint32) >> np.uint32(few) for few in (4, 8))
        bright, hue, far = (
            uniform(scrambled(part * np.uint32(7) + np.uint32(k))) for part, k in ((twig, 1), (twig, 2), (branch, 3))
        )
    bright, hue = bright * 0.65 + 0.35 * 0.5, (0.5 * (hue + far) * 0.55 + 0.45 * 0.5)[:, None]
    return (0.78 + 0.44 * bright)[:, None] * _mixed((1.26, 0.98, 0.76), (1.0, 0.96, 0.96), hue)


def _card_tints(key: NDArray[np.uint32]) -> FloatArray:
    """(leaves, cards, 3) how leaves of a twig differ: the twin of `card_tint` in leaf_shading.wgsl."""
    with np.errstate(over="ignore"):
        age, chance = (uniform(scrambled(key + np.uint32(k)))[..., None] for k in (1, 2))
    hue = _mixed((1.14, 1.0, 0.78), (0.95, 0.98, 1.0), age)
    share = np.clip((chance - 0.965) / 0.035, 0, 1)
    old = share**2 * (3 - 2 * share)
    return (0.82 + 0.36 * uniform(key))[..., None] * (hue + 0.7 * old * ([2.1, 1.15, 0.5] - hue))


def _mixed(a: tuple[float, ...], b: tuple[float, ...], share: FloatArray) -> FloatArray:
    return np.asarray(np.array(a) * (1 - share) + np.array(b) * share)
