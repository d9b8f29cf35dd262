"""A stand on the device: its meshes, sheets, cards and loose leaves at all levels of detail, and what moves it."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.device import Gpu
from windflower.core.randomness import draw
from windflower.geometry.culling import CARD, NEARER, Crowd, ball_about
from windflower.geometry.lod import Candidates, Choice, Shown
from windflower.geometry.lod_meshes import Dressed, dressed, dressed_stand
from windflower.motion import BroadleafMotion, LeafMotion, Places, Season
from windflower.motion.poses.posed_levels import Posed
from windflower.motion.touch import Touch
from windflower.plant.graph import Plant
from windflower.render.blades import blades_drawn
from windflower.render.drawn import INSTANCE, Bark, Block, DrawnMesh, Records
from windflower.render.drawn_trees import DrawnTrees
from windflower.render.falling import FallingLeaves
from windflower.render.hybrid_mover import HybridMover
from windflower.render.impostors import DrawnImpostors
from windflower.render.movers import Beginning, mover_of
from windflower.render.pipelines import Layouts
from windflower.render.portraits import Portraits, portraits_of
from windflower.render.surfaces import DrawnSurface
from windflower.render.things import finish_of, sheets_drawn
from windflower.scene import BlockStand, Stand
from windflower.scene.foliage import Foliage
from windflower.wind import Wind
from windflower.wind.slabs import WindSlabs

__all__ = ["Now", "Paint", "StandOnStage"]

SITTER = 2  # the level that sits for a plant's portraits
HANGING, FALLEN = 1, 2  # which leaves of a plant that sheds are shown, as in deform.wgsl
STRAIN, KINDS = 1, 3  # as in paint.wgsl: modes tell strain, and blocks what moves a branch
LEAFY = 1.14  # radius of what a portrait shows over that of the wood: room for leaves
STIR = 25.0  # m that the eye moves before far plants are put in order anew: cards are hundreds of metres away


class Now(NamedTuple):
    """When a stand comes on stage: the wind, the time and the step, s, and the wind on a grid where many stand."""

    wind: Wind
    time: float
    dt: float
    slabs: WindSlabs | None


class Paint(NamedTuple):
    """Colours in place of the natural ones (paint.wgsl).

    kind  0 none, 1 by strain up to `scale`, 2 by level of detail, 3 by what moves a branch
    """

    kind: int = 0
    scale: float = 0.0


class StandOnStage:
    """One stand: its meshes and sheets at each level, and what moves it.

    finest  instances that are drawn in full detail wherever they are
    paint   how it is coloured
    """

    def __init__(self, gpu: Gpu, layouts: Layouts, stand: Stand, now: Now) -> None:
        self.gpu, self.layouts, self.stand, self.places = gpu, layouts, stand, stand.places
        dress, finish = dressed_stand(stand), finish_of(stand.name) if stand.sheets else None
        levels = dress.levels
        self.finest, self.paint = np.zeros(0, np.int64), Paint()
        self._is_block = isinstance(stand, BlockStand)
        self.falling: FallingLeaves | None = None
        self.meshes = _drawn_meshes(gpu, layouts, dress, finish and finish.bark)
        self.surfaces: list[tuple[DrawnSurface, ...]] = [() for _ in levels]
        self._dress_blades()
        if finish:
            self.surfaces = [(sheets_drawn(gpu, layouts, stand.sheets, stand.plant.nodes, finish.sheets),)]
        self._wind, self._felt, self._time = now.wind, stand.feels(now.wind), now.time
        slabs = now.slabs if self._felt is self._wind else None  # which know the wind of all
        self.mover = mover_of(gpu, stand, Beginning(levels, self._felt, now.time, now.dt, slabs))
        self._dress()
        sheets = [sum(surface.triangles for surface in some) for some in self.surfaces]
        self.triangles, self.nodes = dress.triangles + sheets, dress.nodes
        self._random, self._everyone = draw(601, np.arange(len(stand))), np.arange(len(stand))
        self._rooms = [[Records(gpu, layouts)] for _ in levels]
        self._measure()

    def retune(self, stand: Stand, dt: float) -> None:
        """Go on from where it is as a stand that fits its mover, or with another step."""
        self.stand, self.places = stand, stand.places
        self.mover.retune(stand, dt)
        self._dress_blades()
        self._dress()
        self._measure()

    def advance(self, wind: Wind, times: FloatArray, touch: Touch | None) -> None:
        """Take a step to each of these times, s."""
        if wind is not self._wind:
            self._wind, self._felt = wind, self.stand.feels(wind)
        self.mover.advance(self._felt, times, self.stand.lowered(touch))
        self._time = float(times[-1])
        if self.falling:
            self.falling.advance(self.mover, wind, self._time)

    def _dress_blades(self) -> None:
        """Blades look as the stand has them now."""
        if isinstance(self.stand.motion, BroadleafMotion):
            self.surfaces = blades_drawn(self.gpu, self.layouts, self.stand, self.stand.motion)

    def keep_leaves(self, before: "StandOnStage") -> None:
        """Go on with the leaves of a stand that stood here, if they are the same."""
        falling, shedding = before.falling, self.foliage.shedding
        if falling and shedding and falling.fits(self.foliage, self.places):
            falling.retune(shedding)
            self.falling = falling

    def _dress(self) -> None:
        """Let leaves be as the stand has them now."""
        self.foliage = self.stand.foliage or Foliage(LeafMotion.of(self.stand.plant))
        for mesh in self.meshes:
            mesh.dress(self.foliage.leaves, self.foliage.season)
        self._cards: DrawnImpostors | None = None
        shedding = self.foliage.shedding
        if shedding is None or not len(shedding.leaves):
            self.falling = None
        elif self.falling and self.falling.fits(self.foliage, self.places):
            self.falling.retune(shedding)
        else:
            begun = {"fallen": self.foliage.fallen, "time": self._time}
            self.falling = FallingLeaves(self.gpu, shedding, self.places, self._wind, **begun)
            self.falling.show(self.mover)

    def _measure(self) -> None:
        sheets = [sum(surface.triangles for surface in some) for some in self.surfaces]
        # A portrait has all leaves: what sheds is never a card.
        cards = _has_cards(self.stand) and not self.falling
        self.crowd = Crowd(self.stand.parts, dressed_stand(self.stand), sheets=sheets, cards=cards)
        self.centre, self.radius, self.height = self.crowd.centre, self.crowd.radius, self.crowd.height
        self._unpainted = _instances(self.places, self._random)
        self._order: tuple[FloatArray | None, IntArray] = None, self._everyone
        self._far: tuple[Paint, IntArray, list[Posed], list[Block]] = Paint(), self._everyone, [], []

    def candidates(
        self, eye: FloatArray, projection: FloatArray, pixel: float, reach: float, factor: float
    ) -> Candidates:
        """The instances in view, and, more coarsely, those near enough to it to cast a shadow into it; see `Crowd`."""
        seen = self.crowd.candidates(eye, projection, pixel, reach, self.finest, factor=factor)
        if isinstance(self.mover, HybridMover):
            self.mover.watch(eye, seen.instance)
        return seen

    def blocks(self, levels: Sequence[Shown], encoder: Any) -> list[tuple[int, Block]]:
        """Have the chosen instances of each level posed by an encoder; a level with each of its blocks."""
        drawn = []
        for level, shown in enumerate(levels):
            if len(shown.instance):
                fade = np.zeros(len(self.places))
                fade[shown.instance] = shown.fade
                for number, (points, part) in enumerate(self._posed(level, shown.instance, encoder)):
                    records = self._painted(part, level)
                    records["turn"][:, 3] = fade[part]
                    drawn.append((level, self._room(level, number).block(points, self.mover.air, records, self._loose)))
        return drawn

    def _room(self, level: int, number: int) -> Records:
        """For the records of one of the blocks of a level."""
        rooms = self._rooms[level]
        if number == len(rooms):
            rooms.append(Records(self.gpu, self.layouts))
        return rooms[number]

    def loose(self) -> list[tuple[DrawnMesh, Block]]:
        """The leaves that have come off, of all instances."""
        if self.falling is None:
            return []
        records = self._painted(self._everyone, 0)
        records["id"][:, 3] = FALLEN
        return [(self.meshes[0], self._block(self.mover.air, records))]

    @property
    def _loose(self) -> Any:
        return self.falling.cards if self.falling else None

    def _block(self, points: Any, records: NDArray[np.void]) -> Block:
        return Block.make(self.gpu, self.layouts, points, self.mover.air, records, self._loose)

    def cards(self, choice: Choice, encoder: Any) -> list[tuple[DrawnImpostors, Block]]:
        """Have the crowns of all instances posed, for those that are far away."""
        self._cards = self._cards or self._new_cards()
        self._cards.judge(choice.eye, choice.pixel, choice.factor)
        order = self._near_first(choice.eye)
        posed = self._posed(len(self.meshes), order, encoder)
        paint, known, before, _ = self._far
        same = known is order and [one.points for one in before] == [one.points for one in posed]
        if paint != self.paint or not same:
            blocks = [self._block(points, self._painted(part, len(self.meshes))) for points, part in posed]
            self._far = self.paint, order, posed, blocks
        return [(self._cards, block) for block in self._far[3]]

    def _near_first(self, eye: FloatArray) -> IntArray:
        """All instances, the nearest first, so that what they hide is not drawn; sorted anew when the eye has moved."""
        before, order = self._order
        if before is None or float(np.linalg.norm(eye - before)) > STIR:
            order = self.crowd.nearest_first(eye)
            self._order = eye, order
        return order

    def _new_cards(self) -> DrawnImpostors:
        plant = self.stand.plant
        _, radius = ball_about(plant)
        return DrawnImpostors(
            self.gpu,
            self.layouts,
            plant,
            _portraits(self.gpu, self.layouts, plant, self.foliage.season),
            crown=self.mover.crown,
            nearer=NEARER * radius,
            up_to=CARD,
            foliage=self.foliage.leaves,
        )

    def _posed(self, level: int, instances: IntArray, encoder: Any) -> list[Posed]:
        return self.mover.pose(level, instances, encoder=encoder, strain=self.paint.kind == 1)

    def _painted(self, slots: IntArray, level: int) -> NDArray[np.void]:
        """Records of some instances at a level, shown in full."""
        records = self._unpainted[slots].view(INSTANCE)[:, 0]
        records["id"][:, 3] = HANGING if self.falling else 0
        if self.paint.kind:
            records["id"][:, 1] = 0 if self.paint.kind == (STRAIN if self._is_block else KINDS) else self.paint.kind
            records["id"][:, 2] = level if self.paint.kind == 2 else np.array(self.paint.scale, "<f4").view("<u4")
        return records


def _instances(places: Places, random: FloatArray) -> NDArray[np.float32]:
    """(count, 12) records of instances in their natural colours, shown in full; rows of numbers are picked quickly."""
    records = np.zeros(len(places), INSTANCE)
    records["place"] = np.column_stack([places.position, places.scale])
    records["turn"] = np.column_stack([np.cos(places.yaw), np.sin(places.yaw), random, np.ones(len(places))])
    records["id"][:, 0] = np.arange(len(places))
    return records[:, None].view("<f4")


def _has_cards(stand: Stand) -> bool:
    """Whether far plants are cards: not where all are different, nor where sheets or blades are part of them."""
    return not (stand.sheets or isinstance(stand, BlockStand) or isinstance(stand.motion, BroadleafMotion))


def _drawn_meshes(gpu: Gpu, layouts: Layouts, dress: Dressed, bark: Bark | None) -> list[DrawnMesh]:
    if dress.ranges:
        both = zip(dress.meshes, dress.ranges, strict=True)
        return [DrawnTrees(gpu, layouts, mesh, dress.species, ranges) for mesh, ranges in both]
    return [DrawnMesh(gpu, layouts, mesh, dress.species, bark=bark) for mesh in dress.meshes]


@lru_cache(maxsize=32)
def _portraits(gpu: Gpu, layouts: Layouts, plant: Plant, season: Season | None) -> Portraits:
    """Painted once for a plant and a day, from a level that is fine enough."""
    dress = dressed(plant)
    number = min(SITTER, len(dress.levels) - 1)
    mesh = DrawnMesh(gpu, layouts, dress.meshes[number], dress.species)
    mesh.dress(LeafMotion.of(plant), season)
    middle, radius = ball_about(plant, sway=LEAFY)
    return portraits_of(gpu, layouts, dress.levels[number].plant, mesh, middle=middle, radius=radius)
