"""A scene on the device: its plants at all levels of detail, moving, and what of them a frame shows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from windflower.errors import SpeciesError
from windflower.gpu.device import Gpu
from windflower.gpu.levels import Posed
from windflower.gpu.modal import GpuModal
from windflower.gpu.slabs import WindSlabs, grid_around
from windflower.gpu.spectral import GpuLoop
from windflower.motion.details import crown_detail, detail_of
from windflower.motion.touch import Touch
from windflower.plant.graph import FloatArray, IntArray, Plant
from windflower.plant.growth.randomness import draw
from windflower.plant.species import Species, species_of
from windflower.render.choice import Candidates, Choice, Controller, Shown, beyond, choose, fitting_factor
from windflower.render.drawn import INSTANCE, Block, DrawnMesh, flutter_of
from windflower.render.impostors import NODES, TRIANGLES, DrawnImpostors
from windflower.render.mesh import Mesh, mesh_of
from windflower.render.pipelines import Layouts
from windflower.render.portraits import Portraits, portraits_of
from windflower.scene import Scene, Stand
from windflower.scene.levels import Level, levels_of
from windflower.wind import Wind

__all__ = ["Drawn", "Paint", "Stage", "StandOnStage", "dressed"]

FARTHEST_SHADOW = 160.0  # m
TOGETHER = 60  # steps that are submitted at once
MANY = 200  # trees that feel the wind from a grid …
WIND_POINTS, WIND_INTERVAL = 6000, 0.2  # … of so many points, anew after so many seconds
CARD = 64.0  # pixels up to which a plant is a card
CROWN_MODES = 12  # that move such a card
SITTER = 1  # the level that sits for a plant's portraits
UNSEEN = 0.2  # how much smaller a plant is taken for when only its shadow may be seen


@dataclass(frozen=True, eq=False)
class Drawn:
    """What a frame draws: meshes with their blocks of instances, and the counts that people want to see.

    choice  the levels, by which another frame may be drawn
    """

    blocks: list[tuple[DrawnMesh, Block]]
    impostors: list[tuple[DrawnImpostors, Block]]
    choice: Choice
    trees: int
    nodes: int
    triangles: int
    factor: float
    middle: FloatArray
    radius: float
    height: float


class Paint(NamedTuple):
    """Colours in place of the natural ones: 0 none, 1 by strain up to `scale`, 2 by level of detail (paint.wgsl)."""

    kind: int = 0
    scale: float = 0.0


class Dressed(NamedTuple):
    """All of a plant that is drawn and does not need a device: its species, its levels and their meshes."""

    species: Species | None
    levels: tuple[Level, ...]
    meshes: tuple[Mesh, ...]


@lru_cache(maxsize=64)
def dressed(plant: Plant) -> Dressed:
    """Prepare a plant for drawing. Found once for a plant, so that a thread may do it before a frame needs it."""
    levels, species = levels_of(plant), _species(plant)
    flare = species.girth.flare if species else 0.7
    meshes = tuple(mesh_of(level.plant, sides=level.sides, rings=level.rings, flare=flare) for level in levels)
    return Dressed(species, levels, meshes)


class StandOnStage:
    """One stand: its meshes at each level, and its poses.

    finest  instances that are drawn in full detail wherever they are
    paint   how it is coloured
    """

    def __init__(
        self,
        gpu: Gpu,
        layouts: Layouts,
        stand: Stand,
        air: FloatArray,
        dt: float,
        slabs: WindSlabs | None = None,
    ) -> None:
        motion, places = stand.motion, stand.places
        self.gpu, self.layouts, self.motion, self.places = gpu, layouts, motion, places
        species, levels, meshes = dressed(motion.plant)
        self.stand, self.finest, self.paint, self.slabs = stand, np.zeros(0, np.int64), Paint(), slabs
        self.meshes = [DrawnMesh(gpu, layouts, mesh, species) for mesh in meshes]
        details = [
            detail_of(motion.modes, level.plant, level.node, keep=level.modes, pose=motion.pose_name)
            for level in levels
        ]
        self._crown = crown_detail(motion.modes, keep=CROWN_MODES)
        details.append(self._crown)
        self.poses = GpuModal(gpu, motion, places, dt=dt, levels=details, wind=slabs)
        self.poses.write_state(motion.settled(places, air))
        self.loop = GpuLoop(gpu, stand.loop, places, levels=details) if stand.loop else None
        self.up_to = np.array([*(level.height for level in levels), CARD])
        self.triangles = np.array([mesh.triangles for mesh in self.meshes])
        self.nodes = np.array([mesh.mesh.nodes for mesh in self.meshes])
        self._random = draw(601, np.arange(len(places)))
        self._cards: DrawnImpostors | None = None
        self._measure()

    def retune(self, stand: Stand, dt: float) -> None:
        """Go on from where it is with other damping, as many places, or another step; the plant stays."""
        self.stand, self.motion, self.places = stand, stand.motion, stand.places
        self.poses.retune(stand.motion, stand.places, dt)
        self._measure()

    def _measure(self) -> None:
        middle, radius = _ball(self.motion.plant)
        self.centre, self.radius = self.places.to_world(middle[None])[:, 0], radius * self.places.scale
        self.height = self.motion.plant.height * self.places.scale

    def candidates(self, eye: FloatArray, projection: FloatArray, pixel: float, reach: float) -> Candidates:
        """The instances in view, and, more coarsely, those near enough to it to cast a shadow into it."""
        outside = beyond(self.centre, self.radius, projection)
        near = np.flatnonzero(outside <= reach)
        distance = np.maximum(np.linalg.norm(self.centre[near] - eye, axis=1) - self.radius[near] / 2, 0.5)
        pixels = self.height[near] / (pixel * distance)
        pixels[np.isin(near, self.finest)] = np.inf
        # The farther outside, the coarser: what comes into view changes before it is seen.
        relief = UNSEEN + (1 - UNSEEN) * np.exp2(-2 * outside[near] / self.radius[near])
        return Candidates(
            near, pixels, relief, self.up_to, np.array([*(self.triangles + self.nodes), TRIANGLES + NODES])
        )

    def blocks(self, levels: Sequence[Shown], encoder: Any) -> list[tuple[DrawnMesh, Block]]:
        """Have the chosen instances of each level posed by an encoder."""
        drawn = []
        for level, shown in enumerate(levels):
            if len(shown.instance):
                fade = np.zeros(len(self.places))
                fade[shown.instance] = shown.fade
                for points, part in self._posed(level, shown.instance, encoder):
                    records = self._records(part, level, fade[part])
                    air = (self.loop or self.poses).air
                    drawn.append((self.meshes[level], Block.make(self.gpu, self.layouts, points, air, records)))
        return drawn

    def cards(self, choice: Choice, encoder: Any) -> list[tuple[DrawnImpostors, Block]]:
        """Have the crowns of all instances posed, for those that are far away."""
        self._cards = self._cards or self._new_cards()
        self._cards.judge(choice.eye, choice.pixel, choice.factor)
        drawn = []
        for points, part in self._posed(len(self.meshes), np.arange(len(self.places)), encoder):
            records = self._records(part, len(self.meshes), np.ones(len(part)))
            air = (self.loop or self.poses).air
            drawn.append((self._cards, Block.make(self.gpu, self.layouts, points, air, records)))
        return drawn

    def _new_cards(self) -> DrawnImpostors:
        plant = self.motion.plant
        _, radius = _ball(plant)
        return DrawnImpostors(
            self.gpu,
            self.layouts,
            plant,
            _portraits(self.gpu, self.layouts, plant),
            crown=self._crown.plant.position[1],
            nearer=radius / 2,
            up_to=CARD,
            flutter=flutter_of(dressed(plant).species),
        )

    def _posed(self, level: int, instances: IntArray, encoder: Any) -> list[Posed]:
        if self.loop:
            return self.loop.pose(level, instances, encoder=encoder)
        return self.poses.pose(level, instances, encoder=encoder, strain=self.paint.kind == 1)

    def advance(self, wind: Wind, times: FloatArray, touch: Touch | None) -> None:
        """Take a step to each of these times; a loop goes straight to the last."""
        if self.loop:
            self.loop.seek(float(times[-1]))
            return
        if self.slabs:
            self.poses.step(len(times), touch=touch)
            return
        probes = self.motion.probes(self.places)
        for some in np.split(times, range(TOGETHER, len(times), TOGETHER)):
            self.poses.step_under(np.stack([wind.velocity(probes, t) for t in some]), touch=touch)

    def _records(self, slots: IntArray, level: int, fade: FloatArray) -> NDArray[np.void]:
        places, records = self.places, np.zeros(len(slots), INSTANCE)
        records["place"] = np.column_stack([places.position[slots], places.scale[slots]])
        yaw = places.yaw[slots]
        records["turn"] = np.column_stack([np.cos(yaw), np.sin(yaw), self._random[slots], fade])
        records["id"][:, 0] = slots
        records["id"][:, 1] = self.paint.kind
        records["id"][:, 2] = level if self.paint.kind == 2 else np.array(self.paint.scale, "<f4").view("<u4")
        return records


class Stage:
    """All stands of a scene under one wind, stepped with a fixed step that no frame rate changes."""

    def __init__(self, gpu: Gpu, layouts: Layouts, scene: Scene, *, start: float = 0.0, step: float = 1 / 60) -> None:
        self.gpu, self.wind, self.time, self.dt = gpu, scene.wind, start, step
        self.controller, self._layouts = Controller(), layouts
        self.slabs = _slabs(gpu, scene)
        self.stands = [self.on_stage(stand) for stand in scene.stands]

    def on_stage(self, stand: Stand) -> StandOnStage:
        """A stand as it is at this moment."""
        air = self.wind.velocity(stand.motion.probes(stand.places), self.time)
        placed = StandOnStage(self.gpu, self._layouts, stand, air, self.dt, self.slabs)
        placed.poses.rewind(self.time)
        return placed

    def advance(self, until: float, touch: Mapping[int, Touch] | None = None) -> None:
        """Take whole steps until this time, s; `touch` are hands on stands, by their number."""
        count = max(0, round((until - self.time) / self.dt))
        times: FloatArray = self.time + self.dt * np.arange(1.0, count + 1)
        self.time += count * self.dt
        if self.slabs:
            self.slabs.blow(self.wind)
        for number, stand in enumerate(self.stands):
            if count:
                stand.advance(self.wind, times, (touch or {}).get(number))

    def frame(
        self,
        eye: FloatArray,
        projection: FloatArray,
        pixel: float,
        sun: FloatArray,
        budget: int,
        *,
        alone: bool = False,
        levels: Choice | None = None,
    ) -> Drawn:
        """Choose, pose and gather what is seen.

        pixel   height of a pixel at distance 1
        budget  triangles and nodes that the frame should have at most; each frame learns from the one before
        alone   do not learn from the frame before, so that any frame can be drawn again
        levels  of another frame, instead of its own
        """
        tallest = max((float(stand.height.max()) for stand in self.stands), default=1.0)
        reach = min(tallest / max(float(sun[1]), 0.15), 4 * tallest)
        candidates = [stand.candidates(eye, projection, pixel, reach) for stand in self.stands]
        choice = levels or self._choice(candidates, eye, pixel, budget, alone=alone)
        encoder = self.gpu.device.create_command_encoder()
        stands = list(zip(self.stands, choice.levels, strict=True))
        blocks = [block for stand, shown in stands for block in stand.blocks(shown, encoder)]
        far = [stand for stand, has in zip(self.stands, choice.cards, strict=True) if has]
        impostors = [card for stand in far for card in stand.cards(choice, encoder)]
        self.gpu.queue.submit([encoder.finish()])
        middle, radius = self._bounds(candidates, eye)
        counts = [(stand, np.array([len(one.instance) for one in shown])) for stand, shown in stands]
        cards = sum(len(stand.places) for stand in far)
        return Drawn(
            blocks=blocks,
            impostors=impostors,
            choice=choice,
            trees=sum(len(item.instance) for item in candidates),
            nodes=int(sum(count @ stand.nodes for stand, count in counts)) + NODES * cards,
            triangles=int(sum(count @ stand.triangles for stand, count in counts)) + TRIANGLES * cards,
            factor=choice.factor,
            middle=middle,
            radius=radius,
            height=2 * tallest,
        )

    def _choice(
        self, candidates: Sequence[Candidates], eye: FloatArray, pixel: float, budget: int, *, alone: bool
    ) -> Choice:
        known = None if alone else self.controller.factor
        factor = fitting_factor(candidates, budget) if known is None else known
        choice = choose(candidates, factor, eye=eye, pixel=pixel)
        if not alone:
            self.controller.learn(choice, budget)
        return choice

    def _bounds(self, candidates: Sequence[Candidates], eye: FloatArray) -> tuple[FloatArray, float]:
        """A ball around the plants near enough to show their shadows."""
        balls = [
            np.column_stack([stand.centre[item.instance], stand.radius[item.instance]])
            for stand, item in zip(self.stands, candidates, strict=True)
        ]
        near = np.concatenate(balls) if balls else np.zeros((0, 4))
        near = near[np.linalg.norm(near[:, :3] - eye, axis=1) < FARTHEST_SHADOW]
        if len(near) == 0:
            return np.array([eye[0], 0.0, eye[2]]), 30.0
        middle = (near[:, :3].min(axis=0) + near[:, :3].max(axis=0)) / 2
        radius = float((np.linalg.norm(near[:, :3] - middle, axis=1) + near[:, 3]).max())
        # Steps of a tenth keep the shadow's grid still while the eye moves a little.
        return middle, float(1.1 ** np.ceil(np.log(radius * 1.3) / np.log(1.1)))


def _slabs(gpu: Gpu, scene: Scene) -> WindSlabs | None:
    """The wind on a grid, where so many trees stand that it would take too long to ask for it at each."""
    if scene.trees < MANY:
        return None
    probes = [stand.motion.probes(stand.places).reshape(-1, 3) for stand in scene.stands]
    box, shape = grid_around(np.concatenate(probes), most=WIND_POINTS)
    return WindSlabs(gpu, scene.wind, box, shape, interval=WIND_INTERVAL)


def _species(plant: Plant) -> Species | None:
    try:
        return species_of(plant.species)
    except SpeciesError:
        return None


def _ball(plant: Plant) -> tuple[FloatArray, float]:
    """Middle (3,) and radius, m, of a ball that contains a plant and a generous sway."""
    middle = (plant.position.min(axis=0) + plant.position.max(axis=0)) / 2
    return middle, 1.25 * float(np.linalg.norm(plant.position - middle, axis=1).max())


@lru_cache(maxsize=32)
def _portraits(gpu: Gpu, layouts: Layouts, plant: Plant) -> Portraits:
    """Painted once for a plant, from a level that is fine enough."""
    species, levels, meshes = dressed(plant)
    number = min(SITTER, len(levels) - 1)
    mesh = DrawnMesh(gpu, layouts, meshes[number], species)
    middle, radius = _ball(plant)
    return portraits_of(gpu, layouts, levels[number].plant, mesh, middle=middle, radius=radius / 1.1)
