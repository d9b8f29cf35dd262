"""What wood and leaves look like in a file: textures, and vertices with coordinates, tangents and colours for them.

Colours are linear here; pictures are written in sRGB, as every reader expects of them.
"""

import io
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.errors import MissingExtraError
from windflower.geometry.bark import HIGHER, PATTERNS, mean_bark, tiles_of, times_around
from windflower.geometry.finishes import Bark, Finish, SheetLook
from windflower.geometry.leaf_textures import leaf_mask
from windflower.geometry.mesh import Mesh
from windflower.geometry.sheet_textures import BACK, sheet_picture, sheet_tints
from windflower.geometry.triangle_mesh import LEAVES, SHEETS, WOOD, TriangleMesh
from windflower.mechanics.foliage import GENERIC_LEAF
from windflower.motion.rhythm import scrambled, uniform
from windflower.plant.graph import Plant
from windflower.plant.species import Species

__all__ = ["Look", "Part", "linear", "look_of", "png", "srgb"]

LEVEL = np.array([1.0, 0.35, 1.0])  # factors on normals: a crown is looked at from the side more than from above
SMALLER = 32  # times, at which the cut-out of leaves is chosen: those of a tree that is seen whole
CROWN_SHARE = 0.5  # of the crown's normal in a leaf's, as in plant_shading.wgsl
BRIGHTEST = 1.4  # tint of a leaf: colours of vertices are factors up to 1


@dataclass(frozen=True, eq=False)
class Part:
    """Vertices of one material.

    vertex   (vertices,)     which vertices of the mesh they are
    triangle (triangles, 3)  numbered among them
    normal   (vertices, 3)
    uv       (vertices, 2)   y down
    colour   (vertices, 3)   factor on the texture, linear
    tangent  (vertices, 4)   or None where there is no relief
    """

    vertex: IntArray
    triangle: IntArray
    normal: FloatArray
    uv: FloatArray
    colour: FloatArray
    tangent: FloatArray | None = None


@dataclass(frozen=True, eq=False)
class Look:
    """Parts of a mesh by name, "bark", "leaves", "blades" or "backs" (of signs); and pictures by name, as PNG.

    cutoff  alpha below which leaves are cut out: where pictures are shown smaller, as much of them stays as there is
    """

    parts: dict[str, Part]
    pictures: dict[str, bytes]
    cutoff: float = 0.5


def look_of(
    bound: TriangleMesh, mesh: Mesh, plant: Plant, species: Species | None, finish: Finish, *, pixels: int = 512
) -> Look:
    """The look of a mesh in its bind pose, with textures of so many pixels a side."""
    parts, pictures, cutoff = {}, {}, 0.5
    if (wood := _own(bound, WOOD)) is not None:
        tile, second = tiles_of(finish.bark.pattern)[0], PATTERNS[finish.bark.pattern].second
        pictures["bark"] = png(srgb(_smaller(tile.colour(finish.bark.colour, second), pixels)))
        pictures["bark relief"] = png(np.round(255 * (0.5 + 0.5 * _smaller(tile.normals, pixels))).astype(np.uint8))
        parts["bark"] = _bark(bound, plant, *wood, finish.bark)
    if (cards := _own(bound, LEAVES)) is not None:
        parts["leaves"], atlas = _leaves(bound, mesh, *cards, species)
        pictures["leaves"], cutoff = png(atlas), _cutoff(atlas[..., 3] / 255.0)
    if (sheets := _own(bound, SHEETS)) is not None:
        parts["blades"], pictures["blades"] = _sheets(bound, mesh, *sheets, finish.sheets, pixels)
        if finish.sheets.pattern == "sign":
            front = parts["blades"]
            parts["backs"] = replace(front, triangle=front.triangle[:, ::-1], normal=-front.normal)
            pictures["backs"] = png(srgb(np.tile(BACK, (4, 4, 1))))
    return Look(parts, pictures, cutoff)


def png(pixels: NDArray[np.uint8]) -> bytes:
    """A picture as the bytes of a PNG."""
    try:
        from PIL import Image
    except ImportError:
        raise MissingExtraError("pillow", "render") from None
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG", optimize=True)
    return file.getvalue()


def _smaller(tile: FloatArray, pixels: int) -> FloatArray:
    """A picture (high, wide, 3) with so many pixels across, or as many as it has."""
    step = max(tile.shape[1] // pixels, 1)
    return np.asarray(tile.reshape(tile.shape[0] // step, step, tile.shape[1] // step, step, 3).mean(axis=(1, 3)))


def _own(bound: TriangleMesh, part: int) -> tuple[IntArray, IntArray] | None:
    """The vertices of a part, and its triangles numbered among them."""
    triangles = bound.triangle[bound.part == part]
    if len(triangles) == 0:
        return None
    vertex, number = np.unique(triangles, return_inverse=True)
    return vertex, number.reshape(-1, 3)


def _bark(bound: TriangleMesh, plant: Plant, vertex: IntArray, triangle: IntArray, bark: Bark) -> Part:
    node, place = bound.node[vertex], bound.place[vertex]
    thickest = np.zeros(int(plant.axis.max()) + 1)
    np.maximum.at(thickest, plant.axis, plant.base_radius)
    times = times_around(thickest)[plant.axis[node]]
    uv = bound.uv[vertex] * np.stack([times, -times / HIGHER], axis=1)
    position, normal = bound.position[0, vertex], bound.normal[0, vertex]
    radius = plant.base_radius[node] * (1 - place) + plant.radius[node] * place
    tint = _bark_tints(position[:, 1], normal, radius, bark)
    return Part(vertex, triangle, normal, uv, tint, _tangents(position, normal, uv, triangle))


def _bark_tints(height: FloatArray, normal: FloatArray, radius: FloatArray, bark: Bark) -> FloatArray:
    """(vertices, 3) factors on the tile for twigs, old bark at the foot and moss, as bark.wgsl has them on average."""
    tile, second = tiles_of(bark.pattern)[0], np.array(PATTERNS[bark.pattern].second)
    mean = tile.mean[0] * np.array(bark.colour) + tile.mean[1] * second
    return np.clip(mean_bark(bark, normal, height, radius) / np.maximum(mean, 1e-3), 0, 1)


def _sheets(
    bound: TriangleMesh, mesh: Mesh, vertex: IntArray, triangle: IntArray, look: SheetLook, pixels: int
) -> tuple[Part, bytes]:
    """Blades and flags, whose picture is that of the brightest: colours of vertices are factors up to 1."""
    number = np.repeat(np.arange(len(mesh.grids)), [grid.size for grid in mesh.grids])
    tint, brightest = sheet_tints(look, number), float(sheet_tints(look, np.arange(512)).max())
    picture = png(srgb(brightest * sheet_picture(look, pixels)))
    colour = np.repeat(np.minimum(tint / brightest, 1)[:, None], 3, axis=1)
    return Part(vertex, triangle, bound.normal[0, vertex], bound.uv[vertex], colour), picture


def _leaves(
    bound: TriangleMesh, mesh: Mesh, vertex: IntArray, triangle: IntArray, species: Species | None
) -> tuple[Part, NDArray[np.uint8]]:
    """Cards whose pictures lie side by side in one; each leaf has its tint, and part of the crown's normal.

    Readers turn the normals of backs around. So the side that is turned outward is the front, and normals are nearly
    level: a leaf that shows its back is then lit as those on the other side of the crown, and not from below.
    """
    leaf = species.leaf if species and species.leaf else GENERIC_LEAF
    mask = leaf_mask(leaf.shape, leaf.aspect).levels[0]
    picture = bound.picture[bound.part == LEAVES][::2]
    used, column = np.unique(picture, return_inverse=True)
    atlas = np.concatenate(list(mask[used]), axis=1)
    painted = srgb(BRIGHTEST * np.asarray(leaf.colour) * atlas[..., :1] / 255)
    uv = bound.uv[vertex].copy()
    uv[:, 0] = (uv[:, 0] + np.repeat(column, 4)) / len(used)
    out = (bound.position[0, vertex] - mesh.crown_middle) / mesh.crown_radius
    inward = (bound.normal[0, vertex] * out * LEVEL).reshape(-1, 12).sum(axis=1) < 0
    side = bound.normal[0, vertex] * np.where(np.repeat(inward, 4), -1, 1)[:, None]
    triangle = np.where(np.repeat(inward, 2)[:, None], triangle[:, ::-1], triangle)
    normal = ((1 - CROWN_SHARE) * side + CROWN_SHARE * out) * LEVEL
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-9)
    part = Part(vertex, triangle, normal, uv, np.repeat(_tints(mesh.leaves["number"]) / BRIGHTEST, 4, axis=0))
    return part, np.concatenate([painted, atlas[..., 3:]], axis=-1)


def _cutoff(alpha: FloatArray) -> float:
    """The alpha above which lies as much of a smaller picture as is opaque in the whole: thin leaves blur away."""
    height, width = (side // SMALLER * SMALLER for side in alpha.shape)
    blocks = alpha[:height, :width].reshape(height // SMALLER, SMALLER, width // SMALLER, SMALLER)
    small = blocks.mean(axis=(1, 3))
    return round(float(np.clip(np.quantile(small, 1 - (alpha > 0.5).mean()), 0.15, 0.5)), 3)


def _tints(number: NDArray[np.uint32]) -> FloatArray:
    """(leaves, 3) brightness and hue of each leaf of an average tree: the twin of `leaf_tint` in plant_shading.wgsl."""
    with np.errstate(over="ignore"):
        own = [uniform(scrambled(number.astype(np.uint32) * np.uint32(7) + np.uint32(k))) for k in (1, 2)]
    bright, hue = own[0] * 0.65 + 0.35 * 0.5, (own[1] * 0.55 + 0.45 * 0.5)[:, None]
    warm, cool = np.array([1.12, 0.99, 0.82]), np.array([0.9, 1.0, 1.1])
    return np.asarray((0.78 + 0.44 * bright)[:, None] * (warm * (1 - hue) + cool * hue))


def _tangents(position: FloatArray, normal: FloatArray, uv: FloatArray, triangle: IntArray) -> FloatArray:
    """(vertices, 4) directions in which u grows, across the normals; w tells on which side v does, here down."""
    corner, flat = position[triangle], uv[triangle]
    (a, b), (s, t) = ((corner[:, k] - corner[:, 0] for k in (1, 2)), (flat[:, k] - flat[:, 0] for k in (1, 2)))
    area = s[:, 0] * t[:, 1] - s[:, 1] * t[:, 0]
    along = (a * t[:, 1:] - b * s[:, 1:]) * np.sign(area)[:, None]
    sums = np.zeros_like(position)
    for k in range(3):
        np.add.at(sums, triangle[:, k], along)
    sums -= normal * (sums * normal).sum(axis=1, keepdims=True)
    size = np.linalg.norm(sums, axis=1, keepdims=True)
    other = np.cross(normal, np.where(np.abs(normal[:, 1:2]) < 0.9, [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]))
    tangent = np.where(size > 1e-12, sums / np.maximum(size, 1e-12), other)
    tangent /= np.linalg.norm(tangent, axis=1, keepdims=True)
    up = np.zeros(len(position))
    down = (b * s[:, :1] - a * t[:, :1]) * np.sign(area)[:, None]
    for k in range(3):
        at = triangle[:, k]
        np.add.at(up, at, (np.cross(normal[at], tangent[at]) * -down).sum(axis=1))
    return np.column_stack([tangent, np.where(up < 0, -1.0, 1.0)])


def srgb(values: FloatArray) -> NDArray[np.uint8]:
    """Bytes of an sRGB picture (IEC 61966-2-1)."""
    value = np.clip(values, 0, 1)
    curved = np.where(value <= 0.0031308, 12.92 * value, 1.055 * value ** (1 / 2.4) - 0.055)
    return np.round(255 * curved).astype(np.uint8)


def linear(curved: FloatArray) -> FloatArray:
    """Values from 0 to 1 of an sRGB picture, linear."""
    return np.where(curved <= 0.04045, curved / 12.92, ((curved + 0.055) / 1.055) ** 2.4)
