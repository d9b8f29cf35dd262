"""The deform pass and draw lists: cheaper ways to draw a frame show the same picture."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from windflower.core.device import Gpu
from windflower.geometry.leaf_textures import leaf_mask
from windflower.geometry.lod import in_full
from windflower.geometry.lod_meshes import plant_meshes
from windflower.plant.growth import grow
from windflower.plant.species import species_of
from windflower.render.drawn import WHOLE, Cut, DrawnMesh
from windflower.render.drawn_scene import Detail
from windflower.render.drawn_stand import DrawnStand
from windflower.render.film import Film
from windflower.render.wind_map import APART, Samples, WindMap
from windflower.scene import Scene, build, parse_scene
from windflower.wind import Wind

GROVE = """
size = [96, 64]
seed = 5
[[stands]]
plant = "silver-birch"
detail = 0.08
count = 5
area = { kind = "circle", radius = 6.0 }
motion = { kind = "modal", modes = 4, cells = 1 }
[wind]
speed = 6.0
[ground]
kind = "soil"
[camera]
kind = "fixed"
eye = [0, 5, 24]
target = [0, 5, 0]
"""


@pytest.fixture(scope="module")
def grove() -> Scene:
    return build(parse_scene(GROVE))


def tiles(picture: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Mean colours of tiles of 16 x 16 pixels."""
    height, width, _ = picture.shape
    return picture.reshape(height // 16, 16, width // 16, 16, 3).mean(axis=(1, 3))


@pytest.mark.parametrize("species", ["silver-birch", "walnut", "spruce", "hazel-bush"])
def test_a_triangle_about_a_leafs_card_leaves_nothing_out(species: str) -> None:
    leaf = species_of(species).leaf
    assert leaf is not None
    mask = leaf_mask(leaf.shape, leaf.aspect)
    for layer, (a, b, c) in zip(mask.levels[0], mask.cover, strict=True):
        row, column = np.nonzero(layer[..., 3] > 0)
        x, y = (column + 0.5) / layer.shape[1], 1 - (row + 0.5) / layer.shape[0]
        sides = [(q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0]) for p, q in ((a, b), (b, c), (c, a))]
        assert min(side.min() for side in sides) > 0
        area = ((b - a)[0] * (c - a)[1] - (b - a)[1] * (c - a)[0]) / 2
        assert area < 2.0, "cards have an area of 1"


def test_bands_and_triangles_look_like_tubes_and_cards(gpu: Gpu, grove: Scene) -> None:
    pictures = []
    for cut in (WHOLE, Cut.of(0)._replace(bands=6)):
        film = Film(grove, quality="draft", gpu=gpu)
        for stand in film.drawn.stands:
            own = stand.meshes[0]
            stand.meshes[0] = DrawnMesh(gpu, film.renderer.layouts, own.mesh, species_of("silver-birch"), cut=cut)
            stand.refresh()
        counts = [(len(stand.places), len(stand.meshes)) for stand in film.drawn.stands]
        view = grove.camera.view(0.0)
        film.go_to(0.0)
        frame = film.choose(0.0, levels=in_full(counts, camera=view.eye, pixel=view.pixel((96, 64))))
        film.renderer.draw(frame)
        pictures.append((tiles(film.renderer.read()), frame.triangles))
    (tubes, many), (bands, few) = pictures
    assert few < 0.95 * many
    difference = np.abs(tubes - bands).mean(axis=2)
    assert difference.mean() < 1.5
    assert difference.max() < 8.0


def test_no_leaf_in_daylight_is_black(gpu: Gpu, grove: Scene) -> None:
    picture = Film(grove, quality="draft", gpu=gpu).frame(0.0)
    assert picture.max(axis=2).min() > 12


def test_a_stand_in_several_bindings_is_drawn_as_in_one(gpu: Gpu, monkeypatch: pytest.MonkeyPatch) -> None:
    many = build(parse_scene(GROVE.replace("count = 5", "count = 40").replace("radius = 6.0", "radius = 15.0")))
    pictures, parts = [], []
    for most in (1000, 16):
        monkeypatch.setattr(DrawnStand, "_most", lambda _stand, _level, most=most: most)
        film = Film(many, quality="draft", gpu=gpu)
        pictures.append(film.frame(0.0))
        parts.append(len(film.choose(0.0).drawables.plants))
    assert parts[1] > parts[0]
    one, several = pictures
    np.testing.assert_array_equal(one, several)


def test_frames_that_follow_one_another_share_levels_and_frames_alone_do_not(gpu: Gpu, grove: Scene) -> None:
    film = Film(grove, quality="draft", gpu=gpu)
    film.go_to(0.0)
    paused = [film.choose(0.0, alone=False) for _ in range(3)]
    assert all(one.choice is paused[0].choice for one in paused), "nothing has changed: the factor must not drift"
    assert paused[2].drawables is paused[0].drawables
    view, light, detail = paused[0].view, paused[0].light, Detail(film.renderer.size, film.quality.for_plants)
    eyes = view.eye + np.outer(0.1 * np.arange(1, 4), [0.0, 0.0, 1.0])
    walk = [film.drawn.frame(replace(view, eye=eye), light, 0.0, detail).choice for eye in eyes]
    assert walk[0] is paused[0].choice
    assert walk[1] is not walk[0]
    assert walk[2] is walk[1]
    assert film.choose(0.0).choice is not film.choose(0.0).choice


def test_a_hand_or_another_size_is_shown_at_once(gpu: Gpu, grove: Scene) -> None:
    film = Film(grove, quality="draft", gpu=gpu)
    film.go_to(0.0)
    before = film.choose(0.0, alone=False).choice
    film.drawn.stands[0].finest = np.array([1])
    assert film.choose(0.0, alone=False).choice is not before
    light, view = film.choose(0.0).light, grove.camera.view(0.0)
    first = film.drawn.frame(view, light, 0.0, Detail((96, 64), 10**5)).choice
    assert film.drawn.frame(view, light, 0.0, Detail((192, 128), 10**5)).choice is not first


def test_the_winds_map_between_two_moments_is_their_mean() -> None:
    wind, eye = Wind.beaufort(5), np.array([3.0, 2.0, -7.0])
    at = WindMap.about(eye, wind, 7.5 * APART, 0.2)
    (before, left), (after, right) = at.moments
    assert (before, after) == pytest.approx((7 * APART, 8 * APART))
    assert left + right == pytest.approx(1.0)
    exact, first, second = (at.texels(at.samples_at(time)) for time in (at.time, before, after))
    between = left * first + right * second
    assert np.abs(between - exact).max() < 0.03 * np.abs(exact).max()


@pytest.mark.parametrize("way", [(5.5, 0.0), (-12.0, 31.0), (70.0, -70.0), (0.0, 400.0)])
def test_the_winds_map_goes_on_with_what_it_knows(way: tuple[float, float]) -> None:
    wind, eye = Wind.beaufort(5), np.array([3.0, 2.0, -7.0])
    here, there = (WindMap.about(at, wind, 1.0, 0.2) for at in (eye, eye + np.array([way[0], 0.0, way[1]])))
    samples = here.samples_at(1.0)
    known = Samples(here.corner, samples, here.texels(samples))
    assert np.abs(there.samples_at(1.0, known) - there.samples_at(1.0)).max() < 1e-12


def test_the_winds_map_of_a_loop_has_whole_steps() -> None:
    map_ = WindMap.about(np.zeros(3), Wind.beaufort(3).repeating(2.05), 0.0, 0.2, period=2.05)
    step = map_.moments[1][0]
    assert step <= APART
    assert 2.05 / step == pytest.approx(round(2.05 / step))


def test_wood_and_leaves_are_counted_as_they_are_drawn() -> None:
    mesh = plant_meshes(grow("silver-birch", detail=0.05)).meshes[0]
    cut = Cut.of(0)
    indices = sum(len(cut.wood(tubes)) for tubes, _ in cut.merged(mesh.tubes)) + len(
        cut.cards(mesh.sprig.drawn * len(mesh.leaves))
    )
    assert cut.triangles(mesh) == indices // 3
    assert WHOLE.triangles(mesh) > cut.triangles(mesh)
