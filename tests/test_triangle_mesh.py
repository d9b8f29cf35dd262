"""Meshes of plants without a device: closed tubes, leaf cards of the right area, and how they turn with a pose."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from tests.plants import chain, fork
from tests.stands import places
from windflower import Plant, grow
from windflower.core.arrays import FloatArray
from windflower.core.quaternions import turned
from windflower.errors import MotionError
from windflower.geometry.leaf_textures import leaf_mask
from windflower.geometry.lod_meshes import plant_meshes, stand_meshes
from windflower.geometry.mesh import Mesh, mesh_of
from windflower.geometry.mesh_ranges import merged
from windflower.geometry.triangle_mesh import LEAVES, SHEETS, WOOD, TriangleMesh, triangle_mesh
from windflower.motion import BroadleafMotion, Places
from windflower.motion.poses.rotations import segment_rotations, shortest_arc
from windflower.motion.stand import Stand
from windflower.plant.graph import Leaves
from windflower.plant.outlines import outline
from windflower.plant.species import species_of


def about(axis: FloatArray, angle: float) -> FloatArray:
    """(3, 3) a rotation."""
    x, y, z = axis / np.linalg.norm(axis)
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k)


def faces(mesh: TriangleMesh, part: int) -> FloatArray:
    """(count, triangles, 3) vectors across triangles of a part, twice their area long."""
    corner = mesh.position[:, mesh.triangle[mesh.part == part]]
    return np.cross(corner[:, :, 1] - corner[:, :, 0], corner[:, :, 2] - corner[:, :, 0])


def rings_of(mesh: Mesh, made: TriangleMesh) -> FloatArray:
    """(rings, sides, 3) of the first kind of tubes, without their seam."""
    tubes = mesh.tubes[0]
    count = tubes.count * (tubes.rings + 1)
    return made.position[0, : count * (tubes.sides + 1)].reshape(count, tubes.sides + 1, 3)[:, :-1]


@pytest.mark.parametrize("name", ["oak", "walnut", "hazel-bush"])
@pytest.mark.parametrize("level", [0, 1])
def test_a_tube_is_closed_all_round_and_open_at_its_ends(name: str, level: int) -> None:
    mesh = plant_meshes(grow(name, detail=0.05)).meshes[level]
    made = triangle_mesh(mesh)
    _, same = np.unique(made.position[0], axis=0, return_inverse=True)  # the two vertices of a seam are one
    first = 0
    for tubes in mesh.tubes:
        triangle = made.triangle[first : first + tubes.triangles]
        first += tubes.triangles
        for one in triangle.reshape(tubes.count, -1, 3)[:20]:
            ends = same[np.stack([one, np.roll(one, -1, axis=1)], axis=-1)].reshape(-1, 2)
            ways = Counter(map(tuple, ends.tolist()))
            assert max(ways.values()) == 1, "every triangle runs round the same way"
            assert sum((b, a) not in ways for a, b in ways) == 2 * tubes.sides, "only the two end rings are open"


def test_the_tubes_of_an_axis_share_their_rings() -> None:
    plant = chain(6, radius=0.05)
    crooked = plant.position + 0.05 * np.sin(np.arange(18)).reshape(6, 3)
    plant = Plant(parent=plant.parent, position=crooked, radius=np.linspace(0.05, 0.04, 6))
    mesh = mesh_of(plant, flare=0.0, sides=6, rings=2)
    bent = plant.position + 0.08 * np.cos(2 * np.arange(18)).reshape(1, 6, 3)
    for points in (None, bent):
        rings = rings_of(mesh, triangle_mesh(mesh, points)).reshape(5, 3, 6, 3)
        np.testing.assert_allclose(rings[1:, 0], rings[:-1, -1], atol=1e-6)


@pytest.mark.parametrize("name", ["oak", "silver-birch", "hazel-bush"])
def test_triangles_and_normals_of_wood_look_outward(name: str) -> None:
    mesh = plant_meshes(grow(name, detail=0.1)).meshes[0]
    made = triangle_mesh(mesh)
    np.testing.assert_allclose(np.linalg.norm(made.normal, axis=-1), 1, atol=1e-6)
    face, wood = faces(made, WOOD)[0], made.triangle[made.part == WOOD]
    outward = np.einsum("ti,tci->tc", face, made.normal[0, wood])
    assert (outward > 0).all()
    assert len(np.unique(made.triangle)) == made.position.shape[1], "no vertex is left over"


def test_triangles_of_leaves_and_sheets_look_where_their_normals_do() -> None:
    stand = Stand("hosta", 0, BroadleafMotion(grow("hosta")), Places())
    blades = triangle_mesh(stand_meshes(stand).meshes[0])
    for made, part in ((triangle_mesh(plant_meshes(grow("oak", detail=0.05)).meshes[0]), LEAVES), (blades, SHEETS)):
        face, corner = faces(made, part)[0], made.triangle[made.part == part]
        alike = np.einsum("ti,tci->tc", face, made.normal[0, corner]) / np.linalg.norm(face, axis=1)[:, None]
        assert (alike > 0.3).mean() > 0.99


@pytest.mark.parametrize("level", [0, 1, 2])
def test_leaf_cards_show_the_area_that_leaves_have(level: int) -> None:
    """What its picture covers of a card is as large as the leaf, or as the several that it stands for."""
    plant = grow("oak", detail=0.1)
    leaf, lods = species_of("oak").leaf, plant_meshes(plant)
    assert leaf is not None
    made, mask = triangle_mesh(lods.meshes[level]), leaf_mask(leaf.shape, leaf.aspect)
    covered = (mask.levels[0][..., 3] > 128).mean(axis=(1, 2))[made.picture[made.part == LEAVES]]
    area = np.linalg.norm(faces(made, LEAVES)[0], axis=1) / 2 * covered
    x, y = outline(leaf.shape, leaf.aspect).T
    one = abs(float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum())) / 2
    own = one * lods.levels[level].plant.leaves.size ** 2
    np.testing.assert_allclose(area.reshape(-1, 2).sum(axis=1), own, rtol=0.04)
    assert area.sum() == pytest.approx(one * (plant.leaves.size**2).sum(), rel=0.05), "at every level"


def leafy_fork() -> Plant:
    """In the plane of x and y, a leaf on each segment."""
    turns = np.array([[0, 0, 0, 1.0], [0.5, 0.5, 0.5, 0.5], [0, 0.6, 0, 0.8], [0, 0, 1.0, 0]])
    leaves = Leaves(node=np.arange(1, 5), place=np.full(4, 0.7), orientation=turns, size=np.full(4, 0.3))
    return replace(fork(), leaves=leaves)


def test_a_plant_that_turns_as_one_piece_in_its_plane_has_a_mesh_that_does() -> None:
    plant, turn = leafy_fork(), about(np.array([0.0, 0, 1]), 0.9)
    mesh = mesh_of(plant)
    rest, posed = triangle_mesh(mesh), triangle_mesh(mesh, (plant.position @ turn.T)[None])
    np.testing.assert_allclose(posed.position, rest.position @ turn.T, atol=1e-6)
    np.testing.assert_allclose(posed.normal, rest.normal @ turn.T, atol=1e-6)


def test_rings_of_a_plant_turned_anyhow_turn_with_it() -> None:
    """Positions of nodes do not tell how far wood is twisted about itself, but all else."""
    plant, turn = grow("oak", detail=0.1), about(np.array([0.3, 0.5, -0.4]), 1.1)
    mesh = mesh_of(plant, flare=0.0)
    rest, posed = (rings_of(mesh, triangle_mesh(mesh, points)) for points in (None, (plant.position @ turn.T)[None]))
    np.testing.assert_allclose(posed.mean(axis=1), rest.mean(axis=1) @ turn.T, atol=1e-6)
    out, other = rest - rest.mean(axis=1, keepdims=True), posed - posed.mean(axis=1, keepdims=True)
    np.testing.assert_allclose(np.linalg.norm(other, axis=-1), np.linalg.norm(out, axis=-1), atol=1e-6)
    plane, tilted = np.cross(out[:, 0], out[:, 1]), np.cross(other[:, 0], other[:, 1])
    np.testing.assert_allclose(tilted, plane @ turn.T, atol=1e-6)


def test_a_placed_mesh_is_where_its_instances_stand() -> None:
    mesh, where = mesh_of(leafy_fork()), places(3)
    made = triangle_mesh(mesh, np.stack([mesh.rest, 1.1 * mesh.rest, mesh.rest]))
    world = made.placed(where)
    np.testing.assert_allclose(world.position, where.to_world(made.position))
    angle = np.einsum("cvi,cvi->cv", world.normal, made.normal @ np.swapaxes(where.turn, 1, 2))
    np.testing.assert_allclose(angle, 1, atol=1e-6)
    assert np.ptp(world.position[2] - world.position[0], axis=0).max() > 0.1, "each is turned and scaled"


def test_vertices_say_which_segment_they_move_with_and_where_they_are_in_their_picture() -> None:
    plant = grow("oak", detail=0.05)
    made = triangle_mesh(mesh := plant_meshes(plant).meshes[0])
    leaves, wood = np.unique(made.triangle[made.part == LEAVES]), np.unique(made.triangle[made.part == WOOD])
    assert (made.node[leaves].reshape(-1, 4) == plant.leaves.node[:, None]).all()
    assert set(made.node[wood].tolist()) == set(plant.segments.tolist())
    assert (made.uv[leaves[:4]] == [[0, 1], [1, 1], [0, 0], [1, 0]]).all()
    assert (made.uv[wood].min(axis=0) == 0).all()
    assert made.uv[wood].max(axis=0) == pytest.approx([1.0, mesh.segments["foot"][:, 1].max()])


def test_many_trees_in_one_mesh_have_each_ones_own_triangles() -> None:
    trees = [grow("oak", detail=0.03, seed=seed) for seed in (1, 2)]
    meshes = [plant_meshes(tree).meshes[0] for tree in trees]
    numbers = [np.arange(tree.nodes) + start for tree, start in zip(trees, (0, trees[0].nodes), strict=True)]
    block, _ = merged(meshes, numbers)
    together = triangle_mesh(block, np.concatenate([tree.position for tree in trees])[None])
    apart = [triangle_mesh(mesh) for mesh in meshes]
    for part in (WOOD, LEAVES):
        area = sum(float(np.linalg.norm(faces(made, part), axis=-1).sum()) for made in apart)
        assert np.linalg.norm(faces(together, part), axis=-1).sum() == pytest.approx(area)
    with pytest.raises(MotionError, match="one point for each of its nodes"):
        triangle_mesh(block)


def test_points_of_another_level_are_refused() -> None:
    lods = plant_meshes(grow("oak", detail=0.1))
    with pytest.raises(MotionError, match=r"they have the shape \(1, 62, 3\). Pose the nodes of the same level"):
        triangle_mesh(lods.meshes[0], np.zeros((1, 62, 3)))


# Rotations carried along the path


def test_a_plant_that_falls_as_one_piece_has_one_rotation() -> None:
    """Whatever its branches do: they follow the trunk, also where their own chords hardly turn."""
    plant = grow("oak", detail=0.1)
    (first,) = plant.children(0)
    axis = np.cross(plant.vector[first], [0.2, 0.1, 1.0])
    rotation = segment_rotations(plant, (plant.position @ about(axis, 1.3).T)[None])[0, 1:]
    wanted = np.append(np.sin(0.65) * axis / np.linalg.norm(axis), np.cos(0.65))
    np.testing.assert_allclose(np.abs(rotation @ wanted), 1, atol=1e-12)


def test_rotations_turn_every_chord_to_its_pose_and_no_joint_twists() -> None:
    plant = grow("weeping-willow", detail=0.05)
    points = plant.position + 0.2 * np.random.default_rng(1).normal(size=(3, plant.nodes, 3))
    rotation, node = segment_rotations(plant, points), plant.segments
    base = plant.parent[node]
    rest = plant.vector / np.maximum(plant.length[:, None], 1e-12)
    chord = (points[:, node] - points[:, base]) / np.linalg.norm(points[:, node] - points[:, base], axis=-1)[..., None]
    np.testing.assert_allclose(turned(rotation[:, node, :, None], rest[node, :, None])[..., 0], chord, atol=1e-9)
    before = turned(rotation[:, base, :, None], rest[node, :, None])[..., 0]
    joint = shortest_arc(before, chord)
    own = turned(rotation[:, node, :, None], np.array([[0.3], [0.8], [-0.5]]))[..., 0]
    carried = turned(rotation[:, base, :, None], np.array([[0.3], [0.8], [-0.5]]))
    np.testing.assert_allclose(own, turned(joint[..., None], carried)[..., 0], atol=1e-9)
    assert (segment_rotations(plant, plant.position[None])[..., 3] > 1 - 1e-12).all(), "none at rest"


def test_a_chord_that_is_turned_over_is_turned_by_half_a_turn() -> None:
    plant = chain(3)
    rotation = segment_rotations(plant, (plant.position * [1, -1, 1])[None])
    np.testing.assert_allclose(turned(rotation[0, 1:, :, None], np.array([[0.0], [1], [0]]))[..., 0], [[0, -1, 0]] * 2)
    np.testing.assert_allclose(rotation[0, 1], rotation[0, 2])
