"""Far plants that are drawn as cards, listed on the device, against the reference in NumPy."""

import numpy as np
import pytest

from windflower import Places, grow
from windflower.core.arrays import FloatArray
from windflower.core.buffers import Recorder
from windflower.core.device import Gpu
from windflower.geometry.cards import cards_in_view, distance_steps
from windflower.geometry.culling import Culling
from windflower.geometry.lod_meshes import plant_meshes
from windflower.render.card_culling import CardCulling, CardList, Cards
from windflower.scene.camera import look_at, perspective

REACH, SCALE = 30.0, 700.0
EYES = ((0.0, 2.0, 0.0), (300.0, 120.0, -250.0), (0.0, 900.0, 1.0))


def stand_of(count: int, seed: int) -> Culling:
    rng, plant = np.random.default_rng(seed), grow("hazel-bush", detail=0.05)
    places = Places(rng.uniform(-600, 600, (count, 3)) * (1.0, 0.02, 1.0), scale=rng.uniform(0.5, 3.0, count))
    return Culling([(plant, places)], plant_meshes(plant))


def read(gpu: Gpu, found: CardList) -> list[int]:
    """The slots of a list."""
    buffer, offset = found.arguments
    vertices, count, *rest = np.frombuffer(gpu.queue.read_buffer(buffer, offset, 16), "<u4").tolist()
    assert (vertices, rest) == (6, [0, 0])
    bound = found.list
    listed = np.frombuffer(gpu.queue.read_buffer(bound["buffer"], bound["offset"], bound["size"]), "<f4")
    return [int(number) for number in listed[:count]]


def sight(eye: FloatArray) -> FloatArray:
    return perspective(45.0, 16 / 9) @ look_at(eye, np.array([10.0, 0.0, 5.0]))


def listed(gpu: Gpu, culling: CardCulling, eye: FloatArray, blocks: int) -> list[list[int]]:
    recorder = Recorder(gpu)
    culling.record(recorder, eye, sight(eye), REACH, chosen=eye, scale=SCALE)
    gpu.queue.submit([recorder.finish()])
    return [read(gpu, culling.of(number)) for number in range(blocks)]


@pytest.mark.parametrize("eye", EYES)
def test_cards_are_listed_on_the_device_as_in_the_reference(gpu: Gpu, eye: tuple[float, float, float]) -> None:
    at, first, second = np.array(eye), stand_of(2000, 1), stand_of(3, 2)
    gone = np.zeros(2000, bool)
    gone[::17] = True
    parts = [(first, np.arange(1200)), (first, np.arange(1200, 2000)), (second, np.arange(3))]
    blocks = [Cards(one, some, ~gone[some] if one is first else np.ones(3, bool)) for one, some in parts]
    culling = CardCulling(gpu, blocks)
    found = listed(gpu, culling, at, 3)
    assert listed(gpu, culling, at, 3) == found, "the order depends on chance"
    for (one, some), block, mine in zip(parts, blocks, found, strict=True):
        ball = np.column_stack([one.centre, one.radius])[some]
        expected = cards_in_view(ball, one.height[some], at, sight(at), REACH, at, SCALE)
        expected = expected[block.left[expected]]
        assert len(set(mine) ^ set(expected.tolist())) <= 1, "one may lie at a border, in single precision"
        steps = distance_steps(ball[np.array(mine, int), :3], at)
        assert (np.diff(steps) >= -1).all()
        order = np.lexsort((np.array(mine, int), steps))
        assert (order == np.arange(len(mine))).sum() >= 0.98 * len(mine), "by distance, and by number in one step"
    assert sum(map(len, found)) > 100


def test_what_is_large_or_out_of_view_is_no_card() -> None:
    eye = np.array([0.0, 2.0, 0.0])
    ball = np.array([[0.0, 3.0, 400.0, 5.0], [4.0, 3.0, 8.0, 5.0], [-900.0, 3.0, -900.0, 5.0]])
    looking = perspective(45.0, 16 / 9) @ look_at(eye, np.array([0.0, 2.0, 10.0]))
    assert cards_in_view(ball, np.full(3, 9.0), eye, looking, REACH, eye, SCALE).tolist() == [0]
