"""The nodes of a plant as columns of a table: at rest, or their paths over the loops that it plays."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.export.recording import recordings
from windflower.export.settings import ExportSettings, Report
from windflower.export.stand_loops import loop_frames
from windflower.plant.graph import Plant

__all__ = ["FORMS", "Columns", "node_columns", "node_paths"]

Columns = dict[str, NDArray[Any]]
FORMS = {"nodes": frozenset[str](), "paths": frozenset({"winds", "seconds", "fps"})}
"""Ways in which a table is written, and what each heeds."""
DIGITS = 6  # of a path's places: micrometres


def node_columns(plant: Plant) -> Columns:
    """A row for each node, root first, m."""
    x, y, z = plant.position.T
    return {
        "node": np.arange(plant.nodes),
        "parent": plant.parent,
        "x": x,
        "y": y,
        "z": z,
        "radius": plant.radius,
        "base_radius": plant.base_radius,
        "order": plant.order,
        "axis": plant.axis,
    }


def node_paths(plant: Plant, how: ExportSettings, report: Report) -> Columns:
    """A row for each clip, each time, s, and each node: where it is then, m."""
    tables = []
    for clip, (stand,) in recordings(plant, how, report).items():
        seconds, points = loop_frames(stand, clip, np.arange(plant.nodes), how.fps)
        times = np.round(np.arange(len(points)) * (seconds / len(points)), DIGITS)
        x, y, z = np.round(points, DIGITS).reshape(-1, 3).T
        node = np.tile(np.arange(plant.nodes), len(points))
        time = np.repeat(times, plant.nodes)
        tables.append({"clip": np.full(len(node), clip), "time": time, "node": node, "x": x, "y": y, "z": z})
    return {name: np.concatenate([table[name] for table in tables]) for name in tables[0]}
