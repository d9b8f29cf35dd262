"""Critical winds of every tree of a scene, by direction: where each stands behind the edge that the wind meets."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.errors import SceneError
from windflower.mechanics.modes import Modes
from windflower.motion.stand import Stand
from windflower.scene.canopy import canopy_of
from windflower.scene.scene import Scene
from windflower.wind.direction import wind_axes
from windflower.wind.forest import Forest, Ground
from windflower.windthrow.critical import DIRECTIONS, Tree, TreeRisk
from windflower.windthrow.exposure import INSIDE, WIDE, Exposure, gust_factor

__all__ = ["StandRisk", "stand_risk"]

COVERED = 0.6  # leaf area on each m² of ground from which on the wind is over a stand


@dataclass(frozen=True, eq=False, kw_only=True)
class StandRisk:
    """Critical winds of the trees of a scene, mean of an hour at 10 m over open country, m/s.

    direction   (n,) where the wind blows from, degrees
    name        (trees,) of the specimen
    position    (trees, 3) m
    breaks, overturns   (trees, n)
    distance    (trees, n) from the upwind edge, m; 0 for trees in the open
    in_stand    (trees, n) whether a tree has a stand about it
    specimens   the risk of each specimen, by its name, in the first tree's place
    """

    direction: FloatArray
    name: tuple[str, ...]
    position: FloatArray
    breaks: FloatArray
    overturns: FloatArray
    distance: FloatArray
    in_stand: NDArray[np.bool_]
    specimens: dict[str, TreeRisk]

    @property
    def critical(self) -> FloatArray:
        """(trees,) the lowest critical wind of each tree, from any direction."""
        return np.minimum(self.breaks, self.overturns).min(axis=1)


def stand_risk(scene: Scene, *, directions: int = DIRECTIONS) -> StandRisk:
    """Find the critical winds of every tree of a scene that has a stem."""
    where: FloatArray = np.linspace(0, 360, directions, endpoint=False)
    forest, closed = scene.forest, canopy_of(scene.settings, scene.forest) is not None
    edges = [_edges(forest, float(one)) for one in where] if closed else []
    rows: list[dict[str, FloatArray]] = []
    names: list[str] = []
    specimens: dict[str, TreeRisk] = {}
    for stand in scene.stands:
        modes = getattr(stand.motion, "modes", None)
        if not isinstance(modes, Modes) or len(modes.plant.roots) != 1 or modes.conditions.sheets:
            continue
        tree = Tree(modes.plant, wood=modes.wood, leaves=modes.conditions.leaves, gravity=modes.conditions.gravity)
        found, first = _of_stand(tree, stand, where, forest, edges)
        rows.append(found)
        names += [stand.name] * len(stand.places)
        specimens[stand.name] = first
    if not rows:
        raise SceneError(
            "a risk is that of trees that move by their modes; this scene has none. Give them modal motion."
        )
    joined = {key: np.concatenate([row[key] for row in rows]) for key in rows[0]}
    return StandRisk(
        direction=where,
        name=tuple(names),
        position=joined["position"],
        breaks=joined["breaks"],
        overturns=joined["overturns"],
        distance=joined["distance"],
        in_stand=joined["in_stand"] > 0,
        specimens=specimens,
    )


def _of_stand(
    tree: Tree, stand: Stand, where: FloatArray, forest: Forest, edges: list["_Edges"]
) -> tuple[dict[str, FloatArray], TreeRisk]:
    """Critical winds (trees, directions) of the trees of a stand, and the risk of the first."""
    places, count = stand.places, len(stand.places)
    shape = (count, len(where))
    distance, gap, inside = (np.zeros(shape) for _ in range(3))
    for column, edge in enumerate(edges):
        distance[:, column], gap[:, column], inside[:, column] = edge.at(places.position)
    own = (where[None] + np.degrees(places.yaw)[:, None]) % 360  # in the plant's frame
    h = forest.typical_height or tree.top
    spacing = float(np.sqrt(forest.closed_area / max(len(forest.height), 1))) or h
    among = Exposure(kind="inside", spacing=max(spacing, 0.2), height=h, leaf_area=_leaf_area(forest))
    factor = gust_factor(spacing / h, distance / h, gap / h)
    found = {}
    many = tree.risk(among, own.ravel(), factor.ravel()) if inside.any() else None
    alone = tree.risk(Exposure(), own.ravel()) if not inside.all() else None
    for name in ("breaks", "overturns"):
        parts = [getattr(one, name).reshape(shape) if one else np.zeros(shape) for one in (many, alone)]
        found[name] = np.where(inside > 0, *parts)
    first = tree.risk(among, own[0], factor[0]) if inside[0].all() else tree.risk(Exposure(), own[0])
    return {**found, "distance": distance, "in_stand": inside, "position": places.position}, first


def _leaf_area(forest: Forest) -> float:
    return min(max(forest.typical_leaf_area, 0.1), 20.0)


@dataclass(frozen=True, eq=False)
class _Edges:
    """Distance from the upwind edge and width of the gap before it, m, on a map along the wind; 0 in the open."""

    axes: FloatArray
    corner: tuple[float, float]
    step: float
    distance: FloatArray
    gap: FloatArray

    def at(self, position: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """(trees,) distance, gap, and 1 where a tree is in a stand."""
        cell: IntArray = np.rint((position @ self.axes.T - self.corner) / self.step).astype(np.int64)
        cell = np.clip(cell, 0, np.array(self.distance.shape) - 1)
        found = self.distance[cell[:, 0], cell[:, 1]]
        return np.maximum(found - self.step, 0.0), self.gap[cell[:, 0], cell[:, 1]], (found > 0).astype(float)


def _edges(forest: Forest, direction: float) -> _Edges:
    axes = wind_axes(direction)[:2]
    ground = Ground(forest, axes)
    covered = ground.leaf_area >= COVERED
    distance, gap = np.zeros(covered.shape), np.zeros(covered.shape)
    so_far, open_before = np.zeros(covered.shape[1]), np.full(covered.shape[1], WIDE * forest.typical_height)
    before = open_before.copy()
    for row, here in enumerate(covered):
        entered = here & (so_far == 0)
        before = np.where(entered, open_before, before)
        so_far = np.where(here, so_far + ground.step, 0.0)
        open_before = np.where(here, 0.0, open_before + ground.step)
        distance[row], gap[row] = np.minimum(so_far, 2 * INSIDE * ground.height[row]), before
    return _Edges(axes, ground.corner, ground.step, distance, gap)
