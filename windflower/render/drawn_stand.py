"""Drawing a stand: its meshes, sheets, impostors and fallen leaves at all levels of detail."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.device import Gpu
from windflower.core.randomness import draw
from windflower.geometry.culling import CARD, NEARER, Culling, bounding_sphere
from windflower.geometry.finishes import Bark, finish_of
from windflower.geometry.lod import Candidates, Choice, Shown
from windflower.geometry.lod_meshes import LodMeshes, plant_meshes, stand_meshes
from windflower.motion import LeafMotion, Places, Season
from windflower.motion.device.twin import Posed
from windflower.motion.stand import Stand
from windflower.plant.graph import Plant
from windflower.render.card_culling import CardList
from windflower.render.deformed import LIMB_BYTES
from windflower.render.drawn import INSTANCE, Before, Block, Cut, DrawnMesh, DrawnTrees, InstanceBuffer
from windflower.render.foliage import LEAF_BYTES, Foliage
from windflower.render.impostor_atlas import ImpostorAtlas, bake_atlas
from windflower.render.impostors import DrawnImpostors
from windflower.render.pipelines import Layouts
from windflower.render.remembered import Remembered
from windflower.render.surfaces import DrawnSurface, blades_drawn, sheets_drawn
from windflower.simulation.device_stand import DeviceStand

__all__ = ["DrawnStand", "Paint", "atlas_mesh"]

ATLAS_LEVEL = 2  # level of detail from which a plant's impostor atlas is baked
HANGING, FALLEN = 1, 2  # leaves of a plant that sheds that are drawn, as in deform.wgsl
NATURAL, STRAIN, LEVELS, KINDS = 0, 1, 2, 3  # as in paint.wgsl
LEAFY = 1.14  # radius of an atlas view over that of the wood: a margin for leaves
ALIGNED = 16  # slots: so many points of any number begin where a binding may begin


class Paint(NamedTuple):
    """False colours in place of the natural ones (paint.wgsl).

    kind  0 none, 1 by strain up to `scale`, 2 by level of detail, 3 by what moves a branch
    """

    kind: int = NATURAL
    scale: float = 0.0


class DrawnStand:
    """A simulated stand with its meshes, sheets and impostors on the device.

    moved   the stand in the simulation
    finest  instances that are drawn in full detail wherever they are
    paint   false colours
    labels  (count,) what data views call its instances; None if nobody asks
    strained  whether poses have the strain of the wood, if the motion knows it
    """

    def __init__(self, gpu: Gpu, layouts: Layouts, moved: DeviceStand, foliage: Foliage) -> None:
        self.gpu, self.layouts, self.moved, self._foliage = gpu, layouts, moved, foliage
        lods, finish = stand_meshes(self.stand), finish_of(self.stand) if self.stand.sheets else None
        self.finest, self.paint = np.zeros(0, np.int64), Paint()
        self.meshes = _drawn_meshes(gpu, layouts, lods, finish and finish.bark)
        self.surfaces: list[tuple[DrawnSurface, ...]] = [() for _ in lods.levels]
        if finish:
            self.surfaces = [(sheets_drawn(gpu, layouts, self.stand.sheets, self.stand.plant.nodes, finish.sheets),)]
        self._random, self._all_instances = draw(601, self.stand.numbers), np.arange(len(self.stand))
        # Of each level, of cards, and of loose leaves.
        self._buffers: list[list[InstanceBuffer]] = [[] for _ in range(len(lods.levels) + 2)]
        self.labels: IntArray | None = None
        self.strained = False
        self._remembered = [Remembered(gpu) for _ in range(2)]
        self._before = self._remembered[0]
        self.refresh()

    @property
    def stand(self) -> Stand:
        """The stand of the simulation."""
        return self.moved.stand

    @property
    def places(self) -> Places:
        """Places of its instances."""
        return self.moved.stand.places

    def refresh(self) -> None:
        """Update leaves, blades and places to the simulation's."""
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
        plants = len(self.stand) if lods.ranges else 1  # that share a mesh
        self.triangles = np.array([mesh.triangles / plants for mesh in self.meshes]) + sheets
        self.nodes = lods.nodes
        # The atlas shows all leaves, so plants that shed are never cards.
        cards = self.stand.motion.has_card and not self.moved.falling
        self.culling = Culling(
            self.stand.parts, lods, triangles=self.triangles, cards=cards, reach=self.stand.motion.reach
        )
        self.centre, self.radius, self.height = self.culling.centre, self.culling.radius, self.culling.height
        self.tallest = float(self.height.max())
        self._unpainted = _instances(self.places, self._random)
        self._latest: dict[int, tuple[IntArray, FloatArray, Any, list[Block]]] = {}
        self._far: tuple[Any, list[tuple[DrawnImpostors, Block]]] = None, []

    def mark(self, labels: IntArray, *, strained: bool) -> None:
        """Have labels and strain drawn into data views."""
        if self.labels is not None and np.array_equal(labels, self.labels) and strained == self.strained:
            return
        self.labels, self.strained = labels, strained
        self._latest, self._far = {}, (None, [])

    def use(self, memory: int) -> None:
        """Choose which of two memories of another frame `remember` and the frames that follow mean."""
        self._before = self._remembered[memory]

    def watched(self, camera: FloatArray, seen: Candidates) -> Candidates:
        """What of its candidates is still there; the simulation learns which may be seen from where."""
        self.moved.twin.watch(camera, seen.instance)
        return seen.without(self.moved.gone)

    def posed_before(self, levels: Sequence[Shown], encoder: Any, *, cards: bool) -> list[tuple[int, list[Posed]]]:
        """Pose what the coming frame will show as it is in the frame before, by level; with `cards`, crowns too.

        What the frame before has shown is posed already.
        """
        shown = [(level, one.instance) for level, one in enumerate(levels) if len(one.instance)]
        shown += [(len(self.meshes), self._all_instances)] if cards else []
        return [(level, self.moved.posed(level, some) or self._posed(level, some, encoder)) for level, some in shown]

    def remember(self, posed: Sequence[tuple[int, list[Posed]]], encoder: Any) -> None:
        """Keep what was posed before the simulation moves on."""
        self._before.begin(encoder, self.moved.twin.air, self._loose)
        for level, one in posed:
            self._before.keep(encoder, level, one)

    def forget(self) -> None:
        """Forget the frame before, once the coming one has its blocks."""
        self._before.end()

    def blocks(self, levels: Sequence[Shown], encoder: Any) -> list[tuple[int, Block]]:
        """Pose the chosen instances of each level; returns each block with its level."""
        drawn = []
        for level, shown in enumerate(levels):
            if len(shown.instance):
                posed = self._posed(level, shown.instance, encoder)
                drawn += [(level, block) for block in self._blocks_of(level, shown, posed)]
        return drawn

    def _blocks_of(self, level: int, shown: Shown, posed: list[Posed]) -> list[Block]:
        """Blocks of a level; those of the frame before, if it showed the same."""
        were = self._before.take(level, [part for _, part in posed])
        buffers = [[one.points for one in some] for some in (posed, were or [])]
        state = self.paint, self.moved.twin.air, self._loose, buffers
        known = self._latest.get(level)
        same = known is not None and known[2] == state and _equal(known[0], shown.instance)
        if known and same and _equal(known[1], shown.fade):
            return known[3]
        fade, parts = np.zeros(len(self.places)), list(self._bindable(level, posed))
        fade[shown.instance] = shown.fade
        records = [self._painted(part, level) for _, part in parts]
        for (_, part), one in zip(parts, records, strict=True):
            one["turn"][:, 3] = fade[part]
        if known and same:  # only the fades are others, and what was recorded with a block holds
            blocks = known[3]
            for number, one in enumerate(records):
                self._buffers[level][number].write(one)
        else:
            before = [points for points, _ in self._bindable(level, were)] if were else [None] * len(parts)
            blocks = [
                self._block(level, number, points, one, was)
                for number, ((points, _), one, was) in enumerate(zip(parts, records, before, strict=True))
            ]
        self._latest[level] = shown.instance, shown.fade, state, blocks
        return blocks

    def _bindable(self, level: int, posed: Sequence[Posed]) -> Iterator[tuple[Any, IntArray]]:
        """Posed instances, so many at a time that their segments and leaves fit a binding."""
        most, size = self._most(level), 16 * self.meshes[level].mesh.nodes
        for points, part in posed:
            if len(part) <= most:
                yield points, part
                continue
            for first in range(0, len(part), most):
                whole = {"buffer": points, "offset": size * first, "size": points.size - size * first}
                yield whole, part[first : first + most]

    def _most(self, level: int) -> int:
        """Instances of a level whose deformed segments and leaves fit a binding; a multiple of those that align."""
        mesh, plants = self.meshes[level], len(self.stand) if self.stand.all_different else 1
        each = max(LIMB_BYTES * len(mesh.mesh.segments), LEAF_BYTES * mesh.leaf_count, 1) / plants
        return max(int(self.gpu.binding_size / each) // ALIGNED, 1) * ALIGNED

    def loose(self) -> list[tuple[DrawnMesh, Block]]:
        """Draw list of the shed leaves of all instances."""
        if self.moved.falling is None:
            return []
        records, most = self._painted(self._all_instances, 0), self._most(0)
        records["id"][:, 3] = FALLEN
        parts = enumerate(range(0, len(records), most))
        air, before = self.moved.twin.air, self._before.air
        return [
            (self.meshes[0], self._block(-1, at, air, records[first : first + most], before)) for at, first in parts
        ]

    @property
    def _loose(self) -> Any:
        return self.moved.falling.cards if self.moved.falling else None

    def _block(self, level: int, number: int, points: Any, records: NDArray[np.void], before: Any = None) -> Block:
        """One of the blocks of a level, in the buffers that it had before; `before` are its points then, if known."""
        buffers, known = self._buffers[level], self._before
        if number == len(buffers):
            buffers.append(InstanceBuffer(self.gpu, self.layouts, self._foliage))
        was = None if before is None else Before(before, known.air, known.cards)
        return buffers[number].block(points, self.moved.twin.air, records, self._loose, was)

    def crowns(self, encoder: Any) -> list[Posed]:
        """Pose the crowns of all instances, for cards."""
        return self._posed(len(self.meshes), self._all_instances, encoder)

    def cards(
        self, choice: Choice, posed: list[Posed], lists: Sequence[CardList]
    ) -> list[tuple[DrawnImpostors, Block]]:
        """Draw list of the impostor cards of posed crowns: of those that are listed for each block of them."""
        self._cards = self._cards or self._new_cards()
        self._cards.judge(choice.camera, choice.pixel, choice.factor)
        were = self._before.take(len(self.meshes), [part for _, part in posed])
        before = [one.points for one in were] if were else [None] * len(posed)
        state = self.paint, [one.points for one in posed], before, list(lists)
        if self._far[0] != state:
            all_three = enumerate(zip(posed, before, lists, strict=True))
            self._far = state, [(self._cards, self._listed(at, *one)) for at, one in all_three]
        return self._far[1]

    def _listed(self, number: int, posed: Posed, before: Any, listed: CardList) -> Block:
        """A block of cards with the list of those that are drawn; `before` are its points then, if known."""
        level, buffers = len(self.meshes), self._buffers[len(self.meshes)]
        if number == len(buffers):
            buffers.append(InstanceBuffer(self.gpu, self.layouts, self._foliage))
        records = self._painted(posed.instances, level)
        was = None if before is None else Before(before, self._before.air, listed.list)
        block = buffers[number].block(posed.points, self.moved.twin.air, records, listed.list, was)
        return replace(block, counted=listed.arguments)

    def _new_cards(self) -> DrawnImpostors:
        plant, foliage = self.stand.plant, self.moved.foliage
        _, radius = bounding_sphere(plant)
        return DrawnImpostors(
            self.gpu,
            self.layouts,
            plant,
            _atlas(self.gpu, self.layouts, plant, foliage.season),
            crown=self.moved.twin.crown,
            nearer=NEARER * radius,
            up_to=CARD,
            foliage=foliage.leaves,
        )

    def _posed(self, level: int, instances: IntArray, encoder: Any) -> list[Posed]:
        return self.moved.pose(level, instances, encoder=encoder, strain=self._needs_strain)

    @property
    def _needs_strain(self) -> bool:
        return self.paint.kind == STRAIN or (self.strained and self.stand.motion.gives_strain)

    def _painted(self, slots: IntArray, level: int) -> NDArray[np.void]:
        """Instance records of some instances at a level, with their false colours."""
        records = self._unpainted[slots].view(INSTANCE)[:, 0]
        records["id"][:, 3] = HANGING if self.moved.falling else 0
        if self.labels is not None:
            records["id"][:, 2] = self.labels[slots]
        if self.paint.kind:
            unknown = STRAIN if self.stand.motion.shows_kinds else KINDS  # what the motion's poses do not contain
            records["id"][:, 1] = NATURAL if self.paint.kind == unknown else self.paint.kind
            records["id"][:, 2] = level if self.paint.kind == LEVELS else np.array(self.paint.scale, "<f4").view("<u4")
        return records


def _equal(one: NDArray[Any], other: NDArray[Any]) -> bool:
    """Whether two arrays of numbers are the same to the bit; the same one is taken for unchanged."""
    return one is other or (one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes())


def _instances(places: Places, random: FloatArray) -> NDArray[np.float32]:
    """Instance records (count, 12) in natural colours, as floats for quick indexing."""
    records = np.zeros(len(places), INSTANCE)
    records["place"] = np.column_stack([places.position, places.scale])
    records["turn"] = np.column_stack([np.cos(places.yaw), np.sin(places.yaw), random, np.ones(len(places))])
    records["id"][:, 0] = np.arange(len(places))
    return records[:, None].view("<f4")


def _drawn_meshes(gpu: Gpu, layouts: Layouts, lods: LodMeshes, bark: Bark | None) -> list[DrawnMesh]:
    if lods.ranges:
        both = enumerate(zip(lods.meshes, lods.ranges, strict=True))
        return [DrawnTrees(gpu, layouts, mesh, lods.species, ranges, cut=Cut.of(at)) for at, (mesh, ranges) in both]
    return [
        DrawnMesh(gpu, layouts, mesh, lods.species, bark=bark, cut=Cut.of(at)) for at, mesh in enumerate(lods.meshes)
    ]


@lru_cache(maxsize=32)
def _atlas(gpu: Gpu, layouts: Layouts, plant: Plant, season: Season | None) -> ImpostorAtlas:
    """Impostor atlas of a plant in a season, cached."""
    shown, mesh = atlas_mesh(gpu, layouts, plant, season)
    middle, radius = bounding_sphere(plant, sway=LEAFY)
    return bake_atlas(gpu, layouts, shown, mesh, middle=middle, radius=radius)


def atlas_mesh(gpu: Gpu, layouts: Layouts, plant: Plant, season: Season | None = None) -> tuple[Plant, DrawnMesh]:
    """The plant that an impostor atlas shows, and its mesh."""
    lods = plant_meshes(plant)
    number = min(ATLAS_LEVEL, len(lods.levels) - 1)
    mesh = DrawnMesh(gpu, layouts, lods.meshes[number], lods.species)
    mesh.set_leaves(LeafMotion.of(plant), season)
    return lods.levels[number].plant, mesh
