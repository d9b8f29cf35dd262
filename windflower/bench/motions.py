"""Steps a second of every registered motion: one small tree at 64 places, in NumPy and on the device, in one run."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from windflower.bench import Row
from windflower.bench.timing import DT, rate_of
from windflower.core.buffers import wait
from windflower.core.device import Gpu, open_gpu
from windflower.errors import GpuError, MissingExtraError, WindflowerError
from windflower.motion import Places
from windflower.plant.growth import grow
from windflower.render.film import Film
from windflower.scene import Scene, SceneSettings, build
from windflower.scene.motion_table import KINDS

__all__ = ["bench_motions"]

PLACES, NODES = 64, 300
TREE, BROADLEAF = "walnut", "hosta"  # a tree, and a plant for motions that move broad leaves alone
PERIOD = 10.0  # s after which loops repeat


def bench_motions(*, seconds: float = 1.0, places: int = PLACES, nodes: int = NODES) -> Iterator[Row]:
    """Time whole steps (state, and the pose of every node) of each kind of motion.

    Each row has the `motion`, the `plant` with its `nodes`, steps a second in NumPy (`cpu`) and on the device (`gpu`),
    how many times as fast the device is (`gain`), and both as ratios to those of the first motion. `gpu` is None for
    motions without a device twin, and where there is no graphics driver.
    """
    gpu, first = _device(), None
    for kind in _kinds():
        scene = _scene_of(kind, places, nodes)
        cpu = rate_of(_in_numpy(scene), seconds)
        device = rate_of(_on_device(gpu, scene), seconds) if gpu else None
        first = first or (cpu, device)
        yield {
            "motion": kind,
            "plant": scene.stands[0].plant.species,
            "nodes": scene.nodes,
            "cpu": cpu,
            "gpu": device,
            "gain": device and device / cpu,
            "cpu ratio": cpu / first[0],
            "gpu ratio": device / first[1] if device and first[1] else None,
        }


def _kinds() -> tuple[str, ...]:
    """The names of all motions."""
    return tuple(KINDS)


def _device() -> Gpu | None:
    try:
        return open_gpu()
    except (GpuError, MissingExtraError):
        return None


def _scene_of(kind: str, places: int, nodes: int) -> Scene:
    """A square of trees, or of broad-leaved plants where this motion cannot move trees."""
    try:
        return build(_settings(kind, TREE, places, nodes / grow(TREE).nodes))
    except WindflowerError:
        return build(_settings(kind, BROADLEAF, places, 1.0))


def _settings(kind: str, plant: str, places: int, detail: float) -> SceneSettings:
    side = 6.0 * np.arange(np.ceil(np.sqrt(places)))
    grid = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)[:places]
    stand = {"plant": plant, "detail": detail, "positions": grid.tolist(), "motion": kind}
    return SceneSettings.model_validate({"seconds": PERIOD, "stands": [stand], "wind": {"speed": 8.0}})


def _in_numpy(scene: Scene) -> Callable[[int], None]:
    """So many steps of the NumPy reference, each posed."""
    (stand,) = scene.stands
    motion: Any = stand.loop or stand.motion
    places = Places() if motion.plant.roots.size > 1 else stand.places
    air = scene.wind.velocity(motion.probes(places), 0.0)
    start = motion.rest(places)

    def steps(count: int) -> None:
        state = start
        for _ in range(count):
            state = motion.step(state, air, DT)
            motion.pose(state)

    return steps


def _on_device(gpu: Gpu, scene: Scene) -> Callable[[int], None]:
    """So many steps on the device, each posed."""
    stage = Film(scene, gpu=gpu, size=(64, 36)).stage
    mover, everybody = stage.stands[0].mover, np.arange(scene.trees)

    def steps(count: int) -> None:
        for _ in range(count):
            stage.advance(stage.time + stage.dt)
            mover.pose(0, everybody)
        wait(gpu, mover.air)

    return steps
