"""Stands of trees that are all different: built as one block, drawn and held tree by tree."""

import numpy as np
import pytest

from windflower.bench.hybrid import bench_walk
from windflower.core.arrays import FloatArray
from windflower.core.device import Gpu
from windflower.errors import SceneError
from windflower.geometry.lod_meshes import plant_meshes, stand_meshes
from windflower.geometry.mesh_ranges import merged
from windflower.motion import Places, Touch
from windflower.motion.hybrid import BlockStand
from windflower.motion.hybrid.hybrid_twin import HybridTwin
from windflower.plant.block import placed
from windflower.render.film import Film
from windflower.scene import PlantCache, Scene, build, parse_scene, read_scene
from windflower.scene.thinning import with_trees
from windflower.simulation import DeviceSimulation
from windflower.wind import ForceWind

PLANTS = PlantCache(keep=False)
CAMERA = '[camera]\nkind = "fixed"\neye = [0, 1.7, 25]\ntarget = [0, 4, 0]\n[quality]\nlevel = "draft"\n'
DISK = '[[wind.sources]]\nkind = "disk"\npath = [[0, 0, 0]]\nradius = 30\nstrength = [5, 0, 2]\nfrequency = 0.8\n'


def forest(
    stand: str = "count = 4\nspacing = 6", wind: str = "[wind]\nspeed = 0\n" + DISK, **motion: str | bool
) -> Scene:
    options = "".join(
        f", {key} = {str(value).lower() if value in (True, False) else repr(value)}" for key, value in motion.items()
    )
    table = f'[[stands]]\nplant = "oak"\ndetail = 0.03\nmotion = {{ kind = "hybrid"{options} }}\n{stand}\n'
    return build(parse_scene(f"seed = 2\nsize = [160, 90]\n{table}{wind}{CAMERA}"), plants=PLANTS)


def block(scene: Scene) -> BlockStand:
    (stand,) = scene.stands
    assert isinstance(stand, BlockStand)
    return stand


def simulated(gpu: Gpu, scene: Scene) -> tuple[DeviceSimulation, HybridTwin]:
    simulation = DeviceSimulation(scene, gpu, start=-4.0)
    twin = simulation.stands[0].twin
    assert isinstance(twin, HybridTwin)
    return simulation, twin


def test_every_tree_of_a_hybrid_stand_is_another() -> None:
    scene = forest("count = 5\nspacing = 6\nseed = 40\nscale_variation = 0.3")
    stand = block(scene)
    assert scene.trees == len(stand) == len(stand.trees) == 5
    assert scene.nodes == stand.motion.plant.nodes == sum(tree.nodes for tree in stand.trees)
    assert [tree.seed for tree in stand.trees] == [40, 41, 42, 43, 44]
    away = np.linalg.norm(stand.places.position[:, None] - stand.places.position, axis=-1)
    assert away[~np.eye(5, dtype=bool)].min() >= 6
    for tree, first, place in zip(stand.trees, stand.first, stand.places.position, strict=True):
        np.testing.assert_allclose(stand.motion.plant.position[first : first + tree.nodes], tree.position + place)
    assert np.ptp([tree.height for tree in stand.trees]) > 0.5


def test_a_scene_that_is_built_again_has_the_same_block() -> None:
    first, again = forest(), forest()
    assert block(first).motion is block(again).motion
    assert block(first).trees is block(again).trees
    assert block(forest(fading="linear")).motion is not block(first).motion


def test_trees_of_a_block_are_turned_scaled_and_stiffened_as_any_others() -> None:
    stand = block(forest("count = 1\nscale = 2\nscale_variation = 0\nyaw = 90\nyaw_variation = 0\nstiffness = 4"))
    plain = block(forest("count = 1\nscale_variation = 0\nyaw_variation = 0\nstiffness_variation = 0"))
    x, y, z = plain.plant.position.T
    np.testing.assert_allclose(stand.plant.position, 2 * np.stack([z, y, -x], axis=1), atol=1e-9)
    np.testing.assert_allclose(stand.plant.radius, 2 * plain.plant.radius)
    assert stand.motion.response.rows.max() < plain.motion.response.rows.max()


def test_a_leaf_turns_with_its_plant() -> None:
    plant = block(forest("count = 1")).plant
    turned = placed(plant, yaw=0.7)

    def normals(orientation: FloatArray) -> FloatArray:
        q, w = orientation[:, :3], orientation[:, 3:]
        z = np.array([0.0, 0, 1])
        return z + 2 * np.cross(q, np.cross(q, z) + w * z)

    turn = Places(yaw=0.7).turn[0]
    np.testing.assert_allclose(
        normals(turned.leaves.orientation), normals(plant.leaves.orientation) @ turn.T, atol=1e-12
    )


def test_more_or_fewer_trees_of_a_block() -> None:
    assert build(with_trees(forest().settings, 7), plants=PLANTS).trees == 7


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(SceneError, match="every tree is different"):
        forest("count = 4\nspecimens = 2")
    with pytest.raises(SceneError, match=r"stands\[0\]: .*physical = all"):
        forest(torque="driven")


def test_a_mesh_of_all_trees_has_each_ones_own_mesh_as_a_part() -> None:
    trees = block(forest()).trees
    each = [plant_meshes(tree).meshes[1] for tree in trees]
    numbers = [1000 * i + plant_meshes(tree).levels[1].node for i, tree in enumerate(trees)]
    mesh, ranges = merged(each, numbers)
    assert mesh.triangles == sum(one.triangles for one in each)
    for i, (one, number) in enumerate(zip(each, numbers, strict=True)):
        parts = [
            mesh.segments[t.first + r[i, 0] : t.first + r[i].sum()]
            for t, r in zip(mesh.tubes, ranges.wood, strict=True)
        ]
        mine = np.concatenate(parts)
        assert (mine["node"] == number[one.segments["node"]]).all()
        assert (mine["tangent_b"] == one.segments["tangent_b"]).all()
        first, count = ranges.leaves[i]
        leaves = mesh.leaves[first : first + count]
        assert (leaves["turn"] == one.leaves["turn"]).all()
        assert (mesh.segments["node"][leaves["segment"]] == number[one.segments["node"][one.leaves["segment"]]]).all()


def test_levels_of_a_block_are_as_fine_as_those_of_its_trees() -> None:
    stand = block(forest())
    lods = stand_meshes(stand)
    assert len(lods.meshes) == max(len(plant_meshes(tree).levels) for tree in stand.trees)
    assert (np.diff(lods.triangles) < 0).all()
    assert lods.nodes[0] == pytest.approx(stand.nodes / 4)


def test_a_block_on_stage_is_posed_as_its_motion_says_and_touched_tree_by_tree(gpu: Gpu) -> None:
    scene = forest()
    stand, (simulation, twin) = block(scene), simulated(gpu, forest())
    node = int(stand.tree(2).tips[0])
    rest = stand.tree(2).position[node] + stand.places.position[2]
    simulation.advance(simulation.time + 0.5, {0: Touch(instance=2, node=node, target=rest + np.array([0.4, 0, 0.3]))})
    twin.pose(0, np.array([2]))
    np.testing.assert_allclose(twin.kernels.read_points()[0], twin.motion.pose(twin.state)[0], atol=1e-4)
    assert twin.state.held.node.tolist() == [stand.first[2] + node]
    held = twin.read_points(0)[0, node] + stand.places.position[2]
    assert np.linalg.norm(held - rest) > 0.2
    statistics = twin.statistics()
    assert statistics.held == 1
    assert statistics.physical_bytes > 0
    simulation.advance(simulation.time + 3.5)
    assert twin.statistics().physical_bytes == 0


def test_trees_are_culled_and_move_less_each_by_itself(gpu: Gpu) -> None:
    stand = "positions = [[0, 0], [3, -40], [0, 300], [2, -6]]"
    film = Film(forest(stand, "[wind]\nspeed = 5\nturbulence = 0\ngustiness = 0\n"), gpu=gpu)
    for t in (0.0, 0.5, 2.0):
        film.frame(t)
    drawn, twin = film.costs.latest, film.simulation.stands[0].twin
    assert drawn is not None
    assert drawn.trees == 3, "one is behind the eye"
    assert isinstance(twin, HybridTwin)
    active = twin.state.fades.target[0].sum(axis=1)
    assert active[0] >= active[1] >= active[2] > 0, "also the one behind the eye: who pans finds it moving"


def test_without_levels_all_branches_move(gpu: Gpu) -> None:
    film = Film(forest("count = 3\nspacing = 9", "[wind]\nspeed = 0\n", levels=False), gpu=gpu)
    film.frame(0.0)
    twin = film.simulation.stands[0].twin
    assert isinstance(twin, HybridTwin)
    assert twin.statistics().animated == twin.statistics().branches


def test_a_block_is_drawn_where_it_stands_and_moves_in_its_disk(gpu: Gpu) -> None:
    film = Film(forest("count = 6\nspacing = 4"), gpu=gpu)
    empty = Film(
        build(
            parse_scene("size = [160, 90]\n" + CAMERA + '[[stands]]\nplant = "oak"\npositions = [[0, 900]]'),
            plants=PLANTS,
        ),
        gpu=gpu,
    )
    first, second, bare = film.frame(0.0), film.frame(0.3), empty.frame(0.0)
    seen = np.abs(first.astype(float) - bare).max(axis=2) > 30
    assert 0.1 < seen.mean() < 0.9
    assert np.abs(first.astype(float) - second).max() > 60
    assert isinstance(film.scene.wind, ForceWind) or film.scene.wind.velocity([[0.0, 3, 0]], 0.2).any()


def test_the_oak_whose_branches_are_all_physical_swings_after_its_gust_and_comes_to_rest() -> None:
    scene = build(read_scene("swinging-oak"), plants=PLANTS)
    stand, dt = block(scene), 1 / 15
    motion, state = stand.motion, stand.motion.rest()
    assert motion.statistics(state).physical == motion.statistics(state).branches
    top = np.array([int(np.argmax(motion.plant.position[:, 1]))])
    path = []
    for step in range(1, round(30 / dt)):
        state = motion.step(state, scene.wind.velocity(stand.probes, step * dt), dt)
        path.append(motion.node_points(state, 0, top)[0] - motion.plant.position[top[0]])
    away = np.linalg.norm(path, axis=1)
    assert away.max() > 1.0
    over = round(4.5 / dt)  # the gust has passed
    assert scene.wind.velocity(stand.probes, 4.5).max() == 0
    assert np.array(path)[over:, 0].min() < -0.1, "it swings beyond its rest"
    assert away[over:].max() > 0.2
    assert away[-15:].max() < 0.02 * away.max()


def test_a_block_is_drawn_as_its_trees_would_be_each_by_itself(gpu: Gpu) -> None:
    places = [(0, 0), (5, -3), (-6, 4), (1, -30)]
    plain = "leaves = false\nscale_variation = 0\nyaw_variation = 0\nstiffness_variation = 0\n"
    oak = f'[[stands]]\nplant = "oak"\ndetail = 0.03\nmotion = "hybrid"\n{plain}'
    tables = [f"{oak}seed = {9 + i}\npositions = [{list(place)}]\n" for i, place in enumerate(places)]
    apart = build(
        parse_scene(f"seed = 2\nsize = [160, 90]\n{''.join(tables)}[wind]\nspeed = 0\n{DISK}{CAMERA}"), plants=PLANTS
    )
    together = forest(f"seed = 9\npositions = {[list(place) for place in places]}\n{plain}")
    assert (len(apart.stands), len(together.stands)) == (4, 1)
    for t in (0.0, 0.4):
        pictures = [Film(scene, gpu=gpu).frame(t).astype(int) for scene in (apart, together)]
        assert np.abs(pictures[0] - pictures[1]).mean() < 0.05
    assert pictures[0].std() > 20


@pytest.mark.parametrize(("height", "pushes"), [(1.7, True), (3.0, False)])
def test_a_camera_at_the_height_of_eyes_pushes_twigs_aside_as_it_passes(gpu: Gpu, height: float, pushes: bool) -> None:
    bush = (
        '[[stands]]\nplant = "hazel-bush"\ndetail = 0.1\npositions = [[0, 0]]\nmotion = "hybrid"\n[wind]\nspeed = 0\n'
    )
    camera = f'[camera]\nkind = "fly"\nkeys = [{{ eye = [0.4, {height}, 3] }}, {{ eye = [0.4, {height}, -3] }}]\n'
    film = Film(build(parse_scene(f"seconds = 3\n{bush}{camera}"), plants=PLANTS), gpu=gpu)
    twin = film.simulation.stands[0].twin
    assert isinstance(twin, HybridTwin)
    held = 0
    for t in np.arange(0, 3, 0.1):
        film.go_to(float(t))
        held = max(held, twin.statistics().held)
    assert (held > 0) == pushes


def test_trees_of_a_block_stand_on_hills(gpu: Gpu) -> None:
    hills = "[ground]\nterrain = { height = 40, spacing = 80, size = 300 }\n"
    scene = forest("positions = [[0, 0], [30, -20], [-25, -30]]", hills)
    stand, land = block(scene), scene.ground.terrain
    assert land is not None
    feet = stand.places.position
    np.testing.assert_allclose(feet[:, 1], land.height(feet[:, [0, 2]]), atol=0.8)  # a little into the slope
    assert np.ptp(feet[:, 1]) > 1
    middle = stand.probes[0, :, 1]
    assert (middle > 1).all(), "the wind follows the land"
    assert (middle < max(tree.height for tree in stand.trees)).all()
    simulation, twin = simulated(gpu, scene)
    node = int(stand.tree(1).tips[2])
    target = stand.tree(1).position[node] + feet[1] + np.array([0.3, 0.2, 0.0])
    simulation.advance(simulation.time + 0.6, {0: Touch(instance=1, node=node, target=target)})
    twin.pose(0, np.array([1]))
    held = twin.read_points(0)[0, node] + feet[1]
    assert np.linalg.norm(held - target) < 0.2


@pytest.mark.slow
@pytest.mark.usefixtures("gpu")
def test_the_benchmark_of_a_walk_says_how_many_frames_and_steps_a_second() -> None:
    by_level, every = bench_walk(size=(64, 36), trees=8, frames=1)
    assert (by_level["paper"], every["paper"]) == (27, 1)
    assert by_level["trees"] == 8
    assert by_level["moving"] <= every["moving"] == every["branches"]
    for row in (by_level, every):
        assert row["frames/s"] > 0
        assert row["steps/s"] > 0
