"""The wind that leaves fall and lie in: read from walls across the wind in retarded time, against the field itself."""

import numpy as np
import pytest

from windflower.core.arrays import FloatArray
from windflower.core.buffers import bindings, dispatch, read_floats, recorded, storage, uniform, vec4, zeros
from windflower.core.device import Gpu
from windflower.core.shaders import shader_text
from windflower.errors import WindError
from windflower.wind import Steady, Wind, deep_forest, gusty_wind
from windflower.wind.retarded import RETARDED, RetardedSlabs

BOX = ((-30.0, 0.0, -25.0), (45.0, 13.0, 30.0))
MAIN = """
@group(0) @binding(0) var<uniform> u_wind: Retarded;
@group(0) @binding(2) var<storage, read> b_at: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> b_out: array<vec4f>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < arrayLength(&b_at)) { b_out[id.x] = vec4f(retarded(u_wind, b_at[id.x].xyz), 0.0); }
}
"""


def points(count: int, heights: tuple[float, float], seed: int = 0) -> FloatArray:
    low, high = (-15.0, heights[0], -15.0), (30.0, heights[1], 15.0)
    return np.random.default_rng(seed).uniform(low, high, (count, 3))


def records(slabs: RetardedSlabs, at: FloatArray, times: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(times, n, 3) what is read from slabs, and the wind itself."""
    read = []
    for t in times:
        slabs.cover(t, t)
        read.append(slabs.velocity(at, t))
    return np.array(read), slabs.wind.velocity(at, times[:, None])


@pytest.mark.parametrize(
    ("direction", "heights"), [(268.0, (0.4, 0.4)), (130.0, (0.5, 12.0))], ids=["on the ground", "in the air"]
)
def test_leaves_feel_the_wind_where_they_are(gpu: Gpu, direction: float, heights: tuple[float, float]) -> None:
    """Mean, variance, correlation and arrival. A grid of 6 m by 3 m gave a leaf on the ground a fifth of its wind."""
    slabs = RetardedSlabs(gpu, Wind.beaufort(4, seed=5, direction=direction), BOX)
    times = 10 + 0.1 * np.arange(120.0)
    read, real = (flow @ slabs.wind.mean for flow in records(slabs, points(40, heights), times))
    assert read.mean() == pytest.approx(real.mean(), rel=0.02)
    assert read.var(axis=0).mean() == pytest.approx(real.var(axis=0).mean(), rel=0.25)
    one, other = read - read.mean(axis=0), real - real.mean(axis=0)
    alike = [(one[15:-15] * np.roll(other, k, axis=0)[15:-15]).sum() for k in range(-15, 16)]
    assert np.mean(one * other) / (one.std() * other.std()) > 0.9
    assert abs(np.argmax(alike) - 15) <= 1, "it arrives within 0.1 s"


def test_over_a_forest_eddies_come_at_the_pace_of_the_forest(gpu: Gpu) -> None:
    """They are carried slower there than the wind of open country: by its speed they would be read too early."""
    wind = gusty_wind(12.0, profile=deep_forest(12.0, 6.0), gustiness=0.0)
    slabs = RetardedSlabs(gpu, wind, BOX)
    between = (slabs.points[2] + slabs.points[3])[3:6, 5:15].reshape(-1, 3) / 2  # two walls, at their own heights
    read, real = (flow @ wind.mean for flow in records(slabs, between, 10 + 0.05 * np.arange(300.0)))
    one, other = read - read.mean(axis=0), real - real.mean(axis=0)
    assert np.mean(one * other) / (one.std() * other.std()) > 0.945


def test_the_kernel_reads_what_the_reference_reads(gpu: Gpu) -> None:
    slabs, at, t = RetardedSlabs(gpu, Wind.beaufort(6, seed=1, direction=200.0), BOX), points(500, (-1.0, 20.0)), 40.0
    at[:, 0] *= 4  # some lie outside
    module = gpu.device.create_shader_module(code=shader_text("wind/retarded.wgsl") + MAIN)
    pipeline = gpu.device.create_compute_pipeline(layout="auto", compute={"module": module, "entry_point": "main"})
    u_wind, out = uniform(gpu, RETARDED.itemsize), zeros(gpu, 16 * len(at))
    for time in (t, t + 0.73, t + 1.9):
        slabs.cover(t, time)
        gpu.queue.write_buffer(u_wind, 0, slabs.record(time))
        with recorded(gpu) as compute_pass:
            group = bindings(gpu, pipeline, u_wind, slabs.buffer, storage(gpu, vec4(at)), out)
            dispatch(compute_pass, pipeline, group, -(-len(at) // 64))
        read = read_floats(gpu, out).reshape(-1, 4)[:, :3]
        assert np.abs(read - slabs.velocity(at, time)).max() < 2e-3


def test_another_wind_is_read_from_walls_of_its_own(gpu: Gpu) -> None:
    slabs, at = RetardedSlabs(gpu, Wind.beaufort(5), BOX), points(20, (0.4, 10.0))
    slabs.cover(0.0, 0.0)
    slabs.blow(Steady(speed=7.0, direction=30.0))
    slabs.cover(0.0, 0.0)
    assert slabs.velocity(at, 0.0) == pytest.approx(slabs.wind.velocity(at, 0.0), abs=0.05)
    slabs.blow(Wind.beaufort(0))
    slabs.cover(0.0, 0.0)
    assert np.abs(slabs.velocity(at, 0.0)).max() < 0.1


def test_slabs_refuse_more_time_than_they_hold(gpu: Gpu) -> None:
    slabs = RetardedSlabs(gpu, Wind.beaufort(5), BOX)
    with pytest.raises(WindError, match="slabs cover 2 s"):
        slabs.cover(0, 5)
    with pytest.raises(WindError, match="some time apart"):
        RetardedSlabs(gpu, Wind.beaufort(5), BOX, interval=0.0)
