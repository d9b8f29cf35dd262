"""Tiles of instances: what a frame finds through them is what it would find by looking at every tree."""

import numpy as np
import pytest

from windflower import Places, grow
from windflower.geometry.culling import CARD, Culling, CullingTogether, Tiles
from windflower.geometry.lod import beyond, choose
from windflower.geometry.lod_meshes import plant_meshes
from windflower.scene.camera import look_at, perspective


@pytest.mark.parametrize("count", [1, 7, 5000])
@pytest.mark.parametrize("eye", [(0.0, 2.0, 0.0), (300.0, 120.0, -250.0), (0.0, 900.0, 1.0)])
def test_every_large_tree_in_view_is_found_and_no_tree_is_lost(count: int, eye: tuple[float, float, float]) -> None:
    rng = np.random.default_rng(count)
    centre = rng.uniform(-400, 400, (count, 3)) * (1.0, 0.05, 1.0)
    radius, height = rng.uniform(3, 8, count), rng.uniform(5, 15, count)
    at, reach, smallest = np.array(eye), 25.0, 0.03
    projection = perspective(45.0, 16 / 9) @ look_at(at, np.array([10.0, 0.0, 5.0]))
    found, tiny = Tiles(centre, radius, height).seen(at, projection, reach, smallest)
    distance = np.maximum(np.linalg.norm(centre - at, axis=1) - radius / 2, 0.5)
    near = beyond(centre, radius, projection) <= reach
    large = near & (height >= smallest * distance)
    assert len(np.unique(found)) == len(found)
    assert np.isin(np.flatnonzero(large), found).all()
    assert near.sum() <= len(found) + tiny <= count


def test_far_from_everything_no_single_tree_is_looked_at() -> None:
    rng = np.random.default_rng(0)
    centre = rng.uniform(-400, 400, (20_000, 3)) * (1.0, 0.0, 1.0)
    tiles = Tiles(centre, np.full(20_000, 6.0), np.full(20_000, 10.0))
    eye = np.array([0.0, 2500.0, 1.0])
    found, tiny = tiles.seen(eye, perspective(60.0, 16 / 9) @ look_at(eye, np.zeros(3)), 20.0, 0.03)
    assert len(found) == 0
    assert tiny == 20_000


def test_stands_are_culled_together_as_each_by_itself() -> None:
    rng = np.random.default_rng(8)
    stands = [some_culling(rng, count, cards=cards) for count, cards in ((3000, True), (40, False), (1, True))]
    together, held = CullingTogether(stands), [np.array([7]), np.zeros(0, np.int64), np.array([0])]
    for eye in ((0.0, 2.0, 0.0), (300.0, 120.0, -250.0), (0.0, 900.0, 1.0)):
        at = np.array(eye)
        projection = perspective(45.0, 16 / 9) @ look_at(at, np.array([10.0, 0.0, 5.0]))
        found = together.candidates(at, projection, 1e-3, 30.0, held, factor=0.7)
        alone = [
            one.candidates(at, projection, 1e-3, 30.0, some, factor=0.7) for one, some in zip(stands, held, strict=True)
        ]
        for mine, theirs in zip(found, alone, strict=True):
            both = [dict(zip(one.instance.tolist(), one.pixels.tolist(), strict=True)) for one in (mine, theirs)]
            shared = both[0].keys() & both[1].keys()
            assert all(both[0][key] == both[1][key] for key in shared)
            # Which far ones are looked at and which are only counted depends on their tile; both are cards.
            only = [one[key] for one in both for key in one.keys() - shared]
            assert all(pixels * 0.7 < CARD for pixels in only)
            assert (np.diff(mine.pixels[np.isfinite(mine.pixels)]) <= 0).all(), "front to back"
        near = [choose(some, 0.7, camera=at, pixel=1e-3) for some in (found, alone)]
        for one, other in zip(*(choice.levels for choice in near), strict=True):
            for mine_at, theirs_at in zip(one, other, strict=True):
                assert np.array_equal(np.sort(mine_at.instance), np.sort(theirs_at.instance))


def some_culling(rng: np.random.Generator, count: int, *, cards: bool) -> Culling:
    plant = grow("hazel-bush", detail=0.05)
    places = Places(rng.uniform(-400, 400, (count, 3)) * (1.0, 0.0, 1.0))
    culling = Culling([(plant, places)], plant_meshes(plant), cards=cards)
    culling.height = np.full(count, 9.0)
    return culling


def test_instances_listed_by_their_numbers_are_the_same_at_the_same_levels() -> None:
    rng = np.random.default_rng(5)
    together, eye = (
        CullingTogether([some_culling(rng, 400, cards=True), some_culling(rng, 30, cards=False)]),
        np.zeros(3),
    )
    projection = perspective(60.0, 16 / 9) @ look_at(eye, np.array([10.0, 0.0, 5.0]))
    found = together.candidates(eye, projection, 1e-3, 30.0, [np.zeros(0, np.int64)] * 2, factor=0.7)
    by_distance, by_number = (choose(found, 0.7, camera=eye, pixel=1e-3, numbered=one) for one in (False, True))
    levels = [
        (a, b) for both in zip(by_distance.levels, by_number.levels, strict=True) for a, b in zip(*both, strict=True)
    ]
    assert sum(len(one.instance) for one, _ in levels) > 20
    for one, other in levels:
        order = np.argsort(one.instance)
        np.testing.assert_array_equal(one.instance[order], other.instance)
        np.testing.assert_array_equal(one.fade[order], other.fade)
