"""A mesh of many different plants on the device, of which a frame draws some, each by its own range."""

from typing import Any

import numpy as np

from windflower.core.arrays import IntArray
from windflower.core.device import Gpu
from windflower.geometry.mesh import Mesh
from windflower.geometry.mesh_ranges import Ranges
from windflower.plant.species import Species
from windflower.render.drawn import Block, DrawnMesh
from windflower.render.pipelines import Layouts

__all__ = ["DrawnTrees"]

CARD = 6  # indices of the two triangles of a leaf


class DrawnTrees(DrawnMesh):
    """The wood and leaves of many plants; an instance of a block is one of them."""

    def __init__(self, gpu: Gpu, layouts: Layouts, mesh: Mesh, species: Species | None, ranges: Ranges) -> None:
        super().__init__(gpu, layouts, mesh, species)
        self._ranges = ranges

    def draw_wood(self, render_pass: Any, block: Block) -> None:
        """Draw the wood of the plants of a block."""
        render_pass.set_bind_group(1, block.bindings)
        for (bindings, indices, _), tubes, ranges in zip(self.tubes, self.mesh.tubes, self._ranges.wood, strict=True):
            render_pass.set_bind_group(2, bindings)
            render_pass.set_index_buffer(indices, "uint32")
            self._draw(render_pass.draw_indexed, block, ranges * (6 * tubes.sides * tubes.rings), 0)

    def draw_leaves(self, render_pass: Any, block: Block) -> None:
        """Draw the leaves of the plants of a block."""
        if self.leaves is None:
            return
        bindings, indices, _ = self.leaves
        render_pass.set_bind_group(1, block.bindings)
        render_pass.set_bind_group(2, bindings)
        render_pass.set_index_buffer(indices, "uint32")
        self._draw(render_pass.draw_indexed, block, CARD * self._ranges.leaves, 0)

    def draw_lines(self, render_pass: Any, block: Block) -> None:
        """Draw a line for each segment of the plants of a block."""
        for tubes, ranges in zip(self.mesh.tubes, self._ranges.wood, strict=True):
            self._draw(render_pass.draw, block, 2 * (ranges + np.array([tubes.first, 0])))

    def _draw(self, draw: Any, block: Block, ranges: IntArray, *base: int) -> None:
        """Draw the range of each plant of a block with its own record."""
        for slot, (first, count) in enumerate(ranges[block.instances].tolist()):
            if count:
                draw(count, 1, first, *base, slot)
