"""Leaves that change with the season and come off, as a picture shows them."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.sampled import sampled
from windflower.core.buffers import read_floats
from windflower.core.device import Gpu
from windflower.errors import SceneError
from windflower.render.film import Film
from windflower.scene import Scene, build, parse_scene
from windflower.scene.foliage import foliage_of

SNOW = 'kind = "snow"'  # on which nothing else is yellow
SCENE = """
seconds = 2
size = [160, 120]
{season}
[[stands]]
plant = "silver-birch"
detail = 0.15
scale_variation = 0.0
motion = {{ kind = "{motion}" }}
{shedding}
[wind]
speed = {speed}
turbulence = 0.1
gustiness = 0.0
[sun]
azimuth = 200.0
elevation = 50.0
clouds = 0.0
[ground]
{ground}
[camera]
kind = "fixed"
eye = [0, 6, 26]
target = [0, 5, 0]
"""


def scene_of(
    *, season: str = "", shedding: str = "", speed: float = 0.0, motion: str = "cantilever", ground: str = SNOW
) -> Scene:
    text = SCENE.format(season=season, shedding=shedding, speed=speed, motion=motion, ground=ground)
    return build(parse_scene(text))


def picture(gpu: Gpu, scene: Scene, t: float = 0.0) -> NDArray[np.float64]:
    return Film(scene, quality="draft", gpu=gpu).frame(t).astype(np.float64)


def crown(picture: NDArray[np.float64]) -> NDArray[np.float64]:
    """Pixels about the middle of the tree."""
    return picture[30:70, 65:95].reshape(-1, 3)


def yellow(pixels: NDArray[np.float64]) -> int:
    """How many are much more red than blue, and not greener than red: of turned leaves."""
    return int(((pixels[..., 0] > pixels[..., 2] + 40) & (pixels[..., 0] >= pixels[..., 1])).sum())


def green(pixels: NDArray[np.float64]) -> int:
    return int(((pixels[..., 1] > pixels[..., 0]) & (pixels[..., 1] > pixels[..., 2] + 10)).sum())


def test_leaves_turn_in_autumn_and_are_not_out_in_winter(gpu: Gpu) -> None:
    summer, autumn, winter = (
        crown(picture(gpu, scene_of(season=season))) for season in ("", "season = 290", 'season = "winter"')
    )
    assert green(summer) > 200
    assert yellow(autumn) > 200 > 20 > yellow(summer)
    assert yellow(winter) + green(winter) < 50, "bark of twigs is all there is"


def test_far_trees_that_are_cards_turn_too(gpu: Gpu) -> None:
    seen = []
    for season in ("", "season = 290"):
        text = SCENE.format(season=season, shedding="", speed=0.0, motion="cantilever", ground=SNOW)
        film = Film(build(parse_scene(text.replace("eye = [0, 6, 26]", "eye = [0, 6, 110]"))), quality="draft", gpu=gpu)
        picture = film.frame(0.0).astype(np.float64)
        assert film.costs.latest is not None
        assert film.costs.latest.drawables.impostors
        seen.append(picture[40:70, 74:87])
    summer, autumn = seen
    redder = (autumn[..., 0] - autumn[..., 1]) - (summer[..., 0] - summer[..., 1])
    assert (redder > 10).sum() > 5


def test_leaves_that_came_off_lie_on_the_ground_and_hang_no_more(gpu: Gpu) -> None:
    before, after = (
        picture(gpu, scene_of(season='season = "autumn"', shedding=f"shedding = {{ fallen = {share}, rate = 0.0 }}"))
        for share in (0.0, 1.0)
    )
    on_ground = slice(88, 120)
    assert yellow(crown(before)) > 200
    assert yellow(crown(after)) < 50, "bark of twigs is all there is"
    assert yellow(before[on_ground]) == 0
    assert yellow(after[on_ground]) > 20


def test_a_tree_sheds_and_no_leaf_is_lost_and_going_back_begins_again(gpu: Gpu) -> None:
    scene = scene_of(season="season = 300", shedding="shedding = { rate = 0.3 }", speed=9.0)
    film = Film(scene, quality="draft", gpu=gpu)
    first = film.frame(0.0)
    falling = film.simulation.stands[0].falling
    assert falling is not None
    early = falling.counts
    film.frame(2.0)
    late, whole = falling.counts, len(scene.stands[0].plant.leaves)
    assert sum(early) == sum(late) == whole
    assert early[0] > late[0] > 0
    assert min(late) > 0
    assert np.array_equal(film.frame(0.0), first)
    assert film.simulation.stands[0].falling is not falling


@pytest.mark.parametrize("motion", sampled(["modal", "cantilever", "spectral"], "modal", "cantilever"))
def test_frames_after_the_first_make_no_buffers_and_no_bind_groups(
    gpu: Gpu, monkeypatch: pytest.MonkeyPatch, motion: str
) -> None:
    film = Film(scene_of(shedding="shedding = { rate = 2.0 }", speed=8, motion=motion), quality="draft", gpu=gpu)
    made: list[str] = []
    for number in range(4):
        if number == 2:
            for name in ("create_buffer", "create_buffer_with_data", "create_bind_group"):
                monkeypatch.setattr(type(gpu.device), name, _told(getattr(gpu.device, name), made))
        film.go_to(number / 30)
        film.renderer.draw(film.choose(number / 30))
    assert made == []


def _told(make: Callable[..., Any], made: list[str]) -> Callable[..., Any]:
    """The same method of the device, which leaves the name of what it makes."""

    def told(_: Any, **options: Any) -> Any:
        made.append(f"{make.__name__} {options.get('label', '')}")
        return make(**options)

    return told


def test_leaves_fall_the_same_for_a_seed_and_otherwise_for_another(gpu: Gpu) -> None:
    text = SCENE.format(
        season="season = 300", shedding="shedding = { rate = 0.3 }", speed=9.0, motion="cantilever", ground=SNOW
    )
    cards = []
    for seed in (1, 1, 2):
        stand = Film(build(parse_scene(f"seed = {seed}\n{text}")), quality="draft", gpu=gpu).simulation.stands[0]
        stand.advance(scene_of(speed=9.0).wind, np.arange(1, 61) / 60, None)
        assert stand.falling is not None
        cards.append(read_floats(gpu, stand.falling.cards))
    assert (cards[0] == cards[1]).all()
    assert (cards[0] != cards[2]).any()


def test_leaves_lie_on_hills_and_begin_anew_when_time_goes_back(gpu: Gpu) -> None:
    hills = scene_of(
        season="season = 300",
        shedding="shedding = { rate = 2.0, fallen = 0.2 }",
        speed=9.0,
        ground='kind = "meadow"\nterrain = { height = 30, spacing = 60, size = 400 }',
    )
    simulation = Film(hills, quality="draft", gpu=gpu).simulation
    simulation.advance(3.0)
    falling, land = simulation.stands[0].falling, hills.ground.terrain
    assert falling is not None
    assert land is not None
    cards = read_floats(gpu, falling.cards).reshape(-1, 8)
    lying = cards[cards[:, 3] == 2]
    above = lying[:, 1] - land.height(lying[:, [0, 2]].astype(float))
    assert len(lying) > 0.3 * len(cards)
    assert 0.03 < np.median(above) < 0.12
    assert np.abs(above).max() < 0.5, "the device has the land on a coarser grid"
    gone = falling.counts[0]
    falling.advance(simulation.stands[0].twin, hills.wind, -4.0)
    assert falling.counts[0] > gone
    assert falling.counts[1] == 0


def test_a_stand_goes_on_shedding_on_another_day_and_stops_when_told(gpu: Gpu) -> None:
    scene = scene_of(season="season = 300", shedding="shedding = { rate = 0.3, fallen = 0.5 }", speed=9.0)
    film = Film(scene, quality="draft", gpu=gpu)
    film.frame(0.0)
    simulation = film.simulation
    on, before = simulation.stands[0], scene.stands[0]
    assert before.foliage is not None
    assert before.foliage.shedding is not None
    falling, gone = on.falling, sum(on.falling.counts[1:]) if on.falling else 0
    same = foliage_of(before.plant, season=200.0, seed=before.foliage.leaves.seed)
    summer = replace(same, shedding=before.foliage.shedding, fallen=0.5)
    on.retune(replace(before, foliage=summer), simulation.dt)
    assert on.falling is falling
    assert falling is not None
    assert sum(falling.counts[1:]) == gone > 0
    on.retune(replace(before, foliage=same), simulation.dt)
    assert on.falling is None


def test_scene_files_name_a_season_or_a_day() -> None:
    with pytest.raises(SceneError, match="did you mean 'autumn'"):
        scene_of(season='season = "autum"')
    with pytest.raises(SceneError, match="366"):
        scene_of(season="season = 400")
    scene = scene_of(season='season = "spring"', shedding="flutter = 0.5")
    foliage = scene.stands[0].foliage
    assert foliage is not None
    assert foliage.season is not None
    assert (foliage.season.day, foliage.shedding) == (125.0, None)
    assert foliage.leaves.flutter.twist == pytest.approx(25.0)
