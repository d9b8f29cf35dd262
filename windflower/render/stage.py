"""A scene on the device: its plants at all levels of detail, moving, and what of them a frame shows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.device import Gpu
from windflower.geometry.culling import reach_of_shadows
from windflower.geometry.lod import (
    CARD_NODES,
    CARD_TRIANGLES,
    FINEST,
    Candidates,
    Choice,
    Controller,
    choose,
    fitting_factor,
)
from windflower.motion.hybrid.pushing import Capsule
from windflower.motion.touch import Touch
from windflower.render.drawn import Block, DrawnMesh
from windflower.render.hybrid_mover import HybridMover
from windflower.render.impostors import DrawnImpostors
from windflower.render.pipelines import Layouts
from windflower.render.stand_on_stage import Now, StandOnStage
from windflower.render.surfaces import DrawnSurface
from windflower.scene import BlockStand, Scene, Stand
from windflower.wind.slabs import WindSlabs, grid_around

__all__ = ["Drawn", "Stage"]

MANY = 200  # trees that feel the wind from a grid …
WIND_POINTS, WIND_INTERVAL = 6000, 0.2  # … of so many points, anew after so many seconds


@dataclass(frozen=True, eq=False)
class Drawn:
    """What a frame draws: meshes and sheets with their blocks of instances, and the counts that people want to see.

    loose   leaves that have come off
    choice  the levels, by which another frame may be drawn
    """

    blocks: list[tuple[DrawnMesh, Block]]
    surfaces: list[tuple[DrawnSurface, Block]]
    loose: list[tuple[DrawnMesh, Block]]
    impostors: list[tuple[DrawnImpostors, Block]]
    choice: Choice
    trees: int
    nodes: int
    triangles: int
    factor: float
    middle: FloatArray
    radius: float
    height: float


class Stage:
    """All stands of a scene under one wind, stepped with a fixed step that no frame rate changes."""

    def __init__(self, gpu: Gpu, layouts: Layouts, scene: Scene, *, start: float = 0.0, step: float = 1 / 60) -> None:
        self.gpu, self.wind, self.time, self.dt = gpu, scene.wind, start, step
        self.controller, self._layouts = Controller(), layouts
        self.slabs = _slabs(gpu, scene)
        self.stands = [self.on_stage(stand) for stand in scene.stands]

    def on_stage(self, stand: Stand) -> StandOnStage:
        """A stand as it is at this moment."""
        return StandOnStage(self.gpu, self._layouts, stand, Now(self.wind, self.time, self.dt, self.slabs))

    @property
    def hybrids(self) -> list[HybridMover]:
        """What moves the blocks of different trees."""
        return [stand.mover for stand in self.stands if isinstance(stand.mover, HybridMover)]

    def advance(self, until: float, touch: Mapping[int, Touch] | None = None, figure: Capsule | None = None) -> None:
        """Take whole steps until this time, s.

        touch   hands on stands, by their number
        figure  who walks through, and pushes branches of different trees aside
        """
        for mover in self.hybrids:
            mover.figure = figure
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
        reach = reach_of_shadows(tallest, sun)
        known = FINEST if alone or self.controller.factor is None else self.controller.factor
        largest = levels.factor if levels else known
        candidates = [stand.candidates(eye, projection, pixel, reach, largest) for stand in self.stands]
        choice = levels or self._choice(candidates, eye, pixel, budget, alone=alone)
        encoder = self.gpu.device.create_command_encoder()
        stands = list(zip(self.stands, choice.levels, strict=True))
        posed = [(stand, level, block) for stand, shown in stands for level, block in stand.blocks(shown, encoder)]
        posed.sort(key=lambda one: one[1])  # the finer, the nearer
        far = [stand for stand, has in zip(self.stands, choice.cards, strict=True) if has]
        impostors = [card for stand in far for card in stand.cards(choice, encoder)]
        self.gpu.queue.submit([encoder.finish()])
        middle, radius = self._bounds(eye, projection, reach)
        counts = [(stand, np.array([len(one.instance) for one in shown])) for stand, shown in stands]
        cards = sum(len(stand.places) for stand in far)
        loose = [leaves for stand in self.stands for leaves in stand.loose()]
        fallen = sum(2 * mesh.leaf_count * block.count for mesh, block in loose)
        return Drawn(
            blocks=[(stand.meshes[level], block) for stand, level, block in posed],
            surfaces=[(surface, block) for stand, level, block in posed for surface in stand.surfaces[level]],
            loose=loose,
            impostors=impostors,
            choice=choice,
            trees=sum(len(item.instance) + item.far for item in candidates),
            nodes=int(sum(count @ stand.nodes for stand, count in counts)) + CARD_NODES * cards,
            triangles=int(sum(count @ stand.triangles for stand, count in counts)) + CARD_TRIANGLES * cards + fallen,
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

    def _bounds(self, eye: FloatArray, projection: FloatArray, reach: float) -> tuple[FloatArray, float]:
        """A ball around the plants near enough to show their shadows."""
        balls = [stand.crowd.near(eye, projection, reach) for stand in self.stands]
        near = np.concatenate(balls) if balls else np.zeros((0, 4))
        if len(near) == 0:
            return np.array([eye[0], 0.0, eye[2]]), 30.0
        middle = (near[:, :3].min(axis=0) + near[:, :3].max(axis=0)) / 2
        radius = float((np.linalg.norm(near[:, :3] - middle, axis=1) + near[:, 3]).max())
        # Steps of a tenth keep the shadow's grid still while the eye moves a little.
        return middle, float(1.1 ** np.ceil(np.log(radius * 1.3) / np.log(1.1)))


def _slabs(gpu: Gpu, scene: Scene) -> WindSlabs | None:
    """The wind on a grid, where so many trees stand that it would take too long to ask for it at each."""
    many = [stand for stand in scene.stands if not isinstance(stand, BlockStand)]
    if sum(map(len, many)) < MANY:
        return None
    probes = [stand.probes.reshape(-1, 3) for stand in many]
    box, shape = grid_around(np.concatenate(probes), most=WIND_POINTS)
    return WindSlabs(gpu, scene.wind, box, shape, interval=WIND_INTERVAL)
