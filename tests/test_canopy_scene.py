"""A scene with a forest has the forest's wind; single trees, groves and herbs have that of open country."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.sampled import sampled
from windflower import grow
from windflower.errors import SceneError
from windflower.mechanics import analyse
from windflower.motion import ModalMotion, Places, SpectralMotion
from windflower.motion.modal.felt import felt_at
from windflower.scene import Scene, build, parse_scene, save_scene
from windflower.scene.canopy import canopy_of
from windflower.scene.wind import wind_of
from windflower.viewer.session import Session
from windflower.wind import ForestProfile, Gusty, Profile, Steady, Turbulence, deep_forest, turbulence_of

MODAL = '{ kind = "modal", modes = 4, cells = 1 }'
FOREST = """
seed = 3
[[stands]]
plant = "silver-birch"
detail = 0.05
count = {count}
area = {{ kind = "rectangle", size = [{side}, {side}] }}
motion = {motion}
[wind]
speed = 8.0
{wind}
"""


def scene(*, count: int = 900, side: float = 160, motion: str = MODAL, **wind: str) -> Scene:
    """Birches in a square, by default a closed forest."""
    lines = "\n".join(f"{name} = {value}" for name, value in wind.items())
    return build(parse_scene(FOREST.format(count=count, side=side, motion=motion, wind=lines)))


def eddies_of(given: Scene) -> Turbulence:
    found = turbulence_of(given.wind)
    assert found is not None
    return found


def points(given: Scene) -> Any:
    return np.concatenate([stand.probes.reshape(-1, 3) for stand in given.stands])


def open_wind(given: Scene) -> Any:
    return wind_of(given.settings.wind, seed=given.seed)


def test_a_forest_has_its_own_wind_by_default_and_the_speed_stays_that_of_open_country() -> None:
    forest = scene()
    eddies, canopy = eddies_of(forest), canopy_of(forest.settings, forest.forest)
    assert isinstance(canopy, ForestProfile)
    assert 10 < canopy.height < 16
    assert eddies.profile is canopy
    assert eddies.form == "canopy"
    assert eddies.pace == pytest.approx(8.0 * canopy.pace)
    assert np.hypot(*forest.wind.mean[[0, 2]]) == pytest.approx(8.0)
    inside = np.array([[30.0, 0.5 * canopy.height, 0.0]])
    before = inside - np.array([[200.0, 0.0, 0.0]])
    calm, windy = (np.linalg.norm(forest.wind.velocity(one, np.arange(200.0)).mean(axis=0)) for one in (inside, before))
    assert calm < 0.4 * windy


@pytest.mark.parametrize(
    ("count", "side", "wind"),
    [(1, 40, {}), (30, 44, {}), (900, 160, {"canopy": "false"}), (900, 160, {"profile": '{ law = "uniform" }'})],
    ids=["one tree", "a grove", "canopy = false", "the same speed everywhere"],
)
def test_all_else_has_the_wind_of_open_country_to_the_last_bit(count: int, side: float, wind: dict[str, str]) -> None:
    other = scene(count=count, side=side, **wind)
    where, times = points(other)[:50, None], np.array([0.0, 3.7])
    assert (other.wind.velocity(where, times) == open_wind(other).velocity(where, times)).all()
    assert isinstance(eddies_of(other).profile, Profile)


def test_herbs_and_what_grows_in_water_make_no_forest() -> None:
    bed = '[[stands]]\nplant = "hollyhock"\ndetail = 0.1\ncount = 300\nspacing = 0.4'
    kelp = '[[stands]]\nplant = "giant-kelp"\ndetail = 0.1\ncount = 300\nspacing = 1.0\n[ground]\nkind = "seabed"'
    for text in (bed, kelp):
        built = build(parse_scene(text))
        assert canopy_of(built.settings, built.forest) is None


def test_a_scene_file_may_ask_for_a_canopy_and_change_its_height_and_leaf_area(tmp_path: Path) -> None:
    grove = scene(count=30, side=44, canopy="true")
    assert isinstance(eddies_of(grove).profile, ForestProfile)
    changed = scene(canopy="{ height = 25.0, leaf_area = 2.0 }")
    canopy = canopy_of(changed.settings, changed.forest)
    assert canopy is not None
    assert canopy.height == pytest.approx(25.0, rel=0.02)
    assert canopy.whole[1] < canopy_of(scene().settings, scene().forest).whole[1]  # type: ignore[union-attr]
    save_scene(changed.settings, tmp_path / "forest.toml")
    assert parse_scene((tmp_path / "forest.toml").read_text()).wind == changed.settings.wind


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("canopy = 3", "wind.canopy"),
        ("canopy = { height = -2 }", "wind.canopy"),
        ("canopy = { width = 2 }", "width"),
        ('file = "mast.csv"\ncanopy = true', "a file blows as it was recorded; leave out canopy"),
    ],
)
def test_what_is_no_canopy_is_refused_in_a_sentence(text: str, rule: str) -> None:
    speed = "" if "file" in text else "speed = 8.0\n"
    with pytest.raises(SceneError, match=rule) as raised:
        parse_scene(f'[[stands]]\nplant = "oak"\n[wind]\n{speed}{text}')
    assert "\n" not in str(raised.value)


def test_a_scripted_gust_in_calm_air_brings_the_canopys_eddies() -> None:
    gust = "[{ at = 5.0, strength = 12.0, duration = 40.0, rise = 2.0, fall = 4.0, width = 500.0 }]"
    given = scene(gusts=gust).settings
    given = given.model_copy(update={"wind": given.wind.model_copy(update={"speed": 0.0})})
    forest = build(given)
    canopy = canopy_of(forest.settings, forest.forest)
    assert canopy is not None
    top = np.array([40.0, canopy.height, 0.0])
    winds = [wind_of(given.wind, seed=seed, canopy=canopy) for seed in range(120)]
    times = np.array([1.0, 20.0, 25.0, 30.0, 35.0])
    felt = np.array([wind.velocity(top, times)[:, 0] for wind in winds])
    assert np.abs(felt[:, 0]).max() < 1e-9
    hold = felt[:, 1:]
    expected = 0.18 * float(canopy.eddies(top[None])[0, 0] / canopy.mean(top[None])[0])
    assert expected > 0.45
    assert hold.std() / hold.mean() == pytest.approx(expected, abs=0.04)


def test_a_loop_and_the_damping_are_made_for_the_wind_that_the_trees_have() -> None:
    alone, forest = scene(count=1), scene()
    lone, among = (one.stands[0].motion for one in (alone, forest))
    assert isinstance(lone, ModalMotion)
    assert isinstance(among, ModalMotion)
    assert lone.speed == pytest.approx(8.0)
    assert 0.15 < among.speed / lone.speed < 0.6
    loop = scene(motion='{ kind = "spectral", modes = 4, cells = 1, period = 4.0, headings = 1 }').stands[0].motion
    assert isinstance(loop, SpectralMotion)
    assert isinstance(loop.wind, Turbulence)
    profile = loop.wind.profile
    here = np.array([[0.0, 9.0, 0.0], [-700.0, 9.0, 0.0]])
    assert profile.mean(here)[0] == profile.mean(here)[1] < 0.6


LEAST = {"silver-birch": 0.75, "scots-pine": 0.75, "oak": 0.55, "spruce": 0.5}
"""How far one cell must make a tree lean, over how far a wind at every branch does."""


@pytest.mark.parametrize(("species", "one"), sampled(LEAST.items(), ("oak", 0.55)))
def test_in_a_forest_cells_make_a_tree_lean_as_a_wind_at_every_branch_does(species: str, one: float) -> None:
    plant = grow(species, detail=0.2)
    air = deep_forest(plant.height, 4.0)

    def lean(cells: int, *, felt: bool) -> float:
        """How far the top leans, over how far all branches make it lean."""
        modes = analyse(plant, count=8, cells=cells, chosen="lowest", cache=False)
        motion = ModalMotion(modes, pose="linear", felt=felt_at(modes, air) if felt else None)
        probes = motion.probes(Places())
        state = motion.settled(Places(), Steady(speed=10.0, profile=air).velocity(probes, 0.0))
        true = SpectralMotion(modes, period=10.0, wind=Turbulence(speed=10.0, profile=air)).forces.mean[:8]
        top = modes.shape[:, int(np.argmax(plant.position[:, 1])), :3]
        return float(np.linalg.norm(state.q[0] @ top) / np.linalg.norm(true / modes.omega**2 @ top))

    assert one < lean(1, felt=True) < 1.1
    assert 0.9 < lean(16, felt=True) < 1.1
    assert lean(1, felt=False) < 0.7  # in its centre


def test_in_open_country_a_cell_feels_the_wind_in_its_centre() -> None:
    lone = scene(count=1).stands[0].motion
    assert isinstance(lone, ModalMotion)
    assert (lone.felt == lone.modes.cell_centre).all()
    among = scene().stands[0].motion
    assert isinstance(among, ModalMotion)
    assert (among.felt[:, 1] > among.modes.cell_centre[:, 1]).all()


def test_in_a_window_the_canopy_turns_with_the_wind_and_can_be_left(tmp_path: Path) -> None:
    session = Session(scene().settings, folder=tmp_path)
    session.set_wind(direction=0.0)
    profile = eddies_of(session.scene).profile
    assert isinstance(profile, ForestProfile)
    assert profile.direction == 0.0
    told = [session.forest_wind]
    session.set_wind(canopy=False)
    assert isinstance(eddies_of(session.scene).profile, Profile)
    told.append(session.forest_wind)
    session.set_wind(canopy=None)
    assert isinstance(session.scene.wind, Gusty)
    told.append(Session(scene(count=1).settings, folder=tmp_path).forest_wind)
    assert told == [True, False, None]
    assert isinstance(eddies_of(session.scene).profile, ForestProfile)
