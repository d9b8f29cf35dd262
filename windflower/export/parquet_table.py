"""A plant's nodes as Apache Parquet, for pandas, Polars and DuckDB: metres, Y up."""

from pathlib import Path

from windflower.core.column_files import check_columns, write_columns
from windflower.export.exporter import Exporter
from windflower.export.node_columns import FORMS, node_columns, node_paths
from windflower.export.settings import ExportSettings, Report
from windflower.plant.graph import Plant

__all__ = ["PARQUET"]


def _write(plant: Plant, path: Path, how: ExportSettings, report: Report) -> list[str]:
    check_columns(path.suffix)
    columns = node_paths(plant, how, report) if PARQUET.form(how) == "paths" else node_columns(plant)
    report("writing", 0.8)
    write_columns(path, columns)
    return [f"{plant.nodes:,} nodes, {len(columns['node']):,} rows"]


PARQUET = Exporter(title="a Parquet file", takes=(Plant,), write=_write, forms=FORMS)
