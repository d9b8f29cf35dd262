"""Steps a second of flat springs, and what leaves cost: to flutter, to shed and fall, to be drawn."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from windflower.bench import Row
from windflower.bench.timing import DT, device_rate, rate_of, reference_rate, square_of
from windflower.core.buffers import recorded, storage, vec4, zeros
from windflower.core.device import Gpu, open_gpu
from windflower.motion.cantilever import CantileverMotion
from windflower.motion.cantilever.cantilever_kernels import GpuCantilever
from windflower.motion.leaves.leaf_kernels import GpuLeaves
from windflower.motion.leaves.leaf_motion import LeafMotion
from windflower.motion.leaves.seasons import Season
from windflower.motion.leaves.shedding import Shedding
from windflower.motion.leaves.shedding_kernels import GpuShedding
from windflower.motion.places import Places
from windflower.plant.detail import simplified
from windflower.plant.graph import Plant
from windflower.plant.growth import grow
from windflower.render.daylight import sunlight
from windflower.render.drawn_scene import Detail
from windflower.render.film import Film
from windflower.scene import build, parse_scene
from windflower.wind import Wind
from windflower.wind.retarded import RetardedSlabs

__all__ = ["bench_cantilever"]

TREES, SEGMENTS, LEAVES = 1000, 300, 500_000
SMALL, LARGE = (480, 270), (1920, 1080)  # pictures on a software driver, and elsewhere
FEWER = 20  # times fewer leaves on a software driver

SCENE = """
size = [{width}, {height}]
[[stands]]
plant = "quaking-aspen"
count = {trees}
area = {{ kind = "rectangle", size = [{side}, {side}] }}
motion = "cantilever"
[wind]
speed = 4.0
"""
APART = 5.0  # m from tree to tree, on average


def bench_cantilever(*, seconds: float = 1.0) -> Iterator[Row]:
    """Time whole steps (wind, bends, pose of every node) of 1,000 trees of 300 segments, and 500,000 leaves.

    Each row has what was timed, `count` of it, how often a second, and microseconds once; on the CPU (the NumPy
    reference) and the GPU. A software driver has a twentieth of the leaves.
    """
    gpu, plant = open_gpu(), _plant()
    motion, places = CantileverMotion(plant), square_of(TREES)
    nodes = TREES * (plant.nodes - 1)
    yield _row("flat springs, CPU", nodes, reference_rate(motion, places, seconds))
    yield _row("flat springs, GPU", nodes, _gpu_springs(gpu, motion, places, seconds))
    noisy = CantileverMotion(plant, noise=1.0)
    yield _row("flat springs with 1/f noise, GPU", nodes, _gpu_springs(gpu, noisy, places, seconds))
    trees, leaves = _grove(LEAVES // FEWER if gpu.software else LEAVES)
    yield _row("leaves fluttering, CPU", len(leaves) * 4, _cpu_leaves(leaves, seconds))
    yield _row("leaves fluttering, GPU", len(leaves) * len(trees), _gpu_leaves(gpu, leaves, trees, seconds))
    yield _row("leaves shedding and falling, GPU", len(leaves) * len(trees), _gpu_fall(gpu, leaves, trees, seconds))
    size = SMALL if gpu.software else LARGE
    drawn, taken = _seconds_to_draw(gpu, len(trees), size, seconds=seconds)
    yield _row(f"leaves drawn with their shadows, {size[0]}x{size[1]}, GPU", drawn, 1 / max(taken, 1e-9))


def _row(what: str, count: int, rate: float) -> Row:
    return {"what": what, "count": count, "times per second": rate, "microseconds": 1e6 / rate}


def _plant() -> Plant:
    return simplified(grow("oak", detail=0.1), SEGMENTS + 1)


def _grove(leaves: int) -> tuple[Places, LeafMotion]:
    """Places of aspens that have about this number of leaves together, and the motion of their leaves."""
    motion = LeafMotion.of(grow("quaking-aspen"))
    return square_of(max(1, round(leaves / len(motion)))), motion


def _gpu_springs(gpu: Gpu, motion: CantileverMotion, places: Places, seconds: float) -> float:
    return device_rate(GpuCantilever(gpu, motion, places, dt=DT, wind=Wind.beaufort(6)), seconds)


def _cpu_leaves(leaves: LeafMotion, seconds: float) -> float:
    places, air = square_of(4), np.tile([4.0, 0.0, 1.0], (4, 1))

    def frames(count: int) -> None:
        for frame in range(count):
            leaves.angles(places, air, frame * DT)

    return rate_of(frames, seconds)


def _gpu_leaves(gpu: Gpu, leaves: LeafMotion, places: Places, seconds: float) -> float:
    air = storage(gpu, vec4(np.tile([4.0, 0.0, 1.0], (len(places), 1))))
    twin = GpuLeaves(gpu, leaves, places, air)
    twin.show(np.arange(len(places)), 1.0)

    def frames(count: int) -> None:
        with recorded(gpu) as compute_pass:
            for _ in range(count):
                twin.flutter(compute_pass)
        twin.wait()

    return rate_of(frames, seconds, most=1000)


def _gpu_fall(gpu: Gpu, leaves: LeafMotion, places: Places, seconds: float) -> float:
    """Steps a second of shedding with half of the leaves on the tree, the others in the air and on the ground."""
    low, far, plant = places.position.min(axis=0) - 20, places.position.max(axis=0) + 20, leaves.plant
    wind = RetardedSlabs(gpu, Wind.beaufort(6), [[low[0], 0.0, low[2]], [far[0], 15.0, far[2]]])
    shedding = Shedding(leaves, season=Season.of(plant, 345.0), rate=0.2)
    twin = GpuShedding(gpu, shedding, places, wind)
    points = zeros(gpu, 16 * plant.nodes * len(places))
    at_rest = vec4(np.broadcast_to(plant.position, (len(places), plant.nodes, 3)))
    gpu.queue.write_buffer(points, 0, at_rest)
    for _ in range(60):
        twin.step(points, 1 / 20)

    def frames(count: int) -> None:
        twin.time = 3.0
        for _ in range(count):
            twin.step(points, 1e-4)
        gpu.queue.read_buffer(twin.cards, 0, 16)

    return rate_of(frames, seconds, most=2000)


def _seconds_to_draw(gpu: Gpu, trees: int, size: tuple[int, int], *, seconds: float) -> tuple[int, float]:
    """The number of leaves of so many aspens at their finest level, and the seconds that those add to a frame.

    All of them flutter in the vertex shader of the shadow and of the view pass.
    """
    width, height = size
    text = SCENE.format(width=width, height=height, trees=trees, side=APART * np.sqrt(trees))
    film = Film(build(parse_scene(text)), gpu=gpu, quality="good")
    stand = film.drawn.stands[0]
    stand.finest = np.arange(trees)
    film.go_to(0.5)
    in_leaf = 1 / rate_of(lambda count: _draw(film, count), seconds)
    leaves = sum(mesh.leaf_count for mesh in stand.meshes[:1]) * trees
    for mesh in stand.meshes:
        mesh.leaves = None
    return leaves, in_leaf - 1 / rate_of(lambda count: _draw(film, count), seconds)


def _draw(film: Film, count: int) -> None:
    """Draw the same frame many times, with leaves that flutter."""
    detail = Detail(film.renderer.size, budget=10**9, alone=True)
    frame = film.drawn.frame(film.scene.camera.view(0.0), sunlight(film.scene.sun, 0.0), 0.0, detail)
    for number in range(count):
        film.renderer.draw(replace(frame, time=number / 60))
    film.renderer.read()
