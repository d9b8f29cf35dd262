"""What a forester, an engineer and a wind tunnel would measure on one tree."""

from dataclasses import dataclass
from math import atan2, degrees, pi, radians, tan

import numpy as np
from scipy.spatial import ConvexHull

from windflower.core.arrays import FloatArray
from windflower.mechanics import Modes, analyse
from windflower.mechanics.foliage import leaf_area, leaf_mass, leaf_of
from windflower.mechanics.projection import drag_area
from windflower.mechanics.silhouette import silhouette
from windflower.plant.graph import Plant
from windflower.plant.growth import grow

__all__ = ["SWAY", "Specimen", "measured"]

MODES = 12  # among which the sway of the whole tree is looked for
SWAY = 2.0  # degrees that the crown's centre sways to each side, seen from the foot, for damping in still air
BREAST = 1.3  # m
ROWS = 1200  # of the silhouette: finer than the one that drag areas follow from
AIR = 1.225  # kg/m³


@dataclass(frozen=True, kw_only=True)
class Specimen:
    """One tree, measured.

    height, diameter      m; the diameter at breast height, 1.3 m
    stem_mass, mass       kg, fresh: of the stem, and of all with its leaves
    crown_mass            of branches and leaves over that of the stem
    form_factor           stem volume over (basal area at 1.3 m × height)
    branch_volume         over that of the stem
    leaf_area_index       leaf area over the area that the crown stands above
    frequency, bare_frequency   Hz, of the sway that wind works most on, in leaf and bare
    regression            frequency over that of Moore & Maguire's regression for conifers
    still_damping         ratio of that sway in still air at 2° to each side, wood and the crown's own drag together
    windy_damping         the same in a wind of 10 m/s, for small sways about the lean
    drag_10, drag_20      drag coefficient on the silhouette in still air, at 10 and 20 m/s
    bare_drag             drag at 20 m/s without leaves, over that with them
    lean                  degrees that the top is carried off by a steady 15 m/s
    """

    species: str
    seed: int
    height: float
    diameter: float
    stem_mass: float
    mass: float
    crown_mass: float
    form_factor: float
    branch_volume: float
    leaf_area_index: float
    frequency: float
    bare_frequency: float
    regression: float
    still_damping: float
    windy_damping: float
    drag_10: float
    drag_20: float
    bare_drag: float
    lean: float


def measured(species: str, seed: int, detail: float = 1.0) -> Specimen:
    """Grow a tree and measure it."""
    plant = grow(species, seed=seed, detail=detail)
    modes, bare = (analyse(plant, count=MODES, leaves=leaves, cache=False) for leaves in (True, False))
    stem, wood = float(plant.segment_volume[plant.is_stem].sum()), plant.wood_volume
    density, leaves = modes.wood.density * modes.wood.area, float(leaf_mass(plant).sum())
    diameter, sway = _at_breast_height(plant), _sway(modes)
    frequency = float(modes.frequency[sway])
    front = silhouette(plant, leaf_of(plant), rows=ROWS)
    caught, caught_bare = (float(one.cell_area.sum() * one.streamlined(20.0)) for one in (modes, bare))
    return Specimen(
        species=species,
        seed=seed,
        height=plant.height,
        diameter=diameter,
        stem_mass=density * stem,
        mass=density * wood + leaves,
        crown_mass=(density * (wood - stem) + leaves) / (density * stem),
        form_factor=stem / (pi / 4 * diameter**2 * plant.height),
        branch_volume=(wood - stem) / stem,
        leaf_area_index=float(leaf_area(plant).sum()) / _ground(plant),
        frequency=frequency,
        bare_frequency=float(bare.frequency[_sway(bare)]),
        regression=frequency / (0.0766 + 312.19 * diameter / plant.height**2),
        still_damping=float(modes.damping[sway]) + _own_drag(modes, sway),
        windy_damping=_damping_in_wind(modes, sway, 10.0),
        drag_10=float(modes.cell_area.sum() * modes.streamlined(10.0)) / front,
        drag_20=caught / front,
        bare_drag=caught_bare / caught,
        lean=_lean(modes, 15.0),
    )


def _at_breast_height(plant: Plant) -> float:
    """Diameter of the stem at 1.3 m; of a bush, that of one stem with the section of all."""
    crosses = plant.is_stem & (plant.parent >= 0)
    low = (plant.position - plant.vector)[:, 1]
    crosses &= (low <= BREAST) & (plant.position[:, 1] > BREAST)
    place = (BREAST - low[crosses]) / plant.vector[crosses, 1]
    radius = plant.base_radius[crosses] * (1 - place) + plant.radius[crosses] * place
    return 2 * float(np.sqrt((radius**2).sum()))


def _ground(plant: Plant) -> float:
    """Area that the crown stands above, m²: the convex hull of its plan."""
    return float(ConvexHull(plant.position[:, [0, 2]]).volume)


def _sway(modes: Modes) -> int:
    """The mode on which a horizontal wind does most work."""
    push = modes.projection.sum(axis=0)[:, [0, 2]]
    return int(np.argmax((push**2).sum(axis=1) / modes.omega**2))


def _top(plant: Plant) -> int:
    return int(np.argmax(plant.position[:, 1]))


def _own_drag(modes: Modes, mode: int) -> float:
    """Damping ratio by what quadratic drag takes of a swing in still air.

    Of a swing q cos ωt of a mode with unit mass it takes ∮ c |u̇|³ dt = 8/3 ω² q³ ∫ c |φ|³; a ratio ζ takes 2π ζ ω² q².
    """
    plant = modes.plant
    area, shape = drag_area(modes.conditions.system(plant, modes.wood)), modes.shape[mode, :, :3]
    middle = (shape + shape[np.maximum(plant.parent, 0)]) / 2
    centre = area @ (plant.position - plant.vector / 2)[:, 1] / area.sum()
    amplitude = centre * tan(radians(SWAY)) / float(np.linalg.norm(area @ middle / area.sum()))
    return 4 / (3 * pi) * amplitude * AIR / 2 * float(area @ np.linalg.norm(middle, axis=1) ** 3)


def _damping_in_wind(modes: Modes, mode: int, speed: float) -> float:
    air = modes.drag_damping[mode] * speed * float(modes.streamlined(speed))
    return float(modes.damping[mode] + air / (2 * modes.omega[mode]))


def _lean(modes: Modes, speed: float) -> float:
    push: FloatArray = modes.dynamic_wind(np.full((1, 3), [speed, 0.0, 0.0]))[0]
    amplitude = modes.projection[0] @ push / modes.omega**2
    top = _top(modes.plant)
    moved = amplitude @ modes.shape[:, top, :3] + push @ modes.static[0, :, top, :3]
    return degrees(atan2(float(np.linalg.norm(moved[[0, 2]])), modes.plant.height))
