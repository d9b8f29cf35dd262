"""Leaves of many blocks lie in common buffers: each has its room, and kernels are told where."""

from typing import Any

import numpy as np
import pytest

from windflower.core.buffers import read_floats
from windflower.core.device import Gpu
from windflower.geometry.lod_meshes import plant_meshes
from windflower.plant.growth import grow
from windflower.plant.species import species_of
from windflower.render.drawn import Cut, DrawnMesh
from windflower.render.foliage import (
    CARDS,
    MESHES,
    Foliage,
    LeafPicture,
    LeafRange,
    Run,
    Wanted,
    make_room,
    runs_together,
)
from windflower.render.pipelines import make_pipelines

OAK, BIRCH = LeafPicture("oak", "smooth"), LeafPicture("birch", "smooth")


@pytest.fixture
def foliage(gpu: Gpu) -> Foliage:
    return Foliage(gpu, make_pipelines(gpu, 1).layouts)


def ranges(foliage: Foliage, count: int) -> list[LeafRange]:
    return [LeafRange(foliage) for _ in range(count)]


def spans(some: list[LeafRange]) -> list[tuple[int, int, int]]:
    """Shelf, begin and end of each range, in order."""
    return sorted((id(one.shelf), one.first, one.first + one.room) for one in some)


def assert_apart(some: list[LeafRange]) -> None:
    for (shelf, _, end), (other, begin, _) in zip(spans(some), spans(some)[1:], strict=False):
        assert shelf != other or end <= begin


def test_blocks_with_the_same_pictures_share_a_buffer_and_lie_apart(foliage: Foliage) -> None:
    oaks, birches = ranges(foliage, 3), ranges(foliage, 2)
    counts = [100, 1, 640]
    make_room([*(Wanted(one, OAK, count) for one, count in zip(oaks, counts, strict=True))])
    make_room([Wanted(one, BIRCH, 70) for one in birches])
    assert len({one.shelf for one in oaks}) == 1
    assert oaks[0].shelf is not birches[0].shelf
    assert all(one.room >= count and one.first % 64 == 0 for one, count in zip(oaks, counts, strict=True))
    assert_apart([*oaks, *birches])


def test_a_block_that_has_room_stays_where_it_is(foliage: Foliage) -> None:
    some = ranges(foliage, 2)
    make_room([Wanted(one, OAK, 500) for one in some])
    known = spans(some)
    make_room([Wanted(one, OAK, 200) for one in some])
    assert spans(some) == known


def test_blocks_that_grow_and_come_never_overlap(foliage: Foliage) -> None:
    random, some = np.random.default_rng(4), ranges(foliage, 12)
    for _ in range(60):
        shown = [one for one in some if random.random() < 0.7]
        counts = random.integers(1, 3000, len(shown)).tolist()
        make_room([Wanted(one, OAK, count) for one, count in zip(shown, counts, strict=True)])
        assert all(one.shelf and one.room >= count for one, count in zip(shown, counts, strict=True))
        assert_apart(shown)


def test_what_does_not_fit_one_binding_lies_in_several(foliage: Foliage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(foliage, "_most", 640)
    some = ranges(foliage, 5)
    make_room([Wanted(one, OAK, 300) for one in some])
    assert len({one.shelf for one in some}) == 3
    assert_apart(some)


def cards(corners: float) -> bytes:
    made = np.zeros((), CARDS)
    made["style"][0] = corners
    return made.tobytes()


def table(runs: Any) -> Any:
    """Rows that a kernel reads: the number of runs; the first leaf, count, kind and first workgroup of each."""
    words = read_floats(runs._gpu, runs._table).view("<u4")
    return words[: len(words) // 4 * 4].reshape(-1, 4)


def test_a_kernel_is_told_of_every_run_and_takes_each_workgroup_once(foliage: Foliage) -> None:
    some = ranges(foliage, 3)
    counts = [20, 8, 70]
    make_room([Wanted(one, OAK, count) for one, count in zip(some, counts, strict=True)])
    looks = [cards(4), cards(3), cards(4)]
    (runs,) = runs_together(
        "all",
        [
            Run(one, count, look, fell=number == 1, still=number == 2)
            for number, (one, count, look) in enumerate(zip(some, counts, looks, strict=True))
        ],
        first_slot=5,
    )
    rows = table(runs)
    assert rows[0, :2].tolist() == [3, 5]
    assert rows[1:4, 0].tolist() == [one.first for one in some]
    assert rows[1:4, 1].tolist() == counts
    assert rows[1:4, 2].tolist() == [0, 1 + 256, 0 + 512]
    assert rows[1:4, 3].tolist() == [0, 3, 4]


def test_meshes_beyond_those_of_one_kernel_are_drawn_by_another(foliage: Foliage) -> None:
    some = ranges(foliage, MESHES + 2)
    make_room([Wanted(one, OAK, 8) for one in some])
    drawn = runs_together("all", [Run(one, 8, cards(number), False, False) for number, one in enumerate(some)])
    assert [int(table(one)[0, 0]) for one in drawn] == [MESHES, 2]
    assert [int(table(one)[0, 1]) for one in drawn] == [0, 1]


def test_meshes_of_a_species_share_their_pictures(gpu: Gpu) -> None:
    plant, layouts = grow(species_of("oak"), seed=3, detail=0.1), make_pipelines(gpu, 1).layouts
    levels = [
        DrawnMesh(gpu, layouts, mesh, species_of("oak"), cut=Cut.of(at))
        for at, mesh in enumerate(plant_meshes(plant).meshes)
    ]
    assert len({level.picture for level in levels}) == 1
