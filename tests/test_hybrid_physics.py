"""Physical branches: against the damped spring, against energy, and against the paper's own step."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from tests.hybrids import blown, branch, calm, grove, gusts, printed, small_tree, three_branches
from tests.plants import chain, fork, plants
from tests.sampled import sampled
from windflower import Plant
from windflower.core.arrays import FloatArray
from windflower.errors import MotionError
from windflower.motion import HybridMotion, HybridState, Places, Touch
from windflower.motion.hybrid.branch_laws import BranchLaws
from windflower.motion.hybrid.branch_physics import accelerations
from windflower.motion.hybrid.joint_hands import HandPaths
from windflower.motion.hybrid.physical_branches import HandOver
from windflower.plant.block import joined
from windflower.wind import ForcePrimitive, ForceWind

SWINGING = HandOver(swing=1e6)  # free for good
LIGHT = BranchLaws(damping=0.004)
CYCLE = 96  # steps


def held(motion: HybridMotion, state: HybridState, touch: Touch, steps: int, dt: float) -> HybridState:
    for _ in range(steps):
        state = motion.step(state, calm(motion, state), dt, touch=touch)
    return state


def everything(plant: Plant) -> Touch:
    """A hand that makes all branches physical and does nothing: on a branch of the highest order of each tree."""
    trees = [np.flatnonzero(plant.tree == tree) for tree in range(len(plant.roots))]
    return Touch(node=[int(nodes[plant.order[nodes].argmax()]) for nodes in trees], force=np.zeros(3))


def lone(stiffness: float = 1.0, damping: float = 0.004) -> tuple[HybridMotion, float, float, float]:
    """One branch, and m, ν and k of its joint."""
    plant = branch(length=0.8)
    motion = printed(plant, laws=BranchLaws(damping=damping, firmness=3e5 * stiffness), hand_over=SWINGING)
    m, nu, k = (float(value[0]) for value in motion.physics.bodies.constants(np.array([1]), Places()))
    return motion, m, nu, k


def test_inertia_and_stiffness_are_as_the_paper_sets_them() -> None:
    _, m, nu, k = lone()
    assert m == pytest.approx(750 * 0.8 * 0.04**2)
    assert k == pytest.approx(3e5 * 0.04**2 / 0.8)
    assert nu == pytest.approx(0.004 * k)
    plant = branch(length=0.8)
    assert BranchLaws(inertia="bar").moment(plant)[1] == pytest.approx(210 * 0.8**3 * 0.04**2)
    assert BranchLaws(stiffness="bending").spring(plant)[1] == pytest.approx(4.4e8 * 0.04**4 / 0.8)


def released(dt: float, seconds: float) -> tuple[FloatArray, FloatArray]:
    """A branch pulled aside, let go at 0: its angle at all steps, and what theory says."""
    motion, m, nu, k = lone()
    state = held(motion, motion.rest(), Touch(node=1, force=(2.0, 0, 0)), 3, 1e3)
    start = motion.angles(state)[0, 1]
    t, angle = np.arange(1, round(seconds / dt) + 1) * dt, []
    for _ in t:
        state = motion.step(state, calm(motion, state), dt)
        angle.append(motion.angles(state)[0, 1])
    decay = nu / (2 * m)
    turn = np.sqrt(k / m - decay**2)
    exact = np.exp(-decay * t) * (np.cos(turn * t) + decay / turn * np.sin(turn * t))
    return np.array(angle) @ start / (start @ start), exact


def test_one_branch_let_go_is_the_damped_angular_spring() -> None:
    found, exact = released(1 / 480, 2.0)
    assert np.abs(exact).max() > 0.9
    np.testing.assert_allclose(found, exact, atol=0.01)


def test_the_implicit_step_is_of_second_order() -> None:
    error = [np.abs(np.subtract(*released(dt, 0.5))).max() for dt in (1 / 100, 1 / 200, 1 / 400)]
    assert 3.4 < error[0] / error[1] < 4.6
    assert 3.4 < error[1] / error[2] < 4.6


def test_untouched_physical_branches_follow_the_procedural_motion() -> None:
    plant = grove()
    motion = printed(plant)
    free, physical, nothing = motion.rest(), motion.rest(), everything(plant)
    worst, largest = 0.0, 0.0
    for step in range(240):
        t = step / 60
        free, physical = blown(motion, free, t, 1 / 60), blown(motion, physical, t, 1 / 60, nothing)
        worst = max(worst, np.abs(motion.angles(physical) - motion.angles(free)).max())
        largest = max(largest, np.abs(motion.angles(free)).max())
    assert motion.statistics(physical).physical > 0.9 * len(plant.segments)
    assert worst < 0.01 * largest


@pytest.mark.parametrize("torque", ["follow", "printed"])
def test_a_branch_under_wind_and_hand_is_the_spring_equation_with_its_torque(torque: str) -> None:
    """Against m θ̈ + ν θ̇ + k θ = τ, integrated by SciPy, with τ from the force primitive's own derivatives."""
    _, m, nu, k = lone()
    plant = branch(length=0.8)
    motion = printed(plant, laws=LIGHT, torque=torque, catch="same", limit=None, hand_over=SWINGING)
    disk = ForcePrimitive(path=((0, 0, 0),), radius=10, strength=(1.5, 0, 0), frequency=1.1, beat="printed")
    w, amplitude = disk.pulsation, 1.5 * 0.8 * LIGHT.response**2 / m  # eq. 2: response² L F / m
    hand = 15.0 * 0.8

    def torque_at(t: float) -> float:
        procedural = amplitude * np.sin(w * t)
        inertia = -m * w**2 * procedural
        if torque == "follow":
            inertia += nu * w * amplitude * np.cos(w * t) + k * procedural
        return float(inertia + hand * (t < 1))

    dt, seconds = 1 / 240, 3.0
    times = np.arange(1, round(seconds / dt) + 1) * dt

    def slope(t: float, y: FloatArray) -> list[float]:
        return [y[1], (torque_at(t) - nu * y[1] - k * y[0]) / m]

    exact = solve_ivp(slope, (0, seconds), [0, amplitude * w], t_eval=times, rtol=1e-8, atol=1e-10, max_step=dt)
    state, angle = motion.rest(), []
    for t in times:
        touch = Touch(node=1, force=(15.0 * (t < 1 + dt / 2), 0, 0))
        state = motion.step(state, ForceWind(disk).velocity(np.zeros((1, 1, 3)), t), dt, touch=touch)
        angle.append(motion.angles(state)[0, 1] @ [_across(motion, axis) for axis in (0, 1)])
    assert np.abs(exact.y[0]).max() > 1.3 * hand / k
    np.testing.assert_allclose(angle, exact.y[0], atol=0.01 * np.abs(exact.y[0]).max())


def _across(motion: HybridMotion, axis: int) -> float:
    """How much of a turn about an axis of the upright branch leans it along x."""
    vector = motion.joints.theta[1] if axis == 0 else motion.joints.phi[1]
    return float(np.cross(vector, (0, 1, 0))[0])


@pytest.mark.parametrize("over", sampled([0.3, 0.6, 2.0, 5.0], 0.6, 2.0))
def test_the_printed_torque_is_in_phase_only_above_resonance(over: float) -> None:
    """θ/θ̃ = −m ω² / (k − m ω² + iων): against the wind below resonance, and with it above."""
    plant = branch(length=0.8)
    motion = printed(plant, laws=BranchLaws(damping=0.02), torque="printed", catch="same", limit=None)
    m, nu, k = (float(value[0]) for value in motion.physics.bodies.constants(np.array([1]), Places()))
    w = over * np.sqrt(k / m)
    theory = -m * w**2 / (k - m * w**2 + 1j * w * nu)
    hertz = w / (2 * np.pi)
    disk = ForcePrimitive(path=((0, 0, 0),), radius=10, strength=(10, 0, 0), frequency=hertz, beat="printed")
    dt = 2 * np.pi / w / CYCLE
    settle = int(np.ceil(10 * m / nu / (CYCLE * dt)))
    state, physical, procedural = motion.rest(), [], []
    nothing = Touch(node=1, force=np.zeros(3))
    for step in range(1, CYCLE * (settle + 1) + 1):
        air = ForceWind(disk).velocity(np.zeros((1, 1, 3)), step * dt)
        state = motion.step(state, air, dt, touch=nothing)
        if step > CYCLE * settle:
            physical.append(motion.angles(state)[0, 1])
            procedural.append(motion.angles(motion.step(motion.rest(), air, dt))[0, 1])
    wave = np.exp(-1j * w * dt * np.arange(CYCLE))
    leaning = np.array([_across(motion, axis) for axis in (0, 1)])
    found = (wave @ np.array(physical) @ leaning) / (wave @ np.array(procedural) @ leaning)
    assert found == pytest.approx(theory, abs=0.01 * abs(theory))
    assert (found.real > 0) == (over > 1)


@given(plants(most=12), st.integers(0, 2**31))
def test_the_mass_matrix_is_the_kinetic_energy_of_turning_branches(plant: Plant, seed: int) -> None:
    motion = printed(plant)
    bodies, joints = motion.physics.bodies, motion.joints
    rate = np.random.default_rng(seed).normal(size=(plant.nodes, 2))
    omega = np.zeros((plant.nodes, 3))
    for node in plant.segments:  # Ω = Ω_p + θ̇ a + φ̇ b
        omega[node] = omega[plant.parent[node]] + rate[node] @ np.stack([joints.theta[node], joints.phi[node]])
    energy = 0.5 * (bodies.moment * (omega**2).sum(1)).sum()
    mass = bodies.mass(plant.segments.copy(), Places()).toarray()[::-1, ::-1]
    turning = rate[plant.segments].ravel()
    assert 0.5 * turning @ mass @ turning == pytest.approx(energy, rel=1e-12)
    np.testing.assert_allclose(mass, mass.T, rtol=1e-14)


def test_riders_add_their_inertia_to_what_is_physical() -> None:
    plant = fork()
    bodies = printed(plant).physics.bodies
    lower = bodies.mass(np.array([1]), Places()).toarray()
    np.testing.assert_allclose(lower, np.eye(2) * bodies.moment.sum(), rtol=1e-12)


def test_a_steady_force_turns_every_joint_by_its_torque_over_its_stiffness() -> None:
    """K e = Jᵀ F, with the levers found from poses, by differences."""
    plant, node, force = small_tree(), int(small_tree().tips[7]), np.array([0.6, -0.4, 0.3])
    motion = printed(plant)
    state = held(motion, motion.rest(), Touch(node=node, force=force), 40, 50.0)
    np.testing.assert_allclose(state.held.force, [force], rtol=1e-12)
    k = motion.physics.bodies.spring
    found = state.physical
    for entry, joint in enumerate(found.joint.tolist()):
        for angle in (0, 1):
            lever = (_nudged(motion, state, entry, angle, 1e-5) - _nudged(motion, state, entry, angle, -1e-5)) / 2e-5
            torque = lever[node] @ force
            assert k[joint] * found.turn[entry, angle] == pytest.approx(torque, abs=2e-6 + 1e-6 * abs(torque))


def _nudged(motion: HybridMotion, state: HybridState, entry: int, angle: int, by: float) -> FloatArray:
    turn = state.physical.turn.copy()
    turn[entry, angle] += by
    return motion.pose(replace(state, physical=replace(state.physical, turn=turn)))[0]


@pytest.mark.parametrize("grip", [1.0, 9.0])
def test_a_steady_hand_brings_a_node_its_share_of_the_way(grip: float) -> None:
    plant, node = chain(2, length=1.0, radius=0.02), 1
    motion = printed(plant)
    way = np.array([1e-3, 0, 2e-3])
    touch = Touch(node=node, target=plant.position[node] + way, grip=grip)
    moved = motion.pose(held(motion, motion.rest(), touch, 600, 1 / 30))[0, node] - plant.position[node]
    # Across the branch it gives way in two directions of three; along it not at all: 3/2 as soft as their mean.
    np.testing.assert_allclose(moved[[0, 2]], way[[0, 2]] * 1.5 * grip / (1 + 1.5 * grip), rtol=1e-3)


@given(st.floats(0, 1e4), st.floats(0, 0.3), st.sampled_from([1 / 240, 1 / 60, 1 / 15, 1.0]), st.integers(0, 90))
@settings(max_examples=15)
def test_hands_of_any_grip_are_stable_at_any_step(grip: float, lag: float, dt: float, node: int) -> None:
    plant = small_tree()
    motion = printed(plant)
    node = max(node % plant.nodes, 1)
    target = plant.position[node] + np.array([0.3, -0.2, 0.1])
    state = held(motion, motion.rest(), Touch(node=node, target=target, grip=grip, lag=lag), 60, dt)
    early = np.linalg.norm(motion.pose(state)[0] - plant.position, axis=1).max()
    state = held(motion, state, Touch(node=node, target=target, grip=grip, lag=lag), 60, dt)
    assert np.linalg.norm(motion.pose(state)[0] - plant.position, axis=1).max() < 3 * early + 0.5
    assert np.isfinite(state.physical.turn).all()
    np.testing.assert_allclose(
        np.linalg.norm((points := motion.pose(state)[0]) - points[plant.parent], axis=1)[plant.segments],
        plant.length[plant.segments],
        rtol=1e-11,
    )


def swung(integrator: str, dt: float, seconds: float, firmness: float = 3e5, plant: Plant | None = None) -> FloatArray:
    """Angles of a planar tree pushed for a while in its plane, at the end."""
    plant = fork() if plant is None else plant
    laws = BranchLaws(firmness=firmness, damping=0.02)
    motion = printed(plant, laws=laws, integrator=integrator, hand_over=SWINGING)
    state, node = motion.rest(), int(plant.order.argmax())
    with np.errstate(all="ignore"):
        for step in range(round(seconds / dt)):
            push = 20.0 * (step * dt < 0.2)
            state = motion.step(state, calm(motion, state), dt, touch=Touch(node=node, force=(0, -push, 0)))
    return motion.angles(state)[0]


def test_the_two_steps_are_the_same_equations_where_all_axes_are_parallel() -> None:
    fine, printed, coarse = swung("implicit", 1e-3, 0.3), swung("printed", 2e-4, 0.3), swung("printed", 8e-4, 0.3)
    assert np.abs(fine).max() > 0.005
    error = np.abs(printed - fine).max()
    assert error < 0.01 * np.abs(fine).max()
    assert np.abs(coarse - fine).max() > 3 * error, "of first order"


def test_the_implicit_step_stays_bounded_where_explicit_euler_diverges() -> None:
    """At dt = 1/15 s with ten times the stiffness."""
    ten = {"firmness": 3e6, "plant": small_tree()}
    calmest = np.abs(swung("implicit", 1 / 15, 20.0, **ten)).max()  # type: ignore[arg-type]
    assert calmest < 1e-3, "it has come to rest"
    with pytest.raises(MotionError, match=r'explicit .* blew up with steps of 0\.0667 s\. .* integrator = "implicit"'):
        swung("printed", 1 / 15, 2.0, **ten)  # type: ignore[arg-type]


def test_printed_accelerations_worked_by_hand() -> None:
    """A trunk with two side branches: T − Σ T of children with equal signs, and the parent's acceleration taken off."""
    axes = np.array([[[1, 0, 0], [0, 1, 0], [0, 1, 0]], [[0, 0, 1], [0, 0, -1], [1, 0, 0]]], float).transpose(0, 2, 1)
    torque = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    moment, up = np.array([10.0, 2.0, 4.0]), np.array([-1, 0, 0])
    # T: trunk (1, 0, 2); branches (0, 3, −4) and (6, 5, 0). Trunk: −(1, 0, 2) + (6, 8, −4) = (5, 8, −6), over 10.
    trunk = np.array([0.5, 0.8, -0.6])
    one, two = np.array([0, -3, 4]) / 2 - trunk, np.array([-6, -5, 0]) / 4 - trunk
    expected = np.array([[trunk[0], trunk[2]], [one[1], -one[2]], [two[1], two[0]]])
    np.testing.assert_allclose(accelerations(torque, np.zeros((3, 3)), moment, axes, up), expected, rtol=1e-14)


def test_procedural_children_act_back_on_a_physical_parent_when_printed() -> None:
    """Torque (kθ̃ + νθ̃̇) of both side branches on the trunk, their velocities by finite difference."""
    plant, dt = three_branches(), 0.01
    motion = printed(plant, torque="printed", integrator="printed", limit=None)
    air = np.array([[[3.0, 1.0, -4.0]]])
    start = motion.step(motion.rest(), air, dt)
    after = motion.step(start, 1.1 * air, dt, touch=Touch(node=1, force=np.zeros(3)))
    before, now = motion.angles(start)[0], motion.angles(motion.step(motion.rest(), 1.1 * air, dt))[0]
    k, nu = motion.physics.bodies.spring[:, None], 0.03 * motion.physics.bodies.spring[:, None]
    torque = k * before + nu * (now - before) / dt
    posed = motion._poses.posed(start)
    axes = posed.axes(posed.chain.rank[[1, 2, 3]])
    vector = np.einsum("na,akn->nk", torque[1:], axes)
    body = (-vector[0] + vector[1] + vector[2]) / motion.physics.bodies.moment[1]
    np.testing.assert_allclose(after.physical.rate[0], dt * axes[:, :, 0] @ body, rtol=1e-10)


def test_a_larger_instance_swings_slower_and_a_stiffer_one_faster() -> None:
    plant = small_tree()
    motion = printed(plant, hand_over=SWINGING)
    node = int(plant.tips[3])
    places = Places(np.zeros((3, 3)), scale=[1, 2, 1], stiffness=[1, 1, 4])
    states, pulls = [], [(5.0, 0, 0), (20.0, 0, 0), (20.0, 0, 0)]  # turning all by the same angles
    for instance, (pull, slower) in enumerate(zip(pulls, (1.0, 2.0, 0.5), strict=True)):
        state, dt = motion.rest(places), slower / 60
        state = held(motion, state, Touch(instance=instance, node=node, force=pull), 20, dt)
        for _ in range(30):
            state = motion.step(state, calm(motion, state), dt)
        states.append(motion.angles(state)[instance])
    np.testing.assert_allclose(states[1], states[0], atol=1e-9)
    np.testing.assert_allclose(states[2], states[0], atol=1e-9)
    assert np.abs(states[0]).max() > 1e-3


def test_a_released_tree_comes_to_rest_after_a_gust_with_all_branches_physical() -> None:
    plant = small_tree()
    motion = printed(plant, torque="printed")
    gust = ForceWind(gusts())
    state, nothing = motion.rest(), everything(plant)
    most = 0.0
    for step in range(1200):
        air = gust.velocity(motion.probes(Places()), step / 30) * (step < 60)
        state = motion.step(state, air, 1 / 30, touch=nothing)
        most = max(most, np.abs(motion.angles(state)).max())
    assert most > 0.02
    assert np.abs(motion.angles(state)).max() < 0.01 * most


@pytest.mark.parametrize(("integrator", "dt", "within"), [("implicit", 1 / 480, 5e-3), ("printed", 1 / 4000, 0.02)])
def test_driven_by_the_wind_one_branch_swings_to_where_it_holds_it(integrator: str, dt: float, within: float) -> None:
    motion = printed(branch(0.8), laws=LIGHT, physical="all", integrator=integrator)
    m, nu, k = (float(value[0]) for value in motion.physics.bodies.constants(np.array([1]), Places()))
    air = np.full((1, 1, 3), (3.0, 0, 1))
    state = motion.step(motion.rest(), air, 1e-9)
    wanted = printed(branch(0.8), laws=LIGHT)
    lean = wanted.angles(wanted.step(wanted.rest(), air, dt))[0, 1]
    decay, ring = nu / (2 * m), np.sqrt(k / m - (nu / (2 * m)) ** 2)
    for step in range(1, round(0.3 / dt) + 1):
        state = motion.step(state, air, dt)
        t = step * dt
        rise = 1 - np.exp(-decay * t) * (np.cos(ring * t) + decay / ring * np.sin(ring * t))
        np.testing.assert_allclose(motion.angles(state)[0, 1], rise * lean, atol=within * np.abs(lean).max())
    assert 0.3 * ring > 2 * np.pi, "it has overshot"


def test_a_tree_whose_branches_are_all_physical_swings_and_returns_to_rest_after_a_gust() -> None:
    motion = printed(small_tree(), physical="all")
    state, gust = motion.rest(), ForceWind(gusts())
    still = motion.statistics(state)
    assert still.physical == still.branches
    angles = []
    for step in range(900):
        air = gust.velocity(motion.probes(Places()), step / 30) * (step < 60)
        state = motion.step(state, air, 1 / 30)
        angles.append(np.abs(motion.angles(state)).max())
    assert max(angles) > 0.02
    assert max(angles[62:70]) > 0.1 * max(angles), "it swings on when the wind has stopped"
    assert angles[-1] < 0.005 * max(angles)


def test_a_hand_leads_a_tree_that_is_all_physical() -> None:
    motion = printed(small_tree(), physical="all")
    node = int(motion.plant.tips[4])
    target = motion.plant.position[node] + [0.1, -0.1, 0.2]
    state = held(motion, motion.rest(), Touch(node=node, target=target), 200, 1 / 30)
    assert np.linalg.norm(motion.pose(state)[0, node] - target) < 0.4 * np.linalg.norm([0.1, -0.1, 0.2])


def test_a_firmer_tree_of_a_block_turns_less_and_swings_faster() -> None:
    twins = joined([small_tree(), small_tree()], [[0, 0, 0], [9, 0, 0]])
    motion = printed(twins, stiffness=[1.0, 4.0], limit=None)
    state = motion.step(motion.rest(), np.full((1, 2, 3), (2.0, 0, 1)), 1 / 30)
    first, second = np.split(motion.angles(state)[0], 2)
    np.testing.assert_allclose(first, 4 * second, atol=1e-12)
    joint = np.array([5, 5 + small_tree().nodes])
    m, nu, k = motion.physics.bodies.constants(joint, Places())
    assert (m[1] / m[0], nu[1] / nu[0], k[1] / k[0]) == pytest.approx((1, 2, 4))


def test_branches_that_swing_by_themselves_are_always_physical() -> None:
    with pytest.raises(MotionError, match="physical = all"):
        printed(small_tree(), torque="driven")
    with pytest.raises(MotionError, match="stiffness of trees"):
        printed(small_tree(), stiffness=-1.0)


def test_hands_on_nothing_are_refused() -> None:
    motion = printed(small_tree())
    with pytest.raises(MotionError, match="no root"):
        motion.step(motion.rest(), np.zeros((1, 1, 3)), 0.1, touch=Touch(node=0))
    with pytest.raises(MotionError, match="instances"):
        motion.step(motion.rest(), np.zeros((1, 1, 3)), 0.1, touch=Touch(node=1, instance=2))
    with pytest.raises(MotionError, match="hand-over"):
        HandOver(lasts=0.0)


def test_levers_at_rest_span_what_a_hand_can_do() -> None:
    plant, touch = three_branches(), Touch(node=[2, 3])
    paths = HandPaths.of(touch, plant, printed(plant).joints)
    assert paths.node.tolist() == [2, 1, 3, 1]
    assert paths.hand.tolist() == [0, 0, 1, 1]
    # On the trunk the arm is (1, 2, 0), and the sum over any two normals of the trunk is that over x and z.
    arm = np.array([1.0, 2.0, 0.0])
    expected = sum(np.cross(axis, arm) @ np.cross(axis, arm) for axis in ((1, 0, 0), (0, 0, 1)))
    assert (paths.lever[1] ** 2).sum() == pytest.approx(expected)
