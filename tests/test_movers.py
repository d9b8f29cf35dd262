"""Any motion can be drawn: movers pose what their motion says, at every level of detail."""

import numpy as np
import pytest

from windflower.core.buffers import vec4
from windflower.core.device import Gpu
from windflower.errors import GpuError
from windflower.motion import Touch
from windflower.motion.device.gathered import GatheredLevel, points_buffer
from windflower.plant.levels import levels_of
from windflower.render.film import Film
from windflower.render.movers import Beginning, CantileverMover, LoopMover, ModalMover, SteppedMover, mover_of
from windflower.scene import Scene, build, parse_scene


def scene_of(motion: str) -> Scene:
    stand = f'[[stands]]\nplant = "silver-birch"\ndetail = 0.3\ncount = 3\nmotion = {motion}\n'
    return build(parse_scene(f"size = [96, 64]\nseconds = 1\n{stand}\n[wind]\nspeed = 9"))


def begun(scene: Scene, time: float = 0.0) -> Beginning:
    return Beginning(levels_of(scene.stands[0].plant), scene.wind, time, 1 / 60)


@pytest.mark.parametrize(
    ("motion", "kind"),
    [('"modal"', ModalMover), ('"cantilever"', CantileverMover), ('{ kind = "spectral", period = 4 }', LoopMover)],
)
def test_every_motion_has_its_mover_and_moves_in_the_picture(gpu: Gpu, motion: str, kind: type) -> None:
    film = Film(scene_of(motion), quality="draft", gpu=gpu)
    assert isinstance(film.stage.stands[0].mover, kind)
    first, later = film.frame(0.0), film.frame(0.5)
    assert (first != later).any()


def test_a_motion_without_kernels_is_posed_as_it_says_at_every_level(gpu: Gpu) -> None:
    scene = scene_of('{ kind = "modal", modes = 6 }')
    stand, levels = scene.stands[0], levels_of(scene.stands[0].plant)
    mover = SteppedMover(gpu, stand, begun(scene))
    mover.advance(scene.wind, np.arange(1, 31) / 60, None)
    wanted = stand.motion.pose(mover.state)
    for number, level in enumerate(levels):
        mover.pose(number, np.array([2, 0]))
        np.testing.assert_allclose(mover.read_points(number), wanted[[2, 0]][:, level.node], atol=1e-5)
    mover.pose(len(levels), np.array([1]))
    foot, crown = mover.read_points(len(levels))[0]
    assert np.abs(foot).max() < 1e-6
    assert 0 < np.linalg.norm(crown - mover.crown) < 1.0


def test_a_hand_reaches_a_motion_without_kernels(gpu: Gpu) -> None:
    scene = scene_of('{ kind = "modal", modes = 6 }')
    mover = SteppedMover(gpu, scene.stands[0], begun(scene))
    plant, places = scene.stands[0].plant, scene.stands[0].places
    tip = int(np.argmax(plant.position[:, 1]))
    target = places.to_world(plant.position[[tip]])[1, 0] + [0.5, 0, 0]
    for _ in range(2):
        mover.advance(scene.wind, np.arange(1, 61) / 60, Touch(instance=1, node=tip, target=target))
    mover.pose(0, np.arange(3))
    held = places.to_world(mover.read_points(0))[1, tip]
    assert np.linalg.norm(held - target) < 0.15


def test_movers_of_other_plants_do_not_fit(gpu: Gpu) -> None:
    modal, springs = scene_of('"modal"'), scene_of('"cantilever"')
    mover = mover_of(gpu, springs.stands[0], begun(springs))
    assert mover.fits(springs.stands[0])
    assert not mover.fits(modal.stands[0])
    assert not mover_of(gpu, modal.stands[0], begun(modal)).fits(springs.stands[0])


def test_a_level_takes_the_points_it_was_asked_for(gpu: Gpu) -> None:
    points = np.random.default_rng(1).normal(size=(300, 11, 3))
    whole = points_buffer(gpu, 300, 11)
    gpu.queue.write_buffer(whole, 0, vec4(points))
    level = GatheredLevel(gpu, whole, 300, np.array([7, 0, 3]))
    assert level.pose(np.zeros(0, np.int64)) == []
    for chosen in (np.array([4]), np.arange(299, -1, -1), np.array([8, 2])):
        level.pose(chosen)
        np.testing.assert_allclose(level.read(), points[chosen][:, [7, 0, 3]], atol=1e-6)


def test_more_points_than_a_buffer_holds_are_refused_with_a_number_that_fits(gpu: Gpu) -> None:
    with pytest.raises(GpuError, match="Plant at most"):
        points_buffer(gpu, 10**9, 1000)
