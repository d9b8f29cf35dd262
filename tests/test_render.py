"""What a picture must show, whatever it looks like: small scenes, software driver or not."""

import datetime as dt
import logging
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.core.device import Gpu
from windflower.errors import FileError
from windflower.geometry.crown_light import CrownLight
from windflower.geometry.mesh import mesh_of
from windflower.geometry.sprigs import sprig_of
from windflower.mechanics.foliage import GENERIC_LEAF
from windflower.motion.rhythm import PERIOD
from windflower.plant.graph import Leaves, Plant
from windflower.render.daylight import daylight, even_light
from windflower.render.drawn import INSTANCE, STORAGE, DrawnMesh, InstanceBuffer
from windflower.render.drawn_scene import Detail
from windflower.render.film import Film
from windflower.render.frame import Around, Drawables, Frame
from windflower.render.quality import Quality
from windflower.render.renderer import Renderer
from windflower.render.wind_map import WindMap
from windflower.scene import Ground, Scene, View, build, parse_scene
from windflower.scene.camera_table import FixedCamera
from windflower.scene.sun import solar_direction
from windflower.wind import Steady

SIZE = (160, 120)
SMALL = Quality(triangles=100_000, shadow=1024, samples=4, grass=0)
SCENE = """
seconds = 2
size = [160, 120]
[[stands]]
plant = "silver-birch"
detail = 0.15
scale_variation = 0.0
motion = {{ kind = "modal", modes = 10 }}
[wind]
speed = {speed}
turbulence = 0.0
gustiness = 0.0
{gust}
[sun]
azimuth = {azimuth}
elevation = {elevation}
clouds = 0.0
[ground]
kind = "sand"
[camera]
kind = "fixed"
eye = [2, 9, 26]
target = [4, 5, 0]
"""
GUST = "[[wind.gusts]]\nat = 0.5\nstrength = 14.0\nspeed = 20.0\nduration = 3.0\nrise = 0.5\nfall = 1.5\nwidth = 400.0"


@pytest.fixture(autouse=True)
def no_error_is_only_logged(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """An exception in a draw callback is logged by the canvas and not raised; here it fails the test."""
    yield
    errors = [record for record in caplog.get_records("call") if record.levelno >= logging.ERROR]
    assert not errors, errors


def scene_of(*, speed: float = 0.0, azimuth: float = 250.0, elevation: float = 45.0, gust: str = "") -> Scene:
    return build(parse_scene(SCENE.format(speed=speed, azimuth=azimuth, elevation=elevation, gust=gust)))


def film_of(gpu: Gpu, scene: Scene) -> Film:
    return Film(scene, quality="draft", gpu=gpu)


def differs(a: NDArray[np.uint8], b: NDArray[np.uint8]) -> NDArray[np.bool_]:
    return np.abs(a.astype(int) - b.astype(int)).max(axis=2) > 12


def pixel_of(film: Film, point: FloatArray) -> tuple[int, int]:
    """Where a point of the world is in the picture: column and row."""
    clip = film.renderer.projection(film.scene.camera.view(0.0)) @ [*point, 1.0]
    x, y = clip[:2] / clip[3]
    width, height = film.renderer.size
    return round((x + 1) / 2 * width), round((1 - y) / 2 * height)


def test_without_wind_no_pixel_changes(gpu: Gpu) -> None:
    film = film_of(gpu, scene_of(speed=0.0))
    first = film.frame(0.0)
    assert np.array_equal(first, film.frame(0.5))
    assert np.array_equal(first, film.frame(1.0))


def test_in_wind_the_crown_and_its_shadow_move_and_the_foot_does_not(gpu: Gpu) -> None:
    film = film_of(gpu, scene_of(speed=4.0, gust=GUST))
    moved = differs(film.frame(0.0), film.frame(1.4))
    column, row = pixel_of(film, np.zeros(3))
    crown_top = pixel_of(film, np.array([0.0, 12.0, 0.0]))[1]
    assert moved[crown_top : row - 20].sum() > 100
    assert not moved[row - 1 : row + 2, column : column + 2].any()
    # The sun stands in the west-south-west: the shadow lies to the right of the foot, on the ground.
    assert moved[row - 12 : row + 8, column + 25 :].sum() > 20


def test_same_scene_and_seed_give_the_same_frames_and_going_back_starts_anew(gpu: Gpu) -> None:
    scene = scene_of(speed=6.0)
    film = film_of(gpu, scene)
    pictures = [film.frame(t) for t in (0.0, 0.5, 1.0)]
    again = film_of(gpu, scene)
    assert np.array_equal(pictures[2], again.frame(1.0))
    assert np.array_equal(pictures[0], again.frame(0.0))


def shadow_on_sand(
    gpu: Gpu,
    plant: Plant,
    sun: FloatArray,
    *,
    planar: bool = False,
    grey: float = 0.5,
    above: float = 14.0,
    fade: float = 1.0,
) -> tuple[Renderer, View, NDArray[np.uint8]]:
    """A plant on pale sand seen from straight above, so many m, lit by a bright sun; `fade` is that of its level."""
    renderer = Renderer(gpu, SIZE, SMALL, planar=planar)
    leaves = len(plant.leaves)
    light = CrownLight(np.ones(leaves), np.tile([0.0, 1.0, 0.0], (leaves, 1)))  # whatever leaves are beside
    single = replace(mesh_of(plant, flare=0.0, light=light), sprig=sprig_of(GENERIC_LEAF, 1.0, 0))  # one card a leaf
    mesh = DrawnMesh(gpu, renderer.layouts, single, None)
    points = np.zeros((plant.nodes, 4), "<f4")
    points[:, :3] = plant.position
    record = np.zeros(1, INSTANCE)
    record["place"], record["turn"] = [0, 0, 0, 1], [1, 0, 0.5, fade]
    air = gpu.device.create_buffer_with_data(data=np.zeros(4, "<f4"), usage=STORAGE)
    buffer = gpu.device.create_buffer_with_data(data=points, usage=STORAGE)
    block = InstanceBuffer(gpu, renderer.layouts).block(buffer, air, record)
    looking = FixedCamera(kind="fixed", eye=(0, above, 0), target=(0, 0, 0), field_of_view=50.0)
    view = View.of(np.array(looking.eye), np.array(looking.target), looking)
    around = Around(Ground("sand", (grey, grey, grey), 200.0), np.zeros(3))
    day = replace(daylight(sun, clouds=0.0), ambient=even_light(np.full(3, 0.05)))
    reach = (np.zeros(3), 12.0 if above > 5 else 2.0, 10.0)
    renderer.draw(Frame(view, day, 0.0, around, Drawables([(mesh, block)]), reach))
    return renderer, view, renderer.read()


def pole(height: float = 2.0) -> Plant:
    return Plant(parent=[-1, 0], position=np.array([[0, 0, 0], [0, height, 0]]), radius=[0.12, 0.12])


@pytest.mark.parametrize("planar", [False, True])
@pytest.mark.parametrize("elevation", [25.0, 45.0, 60.0])
def test_a_shadow_is_as_long_as_the_sun_is_low(gpu: Gpu, elevation: float, planar: bool) -> None:
    e = np.radians(elevation)
    sun = np.array([-np.cos(e), np.sin(e), 0.0])
    renderer, view, picture = shadow_on_sand(gpu, pole(), sun, planar=planar)
    middle = picture[SIZE[1] // 2].astype(float).mean(axis=1)
    dark = np.flatnonzero(middle < 0.6 * np.median(middle))
    metre = 1 / (14 * renderer.pixel(view))
    tip = (dark.max() + 1 - SIZE[0] / 2) / metre
    assert tip == pytest.approx(2.0 / np.tan(e), rel=0.05, abs=2 / metre)


@pytest.mark.parametrize("planar", [False, True])
def test_a_leafs_shadow_has_the_leafs_outline(gpu: Gpu, planar: bool) -> None:
    """A large level leaf whose shadow falls beside it: its outline, and not the square of its card."""
    stalk = Plant(
        parent=[-1, 0],
        position=np.array([[-2, 0, 0], [-2, 4, 0]]),
        radius=[0.01, 0.01],
        leaves=Leaves(
            node=np.array([1]),
            place=np.array([1.0]),
            # Its tip points along x, its upper side to the sky.
            orientation=np.array([[-0.5, -0.5, -0.5, 0.5]]),
            size=np.array([3.0]),
        ),
    )
    _, _, picture = shadow_on_sand(gpu, stalk, np.array([0.8, 1.0, 0.0]), planar=planar)
    grey = picture.astype(float).mean(axis=2)
    dark = grey < 0.72 * np.median(grey)
    rows, columns = np.flatnonzero(dark.any(axis=1)), np.flatnonzero(dark.any(axis=0))
    box = dark[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
    assert 0.35 < box.mean() < 0.93
    assert not box[0, 0]
    assert not box[-1, -1]


def test_parts_that_overlap_darken_the_ground_once(gpu: Gpu) -> None:
    """The planar shadow of two crossed poles is nowhere darker than that of one."""
    crossed = Plant(
        parent=[-1, 0, 0],
        position=[[0, 0.01, 0], [1.5, 2, 1.5], [1.5, 2.01, -1.5]],
        radius=[0.1, 0.1, 0.1],
    )
    sun = np.array([-0.6, 0.8, 0.0])
    _, _, two = shadow_on_sand(gpu, crossed, sun, planar=True)
    _, _, one = shadow_on_sand(gpu, pole(), sun, planar=True)
    right = SIZE[0] // 2 + 12
    assert two[:, right:].min() >= one[:, right:].min() - 3


def test_a_shadow_is_softer_the_farther_what_casts_it(gpu: Gpu) -> None:
    """The edge of a beam's shadow, seen from close by, at two heights of the beam: as wide as the sun's disc."""

    def edge(height: float) -> float:
        beam = Plant(parent=[-1, 0], position=[[height, height, -3], [height, height, 3]], radius=[0.5, 0.5])
        picture = shadow_on_sand(gpu, beam, np.array([1.0, 1.0, 0.0]), above=1.2)[2]
        row = picture[SIZE[1] // 2].astype(float).mean(axis=1)
        low, high = row.min(), row.max()
        right = row[np.argmin(row) :]
        return float(((right > low + 0.1 * (high - low)) & (right < low + 0.9 * (high - low))).sum())

    near, far = edge(1.2), edge(7.0)
    assert far > 2 * near
    assert far * 1.6 * 0.93 / SIZE[1] == pytest.approx(2 * 0.0047 * 7.0 * np.sqrt(2) * np.sqrt(2) * 0.7, rel=0.5)


def test_wood_comes_and_goes_by_its_width_while_two_levels_share_a_plant(gpu: Gpu) -> None:
    """A thick beam over sand: as its level leaves it becomes thinner, without holes."""
    beam = Plant(parent=[-1, 0], position=[[-3, 2, 0], [3, 2, 0]], radius=[0.9, 0.9])
    sun = np.array([0.3, 1.0, 3.0])  # its shadow falls elsewhere
    sand = shadow_on_sand(gpu, replace(beam, position=beam.position + 50.0), sun)[2]

    def covered(fade: float) -> NDArray[np.bool_]:
        picture = shadow_on_sand(gpu, beam, sun, fade=fade)[2].astype(int)
        return np.abs(picture - sand).max(axis=2)[40:80, 70:90] > 10

    whole, half, coming = (covered(fade) for fade in (0.6, 0.25, -0.25))
    for mask, width in ((whole, 1.0), (half, 0.5), (coming, 0.5)):
        rows = np.flatnonzero(mask.any(axis=1))
        assert mask[rows.min() + 1 : rows.max()].all(), "no holes"
        assert len(rows) == pytest.approx(width * whole.any(axis=1).sum(), abs=2)


def leafy(*leaves: tuple[float, float]) -> Plant:
    """A pole with level leaves, each at a height and of a size; their tips point along x."""
    node = np.ones(len(leaves), int)
    height, size = np.array(leaves).T
    turn = np.tile([-0.5, -0.5, -0.5, 0.5], (len(leaves), 1))
    own = Leaves(node=node, place=height / 2.0, orientation=turn, size=size)
    return replace(pole(), leaves=own)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_leaf_behind_a_leaf_is_hidden_whichever_is_drawn_first(gpu: Gpu, order: tuple[int, int]) -> None:
    upper, lower, speck = (2.0, 3.0), (1.0, 3.0), (1.0, 1e-3)
    sun = np.array([0.0, 1.0, 0.05])
    both = shadow_on_sand(gpu, leafy(*(((upper, lower)[k]) for k in order)), sun)[2]
    one = leafy(*(((upper, speck)[k]) for k in order))
    alone, darker = (shadow_on_sand(gpu, one, sun, grey=grey)[2] for grey in (0.5, 0.2))
    # Where the upper leaf covers whole pixels there is nothing but the upper leaf, and no sand.
    green = alone[:, :, 1].astype(int) - alone[:, :, 2] > 12
    solid = green & (alone == darker).all(axis=2)
    assert solid.sum() > 20
    assert np.abs(both[solid].astype(int) - alone[solid]).max() <= 2, (
        "but for a little of the light that leaves throw on one another"
    )
    assert not np.array_equal(both, alone)


def test_a_still_camera_sees_no_shimmer_and_a_slow_pan_no_outliers(gpu: Gpu) -> None:
    scene = scene_of(speed=0.0)
    renderer = Film(scene, quality="good", gpu=gpu, size=SIZE)
    light = daylight(scene.sun.direction(0.0), clouds=0.0)
    renderer.simulation.advance(0.0)
    changes = []
    latest: NDArray[np.float64] | None = None
    for k in range(9):
        eye = np.array([2 + 0.05 * k, 9.0, 26.0])
        view = replace(scene.camera.view(0.0), eye=eye, target=eye + np.array([2.0, -4.0, -26.0]))
        frame = renderer.drawn.frame(view, light, 0.0, Detail(SIZE, 50_000))
        still = replace(frame.drawables, impostors=(), surfaces=(), loose=())
        renderer.renderer.draw(replace(frame, around=Around(scene.ground, np.zeros(3)), drawables=still))
        picture = renderer.renderer.read().astype(float)
        if latest is not None:
            changes.append(float(np.abs(picture - latest).mean()))
        latest = picture
    assert max(changes) < 1.5 * np.median(changes)


def test_no_nan_reaches_a_pose_in_a_hurricane(gpu: Gpu) -> None:
    film = film_of(gpu, scene_of(speed=60.0))
    assert film.frame(1.0).std() > 5
    for stand in film.drawn.stands:
        for level in range(len(stand.meshes)):
            stand.moved.pose(level, np.arange(len(stand.places)))
            assert np.isfinite(stand.moved.twin.read_points(level)).all()


@pytest.mark.parametrize("hour", [5.0, 12.0, 20.5, 0.0])
def test_every_hour_has_a_light_without_nan(hour: float) -> None:
    light = daylight(solar_direction(hour, 48.0, dt.date(2024, 6, 21)))
    for values in (light.sun, light.sun_colour, light.dome, light.ambient):
        assert np.isfinite(values).all()
        assert values.shape[-1] == 3
    assert light.sun[1] > 0 or light.sun_colour.max() < 0.3


def test_noon_is_brighter_than_dusk_and_dusk_than_night(gpu: Gpu) -> None:
    means = [film_of(gpu, scene_of(elevation=e)).frame(0.0).mean() for e in (60.0, 2.0, -20.0)]
    assert means[0] > means[1] > means[2] > 5


def test_a_pond_mirrors_the_tree_beside_it(gpu: Gpu) -> None:
    text = SCENE.format(speed=0.0, azimuth=180.0, elevation=40.0, gust="").replace(
        'kind = "sand"', 'kind = "sand"\npond = { centre = [4, 12], size = [30, 16] }'
    )
    wet = film_of(gpu, build(parse_scene(text))).frame(0.0)
    dry = film_of(gpu, scene_of(azimuth=180.0, elevation=40.0)).frame(0.0)
    changed = differs(wet, dry)
    assert changed[85:].mean() > 0.4
    assert changed[:50].mean() < 0.02


def test_depth_of_field_blurs_what_is_out_of_focus(gpu: Gpu) -> None:
    def sharpness(camera: str) -> float:
        text = SCENE.format(speed=0.0, azimuth=250.0, elevation=45.0, gust="") + camera
        picture = film_of(gpu, build(parse_scene(text))).frame(0.0).astype(float)
        return float(np.abs(np.diff(picture[20:80], axis=1)).mean())

    sharp = sharpness("")
    assert sharpness("aperture = 0.4\nfocus = 3.0\n") < 0.7 * sharp
    assert sharpness("aperture = 0.05\n") > 0.8 * sharp


def test_under_water_red_is_lost_first(gpu: Gpu) -> None:
    text = SCENE.format(speed=0.0, azimuth=250.0, elevation=45.0, gust="").replace('"sand"', '"seabed"')
    picture = film_of(gpu, build(parse_scene(text))).frame(0.0).astype(float).mean(axis=(0, 1))
    assert picture[0] < 0.6 * picture[2]


def test_a_loop_looks_the_same_after_its_period_and_other_in_between(gpu: Gpu) -> None:
    text = SCENE.format(speed=6.0, azimuth=250.0, elevation=45.0, gust="").replace('"modal"', '"spectral"')
    film = film_of(gpu, build(parse_scene(text)))
    first, between, again = (film.frame(t).astype(int) for t in (0.0, 0.9, 2.0))
    assert np.abs(first - between).mean() > 0.4
    assert np.abs(first - again).mean() < 0.04


def test_grass_moves_after_a_day_as_in_the_first_minute(gpu: Gpu) -> None:
    """Rhythms repeat every 1024 s; a clock in float32 seconds would be 8 ms coarse by then, and noise coarser."""
    renderer = Renderer(gpu, SIZE, replace(SMALL, grass=256))
    looking = FixedCamera(kind="fixed", eye=(0, 1.5, 6), target=(0, 0, 0), field_of_view=50.0)
    view = View.of(np.array(looking.eye), np.array(looking.target), looking)
    wind_map = WindMap.about(view.eye, Steady(speed=9.0), 0.0, 0.17)
    around = Around(Ground("meadow", (0.2, 0.4, 0.1), 200.0), np.zeros(3), wind_map=wind_map)
    light = daylight(np.array([0.6, 0.8, 0.0]), clouds=0.0)
    pictures = []
    for time in (3.3, 3.9, 84 * PERIOD + 3.3):
        renderer.draw(Frame(view, light, time, around, Drawables(), (np.zeros(3), 12.0, 10.0)))
        pictures.append(renderer.read().astype(int))
    first, later, next_day = pictures
    assert np.abs(later - first).max() > 15, "it moves"
    assert np.abs(next_day - first).max() <= 3


def test_a_film_takes_what_render_takes(gpu: Gpu) -> None:
    settings = parse_scene('size = [64, 36]\n[[stands]]\nplant = "violet"\ndetail = 0.1')
    of_settings, of_scene = (Film(one, gpu=gpu, quality="draft").frame(0.0) for one in (settings, build(settings)))
    assert np.array_equal(of_settings, of_scene)
    with pytest.raises(FileError, match="'forrest' is neither a scene, a species nor a file; did you mean 'forest'"):
        Film("forrest", gpu=gpu)
