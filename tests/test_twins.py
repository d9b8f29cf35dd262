"""Any motion can be drawn: twins pose what their motion says, at every level of detail."""

import numpy as np
import pytest

from windflower.core.buffers import vec4
from windflower.core.device import Gpu
from windflower.errors import GpuError
from windflower.motion import Touch
from windflower.motion.cantilever.cantilever_twin import CantileverTwin
from windflower.motion.device.gathered import GatheredLevel, points_buffer
from windflower.motion.device.stepped import SteppedTwin
from windflower.motion.device.twin import Start, Twin
from windflower.motion.modal.modal_twin import ModalTwin
from windflower.motion.registry import twin_of
from windflower.motion.spectral.loop_twin import LoopTwin
from windflower.render.film import Film
from windflower.scene import Scene, build, parse_scene


def scene_of(motion: str) -> Scene:
    stand = f'[[stands]]\nplant = "silver-birch"\ndetail = 0.3\ncount = 3\nmotion = {motion}\n'
    return build(parse_scene(f"size = [96, 64]\nseconds = 1\n{stand}\n[wind]\nspeed = 9"))


def start(scene: Scene) -> Start:
    return Start(scene.wind, 0.0, 1 / 60)


@pytest.mark.parametrize(
    ("motion", "kind"),
    [
        ('"modal"', ModalTwin),
        ('"cantilever"', CantileverTwin),
        ('{ kind = "spectral", period = 4 }', LoopTwin),
        ('{ kind = "loop", of = "cantilever", period = 2 }', SteppedTwin),
    ],
)
def test_every_motion_has_its_twin_and_moves_in_the_picture(gpu: Gpu, motion: str, kind: type[Twin]) -> None:
    film = Film(scene_of(motion), quality="draft", gpu=gpu)
    assert isinstance(film.simulation.stands[0].twin, kind)
    first, later = film.frame(0.0), film.frame(0.5)
    assert (first != later).any()


def test_a_motion_without_kernels_is_posed_as_it_says_at_every_level(gpu: Gpu) -> None:
    scene = scene_of('{ kind = "modal", modes = 6 }')
    stand = scene.stands[0]
    twin = SteppedTwin(gpu, stand, start(scene))
    twin.advance(scene.wind, np.arange(1, 31) / 60, None)
    wanted = stand.motion.pose(twin.state)
    for number, level in enumerate(stand.motion.levels):
        twin.pose(number, np.array([2, 0]))
        np.testing.assert_allclose(twin.read_points(number), wanted[[2, 0]][:, level.node], atol=1e-5)
    twin.pose(len(stand.motion.levels), np.array([1]))
    foot, crown = twin.read_points(len(stand.motion.levels))[0]
    assert np.abs(foot).max() < 1e-6
    assert 0 < np.linalg.norm(crown - twin.crown) < 1.0


def test_a_hand_reaches_a_motion_without_kernels(gpu: Gpu) -> None:
    scene = scene_of('{ kind = "modal", modes = 6 }')
    twin = SteppedTwin(gpu, scene.stands[0], start(scene))
    plant, places = scene.stands[0].plant, scene.stands[0].places
    tip = int(np.argmax(plant.position[:, 1]))
    target = places.to_world(plant.position[[tip]])[1, 0] + [0.5, 0, 0]
    for _ in range(2):
        twin.advance(scene.wind, np.arange(1, 61) / 60, Touch(instance=1, node=tip, target=target))
    twin.pose(0, np.arange(3))
    held = places.to_world(twin.read_points(0))[1, tip]
    assert np.linalg.norm(held - target) < 0.15


def test_twins_of_other_plants_do_not_fit(gpu: Gpu) -> None:
    modal, springs = scene_of('"modal"'), scene_of('"cantilever"')
    twin = twin_of(gpu, springs.stands[0], start(springs))
    assert twin.fits(springs.stands[0])
    assert not twin.fits(modal.stands[0])
    assert not twin_of(gpu, modal.stands[0], start(modal)).fits(springs.stands[0])


def test_a_level_takes_the_points_it_was_asked_for(gpu: Gpu) -> None:
    points = np.random.default_rng(1).normal(size=(300, 11, 3))
    whole = points_buffer(gpu, 300, 11)
    gpu.queue.write_buffer(whole, 0, vec4(points))
    level = GatheredLevel(gpu, whole, 300, np.array([7, 0, 3]))
    assert level.pose(np.zeros(0, np.int64)) == []
    for chosen in (np.array([4]), np.arange(299, -1, -1), np.array([8, 2])):
        level.pose(chosen)
        np.testing.assert_allclose(level.read()[..., :3], points[chosen][:, [7, 0, 3]], atol=1e-6)


def test_more_points_than_a_buffer_holds_are_refused_with_a_number_that_fits(gpu: Gpu) -> None:
    with pytest.raises(GpuError, match="Plant at most"):
        points_buffer(gpu, 10**9, 1000)
