"""Framing: fits a camera to a plant or a group of plants, exactly, along a given line of sight.

name ──subject_points──> nodes and leaf tips in the world ──fitted_view──> View
"""

import contextlib
import math
from collections.abc import Iterable, Sequence

import numpy as np
from scipy.spatial import ConvexHull, QhullError
from scipy.spatial.transform import Rotation

from windflower.core.arrays import FloatArray
from windflower.errors import SceneError
from windflower.motion import Places
from windflower.motion.hybrid.grove import Grove
from windflower.motion.stand import Stand
from windflower.plant.graph import Plant
from windflower.scene.camera import View, look_at
from windflower.scene.camera_table import CameraTable
from windflower.scene.stand_table import StandSettings
from windflower.scene.subject_names import Subject, subject_of
from windflower.scene.sun import direction_to
from windflower.scene.terrain import Terrain

__all__ = ["fitted_view", "outline", "subject_points"]

LOWEST = 0.3  # height of a fitted camera above the ground, m, at least
STEEPEST = 85.0  # elevation of a fitted camera, degrees
MOST = 2_000_000  # points of all plants; where there are more, a box stands for each plant


def fitted_view(
    points: FloatArray,
    lens: CameraTable,
    *,
    azimuth: float,
    elevation: float,
    aspect: float,
    margin: float,
    land: Terrain | None = None,
) -> View:
    """The view from a side in which points (n, 3) just fit the picture: they touch its margin on two opposite sides.

    azimuth, elevation  direction of the camera seen from the points, degrees, as those of an orbit; where the camera
                        would be below the ground, it looks down from higher up
    aspect              width of the picture over its height
    margin              free share of the width and of the height on each side
    """

    def seen(up: float) -> tuple[View, float]:
        view = _fitted(points, lens, direction_to(azimuth, up), aspect, margin)
        below = float(land.height(view.eye[None, [0, 2]])[0]) if land else 0.0
        return view, float(view.eye[1]) - below - LOWEST

    view, above = seen(elevation)
    if above >= 0:
        return view
    low, high = elevation, STEEPEST
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (low, middle) if seen(middle)[1] >= 0 else (middle, high)
    return seen(high)[0]


def _fitted(points: FloatArray, lens: CameraTable, away: FloatArray, aspect: float, margin: float) -> View:
    """The nearest view along a direction that holds all points.

    In the camera's axes a point at (a, b) and depth c lies within the picture if |a - x| <= k (c - z) for a camera at x
    and z, and so for b: four planes, which the outermost points touch. Two of them meet in the camera's depth.
    """
    turn = look_at(away, np.zeros(3))[:3, :3]
    right, up, back = (points @ turn.T).T
    half = math.tan(math.radians(lens.field_of_view) / 2) * (1 - 2 * margin)
    deep, sides = [], []
    for along, slope in ((right, half * aspect), (up, half)):
        high, low = float((along + slope * back).max()), float((-along + slope * back).max())
        deep.append((high + low) / (2 * slope))
        sides.append((along, slope))
    depth = max(deep)
    centre = [_between(along, slope, back, depth) for along, slope in sides]
    eye = np.array([*centre, depth]) @ turn
    distance = max(depth - float(back.max() + back.min()) / 2, 1e-2)
    return View.of(eye, eye - distance * away, lens)


def _between(along: FloatArray, slope: float, back: FloatArray, depth: float) -> float:
    """Where a camera at a depth stands along an axis so that as much is left free on either side."""
    reach = slope * (depth - back)
    return float((along - reach).max() + (along + reach).min()) / 2


def subject_points(
    name: str, tables: Sequence[StandSettings], stands: Iterable[Stand], groves: Iterable[Grove]
) -> FloatArray:
    """Points (n, 3) in the world that a view of a subject has to hold, m: plants at rest, with their leaves.

    name  `all`, a plant's name or a stand's number, and after a colon which of them: see `subject_names`
    """
    subject = subject_of(name, tables)
    standing = [(one.table, *part) for one in stands if one.tile is None for part in one.parts]
    parts = standing + [(grove.seeds.table, grove.largest, grove.seeds.places) for grove in groves]
    chosen = [(plant, places) for table, plant, places in parts if table in subject.tables]
    if not chosen:
        raise SceneError("a frame holds at least one plant; this scene is empty. Add a stand.")
    if subject.number is not None:
        chosen = [_one_of(chosen, subject, name)]
    count = sum(len(places) for _, places in chosen)
    return np.concatenate([_in_world(plant, places, MOST // count) for plant, places in chosen])


def _one_of(parts: Sequence[tuple[Plant, Places]], subject: Subject, name: str) -> tuple[Plant, Places]:
    """The plant with a subject's number, counted from 1 through all parts."""
    left = (subject.number or 1) - 1
    for plant, places in parts:
        if left < len(places):
            return plant, places.some(slice(left, left + 1))
        left -= len(places)
    there = sum(len(places) for _, places in parts)
    raise SceneError(
        f"a frame names one of {there} plants by 1 to {there}; '{name}' names another. Choose one of them."
    )


def _in_world(plant: Plant, places: Places, most: int) -> FloatArray:
    points = outline(plant)
    with contextlib.suppress(QhullError):  # a sheet is flat and has no hull
        points = points[ConvexHull(points).vertices]
    if len(points) > most:
        corners = np.stack(np.meshgrid([0, 1], [0, 1], [0, 1], indexing="ij"), axis=-1).reshape(-1, 3)
        points = np.where(corners == 1, points.max(axis=0), points.min(axis=0))
    return places.to_world(points).reshape(-1, 3)


def outline(plant: Plant, posed: FloatArray | None = None) -> FloatArray:
    """Nodes and leaf tips (n, 3) of a plant in its own frame, m; `posed` are its nodes if it is not at rest."""
    nodes, leaves = plant.position if posed is None else posed[: plant.nodes], plant.leaves
    if not len(leaves):
        return nodes
    base, tip = nodes[np.maximum(plant.parent[leaves.node], 0)], nodes[leaves.node]
    foot = base + leaves.place[:, None] * (tip - base)
    reach = Rotation.from_quat(leaves.orientation.copy()).as_matrix()[:, :, 1] * leaves.size[:, None]
    return np.concatenate([nodes, foot + reach])
