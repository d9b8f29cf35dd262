import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import windflower
from tests.plants import chain, fork, plants
from windflower import Leaves, Plant
from windflower.errors import FileError, PlantError


def test_a_side_branch_has_its_own_base_radius_and_an_axis_continues_its_own() -> None:
    plant = fork()
    assert plant.order.tolist() == [0, 0, 0, 1, 1]
    assert plant.base_radius.tolist() == [0.1, 0.1, 0.08, 0.03, 0.03]


def test_the_thickest_child_continues_and_among_equals_the_one_with_most_wood() -> None:
    position = [[0, 0, 0], [0, 1, 0], [1, 2, 0], [-1, 2, 0], [-1, 5, 0]]
    equal = Plant(parent=[-1, 0, 1, 1, 3], position=position, radius=np.ones(5))
    assert equal.order.tolist() == [0, 0, 1, 0, 0]


def test_derived_measures_of_a_fork() -> None:
    plant = fork()
    assert plant.height == 2
    assert plant.total_length == 4
    assert plant.forks == 1
    assert plant.tips.tolist() == [2, 4]
    assert plant.path(4).tolist() == [4, 3, 1, 0]
    assert plant.children(1).tolist() == [2, 3]
    assert [axis.tolist() for axis in plant.axes()] == [[0, 1, 2], [3, 4]]
    assert [level.tolist() for level in plant.levels] == [[0], [1], [2, 3], [4]]
    assert plant.subtree_sum(np.ones(5)).tolist() == [5, 4, 1, 2, 1]


def test_the_volume_of_a_cone_is_exact() -> None:
    cone = Plant(parent=[-1, 0], position=[[0, 0, 0], [0, 3, 0]], radius=[0.2, 0.1])
    assert cone.wood_volume == pytest.approx(np.pi * 3 / 3 * (0.04 + 0.02 + 0.01))


def test_arrays_and_fields_cannot_be_changed() -> None:
    plant = fork()
    for array in (plant.parent, plant.position, plant.radius, plant.base_radius, plant.order, plant.length):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 7
    with pytest.raises(dataclasses.FrozenInstanceError):
        plant.species = "oak"  # type: ignore[misc]


def test_the_callers_arrays_stay_the_callers() -> None:
    position = np.array([[0.0, 0, 0], [0, 1, 0]])
    plant = Plant(parent=[-1, 0], position=position, radius=[1, 1])
    position[1] = 9
    assert plant.position[1, 1] == 1


GOOD: dict[str, Any] = {
    "parent": [-1, 0, 1, 1],
    "position": [[0, 0, 0], [0, 1, 0], [0, 2, 0], [1, 1, 0]],
    "radius": [0.1, 0.1, 0.1, 0.05],
}


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"radius": [0.1, 0.1, -0.002, 0.05]}, r"radius must be positive; node 2 has -0.002 m"),
        ({"radius": [0.1, 0.1, np.nan, 0.05]}, r"radius must be finite; number 2"),
        ({"radius": [0.1]}, r"radius must have the shape \(4,\); it has \(1,\)"),
        ({"position": [[0, 0], [0, 1], [0, 2], [1, 1]]}, r"position must have the shape \(4, 3\)"),
        ({"position": [[0, 0, 0], [0, 0, 0], [0, 2, 0], [1, 1, 0]]}, r"segment 1 has 0 m. Merge node 1"),
        ({"position": "wood"}, "must be numbers"),
        ({"parent": [-1, 0, 3, 1]}, r"node 2 names 3. Sort the nodes"),
        ({"parent": [-1, 0, -7, 1]}, r"node 2 names -7"),
        ({"parent": [-1, 0.5, 1, 1]}, r"whole numbers; number 1 is 0.5"),
        ({"parent": [-1, 0, -1, 1]}, r"each tree's nodes are contiguous; node 3"),
        ({"parent": []}, "no nodes"),
        ({"order": [0, 0, 0, 0]}, "an axis continues by one child only; node 1"),
        ({"order": [0, 0, 0, 2]}, "one more; node 3 has 2"),
        ({"order": [1, 1, 1, 2]}, "a root has order 0"),
        ({"base_radius": [0.1, 0.1, 0.1, 0]}, r"base_radius must be positive; node 3"),
    ],
)
def test_what_is_wrong_is_said(change: dict[str, Any], rule: str) -> None:
    with pytest.raises(PlantError, match=rule):
        Plant(**{**GOOD, **change})


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"node": [9]}, "leaf 0 names 9"),
        ({"node": [0]}, "which is a root"),
        ({"place": [1.5]}, "between 0 and 1; leaf 0 has 1.5"),
        ({"orientation": [[0, 0, 0, 2]]}, "unit quaternion"),
        ({"size": [0]}, "size must be positive"),
        ({"size": [1, 2]}, "leaf size must have the shape"),
    ],
)
def test_what_is_wrong_with_a_leaf_is_said(change: dict[str, Any], rule: str) -> None:
    leaf = {"node": [1], "place": [0.5], "orientation": [[0, 0, 0, 1]], "size": [0.1]}
    with pytest.raises(PlantError, match=rule):
        Plant(**GOOD, leaves=Leaves(**{**leaf, **change}))


@given(plants())
def test_any_plant_is_consistent(plant: Plant) -> None:
    assert np.all(plant.parent < np.arange(plant.nodes))
    assert sum(len(level) for level in plant.levels) == plant.nodes
    assert sorted(np.concatenate(list(plant.axes())).tolist()) == list(range(plant.nodes))
    assert plant.subtree_sum(np.ones(plant.nodes))[plant.roots].sum() == plant.nodes
    assert plant.child_count.sum() == len(plant.segments)
    for axis in plant.axes():
        assert np.all(plant.parent[axis[1:]] == axis[:-1])
    assert np.all(np.bincount(plant.parent[plant.continues], minlength=1) <= 1)


@given(plants())
def test_an_archive_gives_back_every_bit(plant: Plant) -> None:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        first, second = Path(folder, "a.npz"), Path(folder, "b.npz")
        plant.save(first)
        again = windflower.read(first)
        again.save(second)
        assert first.read_bytes() == second.read_bytes()
    for name in ("parent", "position", "radius", "base_radius", "order"):
        assert np.array_equal(getattr(plant, name), getattr(again, name))


def test_an_archive_keeps_species_seed_and_leaves(tmp_path: Path) -> None:
    plant = windflower.grow("walnut", seed=5, detail=0.1)
    plant.save(tmp_path / "tree.npz")
    again = windflower.read(tmp_path / "tree.npz")
    assert (again.species, again.seed) == ("walnut", 5)
    assert np.array_equal(plant.leaves.orientation, again.leaves.orientation)


def test_a_damaged_archive_is_refused_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "tree.npz"
    chain().save(path)
    whole = path.read_bytes()
    for cut in range(0, len(whole), max(1, len(whole) // 40)):
        path.write_bytes(whole[:cut])
        with pytest.raises(FileError):
            windflower.read(path)


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "tree.npz"
    chain().save(path)
    before = path.read_bytes()

    def full_disk(*_: object, **__: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(np, "savez_compressed", full_disk)
    with pytest.raises(FileError, match="no space"):
        fork().save(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
