"""Steps a second of every registered motion: one small tree at 64 places, in NumPy and on the device, in one run."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from windflower.bench import Row
from windflower.bench.timing import DT, numpy_steps, rate_of, square_of
from windflower.core.buffers import wait
from windflower.core.device import Gpu, open_gpu
from windflower.errors import GpuError, MissingExtraError, WindflowerError
from windflower.motion.device.twin import Start
from windflower.motion.registry import MOTIONS, twin_of
from windflower.motion.stand import Stand
from windflower.plant.growth import grow
from windflower.scene import SceneSettings, build
from windflower.wind import Steady

__all__ = ["bench_motions"]

PLACES, NODES = 64, 300
TREE, BROADLEAF = "walnut", "hosta"  # a tree, and a plant for motions that move broad leaves alone
PERIOD = 4.0  # s after which loops repeat
WIND = Steady(speed=8.0)  # costs next to nothing itself


def bench_motions(*, seconds: float = 1.0, places: int = PLACES, nodes: int = NODES) -> Iterator[Row]:
    """Time whole steps (state, and the pose of every node) of each kind of motion in a steady wind.

    Each row has the `motion`, the `plant` and the `nodes` of all plants, steps a second in NumPy (`cpu`) and on the
    device (`gpu`), how many times as fast the device is (`gain`), and both as ratios to those of the first motion.
    `gpu` is None for motions without a device twin, and where there is no graphics driver.
    """
    device = _device()
    first: tuple[float, float | None] | None = None
    for kind in MOTIONS:
        stand = _stand(kind, places, nodes)
        cpu = rate_of(_in_numpy(stand), seconds)
        gpu = rate_of(_on_device(device, stand), seconds) if device and MOTIONS[kind].twin else None
        first = first or (cpu, gpu)
        yield {
            "motion": kind,
            "plant": stand.trees[0].species,
            "nodes": stand.nodes,
            "cpu": cpu,
            "gpu": gpu,
            "gain": gpu and gpu / cpu,
            "cpu ratio": cpu / first[0],
            "gpu ratio": gpu / first[1] if gpu and first[1] else None,
        }


def _device() -> Gpu | None:
    try:
        return open_gpu()
    except (GpuError, MissingExtraError):
        return None


def _stand(kind: str, places: int, nodes: int) -> Stand:
    """A square of trees, or of broad-leaved plants where this motion cannot move trees."""
    try:
        return _built(kind, TREE, places, nodes / grow(TREE).nodes)
    except WindflowerError:
        return _built(kind, BROADLEAF, places, 1.0)


def _built(kind: str, plant: str, places: int, detail: float) -> Stand:
    positions = square_of(places).position[:, [0, 2]].tolist()
    table = {"plant": plant, "detail": detail, "positions": positions, "motion": {"kind": kind, **_parts(kind)}}
    settings = {"seconds": PERIOD, "stands": [table], "wind": {"speed": WIND.speed}}
    return build(SceneSettings.model_validate(settings)).stands[0]


def _parts(kind: str) -> dict[str, Any]:
    """What a motion that is made of another is made of: the first there is."""
    return {"of": next(iter(MOTIONS))} if "of" in MOTIONS[kind].settings.model_fields else {}


def _in_numpy(stand: Stand) -> Callable[[int], None]:
    air = WIND.velocity(stand.probes, 0.0)
    return numpy_steps(stand.motion, stand.begin(WIND, 0.0), air)


def _on_device(gpu: Gpu, stand: Stand) -> Callable[[int], None]:
    """Work for `rate_of`: steps of the device twin, each posed."""
    twin, everybody = twin_of(gpu, stand, Start(WIND, 0.0, DT)), np.arange(len(stand))

    def steps(count: int) -> None:
        for number in range(1, count + 1):
            twin.advance(WIND, np.array([DT * number]), None)
            twin.pose(0, everybody)
        wait(gpu, twin.air)

    return steps
