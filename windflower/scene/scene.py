"""From a scene file to a scene: plants, modes, places, wind, light, ground and camera, ready to be moved and drawn."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.motion.stand import Stand
from windflower.scene.bounds import Bounds
from windflower.scene.camera import Camera, camera_of
from windflower.scene.camera_table import OrbitCamera
from windflower.scene.foliage import APART, BEDS, foliage_of
from windflower.scene.ground import Ground, ground_of, land_of
from windflower.scene.layout import laid_out
from windflower.scene.scatter import Clear
from windflower.scene.settings import SceneSettings
from windflower.scene.stands import PlantCache, Progress, specimens_in, specimens_of, stands_of
from windflower.scene.sun import Sun
from windflower.scene.things import made_for
from windflower.scene.wind import wind_of
from windflower.wind import Wind

__all__ = ["Scene", "build", "low_way", "with_leaves"]

TALLEST = 30.0
"""An eye higher than this sees over trees, and they need not keep clear of it, m."""


@dataclass(frozen=True, eq=False)
class Scene:
    """What there is to see. Immutable; `build` makes it.

    settings  what it was built from
    stands    plants with their motions and places
    """

    settings: SceneSettings
    stands: tuple[Stand, ...]
    wind: Wind
    sun: Sun
    ground: Ground
    camera: Camera

    @property
    def title(self) -> str:
        """A line for people."""
        return self.settings.title

    @property
    def seed(self) -> int:
        """Of all that is random."""
        return self.settings.seed

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture, pixels."""
        return self.settings.size

    @property
    def fps(self) -> float:
        """Frames a second."""
        return self.settings.fps

    @property
    def seconds(self) -> float:
        """Length of a clip, s."""
        return self.settings.seconds

    @property
    def frames(self) -> int:
        """How many frames a clip has; at least one."""
        return max(1, round(self.seconds * self.fps))

    @property
    def trees(self) -> int:
        """How many there are."""
        return sum(len(stand) for stand in self.stands)

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
        """The time after which everything repeats, s, if all stands play loops; None otherwise."""
        periods = [stand.motion.period for stand in self.stands]
        loops = [period for period in periods if period is not None]
        return max(loops) if loops and len(loops) == len(periods) else None

    @cached_property
    def bounds(self) -> Bounds:
        """The space that the trees take up at rest."""
        return _bounds(self.stands)

    def __repr__(self) -> str:
        return f"<Scene {self.title!r}: {self.trees:,} trees in {len(self.stands)} stands, {self.nodes:,} nodes>"


def build(settings: SceneSettings, progress: Progress | None = None, *, plants: PlantCache | None = None) -> Scene:
    """Grow or read the plants of a scene, find their modes (kept on disk), and put everything in its place.

    progress  called with what is being done, how many steps are behind, and how many there are
    plants    where plants and modes are remembered from scene to scene
    """
    tell = progress or (lambda *_: None)
    steps = sum(map(specimens_in, settings.stands)) + 1
    wind = wind_of(settings.wind, seed=settings.seed)
    tables = [made_for(table, wind) for table in settings.stands]
    specimens = specimens_of(tables, tell, plants or PlantCache(), steps=steps)
    tell("placing the trees", steps - 1, steps)
    crowns = [max(specimen.plant.crown_width for specimen in some) for some in specimens]
    land = land_of(settings.ground, seed=settings.seed)
    trees = laid_out(settings.stands, crowns, seed=settings.seed, clear=_kept_clear(settings), terrain=land)
    stands = stands_of(
        settings.stands, specimens, trees, seed=settings.seed, wind=wind, seconds=settings.seconds, terrain=land
    )
    bounds = _bounds(stands)
    camera = camera_of(settings.camera, bounds, settings.seconds, settings.size[0] / settings.size[1], terrain=land)
    seen = np.concatenate([[bounds.low, bounds.high], camera.way(settings.seconds)])
    tell("ready", steps, steps)
    ground = ground_of(settings.ground, seen, seed=settings.seed)
    return with_leaves(Scene(settings, stands, wind, Sun(settings.sun), ground, camera), settings)


def with_leaves(scene: Scene, settings: SceneSettings) -> Scene:
    """The same scene with leaves as these settings of the same stands have them."""
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
    return replace(scene, settings=settings, stands=tuple(stands))


def _bounds(stands: Sequence[Stand]) -> Bounds:
    return Bounds.of(part for stand in stands for part in stand.parts)


def _kept_clear(settings: SceneSettings) -> list[Clear]:
    """Clearings, and the way of the eye where it is low."""
    clear = [Clear(np.array([clearing.centre]), clearing.radius) for clearing in settings.clearings]
    return [*clear, Clear(low_way(settings), settings.camera.clearing)]


def low_way(settings: SceneSettings) -> FloatArray:
    """(n, 2) x and z of the way of the eye, m, where it is low enough that trees keep clear of it."""
    way, land = _known_way(settings), land_of(settings.ground, seed=settings.seed)
    above = way[:, 1] if land is None else way[:, 1] - land.height(way[:, [0, 2]])
    return way[above < TALLEST][:, [0, 2]]


def _known_way(settings: SceneSettings) -> FloatArray:
    """(n, 3) where the eye passes, m; a camera that is fitted to the trees stays outside of them anyway."""
    camera = settings.camera
    if isinstance(camera, OrbitCamera) and (camera.target is None or camera.distance is None):
        return np.empty((0, 3))
    nothing = Bounds(np.zeros((1, 3)), *np.zeros((3, 1)))
    land = land_of(settings.ground, seed=settings.seed)
    return camera_of(camera, nothing, settings.seconds, 1.0, terrain=land).way(settings.seconds, moments=1001)
