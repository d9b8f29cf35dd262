"""Builds a scene from its settings: plants, modes, places, wind, sun, ground and camera."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.budgets import fitting_memory, within
from windflower.errors import SceneError
from windflower.motion.hybrid.grove import Grove
from windflower.motion.leaves.foliage import STEPS
from windflower.motion.leaves.seasons import day_of
from windflower.motion.stand import Stand
from windflower.plant.graph import SHOWN
from windflower.scene.bounds import Bounds
from windflower.scene.camera import Camera, StillCamera, camera_of
from windflower.scene.camera_table import FramedCamera, OrbitCamera
from windflower.scene.canopy import canopy_of, circumstances_of, forest_of, wind_over
from windflower.scene.foliage import APART, BEDS, foliage_of
from windflower.scene.framing import fitted_view, subject_points
from windflower.scene.ground import Ground, ground_of, land_of
from windflower.scene.groves import tiles_in_view, with_tiles
from windflower.scene.layout import places_of, tree_positions
from windflower.scene.scatter import Clear
from windflower.scene.settings import SceneSettings
from windflower.scene.stands import (
    PlantCache,
    Progress,
    groves_of,
    specimens_in,
    specimens_of,
    stands_of,
    with_design_wind,
)
from windflower.scene.sun import Sun
from windflower.scene.terrain import Terrain
from windflower.scene.thinning import trees_in
from windflower.scene.wind import wind_of
from windflower.wind import Forest, Wind

__all__ = ["Scene", "build", "low_camera_path", "with_leaves"]

TALLEST = 30.0
"""Camera height above which trees are not kept clear of its path, m."""


@dataclass(frozen=True, eq=False)
class Scene:
    """A built scene: stands, wind, sun, ground and camera. Immutable; `build` makes it.

    settings  the settings that it was built from
    stands    plants with their motions and places; of groves, what is in view
    groves    trees that are seeds until they come into view: see `scene.groves.seen_from`
    forest    where the plants stand, with their heights and leaf areas
    wind      the wind over all of it
    sun       sun, clouds and haze
    ground    the ground
    camera    who looks
    """

    settings: SceneSettings
    stands: tuple[Stand, ...]
    forest: Forest
    wind: Wind
    sun: Sun
    ground: Ground
    camera: Camera
    groves: tuple[Grove, ...] = ()

    @property
    def title(self) -> str:
        """Title of the scene."""
        return self.settings.title

    @property
    def seed(self) -> int:
        """Seed of all random numbers."""
        return self.settings.seed

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture, pixels."""
        return self.settings.size

    @property
    def fps(self) -> float:
        """Frame rate of a clip, frames per second."""
        return self.settings.fps

    @property
    def seconds(self) -> float:
        """Length of a clip, s."""
        return self.settings.seconds

    @property
    def frames(self) -> int:
        """Frame count of a clip; at least one."""
        return max(1, round(self.seconds * self.fps))

    @property
    def trees(self) -> int:
        """Total number of trees, in view or not."""
        return sum(len(stand) for stand in self.stands if stand.tile is None) + sum(map(len, self.groves))

    @property
    def nodes(self) -> int:
        """Total node count."""
        return sum(stand.nodes for stand in self.stands)

    @property
    def modes(self) -> int:
        """Total number of simulated modes."""
        return sum(len(stand) * stand.motion.mode_count for stand in self.stands)

    @property
    def period(self) -> float | None:
        """Common period of all stands, s, if all play loops; None otherwise."""
        periods = [stand.motion.period for stand in self.stands]
        loops = [period for period in periods if period is not None]
        return max(loops) if loops and len(loops) == len(periods) else None

    @cached_property
    def bounds(self) -> Bounds:
        """Bounding cylinders of all trees at rest."""
        return _bounds(self.stands, self.groves)

    def show(self, *, height: int = 480) -> Any:
        """Show the scene in live wind in a notebook: make it the last line of a cell. See `windflower.show`.

        height  of the picture, pixels
        """
        return SHOWN["page"](self, height=height)

    def with_stands(self, stands: tuple[Stand, ...]) -> "Scene":
        """The scene with other stands."""
        return replace(self, stands=stands)

    def in_leaf(self, stand: Stand) -> Stand:
        """A stand with the season, flutter and shedding of the scene."""
        return with_leaves(replace(self, stands=(stand,)), self.settings).stands[0]

    def __repr__(self) -> str:
        return f"<Scene {self.title!r}: trees={self.trees}, stands={len(self.stands)}, nodes={self.nodes}>"


def build(settings: SceneSettings, progress: Progress | None = None, *, plants: PlantCache | None = None) -> Scene:
    """Build a scene: grow or read its plants, find their modes (cached on disk), and place everything.

    settings  what a scene file says, from `read_scene` or `parse_scene`
    progress  called with what is being done, the number of steps done, and the number of steps
    plants    cache of plants and modes, to share between scenes
    """
    with fitting_memory("this scene", "Lower the number or the detail of its plants", error=SceneError):
        return _built(settings, progress or (lambda *_: None), plants or PlantCache())


def _built(settings: SceneSettings, tell: Progress, plants: PlantCache) -> Scene:
    _ask_budgets(settings)
    steps = sum(map(specimens_in, settings.stands)) + 1
    open_wind = wind_of(settings.wind, seed=settings.seed)
    tables = [with_design_wind(table, open_wind) for table in settings.stands]
    specimens = specimens_of(tables, tell, plants, steps=steps)
    tell("placing the trees", steps - 1, steps)
    crowns = [max(specimen.plant.crown_width for specimen in some) for some in specimens]
    seed = settings.seed
    land = land_of(settings.ground, seed=seed)
    trees = tree_positions(settings.stands, crowns, seed=seed, clear=_kept_clear(settings), terrain=land)
    places = [
        places_of(table, where, seed=seed, stand=index, terrain=land)
        for index, (table, where) in enumerate(zip(settings.stands, trees, strict=True))
    ]
    forest = forest_of(([one.plant for one in some], where) for some, where in zip(specimens, places, strict=True))
    around = [circumstances_of(settings, canopy_of(settings, forest), where) for where in places]
    stands = stands_of(settings.stands, specimens, places, around)
    groves = groves_of(settings.stands, specimens, places)
    bounds = _bounds(stands, groves)
    camera = _camera(settings, stands, groves, bounds, land)
    seen = np.concatenate([[bounds.low, bounds.high], camera.positions(settings.seconds)])
    ground = ground_of(settings.ground, seen, seed=settings.seed, day=_day_of(settings))
    wind = wind_over(settings, forest)
    scene = with_leaves(Scene(settings, stands, forest, wind, Sun(settings.sun), ground, camera, groves), settings)
    scene = _planted(scene, tell)
    tell("ready", steps, steps)
    return scene


def _planted(scene: Scene, tell: Progress) -> Scene:
    """The scene with the trees that are shown already, or else with those of its first view."""
    alive = [(number, tile) for number, grove in enumerate(scene.groves) for tile in grove.alive]
    tiles = alive or tiles_in_view(scene, scene.camera.view(0.0), scene.size[0] / scene.size[1])
    _ask_specimens(scene.settings, sum(len(scene.groves[number].tiles[tile]) for number, tile in tiles))
    for count, (number, _) in enumerate(tiles):
        tell(f"growing {scene.groves[number].seeds.name}", count, len(tiles))
        scene = with_tiles(scene, tiles[: count + 1])
        total = sum(tree.nodes + len(tree.leaves) for stand in scene.stands for tree in stand.trees)
        within("parts", total, "Lower their number, their detail or their reach", error=SceneError)
    return scene


def _ask_budgets(settings: SceneSettings) -> None:
    """Refuse a scene that would take too much, before anything is grown."""
    width, height = settings.size
    within("instances", trees_in(settings), "Lower count, or raise the spacing of rows", error=SceneError)
    _ask_specimens(settings)
    within("pixels", width * height, "Lower size", error=SceneError)


def _ask_specimens(settings: SceneSettings, in_view: int = 0) -> None:
    """Refuse too many different plants, those of groves that are in view among them; the others are only seeds."""
    plants = in_view + sum(map(specimens_in, settings.stands))
    remedy = "Lower specimens, or the count or reach of stands with hybrid motion"
    within("specimens", plants, remedy, error=SceneError)


def with_leaves(scene: Scene, settings: SceneSettings) -> Scene:
    """The same scene with the season, flutter and shedding of these settings, which have the same stands."""
    foliage = partial(
        foliage_of,
        season=settings.season,
        terrain=scene.ground.terrain,
        bed=BEDS.get(settings.ground.kind, 0.0),
    )
    stands = []
    for number, stand in enumerate(scene.stands):
        table = settings.stands[stand.table]
        mine = foliage(stand.plant, flutter=table.flutter, shedding=table.shedding, seed=settings.seed + APART * number)
        stands.append(replace(stand, foliage=mine))
        if mine.shedding is not None:
            stand.motion.with_leaves(1 - 1 / STEPS)  # so that the bare plant is analysed now, and not while it runs
    ground = scene.ground if scene.ground.day == _day_of(settings) else replace(scene.ground, day=_day_of(settings))
    return replace(scene, settings=settings, stands=tuple(stands), ground=ground)


def _day_of(settings: SceneSettings) -> float | None:
    """Day of the year of a scene; with leaves that fall and no season it is autumn, and else None."""
    shedding = any(table.shedding is not None for table in settings.stands)
    when = "autumn" if settings.season is None and shedding else settings.season
    return None if when is None else day_of(when)


def _camera(
    settings: SceneSettings, stands: Sequence[Stand], groves: Sequence[Grove], bounds: Bounds, land: Terrain | None
) -> Camera:
    """The camera, fitted to what it shows if its table does not say where it is."""
    own, aspect = settings.camera, settings.size[0] / settings.size[1]
    if not isinstance(own, FramedCamera):
        return camera_of(own, bounds, settings.seconds, aspect, terrain=land)
    points = subject_points(own.subject, settings.stands, stands, groves)
    sight = {"azimuth": own.azimuth, "elevation": own.elevation, "margin": own.margin}
    return StillCamera(fitted_view(points, own, **sight, aspect=aspect, land=land))


def _bounds(stands: Sequence[Stand], groves: Sequence[Grove]) -> Bounds:
    standing = (part for stand in stands if stand.tile is None for part in stand.parts)
    return Bounds.of([*standing, *((grove.largest, grove.seeds.places) for grove in groves)])


def _kept_clear(settings: SceneSettings) -> list[Clear]:
    """Discs without trees: clearings, and the camera's path where it is low."""
    clear = [Clear(np.array([clearing.centre]), clearing.radius) for clearing in settings.clearings]
    return [*clear, Clear(low_camera_path(settings), settings.camera.clearing)]


def low_camera_path(settings: SceneSettings) -> FloatArray:
    """Points x and z (n, 2) of the camera's path, m, where it is low enough that trees keep clear of it."""
    path, land = _camera_path(settings), land_of(settings.ground, seed=settings.seed)
    above = path[:, 1] if land is None else path[:, 1] - land.height(path[:, [0, 2]])
    return path[above < TALLEST][:, [0, 2]]


def _camera_path(settings: SceneSettings) -> FloatArray:
    """Points (n, 3) of the camera's path, m; none for a camera that is fitted to the trees and stays outside them."""
    camera = settings.camera
    fitted = isinstance(camera, OrbitCamera) and (camera.target is None or camera.distance is None)
    if fitted or isinstance(camera, FramedCamera):
        return np.empty((0, 3))
    nothing = Bounds(np.zeros((1, 3)), *np.zeros((3, 1)))
    land = land_of(settings.ground, seed=settings.seed)
    return camera_of(camera, nothing, settings.seconds, 1.0, terrain=land).positions(settings.seconds, moments=1001)
