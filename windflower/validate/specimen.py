"""What a forester, an engineer and a wind tunnel would measure on one tree."""

from dataclasses import dataclass
from math import atan2, degrees, pi, radians, tan

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.errors import PlantError
from windflower.mechanics import Modes, analyse
from windflower.mechanics.foliage import leaf_of
from windflower.mechanics.inventory import inventory
from windflower.mechanics.silhouette import silhouette
from windflower.plant.graph import Plant
from windflower.plant.growth import grow

__all__ = ["SWAY", "Specimen", "measured"]

MODES = 12  # among which the sway of the whole tree is looked for
SWAY = 2.0  # degrees that the crown's centre sways to each side, seen from the foot, for damping in still air
ROWS = 1200  # of the silhouette: finer than the one that drag areas follow from


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
    told, sway = inventory(plant), _sway(modes)
    if told.dbh is None:
        raise PlantError(f"a tree is measured 1.3 m up its stem; {species} with seed {seed} has none there.")
    stem = told.wood_mass * told.stem_volume / told.wood_volume
    frequency, ratio = float(modes.frequency[sway]), float(modes.damping[sway])
    front = silhouette(plant, leaf_of(plant), rows=ROWS)
    caught, caught_bare = (float(one.cell_area.sum() * one.streamlined(20.0)) for one in (modes, bare))
    return Specimen(
        species=species,
        seed=seed,
        height=told.height,
        diameter=told.dbh,
        stem_mass=stem,
        mass=told.mass,
        crown_mass=told.mass / stem - 1,
        form_factor=told.stem_volume / (pi / 4 * told.dbh**2 * told.height),
        branch_volume=told.wood_volume / told.stem_volume - 1,
        leaf_area_index=told.leaf_area / told.crown_area,
        frequency=frequency,
        bare_frequency=float(bare.frequency[_sway(bare)]),
        regression=frequency / (0.0766 + 312.19 * told.dbh / told.height**2),
        still_damping=ratio + float(modes.still_air_damping(_swing(modes, sway))[sway]),
        windy_damping=ratio + float(modes.air_damping(10.0)[sway]),
        drag_10=float(modes.cell_area.sum() * modes.streamlined(10.0)) / front,
        drag_20=caught / front,
        bare_drag=caught_bare / caught,
        lean=_lean(modes, 15.0),
    )


def _sway(modes: Modes) -> int:
    """The mode on which a horizontal wind does most work."""
    push = modes.projection.sum(axis=0)[:, [0, 2]]
    return int(np.argmax((push**2).sum(axis=1) / modes.omega**2))


def _top(plant: Plant) -> int:
    return int(np.argmax(plant.position[:, 1]))


def _swing(modes: Modes, mode: int) -> float:
    """How far the farthest node swings where the crown's centre of drag sways by `SWAY`, seen from the foot, m."""
    drag, shape = modes.node_drag.sum(axis=0), modes.shape[mode, :, :3]
    height = drag @ modes.plant.position[:, 1] / drag.sum()
    farthest = np.linalg.norm(shape, axis=1).max() / np.linalg.norm(drag @ shape / drag.sum())
    return float(height * tan(radians(SWAY)) * farthest)


def _lean(modes: Modes, speed: float) -> float:
    push: FloatArray = modes.dynamic_wind(np.full((1, 3), [speed, 0.0, 0.0]))[0]
    amplitude = modes.projection[0] @ push / modes.omega**2
    top = _top(modes.plant)
    moved = amplitude @ modes.shape[:, top, :3] + push @ modes.static[0, :, top, :3]
    return degrees(atan2(float(np.linalg.norm(moved[[0, 2]])), modes.plant.height))
