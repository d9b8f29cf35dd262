"""Stands that take their steps together, against the same stands one after the other."""

import numpy as np

from windflower.core.device import Gpu
from windflower.motion.hybrid.pushing import Capsule
from windflower.motion.touch import Touch
from windflower import build_scene, parse_scene
from windflower.scene import Scene
from windflower.simulation import DeviceSimulation

DT = 1 / 30

BLOCKS = """
[[stands]]
plant = "hazel-bush"
count = 5
detail = 0.06
area = { kind = "rectangle", centre = [0, 0], size = [14, 14] }
motion = "hybrid"

[[stands]]
plant = "oak"
count = 3
detail = 0.02
area = { kind = "rectangle", centre = [12, 0], size = [14, 14] }
motion = { kind = "hybrid", eddies = 0.1 }

[[stands]]
plant = "silver-birch"
count = 2
detail = 0.02
area = { kind = "rectangle", centre = [0, 12], size = [8, 8] }
motion = { kind = "hybrid", timing = "printed" }

[wind]
speed = 3.0

[[wind.sources]]
kind = "disk"
path = [[0, 0, 0], [2, 10, 2]]
radius = 12
strength = [6, 0, 2]
frequency = 1.1
"""


def scene(text: str) -> Scene:
    return build_scene(parse_scene(text))


def one_by_one(simulation: DeviceSimulation, times: list[float], touch: Touch | None) -> None:
    for number, stand in enumerate(simulation.stands):
        stand.advance(simulation.wind, np.array(times), touch if number == 0 else None)


def test_blocks_of_trees_move_together_as_they_do_one_by_one(gpu: Gpu) -> None:
    made = scene(BLOCKS)
    together, alone = (DeviceSimulation(made, gpu, step=DT) for _ in range(2))
    foot = together.stands[1].stand.places.position[0]
    figure = Capsule(foot + (0.3, 0.1, 0.0), foot + (0.3, 1.6, 0.0))
    touch = Touch(instance=1, node=4, target=together.stands[0].stand.places.position[1] + (0.4, 1.0, 0.2))
    for number in range(1, 16):
        hand = touch if 5 <= number < 10 else None
        together.advance(number * DT, {0: hand} if hand else {}, figure)
        for stand in alone.stands:
            stand.twin.walk_through(figure)
        one_by_one(alone, [number * DT], hand)
    assert len(together.stands[1].twin.state.physical), "the figure touches nothing"
    for one, other in zip(together.stands, alone.stands, strict=True):
        for name in ("pull", "felt", "rate", "push", "aside"):
            mine, theirs = getattr(one.twin.state, name), getattr(other.twin.state, name)
            np.testing.assert_allclose(mine, theirs, rtol=1e-12, atol=1e-12, err_msg=name)
        np.testing.assert_allclose(one.air, other.air, rtol=1e-6, atol=1e-7)
        last = np.array([len(one.stand) - 1])
        np.testing.assert_allclose(one.points(last), other.points(last), atol=1e-9)
