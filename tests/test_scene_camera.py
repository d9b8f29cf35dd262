"""Where the eye is, and what it looks at."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from windflower.scene.bounds import Bounds
from windflower.scene.camera import Camera, Path, camera_of, centripetal_knots
from windflower.scene.camera_table import FixedCamera, FlyCamera, Key, OrbitCamera

ONE_TREE = Bounds(np.zeros((1, 3)), np.array([4.0]), np.array([0.0]), np.array([10.0]))


def flight(**options: object) -> Camera:
    keys = [[0, 2, 20], [10, 3, 0], [0, 8, -30], [-40, 12, -30]]
    given = {"kind": "fly", "keys": [{"eye": eye} for eye in keys], **options}
    return camera_of(FlyCamera.model_validate(given), ONE_TREE, 8.0, 16 / 9)


def test_a_fixed_eye_stands_still() -> None:
    camera = camera_of(FixedCamera(kind="fixed", eye=(1, 2, 3), target=(0, 5, 0)), ONE_TREE, 6, 1.5)
    for t in (0.0, 3.0, 100.0):
        assert camera.view(t).eye.tolist() == [1, 2, 3]
        assert camera.view(t).target.tolist() == [0, 5, 0]


def test_an_orbiting_eye_keeps_its_distance_and_turns_clockwise() -> None:
    settings_ = OrbitCamera(kind="orbit", target=(1, 2, 3), distance=10, azimuth=0, elevation=30, turn=90)
    camera = camera_of(settings_, ONE_TREE, 6, 1.5)
    assert camera.view(0).eye == pytest.approx([1, 7, 3 - 10 * np.cos(np.pi / 6)])
    assert camera.view(1).eye == pytest.approx([1 + 10 * np.cos(np.pi / 6), 7, 3]), "from north to east"
    distances = np.linalg.norm(camera.positions(4.0) - [1, 2, 3], axis=1)
    assert distances == pytest.approx(10)


@given(
    st.floats(-60, 60),
    st.floats(10, 100),
    st.floats(0.4, 3),
    st.lists(st.tuples(st.floats(-50, 50), st.floats(-50, 50), st.floats(1, 20)), min_size=1, max_size=6),
)
@settings(max_examples=50)
def test_an_eye_that_is_told_nothing_sees_all_trees_and_stands_in_none(
    elevation: float, field_of_view: float, aspect: float, trees: list[tuple[float, float, float]]
) -> None:
    x, z, height = np.array(trees).T
    bounds = Bounds(np.stack([x, 0 * x, z], axis=1), height / 3, 0 * x, height)
    settings_ = OrbitCamera(kind="orbit", elevation=elevation, field_of_view=field_of_view, turn=40)
    camera = camera_of(settings_, bounds, 6, aspect)
    for t in (0.0, 2.0, 7.0):
        view = camera.view(t)
        ahead = (view.target - view.eye) / np.linalg.norm(view.target - view.eye)
        right = np.cross(ahead, view.up)
        right /= np.linalg.norm(right)
        up = np.cross(right, ahead)
        half = np.tan(np.radians(field_of_view) / 2)
        for corner in _outline(bounds):
            sight = corner - view.eye
            depth = sight @ ahead
            assert depth > 0
            assert abs(sight @ up) <= half * depth * 1.0001
            assert abs(sight @ right) <= half * aspect * depth * 1.0001


def _outline(bounds: Bounds) -> np.ndarray:
    """Points on the cylinders about the trees."""
    angle = np.linspace(0, 2 * np.pi, 12)
    around = np.stack([np.cos(angle), np.zeros(12), np.sin(angle)], axis=1)
    rims = bounds.foot[:, None] + bounds.reach[:, None, None] * around
    up = np.array([0.0, 1.0, 0.0])
    return np.concatenate([rims + h[:, None, None] * up for h in (bounds.bottom, bounds.top)]).reshape(-1, 3)


def test_a_view_straight_down_has_north_at_its_top() -> None:
    down = camera_of(FixedCamera(kind="fixed", eye=(0, 50, 0), target=(0, 0, 0)), ONE_TREE, 6, 1.5).view(0)
    assert down.up.tolist() == [0, 0, -1]


def test_a_flight_passes_its_points_and_stops_at_the_last() -> None:
    camera = flight(pace="even")
    assert camera.view(0).eye == pytest.approx([0, 2, 20])
    assert camera.view(8 / 3).eye == pytest.approx([10, 3, 0])
    assert camera.view(8).eye == pytest.approx([-40, 12, -30])
    assert camera.view(20).eye == pytest.approx([-40, 12, -30])
    assert camera.view(-1).eye == pytest.approx([0, 2, 20])


def test_a_flight_at_constant_speed_covers_equal_ways_in_equal_times() -> None:
    steps = np.linalg.norm(np.diff(flight().positions(8.0), axis=0), axis=1)
    assert steps == pytest.approx(steps.mean(), rel=0.01)
    uneven = np.linalg.norm(np.diff(flight(pace="even").positions(8.0), axis=0), axis=1)
    assert uneven.max() > 1.3 * uneven.min()


def test_a_flight_looks_where_it_goes_unless_told() -> None:
    camera = flight()
    for t in (0.5, 3.0, 6.0):
        ahead = camera.view(t + 1e-4).eye - camera.view(t).eye
        sight = camera.view(t).target - camera.view(t).eye
        assert ahead @ sight / np.linalg.norm(ahead) / np.linalg.norm(sight) == pytest.approx(1, abs=1e-3)
    told = FlyCamera(kind="fly", keys=(Key(eye=(0, 2, 20), target=(0, 5, 0)), Key(eye=(9, 2, 0), target=(0, 9, 0))))
    assert camera_of(told, ONE_TREE, 4, 1).view(4).target == pytest.approx([0, 9, 0])


def test_keys_with_times_are_met_at_their_times() -> None:
    keys = (Key(eye=(0, 2, 0), at=1), Key(eye=(5, 2, 0), at=2), Key(eye=(5, 2, 9), at=7))
    camera = camera_of(FlyCamera(kind="fly", keys=keys), ONE_TREE, 100, 1)
    for key in keys:
        assert key.at is not None
        assert camera.view(key.at).eye == pytest.approx(key.eye)
    assert camera.view(0).eye == pytest.approx([0, 2, 0])


def test_a_closed_flight_comes_back_without_a_jump() -> None:
    camera = flight(closed=True)
    assert camera.view(8.0).eye == pytest.approx(camera.view(0.0).eye)
    before, after = camera.view(7.999), camera.view(8.001)
    assert np.allclose(before.eye, after.eye, atol=0.1)
    headings = [view.target - view.eye for view in (before, after)]
    assert headings[0] == pytest.approx(headings[1], abs=0.05)


@given(st.lists(st.tuples(*[st.integers(-50, 50)] * 3), min_size=2, max_size=8, unique=True))
def test_a_path_is_smooth_and_meets_every_point(points: list[tuple[int, int, int]]) -> None:
    where = np.array(points, float)
    path = Path(where, centripetal_knots(where))
    for knot, point in zip(path.knots, where, strict=True):
        assert path.at(float(knot)) == pytest.approx(point, abs=1e-9)
        left, right = (path.at(float(knot) + side * 1e-5) for side in (-1, 1))
        assert np.linalg.norm(right - left) < 0.01
    shares = [path.knot_after(share) for share in np.linspace(0, 1, 20)]
    assert np.all(np.diff(shares) > 0)
