"""Modes in the wind: against the whole plant, against itself scaled and turned, and by its energy."""

from contextlib import nullcontext
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import ArrayLike
from scipy.sparse.linalg import splu

from tests.plants import chain
from windflower import Plant, grow
from windflower.core.arrays import FloatArray
from windflower.errors import MotionError
from windflower.mechanics import Modes, Wood, analyse, wood_of
from windflower.mechanics.projection import wind_loads
from windflower.motion import ModalMotion, ModalState, Motion, Places
from windflower.motion.modal import posed_forces
from windflower.motion.modal.modal_motion import WORTH
from windflower.motion.poses.single_pose import without_numba
from windflower.wind import Steady, Wind

LOSSLESS = Wood(E=1e10, density=800.0, damping=0.0)


@cache
def small_tree(detail: float = 0.02) -> Plant:
    return grow("walnut", seed=1, detail=detail)


@cache
def small_modes(cells: int = 1, leaves: bool = True) -> Modes:
    return analyse(small_tree(), cells=cells, leaves=leaves, cache=False)


def gust(t: float) -> FloatArray:
    """A breeze that rises, one gust of two seconds, and a slow veer: m/s."""
    front = 4 + 3 * (1 - np.cos(np.pi * np.clip(t - 1, 0, 2)))
    return np.array([min(2 * t, 1) * front, 0.2, 0.3 * np.sin(2 * t)])


def blown(motion: ModalMotion, places: Places, seconds: float, dt: float = 1 / 60) -> ModalState:
    state = motion.rest(places)
    for step in range(1, round(seconds / dt) + 1):
        air = np.broadcast_to(gust(step * dt), (len(places), motion.modes.cells, 3))
        state = motion.step(state, air, dt)
    return state


def enlarged(plant: Plant, scale: float) -> Plant:
    return Plant(
        parent=plant.parent,
        position=plant.position * scale,
        radius=plant.radius * scale,
        base_radius=plant.base_radius * scale,
        order=plant.order,
    )


def moved_by(modes: Modes, wind: FloatArray) -> FloatArray:
    """The dynamic wind of a uniform wind on a crown in one cell."""
    speed = np.linalg.norm(wind)
    return np.asarray(modes.streamlined(speed) * speed * wind)


@pytest.mark.parametrize("leaves", [False, True])
def test_25_modes_follow_the_whole_plant_through_a_gust(leaves: bool) -> None:
    wood, dt = replace(wood_of("walnut"), damping_law="rayleigh"), 1 / 200  # whose C is a matrix of the whole plant
    modes, rayleigh = analyse(small_tree(), wood=wood, leaves=leaves, cache=False), wood.rayleigh
    plant, motion = modes.plant, ModalMotion(modes, pose="linear")
    assert plant.nodes <= 100
    system = modes.conditions.system(plant, modes.wood)
    K, M = system.stiffness.tocsc(), system.mass.tocsc()
    C = rayleigh.alpha * M + rayleigh.beta * K
    load = system.gather(wind_loads(system, modes.cell, 1).reshape(3, -1, 6))
    newmark = splu((M + dt / 2 * C + dt * dt / 4 * K).tocsc())  # average acceleration
    u, v, a = np.zeros((3, K.shape[0]))
    state, error, size = motion.rest(), 0.0, 0.0
    for t in np.arange(1, 1001) * dt:
        u, v = u + dt * v + dt * dt / 4 * a, v + dt / 2 * a
        a = newmark.solve(load @ moved_by(modes, gust(t)) - C @ v - K @ u)
        u, v = u + dt * dt / 4 * a, v + dt / 2 * a
        state = motion.step(state, gust(t)[None, None], dt)
        whole = system.spread(u[:, None])[0, :, :3]
        error += float(((motion.pose(state)[0] - plant.position - whole) ** 2).sum())
        size += float((whole**2).sum())
    assert np.sqrt(error / size) < 0.01


@pytest.mark.parametrize("kept", [25, 5])
@pytest.mark.parametrize("cells", [1, 4])
def test_a_steady_lean_is_that_of_the_whole_plant_however_many_modes_are_kept(kept: int, cells: int) -> None:
    modes = small_modes(cells, leaves=False).truncated(kept)
    plant, motion = modes.plant, ModalMotion(modes, pose="linear")
    air = np.broadcast_to([8.0, 1.0, -3.0], (1, cells, 3)) * np.linspace(0.5, 1, cells)[:, None]
    system = modes.conditions.system(plant, modes.wood)
    reaching = air[0] * modes.shelter(air.mean(axis=1))[0][:, None]
    push = reaching * np.linalg.norm(reaching, axis=1, keepdims=True)
    loads = np.einsum("ck,cknj->nj", push, wind_loads(system, modes.cell, cells))
    whole = system.displaced(loads[None])[0, :, :3]
    settled = motion.settled(Places(), air)
    np.testing.assert_allclose(motion.pose(settled)[0] - plant.position, whole, atol=1e-9 * np.abs(whole).max())
    late = motion.step(motion.step(motion.rest(), air, 1e3), air, 1e3)
    np.testing.assert_allclose(late.amount, settled.amount, rtol=1e-9, atol=1e-12)


def test_a_constant_wind_gives_the_same_motion_for_any_step() -> None:
    motion = ModalMotion(small_modes(4), speed=6.0, pose="linear")  # whose forces do not depend on the pose
    air = np.broadcast_to([6.0, 0, 2.0], (1, 4, 3))
    start = motion.step(motion.rest(), air, 0.1)
    once, many = motion.step(start, air, 1.0), start
    for _ in range(50):
        many = motion.step(many, air, 0.02)
    for name in ("q", "rate", "lean", "lean_rate"):
        size = np.abs(getattr(start, name)).max()
        np.testing.assert_allclose(getattr(many, name), getattr(once, name), rtol=0, atol=1e-11 * size)


@pytest.mark.parametrize("dt", [1e-4, 1e-2, 1 / 60, 0.3, 1.0])
def test_each_mode_decays_as_theory_says(dt: float) -> None:
    modes = small_modes()
    motion = ModalMotion(modes)
    count = max(1, round(1 / dt))
    state = replace(motion.rest(), q=np.ones((1, len(modes))))
    for _ in range(count):
        state = motion.step(state, np.zeros((1, 1, 3)), dt)
    t, g = count * dt, modes.damping * modes.omega
    damped = np.sqrt(modes.omega**2 - g**2)
    decay = np.exp(-g * t) * (np.cos(damped * t) + g / damped * np.sin(damped * t))
    np.testing.assert_allclose(state.q[0], decay, atol=1e-9)


@settings(max_examples=60)
@given(
    st.integers(0, 2**32 - 1),
    st.floats(1e-4, 2),
    st.floats(0, 60),
    st.floats(0.05, 20),
    st.floats(0.01, 100),
)
def test_no_energy_is_created_without_wind(seed: int, dt: float, speed: float, scale: float, stiffness: float) -> None:
    modes, rng = small_modes(4), np.random.default_rng(seed)
    motion, places = ModalMotion(modes, speed=speed), Places(scale=scale, stiffness=stiffness)
    own = 2 * np.pi * modes.static_frequency * np.sqrt(stiffness) / scale
    state = replace(
        motion.rest(places),
        q=rng.normal(size=(1, len(modes))),
        rate=rng.normal(size=(1, len(modes))) * modes.omega,
        lean=rng.normal(size=(1, 4, 3)),
        lean_rate=rng.normal(size=(1, 4, 3)) * own,
    )

    def energy(state: ModalState) -> FloatArray:
        modal = (scale * state.rate) ** 2 + stiffness * (modes.omega * state.q) ** 2
        return np.concatenate([modal.ravel(), (state.lean_rate**2 + (own * state.lean) ** 2).ravel()])

    before = energy(state)
    for _ in range(8):
        state = motion.step(state, np.zeros((1, 4, 3)), dt)
        after = energy(state)
        assert (after <= before * (1 + 1e-12)).all()
        before = after


def test_a_scaled_instance_moves_like_a_larger_plant_of_the_same_wood() -> None:
    own, large = (
        analyse(enlarged(small_tree(), scale), wood=LOSSLESS, gravity=False, roots="clamped", cache=False)
        for scale in (1.0, 2.0)
    )
    as_place, as_plant = ModalMotion(own, speed=5.0), ModalMotion(large, speed=5.0)
    a, b = blown(as_place, Places(scale=2.0), 3.0), blown(as_plant, Places(), 3.0)
    np.testing.assert_allclose(as_place.pose(a) * 2, as_plant.pose(b), atol=1e-10)
    np.testing.assert_allclose(as_place.strain(a).fibre, as_plant.strain(b).fibre, rtol=1e-7, atol=1e-14)
    np.testing.assert_allclose(as_place.strain(a).root_moment, as_plant.strain(b).root_moment, rtol=1e-7, atol=1e-6)
    np.testing.assert_allclose(as_place.probes(Places(scale=2.0)), as_plant.probes(Places()))


def test_a_stiffness_factor_acts_like_stiffer_wood() -> None:
    stiffer = replace(LOSSLESS, E=3 * LOSSLESS.E)
    own = analyse(small_tree(), wood=LOSSLESS, leaves=False, gravity=False, roots="clamped", cache=False)
    stiff = analyse(small_tree(), wood=stiffer, leaves=False, gravity=False, roots="clamped", cache=False)
    as_place, as_wood = ModalMotion(own), ModalMotion(stiff)
    a, b = blown(as_place, Places(stiffness=3.0), 3.0), blown(as_wood, Places(), 3.0)
    np.testing.assert_allclose(as_place.pose(a), as_wood.pose(b), atol=1e-10)
    np.testing.assert_allclose(as_place.strain(a).root_moment, as_wood.strain(b).root_moment, rtol=1e-7, atol=1e-6)


def test_a_turned_instance_feels_the_wind_from_its_own_side() -> None:
    motion = ModalMotion(small_modes(4))
    places = Places([[3.0, 0, 1.0]], yaw=np.pi / 2)  # its z axis looks along the world's x
    air = np.broadcast_to([7.0, 0.5, 0.0], (1, 4, 3))
    seen = np.broadcast_to([0.0, 0.5, 7.0], (1, 4, 3))
    turned = motion.pose(motion.settled(places, air))
    np.testing.assert_allclose(turned, motion.pose(motion.settled(Places(), seen)), atol=1e-12)
    lean = places.to_world(turned) - places.to_world(motion.plant.position)
    assert lean[0, :, 0].mean() > 5 * abs(lean[0, :, 2].mean())
    centre = motion.modes.cell_centre
    np.testing.assert_allclose(motion.probes(places)[0], centre[:, [2, 1, 0]] * (1, 1, -1) + (3, 0, 1))


def test_instances_do_not_feel_each_other_and_a_step_changes_nothing_given() -> None:
    motion = ModalMotion(small_modes(4), speed=4.0)
    rng = np.random.default_rng(3)
    places = Places(
        rng.normal(size=(5, 3)),
        yaw=rng.uniform(0, 6, 5),
        scale=rng.uniform(0.5, 2, 5),
        stiffness=rng.uniform(0.7, 1.4, 5),
    )
    air = rng.normal(size=(2, 5, 4, 3)) * 6
    state = motion.step(motion.rest(places), air[0], 0.05)
    kept = state.q.copy(), state.push.copy(), air.copy()
    points = motion.pose(motion.step(state, air[1], 0.05))
    np.testing.assert_array_equal(points, motion.pose(motion.step(state, air[1], 0.05)))
    for value, before in zip((state.q, state.push, air), kept, strict=True):
        np.testing.assert_array_equal(value, before)
    alone = Places(places.position[3:4], yaw=places.yaw[3], scale=places.scale[3], stiffness=places.stiffness[3])
    single = motion.step(motion.step(motion.rest(alone), air[0, 3:4], 0.05), air[1, 3:4], 0.05)
    np.testing.assert_allclose(motion.pose(single)[0], points[3], atol=1e-12)


def test_the_five_lines_of_the_contract() -> None:
    motion: Motion[ModalState] = ModalMotion(small_modes(4))
    places = Places([[0.0, 0, 0], [7.0, 0, 2.0]], yaw=[0.0, 1.0])
    state = motion.rest(places)
    air = Steady(speed=6.0).velocity(motion.probes(places), 0.5)
    state = motion.step(state, air, 0.5)
    points = motion.pose(state)
    assert points.shape == (2, motion.plant.nodes, 3)
    assert (points[:, 0] == motion.plant.position[0]).all()
    assert np.abs(points - motion.plant.position).max() > 1e-3


def test_wind_damps() -> None:
    modes = small_modes()
    calm, windy = ModalMotion(modes), ModalMotion(modes, speed=8.0)
    np.testing.assert_allclose(windy.damping - calm.damping, modes.drag_damping * 8.0)
    state = replace(calm.rest(), q=np.ones((1, len(modes))))
    still = np.zeros((1, 1, 3))
    fading = [np.abs(motion.step(state, still, 5.0).q).sum() for motion in (calm, windy)]
    assert fading[1] < 0.5 * fading[0]


def test_the_papers_step_converges_to_the_exact_one() -> None:
    modes = small_modes()
    exact = blown(ModalMotion(modes), Places(), 2.0, 1 / 3000)
    apart = []
    for dt in (1 / 150, 1 / 300, 1 / 600):
        paper = blown(ModalMotion(modes, integrator="paper"), Places(), 2.0, dt)
        apart.append(np.linalg.norm(paper.q - exact.q) / np.linalg.norm(exact.q))
    rates = np.log2(np.array(apart[:-1]) / apart[1:])
    assert ((rates > 0.8) & (rates < 1.3)).all(), (apart, rates)


def test_the_papers_step_that_diverges_says_so() -> None:
    with pytest.raises(MotionError, match=r'explicit .* blew up with steps of 0\.5 s\. .* integrator = "exact"'):
        blown(ModalMotion(small_modes(), integrator="paper"), Places(), 300.0, 0.5)


def test_a_steady_wind_on_a_pole_asks_its_root_for_the_moment_of_its_drag() -> None:
    pole = chain(11, length=4.0, radius=0.03)
    modes = analyse(pole, wood=LOSSLESS, gravity=False, roots="clamped", cache=False)
    motion, speed = ModalMotion(modes, pose="linear"), 9.0  # the drag on the pole as it stands
    strain = motion.strain(motion.settled(Places(), [[[speed, 0, 0]]]))
    drag = modes.cell_area[0] * 1.225 / 2 * speed**2
    np.testing.assert_allclose(strain.root_moment[0, 0], [0, 0, drag * 4.0 / 2], rtol=1e-9, atol=1e-9)
    bending = drag * 4.0 / 2 * 0.03 / (1e10 * np.pi / 4 * 0.03**4)
    assert strain.fibre[0, 1] == pytest.approx(bending, rel=0.01)
    assert strain.fibre[0, 0] == 0


def test_strain_under_a_gust_is_that_of_the_displacement_itself() -> None:
    modes = small_modes(4)
    motion = ModalMotion(modes)
    state = blown(motion, Places(), 2.0)
    whole = np.tensordot(state.q[0], modes.shape, 1) + np.tensordot(state.lean[0], modes.static, 2)
    bent = modes.deformation(whole)
    expected = modes.plant.base_radius * np.linalg.norm(bent[:, :3], axis=1) + np.abs(bent[:, 3])
    np.testing.assert_allclose(motion.strain(state).fibre[0], expected, rtol=1e-9)


@pytest.mark.parametrize(
    ("air", "dt", "said"),
    [
        (np.full((1, 1, 3), np.nan), 0.1, "the wind must be finite; at probe 0 of instance 0"),
        (np.full((1, 1, 3), np.inf), 0.1, "the wind must be finite"),
        (np.zeros((1, 3)), 0.1, r"one velocity for each probe, \(1, 1, 3\); it has the shape \(1, 3\)"),
        (np.zeros((2, 1, 3)), 0.1, "one velocity for each probe"),
        ([["calm"]], 0.1, "must be numbers"),
        (np.zeros((1, 1, 3)), -0.1, "time goes forward; dt is -0.1 s"),
        (np.zeros((1, 1, 3)), float("nan"), "time goes forward; dt is nan s"),
        (np.zeros((1, 1, 3)), float("inf"), "time goes forward"),
    ],
)
def test_a_step_that_cannot_be_taken_says_why(air: ArrayLike, dt: float, said: str) -> None:
    motion = ModalMotion(small_modes())
    with pytest.raises(MotionError, match=said):
        motion.step(motion.rest(), air, dt)


def test_a_step_of_no_time_changes_nothing_but_the_wind() -> None:
    motion = ModalMotion(small_modes())
    state = blown(motion, Places(), 0.5)
    after = motion.step(state, [[[5.0, 0, 0]]], 0.0)
    np.testing.assert_array_equal(after.amount, state.amount)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"pose": "bent"}, "a pose is one of rotated, linear, corrected; 'bent' is not one of them"),
        ({"integrator": "euler"}, "an integrator is one of exact, paper"),
        ({"speed": -1.0}, "from 0 m/s up; it is -1"),
        ({"speed": float("nan")}, "from 0 m/s up"),
    ],
)
def test_a_motion_that_cannot_be_says_why(options: dict[str, str], said: str) -> None:
    with pytest.raises(MotionError, match=said):
        ModalMotion(small_modes(), **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("position", "options", "said"),
    [
        (np.zeros((0, 3)), {}, "at least one row"),
        (np.zeros(3), {}, r"shape \(count, 3\)"),
        ([[0, np.nan, 0]], {}, "the position of an instance must be finite"),
        ([["here", 0, 0]], {}, "must be numbers"),
        (np.zeros((2, 3)), {"yaw": [0.0, 1, 2]}, "one number or one for each of the 2 instances"),
        (np.zeros((2, 3)), {"scale": [1.0, 0.0]}, "scale must be positive; instance 1 has 0"),
        (np.zeros((2, 3)), {"stiffness": -2.0}, "stiffness must be positive"),
    ],
)
def test_places_that_cannot_be_say_why(position: ArrayLike, options: dict[str, ArrayLike], said: str) -> None:
    with pytest.raises(MotionError, match=said):
        Places(position, **options)


def test_saved_modes_move_alike(tmp_path: Path) -> None:
    from windflower.mechanics import read_modes

    modes = small_modes(4)
    modes.save(tmp_path / "modes.npz")
    again = ModalMotion(read_modes(tmp_path / "modes.npz"))
    motion = ModalMotion(modes)
    np.testing.assert_array_equal(motion.pose(blown(motion, Places(), 0.3)), again.pose(blown(again, Places(), 0.3)))


@pytest.mark.parametrize("pose", ["linear", "rotated"])
def test_compiled_steps_are_those_of_numpy(pose: str) -> None:
    pytest.importorskip("numba")
    modes = small_modes()
    count = max(2 + WORTH // len(modes), posed_forces.WORTH)
    rng = np.random.default_rng(1)
    stiffness, scale = rng.uniform(0.5, 2, (2, count))
    places = Places(rng.uniform(-50, 50, (count, 3)), stiffness=stiffness, scale=scale)
    motion = ModalMotion.in_wind(modes, Wind.beaufort(6 if pose == "linear" else 11), pose=pose)
    assert motion.admittance is not None, "eddies are felt in part"
    states = []
    for compiled in (True, False):
        with nullcontext() if compiled else without_numba():
            states.append(blown(motion, places, 0.2))
    assert states[0].excess.any() == (pose == "rotated")
    for name in ("q", "rate", "lean", "lean_rate", "slow", "band", "excess"):
        one, other = (getattr(state, name) for state in states)
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12 * np.abs(other).max())
