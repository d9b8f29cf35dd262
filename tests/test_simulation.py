"""A scene in time: in NumPy without a graphics library, and on the device, alike."""

import subprocess
import sys

import numpy as np
import pytest

from windflower.core.device import Gpu
from windflower.errors import MotionError, SceneError
from windflower.motion.registry import MOTIONS
from windflower.scene import Scene, build, parse_scene
from windflower.simulation import DeviceSimulation, Simulation

STEPS = 200
SCENES = {
    "modal": ("silver-birch", '{ kind = "modal", modes = 12 }'),
    "spectral": ("silver-birch", '{ kind = "spectral", modes = 12, period = 4 }'),
    "cantilever": ("palm", '"cantilever"'),
    "hybrid": ("silver-birch", '"hybrid"'),
    "broadleaf": ("violet", '{ kind = "broadleaf", contact = false }'),
    "loop": ("silver-birch", '{ kind = "loop", of = "cantilever", period = 2 }'),
}


def scene_of(plant: str, motion: str, more: str = "") -> Scene:
    stand = f'[[stands]]\nplant = "{plant}"\ndetail = 0.12\ncount = 3\nmotion = {motion}\n{more}'
    return build(parse_scene(f"seconds = 4\n{stand}\n[wind]\nspeed = 9"))


def tip_of(scene: Scene, instance: int) -> int:
    tree = scene.stands[0].tree(instance)
    return int(np.argmax(tree.position[:, 1]))


def test_every_registered_motion_is_compared() -> None:
    assert set(SCENES) == set(MOTIONS)


@pytest.mark.parametrize("kind", SCENES)
def test_backends_agree_over_two_hundred_steps_with_a_hand_and_strain(gpu: Gpu, kind: str) -> None:
    scene = scene_of(*SCENES[kind])
    numpy, device = Simulation(scene), DeviceSimulation(scene, gpu)
    motion, node = scene.stands[0].motion, tip_of(scene, 1)
    rest = numpy.pose(0, 1, world=True)[node]
    for simulation in (numpy, device):
        if motion.refuses_hands is None:
            simulation.grab(rest + np.array([0.1, 0.0, 0.05]), node=node, instance=1)
        simulation.advance(1.0)
    if motion.refuses_hands is None:
        free = Simulation(scene)
        free.advance(1.0)
        assert np.abs(numpy.pose(0, 1) - free.pose(0, 1)).max() > 1e-3, "the hand is felt"
        assert numpy.pose(0, 1) == pytest.approx(device.pose(0, 1), abs=1e-4)
    for simulation in (numpy, device):
        simulation.release()
        for until in (90, STEPS):
            simulation.advance(until / 60)
    for instance in range(3):
        assert numpy.pose(0, instance) == pytest.approx(device.pose(0, instance), abs=1e-4)
        assert numpy.pose(0, instance, world=True) == pytest.approx(device.pose(0, instance, world=True), abs=1e-4)
    assert numpy.air() == pytest.approx(device.air(), abs=1e-3)
    assert np.abs(numpy.pose(0, 0) - scene.stands[0].tree(0).position).max() > 1e-3, "it moves"
    if motion.gives_strain:
        assert numpy.strain() == pytest.approx(device.strain(), abs=1e-6)
        assert numpy.strain().max() > 1e-5
    else:
        for simulation in (numpy, device):
            with pytest.raises(MotionError, match="strain needs a motion that computes it"):
                simulation.strain()


@pytest.mark.parametrize("kind", ["modal", "hybrid", "broadleaf"])
def test_a_hand_leads_a_branch_and_lets_it_go(kind: str) -> None:
    scene = scene_of(*SCENES[kind], "stiffness_variation = 0.0")
    held, free, node = Simulation(scene), Simulation(scene), tip_of(scene, 0)
    far = 0.05 * scene.stands[0].tree(0).height
    target = held.pose(0, 0, world=True)[node] + [0.0, 0.0, far]
    held.grab(target, node=node)
    for simulation in (held, free):
        simulation.advance(1.5)
    away = [np.linalg.norm(one.pose(0, 0, world=True)[node] - target) for one in (held, free)]
    assert away[0] < 0.6 * away[1]
    held.release()
    for simulation in (held, free):
        simulation.advance(7.0)
    assert np.linalg.norm(held.pose(0, 0)[node] - free.pose(0, 0)[node]) < 0.5 * far


def test_what_is_not_there_is_said_in_a_sentence() -> None:
    simulation = Simulation(scene_of(*SCENES["hybrid"]))
    with pytest.raises(SceneError, match="all different; give `instance`, 0 to 2"):
        simulation.pose()
    with pytest.raises(SceneError, match="must be 0 to 2; it is 3"):
        simulation.pose(0, 3)
    with pytest.raises(SceneError, match="must be 0 to 0; it is 1"):
        simulation.air(1)
    with pytest.raises(MotionError, match="plays a loop"):
        Simulation(scene_of(*SCENES["loop"])).grab([0, 0, 0], node=3)


def test_leaves_come_off_without_a_device() -> None:
    scene = scene_of("quaking-aspen", '"modal"', "shedding = { rate = 2.0 }")
    simulation = Simulation(scene)
    stand = simulation.stands[0]
    leaves = getattr(stand, "leaves", None)
    assert leaves is not None
    simulation.advance(1.0)
    assert getattr(stand, "leaves").counts[0] < leaves.counts[0]  # noqa: B009 - the protocol does not promise it


def test_a_forest_moves_where_wgpu_cannot_be_imported() -> None:
    check = """
import sys
for name in ("wgpu", "rendercanvas", "glfw", "imgui_bundle", "matplotlib", "PIL", "imageio_ffmpeg"):
    sys.modules[name] = None  # an import of it raises
import numpy as np
import windflower
from windflower.scene import build, parse_scene
from windflower.simulation import Simulation
text = '[[stands]]\\nplant = "silver-birch"\\ndetail = 0.05\\ncount = 40\\nspecimens = 2\\n[[stands]]\\n'
text += 'plant = "violet"\\ndetail = 0.1\\ncount = 3\\nmotion = "broadleaf"\\n[wind]\\nspeed = 9'
scene = build(parse_scene(text))
simulation = Simulation(scene)
before = simulation.pose(0)
simulation.advance(1.0)
assert np.isfinite(simulation.pose(0)).all() and np.abs(simulation.pose(0) - before).max() > 1e-3
"""
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
