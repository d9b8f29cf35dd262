"""Framing: a camera that is fitted to a plant or a group holds all of it, with the asked margin and no more."""

from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from windflower.cli.commands import app
from windflower.core.arrays import FloatArray
from windflower.errors import SceneError
from windflower.scene import Scene, View, build, parse_scene
from windflower.scene.camera_table import FramedCamera
from windflower.scene.frame_edit import with_frame
from windflower.scene.framing import fitted_view, subject_points
from windflower.scene.terrain import Terrain

TWO_KINDS = """
seed = 3
size = [160, 90]
seconds = 1
[[stands]]
plant = "silver-birch"
detail = 0.05
positions = [[0, 0], [14, -9]]
motion = { kind = "modal", modes = 4, cells = 1 }
[[stands]]
plant = "oak"
detail = 0.03
positions = [[-20, 4]]
motion = { kind = "modal", modes = 4, cells = 1 }
"""


def in_picture(view: View, points: FloatArray, aspect: float) -> FloatArray:
    """Own projection: x and y (n, 2) in the picture, -1 to 1."""
    ahead = (view.target - view.eye) / np.linalg.norm(view.target - view.eye)
    right = np.cross(ahead, [0.0, 1.0, 0.0])
    right /= np.linalg.norm(right)
    sight = points - view.eye
    depth = sight @ ahead
    assert (depth > 0).all()
    half = np.tan(np.radians(view.field_of_view) / 2)
    return np.column_stack([sight @ right / (half * aspect), sight @ np.cross(right, ahead) / half]) / depth[:, None]


def margins(view: View, points: FloatArray, aspect: float) -> FloatArray:
    """Free share on the left and right, and at the bottom and top: (2, 2)."""
    seen = in_picture(view, points, aspect)
    return np.stack([1 + seen.min(axis=0), 1 - seen.max(axis=0)], axis=1) / 2


@given(
    st.integers(0, 1000),
    st.floats(-20, 70),
    st.floats(0, 360),
    st.floats(12, 90),
    st.floats(0.5, 2.5),
    st.floats(0, 0.3),
)
@settings(max_examples=40, derandomize=True, deadline=None)
def test_all_points_are_within_the_margin_and_touch_it_on_two_opposite_sides(
    seed: int, elevation: float, azimuth: float, field_of_view: float, aspect: float, margin: float
) -> None:
    rng = np.random.default_rng(seed)
    points = rng.normal(0, 1, (60, 3)) * rng.uniform(0.05, 12, 3) + rng.uniform(-50, 50, 3) + [0.0, 200.0, 0.0]
    lens = FramedCamera(kind="framed", field_of_view=field_of_view)
    view = fitted_view(points, lens, azimuth=azimuth, elevation=elevation, aspect=aspect, margin=margin)
    free = margins(view, points, aspect)
    assert free.min() == pytest.approx(margin, abs=1e-6)
    assert min(free.max(axis=1)) == pytest.approx(margin, abs=1e-6), "both sides of one axis touch"
    away = (view.eye - view.target) / np.linalg.norm(view.eye - view.target)
    assert np.degrees(np.arcsin(away[1])) == pytest.approx(elevation, abs=1e-6)


def test_a_camera_is_not_fitted_into_the_ground() -> None:
    points = np.random.default_rng(1).uniform(-1, 1, (40, 3)) * (2, 0.5, 2) + (0.0, 0.5, 0.0)
    lens = FramedCamera(kind="framed")
    looking_up = partial(fitted_view, points, lens, azimuth=200.0, elevation=-30.0, aspect=1.5, margin=0.05)
    assert looking_up().eye[1] == pytest.approx(0.3, abs=1e-3)
    slope = np.tile(np.linspace(50, -50, 21)[:, None], (1, 21))  # it rises to the north; the camera is in the south
    hill = Terrain(-slope, 100.0)
    view = looking_up(land=hill)
    assert view.eye[1] - hill.height(view.eye[None, [0, 2]])[0] > 0.299
    assert margins(view, points, 1.5).min() == pytest.approx(0.05, abs=1e-6)


@pytest.fixture(scope="module")
def scene() -> Scene:
    return build(parse_scene(TWO_KINDS))


def framed(scene: Scene, subject: str) -> FloatArray:
    return subject_points(subject, scene.settings.stands, scene.stands, scene.groves)


def test_a_name_or_a_number_says_which_plants_are_framed(scene: Scene) -> None:
    middle = {name: framed(scene, name).mean(axis=0) for name in ("oak", "2", "Oak:1", "silver-birch:2", "1:2", "all")}
    assert np.allclose(middle["oak"], middle["2"])
    assert np.allclose(middle["oak"], middle["Oak:1"])
    assert middle["oak"][[0, 2]] == pytest.approx([-20, 4], abs=3)
    assert middle["1:2"][[0, 2]] == pytest.approx([14, -9], abs=3)
    assert np.allclose(middle["silver-birch:2"], middle["1:2"])
    every = framed(scene, "all")
    assert every[:, 0].min() < -20
    assert every[:, 0].max() > 14


def test_framed_points_hold_every_node_and_every_leaf(scene: Scene) -> None:
    stand = next(one for one in scene.stands if one.table == 1)
    points, nodes = framed(scene, "oak"), stand.places.to_world(stand.plant.position)[0]
    leaf = stand.plant.leaves.size.max()
    assert (points.min(axis=0) <= nodes.min(axis=0) + 1e-9).all()
    assert (points.max(axis=0) >= nodes.max(axis=0) - 1e-9).all()
    assert (np.abs(points.max(axis=0) - nodes.max(axis=0)) <= leaf).all()


@pytest.mark.parametrize(
    ("name", "told"),
    [("okk", "did you mean 'oak'"), ("3", "1 to 2"), ("0", "all"), ("", "all"), ("oak:0", "1:2"), ("x" * 500, "…")],
)
def test_a_name_of_nothing_gets_one_sentence(scene: Scene, name: str, told: str) -> None:
    with pytest.raises(SceneError) as error:
        with_frame(scene.settings, name)
    assert told in str(error.value)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 300


def test_a_plant_that_is_not_there_gets_one_sentence(scene: Scene) -> None:
    with pytest.raises(SceneError, match="one of 2 plants by 1 to 2; 'silver-birch:7' names another"):
        framed(scene, "silver-birch:7")


def test_a_frame_keeps_the_lens_the_side_and_the_trees() -> None:
    text = TWO_KINDS.replace("positions = [[0, 0], [14, -9]]", "count = 12\narea = { kind = 'circle', radius = 20 }")
    own = parse_scene(text + "[camera]\nkind = 'fixed'\neye = [3, 2, 30]\ntarget = [1, 6, 0]\nfield_of_view = 31.0")
    plain, asked = build(own), build(with_frame(own, "oak", margin=0.1))
    assert all(
        np.allclose(a.places.position, b.places.position) for a, b in zip(plain.stands, asked.stands, strict=True)
    )
    before, view = plain.camera.view(0), asked.camera.view(0)
    assert view.field_of_view == 31.0
    flat = [(one.eye - one.target)[[0, 2]] / np.linalg.norm((one.eye - one.target)[[0, 2]]) for one in (before, view)]
    assert flat[0] == pytest.approx(flat[1])
    points = subject_points("oak", asked.settings.stands, asked.stands, asked.groves)
    assert margins(view, points, 160 / 90).min() == pytest.approx(0.1, abs=1e-6)
    east = build(with_frame(own, "oak", side=90.0)).camera.view(0)
    assert (east.eye - east.target)[0] > 5 * abs((east.eye - east.target)[2])


def test_a_scene_file_may_frame_a_plant() -> None:
    scene = build(parse_scene(TWO_KINDS + "[camera]\nkind = 'framed'\nsubject = 'oak'\nmargin = 0.2\nazimuth = 20.0"))
    points = subject_points("oak", scene.settings.stands, scene.stands, scene.groves)
    assert margins(scene.camera.view(3.0), points, 160 / 90).min() == pytest.approx(0.2, abs=1e-6)
    with pytest.raises(SceneError, match="it is 'elm'"):
        parse_scene(TWO_KINDS + "[camera]\nkind = 'framed'\nsubject = 'elm'")


def test_the_command_line_refuses_a_frame_of_nothing_before_it_draws(tmp_path: Path) -> None:
    (tmp_path / "two.toml").write_text(TWO_KINDS, "utf-8")
    told = CliRunner().invoke(
        app, ["render", str(tmp_path / "two.toml"), "-o", str(tmp_path / "a.png"), "--frame", "bush"]
    )
    assert told.exit_code != 0
    assert "it is 'bush'" in " ".join((told.output + str(told.exception)).split())
    assert not (tmp_path / "a.png").exists()
