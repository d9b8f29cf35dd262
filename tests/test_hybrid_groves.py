"""Trees that are seeds until they come into view: grown then, the same each time, moving as if they had been there."""

import gc
import tracemalloc

import numpy as np
import pytest

from windflower.core.arrays import FloatArray
from windflower.core.device import Gpu
from windflower.motion.hybrid.grove import TILE, tiles_of
from windflower.motion.hybrid.hybrid_twin import HybridTwin
from windflower.render.film import Film
from windflower.scene import PlantCache, Scene, View, build, parse_scene, read_scene
from windflower.scene.groves import seen_from
from windflower.simulation import Simulation

UP = np.array([0.0, 1.0, 0.0])


def forest(count: int, *, side: float, reach: float = 20.0, plant: str = "hazel-bush") -> Scene:
    text = f"""
    seed = 4
    size = [160, 90]
    [[stands]]
    plant = "{plant}"
    detail = 0.02
    count = {count}
    spacing = 2.0
    area = {{ kind = "rectangle", centre = [0, 0], size = [{side}, {side}] }}
    motion = {{ kind = "hybrid", reach = {reach} }}
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
    scene = forest(600, side=90)
    (grove,) = scene.groves
    assert scene.trees == 600
    assert 5 < standing(scene) < 200
    assert grove.nbytes / len(grove) < 1000
    behind = seen_from(scene, view(turn=180), 16 / 9)
    assert {stand.tile for stand in behind.stands} != {stand.tile for stand in scene.stands}
    assert seen_from(behind, view(turn=180), 16 / 9) is behind
    kept = {stand.tile: stand for stand in scene.stands}
    assert all(kept.get(stand.tile, stand) is stand for stand in behind.stands), "those that stay are the same"


def test_a_tree_that_comes_back_into_view_is_the_same_to_the_last_bit() -> None:
    scene = forest(60, side=40)
    (grove,) = scene.groves
    number = grove.alive[0]
    stand = grove.tile(number)
    before = [getattr(stand.motion.plant, name).copy() for name in ("position", "radius", "parent", "order")]
    leaves, omega = stand.plant.leaves.orientation.copy(), stand.motion.sway.omega.copy()
    del stand, scene
    gc.collect()
    assert not grove.alive, "it is forgotten when nobody shows it"
    again = grove.tile(number)
    for name, array in zip(("position", "radius", "parent", "order"), before, strict=True):
        np.testing.assert_array_equal(getattr(again.motion.plant, name), array)
    np.testing.assert_array_equal(again.plant.leaves.orientation, leaves)
    np.testing.assert_array_equal(again.motion.sway.omega, omega)


def test_a_scene_that_is_built_again_goes_on_with_the_trees_that_are_shown() -> None:
    first = forest(60, side=40)
    again = forest(60, side=40)
    assert again.groves[0] is first.groves[0]
    assert [one.motion for one in again.stands] == [one.motion for one in first.stands]


def test_who_looks_away_and_back_finds_trees_moving_as_if_they_had_been_watched() -> None:
    scene = forest(40, side=24, reach=12)
    watched = Simulation(scene)
    watched.advance(8.0)
    away = Simulation(scene)
    away.advance(2.0)
    away.change(seen_from(away.scene, view(turn=180), 16 / 9))
    tile = next(stand.tile for stand in scene.stands if stand.tile not in {one.tile for one in away.scene.stands})
    away.advance(8.0)
    away.change(seen_from(away.scene, view(), 16 / 9))
    points = [_of_tile(simulation, tile) for simulation in (watched, away)]
    plant = next(stand for stand in scene.stands if stand.tile == tile).tree(0)
    swayed = np.abs(points[0] - plant.position).max()
    assert swayed > 0.01
    assert np.abs(points[1] - points[0]).max() < 0.05 * swayed, "no fade, no rest"


def _of_tile(simulation: Simulation, tile: int | None) -> FloatArray:
    number = next(i for i, one in enumerate(simulation.stands) if one.stand.tile == tile)
    return simulation.pose(number, 0)


def test_a_camera_that_pans_sees_all_branches_move_in_the_first_frame(gpu: Gpu) -> None:
    scene = forest(40, side=24, reach=12)
    film = Film(scene, gpu=gpu)
    film.frame(0.0)
    film._look(view(turn=180))
    for stand in film.simulation.stands:
        assert isinstance(stand.twin, HybridTwin)
        fades = stand.twin.state.fades
        assert not fades.moving.any()
        assert fades.target.any()
        assert np.abs(stand.twin.state.felt).max() > 1.0


def _walked(count: int, side: float, way: float) -> tuple[int, int, float]:
    """Walk through a forest with its motion: most trees that were there at once, all that were, and the most MB."""
    scene = forest(count, side=side, reach=12.0)
    simulation, seen, most, peak = Simulation(scene), set(), 0, 0.0
    tracemalloc.start()
    for z in np.arange(0.0, way, 1.4):
        simulation.change(seen_from(simulation.scene, view(z=way / 2 - z), 16 / 9))
        simulation.advance(simulation.time + simulation.dt)
        most = max(most, standing(simulation.scene))
        seen |= {(stand.tile, instance) for stand in simulation.scene.stands for instance in range(len(stand))}
        peak = max(peak, tracemalloc.get_traced_memory()[0] / 1e6)
    tracemalloc.stop()
    return most, len(seen), peak


def test_memory_is_bounded_by_what_is_in_view() -> None:
    most, seen, small = _walked(800, 100.0, 20.0)
    again, more, large = _walked(3200, 200.0, 60.0)
    assert more > 1.5 * seen > 1.5 * most
    assert again < 2 * most
    assert large < 2.5 * small


@pytest.mark.slow
def test_a_hundred_thousand_seeded_trees_are_walked_through() -> None:
    most, seen, megabytes = _walked(100_000, 1100.0, 100.0)
    assert seen > 2 * most
    assert most < 400
    assert megabytes < 150


def test_the_interactive_forest_is_made_of_seeds() -> None:
    settings = read_scene("interactive-forest")
    scene = build(settings.model_copy(update={"stands": settings.stands[3:]}), plants=PlantCache(keep=False))
    assert [len(grove) for grove in scene.groves] == [70]
    assert all(stand.tile is not None for stand in scene.stands)
