"""Files for other programs: one module a format, and a line in `registry.EXPORTERS`.

    export(plant or scene, "tree.csv") ──suffix──> EXPORTERS ──> Exporter.write ──> a temporary file ──> tree.csv

The target is checked before anything is computed, and a file is there whole or not at all.
"""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from windflower.core.files import check_target, replacing
from windflower.errors import FileError
from windflower.export.exporter import Exporter
from windflower.export.registry import EXPORTERS

if TYPE_CHECKING:  # `import windflower` loads this, and is quick
    from windflower.plant.graph import Plant
    from windflower.scene import Scene

__all__ = ["EXPORTERS", "Exporter", "export", "exporter_of"]


def export(subject: "Plant | Scene", path: str | os.PathLike[str]) -> None:
    """Write a plant or a scene to a file; the suffix of its name tells the format.

    windflower.export(windflower.grow("oak"), "oak.csv")  # a line for each node, m
    """
    target = Path(path)
    exporter = exporter_of(target)
    if not isinstance(subject, exporter.takes):
        takes = " or ".join(f"a {kind.__name__.lower()}" for kind in exporter.takes)
        raise FileError(
            f"{exporter.title} is written of {takes}; this is a {type(subject).__name__.lower()}. "
            f"Choose another suffix than {target.suffix}."
        )
    with replacing(target) as temporary:
        exporter.write(subject, temporary)


def exporter_of(path: str | os.PathLike[str]) -> Exporter:
    """The exporter of this file, by its suffix. Refuses a target that cannot be written, before any work is done."""
    target = check_target(path, "an exported file", EXPORTERS)
    return EXPORTERS[target.suffix.lower()]
