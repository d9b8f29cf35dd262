"""Twigs on top of posed nodes, on the device: the twin of `motion.cantilever.Twigs`."""

from collections.abc import Sequence
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.buffers import bindings, dispatch, kernel, storage, uniform, vec4
from windflower.core.device import Gpu
from windflower.motion.cantilever.twigs import Twigs
from windflower.motion.device.twin import Posed
from windflower.motion.places import Places
from windflower.motion.rhythm import PERIOD, clock_of, scrambled

__all__ = ["GpuTwigs"]

# The layouts of `Level` and `Node` in twigs.wgsl.
LEVEL = np.dtype(
    [
        *((name, "<u4") for name in ("nodes", "slots", "depths", "seed", "clock")),
        *((name, "<f4") for name in ("swing", "exponent", "least")),
    ]
)
NODE = np.dtype([("id", "<u4", 4), ("bend", "<f4", (3, 4))])


class GpuTwigs:
    """The twigs of a level of detail of a stand.

    twigs  on the nodes of that level: `twigs.on_nodes(level.node)`
    air    a buffer of vec4<f32>, the wind over the crown of each instance in the world, m/s: that of the wood's twin
    period  after which all repeats, s; by default that of rhythms
    """

    def __init__(self, gpu: Gpu, twigs: Twigs, places: Places, air: Any, *, period: float | None = None) -> None:
        self.gpu, self.twigs, self._air = gpu, twigs, air
        self._quicker = PERIOD / (period or PERIOD)
        levels = twigs.plant.levels
        self._begin = storage(gpu, np.cumsum([0, *map(len, levels)]).astype("<u4"), "depths")
        self._node = storage(gpu, _node_records(twigs, self._quicker), "twigs")
        places_turned = np.stack([np.cos(places.yaw), np.sin(places.yaw), 1 / places.stiffness], axis=1)
        self._instances = storage(gpu, vec4(places_turned), "instances")
        self._pipeline = kernel(gpu, "motion/cantilever/twigs.wgsl", THREADS=8 if gpu.software else 64)
        self._constants = _constants(twigs, len(levels))

    def shake(self, encoder: Any, posed: Sequence[Posed], t: float) -> None:
        """Record the twigs' motion at time t, s, onto posed nodes, after their pose and once for each pose."""
        compute_pass = encoder.begin_compute_pass()
        for points, instances in posed:
            level = self._constants.copy()
            level["slots"], level["clock"] = len(instances), clock_of(t * self._quicker)
            settings = uniform(self.gpu, LEVEL.itemsize, "level")
            self.gpu.queue.write_buffer(settings, 0, level)
            slots = storage(self.gpu, instances.astype("<u4"), "slots")
            own = (settings, self._begin, self._node, slots, self._instances, self._air, points)
            dispatch(compute_pass, self._pipeline, bindings(self.gpu, self._pipeline, *own), len(instances))
        compute_pass.end()


def _node_records(twigs: Twigs, quicker: float) -> NDArray[np.void]:
    """`Node` in twigs.wgsl, with rhythms that go round a whole number of times in a period so much shorter."""
    plant, order = twigs.plant, np.concatenate(twigs.plant.levels)
    records = np.zeros(plant.nodes, NODE)
    turns = np.maximum(np.rint(twigs.turns / quicker), 1).astype("<u4")
    ids = (order, np.maximum(plant.parent, 0)[order], turns[order], twigs.axis[order])
    records["id"], records["bend"] = np.stack(ids, axis=1), vec4(twigs.bend[order])
    return records


def _constants(twigs: Twigs, depths: int) -> NDArray[np.void]:
    """`Level` without what changes from pose to pose."""
    level, foliage = np.zeros((), LEVEL), twigs.crown.foliage
    level["nodes"], level["depths"] = twigs.plant.nodes, depths
    level["seed"], level["swing"] = scrambled(np.uint32(twigs.seed % 2**32)), twigs.swing
    # From 10 m/s on, drag falls as a power of the speed, down to what it is in any storm.
    level["exponent"] = -log(float(foliage.streamlined(np.array(11.0)))) / log(1.1)
    level["least"] = float(foliage.streamlined(np.array(1e9)))
    return level
