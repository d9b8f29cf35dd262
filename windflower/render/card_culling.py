"""Culling of impostor cards on the device: a list of those that are drawn, front to back, and its length.

    plants of all blocks ──> cull_cards.wgsl: count, add up, write ──> lists ──> impostor.wgsl
                                                                  └──> counts ──> indirect draws

However many far plants there are, Python uploads one record a frame.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.buffers import bindings, dispatch, kernel, storage, uniform, zeros
from windflower.core.device import Gpu
from windflower.core.layouts import layout, record
from windflower.core.quick_calls import write_buffer
from windflower.geometry.cards import LARGEST, STEPS
from windflower.geometry.culling import NEARER, Culling
from windflower.geometry.lod import planes_of

__all__ = ["CardCulling", "CardList", "Cards"]

SHADER = "render/wgsl/cull_cards.wgsl"
JUDGE, PLANT, RUN = (layout(SHADER, name) for name in ("Judge", "Plant", "Run"))
LANES = 256  # plants of a workgroup, as in cull_cards.wgsl
COUNT, ADD_UP, WRITE = range(3)


class Cards(NamedTuple):
    """Plants of a stand that are drawn together: their culling, their numbers (n,), and which are left (n,)."""

    culling: Culling
    instances: IntArray
    left: NDArray[np.bool_]


class CardList(NamedTuple):
    """What of a block is drawn: a binding of the list, and where its draw arguments lie.

    list       f32: the slots of the block that are drawn
    arguments  buffer of vec4<u32>, and the offset in it, bytes
    """

    list: dict[str, Any]
    arguments: tuple[Any, int]


class CardCulling:
    """The plants of blocks of cards on the device, and the lists of those that are drawn."""

    def __init__(self, gpu: Gpu, blocks: Sequence[Cards]) -> None:
        groups = [-(-len(one.instances) // LANES) for one in blocks]
        first = np.cumsum([0, *groups])
        self._groups, self._blocks = int(first[-1]), len(blocks)
        runs = np.zeros(len(blocks), RUN)
        runs["first"], runs["group"], runs["groups"] = LANES * first[:-1], first[:-1], groups
        self._first = (LANES * first).tolist()
        self._judge = uniform(gpu, JUDGE.itemsize, "judge")
        self._list, self._draws = zeros(gpu, 4 * LANES * self._groups, "cards"), zeros(gpu, 16 * len(blocks), "draws")
        self._gpu = gpu
        buffers = (
            self._judge,
            storage(gpu, np.concatenate([_plants(one, many) for one, many in zip(blocks, groups, strict=True)])),
            storage(gpu, runs),
            storage(gpu, np.repeat(np.arange(len(blocks)), groups).astype("<u4")),
            zeros(gpu, 4 * STEPS * self._groups),
            self._list,
            self._draws,
        )
        kernels = [kernel(gpu, SHADER, STAGE=stage) for stage in (COUNT, ADD_UP, WRITE)]
        self._stages = [(one, bindings(gpu, one, *buffers)) for one in kernels]

    def record(
        self,
        encoder: Any,
        camera: FloatArray,
        projection: FloatArray,
        reach: float,
        *,
        chosen: FloatArray,
        scale: float,
    ) -> None:
        """Find the cards of a view; see `geometry.cards.cards_in_view`."""
        judge = record(
            JUDGE,
            planes=planes_of(projection),
            camera=(*camera, reach),
            chosen=(*chosen, scale),
            size=(LARGEST, NEARER, 0.0, self._groups),
        )
        write_buffer(self._gpu.queue, self._judge, 0, judge)
        compute_pass = encoder.begin_compute_pass()
        for (pipeline, group), many in zip(self._stages, (self._groups, self._blocks, self._groups), strict=True):
            dispatch(compute_pass, pipeline, group, many)
        compute_pass.end()

    def of(self, number: int) -> CardList:
        """The list of one of the blocks."""
        first, end = self._first[number], self._first[number + 1]
        bound = {"buffer": self._list, "offset": 4 * first, "size": 4 * (end - first)}
        return CardList(bound, (self._draws, 16 * number))


def _plants(cards: Cards, groups: int) -> NDArray[np.void]:
    """(lanes,) `Plant` of each instance, and of what fills the last workgroup."""
    plants, own, some = np.zeros(LANES * groups, PLANT), cards.culling, cards.instances
    plants["ball"][:, 3] = -1.0
    mine = plants[: len(some)]
    mine["ball"][:, :3], mine["ball"][:, 3] = own.centre[some], np.where(cards.left, own.radius[some], -1.0)
    mine["tall"], mine["number"] = own.height[some], np.arange(len(some))
    return plants
