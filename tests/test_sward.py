"""The living ground: grass that leans in its own wind, the same meadow from the same seed, and kinds of ground."""

from dataclasses import replace
from typing import get_args

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray
from scipy.ndimage import median_filter

from windflower.core.arrays import FloatArray
from windflower.core.buffers import uniform
from windflower.core.device import Gpu
from windflower.errors import SceneError
from windflower.geometry.ground_textures import MATERIALS, ground_texture
from windflower.geometry.sward import Sown, tiles_in_view
from windflower.geometry.trunks import CELL, CELLS, Trunks
from windflower.render.daylight import daylight
from windflower.render.frame import Around, Drawables, Frame
from windflower.render.ground_covers import COVERS, cover_of
from windflower.render.ground_pipelines import make_ground_pipelines
from windflower.render.pipelines import FRAME
from windflower.render.quality import QUALITIES, Quality, quality_of
from windflower.render.renderer import Renderer
from windflower.render.sward import POPULATIONS, SOWN, DrawnSward
from windflower.render.wind_map import WindMap
from windflower.scene import Ground, View, parse_scene
from windflower.scene.ground import COLOURS, GroundSettings
from windflower.scene.terrain import Terrain
from windflower.wind import Wind

SIZE, QUALITY = (128, 80), Quality(10_000, 64, 1, grass=96)
MOST_BYTES = 128 * 2**20  # that every WebGPU device can bind


class SideWind(Wind):
    """Blows toward +z where x is positive, and not at all elsewhere."""

    def _flow(self, points: FloatArray, t: FloatArray | float) -> FloatArray:  # noqa: ARG002 - it is steady
        return np.where(points[..., :1] > 0, 6.0, 0.0) * np.array([0.0, 0.0, 1.0])


def view_of(eye: ArrayLike, target: ArrayLike, angle: float = 50.0) -> View:
    return View(np.asarray(eye, float), np.asarray(target, float), angle, np.array([0.0, 1.0, 0.0]))


LOOKING = view_of((0.0, 1.6, 4.0), (0.0, 0.0, -4.0))


def ground_of(kind: str = "meadow", **more: object) -> Ground:
    return replace(Ground(kind, COLOURS[kind], 400.0), **more)  # type: ignore[arg-type]


def drawn(
    gpu: Gpu,
    ground: Ground,
    view: View = LOOKING,
    *,
    wind: Wind | None = None,
    trunks: Trunks | None = None,
    quality: Quality = QUALITY,
    sun: ArrayLike = (0.3, 0.8, 0.4),
) -> Renderer:
    wind_map = WindMap.about(view.eye, wind, 3.0, 0.2) if wind else None
    around = Around(ground, np.zeros(3), wind_map=wind_map, trunks=trunks)
    renderer = Renderer(gpu, SIZE, quality)
    bounds = (np.array([1e5, 0.0, 0.0]), 10.0, 5.0)  # of shadows: none here
    renderer.draw(Frame(view, daylight(sun, clouds=0.0), 3.0, around, Drawables(), bounds))
    return renderer


def sown(renderer: Renderer, name: str = "grass") -> NDArray[np.void]:
    """Records of what was sown on the tiles in view."""
    ground = renderer._ground
    assert ground is not None
    (own,) = (one for one in ground.sward._drawn if one.population.name == name)
    count = len(ground.sward.shown[name]) * ground.sward.each[name]
    return np.frombuffer(renderer.gpu.queue.read_buffer(own._sown, 0, count * SOWN.itemsize), SOWN)


def test_tips_of_blades_lean_in_the_wind_where_they_stand(gpu: Gpu) -> None:
    calm, windy = (sown(drawn(gpu, ground_of(), wind=wind)) for wind in (None, SideWind()))
    there = (calm["root"][:, 3] > 0) & (calm["air"][:, 3] < 40.0)  # beyond lies the mean of the wind's map
    moved = (windy["lean"] - calm["lean"])[there, :2]
    x = calm["root"][there, 0]
    blown, sheltered = x > 12.0, x < -12.0
    assert blown.sum() > 30
    assert sheltered.sum() > 30
    assert moved[blown, 1].mean() > 0.15, "downwind"
    assert np.abs(moved[blown, 0]).mean() < 0.1
    assert np.abs(moved[sheltered]).max() < 0.05


def test_the_same_seed_gives_the_same_meadow_and_another_one_another(gpu: Gpu) -> None:
    first, again, other = (sown(drawn(gpu, ground_of(seed=seed))) for seed in (4, 4, 5))
    assert first.tobytes() == again.tobytes()
    grown = first["root"][:, 3] > 0
    assert grown.sum() > 1000
    assert (first["root"] != other["root"])[grown].any(axis=1).mean() > 0.95


def test_a_camera_that_moves_leaves_every_blade_where_it_is(gpu: Gpu) -> None:
    views = [view_of((x, 1.6, 4.0), (x, 0.0, -4.0)) for x in (0.0, 0.37)]
    here, there = (sown(drawn(gpu, ground_of(), view)) for view in views)
    near = here[(here["root"][:, 3] > 0) & (here["air"][:, 3] < 5.0)]
    known = {tuple(row) for row in there["root"][:, [0, 2]].tolist()}
    assert len(near) > 50
    assert np.mean([tuple(row) in known for row in near["root"][:, [0, 2]].tolist()]) > 0.85


KINDS = tuple(get_args(get_args(GroundSettings.model_fields["kind"].rebuild_annotation())[0]))


def test_every_kind_has_its_colour_and_its_cover() -> None:
    assert set(KINDS) == set(COLOURS) == {*COVERS, "none"}


def test_every_kind_of_ground_is_drawn_and_differs(gpu: Gpu) -> None:
    kinds = ("meadow", "lawn", "forest-floor", "soil", "sand", "snow", "none")
    pictures = {kind: drawn(gpu, ground_of(kind)).read()[40:].astype(float) for kind in kinds}
    for number, kind in enumerate(kinds):
        for other in kinds[:number]:
            assert np.abs(pictures[kind] - pictures[other]).mean() > 4, (kind, other)


def test_a_meadow_has_no_black_specks_and_no_burnt_ones(gpu: Gpu) -> None:
    for kind in ("meadow", "forest-floor"):
        light = drawn(gpu, ground_of(kind)).read()[45:].astype(float).max(axis=2)
        assert light.min() > 12, kind
        assert (light > 250).mean() < 0.01, kind


def test_few_blades_are_no_specks_on_the_ground_between_them(gpu: Gpu) -> None:
    """Where blades are few, as in a draft, it is not dark between them."""
    for view in (LOOKING, view_of((0, 1.7, 9), (0, 1.5, 0))):
        picture = drawn(gpu, ground_of(), view, quality=quality_of("draft", software=True)).read()[45:].mean(axis=2)
        assert (picture < 0.5 * median_filter(picture, 9)).mean() < 0.01


def test_flowers_smaller_than_a_pixel_leave_no_specks_where_a_pixel_has_four_samples(gpu: Gpu) -> None:
    """A pixel's middle may lie beside a triangle that covers one of its samples: colours must not be read there."""
    many = replace(QUALITY, samples=4, grass=512)
    for seed in (1, 2):
        picture = drawn(gpu, ground_of(seed=seed), view_of((0, 1.7, 9), (0, 1.5, 0)), quality=many).read()[45:]
        assert picture.max(axis=2).min() > 12


def test_grass_ends_without_an_edge(gpu: Gpu) -> None:
    """From row to row of a picture, up to where the ground ends, the mean colour changes little."""
    quality = replace(QUALITY, grass=256)
    picture = drawn(gpu, ground_of(seed=2), view_of((0, 1.7, 0), (0, 1.35, -10), 12.0), quality=quality).read()
    rows = picture[31:].astype(float).mean(axis=(1, 2))  # from 130 m on
    smooth = np.convolve(rows, np.ones(3) / 3, "valid")
    assert np.abs(np.diff(smooth)).max() < 0.09 * smooth.mean()


def test_seasons_change_a_meadow() -> None:
    spring, autumn, winter = (cover_of(ground_of(day=day)) for day in (125.0, 288.0, 15.0))
    assert spring is not None
    assert autumn is not None
    assert winter is not None
    assert spring.flowers > 5 * autumn.flowers
    assert winter.flowers < 0.05
    assert autumn.litter > spring.litter
    assert autumn.fresh > 0.9
    assert winter.dry > spring.dry


@pytest.mark.parametrize("angle", [20.0, 50.0, 100.0])
def test_no_view_sows_more_than_its_budget(angle: float) -> None:
    view = view_of((3.0, 18.0, 5.0), (0.0, 15.5, -10.0), angle)
    each = max(quality_of(name, software=False).grass for name in QUALITIES)
    land = Terrain(np.outer(np.linspace(0, 30, 33), np.ones(33)), 300.0)  # 15 m high in the middle
    wanted = tuple(Sown(own.layers, each, own.most) for own in POPULATIONS)
    found = tiles_in_view(wanted, view.eye, view.projection((1920, 1080)), land=land)
    for own, one, tiles in zip(POPULATIONS, wanted, found, strict=True):
        (alone,) = tiles_in_view((one,), view.eye, view.projection((1920, 1080)), land=land)
        assert np.array_equal(alone.records, tiles.records)
        assert 0 < len(tiles) <= own.most
        assert (np.diff(tiles.away) >= 0).all()
        assert own.most * own.share * each * SOWN.itemsize * 5 / 4 < MOST_BYTES


def test_tiles_behind_the_camera_are_left_out() -> None:
    layers = POPULATIONS[0].layers
    (found,) = tiles_in_view((Sown(layers, 4, 4000),), LOOKING.eye, LOOKING.projection(SIZE), land=None)
    middle = found.records["corner"][:, 1] + found.records["side"] / 2
    assert (middle - found.records["side"] < LOOKING.eye[2]).all()
    reach = [layer.reach for layer in layers]
    assert (found.away < np.array(reach)[found.records["layer"]]).all()


def test_the_ground_is_dark_at_the_foot_of_a_trunk(gpu: Gpu) -> None:
    trunks = Trunks(np.zeros((1, 2)), np.array([0.3]), np.array([[0.2, 0.2, 0.2, -1.0]]), np.zeros((1, 3)))
    above, bare_quality = view_of((0.0, 4.0, 0.01), (0.0, 0.0, 0.0)), replace(QUALITY, grass=0)
    bare, shaded = (
        drawn(gpu, ground_of("soil"), above, trunks=some, quality=bare_quality).read().astype(float).mean(axis=2)
        for some in (None, trunks)
    )
    metre = SIZE[1] / (2 * 4.0 * np.tan(np.radians(25)))  # pixels
    row, column = SIZE[1] // 2, SIZE[0] // 2
    share = (shaded / bare)[row]
    beside, away = round(column + 0.45 * metre), round(column + 2.2 * metre)
    assert share[beside] < 0.88
    assert share[away] > 0.97


def test_trunks_stand_in_the_cells_that_they_reach() -> None:
    trunks = Trunks(np.array([[0.1, 7.9], [500.0, 0.0]]), np.array([0.2, 0.4]), np.full((2, 4), -1.0), np.zeros((2, 3)))
    corner = trunks.corner(np.array([1.0, 2.0, 1.0]))
    cells = trunks.cells(corner).astype(float)
    layer, row, column = np.nonzero(cells[..., 2])
    found = cells[layer, row, column, :2] + CELL * np.column_stack([column, row]) + corner
    assert found == pytest.approx(np.tile([0.1, 7.9], (len(found), 1)), abs=0.01)
    assert len(found) == 4, "it stands near a corner of four cells"
    assert cells.shape[1:3] == (CELLS, CELLS)


@pytest.mark.parametrize("camera", [(0.0, 0.0), (-310.0, 170.0), (9e3, 0.0)])
def test_the_trunks_about_a_camera_are_those_of_its_tiles(camera: tuple[float, float]) -> None:
    rng = np.random.default_rng(3)
    rows = (
        rng.uniform(-400, 400, (5000, 2)),
        rng.uniform(0.03, 0.6, 5000),
        rng.uniform(0, 1, (5000, 4)),
        np.zeros((5000, 3)),
    )
    trunks = Trunks(*rows)
    corner = trunks.corner(np.array([camera[0], 2.0, camera[1]]))
    near = np.abs(rows[0] - corner - CELL * CELLS / 2).max(axis=1) < CELL * CELLS / 2 + CELL
    few = Trunks(*(part[near] for part in rows))
    assert np.array_equal(trunks.cells(corner), few.cells(corner))
    assert np.array_equal(trunks.roots(corner).length[::10] > 0, few.roots(corner).length[::10] > 0)
    assert np.array_equal(trunks.roots(corner).foot, few.roots(corner).foot)


@pytest.mark.parametrize("name", MATERIALS)
def test_materials_repeat_without_a_seam(name: str) -> None:
    picture = ground_texture(name).colour[..., :3].astype(float)
    for axis in (0, 1):
        steps = np.abs(np.roll(picture, -1, axis) - picture).mean(axis=(1 - axis, 2))
        assert steps[-1] < 1.6 * steps.mean()


def test_grass_is_another_word_for_a_meadow() -> None:
    assert parse_scene('[[stands]]\nplant = "oak"\n[ground]\nkind = "grass"').ground.kind == "meadow"


def test_an_unknown_kind_of_ground_is_refused_in_one_sentence() -> None:
    with pytest.raises(SceneError) as caught:
        parse_scene('[[stands]]\nplant = "oak"\n[ground]\nkind = "marsh"')
    text = str(caught.value)
    assert "ground.kind" in text
    assert "forest-floor" in text
    assert "\n" not in text.strip()


def test_finer_grass_hides_as_much_of_the_ground_among_as_many_stones(gpu: Gpu) -> None:
    frame = uniform(gpu, FRAME.itemsize)
    good, best = (
        DrawnSward(gpu, make_ground_pipelines(gpu, 1), cover_of(ground_of()), frame, frame, blades=blades)
        for blades in (2048, 4096)
    )
    assert best.each["grass"] * best.veil[3] == pytest.approx(good.each["grass"] * good.veil[3])
    assert [best.each[name] for name in ("herbs", "litter", "stones")] == [
        good.each[name] for name in ("herbs", "litter", "stones")
    ]
