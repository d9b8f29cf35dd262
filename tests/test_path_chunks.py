"""Plants cut into chunks for the rotated pose on the device: what a workgroup does with them gives every point."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.plants import chain, plants
from tests.stands import two_trees
from windflower import Plant, grow
from windflower.core.arrays import FloatArray, IntArray
from windflower.motion.poses.path_chunks import NONE, PathChunks


def walked(chunks: PathChunks) -> FloatArray:
    """Points from chords at rest as rotated.wgsl finds them, by the records alone, generation by generation."""
    plant, records = chunks.plant, chunks.records.astype(np.int64)
    rest = np.where(plant.parent[:, None] < 0, plant.position, plant.vector)
    points = np.full((plant.nodes, 3), np.nan)
    for first, end in chunks.generations:
        done = points.copy()  # chunks of a dispatch do not see one another
        for record in records[first:end]:
            node, outside = record[:, 0], record[:, 1]
            chord = np.zeros((len(record), 3))
            used = node != NONE
            chord[used] = rest[node[used]]
            based = outside != NONE
            chord[based] += done[outside[based]]
            summed(chord, record)
            points[node[used]] = chord[used]
    return points


def summed(chord: FloatArray, record: IntArray) -> None:
    begin = 0
    for end in record[1 : 1 + record[0, 3], 3]:
        before = chord.copy()  # nor do pieces of a round
        for piece in record[begin:end, 2]:
            base, at, stop = piece & 0xFF, piece >> 8 & 0xFF, piece >> 16
            point = np.zeros(3) if base == 0xFF else before[base]
            for place in range(at, stop):
                chord[place] = point = point + before[place]
        begin = end


@settings(max_examples=20)
@given(plants(), st.integers(4, 128))
def test_the_pieces_of_any_plant_add_up_to_its_points(plant: Plant, size: int) -> None:
    chunks = PathChunks.of(plant, size)
    assert sorted(chunks.node[chunks.node >= 0]) == list(range(plant.nodes))
    np.testing.assert_allclose(walked(chunks), plant.position, atol=1e-9)


@pytest.mark.parametrize("plant", [chain(2), chain(300), two_trees(), grow("oak", seed=1, detail=0.2)])
@pytest.mark.parametrize("size", [8, 128])
def test_chains_groves_and_trees_add_up(plant: Plant, size: int) -> None:
    np.testing.assert_allclose(walked(PathChunks.of(plant, size)), plant.position, atol=1e-9)


def test_a_tree_needs_few_generations_and_rounds_and_leaves_few_places_free() -> None:
    plant = grow("walnut", seed=1, detail=0.5)
    chunks = PathChunks.of(plant, 128)
    assert plant.nodes > 1000
    assert len(chunks.generations) <= 3
    assert chunks.records[:, 0, 3].max() <= 6
    assert plant.nodes > 0.8 * chunks.node.size
