"""Steps a second of forests: Diener et al. 2009, Table 1, on the CPU and on the GPU."""

from collections.abc import Iterator
from contextlib import nullcontext
from itertools import product
from typing import Any

from windflower.bench import Row
from windflower.bench.timing import DT, device_rate, rate_of, reference_rate, square_of, tree_of
from windflower.core.buffers import bindings, dispatch, kernel, recorded, wait, zeros
from windflower.core.device import Gpu, open_gpu
from windflower.mechanics import Modes, analyse
from windflower.motion.modal.modal_kernels import GpuModal
from windflower.motion.modal.modal_motion import ModalMotion
from windflower.motion.poses.sheets import Tuning
from windflower.motion.poses.single_pose import compiles, without_numba
from windflower.wind import Wind

__all__ = ["bench_forest", "bench_poses", "tune_forest"]

MODES = 25
# Steps a second of Diener et al. 2009, Table 1, on a GeForce 8800 GTS, by nodes and trees; the last is ours alone.
PAPER = {
    (100, 1000): 712,
    (100, 2000): 385,
    (100, 8000): 103,
    (1000, 100): 690,
    (1000, 500): 169,
    (1000, 1000): 87,
    (1000, 2000): 43,
    (1000, 8000): 11,
    (8000, 20): 426,
    (8000, 100): 102,
    (8000, 500): 21,
    (8000, 1000): 11,
    (1000, 100_000): None,
}
COMPILED = "single, compiled"
SOFTWARE_MOST = 2_000_000  # posed nodes a step; beyond, a software driver takes minutes
CPU_MOST = 10_000_000
LARGEST = 100_000_000


def bench_forest(*, seconds: float = 1.0, most: int = LARGEST) -> Iterator[Row]:
    """Time whole steps (wind, state, pose of every node) of forests of a walnut with 25 modes.

    Each row has `nodes`, `trees`, steps a second in the `paper`, of the NumPy reference (`cpu`, rotated pose), of the
    GPU (`rotated`, `linear`, `corrected`), the `bound`: how often the GPU's memory could take the nodes alone, and the
    `ratio` of the GPU's rotated pose to the paper. Forests of more than `most` nodes are left out. Every number is
    measured for about so many `seconds`; None where it would take too long or was not published.
    """
    gpu = open_gpu()
    bandwidth = _write_bandwidth(gpu)
    for nodes, trees in PAPER:
        if nodes * trees <= most:
            yield _row(gpu, bandwidth, nodes, trees, seconds)


def tune_forest(*, nodes: int = 1000, trees: int = 8000, seconds: float = 0.5) -> Iterator[Row]:
    """Time variants of the pose kernels: sizes of workgroups, nodes and plants to each."""
    gpu, modes = open_gpu(), _modes(nodes)
    linear = [Tuning(threads=threads, run=run) for threads, run in product((64, 128, 256), (1, 2, 8))]
    rotated = [Tuning(chunk=chunk, quads=quads) for chunk, quads in product((32, 64, 128), (1, 2))]
    for pose, tunings in (("linear", linear), ("rotated", rotated)):
        for tuning in tunings:
            rate = _gpu_rate(gpu, modes, pose, trees, seconds, tuning=tuning)
            yield {"pose": pose, **vars(tuning), "steps per second": rate}


def _write_bandwidth(gpu: Gpu) -> float:
    """Bytes a second that the device's memory takes from a kernel that only writes."""
    size = min(1 << 30, gpu.binding_size, gpu.buffer_size) if not gpu.software else 1 << 26
    target, pipeline = zeros(gpu, size), kernel(gpu, "bench/fill.wgsl")
    group = bindings(gpu, pipeline, target)

    def fill(times: int) -> None:
        with recorded(gpu) as compute_pass:
            for _ in range(times):
                dispatch(compute_pass, pipeline, group, -(-size // (16 * 256)))
        wait(gpu, target)

    return size * rate_of(fill, 0.5)


def _row(gpu: Gpu, bandwidth: float, nodes: int, trees: int, seconds: float) -> Row:
    modes = _modes(nodes)
    too_many = gpu.software and nodes * trees > SOFTWARE_MOST
    rates = {
        pose: None if too_many else _gpu_rate(gpu, modes, pose, trees, seconds)
        for pose in ("rotated", "linear", "corrected")
    }
    paper, rotated = PAPER[nodes, trees], rates["rotated"]
    return {
        "nodes": nodes,
        "trees": trees,
        "paper": paper,
        "cpu": reference_rate(ModalMotion(modes, speed=8.0), square_of(trees), seconds)
        if nodes * trees <= CPU_MOST
        else None,
        **rates,
        "bound": bandwidth / (16 * nodes * trees),
        "ratio": rotated / paper if paper and rotated else None,
    }


def _gpu_rate(gpu: Gpu, modes: Modes, pose: str, trees: int, seconds: float, **options: Any) -> float:
    """Steps a second, the wind found at every crown and all nodes of all trees posed after each."""
    motion, places = ModalMotion(modes, pose=pose, speed=8.0), square_of(trees)
    return device_rate(GpuModal(gpu, motion, places, dt=DT, wind=Wind.beaufort(6), **options), seconds)


def _modes(nodes: int) -> Modes:
    return analyse(tree_of(nodes), count=MODES, cache=False)


def bench_poses(*, nodes: int = 1_000, trees: int = 1_000, count: int = MODES, seconds: float = 2.0) -> Iterator[Row]:
    """Steps a second of a forest on the CPU, one row for each pose, beside the paper's GPU with the same forest.

    `numbers` are those of the pose: the reference is double, and single precision uses all cores, by compiled loops,
    too, where the extra 'fast' is installed.
    """
    modes = analyse(tree_of(nodes), count=count)
    paper = PAPER.get((nodes, trees)) if count == MODES else None
    ways = [("linear", "double"), ("rotated", "double"), ("rotated", "single"), ("corrected", "double")]
    if compiles():
        ways.insert(3, ("rotated", COMPILED))
    for pose, numbers in ways:
        motion = ModalMotion(modes, pose=pose, speed=8.0)
        with nullcontext() if numbers == COMPILED else without_numba():
            rate = reference_rate(motion, square_of(trees), seconds, single=numbers != "double")
        row = {"pose": pose, "numbers": numbers, "trees": trees, "nodes": modes.plant.nodes, "modes": count}
        yield row | {"steps/s": rate} | ({"paper": paper, "ratio": rate / paper} if paper else {})
