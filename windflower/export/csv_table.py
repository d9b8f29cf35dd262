"""A plant's nodes as comma-separated values: metres, Y up; numbers read back bit by bit."""

from pathlib import Path

from windflower.core.column_files import write_columns
from windflower.export.exporter import Exporter
from windflower.export.node_columns import FORMS, node_columns, node_paths
from windflower.export.settings import ExportSettings, Report
from windflower.plant.graph import Plant

__all__ = ["CSV"]


def _write(plant: Plant, path: Path, how: ExportSettings, report: Report) -> list[str]:
    columns = node_paths(plant, how, report) if CSV.form(how) == "paths" else node_columns(plant)
    report("writing", 0.8)
    write_columns(path, columns)
    return [f"{plant.nodes:,} nodes, {len(columns['node']):,} rows"]


CSV = Exporter(title="a table of nodes", takes=(Plant,), write=_write, forms=FORMS)
