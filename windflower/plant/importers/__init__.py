"""Plants from files: digitised (MTG), laser-scanned (TreeQSM, SimpleForest, aRchi), or saved by Windflower.

bytes ──> a reader ──> Draft ──> tidy ──> frame ──> radii ──> Plant, Report
          mtg                    one      metres    where the
          treeqsm ─┐             sorted   Y up      file has
          tables ──┴ cylinders   piece              none
"""

import logging
import os
from pathlib import Path

from windflower.errors import FileError, PlantError
from windflower.plant.graph import Plant
from windflower.plant.importers import archive, matlab, mtg, tables, treeqsm
from windflower.plant.importers.assemble import assemble
from windflower.plant.importers.draft import Draft
from windflower.plant.importers.frame import Unit
from windflower.plant.importers.report import Report

__all__ = ["Report", "read", "read_with_report"]

log = logging.getLogger(__name__)


def read(
    path: str | os.PathLike[str],
    *,
    unit: Unit | None = None,
    diameter_unit: Unit | None = None,
    up: str | None = None,
) -> Plant:
    """Read a plant from a file; its suffix and content tell the format.

    unit, diameter_unit  of the file: m, dm, cm, mm, 0.1 mm, or metres per unit. By default metres for laser
                         scans; for an MTG the unit that makes it a plausible plant (see `importers.frame`)
    up                   the file's upward direction: x, y, z, -x, -y or -z. By default z; for an MTG that
                         lies below its foot -z

    What was repaired or assumed is logged, as a warning where a person should look at it; `read_with_report`
    returns it.
    """
    plant, report = read_with_report(path, unit=unit, diameter_unit=diameter_unit, up=up)
    level = logging.WARNING if report.doubtful else logging.INFO
    log.log(level, "%s: %s", path, "; ".join(report.lines()))
    return plant


def read_with_report(
    path: str | os.PathLike[str],
    *,
    unit: Unit | None = None,
    diameter_unit: Unit | None = None,
    up: str | None = None,
) -> tuple[Plant, Report]:
    """Read a plant like `read`, and return with it what was repaired and assumed."""
    path = Path(path)
    data = _content(path)
    if data.startswith(b"PK") or path.suffix == ".npz":
        if (unit, diameter_unit, up) != (None, None, None):
            raise FileError(f"{path}: a saved plant is in metres with Y up; it takes no unit and no up.")
        plant = archive.read_plant(path)
        return plant, Report(format="Windflower archive", rows=plant.nodes)
    try:
        return assemble(_draft(path.suffix.lower(), data), unit=unit, diameter_unit=diameter_unit, up=up)
    except (FileError, PlantError) as error:
        raise FileError(f"{path}: {error}") from None


def _content(path: Path) -> bytes:
    try:
        if not path.exists():
            raise FileError(f"the file must exist; {path} does not.")
        if not path.is_file():
            raise FileError(f"a plant is read from a file; {path} is not one.")
        return path.read_bytes()
    except (OSError, ValueError) as error:
        raise FileError(f"{path} cannot be read: {error}.") from None


def _draft(suffix: str, data: bytes) -> Draft:
    """Choose the reader by content, and where that does not tell, by suffix."""
    if suffix == ".bmtg":
        raise FileError("a binary MTG is a Python pickle, which may run code when it is read. Save the MTG as text.")
    if matlab.is_hdf5(data):
        raise FileError("MATLAB files are read up to version 7.2; this one is 7.3 (HDF5). Save it with -v7.")
    if suffix == ".mat" or data.startswith(b"MATLAB"):
        return treeqsm.from_mat(data)
    text = data.removeprefix(b"\xef\xbb\xbf").decode("latin-1").replace("\r\n", "\n").replace("\r", "\n")
    for reader in (mtg, tables, treeqsm):
        if reader.is_text(text):
            return reader.from_text(text)
    by_suffix = {".mtg": mtg.from_text, ".csv": tables.from_text}
    if suffix in by_suffix:
        return by_suffix[suffix](text)
    raise FileError(
        "a plant is read from a Windflower archive (.npz), an MTG, a TreeQSM text or .mat file, or a SimpleForest "
        "or aRchi table; this file looks like none of them."
    )
