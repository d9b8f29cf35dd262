"""Storm damage: what breaks, what is left, and what falls."""

from functools import lru_cache

import numpy as np
import pytest

from windflower.mechanics import Modes, analyse
from windflower.motion import ModalMotion, ModalState, Places
from windflower.motion.breaking.cuts import cut
from windflower.motion.breaking.remnant import Sway, energy, remnant_modes, shared_out
from windflower.motion.poses.pose import ShapeState
from windflower.plant.detail import with_detail
from windflower.plant.graph import Leaves, Plant
from windflower.plant.growth import grow


@lru_cache
def birch() -> Modes:
    return analyse(with_detail(grow("silver-birch", seed=1), 0.12), count=20, cells=3, cache=False)


def blown(modes: Modes, speed: float = 24.0) -> ShapeState:
    """A birch in the middle of a gust: leaning, and swinging."""
    motion = ModalMotion(modes, speed=10.0)
    air = np.zeros((1, modes.cells, 3))
    state = motion.settled(Places(), air)
    for number in range(30):
        air[..., 0] = speed * min(1.0, number / 15)
        air[:, 1, 2] = 5.0
        state = motion.step(state, air, 1 / 30)
    return motion.shape_state(state)


def thick_branch(plant: Plant) -> int:
    """The side axis with most wood."""
    begins = np.flatnonzero((plant.order == 1) & ~plant.continues)
    return int(begins[np.argmax(plant.subtree_sum(plant.segment_volume)[begins])])


def stem_at(plant: Plant, height: float) -> int:
    stem = np.flatnonzero((plant.order == 0) & (plant.parent >= 0))
    return int(stem[np.argmin(np.abs(plant.position[stem, 1] - height))])


def breaks(plant: Plant) -> dict[str, int]:
    return {"branch": thick_branch(plant), "trunk": stem_at(plant, 0.5 * plant.height)}


@pytest.mark.parametrize("what", ["branch", "trunk"])
def test_a_cut_keeps_every_segment_and_every_leaf_once(what: str) -> None:
    plant = birch().plant
    parts = cut(plant, np.array([breaks(plant)[what]]))
    both = (parts.remnant, *parts.pieces)
    ends = np.concatenate([part.node[part.plant.segments] for part in both])
    assert sorted(ends[ends >= 0]) == plant.segments.tolist()
    assert sum(len(part.plant.leaves) for part in both) == len(plant.leaves)
    for part in both:
        own = part.own
        assert np.array_equal(part.plant.position[own], plant.position[part.node[own]])
        inner = own[part.plant.parent[own] >= 0]
        assert np.array_equal(part.plant.base_radius[inner], plant.base_radius[part.node[inner]])


@pytest.mark.parametrize("what", ["branch", "trunk"])
def test_what_is_left_goes_on_from_the_same_positions_and_velocities(what: str) -> None:
    modes, state = birch(), blown(birch())
    part = cut(modes.plant, np.array([breaks(modes.plant)[what]])).remnant
    sway = Sway.of(state, 0).on(part)
    after, amount, rate = shared_out(remnant_modes(modes, part, cache=False), sway)
    shapes = np.concatenate([after.shape, after.static.reshape(-1, part.plant.nodes, 6)])
    own, size = part.own, np.abs(sway.displacement[:, :3]).max()
    assert size > 0.2  # it was bent
    assert np.abs(np.tensordot(amount, shapes, 1)[own] - sway.displacement[own])[:, :3].max() < 1e-7 * size
    speed = np.abs(sway.velocity[:, :3]).max()
    assert np.abs(np.tensordot(rate, shapes, 1)[own] - sway.velocity[own])[:, :3].max() < 1e-7 * speed
    before = ModalMotion(modes).pose(_posed(ModalMotion(modes), state.amount[0], state.rate[0]))
    motion = ModalMotion(after)
    seen = motion.pose(_posed(motion, amount, rate))
    assert np.abs(seen[0, own] - before[0, part.node[own]]).max() < 1e-7 * size


def _posed(motion: ModalMotion, amount: np.ndarray, rate: np.ndarray) -> ModalState:
    rest = motion.rest(Places())
    return rest.with_amounts(amount[None], rate[None], excess=rest.excess)


@pytest.mark.parametrize("what", ["branch", "trunk"])
def test_energy_never_rises_at_a_break_nor_after_it_in_still_air(what: str) -> None:
    modes, state = birch(), blown(birch())
    part = cut(modes.plant, np.array([breaks(modes.plant)[what]])).remnant
    whole = Sway.of(state, 0)
    own = remnant_modes(modes, part, cache=False)
    after, amount, rate = shared_out(own, whole.on(part))
    start = energy(own, whole.on(part))
    assert start < energy(modes, whole)  # a part of it went with the piece
    static = after.static.reshape(-1, part.plant.nodes, 6)
    shapes = np.concatenate([after.shape, static])

    def now(q: np.ndarray, v: np.ndarray) -> float:
        return energy(own, Sway(np.tensordot(q, shapes, 1), np.tensordot(v, shapes, 1)))

    assert now(amount, rate) == pytest.approx(start, rel=1e-9)
    motion, calm = ModalMotion(after, pose="linear"), np.zeros((1, after.cells, 3))
    moved, last = _posed(motion, amount, rate), start
    for _ in range(120):
        moved = motion.step(moved, calm, 1 / 240)
        free = np.concatenate([moved.q[0], np.zeros(len(static))])
        going = np.concatenate([moved.rate[0], np.zeros(len(static))])
        energy_now = now(free, going)  # of modes; static vectors follow the wind
        assert energy_now <= last * (1 + 1e-12)
        last = energy_now


@pytest.mark.parametrize("what", ["branch", "trunk"])
def test_a_broken_crown_has_the_frequencies_of_a_fresh_analysis_of_what_is_left(what: str) -> None:
    modes = birch()
    plant, node = modes.plant, breaks(modes.plant)[what]
    part = cut(plant, np.array([node])).remnant
    after, amount, rate = shared_out(remnant_modes(modes, part, cache=False), Sway.of(blown(modes), 0).on(part))
    own = after.number > 0  # of all modes of what is left, counted from 1; what fades after the break has none
    fresh = analyse(
        _pruned(plant, node), count=int(after.number.max()), roots=_spring(modes), cache=False, chosen="lowest"
    )
    assert np.abs(after.frequency[own] / fresh.frequency[after.number[own] - 1] - 1).max() < 0.02
    heard = _heard(ModalMotion(after, pose="linear"), amount, rate, int(part.own[np.argmax(part.plant.order == 0)]) + 8)
    assert np.abs(fresh.frequency / heard - 1).min() < 0.02


def _heard(motion: ModalMotion, amount: np.ndarray, rate: np.ndarray, node: int) -> float:
    """The frequency, Hz, at which a node swings most in still air."""
    state, calm, dt, track = _posed(motion, amount, rate), np.zeros((1, motion.modes.cells, 3)), 1 / 30, []
    for _ in range(30 * 30):
        state = motion.step(state, calm, dt)
        track.append(np.tensordot(state.q[0], motion.modes.shape[:, node, [0, 2]], 1))
    seen = np.array(track)
    power = np.square(np.abs(np.fft.rfft(np.hanning(len(seen))[:, None] * seen, 2**15, axis=0))).sum(axis=1)
    return float(np.fft.rfftfreq(2**15, dt)[np.argmax(power)])


def _pruned(plant: Plant, node: int) -> Plant:
    """The plant without a subtree, made here from its arrays, without torn ends."""
    gone = {node}
    for one in range(node, plant.nodes):
        if int(plant.parent[one]) in gone:
            gone.add(one)
    keep = np.array([one for one in range(plant.nodes) if one not in gone])
    new = {int(old): number for number, old in enumerate(keep)}
    on = np.array([int(leaf) in new for leaf in plant.leaves.node])
    leaves = plant.leaves
    return Plant(
        parent=[new.get(int(plant.parent[old]), -1) for old in keep],
        position=plant.position[keep],
        radius=plant.radius[keep],
        base_radius=plant.base_radius[keep],
        order=plant.order[keep],
        leaves=Leaves(
            node=np.array([new[int(leaf)] for leaf in leaves.node[on]]),
            place=leaves.place[on],
            orientation=leaves.orientation[on],
            size=leaves.size[on],
        ),
        species=plant.species,
        seed=plant.seed,
    )


def _spring(modes: Modes) -> float:
    from windflower.mechanics.roots import root_springs

    return float(root_springs(modes.plant, modes.wood, "spring")[0])
