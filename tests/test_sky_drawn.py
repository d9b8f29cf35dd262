"""The sky as it is drawn: clouds where they should be and their shadows below them, and light that adds up."""

from dataclasses import replace

import numpy as np
import pytest

from windflower.core.arrays import FloatArray
from windflower.core.buffers import storage, vec4
from windflower.core.device import Gpu
from windflower.geometry.finishes import SheetLook
from windflower.render.atmosphere import in_luminance
from windflower.render.daylight import daylight
from windflower.render.drawn import INSTANCE, InstanceBuffer
from windflower.render.frame import Around, Drawables, Frame, Light
from windflower.render.quality import Quality
from windflower.render.renderer import Renderer
from windflower.render.surfaces import DrawnSurface
from windflower.scene import Ground, View
from windflower.scene.ground import PondSettings
from windflower.scene.sun import direction_to

NOTHING = (np.array([1e5, 0.0, 0.0]), 10.0, 5.0)  # bounds of shadows
PLAIN = Quality(10_000, 64, 1, grass=0)
STILL = Quality(10_000, 64, 4, grass=0)
GREY = 0.18
CARD = SheetLook("stripes", colour=(GREY,) * 3, second=(GREY,) * 3, through=0.0, lines=1.0)
NORTH = np.array([0.0, 0.0, -1.0])


def looking(up: float, height: float, field_of_view: float) -> View:
    """Straight up (1) or down (-1) from a height, m."""
    return View(np.array([0.0, height, 0.0]), np.array([0.0, height + up, 0.0]), field_of_view, NORTH)


def drawn(renderer: Renderer, view: View, light: Light, around: Around) -> FloatArray:
    renderer.draw(Frame(view, light, 0.0, around, Drawables(), NOTHING))
    return renderer.read().astype(float)


@pytest.mark.parametrize("cover", [0.25, 0.5])
def test_clouds_overhead_cover_the_share_of_the_sky_that_is_asked(gpu: Gpu, cover: float) -> None:
    """Seen at many places; a cloud takes most of the blue that the clear sky has there, and veils do not."""
    renderer = Renderer(gpu, (12, 12), PLAIN)
    ground, sun = Ground("none", (0.0, 0.0, 0.0), 100.0), direction_to(180.0, 50.0)

    def blue(clouds: float, place: FloatArray) -> FloatArray:
        around = Around(ground, np.zeros(3), clouds=place)
        picture = drawn(renderer, looking(1.0, 2.0, 30.0), daylight(sun, clouds=clouds), around)
        return np.asarray(1 - picture[..., 0] / np.maximum(picture[..., 2], 1))

    clear = blue(0.0, np.zeros(2))
    hidden = [blue(cover, place) < 0.4 * clear for place in np.random.default_rng(4).uniform(0, 14_000, (160, 2))]
    assert float(np.mean(hidden)) == pytest.approx(cover, abs=0.1)


def test_no_clouds_are_drawn_where_none_are_asked(gpu: Gpu) -> None:
    renderer, light = Renderer(gpu, (48, 48), PLAIN), daylight(direction_to(180.0, 50.0), clouds=0.0)
    around = Around(Ground("none", (0.0, 0.0, 0.0), 100.0), np.zeros(3))
    picture = drawn(renderer, looking(1.0, 2.0, 30.0), light, around)
    assert (picture[..., 2] > 1.3 * picture[..., 0]).all()


def test_the_shadow_of_a_cloud_lies_below_it(gpu: Gpu) -> None:
    """The sky seen from the ground and the ground seen from below the clouds, the sun overhead; veils cast none."""
    size, light = (64, 64), daylight([0.0, 1.0, 1e-4], clouds=0.45, haze=1e6)
    renderer = Renderer(gpu, size, PLAIN)
    sand = Ground("sand", (0.4, 0.4, 0.4), 9000.0)
    agree = []
    for place in np.random.default_rng(2).uniform(0, 14_000, (6, 2)):
        around = Around(sand, np.zeros(3), clouds=place)
        sky, land = (
            drawn(renderer, looking(up, height, 40.0), light, around)[
                12:52, 12:52
            ]  # in the middle, where no side is seen
            for up, height in ((1.0, 1.0), (-1.0, 1390.0))
        )
        above, below = sky[..., 0] > 0.9 * sky[..., 2], land.mean(axis=2)  # clouds are grey or white
        if below.max() > 1.1 * below.min():
            agree.append(float((above[:, ::-1] == (below < (below.min() + below.max()) / 2)).mean()))
    assert len(agree) >= 3
    assert np.mean(agree) > 0.82


def test_clouds_in_a_still_have_soft_edges_and_show_no_steps(gpu: Gpu) -> None:
    """No pixel of a tenth of a degree stands out of its neighbours, as it did where steps sliced clouds."""
    renderer, light = Renderer(gpu, (128, 128), STILL), daylight(direction_to(180.0, 50.0), clouds=0.4)
    ground = Ground("none", (0.0, 0.0, 0.0), 100.0)
    for upward, place in zip((0.35, 0.8), np.random.default_rng(1).uniform(0, 14_000, (4, 2))[[3, 1]], strict=True):
        eye = np.array([0.0, 2.0, 0.0])
        view = View(eye, eye + np.array([1.0, upward, 0.0]), 14.0, np.array([0.0, 1.0, 0.0]))
        p = drawn(renderer, view, light, Around(ground, np.zeros(3), clouds=place)).mean(axis=2)
        apart = np.abs(4 * p[1:-1, 1:-1] - p[2:, 1:-1] - p[:-2, 1:-1] - p[1:-1, 2:] - p[1:-1, :-2])
        assert p.std() > 10, "there are clouds in it"
        assert apart.max() < 38


def test_level_land_ends_in_trees_and_hills_that_close_around_the_camera(gpu: Gpu) -> None:
    """To the south, where azimuths jump from one half-turn to the other."""
    renderer, light = Renderer(gpu, (192, 64), STILL), daylight(direction_to(120.0, 40.0), clouds=0.0)
    view = View(np.array([0.0, 1.7, 0.0]), np.array([0.0, 1.7, 9.0]), 8.0, np.array([0.0, 1.0, 0.0]))
    around = Around(Ground("lawn", (0.1, 0.15, 0.05), 3000.0), np.zeros(3))
    picture = drawn(renderer, view, light, around)
    land = picture[14:30]  # from 0.2° to 2.2° above the horizon
    across = np.abs(np.diff(in_luminance(land), axis=1)).mean(axis=0)
    assert np.median(land[-6:]) < 0.9 * np.median(picture[:4]), "darker than the sky"
    assert in_luminance(land).std(axis=1).mean() > 4, "there is something in it"
    assert across[95] < 3 * np.median(across) + 2, "and it has no seam"


@pytest.mark.parametrize(("elevation", "clouds"), [(60.0, 0.0), (20.0, 0.3), (4.0, 0.0), (-4.0, 0.2)])
def test_no_pixel_of_a_grey_card_is_brighter_than_it_can_be(gpu: Gpu, elevation: float, clouds: float) -> None:
    """A card that faces the sun, before a sky as bright as a card can be: all light of the sun and of the sky on it."""
    light = daylight(direction_to(180.0, elevation), clouds=clouds, haze=1e9)
    x, y, z = light.sun
    basis = np.array([1, y, z, x, x * y, y * z, 3 * z * z - 1, x * z, x * x - y * y])
    most = GREY * (light.sun_colour + basis @ light.ambient) + 0.06 * light.sun_colour
    night = light.dark > 0.5
    light = replace(light, dome=np.broadcast_to(most, light.dome.shape), clouds=0.0, dark=0.0)
    renderer = Renderer(gpu, (64, 48), PLAIN)
    surface = DrawnSurface(gpu, renderer.layouts, [np.array([[0, 1], [2, 3]])], 4, CARD)
    across = np.cross(light.sun, NORTH if abs(light.sun[1]) > 0.9 else [0.0, 1.0, 0.0])
    across /= np.linalg.norm(across)
    along = np.cross(across, light.sun)
    place = np.array([0.0, 30.0, 0.0])
    corners = np.array([place + i * across + j * along for i in (-1, 1) for j in (-1, 1)])
    record = np.zeros(1, INSTANCE)
    record["place"], record["turn"] = [0, 0, 0, 1], [1, 0, 0.5, 1]
    block = InstanceBuffer(gpu, renderer.layouts).block(
        storage(gpu, vec4(corners[None])), storage(gpu, np.zeros(4, "<f4")), record
    )
    eye = place + 6.0 * light.sun + 1.5 * across
    view = View(eye, place, 30.0, np.array([0.0, 1.0, 0.0]))
    around = Around(Ground("none", (0.0, 0.0, 0.0), 100.0), np.zeros(3))
    sky = drawn(renderer, looking(1.0, 2.0, 30.0), light, around)[1, 1]
    renderer.draw(Frame(view, light, 0.0, around, Drawables(surfaces=[(surface, block)]), NOTHING))
    card = renderer.read().astype(float)[20:28, 28:36]
    assert (card <= sky + 1).all()
    assert in_luminance(card).mean() > (0.3 if night else 0.55) * in_luminance(sky), "and not much darker"


def test_the_same_frame_twice_is_the_same_to_the_last_bit(gpu: Gpu) -> None:
    renderer = Renderer(gpu, (96, 64), replace(PLAIN, grass=64))
    pond = PondSettings(centre=(0.0, -9.0), size=(12.0, 8.0))
    around = Around(Ground("meadow", (0.1, 0.15, 0.05), 900.0, pond), np.array([2.0, 0.0, 1.0]))
    light = daylight(direction_to(250.0, 18.0), clouds=0.5)
    view = View(np.array([0.0, 1.7, 0.0]), np.array([0.0, 2.5, -20.0]), 60.0, np.array([0.0, 1.0, 0.0]))
    first, again = (drawn(renderer, view, light, around) for _ in range(2))
    assert np.array_equal(first, again)
    assert first.std() > 20, "there is something in it"


def test_trees_on_the_skyline_turn_in_autumn_and_are_bare_in_winter(gpu: Gpu) -> None:
    """Where trees stand in summer there is less green over red in October, and more of the sky in January."""
    renderer = Renderer(gpu, (192, 24), PLAIN)
    light = daylight(direction_to(180.0, 40.0), clouds=0.0, haze=1e6)
    view = View(np.array([0.0, 2.0, 0.0]), np.array([0.0, 2.12, -10.0]), 3.0, np.array([0.0, 1.0, 0.0]))
    june, october, january = (
        drawn(renderer, view, light, Around(Ground("none", (0.0, 0.0, 0.0), 100.0, day=day), np.zeros(3)))
        for day in (165.0, 290.0, 15.0)
    )
    leafy = june[..., 1] > 1.15 * june[..., 2]
    leafy[13:] = False  # meadows, which stay green
    assert leafy.sum() > 100
    green = [float((picture[leafy][:, 1] / picture[leafy][:, 0]).mean()) for picture in (june, october)]
    assert green[1] < 0.9 * green[0]
    assert january[leafy][:, 2].mean() > 1.1 * june[leafy][:, 2].mean()
