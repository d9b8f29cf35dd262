"""The land as it is drawn: where the picture has it, what stands on it, and the shade of far trees."""

import numpy as np
import pytest

from windflower.core.arrays import FloatArray
from windflower.core.device import Gpu
from windflower.geometry.canopy_shade import Canopy, canopy_of
from windflower.motion import Touch
from windflower.render.daylight import daylight
from windflower.render.film import Film
from windflower.render.frame import Around, Drawables, Frame
from windflower.render.quality import Quality
from windflower.render.renderer import Renderer
from windflower.scene import Ground, Scene, View, build, parse_scene
from windflower.scene.terrain import Terrain
from windflower.viewer.view_camera import ViewCamera

SIZE, PLAIN = (160, 120), Quality(10_000, 64, 1, grass=0)
HILL = """
size = [96, 64]
[[stands]]
plant = "silver-birch"
detail = 0.1
positions = [[60, 0], [-70, 30]]
motion = { kind = "modal", modes = 4, cells = 1 }
[ground]
terrain = { height = 80, spacing = 200, size = 800 }
[wind]
speed = 0.0
turbulence = 0.0
gustiness = 0.0
[camera]
kind = "fixed"
eye = [0, 2, 0]
target = [60, 6, 0]
over_ground = true
"""


def ridge(height: float, away: float) -> Terrain:
    """Level up to `away` m east, then a wall up to a plateau."""
    at = np.linspace(-512, 512, 257)
    return Terrain(np.tile(np.clip((at - away) / 8, 0, 1) * height, (257, 1)), 1024.0)


def drawn(gpu: Gpu, ground: Ground, eye: FloatArray, target: FloatArray, canopy: Canopy | None = None) -> FloatArray:
    renderer = Renderer(gpu, SIZE, PLAIN)
    view = View(eye, target, 50.0, np.array([0.0, 1.0, 0.0]))
    light = daylight([0.3, 0.9, 0.2], clouds=0.0)
    bounds = (np.array([1e5, 0.0, 0.0]), 10.0, 5.0)  # of shadows: none here
    renderer.draw(Frame(view, light, 0.0, Around(ground, np.zeros(3), 0.0, canopy), Drawables(), bounds))
    return renderer.read().astype(float)


def first_ground_row(picture: FloatArray) -> int:
    """Of the middle column: where blue no longer is the strongest colour."""
    red, _, blue = picture[:, SIZE[0] // 2].T
    return int(np.argmax(red > blue))


@pytest.mark.parametrize("height", [10.0, 30.0])
@pytest.mark.parametrize("away", [60.0, 180.0])
def test_hills_stand_in_the_picture_where_geometry_has_them(gpu: Gpu, height: float, away: float) -> None:
    ground = Ground("sand", (0.8, 0.5, 0.2), 2000.0, terrain=ridge(height, away))
    eye = np.array([0.0, 3.0, 0.0])
    picture = drawn(gpu, ground, eye, np.array([100.0, 3.0, 0.0]))
    pixels = SIZE[1] / (2 * np.tan(np.radians(25)))
    top = SIZE[1] / 2 - pixels * (height - eye[1]) / (away + 8)
    assert first_ground_row(picture) == pytest.approx(top, abs=1.6)


def test_hills_have_no_holes(gpu: Gpu) -> None:
    """From high above, every pixel is ground, through all patches and where they meet."""
    rng = np.random.default_rng(1)
    land = Terrain(np.cumsum(0.2 * rng.normal(size=(129, 129)), axis=0), 512.0)
    ground = Ground("sand", (0.9, 0.5, 0.1), 2000.0, terrain=land)
    picture = drawn(gpu, ground, np.array([13.0, 300.0, 7.0]), np.array([20.0, 0.0, -80.0]))
    assert (picture[..., 0] > picture[..., 2]).all()


def test_level_ground_is_two_triangles(gpu: Gpu) -> None:
    renderer = Renderer(gpu, SIZE, PLAIN)
    level = Ground("sand", (0.8, 0.5, 0.2), 200.0)
    assert renderer._ground_of(Around(level, np.zeros(3))).patches == 0


@pytest.fixture(scope="module")
def hill() -> Scene:
    return build(parse_scene(HILL))


def test_a_hand_leads_a_branch_on_a_hill_to_where_it_is_in_the_world(gpu: Gpu, hill: Scene) -> None:
    film = Film(hill, quality="draft", gpu=gpu)
    stand = film.simulation.stands[0]
    node = int(np.argmax(stand.stand.plant.position[:, 1]))
    rest = stand.stand.places.to_world(stand.stand.plant.position)[0, node]
    hand = rest + np.array([0.3, 0.0, 0.0])
    for _ in range(60):
        touch = Touch(instance=0, node=node, target=hand)
        film.simulation.advance(film.simulation.time + 1 / 30, {0: touch})
    led, free = film.simulation.pose(world=True)[:2, node]
    assert np.linalg.norm(led - hand) < 0.13
    assert free == pytest.approx(stand.stand.places.to_world(stand.stand.plant.position)[1, node], abs=0.02)


def test_an_eye_that_walks_stays_above_the_ground(hill: Scene) -> None:
    land = hill.ground.terrain
    assert land is not None
    eye = ViewCamera.of(hill.camera.view(0.0), land).on_foot()
    heights = []
    for _ in range(40):
        eye = eye.walked(5.0, 1.0)
        heights.append(eye.place[1] - land.height(eye.place[[0, 2]]))
    assert np.array(heights) == pytest.approx(1.7, abs=1e-6)
    assert np.ptp([land.height(np.array([x, 0.0])) for x in range(0, 200, 20)]) > 5


def test_a_crown_shades_the_ground_below_it_and_nothing_far_away(hill: Scene) -> None:
    canopy = canopy_of(hill.stands)
    assert canopy is not None
    n = len(canopy.light)

    def light_at(x: float, z: float) -> float:
        column, row = ((np.array([x, z]) - canopy.low) / canopy.size * n).astype(int)
        return float(canopy.light[row, column])

    assert light_at(60, 0) < 0.4
    assert light_at(-70, 30) < 0.4
    assert light_at(0, 0) > 0.99
    assert 0 < canopy.height < hill.stands[0].plant.height


def test_where_shadows_end_the_shade_of_the_forest_goes_on(gpu: Gpu) -> None:
    ground = Ground("sand", (0.1, 0.1, 0.1), 2000.0)
    light = np.ones((64, 64))
    light[:, 32:] = 0.3  # east of the middle a wood
    canopy = Canopy(light, np.zeros((*light.shape, 3)), np.array([-64.0, -64.0]), 128.0, 0.0)
    eye, target = np.array([0.0, 60.0, 0.1]), np.zeros(3)
    bare, shaded = (drawn(gpu, ground, eye, target, one).mean(axis=2) for one in (None, canopy))
    left, right = slice(40, 70), slice(90, 120)
    assert shaded[40:80, left] == pytest.approx(bare[40:80, left], abs=1)
    assert (shaded[40:80, right] < 0.85 * bare[40:80, right]).all()


def test_a_herb_shades_no_more_ground_than_it_covers() -> None:
    canopy = canopy_of(build(parse_scene('[[stands]]\nplant = "violet"')).stands)
    assert canopy is not None
    assert canopy.light.min() > 0.9
