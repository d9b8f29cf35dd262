"""The kernel of fluttering leaves against the NumPy reference."""

import numpy as np
import pytest

from tests.stands import places
from windflower import Leaves, grow
from windflower.core.arrays import FloatArray
from windflower.core.buffers import bindings, dispatch, read_floats, storage, uniform, vec4, zeros
from windflower.core.device import Gpu
from windflower.core.shaders import shader_text
from windflower.errors import GpuError
from windflower.motion.leaves.flutter import Flutter, flutter_of
from windflower.motion.leaves.leaf_kernels import FLUTTER, GpuLeaves, flutter_record
from windflower.motion.leaves.leaf_motion import LeafMotion


def twin_of(gpu: Gpu, motion: LeafMotion, air: FloatArray, capacity: int | None = None) -> GpuLeaves:
    return GpuLeaves(gpu, motion, places(len(air)), storage(gpu, vec4(air)), capacity=capacity)


@pytest.mark.parametrize("name", ["quaking-aspen", "spruce", "weeping-willow"])
@pytest.mark.parametrize("noise", [None, 1.4])
@pytest.mark.parametrize("t", [0.0, 3.217, 40_000.1])
def test_angles_are_those_of_the_reference(gpu: Gpu, name: str, noise: float | None, t: float) -> None:
    plant = grow(name, detail=0.05)
    how = flutter_of(plant)
    flutter = Flutter(**{**vars(how), "noise": noise})
    motion = LeafMotion.of(plant, flutter=flutter, seed=9)
    air = np.random.default_rng(1).normal(size=(7, 3)) * np.geomspace(0.3, 30, 7)[:, None]
    twin, chosen = twin_of(gpu, motion, air), np.array([6, 1, 3, 2, 5])
    twin.at(chosen, t)
    read, where = twin.read(), places(7)
    wanted = motion.angles(where, air, t)[chosen]
    assert np.abs(wanted).max() > 0.02
    assert np.abs(read[..., :3] - wanted).max() < 1e-4
    assert np.abs(read[..., 3] - motion.shimmer(where, air, t)[chosen]).max() < 1e-4


SHIMMER = """
@group(0) @binding(0) var<uniform> u_how: Flutter;
@group(0) @binding(1) var<storage, read_write> b_speed: array<vec4f>;
@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3u) {
  b_speed[id.x] = vec4f(shimmer_of(u_how, b_speed[id.x].x));
}
"""


@pytest.mark.parametrize("name", ["quaking-aspen", "oak", "spruce"])
def test_far_crowns_shimmer_in_shaders_as_in_the_reference(gpu: Gpu, name: str) -> None:
    motion, speeds = LeafMotion.of(grow(name, detail=0.02)), np.linspace(0, 20, 64)
    module = gpu.device.create_shader_module(code=shader_text("motion/leaves/flutter.wgsl") + SHIMMER)
    pipeline = gpu.device.create_compute_pipeline(layout="auto", compute={"module": module, "entry_point": "main"})
    how, both = uniform(gpu, FLUTTER.itemsize), zeros(gpu, 16 * 64)
    gpu.queue.write_buffer(how, 0, flutter_record(motion, 0.0))
    gpu.queue.write_buffer(both, 0, vec4(np.outer(speeds, (1.0, 0.0, 0.0))))
    encoder = gpu.device.create_command_encoder()
    compute_pass = encoder.begin_compute_pass()
    dispatch(compute_pass, pipeline, bindings(gpu, pipeline, how, both), 64)
    compute_pass.end()
    gpu.queue.submit([encoder.finish()])
    found = read_floats(gpu, both).reshape(-1, 4)[:64, 0]
    assert found == pytest.approx(motion.flutter.shimmer(speeds), abs=1e-5)
    assert found[0] == 0


def test_calm_means_exactly_still(gpu: Gpu) -> None:
    motion = LeafMotion.of(grow("quaking-aspen", detail=0.05))
    twin = twin_of(gpu, motion, np.zeros((3, 3)))
    for t in (0.0, 7.7):
        twin.at(np.arange(3), t)
        assert (twin.read() == 0).all()


def test_no_nan_in_any_storm_and_no_leaves_are_no_trouble(gpu: Gpu) -> None:
    motion = LeafMotion.of(grow("oak", detail=0.05))
    twin = twin_of(gpu, motion, np.array([[1e30, 0, 0], [0, -1e-30, 0]]))
    twin.at(np.arange(2), 1.0)
    assert np.isfinite(twin.read()).all()
    plant = grow("oak", detail=0.02)
    bare = LeafMotion.of(
        type(plant)(parent=plant.parent, position=plant.position, radius=plant.radius, leaves=Leaves())
    )
    none = twin_of(gpu, bare, np.ones((2, 3)))
    none.at(np.arange(2), 1.0)
    assert none.read().shape == (2, 0, 4)


def test_more_than_there_is_room_for_is_refused(gpu: Gpu) -> None:
    motion = LeafMotion.of(grow("oak", detail=0.05))
    twin = twin_of(gpu, motion, np.ones((5, 3)), capacity=2)
    with pytest.raises(GpuError, match="room for the leaves of 2 plants; asked for are 3"):
        twin.at(np.arange(3), 0.0)
    with pytest.raises(GpuError, match="coarser level"):
        twin_of(gpu, motion, np.ones((5, 3)), capacity=10_000_000)
