"""Trees that are seeds until they come into view: grown then, the same each time, moving as if they had been there."""

import gc
import tracemalloc

import numpy as np
import pytest

from tests.plants import chain
from windflower import Plant
from windflower.core.device import Gpu
from windflower.motion import HybridMotion, Places
from windflower.motion.hybrid import BlockStand
from windflower.motion.hybrid.grove import TILE, Grove, tiles_of
from windflower.motion.hybrid.hybrid_twin import HybridTwin
from windflower.motion.settings import Seeds
from windflower.plant.block import joined
from windflower.render.daylight import sunlight
from windflower.render.drawn_scene import Detail
from windflower.render.film import Film
from windflower.scene import PlantCache, Scene, View, build, parse_scene, read_scene
from windflower.scene.groves import seen_from
from windflower.scene.stands import is_grove
from windflower.scene.thinning import trees_of
from windflower.simulation import Simulation

UP = np.array([0.0, 1.0, 0.0])


def forest() -> Scene:
    """Thirty-two bushes: half of them before the camera, half behind it."""
    spots = [[3 * (n % 4) - 4, side * (28 + 3 * (n // 4))] for side in (-1, 1) for n in range(16)]
    text = f"""
    seed = 4
    size = [160, 90]
    [[stands]]
    plant = "hazel-bush"
    detail = 0.02
    positions = {spots}
    motion = {{ kind = "hybrid", reach = 60 }}
    [wind]
    speed = 0
    [[wind.sources]]
    kind = "disk"
    path = [[0, 0, 0]]
    radius = 500
    strength = [5, 0, 2]
    frequency = 0.7
    [camera]
    kind = "fixed"
    eye = [0, 1.7, 0]
    target = [0, 1.7, -10]
    [quality]
    level = "draft"
    """
    return build(parse_scene(text), plants=PlantCache(keep=False))


def view(x: float = 0.0, z: float = 0.0, turn: float = 0.0) -> View:
    """From eye height, looking along -z, turned to the right by degrees."""
    ahead = np.array([np.sin(np.radians(turn)), 0.0, -np.cos(np.radians(turn))])
    eye = np.array([x, 1.7, z])
    return View(eye, eye + ahead, 50.0, UP)


def standing(scene: Scene) -> int:
    return sum(len(stand) for stand in scene.stands)


def test_neighbours_share_a_tile_and_every_tree_has_one() -> None:
    position = np.random.default_rng(1).uniform(-50, 50, (500, 3))
    tiles = tiles_of(position)
    assert sorted(np.concatenate(tiles).tolist()) == list(range(500))
    assert max(map(len, tiles)) <= TILE
    assert np.median([np.ptp(position[tile][:, [0, 2]], axis=0).max() for tile in tiles]) < 25


def test_the_trees_of_a_large_stand_are_there_while_they_are_in_view_and_each_is_less_than_a_kilobyte() -> None:
    scene = forest()
    (grove,) = scene.groves
    assert scene.trees == 32
    assert standing(scene) == 16
    assert grove.nbytes / len(grove) < 1000
    behind = seen_from(scene, view(turn=180), 16 / 9)
    assert standing(behind) == 16
    assert not {stand.tile for stand in behind.stands} & {stand.tile for stand in scene.stands}
    assert seen_from(behind, view(turn=180), 16 / 9) is behind
    beside = seen_from(scene, view(turn=60), 16 / 9)
    assert beside.stands == scene.stands, "just out of view they stay"
    again = forest()
    assert again.groves[0] is grove, "a scene that is built again goes on with the trees that are shown"
    assert all(one.motion in {stand.motion for stand in (*scene.stands, *behind.stands)} for one in again.stands)


def test_a_tree_that_comes_back_into_view_is_the_same_to_the_last_bit() -> None:
    (grove,) = forest().groves
    gc.collect()
    assert not grove.alive, "trees are forgotten when nobody shows them"
    first = grove.tile(0)
    names = ("position", "radius", "parent", "order")
    before = [getattr(first.motion.plant, name).copy() for name in names]
    leaves, omega = first.plant.leaves.orientation.copy(), first.motion.sway.omega.copy()
    del first
    gc.collect()
    again = grove.tile(0)
    for name, array in zip(names, before, strict=True):
        np.testing.assert_array_equal(getattr(again.motion.plant, name), array)
    np.testing.assert_array_equal(again.plant.leaves.orientation, leaves)
    np.testing.assert_array_equal(again.motion.sway.omega, omega)


def test_who_looks_away_and_back_finds_trees_moving_as_if_they_had_been_watched() -> None:
    scene = forest()
    watched = Simulation(scene, step=1 / 20)
    watched.advance(2.0)
    away = Simulation(scene, step=1 / 20)
    away.advance(0.5)
    away.change(seen_from(away.scene, view(turn=180), 16 / 9))
    away.advance(2.0)
    away.change(seen_from(away.scene, view(), 16 / 9))
    points, again = watched.pose(0, 0), away.pose(0, 0)
    swayed = np.abs(points - scene.stands[0].tree(0).position).max()
    assert swayed > 0.01
    assert np.abs(again - points).max() < 0.1 * swayed, "no fade, no rest"


def test_a_camera_that_pans_sees_all_branches_move_in_the_first_frame(gpu: Gpu) -> None:
    scene = forest()
    film = Film(scene, gpu=gpu)
    known = set(film.simulation.stands)
    film.look(view(turn=180))
    film.drawn.frame(view(turn=180), sunlight(scene.sun, 0.0), 0.0, Detail((160, 90), 10**6))
    assert not known & set(film.simulation.stands)
    for stand in film.simulation.stands:
        assert isinstance(stand.twin, HybridTwin)
        assert not stand.twin.state.fades.moving.any()
        assert stand.twin.state.fades.target.any()
        assert np.abs(stand.twin.state.felt).max() > 1.0


def rods(count: int, side: float) -> Grove:
    """Upright rods of a little crown, each of its own height, in a square."""
    rng = np.random.default_rng(2)
    where = np.stack(
        [rng.uniform(-side / 2, side / 2, count), np.zeros(count), rng.uniform(-side / 2, side / 2, count)]
    )

    def grown(number: int) -> Plant:
        return chain(40, length=4.0 + number % 7, radius=0.05)

    def planted(trees: tuple[Plant, ...], places: Places) -> tuple[HybridMotion, tuple[Plant, ...]]:
        return HybridMotion(joined(trees, places.position)), trees

    samples = tuple(grown(number) for number in range(3))
    seeds = Seeds("rods", 0, samples, Places(where.T), grown)
    return Grove(seeds=seeds, planted=planted, reach=25.0)


def _walked(grove: Grove, way: float, pace: float) -> tuple[int, int, float]:
    """Walk along -z: the most trees that were there at once, all that were, and the most MB of them."""
    shown: dict[int, BlockStand] = {}
    seen: set[int] = set()
    most, peak = 0, 0.0
    tracemalloc.start()
    for z in np.arange(0.0, way, pace):
        wanted = grove.in_view(np.array([0, 1.7, way / 2 - z]), np.array([0.0, 0, -1]), 0.8, shown)
        shown = {tile: shown.get(tile) or grove.tile(tile) for tile in wanted}
        seen |= set(shown)
        most, peak = max(most, len(shown)), max(peak, tracemalloc.get_traced_memory()[0] / 1e6)
        assert len(grove.alive) == len(shown)
    tracemalloc.stop()
    return most, len(seen), peak


def test_memory_is_bounded_by_what_is_in_view() -> None:
    most, seen, small = _walked(rods(400, 90.0), 20.0, 5.0)
    again, more, large = _walked(rods(1600, 180.0), 120.0, 15.0)
    assert more > 2 * seen > most
    assert again < 2 * most
    assert large < 2 * small


@pytest.mark.slow
def test_a_hundred_thousand_seeded_trees_are_walked_through() -> None:
    grove = rods(100_000, 1400.0)
    assert grove.nbytes < 1000 * len(grove)
    most, seen, megabytes = _walked(grove, 600.0, 4.0)
    assert seen > 8 * most
    assert most * TILE < 600
    assert megabytes < 300


def test_the_interactive_forest_is_made_of_seeds() -> None:
    tables = read_scene("interactive-forest").stands
    assert sum(trees_of(table) for table in tables) == 256
    assert all(is_grove(table) for table in tables)
