"""Flags, banners, blades and signs in a scene: as they are named, moved, drawn and touched."""

import warnings
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.ndimage import binary_dilation

from tests.viewers import Driver
from windflower.core.arrays import FloatArray
from windflower.core.device import Gpu
from windflower.errors import SceneError
from windflower.geometry.grids import sheet_grids
from windflower.geometry.lod_meshes import stand_meshes
from windflower.mechanics.objects import OBJECTS
from windflower.motion import LoopMotion
from windflower.motion.poses.sheet_limits import STRETCH, stretched
from windflower.render.daylight import daylight
from windflower.render.film import Film
from windflower.scene import Scene, build, parse_scene, read_scene
from windflower.wind import Steady, Turbulence, flag_air, turbulence_of

FLAG = """
seed = 4
seconds = 4
size = [192, 144]
[[stands]]
plant = "{plant}"
motion = {motion}
[wind]
speed = {speed}
direction = {direction}
[ground]
kind = "sand"
[sun]
azimuth = 150
elevation = 40
clouds = 0.0
[camera]
kind = "fixed"
eye = [5.6, 5.3, 4.0]
target = [0.8, 5.0, 0]
"""


@cache
def scene_of(plant: str = "flag", motion: str = '"spectral"', *, speed: float = 5.0, direction: float = 270.0) -> Scene:
    return build(parse_scene(FLAG.format(plant=plant, motion=motion, speed=speed, direction=direction)))


def error_message(line: str) -> str:
    with pytest.raises(SceneError) as told:
        parse_scene(f"[[stands]]\n{line}")
    return str(told.value)


# As they are named


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('plant = "flg"', "'flg' is neither; did you mean 'flag'?"),
        ('plant = "sign"', "did you mean 'road-sign'?"),
        ('plant = "flag"\nchanges = { lenght = 2.0 }', "there is no 'lenght'; did you mean 'length'?"),
        (
            'plant = "flag"\nchanges = { length = "long" }',
            "length of a flag is a number from 0.001 to 100; it is",
        ),
        ('plant = "flag"\nchanges = { length = 1e300 }', "is a number from 0.001 to 100; it is '1e+300'."),
        ('plant = "flag"\nchanges = { wind = nan }', "changes are tables of finite numbers"),
        ('plant = "flag"\nchanges = { cells = [1, 900] }', "whole numbers from 2 to 64, such as (18, 12); it is"),
        (
            'plant = "banner"\nmotion = "cantilever"',
            "a banner moves by its modes: modal or spectral; its motion is can",
        ),
        ('plant = "road-sign"\nspecimens = 3', "specimens must be 1; it is 3"),
    ],
)
def test_a_bad_table_gets_one_clear_sentence(line: str, told: str) -> None:
    assert told in error_message(line)


def test_impossible_sizes_name_their_stand() -> None:
    settings = parse_scene('[[stands]]\nplant = "flag"\nchanges = { pole = 1.0, width = 2.0 }')
    with pytest.raises(SceneError, match=r"stands\[0\]: pole must be from"):
        build(settings)


def test_all_objects_can_be_named_and_are_put_up_as_made() -> None:
    tables = "\n".join(f'[[stands]]\nplant = "{name}"\npositions = [[0, 0], [4, 0]]' for name in OBJECTS)
    scene = build(parse_scene(tables))
    assert [stand.name for stand in scene.stands] == list(OBJECTS)
    for stand in scene.stands:
        assert (stand.places.scale == 1).all()
        assert np.ptp(stand.places.yaw) == 0
        assert (stand.places.stiffness == 1).all()
        assert stand.sheets


# As they move


@pytest.mark.parametrize("direction", [270.0, 200.0, 30.0])
def test_a_flag_points_downwind(direction: float) -> None:
    scene = scene_of(direction=direction)
    stand = scene.stands[0]
    assert stand.flies == pytest.approx(1.8)
    tips = stand.places.to_world(stand.plant.position[stand.sheets[0].node[:, -1]])[0]
    heading = scene.wind.mean / np.linalg.norm(scene.wind.mean)
    np.testing.assert_allclose(tips @ heading, 1.8, atol=1e-9)


def test_a_flag_feels_the_speed_of_the_wind_and_the_wake_of_its_pole() -> None:
    wind = Steady(speed=6.0, direction=200.0) + Turbulence(speed=6.0, direction=200.0, intensity=0.2)
    air = flag_air(wind, 1.8)
    np.testing.assert_allclose(air.mean, wind.mean, atol=1e-12)
    points, times = np.array([[0.0, 5, 0], [0.9, 5, 0]]), np.linspace(0, 600, 4001)[:, None]
    felt, blown = (one.velocity(points, times) for one in (air, wind))
    along = wind.mean / np.linalg.norm(wind.mean)
    np.testing.assert_allclose(felt @ along, np.linalg.norm(blown, axis=-1), atol=4 * 0.11 * 6)
    swing = felt - (felt @ along)[..., None] * along
    slow = np.abs(np.fft.rfft(swing[:, 0], axis=0)[1:40]).mean()  # below 0.07 Hz the wake has nothing
    fast = np.abs(np.fft.rfft(swing[:, 0], axis=0)[600:1800]).mean()
    assert fast > 20 * slow
    assert flag_air(Steady(speed=0.0), 1.8).mean.tolist() == [0, 0, 0]


@pytest.mark.parametrize("direction", [270.0, 180.0, 30.0])
def test_a_flag_in_a_loop_flies_downwind(direction: float) -> None:
    motion = 'motion = { kind = "loop", of = "modal", period = 3 }'
    wind = f"[wind]\nspeed = 6\ndirection = {direction}\nturbulence = 0\ngustiness = 0\n"
    scene = build(parse_scene(f'[[stands]]\nplant = "flag"\npositions = [[0, 0]]\n{motion}\n{wind}'))
    stand = scene.stands[0]
    points = stand.places.to_world(stand.motion.pose(stand.motion.rest(stand.places))[0])[0]
    heading = scene.wind.mean / np.linalg.norm(scene.wind.mean)
    assert (points[stand.sheets[0].node[:, -1]] @ heading).mean() > 1.7


def test_a_flag_may_feel_its_wind_from_another_direction() -> None:
    air = flag_air(Steady(speed=6.0, direction=200.0), 1.8, direction=270.0)
    np.testing.assert_allclose(air.mean, [6, 0, 0], atol=1e-12)
    eddies = turbulence_of(air)
    assert eddies is not None
    assert (eddies.direction, eddies.decay) == (270.0, 0.3)


@pytest.mark.parametrize("speed", [3.0, 9.0])
def test_a_flag_is_designed_for_the_wind_of_its_scene(speed: float) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # which tells of what is beyond the limits of modes
        stand = scene_of(speed=speed).stands[0]
    assert isinstance(stand.motion, LoopMotion)
    points = stand.motion.at(stand.motion.frame_times(30))
    assert stretched(stand.sheets, points, stand.plant.position) < STRETCH


@pytest.mark.slow
def test_the_scene_with_all_objects_stays_below_three_per_cent_of_stretch() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scene = build(read_scene("flags"))
    assert {stand.name for stand in scene.stands} == set(OBJECTS)
    for stand in scene.stands:
        assert stand.motion.period == scene.seconds
        state = stand.motion.rest(stand.places)
        for _ in range(80):
            state = stand.motion.step(state, np.zeros((len(stand), 0, 3)), 0.1)
            assert stretched(stand.sheets, stand.motion.pose(state), stand.plant.position) < STRETCH


def test_a_banner_keeps_both_its_arms() -> None:
    motions = [scene_of(name, '"modal"').stands[0].motion for name in ("banner", "flag")]
    assert [getattr(motion, "pose_name", "") for motion in motions] == ["linear", "rotated"]


# As they are drawn


def test_tubes_leave_out_the_sheets_and_levels_keep_all_nodes() -> None:
    stand = scene_of().stands[0]
    lods = stand_meshes(stand)
    species, levels, (mesh,) = lods.species, lods.levels, lods.meshes
    assert species is None
    assert [level.plant.nodes for level in levels] == [stand.plant.nodes]
    tips = set(mesh.segments["node"][:, 2].tolist())
    assert not tips & set(stand.sheets[0].node[stand.sheets[0].own].tolist())
    assert len(tips) == 17  # the pole's


def test_halves_on_one_rib_are_one_grid() -> None:
    stand = scene_of("banana-blade", '"modal"').stands[0]
    (grid,) = sheet_grids(stand.sheets)
    assert grid.shape == (17, 9)
    z = stand.plant.position[grid][:, :, 2]
    assert (np.diff(z, axis=1) > 0).all()
    assert np.abs(z[:, 4]).max() < 1e-12


def flag_in_picture(film: Film, t: float) -> tuple[NDArray[np.bool_], FloatArray]:
    """Where a picture has the flag, and (vertices, 2) where the posed grid is in it, in pixels."""
    with_flag = film.frame(t).astype(int)
    renderer, frame = film.renderer, film.costs.latest
    assert frame is not None
    light = daylight(film.scene.sun.direction(t), clouds=0.0)
    renderer.draw(replace(frame, light=light, drawables=replace(frame.drawables, surfaces=())))
    seen = np.abs(with_flag - renderer.read()).max(axis=2) > 24
    stand = film.drawn.stands[0]
    world = stand.places.to_world(stand.moved.twin.read_points(0))[0]
    clip = np.column_stack([world, np.ones(len(world))]) @ renderer.projection(frame.view).T
    picture = (clip[:, :2] / clip[:, 3:] * [0.5, -0.5] + 0.5) * renderer.size
    return seen, picture[stand.stand.sheets[0].node[:, 1:].ravel()]


@pytest.mark.parametrize("motion", ['"spectral"', '"modal"'])
def test_the_drawn_flag_is_where_its_nodes_are_and_waves_with_them(gpu: Gpu, motion: str) -> None:
    film = Film(scene_of(motion=motion), quality="draft", gpu=gpu)
    shown = []
    for t in (0.4, 0.8):
        seen, at = flag_in_picture(film, t)
        assert not seen[: max(int(at[:, 1].min()) - 3, 0)].any()
        column, row = np.clip(at.astype(int), 0, np.array(film.renderer.size) - 1).T
        assert binary_dilation(seen, iterations=2)[row, column].mean() > 0.97
        shown.append((seen, at))
    (before, first), (after, second) = shown
    assert (before ^ after).sum() > 20
    moved = np.linalg.norm(second - first, axis=1)
    assert moved.max() > 1.5  # pixels, at the fly end


def test_a_waving_flag_shows_the_same_after_its_period(gpu: Gpu) -> None:
    film = Film(scene_of(), quality="draft", gpu=gpu)
    first, between, again = (film.frame(t).astype(int) for t in (0.0, 1.4, 4.0))
    assert np.abs(first - between).mean() > 0.2
    assert np.abs(first - again).mean() < 0.02


def test_a_stepped_flag_begins_at_rest_and_stays_in_its_limits(gpu: Gpu) -> None:
    film = Film(scene_of(motion='"modal"'), quality="draft", gpu=gpu)
    film.frame(0.0)
    stand = film.drawn.stands[0]
    for t in (0.5, 1.0, 1.5, 2.0):
        film.simulation.advance(t)
        points = film.simulation.pose()
        assert stretched(stand.stand.sheets, points, stand.stand.plant.position) < 2 * STRETCH
        assert np.abs(points - stand.stand.plant.position).max() < 0.6


# In the viewer


@pytest.mark.filterwarnings("ignore:modes move a sheet")  # a hand pulls cloth beyond what modes can say
def test_a_hand_takes_a_pole_or_a_sheet_and_strain_and_skeleton_can_be_shown(gpu: Gpu, tmp_path: Path) -> None:
    text = FLAG.format(plant="flag", motion='{ kind = "modal", modes = 10 }', speed=5.0, direction=270.0)
    driver = Driver(gpu, tmp_path, text)
    driver.session.display.panel = False
    driver.frames(2)
    stand = driver.session.scene.stands[0]
    for node in (int(stand.sheets[0].node[6, 0]), int(stand.sheets[0].node[6, 9])):
        x, y = driver.on_screen(driver.nodes()[node])
        driver.pointer("move", x, y)
        driver.pointer("down", x, y, button=1, held=(1,))
        assert driver.session.hand is not None
        driver.pointer("move", x + 8, y, held=(1,))
        driver.frames(2)
        driver.pointer("up", x + 8, y, button=1)
    for paint in ("strain", "levels of detail"):
        driver.session.display.paint = paint
        driver.frames()
    driver.session.display.skeleton = True
    driver.frames()
