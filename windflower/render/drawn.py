"""Plant meshes and blocks of posed instances in GPU buffers, and their draw calls."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.buffers import Bindings, Upload, bind_group
from windflower.core.device import Gpu
from windflower.core.layouts import layout, record
from windflower.geometry.finishes import Bark
from windflower.geometry.leaf_textures import LeafMask, leaf_mask
from windflower.geometry.mesh import LEAF, Mesh, Tubes, card_triangles
from windflower.geometry.mesh_ranges import Ranges
from windflower.geometry.sprigs import Sprig
from windflower.motion.leaves.leaf_kernels import flutter_record, season_record
from windflower.motion.leaves.leaf_motion import LeafMotion
from windflower.motion.leaves.seasons import Season
from windflower.plant.species import Species
from windflower.render.bark_textures import bark_textures, bark_uniforms
from windflower.render.deformed import Deformed, Elements, runs_of
from windflower.render.draw_lists import Part
from windflower.render.foliage import CARDS, MESHES, Foliage, LeafPicture, Run, Wanted, make_room
from windflower.render.pipelines import Layouts, Pipelines

if TYPE_CHECKING:
    from windflower.render.splat_kernels import SeenKernels, ShadowKernels

__all__ = ["INSTANCE", "Before", "Block", "Cut", "DrawnMesh", "DrawnTrees", "InstanceBuffer"]

INSTANCE = layout("render/wgsl/instance.wgsl", "Instance")
MESH = layout("render/wgsl/deform.wgsl", "Mesh")
PLAIN_LEAF = (0.16, 0.33, 0.08)
Counts: TypeAlias = tuple[int, int, int, int]
MANY_TWIGS = 15_000  # of a block that kernels draw; of fewer, calls into the driver cost more
STORAGE, UNIFORM, INDEX, COPY_DST, COPY_SRC = 0x80, 0x40, 0x10, 0x08, 0x04


class Before(NamedTuple):
    """Buffers of a block as they were in the frame before: its points, the wind at each plant, the places of leaves."""

    points: Any
    air: Any
    cards: Any = None


@dataclass(frozen=True, eq=False)
class Block:
    """Posed instances of one level of detail, with their nodes and instance records in one bind group.

    instances        (count,) their numbers in the stand
    deformed         their segments and leaves, once the deform pass has worked them out
    placed           bind group of their instance records alone
    points           bind group of their points
    points_before    the same of the frame before; of those now, if it is not known
    bindings_before  `bindings` of the frame before; None if it is not known
    elements         which segments and leaves these are, by name; found with the first frame
    counted          of cards: where the device leaves how many are drawn; see `Part`
    """

    count: int
    bindings: Any
    instances: IntArray
    deformed: Deformed
    placed: Any
    points: Any
    points_before: Any
    bindings_before: Any = None
    elements: dict[str, Elements] = field(default_factory=dict)
    counted: tuple[Any, int] | None = None

    def swapped(self) -> "Block":
        """The same with the two frames exchanged: as it was, on its way to what it is."""
        if self.bindings_before is None:
            return self
        return replace(
            self,
            bindings=self.bindings_before,
            bindings_before=self.bindings,
            points=self.points_before,
            points_before=self.points,
        )


class InstanceBuffer:
    """Buffer of instance records, uploaded each frame and reused while it is large enough.

    foliage  shelves for their leaves, beside those of others; by default their own
    """

    def __init__(self, gpu: Gpu, layouts: Layouts, foliage: Foliage | None = None) -> None:
        self._records, self._deformed = (
            Upload(gpu, "instances"),
            Deformed(gpu, layouts, foliage or Foliage(gpu, layouts)),
        )
        self._bindings, self._bindings_before = (Bindings(gpu, layouts.instances) for _ in range(2))
        self._points, self._points_before = (Bindings(gpu, layouts.posed_before) for _ in range(2))
        self._placed = Bindings(gpu, layouts.placed)

    def write(self, instances: NDArray[np.void]) -> Any:
        """Upload instance records, for the latest block too if they are as many; returns their buffer."""
        return self._records.write(instances)

    def block(
        self, points: Any, air: Any, instances: NDArray[np.void], cards: Any = None, before: Before | None = None
    ) -> Block:
        """Bind posed nodes with uploaded instance records and the wind at each plant; valid until the next call.

        cards   buffer with the place of each leaf, if leaves may come off: see `GpuShedding`
        before  the same of the frame before, if velocities are wanted
        """
        records = self.write(instances)
        self._deformed.points_before = before.points if before else points

        def bound(bindings: Bindings, of: Before) -> Any:
            return bindings.group(of.points, records, of.air, of.air if of.cards is None else of.cards)

        return Block(
            len(instances),
            bound(self._bindings, Before(points, air, cards)),
            instances["id"][:, 0].astype(np.int64),
            self._deformed,
            self._placed.group(None, records),
            self._points.group(points),
            self._points_before.group(before.points if before else points),
            bound(self._bindings_before, before) if before else None,
        )


class Cut(NamedTuple):
    """How few triangles are drawn of a mesh.

    bands    tubes of at most this many sides are bands of two triangles that face the camera
    twigs    of these, those of at most this many sides are lit at their corners, without their bark's pattern
    corners  of a leaf's card: 4 of a kite that is folded at the leaf's midrib, or 3 of one triangle about its outline
    """

    bands: int = 0
    twigs: int = 0
    corners: int = 4

    @staticmethod
    def of(level: int) -> "Cut":
        """What a level of detail needs: near twigs are thin, and of far plants all is."""
        return Cut(
            bands=(3, 6, 10, 10)[min(level, 3)], twigs=(3, 6, 10, 10)[min(level, 3)], corners=4 if level == 0 else 3
        )

    def is_twig(self, tubes: Tubes) -> bool:
        """Whether tubes are drawn as twigs."""
        return tubes.sides <= min(self.twigs, self.bands)

    def first_twig(self, mesh: Mesh) -> int:
        """Number of the first segment that is drawn as a twig, as are all that follow."""
        return min((tubes.first for tubes in mesh.tubes if self.is_twig(tubes)), default=len(mesh.segments))

    def look(self, tubes: Tubes) -> tuple[int, int]:
        """Sides and rings with which tubes are drawn."""
        return (2, tubes.rings) if tubes.sides <= self.bands else (tubes.sides, tubes.rings)

    def triangles(self, mesh: Mesh) -> int:
        """Number of triangles of a mesh that are drawn."""
        wood = sum(tubes.count * self.tube_triangles(tubes) for tubes in mesh.tubes)
        return wood + (self.corners - 2) * mesh.sprig.drawn * len(mesh.leaves)

    def tube_triangles(self, tubes: Tubes) -> int:
        """Number of triangles of one tube."""
        sides, rings = self.look(tubes)
        return 2 * rings * (1 if sides == 2 else sides)

    def _kind(self, tubes: Tubes) -> tuple[tuple[int, int], bool]:
        return self.look(tubes), self.is_twig(tubes)

    def merged(self, tubes: Sequence[Tubes]) -> list[tuple[Tubes, range]]:
        """Tubes that are drawn alike, and which of the mesh's they are."""
        alike = [list(some) for _, some in groupby(range(len(tubes)), key=lambda number: self._kind(tubes[number]))]
        return [
            (replace(tubes[some[0]], count=sum(tubes[number].count for number in some)), range(some[0], some[-1] + 1))
            for some in alike
        ]

    def wood(self, tubes: Tubes) -> NDArray[np.uint32]:
        """Vertex indices of the triangles of tubes."""
        if self.look(tubes)[0] != 2:
            return tubes.indices()
        ring = np.array([[0, 1, 2], [2, 1, 3]]) + 2 * np.arange(tubes.rings)[:, None, None]
        each = np.arange(tubes.first, tubes.first + tubes.count)[:, None, None, None]
        return (ring + 2 * (tubes.rings + 1) * each).reshape(-1).astype("<u4")

    def cards(self, cards: int) -> NDArray[np.uint32]:
        """Vertex indices of the triangles of leaf cards."""
        if self.corners == 3:
            return np.arange(3 * cards, dtype="<u4")
        return card_triangles(cards).reshape(-1).astype("<u4")

    def cover(self, mask: LeafMask) -> FloatArray:
        """Corners (8, 4) about the outlines of all kinds of cards, four of each."""
        return (mask.kite if self.corners == 4 else mask.cover[:, [0, 1, 2, 2]]).reshape(8, 4)

    def tight(self, mask: LeafMask) -> tuple[float, float]:
        """Factor on the corners about a single leaf at which they enclose its area, and its middle along the card."""
        x, y = (mask.kite[0, [0, 1, 3, 2]] if self.corners == 4 else mask.cover[0]).T
        cover = abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1))) / 2
        rows = mask.levels[0][0, ..., 3].sum(axis=1).astype(np.float64)
        place = 1 - (np.arange(len(rows)) + 0.5) / len(rows)
        return float(np.sqrt(mask.opaque[0] / cover)), float(rows @ place / rows.sum())


WHOLE = Cut()
"""All triangles of a mesh."""


class DrawnMesh:
    """A mesh on the device, with its species' colours and leaf; `bark` in place of the species' own."""

    def __init__(
        self,
        gpu: Gpu,
        layouts: Layouts,
        mesh: Mesh,
        species: Species | None,
        *,
        bark: Bark | None = None,
        cut: Cut = WHOLE,
    ) -> None:
        self.mesh, self.gpu, self._summer, self.cut = mesh, gpu, _evergreen(species), cut
        leaf = species.leaf if species else None
        self.leaf_count = len(mesh.leaves)
        self.triangles = cut.triangles(mesh)
        segments = gpu.device.create_buffer_with_data(data=mesh.segments, usage=STORAGE)
        slots = mesh.leaves if len(mesh.leaves) else np.zeros(1, LEAF)
        leaf_data = gpu.device.create_buffer_with_data(data=slots, usage=STORAGE)
        mask = leaf_mask(leaf.shape, leaf.aspect) if leaf else leaf_mask("oval", 0.6)
        self.picture = _leaf_picture(gpu, *((leaf.shape, leaf.aspect) if leaf else ("oval", 0.6)))
        cards = np.zeros(MESHES, CARDS)
        cards[0] = _cards_record(mesh, mask, species, cut)
        self._cards = cards[0].tobytes()
        self.cards = gpu.device.create_buffer_with_data(data=cards, usage=UNIFORM)
        barks = bark_textures(gpu, (bark or Bark.of(species)).pattern)

        def settings(sides: int, rings: int) -> Any:
            data = _mesh_record(mesh, mask, species, bark or Bark.of(species), (sides, rings), cut)
            return gpu.device.create_buffer_with_data(data=data, usage=UNIFORM | COPY_DST)

        def bindings(uniform: Any) -> Any:
            return bind_group(gpu, layouts.mesh, uniform, segments, leaf_data, *self.picture, *barks, self.cards)

        self.looks = cut.merged(mesh.tubes)
        self._of_wood = [settings(*cut.look(tubes)) for tubes, _ in self.looks]
        self.tubes = [
            (bindings(uniform), *_indices(gpu, cut.wood(self._numbered(tubes))))
            for uniform, (tubes, _) in zip(self._of_wood, self.looks, strict=True)
        ]
        self._look = _mesh_record(mesh, mask, species, bark or Bark.of(species), (3, 1), cut)
        self.of_leaves = settings(3, 1)
        indices = _indices(gpu, cut.cards(mesh.sprig.drawn * self.leaf_count)) if self.leaf_count else None
        self.leaves = (bindings(self.of_leaves), *indices) if indices else None
        self.set_leaves(mesh.foliage)

    def set_leaves(self, foliage: LeafMotion, season: Season | None = None) -> None:
        """Set the motion of the leaves and their season; by default summer."""
        self._look["flutter"] = flutter_record(foliage, 0.0)
        self._look["season"] = season_record(season or self._summer)
        self.gpu.queue.write_buffer(self.of_leaves, 0, self._look)
        self._share_season()

    def _share_season(self) -> None:
        """Tell the wood of the season: leaves take the sky from the wood among them."""
        assert MESH.fields is not None
        season = np.ascontiguousarray(self._look["season"])
        for uniform in self._of_wood:
            self.gpu.queue.write_buffer(uniform, MESH.fields["season"][1], season)

    def wanted(self, block: Block) -> list[Wanted]:
        """Room that the leaves of a block need, if it has any."""
        if not block.elements:
            twigs = Elements(self._twigs(block))
            block.elements.update(limbs=self._limbs(block), cards=self._slots(block), twigs=twigs)
        count = block.elements["cards"].total
        return [Wanted(block.deformed.leaves, self.picture, count)] if self.leaves else []

    def deform(
        self, compute_pass: Any, pipelines: Pipelines, block: Block, *, wood: bool = True, before: bool = False
    ) -> None:
        """Work out all segments and leaves of a block; without `wood`, its leaves alone.

        before  those of the frame before, if they are known
        """
        bindings = block.bindings_before if before else block.bindings
        if bindings is None:
            return
        wanted = self.wanted(block)
        if wanted and block.deformed.leaves.room < wanted[0].leaves:
            make_room(wanted)
        compute_pass.set_bind_group(1, bindings)
        compute_pass.set_bind_group(2, self.leaves[0] if self.leaves else self.tubes[0][0])
        if wood and self.tubes:
            block.deformed.deform_wood(compute_pass, pipelines, block.elements["limbs"], before=before)
        if self.leaves:
            block.deformed.deform_leaves(compute_pass, pipelines, block.elements["cards"], before=before)

    def cast_wood(self, compute_pass: Any, kernels: "ShadowKernels", block: Block) -> None:
        """Put the shadows of the wood of a block into the map."""
        if self.tubes:
            compute_pass.set_bind_group(1, block.bindings)
            compute_pass.set_bind_group(2, kernels.nothing)
            block.deformed.cast_wood(compute_pass, kernels.wood)

    def runs(self, block: Block, *, fell: bool) -> list[Run]:
        """The leaves of a block, if it has any, to be drawn with those of others; `fell` if they came off."""
        count, still = block.elements["cards"].total, block.bindings_before is None
        return [Run(block.deformed.leaves, count, self._cards, fell, still)] if self.leaves and count else []

    def see_twigs(self, compute_pass: Any, kernels: "SeenKernels", block: Block) -> None:
        """Put the twigs of a block into the view, if there are many."""
        if self._has_many_twigs(block):
            compute_pass.set_bind_group(1, block.placed)
            compute_pass.set_bind_group(2, self.tubes[0][0])
            block.deformed.see_twigs(compute_pass, kernels.twigs, moved=block.bindings_before is not None)

    def _has_many_twigs(self, block: Block) -> bool:
        return "twigs" in block.elements and block.elements["twigs"].total > MANY_TWIGS

    def _twigs(self, block: Block) -> int:
        """Number of twigs of all instances of a block."""
        return block.count * sum(tubes.count for tubes, _ in self.looks if self.cut.is_twig(tubes))

    def wood_parts(self, block: Block) -> list[Part]:
        """Draw calls of the wood of all instances of a block."""
        if not self.tubes:
            return []
        twigs = "many twigs" if self._has_many_twigs(block) else "twigs"
        counts, wood = self._counts(block), block.deformed.wood(moved=block.bindings_before is not None)
        return [
            Part(
                twigs if self.cut.is_twig(tubes) else "wood",
                (block.bindings, bindings, wood),
                indices,
                arguments,
            )
            for (tubes, _), (bindings, indices, _), arguments in zip(self.looks, self.tubes, counts, strict=True)
        ]

    def leaf_parts(self, block: Block) -> list[Part]:
        """Draw calls of the leaves of all instances of a block: one, or none."""
        if not self.leaves:
            return []
        bindings, indices, _ = self.leaves
        leaves = block.deformed.seen_leaves(moved=block.bindings_before is not None)
        return [Part("leaves", (block.bindings, bindings, leaves), indices, self._leaf_count(block))]

    def _counts(self, block: Block) -> list[Counts]:
        """Arguments of the draw of each look of tubes; see `Part`."""
        return [(count, block.count, 0, 0) for _, _, count in self.tubes]

    def _leaf_count(self, block: Block) -> Counts:
        return (self.leaves[2] if self.leaves else 0, block.count, 0, 0)

    def _numbered(self, tubes: Tubes) -> Tubes:
        """Tubes with the numbers that their segments have among the elements of a slot."""
        return tubes

    def _limbs(self, block: Block) -> Elements:
        return Elements(block.count * len(self.mesh.segments))

    def _slots(self, block: Block) -> Elements:
        return Elements(block.count * self.leaf_count)

    def draw_lines(self, render_pass: Any, block: Block) -> None:
        """Draw a line for each segment of all instances of a block."""
        render_pass.draw(2 * len(self.mesh.segments), block.count)


def _indices(gpu: Gpu, indices: NDArray[np.uint32]) -> tuple[Any, int]:
    return gpu.device.create_buffer_with_data(data=indices, usage=INDEX), len(indices)


def _mesh_record(
    mesh: Mesh, mask: LeafMask, species: Species | None, bark: Bark, tubes: tuple[int, int], cut: Cut
) -> NDArray[np.void]:
    """Record `Mesh` of deform.wgsl, without leaf motion and season."""
    leaf = species.leaf if species else None
    return record(
        MESH,
        count=(mesh.nodes, *tubes, len(mesh.leaves)),
        parts=(len(mesh.segments), cut.first_twig(mesh), 0, 0),
        crown=(*mesh.crown_middle, mesh.crown_radius),
        **bark_uniforms(bark),
        leaf=(*(leaf.colour if leaf else PLAIN_LEAF), leaf.length if leaf else 0.1),
        style=(bark.moss, 0, 0, 0),
        aspect=mask.aspect,
        stretch=mask.stretch,
    )


def _cards_record(mesh: Mesh, mask: LeafMask, species: Species | None, cut: Cut) -> NDArray[np.void]:
    """Record `Cards` of cards.wgsl."""
    leaf, sprig = species.leaf if species else None, mesh.sprig
    return record(
        CARDS,
        style=(cut.corners, leaf.underside if leaf else 0.3, leaf is not None and leaf.shape == "needles", 0),
        aspect=mask.aspect,
        stretch=mask.stretch,
        cover=cut.cover(mask),
        tight=(*cut.tight(mask), _reach(sprig, mask, cut), 0.0),
        sprig=(sprig.count, sprig.layer, sprig.length, sprig.shoot),
        cards=_arrangements(sprig),
    )


def _reach(sprig: Sprig, mask: LeafMask, cut: Cut) -> float:
    """How far cards reach from the foot of their slot, over its size; so does a single leaf that came off."""
    corner = cut.cover(mask).reshape(4, 4, 2) - (0.5, 0.0)
    of_kind = np.hypot(corner[..., 0] * mask.aspect[:, None], corner[..., 1]).max(axis=1)
    foot = np.linalg.norm(sprig.foot[:, : sprig.count], axis=-1)
    cards = foot + sprig.length * of_kind[sprig.layer] * sprig.scale[:, : sprig.count]
    return float(max(cards.max(), sprig.shoot, mask.stretch[0] * of_kind[0]))


def _arrangements(sprig: Sprig) -> FloatArray:
    """(64, 4) foot with scale, and quaternion of each card of each arrangement of a sprig."""
    foot = np.concatenate([sprig.foot, sprig.scale[..., None]], axis=-1)
    return np.stack([foot, sprig.turn], axis=2).reshape(-1, 4)


def _evergreen(species: Species | None) -> Season:
    """Season of leaves that never change colour."""
    return Season(day=0.0, summer=species.leaf.colour if species and species.leaf else PLAIN_LEAF, evergreen=True)


@lru_cache(maxsize=64)
def _leaf_picture(gpu: Gpu, shape: str, aspect: float) -> LeafPicture:
    """Pictures of a kind of leaf, cached: meshes that share them are drawn together."""
    texture = _texture(gpu, leaf_mask(shape, aspect).levels).create_view(dimension="2d-array")
    # Mipmaps of a few texels are all full or all empty: the coarsest ones are not used.
    sampler = gpu.device.create_sampler(
        mag_filter="linear", min_filter="linear", mipmap_filter="linear", lod_max_clamp=4
    )
    return LeafPicture(texture, sampler)


def _texture(gpu: Gpu, levels: tuple[NDArray[np.uint8], ...]) -> Any:
    layers, height, width, _ = levels[0].shape
    texture = gpu.device.create_texture(
        size=(width, height, layers), format="rgba8unorm", usage=0x04 | 0x02, mip_level_count=len(levels)
    )
    for number, level in enumerate(levels):
        _, high, wide, _ = level.shape
        gpu.queue.write_texture(
            {"texture": texture, "mip_level": number},
            np.ascontiguousarray(level),
            {"bytes_per_row": 4 * wide, "rows_per_image": high},
            (wide, high, layers),
        )
    return texture


class DrawnTrees(DrawnMesh):
    """Merged mesh of different plants; each instance of a block is one of them."""

    def __init__(
        self, gpu: Gpu, layouts: Layouts, mesh: Mesh, species: Species | None, ranges: Ranges, *, cut: Cut = WHOLE
    ) -> None:
        super().__init__(gpu, layouts, mesh, species, cut=cut)
        self._ranges = ranges

    def _numbered(self, tubes: Tubes) -> Tubes:
        return replace(tubes, first=0)  # elements follow one another, without those of plants that are not drawn

    def _limbs(self, block: Block) -> Elements:
        both = list(zip(self.mesh.tubes, self._ranges.wood, strict=True))
        first = [tubes.first + mine[block.instances, 0] for tubes, mine in both]
        count = [mine[block.instances, 1] for _, mine in both]
        return runs_of(np.tile(np.arange(block.count), len(both)), np.concatenate(first), np.concatenate(count))

    def _slots(self, block: Block) -> Elements:
        first, count = self._ranges.leaves[block.instances].T
        return runs_of(np.arange(block.count), first, count)

    def _counts(self, block: Block) -> list[Counts]:
        counts = [int(mine[block.instances, 1].sum()) for mine in self._ranges.wood]
        found: list[Counts] = []
        for tubes, some in self.looks:
            sides, rings = self.cut.look(tubes)
            triangles = self.cut.tube_triangles(tubes) * sum(counts[number] for number in some)
            found.append((3 * triangles, 1, 0, sum(counts[: some.start]) * sides * (rings + 1)))
        return found

    def _leaf_count(self, block: Block) -> Counts:
        leaves = int(self._ranges.leaves[block.instances, 1].sum())
        return (3 * (self.cut.corners - 2) * self.mesh.sprig.drawn * leaves, 1, 0, 0)

    def _twigs(self, block: Block) -> int:
        twigs = [number for tubes, some in self.looks if self.cut.is_twig(tubes) for number in some]
        return sum(int(self._ranges.wood[number][block.instances, 1].sum()) for number in twigs)

    def draw_lines(self, render_pass: Any, block: Block) -> None:
        """Draw a line for each segment of the plants of a block."""
        for tubes, ranges in zip(self.mesh.tubes, self._ranges.wood, strict=True):
            for slot, (first, count) in enumerate(ranges[block.instances].tolist()):
                if count:
                    render_pass.draw(2 * count, 1, 2 * (tubes.first + first), slot)
