"""Trees that do not stand on one another."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import cKDTree

from windflower.errors import SceneError
from windflower.scene.areas import Circle, Rectangle, Row
from windflower.scene.layout import tree_positions, trees_by_specimen
from windflower.scene.scatter import Clear, Patch, in_rows, scatter, square_metres, usual_spacing
from windflower.scene.stand_table import StandSettings


def square(side: float, x: float = 0.0, z: float = 0.0) -> Rectangle:
    return Rectangle(kind="rectangle", centre=(x, z), size=(side, side))


def closest(points: np.ndarray) -> float:
    return float(np.asarray(cKDTree(points).query(points, k=2)[0])[:, 1].min())


def apart(one: np.ndarray, other: np.ndarray) -> float:
    return float(np.min(cKDTree(one).query(other)[0]))


@given(
    st.integers(0, 2**32),
    st.integers(1, 300),
    st.floats(0.5, 5),
    st.floats(0.1, 0.55),
    st.booleans(),
    st.floats(-360, 360),
)
@settings(max_examples=60)
def test_trees_keep_their_spacing_inside_their_area(
    seed: int, count: int, spacing: float, density: float, round_: bool, turn: float
) -> None:
    metres = count * spacing**2 / density
    area: Rectangle | Circle = Rectangle(
        kind="rectangle", centre=(7, -3), size=(metres**0.5 * 2, metres**0.5 / 2), turn=turn
    )
    if round_:
        area = Circle(kind="circle", centre=(7, -3), radius=(metres / np.pi) ** 0.5)
    (trees,) = scatter([Patch(area, count, spacing)], seed=seed)
    assert trees.shape == (count, 2)
    if count > 1:
        assert closest(trees) >= spacing
    away = trees - [7, -3]
    if isinstance(area, Circle):
        assert np.hypot(*away.T).max() <= area.radius
    else:
        c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        own = np.abs(np.stack([c * away[:, 0] + s * away[:, 1], c * away[:, 1] - s * away[:, 0]]))
        assert (own.max(axis=1) <= np.array(area.size) / 2 + 1e-9).all()


def test_a_hundred_thousand_trees_fill_their_area_evenly() -> None:
    (trees,) = scatter([Patch(square(2000), 100_000, 4.0)], seed=5)
    assert len(trees) == 100_000
    assert closest(trees) >= 4.0
    cells = np.histogramdd(trees, bins=20, range=[(-1000, 1000)] * 2)[0]
    assert cells.sum() == 100_000
    # More even than chance, under which the variance of a count is its mean.
    assert cells.var() < 0.5 * cells.mean()


def test_more_trees_stand_where_their_chance_is_larger() -> None:
    patch = Patch(square(100), 400, 0.5, chance=lambda points: np.where(points[:, 0] > 0, 0.9, 0.1))
    (trees,) = scatter([patch], seed=3)
    assert np.mean(trees[:, 0] > 0) == pytest.approx(0.9, abs=0.04)


def test_patches_keep_clear_of_one_another_by_the_mean_of_their_spacings() -> None:
    patches = [Patch(square(100), 120, 3.0), Patch(square(100, x=20), 60, 6.0), Patch(square(60), 200, 1.0)]
    trees = scatter(patches, seed=1)
    for i, one in enumerate(patches):
        assert len(trees[i]) == one.count
        assert closest(trees[i]) >= one.spacing
        for j, other in enumerate(patches[:i]):
            assert apart(trees[i], trees[j]) >= (one.spacing + other.spacing) / 2


def test_clearings_and_standing_trees_are_respected() -> None:
    path = np.stack([np.linspace(-50, 50, 60), np.zeros(60)], axis=1)
    oaks = np.array([[10.0, 20.0], [-30.0, -20.0]])
    (trees,) = scatter([Patch(square(100), 250, 3.0)], seed=2, taken=oaks, clear=[Clear(path, 4.0)])
    assert apart(path, trees) >= 4.0
    assert apart(oaks, trees) >= 3.0


def test_the_same_seed_gives_the_same_trees_and_another_gives_others() -> None:
    patch = Patch(square(100), 200, 3.0)
    first, again, other = (scatter([patch], seed=seed)[0] for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize("count", [700, 100_000])
def test_too_many_trees_are_refused_with_what_would_fit(count: int) -> None:
    with pytest.raises(
        SceneError, match=rf"{count:,} that stand 4 m apart do not fit .* of 10,000 m² \(about 4\d\d do"
    ):
        scatter([Patch(square(100), count, 4.0)], seed=1)


def test_an_area_without_free_ground_is_refused() -> None:
    with pytest.raises(SceneError, match="about 0 do"):
        scatter([Patch(square(10), 3, 1.0)], seed=1, clear=[Clear(np.zeros((1, 2)), 50.0)])


def test_an_avenue_has_two_rows_face_to_face() -> None:
    avenue = Row(kind="row", start=(0, 0), end=(0, -60), rows=2, gap=8)
    trees = in_rows(avenue, count=None, spacing=10, seed=1)
    assert len(trees) == 14
    assert sorted(set(trees[:, 0].tolist())) == [-4, 4]
    assert sorted(set(trees[:, 1].tolist())) == [-60, -50, -40, -30, -20, -10, 0]
    counted = in_rows(avenue, count=7, spacing=None, seed=1)
    assert len(counted) == 7
    assert counted[:, 1].min() == -60


def test_trees_of_a_row_stray_no_further_than_told() -> None:
    row = Row(kind="row", start=(0, 0), end=(90, 30), jitter=0.5)
    straight = in_rows(row.model_copy(update={"jitter": 0.0}), count=40, spacing=None, seed=1)
    strayed = np.hypot(*(in_rows(row, count=40, spacing=None, seed=1) - straight).T)
    assert 0.2 < strayed.max() <= 0.5


def stand(**options: object) -> StandSettings:
    return StandSettings.model_validate({"plant": "oak", **options})


def test_stands_with_the_same_area_and_spacing_are_one_mix() -> None:
    area = {"kind": "rectangle", "size": [100, 100]}
    tables = [stand(count=100, area=area, spacing=4), stand(count=200, area=area, spacing=4)]
    few, many = tree_positions(tables, [9, 9], seed=3)
    assert (len(few), len(many)) == (100, 200)
    assert closest(np.concatenate([few, many])) >= 4
    # Each is spread over the whole area, neither got the first or the last darts only.
    for trees in (few, many):
        assert np.abs(trees.mean(axis=0)).max() < 10


def test_spacing_follows_from_the_area_and_all_trees_in_it() -> None:
    area = {"kind": "circle", "radius": 50}
    tables = [stand(count=60, area=area), stand(count=40, area=area)]
    trees = np.concatenate(tree_positions(tables, [9, 9], seed=3))
    assert closest(trees) >= usual_spacing(Circle(kind="circle", radius=50), 100) > 5


def test_stands_without_an_area_share_a_circle_and_a_lone_tree_stands_at_the_origin() -> None:
    assert tree_positions([stand()], [9], seed=3)[0].tolist() == [[0, 0]]
    oaks, birches = tree_positions([stand(count=20), stand(count=30)], [10, 5], seed=3)
    assert closest(oaks) >= 8
    assert closest(birches) >= 4
    assert apart(oaks, birches) >= 6


def test_scattered_trees_keep_away_from_rows_and_positions() -> None:
    tables = [
        stand(positions=[[0, 0], [10, 10]]),
        stand(count=5, area={"kind": "row", "start": [-20, 0], "end": [20, 0]}),
        stand(count=80, area={"kind": "rectangle", "size": [60, 60]}, spacing=4),
    ]
    given_, row, loose = tree_positions(tables, [9, 9, 9], seed=1)
    assert given_.tolist() == [[0, 0], [10, 10]]
    assert row[:, 0].tolist() == [-20, -10, 0, 10, 20]
    assert apart(np.concatenate([given_, row]), loose) >= 4


@given(st.integers(1, 200), st.integers(1, 20))
def test_specimens_share_all_trees_evenly(trees: int, specimens: int) -> None:
    parts = trees_by_specimen(trees, specimens, seed=1, stand=0)
    assert sorted(np.concatenate(parts).tolist()) == list(range(trees))
    sizes = [len(part) for part in parts]
    assert min(sizes) >= 1
    assert max(sizes) - min(sizes) <= 1


def test_the_size_of_an_area() -> None:
    assert square_metres(square(10)) == 100
    assert square_metres(Circle(kind="circle", radius=2)) == pytest.approx(4 * np.pi)
