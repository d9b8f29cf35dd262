"""Leaves where they are drawn: the shader that every pass shares against the NumPy reference."""

from dataclasses import replace

import numpy as np
import pytest

from tests.stands import places
from windflower import grow
from windflower.core.arrays import FloatArray, IntArray
from windflower.core.buffers import read_floats, storage, uniform, vec4, zeros
from windflower.core.device import Gpu
from windflower.core.layouts import record
from windflower.core.quaternions import turned
from windflower.core.shaders import shader_text
from windflower.geometry.crown_light import crown_light
from windflower.geometry.mesh import mesh_of
from windflower.geometry.phototropism import turned_to_light
from windflower.mechanics.foliage import leaf_of
from windflower.motion import LeafMotion, Places, Season
from windflower.motion.rhythm import PERIOD
from windflower.plant.graph import Plant
from windflower.plant.levels import levels_of
from windflower.render.drawn import INSTANCE, DrawnMesh
from windflower.render.pipelines import FRAME, make_pipelines

MAIN = """
@group(3) @binding(0) var<storage, read_write> b_out: array<vec4f>;
@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let at = 2u * (id.y * u_mesh.count.w + id.x);
  let leaf = b_leaves[id.x];
  let instance = b_instances[id.y];
  let size = season_size(u_mesh.season, leaf_key(instance, leaf));
  let frame = leaf_frame(id.y, leaf, instance);
  b_out[at] = vec4f(frame.foot.xyz, size);
  b_out[at + 1u] = vec4f(card_corner(frame, vec2f(0.0, 1.0)).normal, f32(leaf.number));
}
"""


class Drawn:
    """The feet, normals, sizes and numbers of leaves as a vertex shader has them."""

    def __init__(self, gpu: Gpu, plant: Plant, where: Places, *, leaf: IntArray | None = None) -> None:
        self.gpu, self.where, self.plant = gpu, where, plant
        self.mesh = DrawnMesh(gpu, make_pipelines(gpu, 1).layouts, mesh_of(plant, leaf=leaf), None)

    def at(self, points: FloatArray, air: FloatArray, t: float, *, period: float = 0.0) -> FloatArray:
        """(count, leaves, 2, 4)."""
        gpu, count = self.gpu, len(self.where)
        u_frame = uniform(gpu, FRAME.itemsize)
        clock = t % (period or PERIOD)
        gpu.queue.write_buffer(u_frame, 0, record(FRAME, clock=(clock, 0, period, 0)))
        records = np.zeros(count, INSTANCE)
        records["place"] = [0, 0, 0, 1]
        records["turn"] = np.stack(
            [np.cos(self.where.yaw), np.sin(self.where.yaw), np.full(count, 0.5), np.ones(count)], 1
        )
        records["id"][:, 0] = np.arange(count)
        module = gpu.device.create_shader_module(code=shader_text("render/wgsl/deform.wgsl") + MAIN)
        pipeline = gpu.device.create_compute_pipeline(layout="auto", compute={"module": module, "entry_point": "main"})
        mesh = self.mesh
        out = zeros(gpu, 32 * count * mesh.leaf_count)
        groups = (
            [u_frame],
            [storage(gpu, data) for data in (vec4(points), records, vec4(air), vec4(air))],
            [mesh.of_leaves, storage(gpu, mesh.mesh.segments), storage(gpu, mesh.mesh.leaves)],
            [out],
        )
        encoder = gpu.device.create_command_encoder()
        compute_pass = encoder.begin_compute_pass()
        compute_pass.set_pipeline(pipeline)
        for number, buffers in enumerate(groups):
            entries = [{"binding": i, "resource": {"buffer": buffer}} for i, buffer in enumerate(buffers)]
            layout = pipeline.get_bind_group_layout(number)
            compute_pass.set_bind_group(number, gpu.device.create_bind_group(layout=layout, entries=entries))
        compute_pass.dispatch_workgroups(mesh.leaf_count, count)
        compute_pass.end()
        gpu.queue.submit([encoder.finish()])
        return read_floats(gpu, out)[: 8 * count * mesh.leaf_count].reshape(count, -1, 2, 4).astype(np.float64)


def posed(plant: Plant, count: int) -> FloatArray:
    return plant.position + 0.01 * np.random.default_rng(4).normal(size=(count, plant.nodes, 3))


@pytest.mark.parametrize("name", ["quaking-aspen", "spruce"])
def test_drawn_leaves_move_as_the_reference_does(gpu: Gpu, name: str) -> None:
    grown, where, t = grow(name, detail=0.03), places(3), 7.3
    turn = turned_to_light(grown.leaves.orientation, crown_light(grown).bent, leaf_of(grown))
    plant = replace(grown, leaves=replace(grown.leaves, orientation=turn))
    motion, points = LeafMotion.of(plant, seed=5), posed(plant, 3)
    air = np.random.default_rng(1).normal(size=(3, 3)) * [[0.5], [2.0], [9.0]]
    drawn = Drawn(gpu, grown, where)
    drawn.mesh.set_leaves(motion)
    seen = drawn.at(points, air, t)
    assert np.abs(seen[..., 0, :3] - motion.feet(points)).max() < 1e-5
    angles = motion.angles(where, air, t)
    angles[..., 2] = motion.shimmer(where, air, t)
    normal = turned(motion.orientations(points, angles)[..., None], np.array([0.0, 0, 1])[:, None])[..., 0]
    assert np.abs(angles).max() > 0.05
    assert np.abs(seen[..., 1, :3] - normal).max() < 1e-4


def test_drawn_leaves_are_exactly_still_in_a_calm_and_repeat_in_a_loop(gpu: Gpu) -> None:
    plant = grow("quaking-aspen", detail=0.03)
    drawn, points = Drawn(gpu, plant, places(2)), posed(plant, 2)
    still = [drawn.at(points, np.zeros((2, 3)), t) for t in (0.0, 1.7)]
    assert (still[0] == still[1]).all()
    air = np.full((2, 3), 3.0)
    first, between, again = (drawn.at(points, air, t, period=4.0)[..., 1, :3] for t in (1.0, 2.3, 5.0))
    assert np.abs(first - again).max() < 1e-4
    assert np.abs(first - between).max() > 0.1


def test_a_leaf_keeps_its_colour_and_its_rhythm_from_level_to_level(gpu: Gpu) -> None:
    """Its number is that in the whole plant."""
    plant = grow("oak", detail=0.1)
    for level in levels_of(plant)[1:]:
        assert len(level.leaf) == len(level.plant.leaves)
        own = plant.leaves.orientation[level.leaf]
        assert (level.plant.leaves.orientation == own).all()
    drawn = Drawn(gpu, level.plant, places(1), leaf=level.leaf)
    seen = drawn.at(level.plant.position[None], np.zeros((1, 3)), 0.0)
    assert (seen[0, :, 1, 3] == level.leaf).all()


def test_leaves_unfold_with_the_season_and_are_whole_without_one(gpu: Gpu) -> None:
    plant = grow("silver-birch", detail=0.03)
    drawn, motion = Drawn(gpu, plant, places(1)), LeafMotion.of(plant)
    sizes = []
    for season in (None, Season.of(plant, "winter"), Season.of(plant, 112)):
        drawn.mesh.set_leaves(motion, season)
        sizes.append(drawn.at(plant.position[None], np.zeros((1, 3)), 0.0)[..., 0, 3])
    whole, bud, spring = sizes
    assert (whole == 1).all()
    assert (bud == 0).all()
    assert 0.1 < spring.mean() < 0.9
