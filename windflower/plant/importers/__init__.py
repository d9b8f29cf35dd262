"""Plants from files: digitised (MTG), laser-scanned (TreeQSM, SimpleForest, aRchi), or saved by Windflower.

file ──> an importer ──> Draft ──> tidy ──> frame ──> assemble ──> Plant, Report
         mtg                       one      metres    radii where
         treeqsm ─┐                sorted   Y up      the file
         tables ──┴ cylinders      piece              has none

`registry.IMPORTERS` lists the formats; the first importer that recognises a file's content reads it.
"""

import logging
import os
from pathlib import Path
from typing import Any

from windflower.core.budgets import fitting_memory, within
from windflower.core.reading import read_file
from windflower.errors import FileError, PlantError
from windflower.plant.graph import Plant
from windflower.plant.importers.assemble import assemble
from windflower.plant.importers.draft import Draft
from windflower.plant.importers.frame import Unit
from windflower.plant.importers.importer import Importer, PlantFile
from windflower.plant.importers.registry import IMPORTERS
from windflower.plant.importers.report import Report

__all__ = ["IMPORTERS", "Importer", "PlantFile", "Report", "read", "read_with_report"]

log = logging.getLogger(__name__)


def read(
    path: str | os.PathLike[str],
    *,
    unit: Unit | None = None,
    diameter_unit: Unit | None = None,
    up: str | None = None,
) -> Plant:
    """Read a plant from a file; its content tells the format, and where that does not, its suffix.

    path                 the file
    unit, diameter_unit  of the file: m, dm, cm, mm, 0.1 mm, or metres per unit. By default metres for laser
                         scans; for an MTG the unit that makes it a plausible plant (see `importers.frame`)
    up                   the file's upward direction: x, y, z, -x, -y or -z. By default z; for an MTG that
                         lies below its foot -z

    What was repaired or assumed is logged, as a warning where it should be looked at; `read_with_report` returns it.
    """
    plant, report = read_with_report(path, unit=unit, diameter_unit=diameter_unit, up=up)
    level = logging.WARNING if report.doubtful else logging.INFO
    if lines := report.lines():
        log.log(level, "%s: %s", path, "; ".join(lines))
    return plant


def read_with_report(
    path: str | os.PathLike[str],
    *,
    unit: Unit | None = None,
    diameter_unit: Unit | None = None,
    up: str | None = None,
) -> tuple[Plant, Report]:
    """Read a plant as `read` does, and return the report of what was repaired and assumed with it.

    path, unit, diameter_unit, up  as in `read`
    """
    file = PlantFile(Path(path), read_file(path, "plant_file"))
    options = {"unit": unit, "diameter_unit": diameter_unit, "up": up}
    try:
        with fitting_memory("the plant", "Keep only what is needed in the file", error=FileError):
            return _plant(file, options)
    except (FileError, PlantError) as error:
        told = str(error)
        raise FileError(told if told.startswith(str(file.path)) else f"{file.path}: {told}") from None


def _plant(file: PlantFile, options: dict[str, Any]) -> tuple[Plant, Report]:
    importer = _importer(file)
    found = importer.read(file)
    _check_size(found)
    if isinstance(found, Draft):
        return assemble(found, **options)
    if any(value is not None for value in options.values()):
        raise FileError(f"{importer.title} is in metres with Y up; it takes no unit and no up.")
    return found, Report(format=importer.title.split(" ", 1)[1], rows=found.nodes, saved=True)


def _check_size(found: Draft | Plant) -> None:
    within("nodes", len(found.parent), "Simplify it first", error=FileError)
    if isinstance(found, Plant):
        within("leaves", len(found.leaves), "Thin its leaves first", error=FileError)


def _importer(file: PlantFile) -> Importer:
    """The first importer that recognises the content; where none does, the one of the suffix."""
    importers = list(IMPORTERS.values())
    for importer in importers:
        if importer.recognises(file):
            return importer
    for importer in importers:
        if file.suffix in importer.suffixes:
            return importer
    *most, last = (importer.title for importer in importers)
    raise FileError(f"a plant is read from {', '.join(most)} or {last}; this file looks like none of them.")
