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
from windflower.render.foliage import Foliage, LeafRange
from windflower.render.pipelines import Layouts, Pipelines

__all__ = ["LIMB_BYTES", "Deformed", "Elements", "runs_of"]

LIMB_BYTES = layout("render/wgsl/wood_elements.wgsl", "Limb").itemsize
THREADS = 64  # as in elements.wgsl
TEAMS, STRIPS = 4, 64  # in a workgroup, as in splat.wgsl and strips.wgsl


class Elements(NamedTuple):
    """Which segments, or leaves, a block draws.

    total  how many there are
    runs   (n, 4) slot, first element, count and place of each run, where the plants of a block differ; else None
    """

    total: int
    runs: IntArray | None = None


def runs_of(slots: IntArray, first: IntArray, count: IntArray) -> Elements:
    """Elements of plants that differ: of the plant in each slot (n,), those from `first` on."""
    some = count > 0
    place = np.cumsum(count[some]) - count[some]
    return Elements(int(count.sum()), np.stack([slots[some], first[some], count[some], place], axis=1))


class Deformed:
    """Buffers of the deformed segments and leaves of one block.

    leaves         where its leaves lie among those of other blocks
    points_before  buffer of its points in the frame before
    """

    def __init__(self, gpu: Gpu, layouts: Layouts, foliage: Foliage) -> None:
        self._wood, self._wood_before = (_Buffer(gpu, layouts) for _ in range(2))
        self.leaves, self._leaf_parts = LeafRange(foliage), _Parts(gpu)
        self._written, self._written_before = (Bindings(gpu, layouts.deformed) for _ in range(2))
        self._read_wood, self._read_leaves = (Bindings(gpu, layouts.elements) for _ in range(2))
        self._count, self._cards = zeros(gpu, 16, "cards"), Bindings(gpu, layouts.splatted_cards)
        self.points_before: Any = None

    def deform_wood(self, compute_pass: Any, pipelines: Pipelines, elements: Elements, *, before: bool) -> None:
        """Work out the segments, with the block, or what it was `before`, and its mesh bound."""
        (self._wood_before if before else self._wood).fill(compute_pass, pipelines.deform_wood, elements)

    def deform_leaves(self, compute_pass: Any, pipelines: Pipelines, elements: Elements, *, before: bool) -> None:
        """Work out the leaves, with the block, or what it was `before`, and its mesh bound; they have room."""
        parts, buffer = self._leaf_parts.of(elements), self.leaves.buffer(before=before)
        group = (self._written_before if before else self._written).group(buffer, parts)
        if elements.total:
            pipeline = pipelines.deform_cards if before else pipelines.deform_leaves
            dispatch(compute_pass, pipeline, group, -(-elements.total // THREADS), at=3)

    def wood(self, *, moved: bool) -> Any:
        """Bind group of the segments for render passes; those that have not `moved` are where they were."""
        return self._read_wood.group(self._wood.elements, (self._wood_before if moved else self._wood).elements)

    def seen_leaves(self, *, moved: bool) -> Any:
        """Bind group of the leaves for render passes; those that have not `moved` are where they were."""
        return self._read_leaves.group(self.leaves.buffer(before=False), self.leaves.buffer(before=moved))

    def cast_wood(self, compute_pass: Any, pipeline: Any) -> None:
        """Put the shadows of the segments into the map, with the block bound."""
        self._wood.splat(compute_pass, pipeline, self._wood, TEAMS)

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
        self._gpu, self._known = gpu, 0
        self._buffer = storage(gpu, np.zeros(4, "<u4"), "all alike")

    def write(self, total: int) -> Any:
        """Buffer with this many elements, uploaded where they were others before."""
        if total != self._known:
            self._known = total
            write_buffer(self._gpu.queue, self._buffer, 0, np.array([0, total, 0, 0], "<u4"))
        return self._buffer


class _Parts:
    """`b_parts` of elements.wgsl."""

    def __init__(self, gpu: Gpu) -> None:
        self._alike, self._runs = _Header(gpu), Upload(gpu, "runs")
        self._latest: tuple[Elements | None, Any] = None, None

    def of(self, elements: Elements) -> Any:
        """The buffer, uploaded where the elements are others than before."""
        if elements is not self._latest[0]:
            if elements.runs is None:
                self._latest = elements, self._alike.write(elements.total)
            else:
                self._latest = elements, self._runs.write(_with_header(elements))
        return self._latest[1]


class _Buffer:
    """A buffer of segments, replaced by a larger one when it has to grow."""

    def __init__(self, gpu: Gpu, layouts: Layouts) -> None:
        self._gpu, self.elements, self._parts, self._total = gpu, None, _Parts(gpu), 0
        self._bound: Any = None
        self._written, self._splatted = Bindings(gpu, layouts.deformed), Bindings(gpu, layouts.splatted)

    def fill(self, compute_pass: Any, pipeline: Any, elements: Elements) -> None:
        """Record the work on all segments."""
        groups = -(-elements.total // THREADS)
        needed, room = groups * THREADS * LIMB_BYTES, self.elements.size if self.elements else 0
        if needed > room:
            self.elements = zeros(self._gpu, max(needed, min(3 * room // 2, self._gpu.binding_size)), "limbs")
        self._total, self._bound = elements.total, self._parts.of(elements)
        if groups:
            dispatch(compute_pass, pipeline, self._written.group(self.elements, self._bound), groups, at=3)

    def splat(self, compute_pass: Any, pipeline: Any, before: "_Buffer", each: int) -> None:
        """Record a kernel that puts the segments that `fill` worked out into a picture, `each` workgroup so many.

        before  the segments as they were
        """
        if self._total:
            group = self._splatted.group(self.elements, before.elements, self._bound)
            dispatch(compute_pass, pipeline, group, -(-self._total // each), at=3)


def _with_header(elements: Elements) -> NDArray[np.uint32]:
    runs = elements.runs if elements.runs is not None else np.zeros((0, 4), np.int64)
    return np.concatenate([[[len(runs), elements.total, 0, 0]], runs]).astype("<u4")
