"""Plant meshes and blocks of posed instances in GPU buffers, and their draw calls."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import IntArray
from windflower.core.buffers import Bindings, Upload, bind_group
from windflower.core.device import Gpu
from windflower.core.layouts import layout, record
from windflower.geometry.finishes import Bark
from windflower.geometry.leaf_textures import LeafMask, leaf_mask
from windflower.geometry.mesh import LEAF, Mesh, card_triangles
from windflower.geometry.mesh_ranges import Ranges
from windflower.motion.leaves.leaf_kernels import flutter_record, season_record
from windflower.motion.leaves.leaf_motion import LeafMotion
from windflower.motion.leaves.seasons import Season
from windflower.plant.species import Species
from windflower.render.pipelines import Layouts

__all__ = ["INSTANCE", "Block", "DrawnMesh", "DrawnTrees", "InstanceBuffer"]

INSTANCE = layout("render/wgsl/instance.wgsl", "Instance")
MESH = layout("render/wgsl/deform.wgsl", "Mesh")
PATTERNS = ("ridges", "plates", "bands", "rings", "smooth")  # as tubes.wgsl numbers them
PLAIN_LEAF = (0.16, 0.33, 0.08)
STORAGE, UNIFORM, INDEX, COPY_DST, COPY_SRC = 0x80, 0x40, 0x10, 0x08, 0x04


@dataclass(frozen=True, eq=False)
class Block:
    """Posed instances of one level of detail, with their nodes and instance records in one bind group.

    instances  (count,) their numbers in the stand
    """

    count: int
    bindings: Any
    instances: IntArray


class InstanceBuffer:
    """Buffer of instance records, uploaded each frame and reused while it is large enough."""

    def __init__(self, gpu: Gpu, layouts: Layouts) -> None:
        self._records, self._bindings = Upload(gpu, "instances"), Bindings(gpu, layouts.instances)

    def block(self, points: Any, air: Any, instances: NDArray[np.void], cards: Any = None) -> Block:
        """Bind posed nodes with uploaded instance records and the wind at each plant; valid until the next call.

        cards  buffer with the place of each leaf, if leaves may come off: see `GpuShedding`
        """
        records = self._records.write(instances)
        group = self._bindings.group(points, records, air, air if cards is None else cards)
        return Block(len(instances), group, instances["id"][:, 0].astype(np.int64))


class DrawnMesh:
    """A mesh on the device, with its species' colours and leaf; `bark` in place of the species' own."""

    def __init__(
        self, gpu: Gpu, layouts: Layouts, mesh: Mesh, species: Species | None, *, bark: Bark | None = None
    ) -> None:
        self.mesh, self.gpu, self._summer = mesh, gpu, _evergreen(species)
        leaf = species.leaf if species else None
        self.leaf_count = len(mesh.leaves)
        self.triangles = mesh.triangles
        segments = gpu.device.create_buffer_with_data(data=mesh.segments, usage=STORAGE)
        cards = mesh.leaves if len(mesh.leaves) else np.zeros(1, LEAF)
        leaf_data = gpu.device.create_buffer_with_data(data=cards, usage=STORAGE)
        mask = leaf_mask(leaf.shape, leaf.aspect) if leaf else leaf_mask("oval", 0.6)
        texture = _texture(gpu, mask.levels).create_view(dimension="2d-array")
        # Mipmaps of a few texels are all full or all empty: the coarsest ones are not used.
        sampler = gpu.device.create_sampler(
            mag_filter="linear", min_filter="linear", mipmap_filter="linear", lod_max_clamp=4
        )

        def settings(sides: int, rings: int) -> Any:
            data = _mesh_record(mesh, mask, species, bark or Bark.of(species), (sides, rings))
            return gpu.device.create_buffer_with_data(data=data, usage=UNIFORM | COPY_DST)

        def bindings(uniform: Any) -> Any:
            return bind_group(gpu, layouts.mesh, uniform, segments, leaf_data, texture, sampler)

        self.tubes = [
            (bindings(settings(tubes.sides, tubes.rings)), *_indices(gpu, tubes.indices())) for tubes in mesh.tubes
        ]
        self._look = _mesh_record(mesh, mask, species, bark or Bark.of(species), (3, 1))
        self.of_leaves = settings(3, 1)
        indices = _indices(gpu, card_triangles(self.leaf_count).reshape(-1).astype("<u4")) if self.leaf_count else None
        self.leaves = (bindings(self.of_leaves), *indices) if indices else None
        self.set_leaves(mesh.foliage)

    def set_leaves(self, foliage: LeafMotion, season: Season | None = None) -> None:
        """Set the motion of the leaves and their season; by default summer."""
        self._look["flutter"] = flutter_record(foliage, 0.0)
        self._look["season"] = season_record(season or self._summer)
        self.gpu.queue.write_buffer(self.of_leaves, 0, self._look)

    def draw_wood(self, render_pass: Any, block: Block) -> None:
        """Draw the wood of all instances of a block."""
        for number, tubes in enumerate(self.tubes):
            self._draw_part(render_pass, block, tubes, number)

    def draw_leaves(self, render_pass: Any, block: Block) -> None:
        """Draw the leaves of all instances of a block."""
        if self.leaves is not None:
            self._draw_part(render_pass, block, self.leaves, len(self.tubes))

    def _draw_part(self, render_pass: Any, block: Block, part: tuple[Any, Any, int], number: int) -> None:
        """Draw tubes of one look or all leaves: bindings, indices, and how many; `number` counts tubes, then leaves."""
        bindings, indices, count = part
        render_pass.set_bind_group(1, block.bindings)
        render_pass.set_bind_group(2, bindings)
        render_pass.set_index_buffer(indices, "uint32")
        self._draw_indexed(render_pass, block, count, number)

    def _draw_indexed(self, render_pass: Any, block: Block, count: int, number: int) -> None:  # noqa: ARG002 - all are alike
        render_pass.draw_indexed(count, block.count)

    def draw_lines(self, render_pass: Any, block: Block) -> None:
        """Draw a line for each segment of all instances of a block."""
        render_pass.draw(2 * len(self.mesh.segments), block.count)


def _indices(gpu: Gpu, indices: NDArray[np.uint32]) -> tuple[Any, int]:
    return gpu.device.create_buffer_with_data(data=indices, usage=INDEX), len(indices)


def _mesh_record(
    mesh: Mesh, mask: LeafMask, species: Species | None, bark: Bark, tubes: tuple[int, int]
) -> NDArray[np.void]:
    """Record `Mesh` of deform.wgsl, without leaf motion and season."""
    leaf = species.leaf if species else None
    return record(
        MESH,
        count=(mesh.nodes, *tubes, len(mesh.leaves)),
        crown=(*mesh.crown_middle, mesh.crown_radius),
        bark=(*bark.colour, PATTERNS.index(bark.pattern)),
        leaf=(*(leaf.colour if leaf else PLAIN_LEAF), leaf.length if leaf else 0.1),
        style=(bark.moss, 0.0, 0.0, 0.0),
        aspect=mask.aspect,
        stretch=mask.stretch,
    )


def _evergreen(species: Species | None) -> Season:
    """Season of leaves that never change colour."""
    return Season(day=0.0, summer=species.leaf.colour if species and species.leaf else PLAIN_LEAF, evergreen=True)


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


CARD = 6  # indices of the two triangles of a leaf card


class DrawnTrees(DrawnMesh):
    """Merged mesh of different plants; each instance of a block is one of them."""

    def __init__(self, gpu: Gpu, layouts: Layouts, mesh: Mesh, species: Species | None, ranges: Ranges) -> None:
        super().__init__(gpu, layouts, mesh, species)
        self._ranges = ranges
        both = zip(mesh.tubes, ranges.wood, strict=True)
        self._indices = [*(mine * (6 * tubes.sides * tubes.rings) for tubes, mine in both), CARD * ranges.leaves]

    def _draw_indexed(self, render_pass: Any, block: Block, count: int, number: int) -> None:  # noqa: ARG002 - each its own
        self._draw(render_pass.draw_indexed, block, self._indices[number], 0)

    def draw_lines(self, render_pass: Any, block: Block) -> None:
        """Draw a line for each segment of the plants of a block."""
        for tubes, ranges in zip(self.mesh.tubes, self._ranges.wood, strict=True):
            self._draw(render_pass.draw, block, 2 * (ranges + np.array([tubes.first, 0])))

    def _draw(self, draw: Any, block: Block, ranges: IntArray, *base: int) -> None:
        """Draw the range of each plant of a block with its own instance record."""
        for slot, (first, count) in enumerate(ranges[block.instances].tolist()):
            if count:
                draw(count, 1, first, *base, slot)
