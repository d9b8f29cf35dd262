"""Storm damage: what breaks, what is left, and what falls."""

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from windflower.core.arrays import FloatArray
from windflower.core.device import Gpu
from windflower.errors import SceneError
from windflower.mechanics import Modes, analyse
from windflower.mechanics.roots import root_springs
from windflower.motion import ModalMotion, ModalState, Places
from windflower.motion.breaking.cuts import cut
from windflower.motion.breaking.piece import Body, PieceMotion, body_of, released
from windflower.motion.breaking.remnant import Sway, energy, remnant_modes, shared_out
from windflower.motion.breaking.toppling import TopplingMotion, with_root_plate
from windflower.motion.poses.pose import ShapeState
from windflower.plant.detail import with_detail
from windflower.plant.graph import Leaves, Plant
from windflower.plant.growth import grow
from windflower.scene import PlantCache, Scene, SceneSettings, build, read_scene
from windflower.simulation import DeviceSimulation, Simulation
from windflower.viewer.session import Session


@lru_cache
def birch() -> Modes:
    return analyse(with_detail(grow("silver-birch", seed=1), 0.08), count=16, cells=3, cache=False)


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
    return float(root_springs(modes.plant, modes.wood, "spring")[0])


def birch_body() -> Body:
    modes = birch()
    return body_of(modes, cut(modes.plant, np.array([thick_branch(modes.plant)])).pieces[0])


def lifted(body: Body, height: float) -> FloatArray:
    return body.plant.position + np.array([0.0, height, 0.0])


def test_a_piece_takes_its_momentum_and_its_bend_along() -> None:
    body, draw = birch_body(), np.random.default_rng(3)
    turn = np.linalg.qr(draw.normal(size=(3, 3)))[0]
    turn *= np.sign(np.linalg.det(turn))
    points = body.plant.position @ turn.T + draw.normal([0.0, 30.0, 0.0], 0.05, body.plant.position.shape)
    velocity = draw.normal([4.0, 0.0, 1.0], 2.0, points.shape)
    state = released(body, Places(), points, velocity)
    motion = PieceMotion(body, state)
    assert np.abs(motion.pose(state)[0] - points).max() < 1e-9
    assert body.total * state.velocity[0] == pytest.approx(body.mass @ velocity)
    about = points - body.middle(points)
    momentum = (body.mass[:, None] * np.cross(about, velocity)).sum(axis=0)
    rigid = np.cross(state.spin[0], about)
    assert (body.mass[:, None] * np.cross(about, rigid)).sum(axis=0) == pytest.approx(momentum, rel=1e-4)
    soon = motion.step(state, np.zeros((1, 6, 3)), 1e-5)
    falls = (motion.pose(soon)[0] - points) / 1e-5
    assert np.abs(falls - velocity).max() < 0.05


def test_a_piece_falls_freely_without_air_and_comes_to_lie_on_the_ground() -> None:
    body = birch_body()
    heavy = Body(body.plant, body.mass, np.zeros_like(body.drag), body.streamlined)
    start = released(heavy, Places(), lifted(body, 3.0), np.zeros_like(body.plant.position))
    motion = PieceMotion(heavy, start)
    state, calm, top = start, np.zeros((1, 6, 3)), motion.energy(start)
    for _ in range(12):
        state = motion.step(state, calm, 1 / 24)
    assert start.centre[0, 1] - state.centre[0, 1] == pytest.approx(9.80665 / 2 * 0.5**2, rel=0.03)
    assert motion.energy(state) == pytest.approx(top, rel=1e-2)
    last = top
    for _ in range(24 * 6):
        state = motion.step(state, calm, 1 / 24)
        assert motion.energy(state) <= last + 0.02 * top  # the ground gives nothing back
        last = motion.energy(state)
    assert state.still[0] > 0.7
    lying = motion.pose(state)[0, :, 1]
    assert -0.6 < lying.min() < 0.1
    assert state.centre[0, 1] < 2.0


def test_leaves_slow_the_fall_and_wind_carries_a_piece_along() -> None:
    body = birch_body()
    start = released(body, Places(), lifted(body, 20.0), np.zeros_like(body.plant.position))
    motion = PieceMotion(body, start)
    blowing = np.zeros((1, 6, 3))
    blowing[..., 0] = 10.0
    calm, windy = start, start
    for _ in range(36):
        calm, windy = motion.step(calm, 0 * blowing, 1 / 24), motion.step(windy, blowing, 1 / 24)
    assert 2.0 < -calm.velocity[0, 1] < 0.9 * 9.81 * 1.5
    assert windy.centre[0, 0] - calm.centre[0, 0] > 3.0


def test_a_scaled_piece_falls_as_far_in_the_world() -> None:
    body = birch_body()
    heavy = Body(body.plant, body.mass, np.zeros_like(body.drag), body.streamlined)
    twice = Places(scale=2.0)
    start = released(heavy, twice, lifted(body, 5.0), np.zeros_like(body.plant.position))
    motion, state = PieceMotion(heavy, start), start
    for _ in range(12):
        state = motion.step(state, np.zeros((1, 6, 3)), 1 / 24)
    assert 2 * (start.centre[0, 1] - state.centre[0, 1]) == pytest.approx(9.80665 / 2 * 0.5**2, rel=0.03)


def pulled(speed: float, seconds: float) -> tuple[TopplingMotion, list[float], list[FloatArray]]:
    """A birch whose roots have given way, in a wind along x: the motion, its angles, degrees, and its poses."""
    modes = birch()
    below, air = ModalMotion(modes, speed=10.0), np.zeros((1, modes.cells, 3))
    air[..., 0] = 24.0
    start = below.settled(Places(), air)
    moment = below.strain(start).root_moment[0, 0]
    motion = TopplingMotion(below, with_root_plate(modes.plant), body_of(modes), moment, start)
    state, blows = motion.rest(), np.zeros((1, modes.cells + 6, 3))
    blows[..., 0] = speed
    angles, poses = [0.0], [motion.pose(state)]
    for _ in range(round(24 * seconds)):
        state = motion.step(state, blows, 1 / 24)
        angles.append(float(np.degrees(state.angle[0])))
        poses.append(motion.pose(state))
    return motion, angles, poses


def test_a_tree_goes_over_to_lee_and_stays_there() -> None:
    motion, angles, poses = pulled(24.0, 9.0)
    nodes, rest = birch().plant.nodes, ModalMotion(birch())
    first = rest.pose(motion.rest().borne)
    assert np.abs(poses[0][:, :nodes] - first).max() < 1e-12  # nothing jumps
    assert np.abs(poses[1][:, :nodes] - first).max() < 0.1
    assert 60 < angles[-1] < 100
    assert abs(angles[-1] - angles[-24]) < 1.0
    top = int(np.argmax(birch().plant.position[:, 1]))
    assert poses[-1][0, top, 0] > 5.0
    chord = np.linalg.norm(np.diff(poses[-1][0][motion.plant.path(top)], axis=0), axis=1)
    assert chord == pytest.approx(motion.plant.length[motion.plant.path(top)[:-1]], rel=1e-6)


def test_a_loosened_tree_stands_in_a_lull() -> None:
    assert pulled(5.0, 4.0)[1][-1] < 5.0


STORM = """
title = "a birch"
[[stands]]
plant = "silver-birch"
detail = 0.08
count = 2
spacing = 12
scale_variation = 0.0
stiffness_variation = 0.0
breaks = {breaks}
motion = {{ kind = "modal", modes = 12, cells = 2, twigs = false }}
[wind]
speed = 9.0
turbulence = 0.0
gustiness = 0.0
canopy = false
[[wind.gusts]]
at = 0.2
strength = 20.0
rise = 0.5
"""


def storm(tmp_path: Path, breaks: str) -> Scene:
    path = tmp_path / "storm.toml"
    path.write_text(STORM.format(breaks=breaks))
    return build(read_scene(path), plants=PlantCache(keep=False))


def test_branches_break_in_a_simulation_and_neighbours_do_not_notice(tmp_path: Path) -> None:
    scene = storm(tmp_path, "{ strength = 0.4, anchorage = 9.0 }")
    simulation, sound = Simulation(scene), Simulation(storm(tmp_path, "false"))
    while not simulation.damage and simulation.time < 2.5:
        simulation.advance(simulation.time + 0.05)
        sound.advance(simulation.time)
    broken = simulation.damage[0]
    assert broken.kind == "branch"
    assert broken.diameter > 0.02
    first = simulation.stands[0]
    assert first.gone.tolist() == [number == broken.instance for number in range(2)]
    assert np.array_equal(simulation.pose(0), sound.pose(0))  # the stand itself goes on as it did
    piece = simulation.pose(2, 0, world=True)
    seen = np.concatenate([simulation.pose(number, 0, world=True) for number in range(1, len(simulation.stands))])
    own = np.abs(simulation.pose(0, broken.instance, world=True)[:, None] - seen).max(axis=-1).min(axis=1)
    assert own.max() < 1e-6  # what is left and what came off are where the whole tree would be
    simulation.advance(simulation.time + 0.5)
    assert simulation.pose(2, 0, world=True)[:, 1].mean() < piece[:, 1].mean()
    simulation.change(replace(scene, sun=scene.sun))
    assert len(simulation.stands) >= 3  # damage lasts when the scene is changed
    simulation.change(storm(tmp_path, "true"))
    assert len(simulation.stands) == 1  # other trees are whole


def test_nothing_breaks_that_is_not_let(tmp_path: Path) -> None:
    simulation = Simulation(storm(tmp_path, "false"))
    simulation.advance(2.0)
    assert not simulation.damage
    thin = Simulation(storm(tmp_path, "{ thicker = 1.0, anchorage = 9.0 }"))
    thin.advance(2.0)
    assert not thin.damage


def test_wet_soil_lets_a_tree_go_over(tmp_path: Path) -> None:
    simulation = Simulation(storm(tmp_path, "{ anchorage = 0.3, strength = 9.0 }"))
    simulation.advance(1.6)
    assert simulation.damage
    assert {one.kind for one in simulation.damage} == {"uprooted"}


def test_a_window_does_not_wait_for_what_is_left(tmp_path: Path) -> None:
    simulation = Simulation(storm(tmp_path, "{ strength = 0.4, anchorage = 9.0 }"), waits=False)
    while not simulation.damage and simulation.time < 6.0:
        simulation.advance(simulation.time + 0.05)
    assert simulation.damage[0].kind == "branch"
    assert simulation.stands[0].gone.any()


def test_the_device_breaks_what_numpy_breaks(tmp_path: Path, gpu: Gpu) -> None:
    scene = storm(tmp_path, "{ strength = 0.4, anchorage = 9.0 }")
    plain, device = Simulation(scene), DeviceSimulation(scene, gpu)
    while not plain.damage and plain.time < 2.5:
        plain.advance(plain.time + 0.05)
    device.advance(plain.time)
    assert list(device.damage) == list(plain.damage)
    plain.advance(plain.time + 0.2)
    device.advance(plain.time)
    for number in range(1, 3):  # what is left, and the first piece
        assert device.pose(number) == pytest.approx(plain.pose(number), abs=2e-3)


def test_a_key_of_the_window_lets_wood_break_and_hold() -> None:
    table = {"plant": "silver-birch", "detail": 0.05, "motion": {"kind": "modal", "modes": 5}}
    session = Session(SceneSettings.model_validate({"stands": [table]}))
    for breaks in (True, False):
        session.let_break()
        session.builder.wait()
        session.tick(0.01)
        assert (session.scene.stands[0].breaking is not None) == breaks
    session.builder.close()


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ('breaks = true\nmotion = "hybrid"', "only plants that move by their modes break"),
        ("breaks = true\nshedding = {}", "leave out shedding, or breaks"),
        ("breaks = { strength = 0 }", "strength"),
        ("breaks = { thicker = -1 }", "thicker"),
    ],
)
def test_what_cannot_break_says_so(tmp_path: Path, table: str, words: str) -> None:
    path = tmp_path / "scene.toml"
    path.write_text(f'[[stands]]\nplant = "silver-birch"\n{table}\n')
    with pytest.raises(SceneError, match=words):
        read_scene(path)
