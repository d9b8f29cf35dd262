"""Tiles of instances: what a frame finds through them is what it would find by looking at every tree."""

import numpy as np
import pytest

from windflower.geometry.culling import Tiles
from windflower.geometry.lod import beyond
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


def test_the_nearest_tile_comes_first_and_every_tree_once() -> None:
    rng = np.random.default_rng(3)
    centre = rng.uniform(-400, 400, (4000, 3)) * (1.0, 0.0, 1.0)
    eye = np.array([-380.0, 5.0, -380.0])
    order = Tiles(centre, np.full(4000, 6.0), np.full(4000, 10.0)).nearest_first(eye)
    assert np.array_equal(np.sort(order), np.arange(4000))
    away = np.linalg.norm(centre[order] - eye, axis=1)
    assert (np.maximum.accumulate(away) - away).max() < 300  # a tile is some 100 m wide
    assert np.corrcoef(away, np.arange(4000))[0, 1] > 0.95
