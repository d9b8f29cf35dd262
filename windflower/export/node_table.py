"""The nodes of a plant as a table: CSV with a line for each node, in metres, Y up."""

import csv
from pathlib import Path

from windflower.export.exporter import Exporter
from windflower.export.settings import ExportSettings, Report
from windflower.plant.graph import Plant

__all__ = ["NODE_TABLE"]

COLUMNS = ("node", "parent", "x", "y", "z", "radius", "base_radius", "order", "axis")


def _write(plant: Plant, path: Path, _: ExportSettings, report: Report) -> list[str]:
    """Write the nodes from root to tips; numbers are written in full, so that they read back bit by bit."""
    report("writing", 0.0)
    columns = (
        range(plant.nodes),
        plant.parent.tolist(),
        *plant.position.T.tolist(),
        plant.radius.tolist(),
        plant.base_radius.tolist(),
        plant.order.tolist(),
        plant.axis.tolist(),
    )
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(COLUMNS)
        table.writerows(zip(*columns, strict=True))
    return [f"{plant.nodes:,} nodes"]


NODE_TABLE = Exporter(title="a table of nodes", takes=(Plant,), write=_write)
