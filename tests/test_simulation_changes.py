"""A scene that is changed while it moves, set back in time, or started with numbers that cannot be."""

from dataclasses import replace

import numpy as np
import pytest

import windflower.simulation.simulation as module
from tests.test_simulation import SCENES, scene_of, tip_of
from windflower import grow
from windflower.core.buffers import read_floats
from windflower.core.device import Gpu
from windflower.errors import MotionError, SceneError
from windflower.motion import CantileverMotion, Places
from windflower.motion.broadleaf.broadleaf_twin import BroadleafTwin
from windflower.motion.device.twin import Start
from windflower.motion.looped import LoopedMotion
from windflower.scene import PlantCache, Scene, SceneSettings, build, parse_scene
from windflower.scene.scene import with_leaves
from windflower.simulation import DeviceSimulation, Simulation
from windflower.wind import Steady

PLANTS = PlantCache()
MODAL = '{ kind = "modal", modes = 6, twigs = false }'


def stands_of(*tables: str, speed: float = 9.0) -> Scene:
    """A scene of `[[stands]]`, each of one plant whose other keys are given."""
    text = "".join(f"[[stands]]\ndetail = 0.12\n{table}\n" for table in tables)
    return build(parse_scene(f"seconds = 4\n{text}[wind]\nspeed = {speed}"), plants=PLANTS)


def birch(x: float, motion: str = MODAL, more: str = "") -> str:
    return f'plant = "silver-birch"\npositions = [[{x}, 0.0]]\nmotion = {motion}\n{more}'


def both(scene: Scene, gpu: Gpu) -> tuple[Simulation, DeviceSimulation]:
    return Simulation(scene), DeviceSimulation(scene, gpu)


@pytest.mark.parametrize("kind", SCENES)
def test_backends_agree_before_the_first_step(gpu: Gpu, kind: str) -> None:
    numpy, device = both(scene_of(*SCENES[kind]), gpu)
    assert numpy.air() == pytest.approx(device.air(), abs=1e-3)
    for instance in range(3):
        assert numpy.pose(0, instance) == pytest.approx(device.pose(0, instance), abs=1e-4)


def test_many_blades_tell_the_wind_over_their_crowns(gpu: Gpu) -> None:
    scene = scene_of(*SCENES["broadleaf"])
    stand, wind = scene.stands[0], scene.wind
    twin = BroadleafTwin(gpu, stand, Start(wind, 0.0, 1 / 60, many=True), kernels=True)
    twin.advance(wind, np.arange(1, 31) / 60, None)
    air = read_floats(gpu, twin.air).reshape(-1, 4)[: len(stand), :3]
    assert air == pytest.approx(wind.velocity(stand.probes, 0.5).mean(axis=1), abs=1e-3)
    assert np.abs(air - wind.velocity(stand.probes, 0.0).mean(axis=1)).max() > 0.5


@pytest.mark.parametrize("kind", ["spectral", "loop"])
def test_where_everything_repeats_time_goes_back(gpu: Gpu, kind: str) -> None:
    for simulation in both(scene_of(*SCENES[kind]), gpu):
        simulation.advance(0.5)
        early = simulation.pose()
        simulation.advance(1.25)
        assert np.abs(simulation.pose() - early).max() > 1e-3
        simulation.advance(0.5)
        assert simulation.time == pytest.approx(0.5)
        assert simulation.pose() == pytest.approx(early, abs=1e-6)


def test_what_does_not_repeat_stays_where_it_is_when_time_would_go_back() -> None:
    simulation = Simulation(stands_of(birch(0)))
    simulation.advance(0.5)
    late = simulation.pose()
    simulation.advance(0.1)
    assert simulation.time == pytest.approx(0.5)
    assert np.array_equal(simulation.pose(), late)


def test_a_changed_wind_goes_on_with_the_motion_on_both_backends(gpu: Gpu) -> None:
    calm, storm = stands_of(birch(0), speed=4), stands_of(birch(0), speed=14)
    for simulation in both(calm, gpu):
        simulation.advance(1.0)
        before = simulation.pose()
        simulation.change(storm)
        assert simulation.pose() == pytest.approx(before, abs=1e-4)
        assert np.abs(begun_anew(simulation, storm).pose() - before).max() > 0.05, "a new start would be seen"


def begun_anew(simulation: Simulation, scene: Scene) -> Simulation:
    gpu = getattr(simulation, "gpu", None)
    start = simulation.time
    return DeviceSimulation(scene, gpu, start=start) if gpu else Simulation(scene, start=start)


def test_a_stand_put_before_others_takes_nothing_from_them(gpu: Gpu) -> None:
    other = birch(12, more="seed = 7")
    for simulation in both(stands_of(birch(0)), gpu):
        simulation.advance(1.0)
        moved, before = simulation.stands[0], simulation.pose(0)
        simulation.change(stands_of(other, birch(0)))
        assert simulation.pose(1) == pytest.approx(before, abs=1e-4)
        assert getattr(simulation, "gpu", None) is None or simulation.stands[1] is moved


def test_hands_stay_with_the_plant_that_they_hold(gpu: Gpu) -> None:
    scene = stands_of(birch(0), birch(12, more="seed = 7"))
    node = tip_of(scene, 0)
    for simulation in both(scene, gpu):
        simulation.grab([0.5, 3.0, 0.0], node=node, stand=0)
        simulation.grab([12.5, 3.0, 0.0], node=5, stand=1)
        simulation.change(stands_of(birch(12, more="seed = 7")))  # the first is gone, the second is now the first
        assert list(simulation.hands) == [0]
        assert simulation.hands[0].node.tolist() == [5]
        simulation.advance(0.1)


@pytest.mark.parametrize(
    "changed",
    [
        birch(3),  # another place
        birch(0, more="seed = 7"),  # another plant
        birch(0, '{ kind = "loop", of = "cantilever", period = 1 }'),
    ],
)
def test_hands_let_go_of_what_cannot_be_held_any_more(gpu: Gpu, changed: str) -> None:
    scene = stands_of(birch(0))
    for simulation in both(scene, gpu):
        simulation.grab([0.5, 3.0, 0.0], node=tip_of(scene, 0))
        simulation.change(stands_of(changed))
        assert not simulation.hands
        simulation.advance(0.1)


def test_leaves_begin_to_come_off_when_the_scene_says_so_on_both_backends(gpu: Gpu) -> None:
    stand = 'plant = "quaking-aspen"\nmotion = ' + MODAL
    still, shedding = stands_of(stand), stands_of(f"{stand}\nshedding = {{ rate = 2.0 }}")
    shed = with_leaves(still, shedding.settings)
    numpy, device = both(still, gpu)
    for simulation in (numpy, device):
        simulation.change(shed)
        simulation.advance(1.0)
    leaves = getattr(numpy.stands[0], "leaves", None)
    assert leaves is not None
    assert leaves.counts[1] + leaves.counts[2] > 0
    falling = device.stands[0].falling
    assert falling is not None
    assert falling.counts[1] + falling.counts[2] > 0
    numpy.change(still)
    assert getattr(numpy.stands[0], "leaves", None) is None


def test_leaves_follow_plants_that_grow_where_they_stand(gpu: Gpu) -> None:
    scene = stands_of('plant = "quaking-aspen"\nshedding = { rate = 0.0 }\nmotion = ' + MODAL)
    simulation = DeviceSimulation(scene, gpu)
    stand = scene.stands[0]
    larger = replace(stand, places=Places(stand.places.position, yaw=stand.places.yaw, scale=2.0))
    changed = replace(scene, stands=(larger,))
    simulation.change(changed)
    falling, fresh = simulation.stands[0].falling, DeviceSimulation(changed, gpu).stands[0].falling
    assert falling is not None
    assert fresh is not None
    for cards, wanted in zip(*(one._stand.read_cards() for one in (falling, fresh)), strict=True):
        assert cards == pytest.approx(wanted, abs=0.5), "at rest and in the wind, and not at half the height"


def test_a_change_that_fails_leaves_the_simulation_as_it_was(gpu: Gpu, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = stands_of(birch(0))
    for simulation in both(scene, gpu):
        simulation.grab([0.5, 3.0, 0.0], node=tip_of(scene, 0))
        stands, wind = simulation.stands, simulation.wind

        def fails(*_: object) -> None:
            raise MotionError("no room.")

        monkeypatch.setattr(simulation, "on_backend", fails)
        with pytest.raises(MotionError, match="no room"):
            simulation.change(stands_of(birch(0), birch(12, more="seed = 7"), speed=3))
        assert simulation.scene is scene
        assert simulation.wind is wind
        assert simulation.stands is stands
        assert list(simulation.hands) == [0]
        simulation.advance(0.1)


FAN = '[[wind.sources]]\nkind = "fan"\nplace = [495, 4, 0]\ntoward = [1, 0, 0]\nspeed = 20\nradius = 30\n'


def test_the_wind_at_many_plants_follows_those_that_move_away(gpu: Gpu, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MANY", 1)
    near, far = (_with_fan(x) for x in (0.0, 500.0))
    simulation, fresh = DeviceSimulation(near, gpu), DeviceSimulation(far, gpu)
    simulation.advance(0.2)
    simulation.change(far)
    for one in (simulation, fresh):
        one.advance(0.5)
    assert simulation.air() == pytest.approx(fresh.air(), abs=1e-3)


def _with_fan(x: float) -> Scene:
    text = f"[[stands]]\ndetail = 0.12\n{birch(x)}\n[wind]\nspeed = 3\n{FAN}"
    return build(parse_scene(text), plants=PLANTS)


def test_steps_last_some_time() -> None:
    scene = stands_of(birch(0))
    for step in (0.0, -0.1, float("nan")):
        with pytest.raises(MotionError, match="step"):
            Simulation(scene, step=step)
        with pytest.raises(MotionError, match="step"):
            Simulation(scene).set_step(step)


@pytest.mark.parametrize("time", [float("nan"), float("inf"), -float("inf")])
def test_a_time_that_cannot_be_reached_is_refused_and_nothing_moves(time: float) -> None:
    simulation = Simulation(stands_of(birch(0)))
    simulation.advance(0.1)
    now, before = simulation.time, simulation.pose()
    with pytest.raises(MotionError, match="must be finite"):
        simulation.advance(time)
    assert simulation.time == now
    np.testing.assert_array_equal(simulation.pose(), before)
    with pytest.raises(MotionError, match="must be finite"):
        Simulation(stands_of(birch(0)), start=time)


def test_hands_on_missing_trees_of_a_block_are_refused_in_a_sentence() -> None:
    simulation = Simulation(scene_of(*SCENES["hybrid"]))
    for instance in (3, -1):
        with pytest.raises(SceneError, match="must be 0 to 2; it is"):
            simulation.grab([0, 1, 0], node=2, instance=instance)


def test_an_empty_scene_has_a_time() -> None:
    scene = stands_of(birch(0))
    simulation = Simulation(scene)
    simulation.change(replace(scene, stands=()))
    simulation.advance(1.0)
    assert simulation.time == pytest.approx(1.0)


def test_rotations_turn_rest_chords_into_posed_ones() -> None:
    scene = stands_of(birch(0, '{ kind = "modal", modes = 6, twigs = false }'))
    simulation = Simulation(scene)
    simulation.advance(1.0)
    plant, points, turn = scene.stands[0].plant, simulation.pose(0, 0), simulation.rotations(0, 0)
    segments = plant.segments
    rest, posed = (at[segments] - at[plant.parent[segments]] for at in (plant.position, points))
    axis, w = turn[segments, :3], turn[segments, 3:]
    turned = rest + 2 * np.cross(axis, np.cross(axis, rest) + w * rest)
    size = np.linalg.norm(posed, axis=1, keepdims=True)
    assert turned / np.linalg.norm(rest, axis=1, keepdims=True) == pytest.approx(posed / size, abs=1e-9)
    motion = scene.stands[0].motion
    assert simulation.rotations(0) == pytest.approx(motion.rotations(getattr(simulation.stands[0], "state")))  # noqa: B009


def settings_of(table: str) -> SceneSettings:
    return parse_scene(f"seconds = 4\n[[stands]]\ndetail = 0.12\n{table}\n[wind]\nspeed = 9")


def test_twigs_quiver_in_a_loop_of_modal_motion_and_repeat(gpu: Gpu) -> None:
    loop = '{{ kind = "loop", of = {{ kind = "modal", modes = 6, twigs = {} }}, period = 2, headings = 1 }}'
    quivering, plain = (stands_of(birch(0, loop.format(twigs))) for twigs in ("true", "false"))
    modal = stands_of(birch(0, '{ kind = "modal", modes = 6 }'))
    assert quivering.stands[0].quivers_above == modal.stands[0].quivers_above
    for one, other in zip(both(quivering, gpu), both(plain, gpu), strict=True):
        for simulation in (one, other):
            simulation.advance(0.5)
        early = one.pose()
        assert np.abs(early - other.pose()).max() > 1e-3, "twigs move besides"
        one.advance(2.5)
        assert one.pose() == pytest.approx(early, abs=1e-5)


def test_a_loop_of_blades_keeps_its_leaves() -> None:
    with pytest.raises(SceneError, match="blades that stay"):
        settings_of(
            'plant = "violet"\nshedding = { rate = 1.0 }\nmotion = { kind = "loop", of = "broadleaf", period = 1 }'
        )


def test_a_loop_that_would_fill_the_memory_is_refused_before_it_is_recorded() -> None:
    table = 'plant = "silver-birch"\nmotion = { kind = "loop", of = "cantilever", period = 600, headings = 64 }'
    with pytest.raises(SceneError, match="GB"):
        build(settings_of(table), plants=PLANTS)


def test_loops_answer_to_the_wind_from_the_side_that_each_plant_shows_it() -> None:
    motion = CantileverMotion(grow("palm", detail=0.12), swing=0.0)
    wind = Steady(speed=9.0, direction=250.0)
    places = Places(np.zeros((4, 3)), yaw=[0.0, np.pi / 2, -np.pi / 2, 5 * np.pi])
    loop = LoopedMotion(motion, wind, period=1.0, headings=4)
    state = loop.rest(places)
    air = wind.velocity(motion.probes(places), 0.0)
    assert loop.pose(state) == pytest.approx(motion.pose(motion.settled(places, air)), abs=1e-3)
    assert loop.air(state) == pytest.approx(air.mean(axis=1), abs=1e-6), "in the world"
