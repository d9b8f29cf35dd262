"""Levels that come and go, branches that become physical and go back: without a jump, and nothing is left over."""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.hybrids import blown, calm, grove, printed, small_tree
from windflower import Plant
from windflower.core.arrays import FloatArray
from windflower.motion import HybridMotion, HybridState, Touch
from windflower.motion.hybrid.branch_kinds import COLOURS, Kind
from windflower.motion.hybrid.branch_laws import BranchLaws
from windflower.motion.hybrid.fades import Fades, smooth_step
from windflower.motion.hybrid.physical_branches import HandOver, PhysicalBranches
from windflower.plant.block import joined

COARSE = 1 / 240
QUICK = HandOver(swing=0.06, lasts=0.12)


def two_forks() -> Plant:
    """Two trees of long branches, slow enough that a fine step resolves how they swing."""
    position = np.array([[0, 0, 0], [0, 2, 0], [0.3, 4, 0], [1.5, 2.8, 0.4], [-0.8, 3.1, 0.9], [2.4, 3.8, 0]])
    fork = Plant(
        parent=[-1, 0, 1, 1, 1, 3],
        position=position,
        radius=[0.08, 0.07, 0.05, 0.03, 0.03, 0.02],
        order=[0, 0, 0, 1, 1, 2],
    )
    return joined([fork, fork], [[0, 0, 0], [6, 0, 2]])


def test_a_smooth_fade_from_rest_is_the_papers_alpha_and_a_linear_one_its_line() -> None:
    u = np.linspace(0, 1, 21)
    for smooth, expected in ((True, 3 * u**2 - 2 * u**3), (False, u)):
        fade = Fades.resting(np.zeros(1), smooth=smooth).toward(np.ones(1), 2.0)
        values = [float(fade.value[0])]
        for _ in u[1:]:
            fade = fade.after(0.1)
            values.append(float(fade.value[0]))
        np.testing.assert_allclose(values, expected, atol=1e-12)
        assert not fade.moving.any()
        assert values[-1] == 1.0
    np.testing.assert_allclose(smooth_step(u), 3 * u**2 - 2 * u**3)


@given(st.lists(st.tuples(st.floats(0.001, 1.5), st.booleans()), min_size=1, max_size=12))
def test_a_smooth_fade_turns_round_at_any_time_without_a_jump_of_its_rate(turns: list[tuple[float, bool]]) -> None:
    fade = Fades.resting(np.zeros(1), smooth=True)
    for wait, up in turns:
        turned = fade.toward(np.array([float(up)]), 1.0)
        assert turned.value == pytest.approx(fade.value, abs=1e-12)
        assert turned.rate == pytest.approx(fade.rate, abs=1e-12)
        fade = turned.after(wait)
        assert -0.05 < fade.value[0] < 1.05
        nudge = fade.after(1e-6)
        if nudge.moving.all():
            assert (nudge.value - fade.value) / 1e-6 == pytest.approx(fade.rate, abs=1e-4)
    done = fade.after(2.0)
    assert done.value == turns[-1][1]
    assert done.rate == 0


@dataclass
class Puppeteer:
    """Random switches: levels of trees, grabs and releases, whatever is going on at the moment."""

    motion: HybridMotion
    seed: int
    touch: Touch | None = None

    def run(self, switches: int, dt: float) -> FloatArray:
        """(steps, nodes, 2) all angles, in gusts, with a switch every few coarse steps."""
        rng = np.random.default_rng(self.seed)
        state, t, angles = self.motion.rest(), 0.0, []
        for _ in range(switches):
            state = self._switched(state, rng)
            for _ in range(int(rng.integers(3, 20)) * round(COARSE / dt)):
                t += dt
                state = blown(self.motion, state, t, dt, self.touch)
                angles.append(self.motion.angles(state)[0])
        return np.array(angles)

    def _switched(self, state: HybridState, rng: np.random.Generator) -> HybridState:
        kind, plant = rng.integers(4), self.motion.plant
        if kind == 0:
            return self.motion.with_levels(state, rng.integers(0, 4, (1, len(plant.roots))))
        if kind == 1 or self.touch is not None:
            self.touch = None
            return state
        node = int(rng.choice(plant.segments))
        place = self.motion.pose(state)[0, node] + rng.normal(size=3) * 0.2
        self.touch = Touch(node=node, target=place, grip=3.0, lag=0.2)
        return state


def jumps(angles: FloatArray, dt: float) -> tuple[float, float]:
    """The largest change of an angle in a step, and of an angular velocity from step to step."""
    rate = np.diff(angles, axis=0) / dt
    return float(np.abs(np.diff(angles, axis=0)).max()), float(np.abs(np.diff(rate, axis=0)).max())


def switched(switches: int, seed: int, fading: str) -> tuple[tuple[float, float], tuple[float, float]]:
    """Jumps with coarse and with fine steps of the same switches at the same times."""
    found = []
    for dt in (COARSE, COARSE / 4):
        motion = printed(two_forks(), fade=0.15, fading=fading, hand_over=QUICK)
        found.append(jumps(Puppeteer(motion, seed).run(switches, dt), dt))
    return found[0], found[1]


@pytest.mark.slow
def test_over_60_random_switches_neither_angles_nor_their_rates_jump() -> None:
    """What is smooth changes in a fine step a fourth of what it changes in a coarse one; a jump stays what it is."""
    coarse, fine = switched(60, 1, "smooth")
    assert fine[0] < 0.4 * coarse[0]
    assert fine[1] < 0.5 * coarse[1]


def test_the_printed_linear_fade_jumps_in_rate_but_not_in_angle() -> None:
    coarse, fine = switched(40, 1, "linear")
    assert fine[0] < 0.4 * coarse[0]
    assert fine[1] > 0.8 * coarse[1], "the test above can fail"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_many_more_switches(seed: int) -> None:
    coarse, fine = switched(400, 10 + seed, "smooth")
    assert fine[0] < 0.4 * coarse[0]
    assert fine[1] < 0.5 * coarse[1]


def test_a_grab_takes_over_position_and_velocity_at_once() -> None:
    motion = printed(grove())
    state, dt = motion.rest(), 1 / 60
    for step in range(30):
        state = blown(motion, state, step * dt, dt)
    node = int(motion.plant.tips[40])
    tree = motion.plant.tree[node]
    free, taken = blown(motion, state, 0.5, dt), blown(motion, state, 0.5, dt, Touch(node=node, force=np.zeros(3)))
    assert len(taken.physical) > 10
    np.testing.assert_allclose(motion.pose(taken), motion.pose(free), atol=1e-12)
    kinds = motion.kinds(taken)[0]
    below = (motion.plant.order <= motion.plant.order[node]) & (motion.plant.tree == tree)
    below[motion.plant.roots] = False
    assert set(kinds[below]) == {Kind.PHYSICAL, Kind.HELD}
    assert set(kinds[~below & (motion.plant.parent >= 0)]) == {Kind.ANIMATED}


def test_let_go_every_branch_returns_to_its_procedural_motion_and_its_memory_is_freed() -> None:
    motion = printed(grove())
    node = int(motion.plant.tips[12])
    free = state = motion.rest()
    touch = Touch(node=node, target=motion.plant.position[node] + np.array([0.4, -0.3, 0.2]))
    seen = set()
    for step in range(300):
        t, dt = step / 60, 1 / 60
        free, state = blown(motion, free, t, dt), blown(motion, state, t, dt, touch if step < 60 else None)
        numbers = motion.statistics(state)
        seen |= {kind for kind in Kind if (motion.kinds(state) == kind).any()}
        assert numbers.physical_bytes == len(state.physical) * (4 * 8 + 17)
        if step == 59:
            assert np.abs(motion.pose(state) - motion.pose(free)).max() > 0.1
            assert numbers.held == 1
    assert seen == {Kind.FIXED, Kind.ANIMATED, Kind.TRANSITION, Kind.PHYSICAL, Kind.HELD}
    assert len(state.physical) == numbers.physical == numbers.physical_bytes == 0
    np.testing.assert_array_equal(motion.pose(state), motion.pose(free))


def test_a_hand_that_comes_back_in_the_middle_of_the_blend_goes_on_from_what_is_seen() -> None:
    motion = printed(small_tree(), hand_over=HandOver(swing=0, lasts=1.0))
    node, dt = int(small_tree().tips[5]), 1 / 240
    touch = Touch(node=node, target=small_tree().position[node] + np.array([0.3, 0, 0.1]))
    state = motion.rest()
    for _ in range(120):
        state = motion.step(state, calm(motion, state), dt, touch=touch)
    for _ in range(120):
        state = motion.step(state, calm(motion, state), dt)
    assert (motion.kinds(state) == Kind.TRANSITION).any()
    physical = state.physical.taken(state.physical.joint, motion.hand_over)
    share = motion.hand_over.weight(state.physical.since)[:, None]
    np.testing.assert_allclose(physical.turn, share * state.physical.turn)
    later = motion.hand_over.weight(state.physical.since + 1e-6)[:, None]
    moving = (later * (state.physical.turn + 1e-6 * state.physical.rate) - share * state.physical.turn) / 1e-6
    np.testing.assert_allclose(physical.rate, moving, atol=1e-4)
    assert (physical.since == 0).all()


def grabbed_again_and_again(grabs: int) -> None:
    motion = printed(two_forks(), hand_over=HandOver(swing=0.02, lasts=0.04))
    state, rng = motion.rest(), np.random.default_rng(0)
    air = calm(motion, state)
    for _ in range(grabs):
        touch = Touch(node=int(rng.choice(motion.plant.segments)), force=rng.normal(size=3))
        for _ in range(2):
            state = motion.step(state, air, 0.02, touch=touch)
        for _ in range(int(rng.integers(0, 5))):
            state = motion.step(state, air, 0.02)
        assert len(state.physical) <= len(motion.plant.segments)
    for _ in range(4):
        state = motion.step(state, air, 0.02)
    assert motion.statistics(state).physical_bytes == 0
    assert len(state.held) == 0
    np.testing.assert_allclose(motion.pose(state)[0], motion.plant.position, atol=1e-12)


def test_a_hundred_grabs_leave_nothing() -> None:
    grabbed_again_and_again(100)


@pytest.mark.slow
def test_ten_thousand_grabs_leave_no_growth() -> None:
    import tracemalloc

    grabbed_again_and_again(50)  # caches fill
    tracemalloc.start()
    try:
        grabbed_again_and_again(10_000)
        assert tracemalloc.get_traced_memory()[0] < 2e6
    finally:
        tracemalloc.stop()


def test_levels_fade_in_and_out_and_cost_nothing_without_wind() -> None:
    motion = printed(grove(), fade=0.5)
    state = motion.rest(levels=0)
    assert motion.moved(blown(motion, state, 0.3, 0.1))[0].size == 0
    state = motion.with_levels(state, [[2, 0, 1, 0, 0]])
    assert motion.with_levels(state, [[2, 0, 1, 0, 0]]) is state
    state = blown(motion, state, 0.3, 0.25)
    kinds = motion.kinds(state)[0]
    assert set(kinds[motion.plant.tree == 0]) == {Kind.FIXED, Kind.TRANSITION}
    assert set(kinds[motion.plant.tree == 1]) == {Kind.FIXED}
    half = motion.angles(state)
    state = blown(motion, state, 0.3, 0.3)
    np.testing.assert_allclose(motion.angles(state), 2 * half, atol=1e-12)
    moving = np.unique(motion.plant.tree[motion.kinds(state)[0] > Kind.FIXED])
    assert moving.tolist() == [0, 2]
    assert Kind.TRANSITION not in motion.kinds(state)
    state = blown(motion, motion.with_levels(state, 0), 0.3, 0.6)
    assert motion.moved(state)[0].size == 0
    assert motion.statistics(state).fixed == len(motion.plant.segments)


def test_a_bird_on_a_twig_makes_only_what_feels_it_physical() -> None:
    plant = small_tree()
    laws = BranchLaws(stiffness="bending")
    by_root, by_touch = printed(plant, laws=laws), printed(plant, laws=laws, nesting="felt")
    node = int(plant.tips[np.argmax(plant.order[plant.tips])])
    bird = Touch(node=node, force=(0, -0.5, 0))
    results = []
    for motion in (by_root, by_touch):
        state = motion.rest()
        for _ in range(40):
            state = motion.step(state, calm(motion, state), 50.0, touch=bird)
        results.append((motion.pose(state)[0], state.physical.joint))
    assert set(results[1][1]) < set(plant.path(node)[:-1])
    assert len(results[1][1]) < len(results[0][1]) / 4
    moved = [points[node] - plant.position[node] for points, _ in results]
    np.testing.assert_allclose(moved[1], moved[0], rtol=0.1, atol=0.02 * np.abs(moved[0]).max())


def test_every_kind_has_its_colour() -> None:
    assert set(COLOURS) == set(Kind)
    assert PhysicalBranches().nbytes == 0
