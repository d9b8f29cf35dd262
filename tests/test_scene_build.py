"""From a scene file to stands that can be moved."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from windflower import grow
from windflower.errors import SceneError
from windflower.motion import ModalMotion
from windflower.scene import Scene, build, parse_scene, read_scene, scene_names
from windflower.scene.stands import specimens_in
from windflower.scene.thinning import with_trees
from windflower.scene.wind import wind_of
from windflower.scene.wind_table import WindSettings
from windflower.wind import ForcePrimitive, ForceWind, Gust, preset


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Modes found here are kept for these tests alone."""
    monkeypatch.setenv("WINDFLOWER_CACHE", str(tmp_path_factory.getbasetemp() / "scene-modes"))


def scene_of(stand: str, more: str = "", **kwargs: Any) -> Scene:
    return build(parse_scene(f"{more}\n[[stands]]\ndetail = 0.1\n{stand}"), **kwargs)


def test_a_scene_of_one_stand_moves() -> None:
    scene = scene_of('plant = "oak"', "[wind]\nspeed = 12")
    (stand,) = scene.stands
    assert (scene.trees, len(stand), stand.name) == (1, 1, "oak 1")
    assert stand.places.position.tolist() == [[0, 0, 0]]
    state = stand.motion.rest(stand.places)
    for t in np.arange(1, 30) / 15:
        state = stand.motion.step(state, scene.wind.velocity(stand.motion.probes(stand.places), t), 1 / 15)
    moved = np.linalg.norm(stand.motion.pose(state) - stand.plant.position, axis=-1)
    assert moved.max() > 0.01
    assert np.isfinite(moved).all()
    assert scene.frames == 144


def test_four_specimens_are_four_stands_that_share_the_trees() -> None:
    scene = scene_of('plant = "silver-birch"\ncount = 30\nspecimens = 4\nseed = 5\nspacing = 4')
    assert [stand.name for stand in scene.stands] == [f"silver-birch {seed}" for seed in (5, 6, 7, 8)]
    assert sorted(len(stand) for stand in scene.stands) == [7, 7, 8, 8]
    assert len({stand.plant.position.tobytes() for stand in scene.stands}) == 4
    places = np.concatenate([stand.places.position for stand in scene.stands])
    assert len(np.unique(places, axis=0)) == 30
    assert (places[:, 1] == 0).all()


def test_few_trees_leave_specimens_out() -> None:
    scene = scene_of('plant = "palm"\ncount = 2\nspecimens = 4\nspacing = 4')
    assert [len(stand) for stand in scene.stands] == [1, 1]


def test_neighbours_differ_in_turn_size_and_stiffness_as_much_as_told() -> None:
    scene = scene_of(
        'plant = "palm"\ncount = 200\nspacing = 2\nscale = 2\nscale_variation = 0.1\nyaw = 90\nyaw_variation = 10\n'
        "stiffness_variation = 0.3"
    )
    places = scene.stands[0].places
    for values, low, high in (
        (places.scale, 1.8, 2.2),
        (np.degrees(places.yaw), 80, 100),
        (places.stiffness, 0.7, 1.3),
    ):
        assert low <= values.min() < low + 0.05 * (high - low)
        assert high - 0.05 * (high - low) < values.max() <= high
    assert abs(np.corrcoef(places.scale, places.stiffness)[0, 1]) < 0.25


def test_the_same_scene_is_built_the_same_way_twice() -> None:
    text = 'plant = "palm"\ncount = 20\nspecimens = 2\nspacing = 4'
    one, other = scene_of(text), scene_of(text)
    for a, b in zip(one.stands, other.stands, strict=True):
        assert np.array_equal(a.places.position, b.places.position)
        assert np.array_equal(a.places.stiffness, b.places.stiffness)
        modal = a.motion.below, b.motion.below
        assert isinstance(modal[0], ModalMotion)
        assert isinstance(modal[1], ModalMotion)
        assert np.array_equal(modal[0].modes.shape, modal[1].modes.shape)
    third = scene_of(text, "seed = 2")
    assert not np.array_equal(one.stands[0].places.position, third.stands[0].places.position)


def test_a_plant_may_come_from_a_file_and_be_bare(tmp_path: Path) -> None:
    grow("walnut", detail=0.1).save(tmp_path / "mine.npz")
    (tmp_path / "scene.toml").write_text('[[stands]]\nplant = "mine.npz"\nleaves = false\npositions = [[3, 4], [9, 9]]')
    scene = build(read_scene(tmp_path / "scene.toml"))
    (stand,) = scene.stands
    assert (stand.name, len(stand), len(stand.plant.leaves)) == ("mine", 2, 0)
    assert stand.places.position.tolist() == [[3, 0, 4], [9, 0, 9]]


def test_the_motion_is_what_the_stand_asks_for() -> None:
    motion = 'motion = { kind = "modal", modes = 7, cells = 3, pose = "linear" }'
    scene = scene_of(f'plant = "oak"\n{motion}', "[wind]\nspeed = 9\nturbulence = 0")
    modal = scene.stands[0].motion
    assert isinstance(modal, ModalMotion)
    assert (len(modal.modes), modal.modes.cells) == (7, 3)
    assert modal.speed == pytest.approx(9)


def test_trees_keep_clear_of_the_eye_and_of_clearings() -> None:
    scene = scene_of(
        'plant = "palm"\ncount = 150\nspacing = 2\narea = { kind = "rectangle", size = [60, 60] }',
        '[camera]\nkind = "fly"\nkeys = [{ eye = [-30, 2, 0] }, { eye = [30, 2, 10] }]\nclearing = 4\n'
        "[[clearings]]\ncentre = [0, -20]\nradius = 8",
    )
    feet = scene.stands[0].places.position[:, [0, 2]]
    way = scene.camera.positions(scene.seconds, moments=400)[:, [0, 2]]
    assert np.hypot(*(feet[:, None] - way[None]).transpose(2, 0, 1)).min() > 3.99
    assert np.hypot(feet[:, 0], feet[:, 1] + 20).min() >= 8


def test_an_eye_above_the_trees_needs_no_clearing() -> None:
    scene = scene_of(
        'plant = "palm"\ncount = 100\nspacing = 2\narea = { kind = "circle", radius = 14 }',
        '[camera]\nkind = "fixed"\neye = [0, 60, 0]\ntarget = [0, 0, 0]\nclearing = 13.9',
    )
    assert scene.trees == 100


def test_bounds_hold_every_tree() -> None:
    scene = scene_of('plant = "oak"\ncount = 12\nspacing = 9\nscale_variation = 0.4')
    for stand in scene.stands:
        points = stand.places.to_world(stand.plant.position).reshape(-1, 3)
        assert (points >= scene.bounds.low - 1e-9).all()
        assert (points <= scene.bounds.high + 1e-9).all()
    assert scene.ground.size / 2 > np.abs(scene.bounds.high).max()


def test_progress_is_told_step_by_step_to_the_end() -> None:
    steps: list[tuple[str, int, int]] = []
    scene_of('plant = "palm"\nspecimens = 2\ncount = 2', progress=lambda *step: steps.append(step))
    assert [done for _, done, _ in steps] == [0, 1, 2, 3]
    assert {total for _, _, total in steps} == {3}
    assert steps[0][0] == "growing palm 1"


@pytest.mark.parametrize(
    ("stand", "more", "rule"),
    [
        ('plant = "nowhere.npz"', "", r"stands\[0\]: the file must exist"),
        ('plant = "nowhere.toml"', "", r"stands\[0\]: a species file must exist"),
        ('plant = "palm"', '[wind]\nfile = "nowhere.csv"', r"wind: .*nowhere.csv"),
        ('plant = "palm"', '[wind]\nfile = "wind.exe"', r"wind: .*'?wind.exe'? is not one of them"),
        ('plant = "palm"', "[wind]\ngustiness = 2\ngust_interval = 4", "Lower gustiness"),
        (
            'plant = "palm"',
            '[[wind.sources]]\nkind = "fan"\nplace = [0, 1, 0]\ntoward = [0, 0, 0]\nspeed = 3',
            r"wind\.sources\[0\]: a fan must point somewhere",
        ),
        (
            'plant = "palm"',
            '[[wind.sources]]\nkind = "disk"\npath = [[2, 0, 0], [1, 0, 0]]\nradius = 9\nstrength = [1, 0, 0]\n'
            "frequency = 1",
            r"wind\.sources\[0\]: the times of a path must rise",
        ),
        ('plant = "palm"\ncount = 500\nspacing = 9\narea = { kind = "circle", radius = 9 }', "", "Lower count"),
    ],
)
def test_what_cannot_be_built_is_told_with_its_key(stand: str, more: str, rule: str) -> None:
    with pytest.raises(SceneError, match=rule):
        scene_of(stand, more)


def test_a_wind_by_name_is_the_preset() -> None:
    points = np.random.default_rng(1).uniform(0, 20, (50, 3))
    for name in ("calm", "breeze", "storm"):
        wind = wind_of(WindSettings.model_validate({"preset": name, "direction": 200.0}), seed=3)
        assert np.allclose(wind.velocity(points, 4.2), preset(name, seed=3, direction=200.0).velocity(points, 4.2))


def test_disks_add_their_forces_to_the_wind() -> None:
    disk: dict[str, Any] = {"kind": "disk", "path": [(0, 1, 0), (4, 9, 0)], "radius": 8, "frequency": 0.5}
    tables = [{**disk, "strength": (3, 0, 0)}, {**disk, "strength": (-2, 0, 1), "phase": 30, "beyond": "repeat"}]
    wind = wind_of(WindSettings.model_validate({"speed": 0, "sources": tables}), seed=1)
    forces = [ForcePrimitive(**{key: value for key, value in one.items() if key != "kind"}) for one in tables]
    points = np.random.default_rng(1).uniform(-9, 9, (50, 3))
    for t in (0.3, 5.1):
        wanted = ForceWind(forces[0] + forces[1]).velocity(points, t)
        assert np.abs(wanted).max() > 1
        np.testing.assert_allclose(wind.velocity(points, t), wanted, atol=1e-12)


def test_a_gust_on_demand_adds_to_the_wind_and_travels_with_it() -> None:
    table = {"speed": 4, "turbulence": 0, "gustiness": 0, "gusts": [{"at": 2, "strength": 10, "speed": 20}]}
    wind = wind_of(WindSettings.model_validate(table), seed=1)
    speeds = wind.velocity([[0.0, 10.0, 0.0]], np.array([1.9, 4.0, 8.1]))[:, 0]
    assert speeds == pytest.approx([4, 14, 4])
    assert wind.velocity([[40.0, 10.0, 0.0]], 6.0)[0, 0] == pytest.approx(14)
    gust = {"preset": "calm", "turbulence": 0, "gusts": [{"strength": 8}]}
    calm = wind_of(WindSettings.model_validate(gust), seed=1)
    assert np.linalg.norm(calm.velocity([0.0, 10.0, 0.0], 2.0)) == pytest.approx(8)
    assert any(isinstance(part, Gust) for part in getattr(calm, "parts", ()))


def test_wind_loops_as_it_is_told() -> None:
    wind = wind_of(WindSettings(speed=6, loop=8), seed=1)
    point = [3.0, 8.0, 1.0]
    assert wind.velocity(point, 1.3) == pytest.approx(wind.velocity(point, 9.3), abs=1e-6)
    assert math.dist(wind.velocity(point, 1.3), wind.velocity(point, 4.0)) > 0.01


@pytest.mark.slow
def test_the_demo_has_a_thousand_trees_of_some_hundred_nodes() -> None:
    scene = build(read_scene("forest"))
    assert scene.trees == 1000
    assert all(500 <= stand.plant.nodes <= 900 for stand in scene.stands)
    feet = np.concatenate([stand.places.position for stand in scene.stands])
    assert np.isfinite(feet).all()
    assert len(np.unique(feet, axis=0)) == 1000


@pytest.mark.slow
def test_the_demo_with_fewer_trees_can_be_built() -> None:
    assert build(with_trees(read_scene("forest"), 60)).trees == 60


LARGE = (
    "forest",
    "walnut-in-a-breeze",
    "a-day",
    "autumn-leaves",
    "birch-grove",
    "flags",
    "hills",
    "hundred-thousand",
    "interactive-forest",
    "kelp",
    "oak-in-a-storm",
    "poplar-avenue",
    "storm-damage",
    "willow-by-the-water",
)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] if name in LARGE else []) for name in scene_names()]
)
def test_every_scene_that_comes_along_shows_trees(name: str) -> None:
    settings = read_scene(name)
    every = sum(map(specimens_in, settings.stands))  # where no two trees are alike, a part of them will do
    scene = build(settings if every < 64 else with_trees(settings, 64))
    view = scene.camera.view(scene.seconds / 2)
    middles = [stand.places.position + np.array([0.0, stand.plant.height / 2, 0.0]) for stand in scene.stands]
    sight = np.concatenate(middles) - view.eye
    ahead = (view.target - view.eye) / np.linalg.norm(view.target - view.eye)
    half = math.radians(view.field_of_view) / 2 * scene.size[0] / scene.size[1]
    inside = np.arccos(sight @ ahead / np.linalg.norm(sight, axis=1)) < half
    assert inside.mean() > 0.25
    assert scene.sun.direction(scene.seconds / 2)[1] > 0.1, "the sun is up"
