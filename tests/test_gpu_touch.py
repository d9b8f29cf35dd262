"""Hands on plants of a stand that moves on the device."""

import numpy as np
import pytest

from tests.stands import DT, assert_twins, modes_of, places, winds
from windflower.core.device import Gpu
from windflower.errors import MotionError
from windflower.motion import ModalMotion, Touch
from windflower.motion.modal.modal_kernels import GpuModal
from windflower.plant.detail import kept_nodes
from windflower.wind import Wind


@pytest.mark.parametrize("pose", ["rotated", "linear"])
def test_hands_that_push_and_lead_and_let_go(gpu: Gpu, pose: str) -> None:
    """A push, then a second plant led by a hand as well, then both let go; one and several blocks."""
    motion, where = ModalMotion(modes_of("oak", 2), pose=pose), places(70)
    tip = motion.plant.nodes - 1
    push = Touch(instance=66, node=tip, force=[30.0, 5.0, -10.0])
    target = where.to_world(motion.plant.position[[tip, 5]])[[66, 3], [0, 1]] + [0.3, -0.2, 0.1]
    lead = Touch(instance=[66, 3], node=[tip, 5], target=target)
    air = winds(60, 70, 2)
    twins = [GpuModal(gpu, motion, where, dt=DT, most=most) for most in (None, 30_000)]
    state = motion.rest(where)
    for hands, begin in ((None, 0), (push, 10), (lead, 20), (None, 40)):
        part = air[begin : {0: 10, 10: 20, 20: 40, 40: 60}[begin]]
        for twin in twins:
            twin.step_under(part, touch=hands)
        for wind in part:
            state = motion.step(state, wind, DT, touch=hands)
        for twin in twins:
            order = np.concatenate([sheet.instances for sheet in twin.pose()])
            assert_twins(twin.read_points(), motion.pose(state)[order], motion.plant)
            grips = twin.read_state().grips
            assert sorted(grips.instance) == sorted(state.grips.instance)
            assert np.allclose(np.sort(grips.pull, axis=0), np.sort(state.grips.pull, axis=0), rtol=1e-3, atol=1e-3)


def test_a_plant_is_given_back_when_the_hands_pull_has_faded(gpu: Gpu) -> None:
    motion, where = ModalMotion(modes_of("spruce")), places(4)
    wind = Wind.beaufort(5)
    twin = GpuModal(gpu, motion, where, dt=DT, wind=wind)
    hand = Touch(instance=2, node=motion.plant.nodes - 1, force=[5.0, 0.0, 0.0])
    twin.step(30, touch=hand)
    state = twin.read_state()
    assert state.grips.instance.tolist() == [2]
    with pytest.raises(MotionError, match="hands hold"):
        twin.play(1)
    for _ in range(60):
        twin.step(10)
    assert len(twin.read_state().grips) == 0
    twin.play(0)
    probes = motion.probes(where)
    for step in range(30, 630):
        state = motion.step(state, wind.velocity(probes, (step + 1) * DT), DT)
    twin.pose()
    assert_twins(twin.read_points(), motion.pose(state), motion.plant)


def test_a_held_plant_is_posed_at_every_level(gpu: Gpu) -> None:
    motion, where = ModalMotion(modes_of("oak")), places(12)
    node = kept_nodes(motion.plant, 30)
    twin = GpuModal(gpu, motion, where, dt=DT, levels=[node])
    hand = Touch(instance=7, node=motion.plant.nodes - 1, force=[0.0, 0.0, 80.0])
    twin.step_under(np.zeros((20, 12, 1, 3)), touch=hand)
    (posed,) = twin.pose(0, np.array([1, 7, 9]))
    moved = np.abs(twin.read_points() - motion.plant.position[node]).max(axis=(1, 2))
    assert posed.instances.tolist() == [1, 7, 9]
    assert moved[1] > 0.01
    assert (moved[[0, 2]] < 1e-5).all()


def test_a_held_state_can_be_written(gpu: Gpu) -> None:
    motion, where = ModalMotion(modes_of("oak")), places(6)
    hand = Touch(instance=4, node=motion.plant.nodes - 1, force=[0.0, 9.0, 0.0])
    state = motion.step(motion.rest(where), np.zeros((6, 1, 3)), DT, touch=hand)
    twin = GpuModal(gpu, motion, where, dt=DT)
    twin.write_state(state)
    again = twin.read_state()
    assert again.grips.instance.tolist() == [4]
    assert np.allclose(again.grips.pull, state.grips.pull)
    twin.step_under(np.zeros((5, 6, 1, 3)), touch=hand)
    for _ in range(5):
        state = motion.step(state, np.zeros((6, 1, 3)), DT, touch=hand)
    twin.pose()
    assert np.abs(twin.read_points() - motion.pose(state)).max() < 1e-5


def test_hands_on_what_is_not_there_are_refused(gpu: Gpu) -> None:
    twin = GpuModal(gpu, ModalMotion(modes_of("oak")), places(3))
    with pytest.raises(MotionError, match="one of the 3 instances"):
        twin.step_under(winds(1, 3, 1), touch=Touch(instance=3, node=1))
