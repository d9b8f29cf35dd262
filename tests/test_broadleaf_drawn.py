"""Broad leaves in scenes: their table, their levels of detail, and how they are drawn and changed while they move."""

from pathlib import Path

import numpy as np
import pytest

from tests.viewers import Driver
from windflower import grow
from windflower.errors import SceneError
from windflower.gpu.broadleaf import GpuBroadleaf
from windflower.gpu.device import Gpu
from windflower.motion import BroadleafMotion
from windflower.plant.graph import FloatArray
from windflower.render.blades import blade_levels
from windflower.render.broadleaf_mover import BroadleafMover
from windflower.render.film import Film
from windflower.render.movers import Mover
from windflower.scene import Scene, build, parse_scene


def scene(motion: str = '"broadleaf"', plant: str = "violet", more: str = "") -> Scene:
    return build(parse_scene(f'[[stands]]\nplant = "{plant}"\nmotion = {motion}\n{more}\n[wind]\nspeed = 5.0\n'))


def test_a_scene_file_says_that_leaves_are_blades() -> None:
    table = '{ kind = "broadleaf", mass = 2.0, rigidity = 0.5, softness = 0.7, length = 1.5, texture = "parallel" }'
    stand, plain = scene(table).stands[0], scene().stands[0]
    motion = stand.motion
    assert isinstance(motion, BroadleafMotion)
    assert (motion.constants.mass, motion.constants.rigidity, motion.constants.softness) == (2.0, 0.5, 0.7)
    assert stand.texture == "parallel"
    assert isinstance(plain.motion, BroadleafMotion)
    assert motion.blades.ribs.length == pytest.approx(1.5 * plain.motion.blades.ribs.length)
    assert motion.blades.half_width == pytest.approx(1.5 * plain.motion.blades.half_width)


@pytest.mark.parametrize(
    ("motion", "plant", "more", "rule"),
    [
        ('{ kind = "broadleaf", across = 4 }', "violet", "", "across must be odd; it is 4"),
        ('{ kind = "broadleaf", softness = 1.5 }', "violet", "", "less than 1"),
        ('"broadleaf"', "flag", "", "modal or spectral; its motion is broadleaf"),
        ('"broadleaf"', "oak", "detail = 0.1", "several leaves share one"),
        ('"broadleaf"', "violet", "shedding = {}", "they are blades that stay"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(motion: str, plant: str, more: str, rule: str) -> None:
    with pytest.raises(SceneError, match=rule):
        scene(motion, plant, more)


def test_levels_show_fewer_points_with_rims_mid_rib_and_apex() -> None:
    motion = BroadleafMotion(grow("banana"))
    levels = blade_levels(motion.plant, motion.blades)
    assert [level.triangles for level in levels] == sorted((level.triangles for level in levels), reverse=True)
    every = np.arange(motion.blades.area.size).reshape(motion.blades.area.shape) + motion.plant.nodes
    for level in levels:
        grid = np.stack([level.kept[grid] for grid in level.grids])
        for corner in ((0, 0), (0, -1), (-1, 0), (-1, -1)):
            assert (grid[:, *corner] == every[:, *corner]).all()
        assert np.isin(grid[:, :, grid.shape[2] // 2], every[:, :, motion.blades.middle]).all()
        assert level.mesh.nodes == len(level.kept)
        assert len(level.mesh.leaves) == 0


NEAR = """
size = [96, 72]
[[stands]]
plant = "violet"
scale_variation = 0.0
yaw_variation = 0.0
motion = { kind = "broadleaf" }
[wind]
speed = 6.0
[sun]
hour = 11.0
[camera]
kind = "fixed"
eye = [0.3, 0.22, 0.3]
target = [0, 0.05, 0]
"""


def test_blades_are_drawn_and_move_with_the_wind(gpu: Gpu) -> None:
    """In the picture of the plant there is much of its leaves' green, and a second later it is another picture."""
    film = Film(build(parse_scene(NEAR)), gpu=gpu)
    first, later = film.frame(0.0).astype(int), film.frame(1.0).astype(int)
    bare = Film(build(parse_scene(NEAR.replace("eye = [0.3, 0.22, 0.3]", "eye = [40.3, 0.22, 0.3]"))), gpu=gpu)
    assert np.abs(first[..., :3] - bare.frame(0.0).astype(int)[..., :3]).max(axis=-1).mean() > 5
    assert (np.abs(first - later).max(axis=-1) > 12).mean() > 0.05


@pytest.mark.parametrize("contact", ["true", "false"])
def test_a_stand_on_stage_has_the_points_of_its_motion(gpu: Gpu, contact: str) -> None:
    """Stepped in NumPy with contact, and by kernels without."""
    film = Film(build(parse_scene(NEAR.replace('"broadleaf"', f'"broadleaf", contact = {contact}'))), gpu=gpu)
    film.frame(0.5)
    stand = film.stage.stands[0]
    mover = stand.mover
    assert isinstance(mover, BroadleafMover)
    assert isinstance(mover.poses, GpuBroadleaf) == (contact == "false")
    nodes = posed(mover)
    motion = mover.motion
    assert nodes.shape == (1, motion.plant.nodes, 3)
    assert np.abs(nodes[0] - motion.plant.position).max() > 1e-4, "the wind moves it"
    lengths = np.linalg.norm(nodes[0] - nodes[0, motion.plant.parent], axis=1)[motion.plant.segments]
    assert lengths == pytest.approx(motion.plant.length[motion.plant.segments], rel=1e-3)


def posed(mover: Mover) -> FloatArray:
    mover.pose(0, np.array([0]))
    return mover.read_points(0)


@pytest.mark.parametrize("contact", ["true", "false"])
def test_numbers_change_while_a_plant_moves(gpu: Gpu, tmp_path: Path, contact: str) -> None:
    driver = Driver(gpu, tmp_path, NEAR.replace('"broadleaf"', f'"broadleaf", contact = {contact}'))
    driver.frames(3)
    stand = driver.window.theatre.stage.stands[0]
    mover = stand.mover
    before = posed(mover)
    driver.session.set_motion(0, rigidity=0.4, mass=2.0, softness=0.7, transfer=0.5, texture="parallel")
    driver.settle()
    driver.frames(1)
    assert driver.window.theatre.stage.stands[0].mover is mover, "it goes on"
    assert np.abs(posed(mover) - before).max() < 0.02
    driver.session.set_motion(0, length=1.6)
    driver.settle()
    driver.frames(1)
    assert driver.window.theatre.stage.stands[0].mover is mover
    motion = driver.window.theatre.stage.stands[0].stand.motion
    assert isinstance(motion, BroadleafMotion)
    assert (motion.constants.rigidity, motion.constants.transfer) == (0.4, 0.5)
    assert np.isfinite(driver.frames(5)).all()
