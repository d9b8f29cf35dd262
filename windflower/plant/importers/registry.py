"""The file formats that plants are read from. To add one: a module with its `Importer`, and a line here.

A program of its own registers one with `IMPORTERS.register("name", Importer(…))`. The first that recognises a file
reads it.
"""

from windflower.core.registry import Registry
from windflower.plant.importers.importer import Importer

__all__ = ["IMPORTERS"]

IMPORTERS: Registry[Importer] = Registry(
    {
        "archive": "windflower.plant.importers.archive:ARCHIVE",
        "treeqsm-mat": "windflower.plant.importers.treeqsm:MAT",
        "mtg": "windflower.plant.importers.mtg:MTG",
        "table": "windflower.plant.importers.tables:TABLE",  # before the text of TreeQSM, which has no names of columns
        "treeqsm-text": "windflower.plant.importers.treeqsm:TEXT",
    }
)
"""Formats that plants are read from, by name: an `Importer` each. The first that recognises a file reads it."""
