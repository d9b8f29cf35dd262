"""The kernel of hybrid motion against the NumPy reference."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.hybrids import blown, calm, grove, small_tree
from tests.plants import plants
from tests.stands import places, winds
from windflower import Plant
from windflower.core.device import Gpu
from windflower.motion import HybridMotion, Places, Touch
from windflower.motion.hybrid.hybrid_kernels import GpuHybrid

DT = 1 / 30


def tip_of(plant: Plant, tree: int) -> int:
    return int(plant.tips[plant.tree[plant.tips] == tree][3])


def away(points: Any, wanted: Any) -> float:
    return float(np.abs(points - wanted).max())


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"fading": "linear", "limit": None, "catch": "same"},
        {"probe": "branch", "limit": 0.2},
        {"torque": "printed", "nesting": "felt"},
    ],
)
def test_a_forest_moves_as_the_reference_does_through_fades_and_hands(gpu: Gpu, options: dict[str, Any]) -> None:
    motion, where = HybridMotion(grove(), **options), Places()
    twin, rng = GpuHybrid(gpu, motion, where), np.random.default_rng(2)
    state, node = motion.rest(where, levels=0), tip_of(motion.plant, 2)
    farthest = 0.0
    for step in range(60):
        if step % 13 == 0:
            state = motion.with_levels(state, rng.integers(0, 4, (1, 5)))
        hand = Touch(node=node, target=motion.plant.position[node] + [0.3, -0.2, 0.4]) if 10 < step < 25 else None
        state = blown(motion, state, step * DT, DT, hand)
        twin.pose(state)
        if step % 4 == 0:
            wanted = motion.pose(state)
            farthest = max(farthest, away(wanted, motion.plant.position))
            assert away(twin.read_points(), wanted) < 1e-4
            assert (twin.read_kinds() == motion.kinds(state)).all()
    assert farthest > 0.05, "they move"


def test_instances_of_a_block_stand_and_give_way_each_in_its_own_manner(gpu: Gpu) -> None:
    motion, where = HybridMotion(grove(3)), places(4)
    twin = GpuHybrid(gpu, motion, where)
    state = motion.rest(where, levels=np.arange(12).reshape(4, 3) % 4)
    touch = Touch(instance=2, node=tip_of(motion.plant, 1), force=(20.0, 0, 5))
    for air in winds(9, 4, len(motion.response.place)):
        state = motion.step(state, air, DT, touch=touch)
    twin.pose(state)
    assert away(twin.read_points(), motion.pose(state)) < 1e-4


def test_only_trees_that_move_are_posed_and_each_comes_back_to_rest(gpu: Gpu) -> None:
    motion = HybridMotion(grove())
    twin, levels = GpuHybrid(gpu, motion, Places()), np.array([[0, 2, 0, 0, 1]])
    state = blown(motion, motion.rest(levels=levels), 1.0, DT)
    assert twin.pose(state) == 2
    assert away(twin.read_points(), motion.pose(state)) < 1e-4
    state = motion.step(motion.with_levels(state, 0), calm(motion, state), 5.0)
    assert twin.pose(state) == 2, "once more, to bring them to rest"
    assert away(twin.read_points(), motion.plant.position) < 1e-5
    assert twin.pose(state) == 0


def test_what_hands_did_is_gone_when_its_memory_is_freed(gpu: Gpu) -> None:
    motion = HybridMotion(small_tree())
    twin, state = GpuHybrid(gpu, motion, Places()), motion.rest(levels=0)
    for step in range(140):
        hand = Touch(node=tip_of(motion.plant, 0), force=(30.0, 0, 0)) if step < 20 else None
        state = motion.step(state, calm(motion, state), DT, touch=hand)
        twin.pose(state)
        if step == 19:
            assert away(twin.read_points(), motion.plant.position) > 0.05
    assert not len(state.physical)
    assert away(twin.read_points(), motion.plant.position) < 1e-5


@settings(max_examples=10)
@given(plant=plants(), seed=st.integers(0, 99))
def test_any_plant_moves_like_its_reference(gpu: Gpu, plant: Plant, seed: int) -> None:
    motion, where = HybridMotion(plant), places(2, seed)
    twin, state = GpuHybrid(gpu, motion, where), motion.rest(where)
    for air in winds(3, 2, len(motion.response.place), seed):
        state = motion.step(state, air, DT)
    twin.pose(state)
    wanted = motion.pose(state)
    size = float(np.abs(plant.position).max())
    assert away(twin.read_points(), wanted) < 2e-5 * (1 + size)
