"""The deform pass: segments and leaves of posed plants, worked out once a frame and read by every render pass.

points, instances, wind ──> deform_wood.wgsl ───> limbs ───> tubes.wgsl: shadow, mirror, view
                       └──> deform_leaves.wgsl ─> leaves ──> leaves.wgsl: the same
                                    both ──> splat_*.wgsl: shadows, see_*.wgsl: view, without a render pass

Where frames follow one another, the same is done with the points and the wind of the frame before, for velocities.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import IntArray
from windflower.core.buffers import Bindings, Upload, dispatch, storage, zeros
from windflower.core.device import Gpu
from windflower.core.layouts import layout
from windflower.core.quick_calls import write_buffer
from windflower.render.pipelines import Layouts, Pipelines

__all__ = ["LEAF_BYTES", "LIMB_BYTES", "Deformed", "Elements", "runs_of"]

LIMB_BYTES = layout("render/wgsl/wood_elements.wgsl", "Limb").itemsize
LEAF_BYTES = layout("render/wgsl/leaf_elements.wgsl", "LitLeaf").itemsize
THREADS = 64  # as in elements.wgsl
TEAMS, LEAVES, STRIPS = 4, 8, 64  # in a workgroup, as in splat.wgsl, leaf_triangles.wgsl and strips.wgsl


class Elements(NamedTuple):
    """Which segments, or leaves, a block draws.

    total  how many there are
    runs   (n, 4) slot, first element, count and place of each run, where the plants of a block differ; else None
    loose  whether they are leaves that came off
    """

    total: int
    runs: IntArray | None = None
    loose: bool = False


def runs_of(slots: IntArray, first: IntArray, count: IntArray) -> Elements:
    """Elements of plants that differ: of the plant in each slot (n,), those from `first` on."""
    some = count > 0
    place = np.cumsum(count[some]) - count[some]
    return Elements(int(count.sum()), np.stack([slots[some], first[some], count[some], place], axis=1))


class Deformed:
    """Buffers of the deformed segments and leaves of one block.

    points_before  buffer of its points in the frame before
    """

    def __init__(self, gpu: Gpu, layouts: Layouts) -> None:
        self._wood, self._wood_before = (_Buffer(gpu, layouts, LIMB_BYTES, "limbs") for _ in range(2))
        self._leaves, self._leaves_before = (_Buffer(gpu, layouts, LEAF_BYTES, "lit leaves") for _ in range(2))
        self._read_wood, self._read_leaves = (Bindings(gpu, layouts.elements) for _ in range(2))
        self._count, self._cards = zeros(gpu, 16, "cards"), Bindings(gpu, layouts.splatted_cards)
        self.points_before: Any = None

    def deform_wood(self, compute_pass: Any, pipelines: Pipelines, elements: Elements, *, before: bool) -> None:
        """Work out the segments, with the block, or what it was `before`, and its mesh bound."""
        (self._wood_before if before else self._wood).fill(compute_pass, pipelines.deform_wood, elements)

    def deform_leaves(self, compute_pass: Any, pipelines: Pipelines, elements: Elements, *, before: bool) -> None:
        """Work out the leaves, with the block, or what it was `before`, and its mesh bound."""
        if before:
            self._leaves_before.fill(compute_pass, pipelines.deform_cards, elements)
        else:
            self._leaves.fill(compute_pass, pipelines.deform_leaves, elements)

    def wood(self, *, moved: bool) -> Any:
        """Bind group of the segments for render passes; those that have not `moved` are where they were."""
        return self._read_wood.group(self._wood.elements, (self._wood_before if moved else self._wood).elements)

    def leaves(self, *, moved: bool) -> Any:
        """Bind group of the leaves for render passes; those that have not `moved` are where they were."""
        return self._read_leaves.group(self._leaves.elements, (self._leaves_before if moved else self._leaves).elements)

    def cast_wood(self, compute_pass: Any, pipeline: Any) -> None:
        """Put the shadows of the segments into the map, with the block bound."""
        self._wood.splat(compute_pass, pipeline, self._wood, TEAMS)

    def cast_leaves(self, compute_pass: Any, pipeline: Any) -> None:
        """Put the shadows of the leaves into the map, with their mesh bound."""
        self._leaves.splat(compute_pass, pipeline, self._leaves, LEAVES)

    def see_leaves(self, compute_pass: Any, pipeline: Any, *, moved: bool) -> None:
        """Put the leaves into the view, with their mesh bound; see `leaves`."""
        self._leaves.splat(compute_pass, pipeline, self._leaves_before if moved else self._leaves, LEAVES)

    def see_twigs(self, compute_pass: Any, pipeline: Any, *, moved: bool) -> None:
        """Put the twigs among the segments into the view, with instances and mesh bound; see `wood`."""
        self._wood.splat(compute_pass, pipeline, self._wood_before if moved else self._wood, STRIPS)

    def count_cards(self, encoder: Any, counted: tuple[Any, int]) -> None:
        """Fetch how many impostor cards are drawn, from a buffer and an offset of draw arguments."""
        encoder.copy_buffer_to_buffer(*counted, self._count, 0, 16)

    def splat_cards(self, compute_pass: Any, pipeline: Any, count: int) -> None:
        """Put the cards that were counted, at most `count`, into shadow map or view, with block and atlas bound."""
        group = self._cards.group(self.points_before, None, self._count)
        dispatch(compute_pass, pipeline, group, count, at=3)


class _Header:
    """The first row of `b_parts` in elements.wgsl, where all plants of a block are alike."""

    def __init__(self, gpu: Gpu) -> None:
        self._gpu, self._known = gpu, (0, False)
        self._buffer = storage(gpu, np.zeros(4, "<u4"), "all alike")

    def write(self, total: int, *, loose: bool = False) -> Any:
        """Buffer with this many elements, uploaded where they were others before; see `Elements`."""
        if (total, loose) != self._known:
            self._known = total, loose
            write_buffer(self._gpu.queue, self._buffer, 0, np.array([0, total, loose, 0], "<u4"))
        return self._buffer


class _Buffer:
    """A buffer of elements, replaced by a larger one when it has to grow."""

    def __init__(self, gpu: Gpu, layouts: Layouts, size: int, label: str) -> None:
        self._gpu, self._size, self._label = gpu, size, label
        self.elements: Any = None
        self._alike, self._runs = _Header(gpu), Upload(gpu, "runs")
        self._parts: Any = None
        self._latest: Elements | None = None
        self._written, self._splatted = Bindings(gpu, layouts.deformed), Bindings(gpu, layouts.splatted)

    def fill(self, compute_pass: Any, pipeline: Any, elements: Elements) -> None:
        """Record the work on all elements."""
        groups = -(-elements.total // THREADS)
        needed, room = groups * THREADS * self._size, self.elements.size if self.elements else 0
        if needed > room:
            self.elements = zeros(self._gpu, max(needed, min(3 * room // 2, self._gpu.binding_size)), self._label)
        if elements is not self._latest:
            self._latest, self._parts = elements, self._parts_of(elements)
        if groups:
            dispatch(compute_pass, pipeline, self._written.group(self.elements, self._parts), groups, at=3)

    def _parts_of(self, elements: Elements) -> Any:
        """`b_parts` of elements.wgsl."""
        if elements.runs is None:
            return self._alike.write(elements.total, loose=elements.loose)
        return self._runs.write(_with_header(elements))

    def splat(self, compute_pass: Any, pipeline: Any, before: "_Buffer", each: int) -> None:
        """Record a kernel that puts the elements that `fill` worked out into a picture, `each` workgroup so many.

        before  the elements as they were
        """
        if self._latest and self._latest.total:
            group = self._splatted.group(self.elements, before.elements, self._parts)
            dispatch(compute_pass, pipeline, group, -(-self._latest.total // each), at=3)


def _with_header(elements: Elements) -> NDArray[np.uint32]:
    runs = elements.runs if elements.runs is not None else np.zeros((0, 4), np.int64)
    return np.concatenate([[[len(runs), elements.total, elements.loose, 0]], runs]).astype("<u4")
