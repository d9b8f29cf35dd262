"""Critical winds of every tree of a scene, by direction, in the air that moves it there.

Over and in a forest that is the wind of `wind.forest_profile`: at the edge that the wind meets it is open country's,
ten heights behind it the forest's own, slower and more turbulent. The largest gust of an hour is the mean wind and
three standard deviations of its eddies at each height. Where the air has adapted, trees bear the momentum that comes
down on the ground they have for themselves, times the wind tunnel's gust factor (see `exposure`): so much of what that
gust would do to them. The ground of a tree is its leaf area over that of the forest on each m².
"""

from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree

from windflower.core.arrays import FloatArray
from windflower.errors import SceneError
from windflower.mechanics.foliage import segment_area
from windflower.mechanics.modes import Modes
from windflower.motion.places import Places
from windflower.scene.canopy import canopy_of
from windflower.scene.scene import Scene
from windflower.wind.forest import Forest
from windflower.wind.forest_profile import ForestProfile, forest_profile
from windflower.wind.profile import Profile, WindProfile
from windflower.windthrow.critical import DIRECTIONS, Among, Tree
from windflower.windthrow.exposure import HOUR, INTENSITY, PEAK

__all__ = ["StandRisk", "stand_risk"]

NEIGHBOURS = 12  # of a tree, whose leaves tell how dense the forest is


@dataclass(frozen=True, eq=False, kw_only=True)
class StandRisk:
    """Critical winds of the trees of a scene, mean of an hour at 10 m over open country, m/s.

    direction   (n,) where the wind blows from, degrees
    name        (trees,) of the specimen
    position    (trees, 3) m
    breaks, overturns   (trees, n) at which each breaks and is overturned, m/s
    reaching    (trees, n) mean wind at the top of each tree, over that at 10 m in open country: low inside a stand
    """

    direction: FloatArray
    name: tuple[str, ...]
    position: FloatArray
    breaks: FloatArray
    overturns: FloatArray
    reaching: FloatArray

    @property
    def critical(self) -> FloatArray:
        """(trees,) the lowest critical wind of each tree, from any direction, m/s."""
        return np.minimum(self.breaks, self.overturns).min(axis=1)

    @property
    def terms(self) -> str:
        """What the speeds are: height, averaging time, edge or inside."""
        return (
            f"mean wind of {HOUR / 60:.0f} minutes at 10 m over open country; gusts are counted in, and each tree has "
            "the air of its place behind the edge that the wind meets"
        )


def stand_risk(scene: Scene, *, directions: int = DIRECTIONS) -> StandRisk:
    """Find the critical winds of every tree of a scene that has a stem and moves by its modes.

    scene       a scene of trees, from `build_scene`
    directions  number of wind directions
    """
    where: FloatArray = np.linspace(0, 360, directions, endpoint=False)
    airs = [_air(scene, float(one)) for one in where]
    leaf_area = _leaf_area(scene.forest)
    rows: list[tuple[FloatArray, ...]] = []
    names: list[str] = []
    for stand in scene.stands:
        modes = getattr(stand.motion, "modes", None)
        if not isinstance(modes, Modes) or len(modes.plant.roots) != 1 or modes.conditions.sheets:
            continue
        held = modes.conditions
        tree = Tree(modes.plant, wood=modes.wood, leaves=held.leaves, gravity=held.gravity)
        ground = float(segment_area(tree.plant).sum()) / leaf_area
        rows.append((stand.places.position, *_of_places(tree, stand.places, where, airs, ground)))
        names += [stand.name] * len(stand.places)
    if not rows:
        raise SceneError("a risk is that of trees that move by their modes; this scene has none. Give it modal motion.")
    position, breaks, overturns, reaching = (np.concatenate(part) for part in zip(*rows, strict=True))
    return StandRisk(
        direction=where, name=tuple(names), position=position, breaks=breaks, overturns=overturns, reaching=reaching
    )


def _leaf_area(forest: Forest) -> float:
    """Leaf area of a forest on each m² of ground: the median of that about its trees, so that edges do not count."""
    few = min(NEIGHBOURS, len(forest.position) - 1)
    if few < 1:
        return 1e-9
    apart, near = map(np.asarray, cKDTree(forest.position).query(forest.position, few + 1))
    leaves = forest.leaf_area[near[:, 1:]].sum(axis=1)
    return float(max(np.median(leaves / (np.pi * np.maximum(apart[:, -1], 1e-3) ** 2)), 1e-9))


def _air(scene: Scene, direction: float) -> WindProfile:
    """The wind over and in the scene's forest, from another direction; open country's where it has none."""
    law = scene.settings.wind.profile
    if canopy_of(scene.settings, scene.forest) is None:
        return Profile(**law.model_dump())
    return forest_profile(scene.forest, direction=direction, open_country=Profile(**law.model_dump()))


def _of_places(
    tree: Tree, places: Places, where: FloatArray, airs: list[WindProfile], ground: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """(trees, directions) winds that break and overturn trees of one kind, and what of the wind reaches their tops.

    A larger tree of the same shape has sections, roots and loads alike larger: only the wind at its height differs.

    ground  that a tree of scale 1 has for itself, m²
    """
    found = []
    for direction, air in zip(where, airs, strict=True):
        felt = _by_layer(air, tree, places)
        own = (direction + np.degrees(places.yaw)) % 360  # in the plant's frame
        found.append((*tree.winds(felt, own, _among(tree, places, air, ground)), air.mean(_above(places, tree.top))))
    breaks, overturns, reaching = (np.stack(part, axis=1) for part in zip(*found, strict=True))
    return breaks, overturns, reaching


def _among(tree: Tree, places: Places, air: WindProfile, ground: float) -> Among | None:
    """The forest about trees of one kind; None in open country."""
    if not isinstance(air, ForestProfile):
        return None
    deep = air.adapted()
    return Among(
        adaptation=air.adaptation(places.position),
        friction=air.friction(places.position),
        ground=ground,
        gust=_by_layer(deep, tree, places),
        at_top=deep.mean(_above(places, tree.top)),
    )


def _by_layer(air: WindProfile, tree: Tree, places: Places) -> FloatArray:
    """(trees, layers) speed of the largest gust in each layer of a tree, over the wind at 10 m in open country."""
    return np.stack([_felt(air, places, layer) for layer in tree.breaking.height], axis=1)


def _felt(air: WindProfile, places: Places, height: float) -> FloatArray:
    """(trees,) speed of the largest gust at a height of the plant, m, over the wind at 10 m in open country."""
    points = _above(places, height)
    return np.asarray(air.mean(points) + PEAK * INTENSITY * air.eddies(points)[:, 0])


def _above(places: Places, height: float) -> FloatArray:
    """(trees, 3) points above the feet of trees, on level ground, at a height of the plant itself, m."""
    points = places.position.copy()
    points[:, 1] = places.scale * height
    return points
