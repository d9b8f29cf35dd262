"""Hands on plants of a stand that moves on the device."""

import numpy as np
import pytest

from tests.stands import DT, assert_twins, modes_of, places, winds
from windflower.core.device import Gpu
from windflower.errors import MotionError
from windflower.motion import ModalMotion, Touch
from windflower.motion.modal.device_hand import HAND
from windflower.motion.modal.modal_kernels import GpuModal
from windflower.motion.poses.pose import turns
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


def test_a_hand_on_the_device_alone_leads_a_node_as_the_reference_does(gpu: Gpu) -> None:
    """As pages do it: the path to the node and its residual are written once, and kernels do the rest."""
    motion, where, instance = ModalMotion(modes_of("oak")), places(3), 1
    modes, plant, node = motion.modes, motion.plant, motion.plant.nodes - 2
    wind, step = Wind.beaufort(4), 0
    twin = GpuModal(gpu, motion, where, dt=DT, wind=wind)
    hand = twin.make_room(0, 1)
    assert hand is not None
    twin.pose()
    level, path = twin.level(0), plant.path(node)
    chunks, *_ = level.shapes.by_chunk(128)
    place = np.argsort(chunks.node.ravel())[-plant.nodes :]  # of each node; free places have -1
    residual = modes.compliance(node, residual=True)[0]
    touch = Touch(instance=instance, node=node, target=where.to_world(plant.position)[instance, node] + [0.2, 0.1, 0])
    compliance = np.trace(modes.compliance(node)[0][:, node, :3]) / 3
    turn, scale = where.turn[instance], where.scale[instance]
    record = np.zeros((), HAND)
    record["target_point"] = (touch.target[0] - where.position[instance]) @ turn / scale  # type: ignore[index]
    record["spring"], record["late"] = 9.0 * where.stiffness[instance] / compliance, touch.lateness(twin.dt)[0]
    record["root"], record["residual"][:, :3] = plant.position[path[-1]], residual[:, node, :3]
    for name, value in (("instance", instance), ("modes", len(modes)), ("amounts", len(motion.shapes))):
        record[name] = value
    record["shapes"], record["places"], record["path"] = level.shapes.fours, chunks.node.size, len(path)
    lead = np.zeros((len(motion.shapes) + len(path), 4), "<f4")
    lead[: len(motion.shapes), :3] = motion.shapes[:, node, :3]
    lead[len(motion.shapes) :, :3], lead[len(motion.shapes) :, 3] = plant.vector[path], place[path]
    rows = np.zeros((3, chunks.node.size, 4), "<f4")
    rows[:, place, :3] = turns(plant, residual).transpose(2, 1, 0)
    gpu.queue.write_buffer(hand.lead, 0, lead)
    gpu.queue.write_buffer(hand.shapes, 16 * 3 * chunks.node.size * level.shapes.fours // 4, rows)
    state, probes = motion.rest(where), motion.probes(where)
    for begins, held, steps in ((1, None, 1), (0, touch, 40), (0, None, 20)):
        record["begins"], record["spring"] = begins, record["spring"] if held or begins else 0.0
        gpu.queue.write_buffer(hand.settings, 0, record)
        for _ in range(steps):
            twin.step(1)
            step += 1
            state = motion.step(state, wind.velocity(probes, step * DT), DT, touch=held)
        twin.pose()
        assert_twins(twin.read_points(), motion.pose(state), plant)
