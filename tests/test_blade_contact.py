"""Blades are grown apart and kept apart, and a steady wind leaves them at rest; by triangles of the tests' own."""

import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from tests.blade_crossings import crossing_pairs
from windflower import grow
from windflower.core.arrays import FloatArray
from windflower.core.device import Gpu
from windflower.core.shaders import shader_text
from windflower.motion import BroadleafConstants, BroadleafMotion, BroadleafState, Places
from windflower.motion.broadleaf import contact
from windflower.motion.broadleaf.broadleaf_kernels import GpuBroadleaf
from windflower.motion.broadleaf.overlap import Heights, heights

NAMES = ("hosta", "banana", "violet", "hollyhock")
DT = 1 / 30


@cache
def motion_of(name: str, *, touching: bool = True, flutter: float = 0.0) -> BroadleafMotion:
    return BroadleafMotion(grow(name), constants=BroadleafConstants(contact=touching, flutter=flutter))


def rising(motion: BroadleafMotion, speed: float, steps: int) -> FloatArray:
    """(steps, 1, nodes, 3) a wind that rises within a second and stays, along x."""
    strength = speed * np.minimum(np.arange(1, steps + 1) * DT, 1)
    return np.broadcast_to(strength[:, None, None, None] * [1.0, 0, 0], (steps, 1, motion.plant.nodes, 3))


def blown(motion: BroadleafMotion, speed: float, seconds: float) -> BroadleafState:
    state = motion.rest()
    for air in rising(motion, speed, round(seconds / DT)):
        state = motion.step(state, air, DT)
    return state


def crossings(name: str, speed: float, *, touching: bool, seconds: float = 2.0) -> int:
    return len(crossing_pairs(blown(motion_of(name, touching=touching), speed, seconds).point[0]))


def sheet(height: float, tilt: float = 0.0) -> FloatArray:
    """(5, 5, 3) a level square of a metre, tilted about x."""
    x, z = np.meshgrid(np.linspace(0, 1, 5), np.linspace(-0.5, 0.5, 5), indexing="ij")
    return np.stack([x, height + np.sin(tilt) * z, np.cos(tilt) * z], axis=-1)


def test_the_count_finds_sheets_that_cross_and_no_others() -> None:
    level, above, steep = sheet(0.02), sheet(0.03), sheet(0.0, 1.0)
    assert crossing_pairs(np.stack([level, above])) == set()
    assert crossing_pairs(np.stack([level, above, steep])) == {(0, 2), (1, 2)}
    assert crossing_pairs(np.stack([level, steep + np.array([0, 2.0, 0])])) == set()


@pytest.mark.parametrize("name", NAMES)
def test_no_blades_cross_at_rest(name: str) -> None:
    assert crossing_pairs(motion_of(name).blades.point) == set()


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(2, 7))
def test_no_blades_of_other_plants_cross_at_rest(name: str, seed: int) -> None:
    assert crossing_pairs(BroadleafMotion(grow(name, seed=seed)).blades.point) == set()


def test_contact_keeps_the_blades_of_a_hosta_apart_in_a_gale() -> None:
    without = crossings("hosta", 12.0, touching=False, seconds=1.5)
    assert without > 15
    assert crossings("hosta", 12.0, touching=True, seconds=1.5) <= max(2, without // 10)


CROSSED = [(name, speed) for speed in (8.0, 12.0) for name in NAMES]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "speed"), CROSSED)
def test_contact_leaves_a_tenth_of_the_crossings_at_most(name: str, speed: float) -> None:
    without = crossings(name, speed, touching=False, seconds=4.0)
    assert crossings(name, speed, touching=True, seconds=4.0) <= max(2, without // 10)


def test_blades_that_grew_around_a_rim_are_let_be_until_they_have_parted() -> None:
    motion = motion_of("banana")
    contacts, state = motion.body.contacts, motion.rest()
    assert contacts is not None
    grown = np.abs(state.side) == contact.GROWN
    assert grown.any()
    calm = motion.step(state, np.zeros((1, motion.plant.nodes, 3)), DT)
    assert np.abs(calm.point - state.point).max() < 1e-6
    assert (calm.side == state.side).all()
    parted = motion.step(replace(state, side=np.where(grown, 0.0, state.side)), rising(motion, 1.0, 30)[-1], DT)
    assert (np.abs(parted.side[grown]) == 1).all(), "and then are kept apart like all others"
    assert (contacts.gap > 0).all()


def test_blades_that_grew_around_a_rim_have_parted_once_they_lie_on_one_side() -> None:
    motion = motion_of("banana")
    state = motion.rest()
    apart = np.abs(state.side) == 1
    let_be = replace(state, side=np.where(apart, contact.GROWN * state.side, state.side))
    later = motion.step(let_be, rising(motion, 1.0, 30)[0], DT)
    assert (later.side[apart] == state.side[apart]).all()
    assert (later.side[~apart] == state.side[~apart]).all()


def alone_over(motion: BroadleafMotion, places: FloatArray) -> FloatArray:
    """(places, 3) force of contact on one point of a blade at each of these places near blade 0, all others far off."""
    body, moving = motion.body, motion._moving(motion.rest())
    assert body.contacts is not None
    side = np.zeros(moving.side.shape)
    side[0, 1, 0] = 1.0
    load, h = np.ones((1, len(motion.blades))), np.full((1, 1, 1, 1), 1 / 60)
    forces = []
    for place in places:
        point = moving.point + 100.0 * np.arange(len(motion.blades))[:, None, None]
        point[:, 0, 1, 0, 0] = place
        still = np.zeros(point.shape)
        pressed, _ = body.contacts.pressed(point, still, moving.node, moving.rows, moving.lift, side, load, h)
        forces.append(pressed.force[:, 0, 1, 0, 0])
    return np.stack(forces)


@pytest.mark.parametrize("where", ["rim", "apex"])
def test_no_way_around_the_rim_of_a_blade_gains_work_from_contact(where: str) -> None:
    """Through the blade and back around its rim: contact is the slope of an energy there."""
    motion = motion_of("banana")
    blades, along = motion.blades, motion.blades.along
    width = float(blades.half_width[0].max())
    row, column = (along // 2, -1) if where == "rim" else (along - 1, blades.middle)
    across, onward, up = blades.frame[0, row].T
    out = across if where == "rim" else onward
    angle = np.linspace(0, 2 * np.pi, 241)[:, None]
    way = blades.point[0, row, column] + width * (0.12 * np.cos(angle) * out + 0.1 * np.sin(angle) * up)
    force = alone_over(motion, (way[1:] + way[:-1]) / 2)
    work = np.einsum("pc,pc->p", force, np.diff(way, axis=0))
    assert np.abs(work).sum() > 1e-3
    assert abs(work.sum()) < 0.01 * np.abs(work).sum()


def test_heights_over_blades_have_the_slopes_of_their_differences() -> None:
    """Of how high a point lies over another blade, and of how much of it is felt beyond the rim."""
    motion, size = motion_of("hosta"), 1e-6
    moving, width = motion._moving(blown(motion, 8.0, 0.5)), motion.blades.half_width.max(axis=1)

    def seen(shift: FloatArray) -> Heights:
        """With one blade's points moved; its own rows stay, so that the others' heights over it do."""
        point = moving.point.copy()
        point[:, 0, 3] += shift[:, None, None]
        return heights(point, moving.velocity, moving.rows, moving.lift, width)

    here = seen(np.zeros(3))
    mine = here.point // motion.blades.point[0, ..., 0].size == 3
    assert (here.share[mine] < 1).any()
    for axis, step in enumerate(size * np.eye(3)):
        more, less = seen(step), seen(-step)
        rise, fall = ((getattr(more, name) - getattr(less, name)) / (2 * size) for name in ("height", "share"))
        assert rise[mine] == pytest.approx(here.uphill[axis][mine], abs=1e-5)
        assert -fall[mine] == pytest.approx(here.fading[axis][mine], abs=1e-5 / width.min())


def test_kernels_have_the_numbers_of_the_reference() -> None:
    for name in ("blade_over", "blade_sides", "blade_contacts"):
        for constant, value in re.findall(r"const (\w+) = ([\d.]+);", shader_text(f"motion/broadleaf/{name}.wgsl")):
            assert float(value) == getattr(contact, constant), constant


def on_device(gpu: Gpu, motion: BroadleafMotion, speed: float, seconds: float) -> BroadleafState:
    twin = GpuBroadleaf(gpu, motion, Places(), dt=DT)
    for air in rising(motion, speed, round(seconds / DT)):
        twin.step_under(air)
    return twin.read_state()


def test_the_device_feels_the_same_contact(gpu: Gpu) -> None:
    """While blades of a hosta are driven together; sides are the same, and points where contact has pushed them."""
    motion = motion_of("hosta")
    found, state = on_device(gpu, motion, 12.0, 0.5), blown(motion, 12.0, 0.5)
    free = blown(motion_of("hosta", touching=False), 12.0, 0.5)
    assert np.abs(free.point - state.point).max() > 0.01, "contact matters by now"
    assert (found.side != state.side).mean() < 0.01
    assert np.abs(found.point - state.point).mean() < 2e-4


@pytest.mark.slow
@pytest.mark.parametrize(("name", "speed"), CROSSED)
def test_contact_leaves_a_tenth_of_the_crossings_on_the_device(gpu: Gpu, name: str, speed: float) -> None:
    without = crossings(name, speed, touching=False)
    assert len(crossing_pairs(on_device(gpu, motion_of(name), speed, 2.0).point[0])) <= max(2, without // 10)


def unrest(motion: BroadleafMotion, speed: float, seconds: float) -> float:
    """Root mean square by which points still move about their means half a second long, m."""
    state, places = blown(motion, speed, seconds), []
    for air in rising(motion, speed, 45)[30:]:
        state = motion.step(state, air, DT)
        places.append(state.point)
    return float(np.sqrt(np.square(np.stack(places) - np.mean(places, axis=0)).sum(axis=-1).mean()))


@pytest.mark.parametrize("speed", [4.0, 12.0])
def test_a_steady_wind_leaves_a_violet_at_rest(speed: float) -> None:
    assert unrest(motion_of("violet"), speed, 4.0) < 5e-5


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("speed", [2.0, 4.0, 8.0, 12.0])
def test_a_steady_wind_leaves_every_plant_at_rest(name: str, speed: float) -> None:
    assert unrest(motion_of(name), speed, 30.0) < 5e-5


def rims(motion: BroadleafMotion, speed: float) -> float:
    """Root mean square by which rims move in a steady wind about where they are on average, over the half width."""
    state, places = blown(motion, speed, 4.0), []
    for air in rising(motion, speed, 60)[30:]:
        state = motion.step(state, air, DT)
        places.append(state.point[0][:, :, [0, -1]])
    moved = np.square(np.stack(places) - np.mean(places, axis=0)).sum(axis=-1).mean(axis=0)
    return float(np.sqrt((moved / motion.blades.half_width.max(axis=1)[:, None, None] ** 2).mean()))


def test_rims_of_a_violet_flutter_by_as_much_as_one_sees() -> None:
    assert 0.1 < rims(motion_of("violet", flutter=1.0), 8.0) < 0.25


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_rims_flutter_by_as_much_as_one_sees(name: str) -> None:
    assert 0.1 < rims(motion_of(name, flutter=1.0), 8.0) < 0.25


def test_weight_shapes_the_rest_only_where_a_plant_asks_for_it() -> None:
    """Five times the mass: the modelled shape is the loaded one, or leaves sink and rest there."""
    plant = grow("violet")

    def rest_of(**changes: object) -> FloatArray:
        return BroadleafMotion(plant, constants=BroadleafConstants(**changes)).rest().point  # type: ignore[arg-type]

    assert np.abs(rest_of(mass=5.0) - rest_of()).max() == 0
    sunk, deeper, stiffer = rest_of(weight="sag"), rest_of(weight="sag", mass=5.0), rest_of(weight="sag", rigidity=5.0)
    low = [float(points[..., 1].mean()) for points in (rest_of(), stiffer, sunk, deeper)]
    assert low[0] > low[2] > low[3] + 1e-4
    assert low[0] > low[1] > low[2], "stiffer stalks sink less"


def test_a_plant_that_sinks_rests_where_it_has_sunk() -> None:
    motion = BroadleafMotion(grow("violet"), constants=BroadleafConstants(weight="sag", flutter=0.0))
    rest = state = motion.rest()
    for _ in range(60):
        state = motion.step(state, np.zeros((1, motion.plant.nodes, 3)), DT)
    assert np.abs(state.point - rest.point).max() < 2e-4
