"""Broad leaves: the paper's equations one by one, on cases that can be worked out by hand."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

from tests.broadleaves import leaves_at, one_leaf, random_plant
from tests.plants import chain, fork
from windflower.core.arrays import FloatArray
from windflower.core.components import first, rotation
from windflower.mechanics import Wood, wood_of
from windflower.motion import Places
from windflower.motion.broadleaf import BroadleafConstants, BroadleafMotion
from windflower.motion.broadleaf.blade_forces import Blown, blown, hung, normals, pair_forces, pair_response, support
from windflower.motion.broadleaf.blade_lift import explicit_lift, implicit_lift, lift_step, pushed
from windflower.motion.broadleaf.constants import AIR, GRAVITY
from windflower.motion.broadleaf.contact import Pressed
from windflower.motion.broadleaf.segment_forces import Joints, explicit_turn, implicit_turn, segment_wind, work_of_turns
from windflower.motion.broadleaf.segments import rhythm, transfer_matrix
from windflower.motion.broadleaf.step import Air, substep
from windflower.plant.graph import Plant
from windflower.plant.species.settings import Blade

GREEN = Wood(E=2e9, density=800)
PAPER = BroadleafConstants(wind_law="paper", pressure=5.0)


def stalk(direction: tuple[float, ...], length: float = 0.5, radius: float = 0.004, segments: int = 1) -> Plant:
    """Bare but for a blade on its last segment: thin, and no wind is felt on it with blade_drag=0."""
    plant = chain(segments + 1, length, radius, direction)
    leaves = leaves_at(segments, size=length)
    return Plant(parent=plant.parent, position=plant.position, radius=plant.radius, leaves=leaves)


def stalk_motion(plant: Plant, **changes: Any) -> BroadleafMotion:
    constants = BroadleafConstants(**{"blade_drag": 0.0, "contact": False, "transfer": 1.0, "damping": 0.7, **changes})
    return BroadleafMotion(
        plant, wood=GREEN, constants=constants, aspect=0.01, blade=Blade(fold=0, droop=0), along=3, across=3
    )


def settled(motion: BroadleafMotion, wind: tuple[float, ...]) -> FloatArray:
    air = np.broadcast_to(np.array(wind, float), (1, motion.plant.nodes, 3))
    return motion.pose(motion.settled(Places(), air, seconds=5))[0]


def moments(motion: BroadleafMotion, force: FloatArray | None = None, air: FloatArray | None = None) -> FloatArray:
    """(3, nodes) as modelled, about the axes of the segments' frames, in the plant's own order; `force` on points."""
    body, state = motion.body, motion._moving(motion._modelled(Places()))
    calm = Blown(np.zeros(state.point.shape), *np.zeros((3, *state.point.shape[1:])))
    met = calm if force is None else Blown(force, *np.ones((3, *force.shape[1:])))
    wind = np.zeros(state.node.shape) if air is None else air
    joints = body.forces.joints(state.node, state.frame, wind, state.point, state.rows, met)
    return joints.moment[:, 0, body.segments.rank]


# --- eq. 1


def test_wind_on_a_segment_is_pressure_times_the_area_that_faces_it() -> None:
    """S P with P = pressure · V: a segment at 30° to the wind shows half of its area."""
    along = np.array([np.cos(np.pi / 6), np.sin(np.pi / 6), 0.0])[:, None]
    force, grip = segment_wind(np.array([[4.0], [0], [0]]), along, np.array([0.02]), PAPER)
    assert force[:, 0] == pytest.approx([0.02 * 0.5 * 5.0 * 4.0, 0, 0])
    assert grip == pytest.approx([0.02 * 0.5 * 5.0])


def test_drag_on_a_segment_grows_with_the_square_of_the_wind_across_it() -> None:
    along = np.array([[0.0], [1], [0]])
    for wind in ([6.0, 0, 0], [6.0, 9, 0], [3.6, -2, 4.8]):
        force, _ = segment_wind(np.array(wind)[:, None], along, np.array([0.02]), BroadleafConstants(stem_drag=1.1))
        push = 0.5 * AIR * 1.1 * 0.02 * 6.0
        assert force[:, 0] == pytest.approx([push * wind[0], 0, push * wind[2]])


# --- eq. 2


def test_weight_turns_a_level_segment_with_half_its_length_as_arm() -> None:
    motion = stalk_motion(stalk((1, 0, 0)), weight="sag")
    wood = GREEN.density * np.pi * 0.004**2 * 0.5
    blade = motion.body.points.mass
    expected = GRAVITY * (wood * 0.25 + (blade * motion.blades.point[..., 0]).sum())
    assert np.linalg.norm(moments(motion)[:, 1]) == pytest.approx(expected, rel=1e-12)


# --- eq. 3


def test_the_restoring_force_turns_a_segment_back() -> None:
    """l Z × F with F = K_r r² (Z × ΔR); the printed ΔR × Z has the other sign and would turn it on."""
    rigidity, radius, length = 3e4, 0.004, 0.5
    motion = stalk_motion(stalk((0, 1, 0), length, radius, segments=2), constant_rigidity=rigidity)
    turn, along = np.array([0.1, 0.0, -0.05]), np.array([0.0, 1.0, 0.0])
    piece = length / 2
    wanted = piece * np.cross(along, rigidity * radius**2 * np.cross(along, turn))
    compliance = motion.body.segments.compliance[:, motion.body.segments.rank[1]]
    assert -turn[0] / compliance[0] == pytest.approx(wanted[0], rel=1e-12)
    assert -turn[2] / compliance[2] == pytest.approx(wanted[2], rel=1e-12)
    printed = piece * np.cross(along, rigidity * radius**2 * np.cross(turn, along))
    assert printed @ turn > 0


def test_by_default_the_wood_says_how_stiff_a_segment_is() -> None:
    motion = stalk_motion(stalk((0, 1, 0), 0.5, 0.004, segments=2))
    compliance = motion.body.segments.compliance[:, motion.body.segments.rank[1]]
    second = np.pi * 0.004**4 / 4
    assert compliance[[0, 2]] == pytest.approx(0.25 / (GREEN.E * second), rel=1e-12)
    assert compliance[1] == pytest.approx(0.25 / (GREEN.shear_modulus * 2 * second), rel=1e-12)


# --- a single segment


@pytest.mark.parametrize("speed", [4.0, 8.0, 12.0])
def test_a_single_segment_settles_where_torque_balances(speed: float) -> None:
    """Spring k θ against ½ ρ C A (U cos θ)² at half the length."""
    length, radius = 0.5, 0.004
    motion = stalk_motion(stalk((0, 1, 0), length, radius), weight="none")
    stiff = GREEN.E * np.pi * radius**4 / 4 / length
    push = 0.5 * AIR * 1.1 * 2 * radius * length * speed**2

    def unbalanced(angle: float) -> float:
        return float(push * np.cos(angle) ** 2 * length / 2 - stiff * angle)

    angle = brentq(unbalanced, 0, 1)
    tip = settled(motion, (0, 0, speed))[1]
    assert tip == pytest.approx([0, length * np.cos(angle), length * np.sin(angle)], abs=1e-7)
    assert angle > 0.002


def test_a_level_segment_sags_to_where_weight_balances_and_not_if_balanced() -> None:
    length, radius = 0.5, 0.002
    sagging = stalk_motion(stalk((1, 0, 0), length, radius), weight="sag")
    stiff = GREEN.E * np.pi * radius**4 / 4 / length
    arm = np.linalg.norm(moments(sagging)[:, 1])
    angle = brentq(lambda a: arm * np.cos(a) - stiff * a, 0, 1)
    assert settled(sagging, (0, 0, 0))[1] == pytest.approx(
        [length * np.cos(angle), -length * np.sin(angle), 0], abs=1e-5
    )
    balanced = stalk_motion(stalk((1, 0, 0), length, radius))
    assert settled(balanced, (0, 0, 0))[1] == pytest.approx([length, 0, 0], abs=1e-12)


# --- eq. 4


def test_the_transfer_of_a_chain_is_the_recursion_worked_by_hand() -> None:
    """F_T of a segment is the share of what acts on its child and of what that was handed."""
    share, own = 0.8, np.array([0.0, 5.0, 7.0, 11.0])
    felt = transfer_matrix(np.array([0, 0, 1, 2]), share) @ own
    third = 11.0
    second = 7.0 + share * third
    assert felt[1:] == pytest.approx([5.0 + share * second, second, third])


def test_a_fork_hands_on_what_both_branches_bear() -> None:
    plant, share = fork(), 0.7
    parent = np.where(plant.parent < 0, 0, plant.parent)
    felt = transfer_matrix(parent, share) @ np.array([0.0, 1, 10, 100, 1000])
    assert felt == pytest.approx([felt[0], 1 + share * (10 + 100 + share * 1000), 10, 100 + share * 1000, 1000])


def test_a_chain_in_wind_feels_the_recursion_at_every_tip() -> None:
    """As printed, without arms: the moment of segment i is l Z × (F_own/2 + what it was handed)."""
    share, segments = 0.6, 4
    plant = stalk((0, 1, 0), 1.0, 0.01, segments)
    constants = BroadleafConstants(blade_drag=0, contact=False, transfer=share, moments=False, weight="none")
    motion = BroadleafMotion(plant, wood=GREEN, constants=constants, aspect=0.01, along=3, across=3)
    air = np.zeros((3, 1, plant.nodes))
    air[2] = 7.0
    found = np.linalg.norm(moments(motion, air=air), axis=0)
    push = 0.5 * AIR * 1.1 * 0.02 * 0.25 * 49
    handed, wanted = 0.0, []
    for _ in range(segments):
        wanted.append(0.25 * (push / 2 + handed))
        handed = share * (push + handed)
    assert found[1:] == pytest.approx(wanted[::-1], rel=1e-12)


def test_with_arms_and_all_handed_on_a_chain_bears_what_statics_says() -> None:
    plant = stalk((0, 1, 0), 1.0, 0.01, 4)
    motion = stalk_motion(plant, weight="none")
    air = np.zeros((3, 1, plant.nodes))
    air[2] = 7.0
    push = 0.5 * AIR * 1.1 * 0.02 * 49
    above = np.array([1.0, 0.75, 0.5, 0.25])
    assert np.linalg.norm(moments(motion, air=air), axis=0)[1:] == pytest.approx(push * above**2 / 2, rel=1e-12)


@pytest.mark.parametrize(("handed_over", "part"), [("all", [0.3, 0.2, 0.5]), ("longitudinal", [0.3, 0, 0])])
def test_a_blade_hands_its_force_to_its_mid_rib(handed_over: str, part: list[float]) -> None:
    """All of it, or the longitudinal part (§3.2); on a level leaf along x."""
    plant = one_leaf()
    constants = BroadleafConstants(transfer=1.0, weight="none", handed_over=handed_over, moments=False)
    motion = BroadleafMotion(plant, wood=GREEN, constants=constants, along=5, across=3, blade=Blade(fold=0, droop=0))
    force = np.zeros((3, 1, 1, 5, 3))
    force[:, 0, 0, 2, 0] = [0.3, 0.2, 0.5]
    stem = moments(motion, force)[:, 1]
    frame = motion.body.segments.frame[..., motion.body.segments.rank[1]]
    assert frame @ stem == pytest.approx(np.cross(plant.position[1], part), abs=1e-15)


# --- eq. 5


def test_the_printed_step_is_that_of_the_paper() -> None:
    """ΔR + Δt (V + Δt 3/(m l²) τ), with the torques of spring and damper."""
    length, radius, h = 0.5, 0.004, 1e-3
    motion = stalk_motion(stalk((0, 1, 0), length, radius, 2), inertia="own", constant_rigidity=3e4, damping=0.05)
    segments, which = motion.body.segments, motion.body.segments.rank[1]
    turn, rate, moment = (np.zeros((3, 1, 3)) for _ in range(3))
    turn[0, 0, which], rate[0, 0, which], moment[0, 0, which] = 0.1, 0.7, 0.02
    joints = Joints(moment, *np.zeros((2, 1, 3)))
    new, _ = explicit_turn(segments, turn, rate, joints, np.array([[h]]), np.ones((1, 1)))
    l, m = length / 2, GREEN.density * np.pi * radius**2 * length / 2  # noqa: E741
    inertia, spring = m * l**2 / 3, 3e4 * radius**2 * l
    torque = 0.02 - spring * 0.1 - 2 * 0.05 * np.sqrt(spring * inertia) * 0.7
    assert new[0, 0, which] == pytest.approx(0.1 + h * (0.7 + h * 3 / (m * l**2) * torque), rel=1e-12)


def test_joints_of_an_axis_swing_as_a_cantilever_does() -> None:
    """3.516 √(EI/mL⁴) for an even beam: the frequency of many joints together is 1.5 % below."""
    plant, radius, joints = chain(401, 1.0, 0.01), 0.01, 400
    second, per_metre = np.pi * radius**4 / 4, 800 * np.pi * radius**2
    compliance = np.full((401, 3), 1 / joints / (2e9 * second))
    compliance[0] = 0
    above = 1 - np.clip(np.arange(401) - 1, 0, joints) / joints
    inertia = np.repeat((per_metre * above**3 / 3)[:, None], 3, axis=1)
    omega = rhythm(plant, compliance, inertia, together=True)
    assert omega[5, 0] == pytest.approx(3.516 * np.sqrt(2e9 * second / per_metre), rel=0.02)


def test_weight_on_a_joint_that_bends_and_twists_is_the_slope_of_its_energy() -> None:
    """So that it does no work around a closed path; its moment alone would."""
    rng = np.random.default_rng(5)
    turn, reach, force = (rng.normal(size=3) * scale for scale in (0.2, 1.0, 1.0))

    def energy(r: FloatArray) -> float:
        return float(force @ rotation(r[:, None])[..., 0] @ reach)

    slope = [(energy(turn + e) - energy(turn - e)) / 2e-5 for e in 1e-5 * np.eye(3)]
    moment = np.cross(reach, rotation(turn[:, None])[..., 0].T @ force)
    assert np.abs(moment - slope).max() > 0.05
    assert work_of_turns(turn[:, None], moment[:, None])[:, 0] == pytest.approx(slope, abs=3e-3)


def test_what_wind_or_weight_has_of_a_spring_feeds_no_swing() -> None:
    """A moment that pulls back with what the turn was at the step's start, eight times as stiff as the joint itself."""
    motion = leaf_motion(weight="none")
    segments, h = replace(motion.body.segments, damping=0.0), np.full((1, 1), 1 / 60)
    turn, rate, still = 1e-3 * segments.shape[:, None], np.zeros((3, 1, motion.plant.nodes)), np.zeros((1, 1))
    stiff = 8 / np.maximum(segments.compliance[:, None], 1e-300)
    swings = []
    for _ in range(600):
        pull = Joints(np.where(segments.compliance[:, None] > 0, -stiff * turn, 0), still, still)
        turn, rate = implicit_turn(segments, turn, rate, pull, h, np.ones((1, 1)))
        swings.append(float(np.abs(turn).max()))
    assert max(swings[-100:]) < 1.05 * max(swings[:100])


def test_what_is_not_the_first_mode_of_an_axis_dies_out_sooner() -> None:
    segments = leaf_motion().body.segments
    whole = segments.shape[:, None]
    assert segments.swinging(whole) == pytest.approx(whole)
    other = np.random.default_rng(6).normal(size=whole.shape) * (segments.compliance[:, None] > 0)
    other -= segments.swinging(other)
    still, h = Joints(np.zeros(whole.shape), *np.zeros((2, 1, 1))), np.full((1, 1), 1e-5)
    lost = [
        1 - implicit_turn(segments, np.zeros(whole.shape), rate, still, h, np.ones((1, 1)))[1] / np.where(rate, rate, 1)
        for rate in (whole, other)
    ]
    moves = (segments.compliance[:, None] > 0) & (segments.omega[:, None] < 1e3)
    assert np.median(lost[1][moves] / lost[0][moves]) == pytest.approx(segments.overtone, rel=0.05)


def test_a_mid_rib_keeps_its_blades_limits_where_it_carries_no_row() -> None:
    plant, blade, aspect = random_plant(50)  # eight segments to a mid-rib, five rows to a blade
    motion = BroadleafMotion(plant, blade=blade, aspect=aspect)
    segments, ribs = motion.body.segments, motion.blades.ribs
    inner = [node for base, apex in ribs.segment[:, [0, -1]] for node in range(base, apex + 1)]
    bare = segments.rank[np.setdiff1d(inner, ribs.segment)]
    assert len(bare) > 0
    assert (segments.compliance[2, bare] == 0).all()
    assert segments.most[1, bare].max() < 0.05


def test_rows_keep_their_distance_where_a_mid_rib_begins_to_bend() -> None:
    """The cubic through its nodes runs faster there, by 1 % for 0.35 rad, and slower after."""
    motion = BroadleafMotion(one_leaf(segments=4), along=25, across=3)
    segments, bend = motion.body.segments, np.zeros((3, 1, motion.plant.nodes))
    steps = []
    for angle in (0.0, 0.35):
        bend[0, 0, segments.rank[6]] = angle
        rows = motion.body.stations.rows(*segments.posed(bend))
        steps.append(np.linalg.norm(np.diff(rows.centre[:, 0, 0], axis=-1), axis=0))
    assert steps[1] / steps[0] == pytest.approx(1, abs=0.0035)


def test_a_tip_that_contact_holds_is_not_driven_by_its_own_velocity() -> None:
    """Contact that resists its points and gives them back four fifths of it, at the end of the arm."""
    motion = leaf_motion(weight="none")
    body, moving, places = motion.body, motion._moving(motion.rest()), Places()
    step, calm = lift_step(body.points, places, 1 / 60, motion.constants), np.zeros((3, 1, motion.plant.nodes))
    tip = np.zeros(body.points.mass.shape)
    tip[:, -1] = 50.0

    class Held:
        def pressed(self, *state: FloatArray) -> tuple[Pressed, FloatArray]:
            return Pressed(0.8 * tip * state[1], tip[None]), moving.side

    held = replace(body, contacts=Held())  # type: ignore[arg-type]
    now = replace(moving, rate=0.1 * body.segments.shape[:, None] / body.segments.shape.max())
    speeds = []
    for _ in range(60):
        now = substep(held, now, Air(calm, body.stations.read(calm)[..., None]), step, places)
        speeds.append(float(np.abs(now.velocity).max()))
    assert max(speeds[30:]) < 0.1 * speeds[0]


# --- eq. 6


def grid(tilt: float = 0.0) -> FloatArray:
    """(3, 1, 1, 3, 3): rows along x, columns along z, tilted about x."""
    x, z = np.meshgrid(np.arange(3.0), np.arange(-1.0, 2.0), indexing="ij")
    return np.stack([x, -np.sin(tilt) * z, np.cos(tilt) * z])[:, None, None]


def test_wind_on_a_blade_acts_along_its_normal() -> None:
    """C_w (n · V) n, whatever side it comes from."""
    n = np.array([0, np.cos(0.3), np.sin(0.3)])
    for wind in ([2.0, -5, 1], [-2.0, 5, -1]):
        air = np.array(wind)[:, None, None, None, None]
        met = blown(grid(0.3), np.zeros((3, 1, 1, 3, 3)), air, np.full((1, 3, 3), 0.7), law="paper")
        for i in range(3):
            assert met.force[:, 0, 0, i, 1] == pytest.approx(0.7 * (n @ wind) * n)


def test_drag_on_a_blade_grows_with_the_square_of_the_relative_wind() -> None:
    velocity = np.zeros((3, 1, 1, 3, 3))
    velocity[1] = 2.0
    met = blown(grid(), velocity, np.array([0, 5.0, 0])[:, None, None, None, None], np.full((1, 3, 3), 0.7), law="drag")
    assert met.force[1] == pytest.approx(np.full((1, 1, 3, 3), 0.7 * 3 * 3))


def test_normals_are_the_mean_over_the_surrounding_triangles() -> None:
    """A blade folded along its middle: rims look to their own half's normal, the middle straight up."""
    fold = grid()
    fold[1] = np.abs(fold[2]) * np.tan(0.4)
    found = normals(fold)[:, 0, 0, 1]
    assert found[:, 1] == pytest.approx([0, 1, 0])
    assert found[:, 0] == pytest.approx([0, np.cos(0.4), np.sin(0.4)])
    assert found[:, 2] == pytest.approx([0, np.cos(0.4), -np.sin(0.4)])


# --- eq. 7, fig. 5, eq. 8


def test_support_bears_its_share_of_the_weight() -> None:
    share, mass = np.array([1.0, 0.6]), np.array([0.002, 0.004])
    assert support(share, mass) == pytest.approx([0.002 * GRAVITY, 0.6 * 0.004 * GRAVITY])
    level = np.ones(2)
    assert hung(level, level, share, mass, balanced=True) == pytest.approx([0, 0], abs=1e-18)
    assert hung(level, level, share, mass, balanced=False) == pytest.approx([0, -0.4 * 0.004 * GRAVITY])
    assert hung(level, -level, share, mass, balanced=True) == pytest.approx(2 * mass * GRAVITY)


def test_forces_along_a_vein_come_in_pairs_that_balance() -> None:
    away = np.zeros((4, 3))
    away[1, 0] = 0.01
    force = pair_forces(away, 50.0)
    assert force[:, 0] == pytest.approx([0.5, -1.0, 0.5, 0])
    assert np.abs(force[:, 1:]).max() == 0
    rng = np.random.default_rng(2)
    assert pair_forces(rng.normal(size=(9, 5)), 3.0).sum(axis=0) == pytest.approx(np.zeros(5), abs=1e-13)


def test_the_implicit_step_of_the_pairs_solves_their_equation() -> None:
    before = np.random.default_rng(3).normal(size=(6, 3))
    after = pair_response(6, np.array([0.4]))[0] @ before
    assert after - pair_forces(after, 0.4) == pytest.approx(before, abs=1e-13)


def leaf_motion(**changes: Any) -> BroadleafMotion:
    constants = BroadleafConstants(contact=False, **changes)
    return BroadleafMotion(one_leaf(), wood=wood_of("banana"), constants=constants, along=5, across=5)


def test_a_point_accelerates_by_force_over_its_inertia() -> None:
    """f/(C_r m), eq. 8: at rest, only the wind acts."""
    motion, h = leaf_motion(wind_law="paper", weight="none"), 1e-5
    points, state = motion.body.points, motion._moving(motion.rest())
    air = np.zeros((3, 1, 1, 5, 1))
    air[1] = 3.0
    met = blown(state.point, state.velocity, air, points.wind, law="paper")
    step = lift_step(points, Places(), h, motion.constants)
    push = pushed(points, step, state.rows, state.point, state.velocity, met, "none")
    risen = explicit_lift(points, step, state.lift, push) - points.home[2]
    facing = np.einsum("i...,i...->...", met.force, state.rows.normal[..., None])
    assert risen == pytest.approx(h**2 * facing / (points.support * points.mass), rel=1e-9)
    once = implicit_lift(points, step, state.lift, push) - points.home[2]
    assert once[..., [0, 4]] == pytest.approx(risen[..., [0, 4]], rel=0.01)


def test_rigidity_and_mass_fall_from_base_to_apex_and_from_mid_rib_to_rim() -> None:
    points, area = leaf_motion().body.points, leaf_motion().blades.area
    for values in (points.support, points.mass / area):
        assert (np.diff(values[0], axis=0) < 0).all()
        assert (np.diff(values[0, :, 2:], axis=1) < 0).all()
        assert values[0, :, :2] == pytest.approx(values[0, :, :2:-1])
    assert points.mass.sum() == pytest.approx(area.sum() * 0.2, rel=0.3)


def test_turned_vectors_keep_their_length_and_turn_about_the_axis() -> None:
    turn = first(np.array([[0, 0, np.pi / 2], [1e-9, 0, 0], [0.3, -0.4, 1.2]]))
    matrices = np.moveaxis(rotation(turn), -1, 0)
    assert matrices[0] @ [1, 0, 0] == pytest.approx([0, 1, 0])
    for one in matrices:
        assert one @ one.T == pytest.approx(np.eye(3), abs=1e-12)
