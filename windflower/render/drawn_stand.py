"""A stand as it is drawn: its meshes, sheets, cards and loose leaves at all levels of detail."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.device import Gpu
from windflower.core.randomness import draw
from windflower.geometry.culling import CARD, NEARER, Culling, ball_about
from windflower.geometry.lod import Candidates, Choice, Shown
from windflower.geometry.lod_meshes import LodMeshes, plant_meshes, stand_meshes
from windflower.motion import LeafMotion, Places, Season
from windflower.motion.device.twin import Posed
from windflower.motion.stand import Stand
from windflower.plant.graph import Plant
from windflower.render.drawn import INSTANCE, Bark, Block, DrawnMesh, DrawnTrees, Records
from windflower.render.impostors import DrawnImpostors
from windflower.render.pipelines import Layouts
from windflower.render.portraits import Portraits, portraits_of
from windflower.render.surfaces import DrawnSurface, blades_drawn, finish_of, sheets_drawn
from windflower.simulation.device_stand import DeviceStand

__all__ = ["DrawnStand", "Paint"]

SITTER = 2  # the level that a plant's portraits are painted from
HANGING, FALLEN = 1, 2  # which leaves of a plant that sheds are shown, as in deform.wgsl
NATURAL, STRAIN, LEVELS, KINDS = 0, 1, 2, 3  # as in paint.wgsl
LEAFY = 1.14  # radius of what a portrait shows over that of the wood: room for leaves
STIR = 25.0  # m that the camera moves before far plants are sorted anew: cards are hundreds of metres away


class Paint(NamedTuple):
    """Colours in place of the natural ones (paint.wgsl).

    kind  0 none, 1 by strain up to `scale`, 2 by level of detail, 3 by what moves a branch
    """

    kind: int = NATURAL
    scale: float = 0.0


class DrawnStand:
    """One stand: its meshes and sheets at each level, on what a simulation poses.

    moved   the stand in the simulation
    finest  instances that are drawn in full detail wherever they are
    paint   how it is coloured
    """

    def __init__(self, gpu: Gpu, layouts: Layouts, moved: DeviceStand) -> None:
        self.gpu, self.layouts, self.moved = gpu, layouts, moved
        lods, finish = stand_meshes(self.stand), finish_of(self.stand.name) if self.stand.sheets else None
        self.finest, self.paint = np.zeros(0, np.int64), Paint()
        self.meshes = _drawn_meshes(gpu, layouts, lods, finish and finish.bark)
        self.surfaces: list[tuple[DrawnSurface, ...]] = [() for _ in lods.levels]
        if finish:
            self.surfaces = [(sheets_drawn(gpu, layouts, self.stand.sheets, self.stand.plant.nodes, finish.sheets),)]
        self._random, self._everyone = draw(601, np.arange(len(self.stand))), np.arange(len(self.stand))
        self._rooms: list[list[Records]] = [
            [] for _ in range(len(lods.levels) + 2)
        ]  # and of cards, and of loose leaves
        self.refresh()

    @property
    def stand(self) -> Stand:
        """What is drawn."""
        return self.moved.stand

    @property
    def places(self) -> Places:
        """Where it stands."""
        return self.moved.stand.places

    def refresh(self) -> None:
        """Take up what the simulation has changed of the stand: leaves, blades, places."""
        self._shown = self.stand
        if self.stand.motion.blades is not None:
            self.surfaces = blades_drawn(self.gpu, self.layouts, self.stand, self.stand.motion.blades)
        foliage = self.moved.foliage
        for mesh in self.meshes:
            mesh.set_leaves(foliage.leaves, foliage.season)
        self._cards: DrawnImpostors | None = None
        self._measure()

    @property
    def is_stale(self) -> bool:
        """Whether the simulation has changed the stand since `refresh`."""
        return self._shown is not self.stand

    def _measure(self) -> None:
        lods, sheets = stand_meshes(self.stand), [sum(one.triangles for one in some) for some in self.surfaces]
        self.triangles, self.nodes = lods.triangles + sheets, lods.nodes
        # A portrait has all leaves: what sheds is never a card.
        cards = self.stand.motion.has_card and not self.moved.falling
        self.culling = Culling(self.stand.parts, lods, sheets=sheets, cards=cards)
        self.centre, self.radius, self.height = self.culling.centre, self.culling.radius, self.culling.height
        self._unpainted = _instances(self.places, self._random)
        self._order: tuple[FloatArray | None, IntArray] = None, self._everyone
        self._far: tuple[Paint, IntArray, list[Posed], list[Block]] = Paint(), self._everyone, [], []

    def candidates(
        self, camera: FloatArray, projection: FloatArray, pixel: float, reach: float, factor: float
    ) -> Candidates:
        """The instances in view, and, more coarsely, those near enough to cast a shadow into it; see `Culling`."""
        seen = self.culling.candidates(camera, projection, pixel, reach, self.finest, factor=factor)
        self.moved.twin.watch(camera, seen.instance)
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
                    drawn.append((level, self._block(level, number, points, records)))
        return drawn

    def loose(self) -> list[tuple[DrawnMesh, Block]]:
        """The leaves that have come off, of all instances."""
        if self.moved.falling is None:
            return []
        records = self._painted(self._everyone, 0)
        records["id"][:, 3] = FALLEN
        return [(self.meshes[0], self._block(-1, 0, self.moved.twin.air, records))]

    @property
    def _loose(self) -> Any:
        return self.moved.falling.cards if self.moved.falling else None

    def _block(self, level: int, number: int, points: Any, records: NDArray[np.void]) -> Block:
        """One of the blocks of a level, in the buffers that it had before."""
        rooms = self._rooms[level]
        if number == len(rooms):
            rooms.append(Records(self.gpu, self.layouts))
        return rooms[number].block(points, self.moved.twin.air, records, self._loose)

    def cards(self, choice: Choice, encoder: Any) -> list[tuple[DrawnImpostors, Block]]:
        """Have the crowns of all instances posed, for those that are far away."""
        self._cards = self._cards or self._new_cards()
        self._cards.judge(choice.eye, choice.pixel, choice.factor)
        order = self._near_first(choice.eye)
        posed = self._posed(len(self.meshes), order, encoder)
        paint, known, before, _ = self._far
        same = known is order and [one.points for one in before] == [one.points for one in posed]
        if paint != self.paint or not same:
            level = len(self.meshes)
            both = enumerate(posed)
            blocks = [self._block(level, at, points, self._painted(part, level)) for at, (points, part) in both]
            self._far = self.paint, order, posed, blocks
        return [(self._cards, block) for block in self._far[3]]

    def _near_first(self, camera: FloatArray) -> IntArray:
        """All instances, the nearest first, so that what they hide is not drawn; sorted when the camera has moved."""
        before, order = self._order
        if before is None or float(np.linalg.norm(camera - before)) > STIR:
            order = self.culling.nearest_first(camera)
            self._order = camera, order
        return order

    def _new_cards(self) -> DrawnImpostors:
        plant, foliage = self.stand.plant, self.moved.foliage
        _, radius = ball_about(plant)
        return DrawnImpostors(
            self.gpu,
            self.layouts,
            plant,
            _portraits(self.gpu, self.layouts, plant, foliage.season),
            crown=self.moved.twin.crown,
            nearer=NEARER * radius,
            up_to=CARD,
            foliage=foliage.leaves,
        )

    def _posed(self, level: int, instances: IntArray, encoder: Any) -> list[Posed]:
        return self.moved.pose(level, instances, encoder=encoder, strain=self.paint.kind == STRAIN)

    def _painted(self, slots: IntArray, level: int) -> NDArray[np.void]:
        """Records of some instances at a level, shown in full."""
        records = self._unpainted[slots].view(INSTANCE)[:, 0]
        records["id"][:, 3] = HANGING if self.moved.falling else 0
        if self.paint.kind:
            unknown = STRAIN if self.stand.motion.shows_kinds else KINDS  # what the motion's poses do not tell
            records["id"][:, 1] = NATURAL if self.paint.kind == unknown else self.paint.kind
            records["id"][:, 2] = level if self.paint.kind == LEVELS else np.array(self.paint.scale, "<f4").view("<u4")
        return records


def _instances(places: Places, random: FloatArray) -> NDArray[np.float32]:
    """(count, 12) records of instances in their natural colours, shown in full; rows of numbers are picked quickly."""
    records = np.zeros(len(places), INSTANCE)
    records["place"] = np.column_stack([places.position, places.scale])
    records["turn"] = np.column_stack([np.cos(places.yaw), np.sin(places.yaw), random, np.ones(len(places))])
    records["id"][:, 0] = np.arange(len(places))
    return records[:, None].view("<f4")


def _drawn_meshes(gpu: Gpu, layouts: Layouts, lods: LodMeshes, bark: Bark | None) -> list[DrawnMesh]:
    if lods.ranges:
        both = zip(lods.meshes, lods.ranges, strict=True)
        return [DrawnTrees(gpu, layouts, mesh, lods.species, ranges) for mesh, ranges in both]
    return [DrawnMesh(gpu, layouts, mesh, lods.species, bark=bark) for mesh in lods.meshes]


@lru_cache(maxsize=32)
def _portraits(gpu: Gpu, layouts: Layouts, plant: Plant, season: Season | None) -> Portraits:
    """Painted once for a plant and a day, from a level that is fine enough."""
    lods = plant_meshes(plant)
    number = min(SITTER, len(lods.levels) - 1)
    mesh = DrawnMesh(gpu, layouts, lods.meshes[number], lods.species)
    mesh.set_leaves(LeafMotion.of(plant), season)
    middle, radius = ball_about(plant, sway=LEAFY)
    return portraits_of(gpu, layouts, lods.levels[number].plant, mesh, middle=middle, radius=radius)
