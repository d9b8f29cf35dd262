"""Structural damping and what air adds to it, each by itself, in the analysis and in motion."""

import numpy as np
import pytest

from tests.stands import DT
from windflower import grow
from windflower.core.arrays import FloatArray
from windflower.core.device import Gpu
from windflower.mechanics import Modes, Wood, analyse
from windflower.motion import ModalMotion, Places
from windflower.motion.modal.modal_kernels import GpuModal

STIFFNESS = 1.3


def aspen(**options: object) -> Modes:
    return analyse(grow("quaking-aspen", detail=0.05), cache=False, **{"count": 6, **options})  # type: ignore[arg-type]


def energy(modes: Modes, q: FloatArray, rate: FloatArray) -> FloatArray:
    return (STIFFNESS * modes.omega**2 * q**2 + rate**2) / 2


@pytest.mark.parametrize("backend", ["numpy", "device"])
def test_a_mode_that_swings_freely_loses_energy_at_the_wood_s_ratio(gpu: Gpu, backend: str) -> None:
    modes = aspen(wood=Wood(E=6e9, density=700.0, damping=0.03))
    motion, places, steps = ModalMotion(modes), Places(stiffness=[STIFFNESS]), 240
    calm = np.zeros((steps, 1, 1, 3))
    start = motion.rest(places)
    start = type(start)(**{**vars(start), "q": np.full((1, 6), 0.1)})
    if backend == "device":
        twin = GpuModal(gpu, motion, places, dt=DT)
        twin.write_state(start)
        twin.step_under(calm)
        end = twin.read_state()
    else:
        end = start
        for air in calm:
            end = motion.step(end, air, DT)
    kept = energy(modes, end.q[0], end.rate[0]) / energy(modes, start.q[0], start.rate[0])
    omega = np.sqrt(STIFFNESS) * modes.omega
    cycles = steps * DT * omega * np.sqrt(1 - 0.03**2) / (2 * np.pi)
    found = -np.log(kept) / (2 * omega * steps * DT)
    assert (cycles[:3] > 3).all()
    np.testing.assert_allclose(found[:3], 0.03, rtol=0.04)  # the phase at the end adds up to ζ/2ωt


def test_air_adds_its_damping_beside_the_wood_s() -> None:
    modes = aspen()
    assert modes.air_damping(0.0) == pytest.approx(0)
    total = ModalMotion(modes, speed=8.0).damping / (2 * modes.omega)
    assert total == pytest.approx(modes.damping + modes.air_damping(8.0))
    assert modes.air_damping(8.0)[0] > modes.damping[0] == modes.wood.damping


def test_still_air_takes_the_energy_that_drag_on_the_swinging_crown_takes() -> None:
    modes, reach = aspen(), 0.3
    plant, omega, shape = modes.plant, modes.omega[0], modes.shape[0, :, :3]
    amplitude = reach / np.linalg.norm(shape, axis=1).max()
    foliage, leaves = modes.conditions.system(plant, modes.wood).foliage, plant.leaves
    share = np.linspace(0.005, 0.995, 100)[:, None, None]
    wood = np.linalg.norm(share * shape + (1 - share) * shape[plant.parent], axis=-1)
    radius = share[..., 0] * plant.radius + (1 - share[..., 0]) * plant.base_radius
    width = foliage.wood_drag * 2 * radius * plant.length * (plant.parent >= 0) / 100
    hung = leaves.place[:, None] * shape[leaves.node] + (1 - leaves.place[:, None]) * shape[plant.parent[leaves.node]]
    cubes = (width * wood**3).sum() + foliage.drag_area @ np.linalg.norm(hung, axis=1) ** 3
    speed = amplitude * omega * np.abs(np.cos(np.linspace(0, 2 * np.pi, 400, endpoint=False)))
    lost = 0.5 * 1.225 * cubes * (speed**3).mean() * 2 * np.pi / omega  # J in a cycle
    ratio = lost / (2 * np.pi * amplitude**2 * omega**2)  # the energy is ½ a² ω², and a cycle takes 4π ζ of it
    assert modes.still_air_damping(reach)[0] == pytest.approx(ratio, rel=0.01)
    assert modes.still_air_damping(2 * reach) == pytest.approx(2 * modes.still_air_damping(reach))
