"""Builds stands: plants grown or read, their motions, and their places.

One `[[stands]]` table with four specimens becomes four stands, which share its trees between them.
"""

import inspect
import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, TypeAlias
from weakref import WeakValueDictionary

import numpy as np

from windflower.core.budgets import within
from windflower.errors import SceneError
from windflower.mechanics import Modes, Structure, analyse, analyse_structure
from windflower.mechanics.objects import OBJECTS
from windflower.mechanics.roots import Roots
from windflower.mechanics.scans import PreparedScan, Radii, prepare_scan
from windflower.mechanics.sheet import fly_length
from windflower.motion import Places
from windflower.motion.breaking.strength import Breaking
from windflower.motion.contract import Motion
from windflower.motion.hybrid.grove import SEEDS, Grove
from windflower.motion.limp import hung
from windflower.motion.settings import Circumstances, MotionSettings, Seeds, Specimen
from windflower.motion.stand import Stand
from windflower.plant.detail import with_detail
from windflower.plant.graph import Leaves, Plant
from windflower.plant.growth import grow
from windflower.plant.importers import read
from windflower.plant.importers.frame import Unit
from windflower.plant.species import species_of
from windflower.plant.species.changes import changed
from windflower.scene.error_messages import naming
from windflower.scene.layout import trees_by_specimen
from windflower.scene.stand_table import StandSettings
from windflower.scene.thinning import trees_of
from windflower.wind import Wind, flag_air

__all__ = [
    "PlantCache",
    "Progress",
    "downwind",
    "groves_of",
    "is_grove",
    "object_of",
    "specimens_in",
    "specimens_of",
    "stands_of",
    "with_design_wind",
]

log = logging.getLogger(__name__)

Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with what is being done, the number of steps done, and the number of steps."""

MOST_PLANTS = 640  # plants in the cache
SAMPLES = 4  # trees of a grove that tell the size of all
ALONG = 270.0  # wind direction in the frame of a flag, whose x points downwind, degrees


class PlantCache:
    """In-memory cache of plants, grown or read, and their modes, to share between scenes.

    keep  whether modes are cached on disk as well
    most  how many modal analyses are kept in memory
    """

    def __init__(self, *, keep: bool = True, most: int = 64) -> None:
        self.plant = lru_cache(maxsize=MOST_PLANTS)(_plant)
        self.modes = lru_cache(maxsize=most)(partial(_modes, keep=keep))
        self.object = lru_cache(maxsize=most)(partial(_object_modes, keep=keep))

    def specimen(self, table: StandSettings, number: int) -> Specimen:
        """Specimen of a table by number, with its modes if its motion needs them."""
        needed = table.motion.modes_needed
        if table.is_object and needed:
            found = self.object(table.plant, needed[0], json.dumps(table.changes, sort_keys=True))
            return Specimen(table.plant, found.plant, found)
        ready = self.plant(*_recipe(table, number))
        modes = self.modes(ready.plant, *needed, table.wood, ready.gravity, table.roots) if needed else None
        return Specimen(specimen_name(table, number), ready.plant, modes, table.wood)


def _recipe(table: StandSettings, number: int) -> tuple[Any, ...]:
    """The arguments of `_plant` for the specimen of a number."""
    seed = table.seed + number if table.is_grown else None
    changes = json.dumps(table.changes, sort_keys=True)
    taken = (table.species, table.wood, table.gravity, table.roots, table.radii)
    read_as = (table.unit, table.diameter_unit, table.up)
    return table.plant, seed, table.detail, table.leaves, changes, *taken, *read_as


def specimens_in(table: StandSettings) -> int:
    """Number of different plants of a table."""
    if not (table.motion.together and table.is_grown):
        return table.specimens
    return SAMPLES if is_grove(table) else trees_of(table)


def is_grove(table: StandSettings) -> bool:
    """Whether the trees of a table are grown as they come into view: all different, and too many for one block."""
    return table.motion.together and table.is_grown and trees_of(table) > SEEDS


def specimen_name(table: StandSettings, number: int) -> str:
    """Display name: the species or the file, and the seed."""
    return Path(table.plant).stem + (f" {table.seed + number}" if table.is_grown else "")


def specimens_of(
    tables: Sequence[StandSettings], progress: Progress, plants: PlantCache, *, steps: int
) -> list[list[Specimen]]:
    """Specimens of each table, grown or read, and analysed; those that two tables share are made once.

    progress  called for each plant, as one of `steps` in all
    """
    asked = [(index, number) for index, table in enumerate(tables) for number in range(specimens_in(table))]
    specimens: list[list[Specimen]] = [[] for _ in tables]
    total = 0
    for done, (index, number) in enumerate(asked):
        progress(f"growing {specimen_name(tables[index], number)}", done, steps)
        with naming(f"stands[{index}]"):
            specimens[index].append(plants.specimen(tables[index], number))
        plant = specimens[index][-1].plant
        total += plant.nodes + len(plant.leaves)
        within("parts", total, "Lower their number or their detail", error=SceneError)
    return specimens


def _plant(
    name: str,
    seed: int | None,
    detail: float,
    leaves: bool,
    changes: str,
    species: str | None,
    wood: str | None,
    gravity: bool,
    roots: Roots | None,
    radii: Radii,
    unit: Unit | None,
    diameter_unit: Unit | None,
    up: str | None,
) -> PreparedScan:
    """Grow a species with this seed and changes (JSON), or, without a seed, read a file and prepare it."""
    if seed is not None:
        plant = grow(changed(species_of(name), json.loads(changes)), seed=seed, detail=detail)
        return PreparedScan(plant if leaves else replace(plant, leaves=Leaves()), gravity)
    found = read(name, unit=unit, diameter_unit=diameter_unit, up=up)
    ready = prepare_scan(found, species=species, wood=wood, leaves=leaves, gravity=gravity, roots=roots, radii=radii)
    for note in ready.notes:
        log.warning("%s: %s", name, note)
    return replace(ready, plant=with_detail(ready.plant, detail)) if detail != 1 else ready


def _modes(
    plant: Plant, count: int, cells: int, wood: str | None, gravity: bool, roots: Roots | None, *, keep: bool
) -> Modes:
    in_leaf = len(plant.leaves) > 0
    return analyse(plant, count=count, cells=cells, wood=wood, leaves=in_leaf, gravity=gravity, roots=roots, cache=keep)


def _object_modes(name: str, count: int, changes: str, *, keep: bool) -> Modes:
    """Modes of an object with changes (JSON)."""
    return analyse_structure(object_of(name, json.loads(changes)), count=count, cache=keep)


def stands_of(
    tables: Sequence[StandSettings],
    specimens: Sequence[Sequence[Specimen]],
    places: Sequence[Places],
    around: Sequence[Circumstances],
) -> tuple[Stand, ...]:
    """Build the stands of all tables, with the places of their trees and the circumstances there."""
    stands: list[Stand] = []
    for index, (table, plants, where, air) in enumerate(zip(tables, specimens, places, around, strict=True)):
        with naming(f"stands[{index}]"):
            if is_grove(table):
                continue
            if table.motion.together:
                every = tuple(specimen.plant for specimen in plants)
                stands.append(table.motion.block(Path(table.plant).stem, index, every, where, table.damping))
                continue
            # A few trees may leave some specimens without any.
            shares = trees_by_specimen(len(where), len(plants), seed=air.seed, stand=index)
            for specimen, mine in zip(plants, shares, strict=False):
                stands.append(_stand(table, index, specimen, where.some(mine), replace(air, damping=table.damping)))
    return tuple(stands)


def groves_of(
    tables: Sequence[StandSettings], specimens: Sequence[Sequence[Specimen]], places: Sequence[Places]
) -> tuple[Grove, ...]:
    """The groves of all tables that have one; the same for the same table and places, so that its trees go on."""
    groves = []
    for index, (table, plants, where) in enumerate(zip(tables, specimens, places, strict=True)):
        if is_grove(table):
            with naming(f"stands[{index}]"):
                groves.append(_grove(table, index, tuple(specimen.plant for specimen in plants), where))
    return tuple(groves)


def _grove(table: StandSettings, index: int, samples: tuple[Plant, ...], where: Places) -> Grove:
    parts = (where.position, where.yaw, where.scale, where.stiffness)
    name = f"{index} {table.model_dump_json()}", *(part.tobytes() for part in parts)
    known = _GROVES.get(name)
    if known is None:

        def grown(number: int) -> Plant:
            return _plant(*_recipe(table, number)).plant

        seeds = Seeds(Path(table.plant).stem, index, samples, where, grown)
        known = _GROVES[name] = table.motion.grove(seeds, table.damping)
    return known


_GROVES: WeakValueDictionary[Any, Grove] = WeakValueDictionary()


def _stand(table: StandSettings, index: int, specimen: Specimen, places: Places, around: Circumstances) -> Stand:
    """Stand of one specimen; a flag is turned downwind and feels the wake of its pole."""
    modes = specimen.modes and _damped(specimen.modes, table.damping)
    specimen = replace(specimen, modes=modes)
    sheets = modes.conditions.sheets if modes else ()
    length = fly_length(specimen.plant.position, sheets)
    settings = table.motion.for_sheets(specimen) if sheets else table.motion
    felt = replace(around, wind=flag_air(around.wind, length, direction=ALONG)) if length else around
    return Stand(
        name=specimen.name,
        table=index,
        motion=hung(settings.motion(specimen, felt), modes),
        places=downwind(places, around.wind) if length else places,
        quivers_above=settings.quivers_above(specimen),
        veins=settings.veins,
        breaking=_breaking(table, settings, specimen, felt),
    )


def _breaking(
    table: StandSettings, settings: MotionSettings, specimen: Specimen, around: Circumstances
) -> Breaking | None:
    if table.breaks is None:
        return None

    def remade(modes: Modes) -> Motion[Any]:
        return hung(settings.motion(replace(specimen, plant=modes.plant, modes=modes), around), modes)

    return Breaking(remade=remade, seed=around.seed, **table.breaks.model_dump())


def _damped(modes: Modes, factor: float) -> Modes:
    return modes if factor == 1 else replace(modes, damping=factor * modes.damping)


LEAST_WIND, STEPS = 1.0, 2  # smallest design wind of a flag, m/s, and the steps of 1 m/s to which it is rounded


def object_of(name: str, changes: Mapping[str, Any]) -> Structure:
    """An object by name, with changed parameters."""
    return OBJECTS[name](**changes)


def with_design_wind(table: StandSettings, wind: Wind) -> StandSettings:
    """Set a flag's design wind to the scene's mean wind, unless its table has one; other tables are unchanged."""
    if not table.is_object or "wind" not in inspect.signature(OBJECTS[table.plant]).parameters:
        return table
    speed = max(float(np.linalg.norm(wind.mean)), LEAST_WIND)
    return table.model_copy(update={"changes": {"wind": round(STEPS * speed) / STEPS, **table.changes}})


def downwind(places: Places, wind: Wind) -> Places:
    """The same places with the yaw that turns x downwind."""
    yaw = np.arctan2(-wind.mean[2], wind.mean[0])
    return Places(places.position, yaw=np.full(len(places), yaw), scale=places.scale, stiffness=places.stiffness)
