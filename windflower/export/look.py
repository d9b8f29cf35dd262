"""What wood, leaves and sheets look like in a file: textures, and vertices with coordinates, tangents and colours.

Colours are linear here; pictures are written in sRGB, as every reader expects of them.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.export.leaf_light import MIRRORED, blade_gain, reader_colour
from windflower.export.leaf_look import leaf_part
from windflower.export.materials import ROUGHNESS, plain_name
from windflower.export.part import Part
from windflower.export.pictures import Picture, flat_picture, jpeg, png, smaller, srgb
from windflower.geometry.bark import HIGHER, PATTERNS, BarkTile, mean_bark, tiles_of, times_around
from windflower.geometry.finishes import Bark, Finish, SheetLook
from windflower.geometry.mesh import Mesh
from windflower.geometry.sheet_textures import BACK, is_blade, sheet_picture, sheet_tints
from windflower.geometry.triangle_mesh import LEAVES, SHEETS, WOOD, TriangleMesh
from windflower.mechanics.foliage import leaf_of
from windflower.plant.graph import Plant
from windflower.plant.species import Species

__all__ = ["Look", "Part", "look_of"]

QUALITY = {"bark": 82, "bark relief": 85, "bark surface": 75}  # of JPEG
COARSER = 2  # times as large pixels in which relief and surface are written: light on them shows less than colours do
SAME = 1e-6  # m, and of other numbers: vertices that agree so far are one


@dataclass(frozen=True, eq=False)
class Look:
    """Parts of a mesh by name, "bark", "leaves", "blades" or "backs" (of signs); and pictures by name.

    Besides the colours of each part there are "bark relief", normals, and "bark surface", whose red is how much of the
    sky a hollow sees and whose green is roughness.

    cutoff  alpha below which leaves are cut out: where pictures are shown smaller, as much of them stays as there is
    """

    parts: dict[str, Part]
    pictures: dict[str, Picture]
    cutoff: float = 0.5

    def files(self, stem: str) -> dict[str, str]:
        """The files of the pictures beside a file with this stem, by name: birch_bark_relief.jpg."""
        return {name: plain_name(f"{stem}_{name}{picture.suffix}") for name, picture in self.pictures.items()}


def look_of(
    bound: TriangleMesh,
    mesh: Mesh,
    plant: Plant,
    species: Species | None,
    finish: Finish,
    *,
    pixels: int = 512,
    finest: Mesh | None = None,
) -> Look:
    """The look of a mesh in its bind pose.

    pixels  of textures, a side
    finest  the mesh of the finest level of detail, by which all have the same picture of leaves; by default the same
    """
    parts: dict[str, Part] = {}
    pictures: dict[str, Picture] = {}
    cutoff = 0.5
    if (wood := _own(bound, WOOD)) is not None:
        pictures |= _bark_pictures(finish.bark, pixels)
        parts["bark"] = _bark(bound, plant, *wood, finish.bark)
    if (cards := _own(bound, LEAVES)) is not None:
        parts["leaves"], texels, cutoff = leaf_part(bound, mesh, *cards, species, _leaf_colour(finest or mesh))
        pictures["leaves"] = png(texels)
    if (sheets := _own(bound, SHEETS)) is not None:
        parts["blades"], pictures["blades"] = _sheets(bound, mesh, *sheets, finish.sheets, pixels)
        if finish.sheets.pattern == "sign":
            front = parts["blades"]
            parts["backs"] = replace(front, triangle=front.triangle[:, ::-1], normal=-front.normal)
            pictures["backs"] = png(srgb(np.tile(BACK, (4, 4, 1))))
    return Look(parts, pictures, cutoff)


def _own(bound: TriangleMesh, part: int) -> tuple[IntArray, IntArray] | None:
    """The vertices of a part, and its triangles numbered among them."""
    triangles = bound.triangle[bound.part == part]
    if len(triangles) == 0:
        return None
    vertex, number = np.unique(triangles, return_inverse=True)
    return vertex, number.reshape(-1, 3)


@lru_cache(maxsize=4)
def _leaf_colour(mesh: Mesh) -> FloatArray:
    return reader_colour(mesh, leaf_of(mesh.foliage.plant))


def _bark_pictures(bark: Bark, pixels: int) -> dict[str, Picture]:
    tile = tiles_of(bark.pattern)[0]
    colour = smaller(tile.colour(bark.colour, PATTERNS[bark.pattern].second), pixels)
    normal = smaller(tile.normals, max(pixels // COARSER, 1))
    surface = _surface(tile, normal)
    bytes_of = {
        "bark": srgb(colour),
        "bark relief": np.round(127.5 + 127.5 * normal).astype(np.uint8),
        "bark surface": np.round(255 * surface).astype(np.uint8),
    }
    return {name: jpeg(texels, QUALITY[name], whole_colours=name != "bark") for name, texels in bytes_of.items()}


def _surface(tile: BarkTile, normal: FloatArray) -> FloatArray:
    """(high, wide, 3) how much of the sky hollows see; roughness, with what mean normals (high, wide, 3) leave out; 0.

    Toksvig (2005), "Mipmapping normal maps": normals that differ shorten their mean, and widen the gloss.
    """
    length = np.minimum(np.linalg.norm(normal, axis=-1), 1)
    power = 2 / ROUGHNESS["bark"] ** 4 - 2
    rough = (2 / (2 + power * length / (length + power * (1 - length)))) ** 0.25
    open_sky = smaller(tile.cavity[..., None], normal.shape[1])[..., 0]
    return np.stack([open_sky, rough, np.zeros_like(rough)], axis=-1)


def _bark(bound: TriangleMesh, plant: Plant, vertex: IntArray, triangle: IntArray, bark: Bark) -> Part:
    node, place = bound.node[vertex], bound.place[vertex]
    thickest = np.zeros(int(plant.axis.max()) + 1)
    np.maximum.at(thickest, plant.axis, plant.base_radius)
    times = times_around(thickest)[plant.axis[node]]
    uv = bound.uv[vertex] * np.stack([times, -times / HIGHER], axis=1)
    one, number = _welded(np.column_stack([bound.position[0, vertex], bound.normal[0, vertex], uv]))
    vertex, triangle, node, place, uv = vertex[one], number[triangle], node[one], place[one], uv[one]
    position, normal = bound.position[0, vertex], bound.normal[0, vertex]
    radius = plant.base_radius[node] * (1 - place) + plant.radius[node] * place
    tint = _bark_tints(position[:, 1], normal, radius, bark)
    return Part(vertex, triangle, normal, uv, tint, _tangents(position, normal, uv, triangle))


def _welded(rows: FloatArray) -> tuple[IntArray, IntArray]:
    """Rows that stand for all alike, in their order, and which of these each is: rings that two tubes share."""
    _, first, same = np.unique(np.round(rows / SAME).astype(np.int64), axis=0, return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first))
    return np.sort(first), rank[same.reshape(-1)]


def _bark_tints(height: FloatArray, normal: FloatArray, radius: FloatArray, bark: Bark) -> FloatArray:
    """(vertices, 3) factors on the tile for twigs, old bark at the foot and moss, as bark.wgsl has them on average."""
    tile, second = tiles_of(bark.pattern)[0], np.array(PATTERNS[bark.pattern].second)
    mean = tile.mean[0] * np.array(bark.colour) + tile.mean[1] * second
    return np.clip(mean_bark(bark, normal, height, radius) / np.maximum(mean, 1e-3), 0, 1)


def _sheets(
    bound: TriangleMesh, mesh: Mesh, vertex: IntArray, triangle: IntArray, look: SheetLook, pixels: int
) -> tuple[Part, Picture]:
    """Blades and flags, whose picture is that of the brightest: colours of vertices are factors up to 1.

    Where they are dark, what readers have surfaces mirror would show: their colours leave it out. Those of blades have
    the light that they let through.
    """
    number = np.repeat(np.arange(len(mesh.grids)), [grid.size for grid in mesh.grids])
    tint, brightest = sheet_tints(look, number), float(sheet_tints(look, np.arange(512)).max())
    colours = sheet_picture(look, pixels) * (blade_gain(look.through) if is_blade(look) else 1.0)
    picture = flat_picture(srgb(brightest * np.maximum(colours - MIRRORED, 0.5 * colours)))
    colour = np.repeat(np.minimum(tint / brightest, 1)[:, None], 3, axis=1)
    return Part(vertex, triangle, bound.normal[0, vertex], bound.uv[vertex], colour), picture


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
