"""Pictures of plants: wood with its thickness, leaves with their outline, painted from back to front."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from scipy.spatial.transform import Rotation

from windflower.core.arrays import FloatArray
from windflower.core.randomness import between, draw
from windflower.errors import PlantError, SpeciesError
from windflower.plant.graph import Leaves, Plant
from windflower.plant.outlines import outline
from windflower.plant.species import Species, species_of
from windflower.plots.figure import heading, new_figure, panels, plain, scale_bar
from windflower.plots.style import PAGE, SMALL, in_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_plant", "plot_plants"]

MOST_COLUMNS = 20
WIDTH, HEIGHT = 4.5, 4.9  # of a figure, inches
LIGHT = np.array([-0.45, 0.75, 0.5]) / np.linalg.norm([-0.45, 0.75, 0.5])
PLAIN_BARK, PLAIN_LEAF = (0.23, 0.18, 0.14), (0.16, 0.33, 0.08)


@in_style
def plot_plant(
    plant: Plant,
    *,
    ax: "Axes | None" = None,
    azimuth: float = 20.0,
    leaves: bool = True,
    title: str = "",
    size: tuple[float, float] = (WIDTH, HEIGHT),
) -> "Axes":
    """Draw a plant, its wood with its thickness and its leaves: an orthographic view from a little above the horizon.

    plant    the plant
    ax       where to draw; without it a figure is made, with the plant's name and size at its top
    azimuth  the direction from which it is seen, degrees about the vertical
    leaves   whether to draw the leaves
    title    by default the species' name
    size     width and height of the figure that is made, in inches (0.0254 m)
    """
    if ax is None:
        ax = new_figure(*size).add_axes((0, 0, 1, 1))
        heading(ax, title or _title(plant), _facts(plant, leaves=leaves))
    elif title:
        ax.set_title(title, loc="center", parse_math=False)
    _paint(ax, plant, azimuth=azimuth, leaves=leaves)
    scale_bar(ax)
    return ax


@in_style
def plot_plants(plants: Sequence[Plant], *, axes: "Sequence[Axes] | None" = None, columns: int = 4) -> "list[Axes]":
    """Draw many plants side by side, each filling its axes, with its name, its size and a scale bar.

    plants   the plants
    axes     where to draw, one for each plant; without them a figure with so many `columns` is made
    columns  number of plants in a row of the figure that is made
    """
    if not plants or not 1 <= columns <= MOST_COLUMNS:
        raise PlantError(
            f"plants are drawn in 1 to {MOST_COLUMNS} columns; there are {len(plants)} plants in {columns} columns."
        )
    drawn = panels(axes, len(plants), lambda: _sheet(len(plants), columns))
    for ax, plant in zip(drawn, plants, strict=True):
        plot_plant(plant, ax=ax)
        ax.set_title(_title(plant), fontsize=8, loc="center", y=1.09, parse_math=False)
        facts = f"{plant.height:.1f} m\n{plant.nodes:,} nodes, {len(plant.leaves):,} leaves"  # as wide as the axes
        ax.text(0.5, 1.0, facts, transform=ax.transAxes, ha="center", fontsize=SMALL, color="0.35")
    return drawn


def _sheet(count: int, columns: int) -> "list[Axes]":
    rows = -(-count // columns)
    figure = new_figure(PAGE / 4 * columns, 2.1 * rows)
    places = (divmod(number, columns) for number in range(count))
    return [figure.add_axes((j / columns, 1 - (i + 1) / rows, 1 / columns, 0.82 / rows)) for i, j in places]


def _paint(ax: "Axes", plant: Plant, *, azimuth: float, leaves: bool) -> None:
    """Paint a plant's polygons from back to front."""
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
    _ground(ax, plant, view)
    ax.add_collection(
        PolyCollection([polygons[i] for i in order], facecolors=painted, edgecolors=painted, linewidths=0.15)
    )
    _frame(ax, np.concatenate(polygons))


def _title(plant: Plant) -> str:
    species = _species(plant)
    return species.title if species else "Plant"


def _facts(plant: Plant, *, leaves: bool) -> str:
    shown = f"{len(plant.leaves):,} leaves" if leaves else "drawn without leaves"
    return f"{plant.height:.1f} m   {plant.nodes:,} nodes   {shown}"


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
    """A broad leaf along the axis of its mid-rib: two quadrilaterals for each segment."""
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


def _ground(ax: "Axes", plant: Plant, view: FloatArray) -> None:
    from matplotlib.patches import Ellipse

    foot = plant.position[plant.roots].mean(axis=0) @ view
    width = 0.9 * plant.crown_width
    ax.add_patch(Ellipse((foot[0], foot[1]), width, 0.14 * width, color="0.90", zorder=0))


def _frame(ax: "Axes", points: FloatArray) -> None:
    """A square about the plant, with a little more room below than above."""
    low, high = points.min(axis=0), points.max(axis=0)
    middle, half = (low + high) / 2, max(high - low) / 2 * 1.12
    plain(ax, left=middle[0] - half, low=middle[1] - half * 1.04, width=2 * half, height=2.04 * half)
