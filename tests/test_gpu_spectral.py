"""Loops on the device against the NumPy reference."""

from dataclasses import replace

import numpy as np
import pytest

from tests.sampled import sampled
from tests.stands import assert_twins, modes_of, places
from windflower.core.arrays import FloatArray
from windflower.core.buffers import read_floats
from windflower.core.device import Gpu
from windflower.errors import GpuError, MotionError
from windflower.motion import LoopMotion, Places, SpectralMotion
from windflower.motion.poses.pose import RotatedPose
from windflower.motion.spectral.loop_twin import GpuLoop
from windflower.plant.detail import kept_nodes, on_nodes


def looped(name: str = "oak", *, cells: int = 2, headings: int = 3, **options: str) -> SpectralMotion:
    return SpectralMotion(modes_of(name, cells), period=6.5, speed=30.0, headings=headings, **options)  # type: ignore[arg-type]


def reference(motion: LoopMotion, where: Places, t: float) -> FloatArray:
    return motion.pose(replace(motion.rest(where), time=t))


@pytest.mark.parametrize(
    ("pose", "name", "count"),
    sampled(
        [(pose, *stand) for pose in ("rotated", "linear", "corrected") for stand in (("oak", 37), ("two trees", 5))],
        ("rotated", "oak", 37),
        ("linear", "two trees", 5),
        ("corrected", "oak", 37),
    ),
)
def test_any_time_shows_what_the_reference_shows(gpu: Gpu, pose: str, name: str, count: int) -> None:
    motion, where = looped(name, pose=pose), places(count)
    twin = GpuLoop(gpu, motion, where)
    for t in (0.0, 3.21, 1.0, 6.499999, -2.0, 1e4):  # in any order
        twin.seek(t)
        twin.pose()
        assert_twins(twin.read_points(), reference(motion, where, t), motion.plant)


@pytest.mark.slow
def test_straight_lines_between_samples_are_read_as_the_reference_reads_them(gpu: Gpu) -> None:
    motion, where = looped(reading="linear"), places(9)
    twin, apart = GpuLoop(gpu, motion, where), 0.0
    for t in (0.0, 3.21, 6.499999, -2.0):
        twin.seek(t)
        twin.pose()
        assert_twins(twin.read_points(), wanted := reference(motion, where, t), motion.plant)
        apart = max(apart, float(np.abs(wanted - reference(looped(), where, t)).max()))
    assert apart > 1e-3, "it is not the series"


def test_the_wind_of_each_instance_is_that_of_the_reference(gpu: Gpu) -> None:
    motion, where = looped(), places(40)
    twin = GpuLoop(gpu, motion, where)
    twin.seek(2.0)
    air = read_floats(gpu, twin.air).reshape(-1, 4)[:40, :3]
    np.testing.assert_allclose(air, motion.air(replace(motion.rest(where), time=2.0)), atol=2e-3)


def test_the_table_has_only_headings_that_occur(gpu: Gpu) -> None:
    motion, turned = looped(), Places(np.zeros((2, 3)), yaw=np.full(2, 4 * np.pi / 3))
    one, all_three = GpuLoop(gpu, motion, turned), GpuLoop(gpu, motion, places(40))
    assert 3 * one._table.size == all_three._table.size
    one.seek(1.3)
    one.pose()
    assert_twins(one.read_points(), reference(motion, turned, 1.3), motion.plant)


def test_levels_and_blocks_pose_chosen_instances(gpu: Gpu) -> None:
    motion, where = looped(), places(100)
    levels = [kept_nodes(motion.plant, nodes) for nodes in (motion.plant.nodes, 30)]
    twin = GpuLoop(gpu, motion, where, levels=levels, most=200_000)
    small = GpuLoop(gpu, motion, where, levels=levels, most=motion.loop.samples * 4 * 18 * 8 * 3)
    assert len(small._blocks) >= len(twin._blocks)
    chosen = np.array([3, 99, 41, 7])
    state = replace(motion.rest(where), time=1.7)
    for stand in (twin, small):
        stand.seek(1.7)
        for level, node in enumerate(levels):
            shown = np.concatenate([posed.instances for posed in stand.pose(level, chosen)])
            on_level = RotatedPose(on_nodes(motion.plant, node), motion.shapes[:, node])
            assert_twins(stand.read_points(level), on_level.points(motion.amount(state))[shown], motion.plant, node)


def test_a_period_later_all_is_the_same_bit_by_bit(gpu: Gpu) -> None:
    motion = looped()
    twin = GpuLoop(gpu, motion, places(33))
    shown = []
    for t in (0.0, 6.5, 13.0):
        twin.seek(t)
        twin.pose()
        shown.append(twin.read_points())
    assert (shown[0] == shown[1]).all()
    assert (shown[0] == shown[2]).all()


def test_what_does_not_fit_or_is_not_there_is_refused(gpu: Gpu) -> None:
    motion = looped()
    with pytest.raises(GpuError, match="must fit a buffer"):
        GpuLoop(gpu, motion, places(3), most=10_000)
    twin = GpuLoop(gpu, motion, places(3))
    with pytest.raises(MotionError, match="3 instances"):
        twin.pose(0, np.array([3]))
    with pytest.raises(MotionError, match="finite"):
        twin.seek(float("nan"))
