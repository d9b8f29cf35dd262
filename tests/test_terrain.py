"""The land under a forest: its heights, and which trees stand where on it."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from windflower.core.arrays import FloatArray
from windflower.errors import FileError, SceneError
from windflower.scene import build, parse_scene, read_scene, save_scene
from windflower.scene.density import DensitySettings, Habitat
from windflower.scene.maps import read_map
from windflower.scene.terrain import Terrain, TerrainSettings, terrain_of

HILLS = """
seed = 4
seconds = 2
[[stands]]
plant = "silver-birch"
detail = 0.05
count = {count}
area = {{ kind = "rectangle", size = [400, 400] }}
motion = {{ kind = "modal", modes = 4, cells = 1 }}
{habitat}
[ground]
terrain = {{ height = 60, spacing = 150 }}
[wind]
speed = 6.0
turbulence = 0.0
gustiness = 0.0
[camera]
kind = "fixed"
eye = [300, 2, 300]
target = [0, 10, 0]
{camera}
"""


def scene_text(habitat: str = "", camera: str = "", count: int = 60) -> str:
    return HILLS.format(habitat=habitat, camera=camera, count=count)


def plane(size: float = 100.0, n: int = 11) -> Terrain:
    """0.3 m up for a metre east, 0.4 m down for a metre south."""
    at = np.linspace(-size / 2, size / 2, n)
    return Terrain(0.3 * at[None, :] - 0.4 * at[:, None], size)


def some_points(count: int, reach: float, seed: int = 0) -> FloatArray:
    return np.random.default_rng(seed).uniform(-reach, reach, (count, 2))


def test_a_plane_is_read_exactly_and_has_one_slope() -> None:
    points = some_points(200, 50.0)
    assert plane().height(points) == pytest.approx(points @ [0.3, -0.4])
    assert plane().slope(points) == pytest.approx(np.degrees(np.arctan(0.5)))


def test_beyond_its_edge_the_land_is_mirrored() -> None:
    points = some_points(200, 50.0)
    beyond = np.column_stack([100 - points[:, 0], points[:, 1]])
    assert plane().height(beyond) == pytest.approx(plane().height(points))


@settings(max_examples=20)
@given(
    height=st.floats(1, 300),
    spacing=st.floats(20, 900),
    roughness=st.floats(0, 1),
    size=st.floats(50, 4000),
    seed=st.integers(0, 2**40),
)
def test_hills_are_as_high_as_asked_and_level_at_the_origin(
    height: float, spacing: float, roughness: float, size: float, seed: int
) -> None:
    table = TerrainSettings(height=height, spacing=spacing, roughness=roughness, size=size)
    land = terrain_of(table, seed=seed)
    assert np.ptp(land.heights) == pytest.approx(height)
    assert land.height(np.zeros((1, 2)))[0] == pytest.approx(0.0, abs=1e-9)
    assert np.isfinite(land.gradient).all()


def test_hills_follow_their_seed_and_their_spacing() -> None:
    def land(seed: int, spacing: float = 300.0, roughness: float = 0.0) -> Terrain:
        return terrain_of(TerrainSettings(spacing=spacing, roughness=roughness), seed=seed)

    assert np.array_equal(land(1).heights, land(1).heights)
    assert not np.allclose(land(1).heights, land(2).heights)
    points = some_points(4000, 900.0)
    assert land(1, spacing=150.0).slope(points).mean() > 1.4 * land(1, spacing=300.0).slope(points).mean()
    # Broken ground is steep in the small: its slope changes more from one metre to the next.
    bumps = [np.abs(np.diff(land(1, roughness=r).gradient, axis=0)).mean() for r in (0.0, 1.0)]
    assert bumps[1] > 2 * bumps[0]


def test_heights_are_read_from_pictures_and_arrays_with_north_at_the_top(tmp_path: Path) -> None:
    rows = np.linspace(200, 0, 21)[:, None] * np.ones(21)
    Image.fromarray(rows.astype(np.uint8)).save(tmp_path / "land.png")
    np.save(tmp_path / "land.npy", rows)
    for name in ("land.png", "land.npy"):
        land = terrain_of(TerrainSettings(file=str(tmp_path / name), height=50.0, size=200.0), seed=0)
        north, south = land.height(np.array([[0.0, -100.0], [0.0, 100.0]]))
        assert north - south == pytest.approx(50.0)


def test_a_large_map_is_thinned_to_what_can_be_drawn(tmp_path: Path) -> None:
    across = np.linspace(0, 1, 6000, dtype=np.float32)
    np.save(tmp_path / "wide.npy", np.stack([across, across]))
    land = terrain_of(TerrainSettings(file=str(tmp_path / "wide.npy"), height=30.0, size=300.0), seed=0)
    assert land.heights.shape == (2, 4097)
    assert np.ptp(land.heights) == pytest.approx(30.0)


@pytest.mark.parametrize("name", ["missing.png", "missing.npy", "words.png", "words.npy", "flat.npy", "gaps.npy"])
def test_a_bad_map_is_refused_in_one_sentence(tmp_path: Path, name: str) -> None:
    for words in ("words.png", "words.npy"):
        (tmp_path / words).write_text("no picture")
    np.save(tmp_path / "flat.npy", np.zeros(5))
    np.save(tmp_path / "gaps.npy", np.full((4, 4), np.nan))
    with pytest.raises(FileError, match=name):
        read_map(tmp_path / name)


def test_trees_stand_on_the_land_and_the_wind_follows_it() -> None:
    scene = build(parse_scene(scene_text()))
    land, stand = scene.ground.terrain, scene.stands[0]
    assert land is not None
    foot = stand.places.position
    below = land.height(foot[:, [0, 2]]) - foot[:, 1]
    assert (below >= 0).all()
    assert below.max() < 0.5
    assert np.ptp(foot[:, 1]) > 10
    assert stand.probes[..., 1].max() <= 1.2 * stand.plant.height  # not that of a hill above the sea
    level = build(parse_scene(scene_text().replace("terrain = { height = 60, spacing = 150 }", "")))
    assert stand.probes == pytest.approx(level.stands[0].probes)


def test_trees_keep_to_gentle_slopes_and_to_their_heights() -> None:
    scene = build(parse_scene(scene_text("steepest = 12\nheights = [-40, 5]")))
    land, foot = scene.ground.terrain, scene.stands[0].places.position[:, [0, 2]]
    assert land is not None
    assert land.slope(foot).max() <= 12
    assert land.height(foot).max() <= 5
    everywhere = some_points(500, 200.0)
    assert land.slope(everywhere).max() > 12
    assert land.height(everywhere).max() > 5


def test_trees_stand_where_a_map_is_white(tmp_path: Path) -> None:
    Image.fromarray(np.tile(np.array([[0, 255]], np.uint8), (8, 4))).save(tmp_path / "stripes.png")
    habitat = Habitat(DensitySettings(file=str(tmp_path / "stripes.png"), size=(700.0, 400.0)))
    points = some_points(4000, 199.0)
    chance = habitat.chance(points, None, seed=0)
    column = (points[:, 0] / 700 + 0.5) * 7
    white = np.abs(column - np.round(column)) < 0.1
    assert chance[white & (np.round(column) % 2 == 1)].min() > 0.85
    assert chance[white & (np.round(column) % 2 == 0)].max() < 0.15
    assert habitat.chance(np.array([[500.0, 0.0]]), None, seed=0)[0] == 0


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
def test_patches_leave_the_share_open_that_they_are_told(share: float) -> None:
    habitat = Habitat(DensitySettings(open=share))
    chance = habitat.chance(some_points(20_000, 2000.0), None, seed=3)
    assert np.mean(chance < 0.5) == pytest.approx(share, abs=0.06)


def test_too_many_trees_for_the_suitable_ground_are_refused_with_a_number() -> None:
    with pytest.raises(SceneError, match=r"about [\d,]+ do.*steeper"):
        build(parse_scene(scene_text("steepest = 2\nspacing = 6", count=3000)))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("[ground]", "[ground]\npond = { centre = [0, 0], size = [9, 9] }"), "level ground"),
        (("seconds = 2", 'seconds = 2\nquality = { shadows = "planar" }'), "level ground"),
        (("detail = 0.05", "detail = 0.05\nheights = [9, 3]"), "lower to a higher"),
        (("detail = 0.05", 'detail = 0.05\ndensity = { file = "x.png" }'), "size"),
    ],
)
def test_what_does_not_go_together_is_refused(change: tuple[str, str], words: str) -> None:
    with pytest.raises(SceneError, match=words):
        parse_scene(scene_text().replace(*change))


def test_an_eye_over_the_ground_follows_it() -> None:
    low, over = (build(parse_scene(scene_text(camera=text))) for text in ("", "over_ground = true"))
    land = over.ground.terrain
    assert land is not None
    shift = over.camera.view(0.0).eye - low.camera.view(0.0).eye
    assert shift == pytest.approx([0, float(land.height(np.array([300.0, 300.0]))), 0])


def test_maps_are_looked_for_beside_the_scene_file(tmp_path: Path) -> None:
    np.save(tmp_path / "land.npy", np.arange(16.0).reshape(4, 4))
    text = scene_text().replace("{ height = 60, spacing = 150 }", '{ file = "land.npy" }')
    (tmp_path / "a.toml").write_text(text)
    scene = read_scene(tmp_path / "a.toml")
    assert scene.ground.terrain is not None
    assert scene.ground.terrain.file == str((tmp_path / "land.npy").resolve())
    save_scene(scene, tmp_path / "b.toml")
    assert '"land.npy"' in (tmp_path / "b.toml").read_text()
