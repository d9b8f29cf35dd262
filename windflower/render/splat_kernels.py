"""Compute pipelines that draw what is small: shadows, and leaves and cards of the view."""

from functools import lru_cache
from typing import Any, NamedTuple

from windflower.core.buffers import bind_group, zeros
from windflower.core.device import Gpu
from windflower.core.layouts import layout
from windflower.render.pipelines import Layouts, compute_pipeline

__all__ = ["COUNTERS", "SLOTS", "SeenKernels", "ShadowKernels", "seen_kernels", "shadow_kernels"]

SLOTS = 512  # as in large_leaves.wgsl
COUNTERS = 8 * SLOTS  # bytes
QUEUED = layout("render/wgsl/large_leaves.wgsl", "Queued").itemsize
LARGEST = 1 << 18  # parts of large triangles that may wait


class ShadowKernels(NamedTuple):
    """Compute pipelines that put shadows into the map: of wood, of leaves, of impostor cards.

    nothing  an empty bind group
    """

    wood: Any
    leaves: Any
    cards: Any
    nothing: Any


class SeenKernels(NamedTuple):
    """Compute pipelines that put leaves, twigs and impostor cards into the view.

    large_leaves  draws the large triangles that `leaves` has queued
    tiles         finds how far what is seen so far lies in each tile of the picture
    queues        bind group of `queue`, a buffer whose first `COUNTERS` bytes are 0 when a pass begins
    """

    leaves: Any
    large_leaves: Any
    twigs: Any
    cards: Any
    tiles: Any
    queues: Any
    queue: Any


@lru_cache(maxsize=4)
def shadow_kernels(gpu: Gpu, layouts: Layouts) -> ShadowKernels:
    """Compile the kernels of the shadow map, cached."""
    cast, last, last_of_cards = layouts.cast, layouts.splatted, layouts.splatted_cards
    leaves = [cast, layouts.nothing, layouts.leaf_cards, layouts.splatted_leaves]
    return ShadowKernels(
        wood=compute_pipeline(gpu, "splat_wood.wgsl", [cast, layouts.instances, layouts.nothing, last]),
        leaves=compute_pipeline(gpu, "splat_leaves.wgsl", leaves),
        cards=compute_pipeline(gpu, "splat_cards.wgsl", [cast, layouts.instances, layouts.impostor, last_of_cards]),
        nothing=bind_group(gpu, layouts.nothing),
    )


@lru_cache(maxsize=4)
def seen_kernels(gpu: Gpu, layouts: Layouts, *, over_time: bool) -> tuple[SeenKernels, SeenKernels]:
    """Compile the kernels of the view, cached: those for depths, and those for light.

    over_time  as in `make_pipelines`
    """
    seen, last = layouts.seen, layouts.splatted
    leaves = [seen, layouts.queues, layouts.leaf_cards, layouts.splatted_leaves]
    twigs = [seen, layouts.placed, layouts.mesh, last]
    cards = [seen, layouts.instances, layouts.impostor, layouts.splatted_cards]

    tiles, queue = compute_pipeline(gpu, "seen_tiles.wgsl", [seen]), zeros(gpu, COUNTERS + QUEUED * LARGEST, "queues")
    queues = bind_group(gpu, layouts.queues, queue)

    def kernels(*, lit: bool) -> SeenKernels:
        constants = {"OVER_TIME": float(over_time), "LIT": float(lit)}
        return SeenKernels(
            compute_pipeline(gpu, "see_leaves.wgsl", leaves, **constants),
            compute_pipeline(gpu, "see_large_leaves.wgsl", leaves, **constants),
            compute_pipeline(gpu, "see_twigs.wgsl", twigs, **constants, BANDS=1.0),
            compute_pipeline(gpu, "see_cards.wgsl", cards, **constants),
            tiles,
            queues,
            queue,
        )

    return kernels(lit=False), kernels(lit=True)
