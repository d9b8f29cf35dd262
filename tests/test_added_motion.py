"""A motion that nobody has heard of: one file or folder, one line in the registry, and everything works with it."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests import pendulum, spinner
from windflower.bench.motions import bench_motions
from windflower.core.device import Gpu
from windflower.errors import MotionError, SceneError
from windflower.motion.registry import MOTIONS
from windflower.render.film import Film
from windflower.scene import Scene, build, parse_scene, save_scene
from windflower.scene.files import read_scene
from windflower.simulation import DeviceSimulation, Simulation


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    MOTIONS.register("pendulum", pendulum.KIND)
    MOTIONS.register("spinner", spinner.KIND)
    yield
    MOTIONS.unregister("pendulum")
    MOTIONS.unregister("spinner")


def scene_of(motion: str) -> Scene:
    text = f'size = [96, 64]\nseconds = 2\n[[stands]]\nplant = "oak"\ndetail = 0.1\ncount = 3\nmotion = {motion}\n'
    return build(parse_scene(f"{text}[wind]\nspeed = 9"))


@pytest.mark.parametrize("motion", ['"pendulum"', '{ kind = "pendulum", frequency = 0.8 }', '"spinner"'])
def test_it_is_simulated_alike_on_both_backends(gpu: Gpu, motion: str) -> None:
    scene = scene_of(motion)
    numpy, device = Simulation(scene), DeviceSimulation(scene, gpu)
    for simulation in (numpy, device):
        simulation.advance(1.5)
    np.testing.assert_allclose(numpy.pose(), device.pose(), atol=1e-4)
    assert np.abs(numpy.pose() - scene.stands[0].plant.position).max() > 0.02


@pytest.mark.parametrize("motion", ["pendulum", "spinner"])
def test_it_is_drawn(gpu: Gpu, motion: str) -> None:
    film = Film(scene_of(f'"{motion}"'), quality="draft", gpu=gpu)
    assert (film.frame(0.0) != film.frame(0.5)).any()


def test_it_is_held(gpu: Gpu) -> None:
    scene = scene_of('"pendulum"')
    stand = scene.stands[0]
    node = int(np.argmax(stand.plant.position[:, 1]))
    target = stand.places.to_world(stand.plant.position)[1, node] + [0.8, -0.1, 0.0]
    for simulation in (Simulation(scene), DeviceSimulation(scene, gpu)):
        simulation.grab(target, node=node, instance=1)
        simulation.advance(0.5)
        assert np.linalg.norm(simulation.pose(0, 1, world=True)[node] - target) < 0.2
        simulation.release()
    with pytest.raises(MotionError, match="takes no hands"):
        Simulation(scene_of('"spinner"')).grab(target, node=node)


def test_it_is_looped() -> None:
    scene = scene_of('{ kind = "loop", of = { kind = "pendulum", frequency = 0.9 }, period = 4 }')
    assert scene.period == 4.0
    simulation = Simulation(scene)
    poses = []
    for t in (0.5, 2.0, 4.5):
        simulation.advance(t)
        poses.append(simulation.pose())
    np.testing.assert_allclose(poses[0], poses[2], atol=1e-9)
    assert np.abs(poses[0] - poses[1]).max() > 0.01
    assert getattr(scene.stands[0].motion, "seam", 1.0) < 0.02, "it came to repeat by itself"


def test_scene_files_know_it_and_say_what_is_wrong_with_it(tmp_path: Path) -> None:
    settings = scene_of('{ kind = "pendulum", frequency = 0.8 }').settings
    path = tmp_path / "scene.toml"
    save_scene(settings, path)
    assert read_scene(path) == settings
    with pytest.raises(SceneError, match=r"motion\.frequency must be greater than 0; it is -1"):
        scene_of('{ kind = "pendulum", frequency = -1 }')
    with pytest.raises(SceneError, match="broadleaf, loop, pendulum, spinner; it is 'pendolo'"):
        scene_of('"pendolo"')


@pytest.mark.slow
@pytest.mark.usefixtures("gpu")
def test_it_is_benchmarked() -> None:
    rows = {row["motion"]: row for row in bench_motions(seconds=0.01, places=2, nodes=60)}
    assert set(rows) == set(MOTIONS) >= {"pendulum", "spinner"}
    assert min(rows["pendulum"]["cpu"], rows["spinner"]["cpu"]) > 0
    assert rows["pendulum"]["gpu"] is None, "it has no twin"
    assert rows["spinner"]["gpu"] > 0
