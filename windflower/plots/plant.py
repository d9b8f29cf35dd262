"""Pictures of plants: wood with its thickness, leaves with their outline, painted from back to front."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from scipy.spatial.transform import Rotation

from windflower.core.arrays import FloatArray
from windflower.core.randomness import between, draw
from windflower.errors import SpeciesError
from windflower.plant.graph import Leaves, Plant
from windflower.plant.outlines import outline
from windflower.plant.species import Species, species_of
from windflower.plots.figure import new_figure, save_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_contact_sheet", "draw_plant", "paint_plant"]

LIGHT = np.array([-0.45, 0.75, 0.5]) / np.linalg.norm([-0.45, 0.75, 0.5])
PLAIN_BARK, PLAIN_LEAF = (0.23, 0.18, 0.14), (0.16, 0.33, 0.08)


def draw_plant(
    plant: Plant, path: str | os.PathLike[str], *, title: str = "", azimuth: float = 20.0, leaves: bool = True
) -> None:
    """Draw one plant to a picture file, seen from `azimuth` degrees around it."""
    figure = new_figure(7, 7.6)
    axes = figure.add_axes((0, 0, 1, 1))
    paint_plant(axes, plant, azimuth=azimuth, leaves=leaves)
    _scale_bar(axes)
    figure.text(0.04, 0.965, title or _title(plant), fontsize=15, va="top")
    figure.text(0.04, 0.925, _facts(plant), fontsize=9, color="0.35", va="top")
    save_figure(figure, path)


def draw_contact_sheet(plants: Sequence[Plant], path: str | os.PathLike[str], *, columns: int = 4) -> None:
    """Draw many plants on one sheet, each filling its cell, with its name and a scale bar."""
    rows = -(-len(plants) // columns)
    figure = new_figure(3.4 * columns, 3.9 * rows)
    for number, plant in enumerate(plants):
        row, column = divmod(number, columns)
        cell = (column / columns, 1 - (row + 1) / rows, 1 / columns, 0.9 / rows)
        axes = figure.add_axes(cell)
        paint_plant(axes, plant)
        _scale_bar(axes)
        x, y = (column + 0.5) / columns, 1 - (row + 0.015) / rows
        figure.text(x, y, _title(plant), fontsize=13, ha="center", va="top")
        figure.text(x, y - 0.05 / rows, _facts(plant), fontsize=7.5, color="0.35", ha="center", va="top")
    save_figure(figure, path, dpi=130)


def paint_plant(axes: "Axes", plant: Plant, *, azimuth: float = 20.0, leaves: bool = True) -> None:
    """Paint a plant into matplotlib axes: an orthographic view from a little above the horizon."""
    from matplotlib.collections import PolyCollection

    view = Rotation.from_euler("yx", [azimuth, 8], degrees=True).as_matrix().T
    species = _species(plant)
    polygons, depths, colours = _wood_polygons(plant, view, species.bark if species else PLAIN_BARK)
    if leaves and len(plant.leaves):
        blades, more_depths, more_colours = _leaf_polygons(plant, view, species)
        polygons, depths = polygons + blades, np.concatenate([depths, more_depths])
        colours = np.concatenate([colours, more_colours])
    order = np.argsort(depths, kind="stable")
    painted = _hazed(colours, depths)[order]
    _ground(axes, plant, view)
    axes.add_collection(
        PolyCollection([polygons[i] for i in order], facecolors=painted, edgecolors=painted, linewidths=0.15)
    )
    _frame(axes, np.concatenate(polygons))


def _title(plant: Plant) -> str:
    species = _species(plant)
    return species.title if species else "Plant"


def _facts(plant: Plant) -> str:
    return f"{plant.height:.1f} m   {plant.nodes:,} nodes   {len(plant.leaves):,} leaves"


def _species(plant: Plant) -> Species | None:
    """The plant's species, if it is one that is known here."""
    try:
        return species_of(plant.species)
    except SpeciesError:
        return None


def _wood_polygons(
    plant: Plant, view: FloatArray, bark: tuple[float, float, float]
) -> tuple[list[FloatArray], FloatArray, FloatArray]:
    """A quadrilateral for each segment, a little longer than it so that bends close."""
    segments = plant.segments
    seen = plant.position @ view
    tip, base = seen[segments], seen[plant.parent[segments]]
    along = (tip - base)[:, :2]
    size = np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-9)
    along, across = along / size, np.stack([-along[:, 1], along[:, 0]], axis=1) / size
    thin = plant.height / 2500  # no twig is thinner than a line that can be seen
    r0, r1 = (np.maximum(r[segments], thin)[:, None] for r in (plant.base_radius, plant.radius))
    a, b = base[:, :2] - 0.3 * r0 * along, tip[:, :2] + 0.3 * r1 * along
    quads = np.stack([a - across * r0, a + across * r0, b + across * r1, b - across * r1], axis=1)
    normal_light = 0.62 + 0.38 * np.abs(across @ (LIGHT[:2] / np.linalg.norm(LIGHT[:2])))
    shade = normal_light * (0.9 + 0.2 * draw(7, segments))
    return list(quads), (tip + base)[:, 2] / 2, np.array(bark) * shade[:, None]


def _leaf_polygons(
    plant: Plant, view: FloatArray, species: Species | None
) -> tuple[list[FloatArray], FloatArray, FloatArray]:
    leaf = species.leaf if species else None
    shape, aspect, colour = (leaf.shape, leaf.aspect, leaf.colour) if leaf else ("oval", 0.6, PLAIN_LEAF)
    if shape == "broad":
        blades, normals = _blades_along_axes(plant, aspect)
    else:
        blades, normals = _flat_blades(plant, plant.leaves, outline(shape, aspect))
    seen = blades @ view
    light = np.abs(normals @ LIGHT)
    middle = blades.mean(axis=1)
    outward = (middle - middle.mean(axis=0)) / np.maximum(np.ptp(middle, axis=0) / 2, 1e-9)
    # Inside and below a crown it is darker: that makes it read as a volume.
    open_air = np.clip(0.5 * np.linalg.norm(outward, axis=1) + 0.35 * outward @ LIGHT, 0, 1)
    tone = (0.35 + 0.4 * light) * (0.55 + 0.9 * open_air) * between(0.8, 1.2, 8, np.arange(len(blades)))
    tint = np.array(colour) * (1 + 0.18 * (draw(9, np.arange(len(blades)))[:, None] - 0.5) * [1.6, 0.4, -0.5])
    return list(seen[:, :, :2]), seen[:, :, 2].mean(axis=1), tint * tone[:, None]


def _flat_blades(plant: Plant, leaves: Leaves, shape: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The outline of each leaf (leaves, points, 3) and its normal."""
    foot = plant.position[leaves.node] - (1 - leaves.place)[:, None] * plant.vector[leaves.node]
    frame = Rotation.from_quat(leaves.orientation.copy()).as_matrix()
    flat = np.concatenate([shape, np.zeros((len(shape), 1))], axis=1)
    return foot[:, None] + leaves.size[:, None, None] * (flat @ frame.transpose(0, 2, 1)), frame[:, :, 2]


def _blades_along_axes(plant: Plant, aspect: float) -> tuple[FloatArray, FloatArray]:
    """A broad leaf follows the axis that bears it: two quadrilaterals for each segment of its mid-rib."""
    pieces, normals = [], []
    axis_nodes = {int(axis[0]): axis for axis in plant.axes()}
    of_axis = {int(node): first for first, nodes in axis_nodes.items() for node in nodes}
    for bud, size in zip(plant.leaves.node, plant.leaves.size, strict=True):
        rib = axis_nodes[of_axis[int(bud)]]
        rib = rib[rib >= bud]
        nodes = np.concatenate([[plant.parent[rib[0]]], rib])
        points, t = plant.position[nodes], np.linspace(0, 1, len(nodes))
        half = 0.5 * aspect * size * np.sin(np.pi * t**0.75) ** 0.6
        along = np.gradient(points, axis=0)
        across = np.cross(along, [0.0, 1.0, 0.0])
        across /= np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-9)
        for sign in (-1, 1):
            rim = points + sign * half[:, None] * (across - [0.0, 0.25, 0.0])
            quads = np.stack([points[:-1], points[1:], rim[1:], rim[:-1]], axis=1)
            normal = np.cross(quads[:, 1] - quads[:, 0], quads[:, 2] - quads[:, 0])
            pieces.append(quads)
            normals.append(normal / np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-12))
    return np.concatenate(pieces), np.concatenate(normals)


def _hazed(colours: FloatArray, depths: FloatArray) -> FloatArray:
    """Linear to display colours, with what is behind a little paler."""
    far = (depths.max() - depths) / max(float(np.ptp(depths)), 1e-9)
    linear = np.clip(colours, 0, 1) * (1 - 0.15 * far[:, None]) + 0.06 * far[:, None]
    return np.asarray(np.clip(linear, 0, 1) ** (1 / 2.2))


def _ground(axes: "Axes", plant: Plant, view: FloatArray) -> None:
    from matplotlib.patches import Ellipse

    foot = plant.position[plant.roots].mean(axis=0) @ view
    width = 0.9 * plant.crown_width
    axes.add_patch(Ellipse((foot[0], foot[1]), width, 0.14 * width, color="0.90", zorder=0))


def _frame(axes: "Axes", points: FloatArray) -> None:
    low, high = points.min(axis=0), points.max(axis=0)
    middle, half = (low + high) / 2, max(high - low) / 2 * 1.12
    axes.set_xlim(middle[0] - half, middle[0] + half)
    axes.set_ylim(middle[1] - half * 1.04, middle[1] + half)
    axes.set_aspect("equal")
    axes.set_axis_off()


def _scale_bar(axes: "Axes") -> None:
    """A bar of 1, 2 or 5 times a power of ten metres in the lower left corner."""
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    rough = (right - left) / 5
    power = 10 ** np.floor(np.log10(rough))
    bar = max(step * power for step in (1, 2, 5) if step * power <= rough)
    x, y = left + 0.05 * (right - left), low + 0.035 * (high - low)
    axes.plot([x, x + bar], [y, y], color="0.3", linewidth=1.5, solid_capstyle="butt")
    axes.text(x, y + 0.012 * (high - low), f"{bar:g} m", fontsize=7.5, color="0.3")
