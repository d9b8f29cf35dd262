"""What the renderer draws, on the device: meshes, and blocks of posed instances."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.gpu.device import Gpu
from windflower.plant.species import Species
from windflower.render.leaf_mask import LeafMask, leaf_mask
from windflower.render.mesh import LEAF, Mesh
from windflower.render.pipelines import Layouts

__all__ = ["INSTANCE", "Block", "DrawnMesh", "flutter_of"]

# The layout of `Instance` in deform.wgsl.
INSTANCE = np.dtype([("place", "<f4", 4), ("turn", "<f4", 4), ("id", "<u4", 4)])
PATTERNS = ("ridges", "plates", "bands", "rings", "smooth")  # as tubes.wgsl numbers them
PLAIN_BARK, PLAIN_LEAF = (0.23, 0.18, 0.14), (0.16, 0.33, 0.08)
STORAGE, UNIFORM, INDEX, COPY_DST, COPY_SRC = 0x80, 0x40, 0x10, 0x08, 0x04


@dataclass(frozen=True, eq=False)
class Block:
    """Posed instances of one level: their nodes and their places, in buffers that fit a binding."""

    count: int
    bindings: Any

    @staticmethod
    def make(gpu: Gpu, layouts: Layouts, points: Any, air: Any, instances: NDArray[np.void]) -> "Block":
        """Join a buffer of posed nodes with instance records and the wind at each plant of the stand."""
        records = gpu.device.create_buffer_with_data(data=instances, usage=STORAGE)
        buffers = [points, records, air]
        entries = [{"binding": i, "resource": {"buffer": buffer}} for i, buffer in enumerate(buffers)]
        return Block(len(instances), gpu.device.create_bind_group(layout=layouts.instances, entries=entries))


class DrawnMesh:
    """A mesh on the device, with its species' colours and leaf."""

    def __init__(self, gpu: Gpu, layouts: Layouts, mesh: Mesh, species: Species | None) -> None:
        self.mesh, self.gpu = mesh, gpu
        leaf = species.leaf if species else None
        self.leaf_count = len(mesh.leaves)
        self.triangles = mesh.triangles
        segments = gpu.device.create_buffer_with_data(data=mesh.segments, usage=STORAGE)
        cards = mesh.leaves if len(mesh.leaves) else np.zeros(1, LEAF)
        leaf_data = gpu.device.create_buffer_with_data(data=cards, usage=STORAGE)
        mask = leaf_mask(leaf.shape, leaf.aspect) if leaf else leaf_mask("oval", 0.6)
        texture = _texture(gpu, mask.levels).create_view(dimension="2d-array")
        # A mip level of a few texels can only be full or empty: what is smaller is left to chance.
        sampler = gpu.device.create_sampler(
            mag_filter="linear", min_filter="linear", mipmap_filter="linear", lod_max_clamp=4
        )

        def bindings(sides: int, rings: int) -> Any:
            uniform = gpu.device.create_buffer_with_data(
                data=_uniform(mesh, mask, species, sides, rings), usage=UNIFORM
            )
            resources = [{"buffer": uniform}, {"buffer": segments}, {"buffer": leaf_data}, texture, sampler]
            return gpu.device.create_bind_group(
                layout=layouts.mesh, entries=[{"binding": i, "resource": item} for i, item in enumerate(resources)]
            )

        self.tubes = [(bindings(tubes.sides, tubes.rings), *_indices(gpu, tubes.indices())) for tubes in mesh.tubes]
        quads = np.array([0, 1, 2, 2, 1, 3])[None] + 4 * np.arange(self.leaf_count)[:, None]
        self.leaves = (bindings(3, 1), *_indices(gpu, quads.reshape(-1).astype("<u4"))) if self.leaf_count else None

    def draw_wood(self, render_pass: Any, block: Block) -> None:
        """Draw the wood of all instances of a block."""
        render_pass.set_bind_group(1, block.bindings)
        for bindings, indices, count in self.tubes:
            render_pass.set_bind_group(2, bindings)
            render_pass.set_index_buffer(indices, "uint32")
            render_pass.draw_indexed(count, block.count)

    def draw_leaves(self, render_pass: Any, block: Block) -> None:
        """Draw the leaves of all instances of a block."""
        if self.leaves is None:
            return
        bindings, indices, count = self.leaves
        render_pass.set_bind_group(1, block.bindings)
        render_pass.set_bind_group(2, bindings)
        render_pass.set_index_buffer(indices, "uint32")
        render_pass.draw_indexed(count, block.count)


def _indices(gpu: Gpu, indices: NDArray[np.uint32]) -> tuple[Any, int]:
    return gpu.device.create_buffer_with_data(data=indices, usage=INDEX), len(indices)


def _uniform(mesh: Mesh, mask: LeafMask, species: Species | None, sides: int, rings: int) -> NDArray[np.uint8]:
    """The layout of `Mesh` in deform.wgsl."""
    leaf = species.leaf if species else None
    counts = np.array([mesh.nodes, sides, rings, len(mesh.leaves)], "<u4")
    numbers = np.array(
        [
            *mesh.crown_middle, mesh.crown_radius,
            *(species.bark if species else PLAIN_BARK), PATTERNS.index(species.bark_pattern if species else "ridges"),
            *(leaf.colour if leaf else PLAIN_LEAF), leaf.length if leaf else 0.1,
            flutter_of(species), species.moss if species else 0.4, 0.0, 0.0,
            *mask.aspect, 0.0,
            *mask.stretch, 0.0,
        ],
        "<f4",
    )  # fmt: skip
    return np.concatenate([counts.view(np.uint8), numbers.view(np.uint8)])


def flutter_of(species: Species | None) -> float:
    """How far leaves turn in a strong wind, rad."""
    if species is None or species.leaf is None:
        return 0.8
    return 0.25 if species.leaf.shape in ("needles", "narrow") else 0.7


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
