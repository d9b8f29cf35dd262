"""Steps a second of the plant of Guo, Li & Feng 2006: 6 stems, 54 leaves of 10 segments each."""

from collections.abc import Iterator

from windflower.bench import Row
from windflower.bench.timing import DT, rate_of, square_of
from windflower.core.device import Gpu, open_gpu
from windflower.motion import BroadleafConstants, BroadleafMotion, Places
from windflower.motion.broadleaf.broadleaf_kernels import GpuBroadleaf
from windflower.plant.growth import grow
from windflower.wind import Wind

__all__ = ["bench_broadleaf"]

PAPER = 45  # frames a second in all, on a Pentium 4 at 2.8 GHz (§4)
PLANTS, FEWER = 1000, 4  # on a graphics card, and on a software driver


def bench_broadleaf(*, seconds: float = 1.0, plants: int | None = None) -> Iterator[Row]:
    """Time whole steps of 1/60 s: forces, turns, blades with all of their points; on the device the wind as well.

    On the CPU one plant with contact; on the device `plants` without it, 1,000, or a few on a software driver.
    """
    plant = grow("banana")
    yield _row("CPU, with contact", BroadleafMotion(plant), 1, seconds, None)
    gpu = open_gpu()
    many = plants or (FEWER if gpu.software else PLANTS)
    alone = BroadleafMotion(plant, constants=BroadleafConstants(contact=False))
    yield _row("CPU", alone, 1, seconds, None)
    yield _row("GPU", alone, many, seconds, gpu)


def _row(what: str, motion: BroadleafMotion, count: int, seconds: float, gpu: Gpu | None) -> Row:
    places = _places(count)
    rate = _cpu(motion, places, seconds) if gpu is None else _gpu(gpu, motion, places, seconds)
    vertices = motion.plant.nodes + motion.blades.area.size
    return {
        "what": what,
        "plants": count,
        "vertices": count * vertices,
        "sub-steps": motion.substeps(places, DT),
        "steps/s": rate,
        "paper": PAPER if count == 1 else None,
    }


def _places(count: int) -> Places:
    places = square_of(count, apart=5.0)
    return Places(places.position, yaw=places.yaw, stiffness=places.stiffness)


def _cpu(motion: BroadleafMotion, places: Places, seconds: float) -> float:
    air = Wind.beaufort(5).velocity(motion.probes(places), 0.0)
    start = motion.settled(places, air, seconds=1.0)

    def steps(count: int) -> None:
        now = start
        for _ in range(count):
            now = motion.step(now, air, DT)

    return rate_of(steps, seconds)


def _gpu(gpu: Gpu, motion: BroadleafMotion, places: Places, seconds: float) -> float:
    twin = GpuBroadleaf(gpu, motion, places, dt=DT, wind=Wind.beaufort(5))

    def steps(count: int) -> None:
        twin.steps = 0
        twin.step(count)
        twin.wait()

    return rate_of(steps, seconds)
