"""Limp axes hung over posed nodes, on the device: the twin of `motion.limp.drape`."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.buffers import Bindings, Upload, dispatch, kernel, recorded, storage, uniform
from windflower.core.device import Gpu
from windflower.core.layouts import layout, record
from windflower.errors import GpuError
from windflower.motion.device.twin import Posed
from windflower.motion.limp.chains import Chains
from windflower.motion.limp.drape import place_along

__all__ = ["FELT", "GpuChains", "felt_records"]

MOST, THREADS = 32, 64  # as in limp.wgsl
SHADER = "motion/limp/limp.wgsl"
LEVEL, CHAIN, LINK, FELT = (layout(SHADER, name) for name in ("Level", "Chain", "Link", "Felt"))


class GpuChains:
    """The chains of a level of detail of a stand.

    chains  on the nodes of that level: `chains.on_nodes(plant, level.node)`
    points  that an instance has there
    whole   chains of the whole plant
    """

    def __init__(self, gpu: Gpu, chains: Chains, *, points: int, whole: int) -> None:
        if len(chains.node) > MOST:
            raise GpuError(f"a limp axis has at most {MOST} segments on the device; one has {len(chains.node)}.")
        self.gpu, self._count, self._points, self._whole = gpu, len(chains), points, whole
        if not len(chains):
            return
        heads, links = _records(chains)
        self._chains, self._links = storage(gpu, heads, "chains"), storage(gpu, links, "links")
        self._pipeline = kernel(gpu, SHADER)
        self._rooms: list[_Room] = []

    def hang(self, encoder: Any, posed: Sequence[Posed], felt: Any) -> None:
        """Record the chains' shape onto posed nodes, in what (count, chains) all instances of the stand feel.

        felt  records, or a buffer of them
        """
        if not self._count:
            return
        with recorded(self.gpu, encoder) as compute_pass:
            for number, (points, instances) in enumerate(posed):
                if number == len(self._rooms):
                    self._rooms.append(_Room(self.gpu, self._pipeline))
                room = self._rooms[number]
                level = record(LEVEL, points=self._points, slots=len(instances), chains=self._count, felt=self._whole)
                self.gpu.queue.write_buffer(room.settings, 0, level)
                feels = room.felt.write(felt[instances]) if isinstance(felt, np.ndarray) else felt
                slots = np.arange(len(instances)) if isinstance(felt, np.ndarray) else instances
                buffers = (points, self._chains, self._links, feels, room.chosen(slots))
                group = room.bound.group(room.settings, *buffers)
                dispatch(compute_pass, self._pipeline, group, -(-len(instances) * self._count // THREADS))


class _Room:
    """Settings, what is felt, slots and bindings for one buffer of posed nodes, kept from frame to frame."""

    def __init__(self, gpu: Gpu, pipeline: Any) -> None:
        self.settings, self.felt = uniform(gpu, LEVEL.itemsize, "level of chains"), Upload(gpu, "felt")
        self.bound = Bindings(gpu, pipeline.get_bind_group_layout(0))
        self._slots = Upload(gpu, "slots")
        self._buffer: Any = None
        self._instances: IntArray = np.zeros(0, np.int64)

    def chosen(self, instances: IntArray) -> Any:
        """Buffer of instances, written where they have changed."""
        if self._buffer is None or not np.array_equal(instances, self._instances):
            self._instances, self._buffer = instances, self._slots.write(instances.astype("<u4"))
        return self._buffer


def felt_records(wind: FloatArray, share: FloatArray, stiffness: FloatArray) -> NDArray[np.void]:
    """(count, chains) `Felt` in limp.wgsl; see `drape` for the arguments."""
    records = np.zeros(share.shape, FELT)
    records["tip"], records["base"] = wind[:, :, 0], wind[:, :, 1]
    records["share"], records["stiffness"] = share, stiffness[:, None]
    return records


def _records(chains: Chains) -> tuple[NDArray[np.void], NDArray[np.void]]:
    """(chains,) `Chain` and (links of all,) `Link` in limp.wgsl."""
    there = (chains.node >= 0).T  # chain by chain
    heads, links = np.zeros(len(chains), CHAIN), np.zeros(int(there.sum()), LINK)
    heads["links"] = there.sum(axis=1)
    heads["first"] = np.cumsum(heads["links"]) - heads["links"]
    heads["bearer"], heads["number"] = chains.bearer, chains.number
    values = {
        "node": chains.node,
        "rest": chains.rest,
        "prestress": chains.prestress,
        "spring": chains.joint,
        "reach": chains.length,
        "weight": chains.weight,
        "drag": chains.drag,
        "place": place_along(chains),
    }
    for name, value in values.items():
        links[name] = np.swapaxes(value, 0, 1)[there]
    return heads, links
