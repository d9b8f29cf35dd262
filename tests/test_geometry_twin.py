"""Meshes that NumPy makes against the triangles that the shaders draw, for every species, at rest and in a storm."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest

from tests.sampled import sampled
from tests.stands import places
from windflower import grow
from windflower.core.arrays import FloatArray
from windflower.core.buffers import read_floats, recorded, storage, uniform, vec4, zeros
from windflower.core.device import Gpu
from windflower.core.layouts import record
from windflower.core.quaternions import turned
from windflower.core.shaders import shader_text
from windflower.geometry.frames import LeafConditions, leaf_frames
from windflower.geometry.grids import grid_triangles, grid_vertices
from windflower.geometry.leaf_textures import leaf_mask
from windflower.geometry.lod_meshes import plant_meshes, stand_meshes
from windflower.geometry.mesh import LEAF, Mesh
from windflower.geometry.triangle_mesh import LEAVES, SHEETS, WOOD, triangle_mesh
from windflower.mechanics import analyse
from windflower.mechanics.foliage import known_species
from windflower.motion import BroadleafMotion, LeafMotion, ModalMotion, Motion, Places, Season
from windflower.motion.leaves.foliage import Foliage
from windflower.motion.rhythm import PERIOD
from windflower.motion.stand import Stand
from windflower.plant.species import species_names, species_of
from windflower.render.drawn import INSTANCE, DrawnMesh
from windflower.render.pipelines import FRAME, make_pipelines
from windflower.scene import build, parse_scene

STORM, DT = 25.0, 1 / 30  # m/s, s
TIME = 7.25  # s: a number that float32 has exactly, so that both see the same phase of every leaf
CLOSE = 1e-5  # m
BROADLEAVED = ("banana", "hollyhock", "hosta", "violet")
CORNERS = """
@group(3) @binding(0) var<storage, read_write> b_out: array<vec4f>;
@group(3) @binding(1) var<uniform> u_first: vec4u;  // the first vertex; how many there are

fn put(id: vec3u, point: vec3f, normal: vec3f) {
  let at = 2u * (id.y * u_first.y + id.x);
  b_out[at] = vec4f(point, 0.0);
  b_out[at + 1u] = vec4f(normal, 0.0);
}
"""
WOOD_AND_LEAVES = """
@compute @workgroup_size(64)
fn tubes(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= u_first.y) { return; }
  let at = tube_vertex(u_first.x + id.x);
  let corner = tube_corner(segment_frame(id.y, b_segments[at.segment]), at.t, at.angle, 0.0);
  put(id, corner.point, corner.normal);
}

@compute @workgroup_size(64)
fn leaves(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= u_first.y) { return; }
  let corner = vec2f(f32(id.x & 1u) - 0.5, f32((id.x >> 1u) & 1u));
  let placed = card_corner(leaf_frame(id.y, b_leaves[id.x / 4u], b_instances[id.y]), corner);
  put(id, placed.point, placed.normal);
}
"""
BLADES_AND_SHEETS = """
@compute @workgroup_size(64)
fn sheets(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= u_first.y) { return; }
  let corner = grid_corner(id.y, b_vertices[id.x]);
  put(id, corner.point, corner.normal);
}
"""


class Shaders:
    """The corners that vertex shaders make, worked out by a compute shader that calls their own functions."""

    def __init__(self, gpu: Gpu, source: str, mains: str, meshes: int) -> None:
        self.gpu = gpu
        read, own = {"type": "read-only-storage"}, {"type": "uniform"}
        kinds = [[own], [read] * 4, [own, *[read] * (meshes - 1)], [{"type": "storage"}, own]]
        self._layouts = [
            gpu.device.create_bind_group_layout(
                entries=[{"binding": i, "visibility": 4, "buffer": kind} for i, kind in enumerate(group)]
            )
            for group in kinds
        ]
        self._layout = gpu.device.create_pipeline_layout(bind_group_layouts=self._layouts)
        self._module = gpu.device.create_shader_module(code=shader_text(source) + CORNERS + mains)

    @cache  # noqa: B019
    def _pipeline(self, entry: str) -> Any:
        compute = {"module": self._module, "entry_point": entry}
        return self.gpu.device.create_compute_pipeline(layout=self._layout, compute=compute)

    def corners(
        self, entry: str, groups: Sequence[Sequence[Any]], first: int, count: int, instances: int
    ) -> FloatArray:
        """(instances, count, 2, 3) positions and normals of so many vertices from the first one on."""
        gpu, out, which = self.gpu, zeros(self.gpu, 32 * count * instances), uniform(self.gpu, 16)
        gpu.queue.write_buffer(which, 0, np.array([first, count, 0, 0], "<u4"))
        with recorded(gpu) as compute_pass:
            compute_pass.set_pipeline(self._pipeline(entry))
            for number, buffers in enumerate([*groups, [out, which]]):
                entries = [{"binding": i, "resource": {"buffer": buffer}} for i, buffer in enumerate(buffers)]
                group = gpu.device.create_bind_group(layout=self._layouts[number], entries=entries)
                compute_pass.set_bind_group(number, group)
            compute_pass.dispatch_workgroups(-(-count // 64), instances)
        floats = read_floats(gpu, out)[: 8 * count * instances]
        return floats.reshape(instances, count, 2, 4)[..., :3].astype(np.float64)


@dataclass(frozen=True, eq=False)
class Moment:
    """Instances of a plant as both sides get them: posed points, yaw, the wind over each crown, what leaves do."""

    points: FloatArray
    where: Places
    air: FloatArray
    foliage: Foliage | None = None
    period: float = 0.0
    cards: tuple[FloatArray, FloatArray] | None = None  # feet and orientations of leaves, all of which have fallen

    @property
    def conditions(self) -> LeafConditions:
        wind = self.where.turned_to_plant(self.air[:, None])[:, 0]
        return LeafConditions(air=wind, time=TIME, period=self.period, foliage=self.foliage)

    def buffers(self, gpu: Gpu) -> list[list[Any]]:
        time = TIME % (self.period or PERIOD)
        frame = record(FRAME, clock=(time, 0.0, self.period, 0.0))
        u_frame = uniform(gpu, FRAME.itemsize)
        gpu.queue.write_buffer(u_frame, 0, frame)
        records, count, yaw = np.zeros(len(self.where), INSTANCE), len(self.where), self.where.yaw
        records["place"] = np.column_stack([self.where.position, self.where.scale])
        records["turn"] = np.column_stack([np.cos(yaw), np.sin(yaw), np.full(count, 0.5), np.ones(count)])
        records["id"][:, 0], records["id"][:, 3] = np.arange(count), 2 if self.cards else 0
        cards = np.stack([vec4(self.cards[0], 1.0), self.cards[1]], axis=1).astype("<f4") if self.cards else np.zeros(4)
        data = (vec4(self.points), records, vec4(self.air), cards.astype("<f4"))
        return [[u_frame], [storage(gpu, part) for part in data]]


def at_rest(mesh: Mesh) -> Moment:
    return Moment(in_float32(mesh.rest[None]), Places(), np.zeros((1, 3)))


def in_float32(points: FloatArray) -> FloatArray:
    """As a buffer has them."""
    return points.astype(np.float32).astype(np.float64)


def drawn_triangles(gpu: Gpu, mesh: Mesh, now: Moment) -> dict[int, FloatArray]:
    """(count, triangles, 3, 2, 3) positions and normals at the corners of triangles of wood and leaves, as drawn."""
    shaders = wood_and_leaves(gpu)
    drawn = DrawnMesh(gpu, make_pipelines(gpu, 1).layouts, mesh, known_species(mesh.foliage.plant))
    foliage = now.foliage or Foliage(mesh.foliage)
    drawn.set_leaves(foliage.leaves, foliage.season)
    segments = storage(gpu, mesh.segments)
    cards = storage(gpu, mesh.leaves if len(mesh.leaves) else np.zeros(1, LEAF))
    known, instances, wood = now.buffers(gpu), len(now.points), []
    for tubes in mesh.tubes:
        counts = np.array([mesh.nodes, tubes.sides, tubes.rings, len(mesh.leaves)], "<u4")
        gpu.queue.write_buffer(drawn.of_leaves, 0, counts)
        stride = tubes.sides * (tubes.rings + 1)
        first, count = tubes.first * stride, tubes.count * stride
        seen = shaders.corners("tubes", [*known, [drawn.of_leaves, segments, cards]], first, count, instances)
        wood.append(seen[:, tubes.indices().reshape(-1, 3) - first])
    found = {WOOD: np.concatenate(wood, axis=1)}
    if len(mesh.leaves):
        count = 4 * len(mesh.leaves)
        seen = shaders.corners("leaves", [*known, [drawn.of_leaves, segments, cards]], 0, count, instances)
        quads = np.array([[0, 1, 2], [2, 1, 3]]) + 4 * np.arange(len(mesh.leaves))[:, None, None]
        found[LEAVES] = seen[:, quads.reshape(-1, 3)]
    return found


def drawn_sheets(gpu: Gpu, mesh: Mesh, now: Moment, before: float) -> FloatArray:
    """(count, triangles, 3, 2, 3) as `drawn_triangles`, of blades or sheets."""
    vertices = grid_vertices(mesh.grids)
    style = np.zeros(16, "<f4")
    style[:1].view("<u4")[:] = mesh.nodes
    style[13] = before
    u_style = uniform(gpu, 64)
    gpu.queue.write_buffer(u_style, 0, style)
    groups = [*now.buffers(gpu), [u_style, storage(gpu, vertices)]]
    seen = sheets(gpu).corners("sheets", groups, 0, len(vertices), len(now.points))
    return seen[:, grid_triangles(mesh.grids)]


@cache
def wood_and_leaves(gpu: Gpu) -> Shaders:
    return Shaders(gpu, "render/wgsl/deform.wgsl", WOOD_AND_LEAVES, 3)


@cache
def sheets(gpu: Gpu) -> Shaders:
    return Shaders(gpu, "render/wgsl/grids.wgsl", BLADES_AND_SHEETS, 2)


def assert_twins(gpu: Gpu, mesh: Mesh, now: Moment, *, before: float = 0.0) -> None:
    made = triangle_mesh(mesh, now.points, leaves=now.conditions, before=before)
    drawn = drawn_triangles(gpu, mesh, now)
    if mesh.grids:
        drawn[SHEETS] = drawn_sheets(gpu, mesh, now, before)
    assert set(drawn) == set(made.part.tolist())
    for part, corner in drawn.items():
        triangle = made.triangle[made.part == part]
        assert np.abs(corner[..., 0, :] - made.position[:, triangle]).max() < CLOSE
        assert np.abs(corner[..., 1, :] - made.normal[:, triangle]).max() < 1e-3


def storm(motion: Motion[Any], where: Places, steps: int) -> Any:
    """The state after some steps in gusts of a storm."""
    state: Any = motion.rest(where)
    probes, rng = motion.probes(where).shape, np.random.default_rng(3)
    for _ in range(steps):
        air = np.array([STORM, 0, 0]) + 0.2 * STORM * rng.normal(size=(probes[0], 1, 3))
        state = motion.step(state, np.broadcast_to(air, probes), DT)
    return state


def gusts(count: int) -> FloatArray:
    return np.array([STORM, 0, 0]) + 5 * np.random.default_rng(8).normal(size=(count, 3))


@pytest.mark.parametrize(
    "name", sampled(sorted(set(species_names()) - set(BROADLEAVED)), "oak", "spruce", "palm", "wheat")
)
def test_a_species_is_drawn_as_its_mesh_at_two_levels_at_rest_and_in_a_storm(gpu: Gpu, name: str) -> None:
    plant, where = grow(name, detail=0.12, seed=2), places(2)
    motion = ModalMotion(analyse(plant, count=9, cache=False), speed=STORM)
    stormy = motion.pose(storm(motion, where, 20))
    assert np.abs(stormy - plant.position).max() > 0.1, "the storm moves it"
    lods, foliage = plant_meshes(plant), Foliage(LeafMotion.of(plant, seed=4))
    for number in {0, len(lods.meshes) - 1}:
        mesh, node = lods.meshes[number], lods.levels[number].node
        assert_twins(gpu, mesh, at_rest(mesh))
        assert_twins(gpu, mesh, Moment(in_float32(stormy[:, node]), where, gusts(2), foliage))


@pytest.mark.parametrize("name", BROADLEAVED)
def test_a_broad_leaved_species_is_drawn_as_its_mesh_at_rest_and_in_a_storm(gpu: Gpu, name: str) -> None:
    stand = Stand(name, 0, motion := BroadleafMotion(grow(name, seed=2)), places(2))
    stormy, lods = motion.points(storm(motion, stand.places, 6)), stand_meshes(stand)
    assert np.abs(stormy[:, motion.kept_points[0]] - lods.meshes[0].rest).max() > 0.03, "the storm moves it"
    for number in {0, len(lods.meshes) - 1}:
        mesh, kept = lods.meshes[number], motion.kept_points[number]
        assert_twins(gpu, mesh, at_rest(mesh))
        assert_twins(gpu, mesh, Moment(in_float32(stormy[:, kept]), stand.places, gusts(2)))


@pytest.mark.filterwarnings("ignore:modes move a sheet")  # it is beyond what they can say, and has a mesh all the same
@pytest.mark.parametrize(("name", "before"), [("flag", 0.0), ("road-sign", 0.035), ("banana-blade", 0.0)])
def test_sheets_are_drawn_as_their_mesh_at_rest_and_in_a_storm(gpu: Gpu, name: str, before: float) -> None:
    stand = build(parse_scene(f'[[stands]]\nplant = "{name}"\nmotion = "modal"\n[wind]\nspeed = 12.0')).stands[0]
    (mesh,), where = stand_meshes(stand).meshes, places(2)
    assert_twins(gpu, mesh, at_rest(mesh), before=before)
    stormy = stand.motion.points(storm(stand.motion, where, 20))
    assert np.abs(stormy - stand.plant.position).max() > 0.02, "the storm moves it"
    assert_twins(gpu, mesh, Moment(in_float32(stormy), where, gusts(2)), before=before)


def test_leaves_that_unfold_and_leaves_in_a_loop_are_drawn_as_their_mesh(gpu: Gpu) -> None:
    plant, where = grow("silver-birch", detail=0.1), places(2)
    mesh, points = plant_meshes(plant).meshes[1], in_float32(np.stack([plant_meshes(plant).meshes[1].rest] * 2))
    spring = Moment(points, where, gusts(2), Foliage(LeafMotion.of(plant), Season.of(plant, 112)))
    assert 0.1 < leaf_frames(mesh, points, spring.conditions).length.mean() / mesh.leaves["size"].mean() < 0.9
    assert_twins(gpu, mesh, spring)
    assert_twins(gpu, mesh, Moment(points, where, gusts(2), period=4.0))


@pytest.mark.parametrize("yaw", [0.0, 2.0, np.pi, -2.5])
def test_a_fallen_leaf_lies_in_the_world_where_it_fell(gpu: Gpu, yaw: float) -> None:
    plant, where = grow("oak", detail=0.05), Places([[30.0, 1.0, -20.0]], yaw=yaw, scale=1.5)
    mesh, leaves = plant_meshes(plant).meshes[0], plant.leaves
    rng = np.random.default_rng(5)
    foot, turn = rng.normal(size=(len(leaves), 3)) + where.position, rng.normal(size=(len(leaves), 4))
    turn /= np.linalg.norm(turn, axis=1, keepdims=True)
    now = Moment(in_float32(mesh.rest[None]), where, np.zeros((1, 3)), cards=(foot, turn))
    seen = where.to_world(drawn_triangles(gpu, mesh, now)[LEAVES][..., 0, :].reshape(1, -1, 3)).reshape(-1, 6, 3)
    leaf = species_of("oak").leaf
    assert leaf is not None
    length = 1.5 * leaf_mask(leaf.shape, leaf.aspect).stretch[0] * np.sqrt(leaves.size * leaf.length)[:, None]
    corner = np.array([[-0.5, 0, 0], [0.5, 0, 0], [-0.5, 1, -0.12], [0.5, 1, -0.12]])[[0, 1, 2, 2, 1, 3]]
    card = corner * [leaf.aspect, 1, 1] * length[..., None]
    wanted = foot[:, None] + turned(turn[:, None, :, None], card[..., None])[..., 0]
    assert np.abs(seen - wanted).max() < 3 * CLOSE  # far from the origin
