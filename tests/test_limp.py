"""Limp shoots and fronds: chains in weight and wind over the motion of the wood that bears them."""

from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_bvp

from tests.sampled import sampled
from windflower import Plant, Touch, analyse, grow
from windflower.core.arrays import FloatArray
from windflower.core.device import Gpu
from windflower.mechanics import Modes
from windflower.mechanics.wood import wood_of
from windflower.motion import ModalMotion, Places
from windflower.motion.limp import LimpMotion, chains_of, hung
from windflower.motion.limp.drape import ALONG, drape
from windflower.motion.looped import LoopedMotion
from windflower.scene import Scene, build, parse_scene
from windflower.simulation.device_stand import DeviceStand
from windflower.simulation.simulation import DeviceSimulation, Simulation
from windflower.wind import Steady

G, HALF_AIR, ROUND = 9.80665, 1.225 / 2, 1.1  # m/s², kg/m³, drag coefficient of a round twig
WOOD = wood_of("willow")
THICK, THIN, LONG = 0.0021, 0.0007, 1.6  # m: a willow's shoot without its leaves


def shoot(links: int = 12, *, length: float = LONG, down: float = 1.0) -> Plant:
    """A stiff post, and a shoot that hangs from an arm at its top, straight down or straight up."""
    along = np.arange(1, links + 1) / links
    hanging = np.array([0.3, 2.0, 0]) - down * length * along[:, None] * (0, 1, 0)
    return Plant(
        parent=[-1, 0, 1, 2, *range(3, links + 2)],
        position=np.concatenate([[[0, 0, 0], [0, 2.0, 0], [0.3, 2.0, 0]], hanging]),
        radius=[0.05, 0.05, 0.04, *(THICK + (THIN - THICK) * along)],
        base_radius=[0.05, 0.05, 0.05, *(THICK + (THIN - THICK) * (along - 1 / links))],
        order=[0, 0, 0, *[1] * links],
    )


def modes_of(plant: Plant, **options: Any) -> Modes:
    return analyse(plant, count=6, wood=WOOD, leaves=False, cache=False, **options)


def elastica(speed: float) -> FloatArray:
    """(3,) tip of the shoot from its base in a steady wind along x: the boundary value problem of a heavy elastica.

    Unknown are the angle from the vertical, the moment, the force of all beyond, and the place.
    """

    def radius(s: FloatArray) -> FloatArray:
        return THICK + (THIN - THICK) * s / LONG

    def ends(a: FloatArray, b: FloatArray) -> FloatArray:
        return np.array([a[0], b[1], b[2], b[3], a[4], a[5]])

    def slopes(strength: float) -> Any:
        def slope(s: FloatArray, y: FloatArray) -> FloatArray:
            angle, moment, right, up = y[:4]
            sine, cosine = np.sin(angle), np.cos(angle)
            push = HALF_AIR * ROUND * 2 * radius(s) * strength
            across, along = np.abs(cosine) * cosine, ALONG * np.abs(sine) * sine
            load_right = push * (across * cosine + along * sine)
            load_up = push * (across * sine - along * cosine) - WOOD.density * G * np.pi * radius(s) ** 2
            torque = sine * up + cosine * right
            return np.stack(
                [moment / (WOOD.E * np.pi / 4 * radius(s) ** 4), -torque, -load_right, -load_up, sine, -cosine]
            )

        return slope

    place = np.linspace(0, LONG, 60)
    found = np.zeros((6, len(place)))
    found[5] = -place
    for share in np.linspace(0.02, 1, 12):  # from calm on, so that each is near the one before
        solved = solve_bvp(slopes(share * speed**2), ends, place, found, max_nodes=20_000, tol=1e-5)
        assert solved.success
        place, found = solved.x, solved.y
    return np.array([found[4, -1], found[5, -1], 0.0])


def blown(plant: Plant, speed: float) -> FloatArray:
    """(nodes, 3) the shoot in a steady wind along x, without its small eddies."""
    chains = chains_of(modes_of(plant))
    assert chains is not None
    wind = np.broadcast_to([speed**2, 0.0, 0.0], (1, len(chains), 2, 3))
    return drape(chains, plant.position[None], wind, np.ones((1, len(chains))), np.ones(1))[0]


@pytest.mark.parametrize("speed", [2.0, 5.0, 19.0])
def test_a_shoot_in_a_wind_tunnel_is_shaped_as_a_heavy_elastica(speed: float) -> None:
    posed = blown(shoot(), speed)
    away = (posed[-1] - posed[2]) - elastica(speed)
    assert np.linalg.norm(away) < 0.02 * LONG


def test_more_links_come_nearer_to_the_elastica() -> None:
    wanted = elastica(7.0)
    misses = [np.linalg.norm(one[-1] - one[2] - wanted) for one in (blown(shoot(n), 7.0) for n in (6, 12, 24))]
    assert misses[1] < 0.6 * misses[0]
    assert misses[2] < 0.6 * misses[1]


def test_a_hanging_shoot_swings_as_a_beam_under_tension() -> None:
    plant = shoot(length=3.0)
    chains = chains_of(modes_of(plant))
    assert chains is not None
    swings = np.sqrt(chains.frequencies()[0][:, 0]) / (2 * np.pi)
    beam = modes_of(plant, limp=False).frequency
    assert swings[0] == pytest.approx(beam[0], rel=0.02)
    assert swings[1] == pytest.approx(beam[2], rel=0.04), "modes come in pairs"
    weightless = modes_of(plant, limp=False, gravity=False).frequency
    assert weightless[0] < 0.75 * beam[0], "its weight holds it"


@cache
def grown(species: str, seed: int = 4, detail: float = 0.4) -> Modes:
    return analyse(grow(species, seed=seed, detail=detail), count=9, cells=4, cache=False)


def limp(species: str, seed: int = 4, detail: float = 0.4) -> LimpMotion:
    modes = grown(species, seed, detail)
    motion = hung(ModalMotion(modes), modes)
    assert isinstance(motion, LimpMotion)
    return motion


def outer_halves(motion: LimpMotion, points: FloatArray) -> FloatArray:
    """(chains, 3) unit chords of the outer half of each chain, on nodes (nodes, 3)."""
    chains, links = motion.chains, (motion.chains.node >= 0).sum(axis=0)
    middle = np.where(links > 1, chains.node[np.maximum(links // 2 - 1, 0), range(len(chains))], chains.bearer)
    chord = points[chains.node[links - 1, range(len(chains))]] - points[middle]
    return chord / np.linalg.norm(chord, axis=1, keepdims=True)


def turned_in(motion: LimpMotion, speed: float, toward: float = 0.0) -> tuple[FloatArray, FloatArray]:
    """(chains,) how far a steady wind turns outer halves, degrees, and (chains,) how far they pointed into the wind."""
    along = np.array([np.cos(toward), 0.0, np.sin(toward)])
    air = np.tile(speed * along, (1, motion.modes.cells, 1))
    calm, blown = (outer_halves(motion, motion.pose(one)[0]) for one in (motion.rest(), motion.begin(Places(), air, 0)))
    return np.degrees(np.arccos(np.clip((calm * blown).sum(axis=1), -1, 1))), -calm @ along


def check_gale(willow: LimpMotion, palm: LimpMotion, toward: float) -> None:
    turn, _ = turned_in(willow, 19.0, toward)
    assert np.median(turn) > 45
    turn, against = turned_in(palm, 19.0, toward)
    assert np.median(turn[against > 0.5]) > 60, "windward fronds fold over"
    assert np.median(turned_in(willow, 1.5, toward)[0]) < 12, "in light air they hang"
    assert np.median(turned_in(palm, 2.0, toward)[0]) < 6


def test_a_gale_lays_willow_shoots_over_and_folds_windward_fronds() -> None:
    check_gale(limp("weeping-willow"), limp("palm", detail=1.0), 0.0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 13))
def test_a_gale_from_any_side_lays_every_specimen_over(seed: int) -> None:
    for toward in (0.0, 1.6, 3.1, 4.7):
        check_gale(limp("weeping-willow", seed, 1.0), limp("palm", seed, 1.0), toward)


@pytest.mark.parametrize("species", ["weeping-willow", "palm"])
@pytest.mark.parametrize("speed", [19.0, 60.0])
def test_no_storm_stretches_or_curls_a_chain_up(species: str, speed: float) -> None:
    motion = limp(species)
    plant, chains = motion.plant, motion.chains
    state = motion.rest(Places(np.zeros((2, 3)), yaw=[0.0, 2.0], stiffness=[0.5, 2.0]))
    rng = np.random.default_rng(3)
    for _ in range(6):  # of a second each
        air = np.array([speed, 0, 0]) * rng.uniform(0.3, 1.2) + rng.normal(size=(2, motion.modes.cells, 3)) * speed / 4
        state = motion.step(state, air, 1.0)
    points = motion.pose(state)
    length = np.linalg.norm(points - points[:, plant.parent], axis=-1)[:, plant.segments]
    assert length == pytest.approx(np.broadcast_to(plant.length[plant.segments], length.shape), rel=1e-6)
    last = chains.node[(chains.node >= 0).sum(axis=0) - 1, range(len(chains))]
    reach = np.linalg.norm(points[:, last] - points[:, chains.bearer], axis=-1) / chains.length.sum(axis=0)
    at_rest = np.linalg.norm(plant.position[last] - plant.position[chains.bearer], axis=-1) / chains.length.sum(axis=0)
    assert np.median(reach) > 0.6
    assert (reach > np.minimum(at_rest, 0.25)).mean() > 0.98, "no more than a few fold back on themselves"


def test_long_steps_and_short_ones_end_in_the_same_shape() -> None:
    motion = limp("weeping-willow", detail=0.2)
    air = np.tile([8.0, 0.0, 0.0], (1, motion.modes.cells, 1))
    calm = motion.rest()
    ends = []
    for dt in (1.0, 0.05):
        state = calm
        for _ in range(round(12 / dt)):
            state = motion.step(state, air, dt)
        ends.append(motion.pose(state))
    assert np.abs(ends[0] - ends[1]).max() < 0.01


def test_the_wind_is_felt_in_the_frame_of_each_plant() -> None:
    motion = limp("palm", detail=1.0)
    yaw = 1.1
    places = Places(np.zeros((1, 3)), yaw=[yaw])
    air = np.tile([9.0, 0.0, 4.0], (1, motion.modes.cells, 1))
    turned = motion.begin(places, air, 0.0)
    own = motion.begin(Places(), places.turned_to_plant(air), 0.0)
    assert motion.pose(turned) == pytest.approx(motion.pose(own), abs=1e-9)


def test_shoots_hang_in_the_sizes_of_real_ones_and_the_modes_are_of_the_wood_that_bears_them() -> None:
    motion = limp("weeping-willow")
    chains, plant, modes = motion.chains, motion.plant, motion.modes
    length = chains.length.sum(axis=0)
    assert len(chains) > 200
    assert np.quantile(length, [0.05, 0.95]) == pytest.approx([1.0, 2.4], abs=0.25)
    assert 2000 * plant.base_radius[chains.node[0]] == pytest.approx(4.0, abs=1.1)
    tips = chains.rest[(chains.node >= 0).sum(axis=0) - 1, range(len(chains))]
    assert (-tips[:, 1] > 0.9).all(), "their tips hang"
    alone = np.abs(modes.shape[..., :3]).max(axis=-1) > 0.3 * np.abs(modes.shape[..., :3]).max(axis=(1, 2))[:, None]
    assert (alone.sum(axis=1) > 30).all(), "no mode is that of a single shoot"
    fronds = limp("palm", detail=1.0)
    assert fronds.following.frequency[:, 0] == pytest.approx(0.8, abs=0.35)
    assert len(fronds.chains) == 38
    assert chains_of(analyse(grow("oak", detail=0.2), count=2, cache=False)) is None


def test_the_plant_weighs_and_catches_as_much_as_with_stiff_shoots() -> None:
    plant = grow("palm", seed=2)
    soft, stiff = (analyse(plant, count=2, limp=limp, cache=False, gravity=False) for limp in (True, False))
    masses = [modes._system.mass for modes in (soft, stiff)]
    along = np.tile([1.0, 0, 0, 0, 0, 0], plant.nodes)
    free = ~soft._system.held[::-1].ravel()
    weighed = [float((along * free) @ (mass @ (along * free))) for mass in masses]
    assert weighed[0] == pytest.approx(weighed[1], rel=1e-6)
    assert soft.cell_area == pytest.approx(stiff.cell_area)


SCENE = """
[[stands]]
plant = "{plant}"
detail = {detail}
positions = [[0, 0], [9, 4]]
motion = {motion}
[wind]
speed = 9.0
gustiness = 0
"""


def scene_of(plant: str, motion: str, detail: float) -> Scene:
    return build(parse_scene(SCENE.format(plant=plant, motion=motion, detail=detail)))


MODAL = '{ kind = "modal", modes = 8 }'


@pytest.mark.parametrize(("plant", "detail"), [("palm", 0.6), ("weeping-willow", 0.15)])
def test_backends_agree_over_two_hundred_steps_with_a_hand_on_a_shoot(gpu: Gpu, plant: str, detail: float) -> None:
    scene = scene_of(plant, MODAL, detail)
    motion = scene.stands[0].motion
    node = int(motion.chains.node[-1].max())  # type: ignore[attr-defined]
    target = scene.stands[0].places.to_world(motion.plant.position)[0, node] + (0.1, 0.05, 0.1)
    reference, device = Simulation(scene), DeviceSimulation(scene, gpu)
    for simulation in (reference, device):
        simulation.advance(1.0)
        simulation.advance(1.8, {0: Touch(instance=0, node=node, target=target)})
        simulation.advance(200 / 60)
    wanted = reference.pose()
    moved = np.abs(wanted - motion.plant.position).max()
    assert moved > 0.1
    assert np.abs(device.pose() - wanted).max() < 1e-4 + 1e-4 * moved


@pytest.mark.parametrize(("plant", "detail"), sampled([("palm", 0.6), ("weeping-willow", 0.15)], ("palm", 0.6)))
def test_kernels_follow_the_wind_as_numpy_does(gpu: Gpu, plant: str, detail: float) -> None:
    """As for many plants, and on web pages; a hand on a shoot goes by NumPy meanwhile."""
    scene = scene_of(plant, MODAL, detail)
    stand, motion = scene.stands[0], scene.stands[0].motion
    node = int(motion.chains.node[-1].max())  # type: ignore[attr-defined]
    target = stand.places.to_world(motion.plant.position)[0, node] + (0.1, 0.05, 0.1)
    reference, device = Simulation(scene), DeviceStand(gpu, stand, scene.wind, 0.0, 1 / 60, many=True)
    for until, touch in ((0.5, None), (0.7, Touch(instance=0, node=node, target=target)), (1.5, None)):
        times = np.arange(round(60 * reference.time) + 1, round(60 * until) + 1) / 60
        reference.advance(until, {0: touch} if touch else {})
        device.advance(scene.wind, times, touch)
        away = np.linalg.norm(device.points(np.arange(2)) - reference.pose(), axis=-1)
        assert np.quantile(away, 0.95) < 1e-5  # of the others, some are about to flip over
        felt, wanted = device.shape_state().hanging.follow.felt, reference.stands[0].state.follow.felt  # type: ignore
        assert felt == pytest.approx(wanted, abs=1e-5 * np.abs(wanted).max())


def test_a_held_shoot_comes_to_the_hand_and_swings_back() -> None:
    scene = scene_of("weeping-willow", MODAL, 0.15)
    motion = scene.stands[0].motion
    node = int(motion.chains.node[-1].max())  # type: ignore[attr-defined]
    simulation = Simulation(scene)
    target = scene.stands[0].places.to_world(motion.plant.position)[0, node] + (0.0, 0.2, 0.3)
    simulation.grab(target, node=node)
    simulation.advance(2.0)
    away = np.linalg.norm(simulation.pose(world=True)[0, node] - target)
    assert away < 0.2
    simulation.release()
    simulation.advance(5.0)
    assert np.linalg.norm(simulation.pose(world=True)[0, node] - target) > away + 0.1


def test_coarse_levels_hang_as_the_fine_one_does(gpu: Gpu) -> None:
    scene = scene_of("palm", MODAL, 1.0)
    simulation = DeviceSimulation(scene, gpu)
    simulation.advance(1.0)
    stand, levels = simulation.stands[0], scene.stands[0].motion.levels
    everyone = np.arange(2)
    stand.pose(0, everyone)
    fine = stand.twin.read_points(0)
    for number, level in enumerate(levels[1:], start=1):
        stand.pose(number, everyone)
        shown = stand.twin.read_points(number)
        away = np.linalg.norm(shown - fine[:, level.node], axis=-1)[:, level.plant.order > 0]
        moved = np.linalg.norm(fine[:, level.node] - level.plant.position, axis=-1)[:, level.plant.order > 0]
        assert np.sqrt((away**2).mean()) < 0.45 * np.sqrt((moved**2).mean())


@pytest.mark.parametrize(
    "motion",
    ['{ kind = "spectral", modes = 4, period = 4.0 }', '{ kind = "loop", of = "modal", period = 2.0, headings = 1 }'],
)
def test_a_loop_closes_with_its_shoots(motion: str) -> None:
    scene = scene_of("palm", motion, 0.6)
    period = scene.period
    assert period is not None
    simulation = Simulation(scene, step=period / 40)
    path = []
    for frame in range(42):
        simulation.advance(frame * period / 40)
        path.append(simulation.pose())
    moved = np.abs(np.diff(np.stack(path), axis=0)).max(axis=(1, 2, 3))
    assert path[40] == pytest.approx(path[0], abs=1e-9)
    assert path[41] == pytest.approx(path[1], abs=1e-9)
    assert moved[39] < 3 * np.median(moved)
    assert np.abs(path[15] - path[0]).max() > 0.01


def test_motions_over_another_one_tell_of_it_what_it_tells() -> None:
    modes = analyse(grow("hazel-bush", detail=0.03), count=3, cache=False)
    motion, limp = ModalMotion(modes), modes_of(shoot())
    hanging = hung(ModalMotion(limp), limp)
    looped = LoopedMotion(motion, Steady(speed=3.0), period=1.0)
    for over, of in ((hanging, hanging.below), (looped, motion)):
        assert over is not of
        assert over.plant is of.plant
        assert over.levels is of.levels
        assert over.first_mode == of.first_mode is not None
        assert (over.sheets, over.blades, over.has_card) == (of.sheets, of.blades, of.has_card)
