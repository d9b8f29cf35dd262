"""Grass in the wind: what the shader bends is the field at its place and height, and patterns run with the eddies."""

from dataclasses import replace

import numpy as np
import pytest

from windflower.core.arrays import FloatArray
from windflower.core.buffers import bind_group, dispatch, read_floats, recorded, storage, uniform, zeros
from windflower.core.device import Gpu
from windflower.core.shaders import shader_text
from windflower.render.daylight import daylight
from windflower.render.film import Film
from windflower.render.frame import Drawables, Frame, surroundings
from windflower.render.ground_covers import COVERS
from windflower.render.pipelines import FRAME
from windflower.render.quality import Quality
from windflower.render.renderer import Renderer
from windflower.scene import Scene, View, build, parse_scene
from windflower.scene.camera_table import FixedCamera
from windflower.simulation import Simulation
from windflower.simulation.ground_wind import CARRIED, GroundWind

SCENE = """
[[stands]]
plant = "hazel-bush"
detail = 0.05
motion = {motion}
[wind]
speed = {speed}
direction = {direction}
{more}
[camera]
kind = "fixed"
eye = [0, 1.6, 0]
target = [0, 0, -9]
"""
TALL = COVERS["meadow"].tall
STEADY = "turbulence = 0.0\ngustiness = 0.0"
MAIN = """
@group(2) @binding(0) var<storage, read_write> b_lean: array<vec2f>;
@group(2) @binding(1) var<storage, read> b_foot: array<vec2f>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < arrayLength(&b_foot)) {
    b_lean[id.x] = lean_in(breeze(b_foot[id.x], 0.0));
  }
}
"""


def scene_of(*, speed: float = 5.0, direction: float = 270.0, more: str = "", motion: str = '"modal"') -> Scene:
    return build(parse_scene(SCENE.format(speed=speed, direction=direction, more=more, motion=motion)))


class Meadow:
    """The lean of blades of grass as the vertex shader has it."""

    def __init__(self, gpu: Gpu, scene: Scene, *, eye: tuple[float, float, float] = (0.0, 1.6, 0.0)) -> None:
        self.gpu, self.simulation = gpu, Simulation(scene)
        camera = FixedCamera(kind="fixed", eye=eye, target=(0.0, 0.0, -9.0))
        self.view = View.of(np.array(camera.eye), np.array(camera.target), camera)
        self.renderer = Renderer(gpu, (16, 16), Quality(1000, 16, 1))
        module = gpu.device.create_shader_module(code=shader_text("render/wgsl/breeze.wgsl") + MAIN)
        compute = {"module": module, "entry_point": "main"}
        self.pipeline = gpu.device.create_compute_pipeline(layout="auto", compute=compute)
        self.smooth = gpu.device.create_sampler(mag_filter="linear", min_filter="linear")

    def lean(self, feet: FloatArray, t: float) -> FloatArray:
        """Lean (…, 2) of blades at x and z (…, 2), m, in heights of a blade."""
        gpu, around = self.gpu, surroundings(self.simulation, self.view, t)
        light = daylight(np.array([0.6, 0.8, 0.0]), clouds=0.0)
        frame = Frame(self.view, light, t, around, Drawables(), (np.zeros(3), 12.0, 10.0))
        u_frame = uniform(gpu, FRAME.itemsize)
        gpu.queue.write_buffer(u_frame, 0, self.renderer.frame_record(frame))
        assert around.wind_map is not None
        self.renderer.wind_map.write(around.wind_map)
        out = zeros(gpu, 8 * feet[..., 0].size)
        own = bind_group(gpu, self.pipeline.get_bind_group_layout(2), out, storage(gpu, feet.astype("<f4")))
        wind = [{"binding": 5, "resource": self.smooth}, {"binding": 6, "resource": self.renderer.wind_map.view}]
        land = gpu.device.create_bind_group(layout=self.pipeline.get_bind_group_layout(1), entries=wind)
        with recorded(gpu) as compute_pass:
            compute_pass.set_bind_group(1, land)
            compute_pass.set_bind_group(2, own)
            group = bind_group(gpu, self.pipeline.get_bind_group_layout(0), u_frame)
            dispatch(compute_pass, self.pipeline, group, -(-feet[..., 0].size // 64))
        return read_floats(gpu, out)[: feet.size].reshape(feet.shape).astype(np.float64)


APART = 0.1  # m between blades along the wind


def lines(direction: float, *, count: int = 25) -> FloatArray:
    """(count, blades, 2) x and z of blades on lines downwind, side by side."""
    turn = np.radians(direction)
    along, aside = np.array([-np.sin(turn), np.cos(turn)]), np.array([np.cos(turn), np.sin(turn)])
    far = APART * np.arange(-300, 300)
    return far[:, None] * along + 2.0 * np.arange(-(count // 2), count // 2 + 1)[:, None, None] * aside


def shift(before: FloatArray, after: FloatArray, most: int = 120) -> float:
    """By how much a pattern (lines, blades) has moved downwind, m: where the two are most alike."""
    same = slice(most, -most)
    steps = np.arange(-most, most + 1)
    unlike = np.array([((np.roll(before, k, axis=1) - after)[:, same] ** 2).mean() for k in steps])
    best = int(np.clip(unlike.argmin(), 1, 2 * most - 1))
    left, middle, right = unlike[best - 1 : best + 2]
    return APART * float(steps[best] + 0.5 * (left - right) / (left - 2 * middle + right))


def speed_of_pattern(meadow: Meadow, t: float, direction: float = 270.0, *, later: float = 0.5) -> float:
    feet = lines(direction)
    before, after = (np.linalg.norm(meadow.lean(feet, moment), axis=-1) for moment in (t, t + later))
    assert before.std() > 0.1 * before.mean(), "there is a pattern"
    return shift(before, after) / later


@pytest.mark.parametrize("more", [STEADY, ""], ids=["steady", "turbulent"])
@pytest.mark.parametrize(("speed", "direction"), [(2.0, 270.0), (6.0, 200.0)])
def test_patterns_run_over_grass_with_the_eddies_at_any_time(
    gpu: Gpu, speed: float, direction: float, more: str
) -> None:
    meadow = Meadow(gpu, scene_of(speed=speed, direction=direction, more=more))
    speeds = [speed_of_pattern(meadow, t, direction) for t in (5.0, 60.0, 600.0, 86_400.0)]
    assert speeds == pytest.approx([0.5 * speed] * 4, rel=0.2 if more == "" else 0.02)


def test_patterns_are_seen_to_run_in_pictures_from_above(gpu: Gpu) -> None:
    """In pictures alone, each over what the meadow looks like on average."""
    text = SCENE.format(speed=4.0, direction=270.0, more="", motion='"modal"\npositions = [[300, 300]]')
    text = text.replace("eye = [0, 1.6, 0]\ntarget = [0, 0, -9]", "eye = [0, 45, 0.5]\ntarget = [0, 0, 0]")
    film = Film(build(parse_scene("size = [180, 120]\n" + text)), quality="draft", gpu=gpu)

    def picture(t: float) -> FloatArray:
        film.renderer.draw(film.choose(t))
        return film.renderer.read()[..., 1].astype(np.float64)

    usual = np.mean([picture(t) for t in np.linspace(1000.0, 3000.0, 16)], axis=0)
    metre = 1 / (45.0 * film.renderer.pixel(film.scene.camera.view(0.0)))  # pixels
    for t in (5.0, 60.0, 600.0):
        pixels = shift(picture(t) / usual, picture(t + 1.0) / usual, most=25) / APART
        assert pixels / metre == pytest.approx(2.0, rel=0.2)


def test_a_front_bends_near_blades_before_far_ones_and_each_by_its_own_wind(gpu: Gpu) -> None:
    gust = (
        "[[wind.gusts]]\nat = 10.0\nstrength = 8.0\nspeed = 10.0\nduration = 4.0\nrise = 0.5\nfall = 3.0\nwidth = 400.0"
    )
    meadow = Meadow(gpu, scene_of(speed=1.0, more=STEADY + "\n" + gust))
    feet, times = lines(270.0)[:, ::50], 7.0 + 0.1 * np.arange(80)
    leant = np.array([np.linalg.norm(meadow.lean(feet, t), axis=-1).mean(axis=0) for t in times])
    arrived = times[(leant > (leant[0] + leant.max(axis=0)) / 2).argmax(axis=0)]
    assert arrived == pytest.approx(10.0 + 0.2 + feet[0, :, 0] / 10.0, abs=0.35)


def test_the_mean_lean_follows_the_field_at_the_height_of_the_grass(gpu: Gpu) -> None:
    """Over places and times; in a wind whose profile is steep, grass leans less though the wind at 10 m is the same."""
    feet = lines(270.0)
    means = {}
    for law in ("power", "log", "uniform"):
        meadow = Meadow(gpu, scene_of(speed=4.0, more=STEADY + f'\nprofile = {{ law = "{law}" }}'))
        means[law] = np.mean([meadow.lean(feet, t)[..., 0].mean() for t in (0.0, 31.0, 77.0)])
        wind = meadow.simulation.wind.velocity([0.0, TALL, 0.0], 0.0)[0]
        assert means[law] == pytest.approx(0.09 * wind, rel=0.05)
    assert means["log"] < 0.7 * means["power"] < 0.7 * means["uniform"]


def test_blades_feel_the_wind_where_they_are(gpu: Gpu) -> None:
    """Beside blades in a steady wind with the same patterns; not all feel the wind at the camera."""
    windy, steady = (Meadow(gpu, scene_of(speed=4.0, more=more)) for more in ("gustiness = 0.0", STEADY))
    spots = np.stack(np.meshgrid(np.linspace(-60, 60, 25), np.linspace(-60, 60, 25)), axis=-1)
    felt = windy.lean(spots, 40.0) / np.linalg.norm(steady.lean(spots, 40.0), axis=-1, keepdims=True)
    around = np.random.default_rng(1).normal(0, 5, (60, 1, 1, 2)) + spots
    at = np.stack([around[..., 0], np.full(around.shape[:-1], TALL), around[..., 1]], axis=-1)
    real = windy.simulation.wind.velocity(at, 40.0).mean(axis=0)[..., [0, 2]]
    mean = np.linalg.norm(steady.simulation.wind.velocity([0.0, TALL, 0.0], 0.0))
    for component in range(2):
        one, other = felt[..., component].ravel(), real[..., component].ravel() / mean
        assert np.corrcoef(one, other)[0, 1] > 0.93
        assert one.std() == pytest.approx(other.std(), rel=0.15)
        assert other.std() > 0.06


def test_a_moving_camera_does_not_move_the_wind(gpu: Gpu) -> None:
    scene, feet = scene_of(speed=6.0), lines(270.0)[10:15, 200:400]
    here, there = (Meadow(gpu, scene, eye=eye).lean(feet, 12.0) for eye in ((0.0, 1.6, 0.0), (11.3, 1.6, -17.9)))
    assert np.abs(here - there).max() < 0.01 * np.abs(here).max()


def test_in_a_loop_grass_is_bent_at_its_end_as_at_its_beginning_and_its_patterns_run(gpu: Gpu) -> None:
    scene = scene_of(speed=4.0, motion='{ kind = "spectral", modes = 4, period = 8.0 }')
    meadow, feet = Meadow(gpu, scene), lines(270.0)
    first, between, last, end = (meadow.lean(feet, t) for t in (0.0, 4.0, 7.9999, 8.0))
    assert np.abs(first - end).max() < 1e-6
    assert np.abs(last - end).max() < 0.01
    assert np.abs(between - end).max() > 0.1
    strength = [np.linalg.norm(one, axis=-1).std() for one in (first, between)]
    assert strength[1] > 0.75 * strength[0], "as strong in the middle as at the ends"
    assert [speed_of_pattern(meadow, t) for t in (1.0, 3.9, 13.0)] == pytest.approx([2.0] * 3, rel=0.2)


def test_the_path_of_the_air_goes_on_where_the_wind_changes() -> None:
    slow, fast = scene_of(speed=3.0, more=STEADY), scene_of(speed=12.0, direction=0.0, more=STEADY)
    simulation = Simulation(slow)
    assert simulation.ground_wind.path(600.0) == pytest.approx([CARRIED * 3.0 * 600.0, 0.0])
    simulation.advance(2.0)
    simulation.change(fast)
    path = simulation.ground_wind.path
    assert path(2.0) == pytest.approx([3.0, 0.0])
    assert path(3.0) == pytest.approx([3.0, 6.0])
    simulation.change(replace(fast, sun=slow.sun))
    assert simulation.ground_wind.path(3.0) == pytest.approx([3.0, 6.0])


def test_in_calm_air_the_fastest_gust_carries_the_eddies() -> None:
    gust = "[[wind.gusts]]\nat = 1.0\nstrength = 8.0\nspeed = 10.0"
    assert GroundWind.of(scene_of(speed=0.0, more=gust)).carrying == pytest.approx([5.0, 0.0])
    assert GroundWind.of(scene_of(speed=0.0)).carrying == pytest.approx([0.0, 0.0])
