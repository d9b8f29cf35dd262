"""The colours and sizes of leaves in shaders against the NumPy reference."""

import numpy as np
import pytest

from windflower import grow
from windflower.core.buffers import bindings, dispatch, read_floats, storage, uniform, zeros
from windflower.core.device import Gpu
from windflower.core.shaders import shader_text
from windflower.motion.leaves.leaf_kernels import SEASON, season_record
from windflower.motion.leaves.seasons import Season
from windflower.motion.rhythm import keys

MAIN = """
@group(0) @binding(0) var<uniform> u_season: Season;
@group(0) @binding(1) var<storage, read> b_key: array<u32>;
@group(0) @binding(2) var<storage, read_write> b_out: array<vec4f>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let key = b_key[id.x];
  b_out[id.x] = vec4f(season_colour(u_season, key), season_size(u_season, key));
}
"""


@pytest.mark.parametrize("name", ["quaking-aspen", "oak", "spruce"])
@pytest.mark.parametrize("day", [20.0, 112.0, 140.0, 200.0, 282.0, 330.0])
def test_shaders_colour_leaves_as_the_reference_does(gpu: Gpu, name: str, day: float) -> None:
    key = keys(3, 5, np.arange(256))
    season = Season.of(grow(name, detail=0.02), day)
    code = shader_text("motion/leaves/seasons.wgsl") + MAIN
    module = gpu.device.create_shader_module(code=code)
    pipeline = gpu.device.create_compute_pipeline(layout="auto", compute={"module": module, "entry_point": "main"})
    settings, out = uniform(gpu, SEASON.itemsize), zeros(gpu, 16 * 256)
    gpu.queue.write_buffer(settings, 0, season_record(season))
    group = bindings(gpu, pipeline, settings, storage(gpu, key), out)
    encoder = gpu.device.create_command_encoder()
    compute_pass = encoder.begin_compute_pass()
    dispatch(compute_pass, pipeline, group, 4)
    compute_pass.end()
    gpu.queue.submit([encoder.finish()])
    read = read_floats(gpu, out).reshape(256, 4)
    assert read[:, :3] == pytest.approx(season.colours(key), abs=1e-5)
    assert read[:, 3] == pytest.approx(season.unfolded(key), abs=1e-5)
