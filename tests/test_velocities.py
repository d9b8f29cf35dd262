"""Velocities of pixels against positions of the same points in both frames, worked out in NumPy and projected."""

from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.drawn_leaves import Seen, drawn_leaves
from windflower.core.arrays import FloatArray, IntArray
from windflower.core.device import Gpu
from windflower.geometry.frames import LeafConditions
from windflower.geometry.lod_meshes import stand_meshes
from windflower.geometry.triangle_mesh import SHEETS, WOOD, TriangleMesh, triangle_mesh
from windflower.mechanics.foliage import known_species
from windflower.motion.poses.details import bowed
from windflower.render.film import Film
from windflower.render.renderer import Renderer
from windflower.render.sward import SOWN
from windflower.render.temporal import jitter
from windflower.scene import build, parse_scene

CLOSE = 0.05  # pixels
BEFORE, NOW = 1.0, 1.0625  # s: numbers that float32 has exactly, so that both see the same phase of every leaf
SIZE = (240, 180)
SCENE = """
size = [240, 180]
[[stands]]
{stand}
[wind]
speed = 12.0
[ground]
kind = "{ground}"
[camera]
{camera}
"""
OAK = 'plant = "oak"\ndetail = 0.15\nmotion = { kind = "modal", modes = 10 }'
ABOUT = 'kind = "orbit"\ntarget = [0, 5, 0]\ndistance = 16\nturn = 24'


class Targets(NamedTuple):
    """What a renderer of frames that follow one another has drawn: velocities, and depths."""

    velocity: NDArray[np.float32]
    depth: NDArray[np.float32]


def read_targets(renderer: Renderer) -> Targets:
    (width, height), queue = renderer.size, renderer.gpu.queue
    assert renderer.temporal is not None
    velocity, depth = (
        queue.read_texture({"texture": texture}, {"bytes_per_row": 4 * width}, (width, height, 1))
        for texture in (renderer.temporal.velocity, renderer._depth)
    )
    pixels = np.frombuffer(velocity, "<f2").reshape(height, width, 2).astype("<f4")
    return Targets(pixels, np.frombuffer(depth, "<f4").reshape(height, width))


class Take:
    """Two frames of a scene, one after the other."""

    def __init__(
        self, gpu: Gpu, stand: str, camera: str = ABOUT, ground: str = "sand", *, finest: bool = False
    ) -> None:
        scene = build(parse_scene(SCENE.format(stand=stand, camera=camera, ground=ground)))
        self.film = Film(scene, quality="draft", gpu=gpu)
        self.renderer = self.film.moving_renderer
        self.film.drawn.stands[0].finest = np.array([0] if finest else [], np.int64)
        self.film.next_frame(BEFORE)

    def go_on(self) -> Targets:
        self.film.next_frame(NOW)
        return read_targets(self.renderer)

    def projected(self, points: FloatArray, t: float) -> FloatArray:
        """(…, 3) x and y in pixels, and depth, of points in the world."""
        clip = np.concatenate([points, np.ones((*points.shape[:-1], 1))], axis=-1)
        clip = clip @ self.renderer.projection(self.film.scene.camera.view(t)).T
        x, y, z = np.moveaxis(clip[..., :3] / clip[..., 3:], -1, 0)
        return np.stack([(x + 1) / 2 * SIZE[0], (1 - y) / 2 * SIZE[1], z], axis=-1)

    @property
    def aside(self) -> FloatArray:
        """Where the samples of the second frame lie in their pixels."""
        return jitter(1)

    def checked(
        self, before: FloatArray, now: FloatArray, seen: Targets, near: float = 1e-4
    ) -> tuple[IntArray, FloatArray]:
        """Of points (n, 3) in the world at both times: which are seen, and how wrong their velocities are, pixels.

        near  how well the depth of a pixel must be a point's
        """
        was, there = self.projected(before, BEFORE), self.projected(now, NOW)
        pixel = np.floor(there[:, :2] + self.aside).astype(int)
        inside = np.flatnonzero(((pixel >= 0) & (pixel < SIZE)).all(axis=1))
        column, row = pixel[inside].T
        visible = inside[np.abs(seen.depth[row, column] / there[inside, 2] - 1) < near]
        column, row = pixel[visible].T
        wrong = seen.velocity[row, column] - (there - was)[visible, :2]
        return visible, np.linalg.norm(wrong, axis=1)


def posed_mesh(take: Take, t: float) -> TriangleMesh:
    """Wood and leaves, or sheets, of the first plant now, in the world."""
    simulation, stand = take.film.simulation, take.film.simulation.stands[0].stand
    points, air = simulation.pose(0, 0)[None], simulation.air(0)[:1]
    where = stand.places.some(np.array([0]))
    wind = where.turned_to_plant(air[:, None])[:, 0]
    conditions = LeafConditions(air=wind, time=t, foliage=stand.foliage)
    return triangle_mesh(stand_meshes(stand).meshes[0], points, leaves=conditions).placed(where)


def leaves_of(take: Take, t: float) -> FloatArray:
    """(triangles, 3, 3) kites of all leaves of the first plant now, as they are drawn in the second frame."""
    simulation, stand = take.film.simulation, take.film.simulation.stands[0].stand
    where, species = stand.places.some(np.array([0])), known_species(stand.plant)
    assert species is not None
    assert species.leaf is not None
    wind = where.turned_to_plant(simulation.air(0)[:1, None])[:, 0]
    conditions, view = LeafConditions(air=wind, time=t, foliage=stand.foliage), take.film.scene.camera.view(NOW)
    seen = Seen(view.eye, view.pixel(SIZE))
    mesh, points = stand_meshes(stand).meshes[0], simulation.pose(0, 0)[None]
    return drawn_leaves(mesh, species.leaf, points, conditions, where, seen).triangle


def at_pixels(take: Take, corners: FloatArray) -> tuple[IntArray, FloatArray]:
    """Triangles that contain the sample of their middle's pixel, and where that is in them, shares of the corners."""
    flat = take.projected(corners, NOW)
    sample = np.floor(flat[..., :2].mean(axis=1) + take.aside) + 0.5 - take.aside
    a, b, c = np.moveaxis(flat[..., :2], 1, 0)
    area = _cross(b - a, c - a)
    pairs = ((b, c), (c, a), (a, b))
    share = np.stack([_cross(one - sample, other - sample) for one, other in pairs], axis=1)
    share = share / np.where(np.abs(area) < 1e-9, 1e-9, area)[:, None]
    inside = (share > 0.02).all(axis=1) & (np.abs(area) > 0.05)
    share = share * flat[..., 2]  # depth is one over the distance: as perspective has it
    return np.flatnonzero(inside), (share / share.sum(axis=1, keepdims=True))[inside]


def _cross(a: FloatArray, b: FloatArray) -> FloatArray:
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


def compared(take: Take, before: TriangleMesh, now: TriangleMesh, part: int, seen: Targets) -> FloatArray:
    """How wrong the velocities of the visible triangles of a part are, pixels."""
    own = now.part == part
    first, second = (mesh.position[0][mesh.triangle[own]] for mesh in (before, now))
    return of_triangles(take, first, second, seen)


def of_triangles(take: Take, before: FloatArray, now: FloatArray, seen: Targets) -> FloatArray:
    """How wrong the velocities of those triangles (n, 3, 3) are that can be seen, pixels."""
    some, share = at_pixels(take, now)
    points = [np.einsum("tc,tcx->tx", share, corners[some]) for corners in (before, now)]
    return take.checked(points[0], points[1], seen)[1]


class Gale(NamedTuple):
    """An oak in a gale, before and now, its leaves at both times, and what was drawn of it."""

    take: Take
    before: TriangleMesh
    now: TriangleMesh
    leaves: tuple[FloatArray, FloatArray]
    seen: Targets


@pytest.fixture(scope="module")
def oak(gpu: Gpu) -> Gale:
    take = Take(gpu, OAK, finest=True)
    before, leaves = posed_mesh(take, BEFORE), leaves_of(take, BEFORE)
    seen = take.go_on()
    return Gale(take, before, posed_mesh(take, NOW), (leaves, leaves_of(take, NOW)), seen)


def test_leaves_move_as_their_corners_do(oak: Gale) -> None:
    wrong = of_triangles(oak.take, *oak.leaves, oak.seen)
    assert len(wrong) > 150
    assert (wrong < CLOSE).mean() > 0.97, np.sort(wrong)[-9:]
    assert np.median(wrong) < 0.005


def test_wood_moves_as_its_vertices_do(oak: Gale) -> None:
    take, before, now, _, seen = oak
    moved = np.linalg.norm(take.projected(now.position[0], NOW) - take.projected(before.position[0], BEFORE), axis=-1)
    assert np.median(moved) > 0.5, "a test of what stands still says nothing"
    wood = compared(take, before, now, WOOD, seen)
    assert len(wood) > 30
    assert (wood < CLOSE).mean() > 0.98, np.sort(wood)[-9:]
    assert np.median(wood) < 0.003


def test_sheets_move_as_their_points_do(gpu: Gpu) -> None:
    take = Take(gpu, 'plant = "flag"', 'kind = "orbit"\nturn = 24')
    before = posed_mesh(take, BEFORE)
    seen = take.go_on()
    wrong = compared(take, before, posed_mesh(take, NOW), SHEETS, seen)
    assert len(wrong) > 20
    assert wrong.max() < CLOSE


def test_what_stands_still_moves_as_the_camera_does(oak: Gale) -> None:
    take, seen = oak.take, oak.seen
    x, z = np.meshgrid(np.linspace(-9, 9, 41), np.linspace(-9, 9, 41))
    ground = np.stack([x.ravel(), np.zeros(x.size), z.ravel()], axis=1)
    visible, wrong = take.checked(ground, ground, seen, near=2e-3)
    assert len(visible) > 150
    assert np.percentile(wrong, 98) < CLOSE, "sand is flat; its grains and stones are not"
    assert seen.depth[3, 3] == 0, "sky"
    after, before = (take.renderer.projection(take.film.scene.camera.view(t)) for t in (NOW, BEFORE))
    corner = (np.array([3.5, 3.5]) - take.aside) / SIZE * (2, -2) - (1, -1)
    ray = np.linalg.inv(after) @ [*corner, 1.0, 1.0]
    ray = ray[:3] / ray[3] - take.film.scene.camera.view(NOW).eye
    clip = before @ [*ray, 0.0]
    was = (clip[:2] / clip[3] * (1, -1) + 1) / 2 * SIZE
    np.testing.assert_allclose(seen.velocity[3, 3], np.array([3.5, 3.5]) - take.aside - was, atol=CLOSE)


def sown(renderer: Renderer) -> NDArray[np.void]:
    """Blades of grass of the latest frame."""
    ground = renderer._ground
    assert ground is not None
    (own,) = (one for one in ground.sward._drawn if one.population.name == "grass")
    count = len(ground.sward.shown["grass"]) * ground.sward.each["grass"]
    found = np.frombuffer(renderer.gpu.queue.read_buffer(own._sown, 0, count * SOWN.itemsize), SOWN)
    return found[(found["root"][:, 3] > 0) & (found["colour"][:, 3] < 2)]  # no stalks


def spine(blades: NDArray[np.void], t: float) -> FloatArray:
    """(n, 3) points along the middle of blades, m: a parabola over a knee, as long however far it bends."""
    lean, tall = blades["lean"][:, :2].astype(float), blades["root"][:, 3:].astype(float)
    bend = lean * np.minimum(1.0, 0.98 / np.maximum(np.linalg.norm(lean, axis=1, keepdims=True), 1e-3))
    square = np.square(bend).sum(axis=1)
    up = np.sqrt(np.maximum(1 - square, 0.03))
    tip = np.stack([bend[:, 0], up - blades["air"][:, 2] * 0.35 * square, bend[:, 1]], axis=1) * tall
    knee = np.stack([0.12 * bend[:, 0], 0.5 + 0.12 * up, 0.12 * bend[:, 1]], axis=1) * tall
    return np.asarray(blades["root"][:, :3] + 2 * t * (1 - t) * knee + t**2 * tip)


def test_grass_moves_as_its_blades_do(gpu: Gpu) -> None:
    camera = 'kind = "orbit"\ntarget = [0, 0.2, 0]\ndistance = 2.5\nelevation = 25\nturn = 3'
    take = Take(gpu, OAK.replace('"oak"', '"hazel-bush"') + "\npositions = [[60, 60]]", camera, ground="meadow")
    before = sown(take.renderer)
    seen = take.go_on()
    now = sown(take.renderer)
    roots = {row.tobytes(): number for number, row in enumerate(before["root"][:, :3])}
    pairs = [(roots[row.tobytes()], number) for number, row in enumerate(now["root"][:, :3]) if row.tobytes() in roots]
    first, second = np.array(pairs).T
    wrong = [take.checked(spine(before[first], t), spine(now[second], t), seen, near=2e-3)[1] for t in (0.5, 0.75)]
    every = np.concatenate(wrong)
    assert len(every) > 100
    # Where another blade as far away hides a point, its velocity is read instead.
    assert (every < CLOSE).mean() > 0.9, np.percentile(every, [50, 80, 90])


def test_cards_of_far_trees_sway_as_their_crowns_do(gpu: Gpu) -> None:
    camera = 'kind = "orbit"\ntarget = [0, 4, 0]\ndistance = 330\nelevation = 2\nturn = 1'
    take = Take(gpu, OAK + "\npositions = [[-70, 0], [-35, 0], [0, 0], [35, 0], [70, 0]]", camera)
    stand = take.film.drawn.stands[0]
    crown = stand.moved.twin.crown
    every = np.arange(len(stand.places))

    def crowns() -> FloatArray:
        stand.moved.pose(len(stand.meshes), every)
        posed = stand.moved.twin.read(len(stand.meshes))[:, 1, :3].astype(float)
        return stand.places.to_world(crown + bowed(posed - crown, float(crown[1]))[:, None])[:, 0]

    before = crowns()
    seen = take.go_on()
    assert not take.film.costs.latest.drawables.plants, "all are cards"  # type: ignore[union-attr]
    now = crowns()
    was, there = take.projected(before, BEFORE), take.projected(now, NOW)
    column, row = np.floor(there[:, :2] + take.aside).astype(int).T
    known = seen.depth[row, column] > 0.5 * there[:, 2]  # the card lies before or behind the crown's middle
    assert known.sum() >= 3
    wrong = np.linalg.norm(seen.velocity[row, column] - (there - was)[:, :2], axis=1)[known]
    assert wrong.max() < CLOSE
