"""Broad leaves in scenes: their table, their levels of detail, and how they are drawn and changed while they move."""

from pathlib import Path

import numpy as np
import pytest

from tests.viewers import Driver
from windflower import grow
from windflower.core.arrays import FloatArray
from windflower.core.device import Gpu
from windflower.errors import SceneError
from windflower.geometry.lod_meshes import stand_meshes
from windflower.motion import BroadleafMotion
from windflower.motion.broadleaf.broadleaf_kernels import GpuBroadleaf
from windflower.motion.broadleaf.broadleaf_twin import BroadleafTwin
from windflower.motion.device.twin import Start, Twin
from windflower.motion.places import Places
from windflower.motion.stand import Stand
from windflower.motion.touch import Touch
from windflower.plant.blade_levels import blade_levels
from windflower.render.film import Film
from windflower.scene import Scene, build, parse_scene
from windflower.wind import Wind


def scene(motion: str = '"broadleaf"', plant: str = "violet", more: str = "") -> Scene:
    return build(parse_scene(f'[[stands]]\nplant = "{plant}"\nmotion = {motion}\n{more}\n[wind]\nspeed = 5.0\n'))


def test_a_scene_file_says_that_leaves_are_blades() -> None:
    table = '{ kind = "broadleaf", mass = 2.0, rigidity = 0.5, softness = 0.7, length = 1.5, texture = "parallel" }'
    stand, plain = scene(table).stands[0], scene().stands[0]
    motion = stand.motion
    assert isinstance(motion, BroadleafMotion)
    assert (motion.constants.mass, motion.constants.rigidity, motion.constants.softness) == (2.0, 0.5, 0.7)
    assert stand.veins == "parallel"
    assert isinstance(plain.motion, BroadleafMotion)
    assert motion.blades.ribs.length == pytest.approx(1.5 * plain.motion.blades.ribs.length)
    assert motion.blades.half_width == pytest.approx(1.5 * plain.motion.blades.half_width)


def test_a_stand_says_how_strongly_its_leaves_are_damped() -> None:
    one, other = scene().stands[0].motion, scene(more="damping = 2.0").stands[0].motion
    assert isinstance(one, BroadleafMotion)
    assert isinstance(other, BroadleafMotion)
    assert other.body.segments.damping == pytest.approx(2 * one.body.segments.damping)
    assert other.body.points.damping == pytest.approx(2 * one.body.points.damping)


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
    lods = stand_meshes(Stand("banana", 0, motion, Places()))
    assert [len(level.kept) for level in levels] == sorted((len(level.kept) for level in levels), reverse=True)
    every = np.arange(motion.blades.area.size).reshape(motion.blades.area.shape) + motion.plant.nodes
    for level, mesh in zip(levels, lods.meshes, strict=True):
        grid = np.stack([level.kept[grid] for grid in level.grids])
        for corner in ((0, 0), (0, -1), (-1, 0), (-1, -1)):
            assert (grid[:, *corner] == every[:, *corner]).all()
        assert np.isin(grid[:, :, grid.shape[2] // 2], every[:, :, motion.blades.middle]).all()
        assert mesh.nodes == len(level.kept)
        assert len(mesh.leaves) == 0


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


@pytest.mark.parametrize("kernels", [True, False])
def test_a_twin_has_the_points_of_its_motion(gpu: Gpu, kernels: bool) -> None:
    """Also while a hand is there, of which kernels know nothing, and when it is retuned."""
    stand = build(parse_scene(NEAR.replace('"broadleaf"', '"broadleaf", contact = false'))).stands[0]
    motion = stand.motion
    assert isinstance(motion, BroadleafMotion)
    wind = Wind.beaufort(4)
    twin = BroadleafTwin(gpu, stand, Start(wind, 0.0, 1 / 60), kernels=kernels)
    assert isinstance(twin.model, GpuBroadleaf) == kernels
    state, times = motion.rest(stand.aloft), np.arange(1, 13) / 60
    twin.advance(wind, times[:8], None)
    twin.advance(wind, times[8:], Touch(node=motion.plant.nodes - 1, force=[0.002, 0, 0]))
    for number, time in enumerate(times):
        hand = Touch(node=motion.plant.nodes - 1, force=[0.002, 0, 0]) if number >= 8 else None
        state = motion.step(state, wind.velocity(stand.probes, float(time)), 1 / 60, touch=hand)
    assert posed(twin)[0] == pytest.approx(state.node[0], abs=1e-5)
    assert np.abs(state.node[0] - motion.plant.position).max() > 1e-3, "the wind moves it"
    twin.retune(stand, 1 / 30)
    twin.advance(wind, np.array([0.25]), None)
    state = motion.step(state, wind.velocity(stand.probes, 0.25), 1 / 30)
    assert posed(twin)[0] == pytest.approx(state.node[0], abs=1e-5)


def test_kernels_come_back_with_the_switch_that_they_do_not_know(gpu: Gpu) -> None:
    known, printed = (
        build(parse_scene(NEAR.replace('"broadleaf"', f'"broadleaf", moments = {moments}'))).stands[0]
        for moments in ("true", "false")
    )
    start = Start(Wind.beaufort(4), 0.0, 1 / 60)
    for kernels in (True, False):
        twin, other = (BroadleafTwin(gpu, stand, start, kernels=kernels) for stand in (known, printed))
        assert twin.fits(known)
        assert other.fits(printed)
        assert twin.fits(printed) == other.fits(known) == (not kernels)


def posed(twin: Twin) -> FloatArray:
    twin.pose(0, np.array([0]))
    return twin.read_points(0)


def test_numbers_change_while_a_plant_moves(gpu: Gpu, tmp_path: Path) -> None:
    driver = Driver(gpu, tmp_path, NEAR)
    driver.frames(3)
    twin = driver.window.live.simulation.stands[0].twin
    before = posed(twin)
    driver.session.set_motion(0, rigidity=0.4, mass=2.0, softness=0.7, transfer=0.5, texture="parallel")
    driver.settle()
    driver.frames(1)
    assert driver.window.live.simulation.stands[0].twin is twin, "it goes on"
    assert np.abs(posed(twin) - before).max() < 0.02
    driver.session.set_motion(0, length=1.6)
    driver.settle()
    driver.frames(1)
    assert driver.window.live.simulation.stands[0].twin is twin
    motion = driver.window.live.drawn.stands[0].stand.motion
    assert isinstance(motion, BroadleafMotion)
    assert (motion.constants.rigidity, motion.constants.transfer) == (0.4, 0.5)
    assert np.isfinite(driver.frames(5)).all()
