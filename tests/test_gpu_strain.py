"""Strain on the device against the reference, and stands that go on under other settings."""

from dataclasses import replace

import numpy as np
import pytest

from tests.stands import DT, modes_of, places, reference, winds
from windflower.core.arrays import FloatArray
from windflower.core.buffers import read_floats
from windflower.core.device import Gpu
from windflower.errors import MotionError
from windflower.motion import ModalMotion, Places, Touch
from windflower.motion.modal.modal_kernels import GpuModal
from windflower.plant.detail import kept_nodes


def strain_of(twin: GpuModal, level: int = 0) -> FloatArray:
    """(slots, nodes) the w of the points of a pose, read back."""
    parts = [read_floats(twin.gpu, points, 0, None).reshape(-1, 4)[:, 3] for points, _ in twin.pose(level, strain=True)]
    return np.concatenate(parts).reshape(len(twin.places), -1).astype(np.float64)


def test_strain_on_the_device_is_that_of_the_reference(gpu: Gpu) -> None:
    motion, where = ModalMotion(modes_of("walnut", 2)), places(40)
    air = winds(60, 40, 2)
    node = kept_nodes(motion.plant, motion.plant.nodes // 3)
    twin = GpuModal(gpu, motion, where, dt=DT, levels=[np.arange(motion.plant.nodes), node])
    twin.step_under(air)
    wanted = motion.strain(reference(motion, where, air)).fibre
    assert wanted.max() > 1e-4
    np.testing.assert_allclose(strain_of(twin), wanted, atol=2e-5 * wanted.max())
    np.testing.assert_allclose(strain_of(twin, 1), wanted[:, node], atol=2e-5 * wanted.max())


def test_strain_of_a_held_plant_has_the_hand_in_it(gpu: Gpu) -> None:
    motion, where = ModalMotion(modes_of("walnut")), places(3)
    tip = int(np.argmax(motion.plant.position[:, 1]))
    twin = GpuModal(gpu, motion, where, dt=DT)
    twin.step_under(np.zeros((30, 3, 1, 3)), touch=Touch(instance=1, node=tip, force=(3.0, 0, 0)))
    state = twin.read_state()
    np.testing.assert_allclose(strain_of(twin)[1], motion.strain(state).fibre[1], rtol=1e-4, atol=1e-9)
    without = motion.strain(replace(state, grips=type(state.grips)())).fibre[1]
    assert motion.strain(state).fibre[1].max() > 1.05 * without.max()


def test_a_retuned_stand_goes_on_from_where_it_is(gpu: Gpu) -> None:
    modes, where = modes_of("walnut"), places(5)
    motion = ModalMotion(modes)
    firm = Places(where.position, yaw=where.yaw, scale=where.scale, stiffness=2 * where.stiffness)
    damped = ModalMotion(replace(modes, damping=3 * modes.damping), speed=12.0)
    twin = GpuModal(gpu, motion, where, dt=DT)
    air = winds(90, 5, 1)
    twin.step_under(air[:50])
    before = twin.read_state()
    twin.retune(damped, firm, DT / 4)
    after = twin.read_state()
    np.testing.assert_array_equal(before.amount, after.amount)
    twin.step_under(air[50:])
    state = replace(before, places=firm)
    for now in air[50:]:
        state = damped.step(state, now, DT / 4)
    np.testing.assert_allclose(twin.read_state().amount, state.amount, atol=1e-4 * np.abs(state.amount).max())
    assert twin.time == pytest.approx(50 * DT + 40 * DT / 4)


def test_a_retuned_stand_keeps_the_hand_that_holds_it(gpu: Gpu) -> None:
    motion, where = ModalMotion(modes_of("walnut")), places(4)
    tip = int(np.argmax(motion.plant.position[:, 1]))
    twin = GpuModal(gpu, motion, where, dt=DT)
    twin.step_under(np.zeros((20, 4, 1, 3)), touch=Touch(instance=2, node=tip, force=(2.0, 0, 0)))
    pull = twin.read_state().grips.pull
    firm = Places(where.position, yaw=where.yaw, scale=where.scale, stiffness=2 * where.stiffness)
    twin.retune(motion, firm, DT)
    np.testing.assert_array_equal(twin.read_state().grips.pull, pull)
    twin.step_under(np.zeros((1, 4, 1, 3)), touch=Touch(instance=2, node=tip, force=(2.0, 0, 0)))


def test_a_stand_is_not_retuned_to_other_modes_or_counts(gpu: Gpu) -> None:
    motion = ModalMotion(modes_of("walnut"))
    twin = GpuModal(gpu, motion, places(2), dt=DT)
    with pytest.raises(MotionError, match="as many places"):
        twin.retune(motion, places(3), DT)
    with pytest.raises(MotionError, match="the same modes"):
        twin.retune(ModalMotion(motion.modes.truncated(4)), places(2), DT)
