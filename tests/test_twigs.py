"""The fast small motion of twigs on top of a pose."""

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.stands import DT, modes_of, places, winds
from windflower import grow
from windflower.core.device import Gpu
from windflower.errors import MotionError
from windflower.motion import ModalMotion, Places
from windflower.motion.cantilever.twigs import MOST, Twigs, twigs_of
from windflower.motion.cantilever.twigs_twin import GpuTwigs
from windflower.motion.modal.modal_kernels import GpuModal
from windflower.plant.detail import kept_nodes
from windflower.scene import build, parse_scene
from windflower.simulation.device_stand import DeviceStand
from windflower.wind import Wind


def shaken(twigs: Twigs) -> NDArray[np.bool_]:
    """(nodes,) which segments are of twigs."""
    return np.asarray(twigs.bend.any(axis=(1, 2)))


def test_only_axes_faster_than_the_kept_modes_are_shaken() -> None:
    plant = grow("oak", detail=0.3)
    shares = [shaken(twigs_of(plant, above=above)).mean() for above in (0.5, 2.0, 5.0, 100.0)]
    assert (np.diff(shares) <= 0).all()
    assert shares[0] > 0.5
    assert shares[-1] == 0
    fast = shaken(twigs_of(plant, above=2.0))
    assert not fast[plant.order == 0].any(), "trunks are for modes"
    assert plant.radius[fast].mean() < 0.5 * plant.radius[~fast].mean()


def test_twigs_tremble_about_the_pose_and_keep_their_lengths() -> None:
    plant = grow("quaking-aspen", detail=0.3)
    twigs, where = twigs_of(plant, above=2.0), Places()
    rng = np.random.default_rng(1)
    pose = plant.position + 0.01 * rng.normal(size=(1, plant.nodes, 3)) * (plant.parent >= 0)[:, None]
    path = np.array([twigs.add(pose, twigs.turn(where, [[9.0, 0, 0]], t))[0] for t in np.arange(0, 8, 0.19)])
    away = path - pose
    tips = away[:, plant.tips]
    rms = np.sqrt((tips**2).sum(axis=-1).mean())
    assert 0.002 < rms < 0.1
    assert np.linalg.norm(tips.mean(axis=0), axis=-1).mean() < 0.4 * rms
    chord, own = (np.linalg.norm(one - one[:, plant.parent], axis=-1)[:, plant.segments] for one in (path, pose))
    assert chord == pytest.approx(np.broadcast_to(own, chord.shape), abs=1e-9)
    assert np.abs(away[:, plant.order == 0]).max() < 1e-12, "the trunk is where the pose has it"


def test_calm_twigs_add_nothing_and_no_storm_tears_them() -> None:
    plant = grow("weeping-willow", detail=0.1)
    twigs, where = twigs_of(plant, above=2.0), places(2)
    assert (twigs.turn(where, np.zeros((2, 3)), 3.3) == 0).all()
    storm = np.linalg.norm(twigs.turn(where, np.full((2, 3), 1e9), 3.3), axis=-1)
    assert np.isfinite(storm).all()
    assert storm.max() <= MOST * (1 + 1e-12)


def test_faster_wind_shakes_more_and_neighbours_differ() -> None:
    plant = grow("oak", detail=0.2)
    twigs, where = twigs_of(plant, above=1.5), Places(np.zeros((2, 3)))
    far = [np.abs(twigs.turn(where, np.tile([speed, 0.0, 0.0], (2, 1)), 1.0)).sum() for speed in (2, 5, 10)]
    assert (np.diff(far) > 0).all()
    turn = twigs.turn(where, np.full((2, 3), 5.0), 1.0)
    assert not np.allclose(turn[0], turn[1])
    some = twigs.turn(Places(np.zeros((1, 3))), [[5.0, 5.0, 5.0]], 1.0, instances=np.array([1]))
    assert (some[0] == turn[1]).all()


@pytest.mark.parametrize("kept", [None, 40])
def test_the_device_shakes_twigs_as_the_reference_does(gpu: Gpu, kept: int | None) -> None:
    modes, count = modes_of("oak"), 9
    motion, where, air = ModalMotion(modes), places(count), winds(30, count, 1)
    node = np.arange(modes.plant.nodes) if kept is None else kept_nodes(modes.plant, kept)
    twin = GpuModal(gpu, motion, where, dt=DT, levels=[node])
    twin.step_under(air)
    twigs = twigs_of(modes.plant, above=1.0).on_nodes(node)
    shaker, chosen = GpuTwigs(gpu, twigs, where, twin.air), np.array([7, 2, 4])
    encoder = gpu.device.create_command_encoder()
    posed = twin.pose(0, chosen, encoder=encoder)
    gpu.queue.submit([encoder.finish()])
    plain = twin.read_points()
    encoder = gpu.device.create_command_encoder()
    shaker.shake(encoder, posed, 2.5)
    gpu.queue.submit([encoder.finish()])
    some = Places(where.position[chosen], yaw=where.yaw[chosen], stiffness=where.stiffness[chosen])
    turn = twigs.turn(some, air[-1, chosen, 0], 2.5, instances=chosen)
    wanted = twigs.add(plain, turn)
    assert np.abs(turn).max() > 1e-3
    assert np.abs(wanted - plain).max() > 1e-3
    assert np.abs(twin.read_points() - wanted).max() < 2e-5


def test_what_cannot_be_is_refused() -> None:
    plant = grow("oak", detail=0.03)
    for above, swing in ((-1.0, 1.0), (1.0, 3.0), (np.nan, 1.0)):
        with pytest.raises(MotionError, match=r"static_frequency"):
            twigs_of(plant, above=above, swing=swing)
    with pytest.raises(MotionError, match="one velocity for each probe"):
        twigs_of(plant, above=1.0).turn(places(3), np.zeros((2, 3)), 0.0)


@pytest.mark.slow
def test_drawn_trees_quiver_at_fine_levels_alone_and_only_if_wished(gpu: Gpu) -> None:
    """On top of the modes' pose, and after a period as before where a loop plays."""
    for kind in ("modal", "spectral"):
        both = [
            build(
                parse_scene(
                    '[[stands]]\nplant = "oak"\ndetail = 0.15\nscale_variation = 0.0\n'
                    f'motion = {{ kind = "{kind}", modes = 6, twigs = {switch} }}\n[wind]\nspeed = 12\n'
                )
            ).stands[0]
            for switch in ("true", "false")
        ]
        wind = Wind.beaufort(6)
        stands = [DeviceStand(gpu, stand, wind, 0.0, 1 / 60) for stand in both]
        for stand in stands:
            stand.advance(wind, np.array([1 / 60]), None)
        moved = []
        for level in range(len(both[0].motion.levels)):
            for stand in stands:
                stand.pose(level, np.arange(1))
            quick, plain = (stand.twin.read_points(level)[0] for stand in stands)
            moved.append(np.linalg.norm(quick - plain, axis=-1).max())
        assert min(moved[:2]) > 0.003
        assert max(moved[2:]) == 0
    first = stands[0].points(np.arange(1))
    stands[0].advance(wind, np.array([6.0 + 1 / 60]), None)
    assert stands[0].points(np.arange(1)) == pytest.approx(first, abs=1e-4)
