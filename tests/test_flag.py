"""A flag in the wind: waves, stretch, loops; and the same flag stepped, played and drawn."""

import warnings
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from tests.stands import DT, assert_twins, places, reference, winds
from windflower.core.arrays import FloatArray
from windflower.core.device import Gpu
from windflower.errors import WindError
from windflower.mechanics import Modes, Sheet, analyse_structure
from windflower.mechanics.objects import banner, flag
from windflower.motion import ModalMotion, Places, SpectralMotion
from windflower.motion.modal.modal_kernels import GpuModal
from windflower.motion.poses.sheet_limits import STRETCH, stretched
from windflower.motion.spectral.linear_drag import sheet_drag
from windflower.motion.spectral.loop_twin import GpuLoop
from windflower.wind import Steady, pole_wake

SPEED, LENGTH = 5.0, 1.8


@cache
def modes() -> Modes:
    return analyse_structure(flag(), count=30, cache=False)


def sheet() -> Sheet:
    return modes().conditions.sheets[0]


@cache
def waving(intensity: float = 0.11, seed: int = 0, period: float = 8.0) -> SpectralMotion:
    return SpectralMotion(modes(), period=period, wind=pole_wake(SPEED, LENGTH, intensity=intensity), seed=seed)


def middle_row(points: FloatArray) -> FloatArray:
    """(times, columns) how far the middle row is from the flag's plane, m."""
    return np.asarray(sheet().vertices(points)[:, sheet().node.shape[0] // 2, :, 2])


def run_downwind(row: FloatArray) -> float:
    """The share of the energy of what runs that runs from column 0 on, of a row (times, columns)."""
    wave = np.fft.fft2((row - row.mean(axis=0)) * np.hanning(row.shape[1]))
    heading = np.fft.fftfreq(row.shape[0])[:, None] * np.fft.fftfreq(row.shape[1])
    energy = np.abs(wave) ** 2
    downwind, upwind = energy[heading < 0].sum(), energy[heading > 0].sum()
    return float(downwind / (downwind + upwind))


def lag(row: FloatArray, near: int, far: int, rate: float) -> float:
    """By how many seconds one column comes after another in a loop (times, columns)."""
    moved = row - row.mean(axis=0)
    alike = np.fft.irfft(np.fft.rfft(moved[:, far]) * np.fft.rfft(moved[:, near]).conj())
    shift = int(np.argmax(alike))
    return (shift if shift < len(alike) // 2 else shift - len(alike)) / rate


# Waves


def test_waves_run_from_the_pole_to_the_fly_end() -> None:
    for seed in range(3):
        motion = waving(seed=seed)
        row = middle_row(motion.at(motion.frame_times(60)))
        assert run_downwind(row) > 0.8
        assert run_downwind(row[:, ::-1]) < 0.2  # the measure tells the two apart
        apart = lag(row, 6, 15, 60)
        crest = 9 / 18 * LENGTH / apart
        assert 0.3 * SPEED < crest < 1.5 * SPEED
        sway = row.std(axis=0)
        assert sway[-1] > 2 * sway[6] > 3 * sway[0]


def test_at_its_usual_amplitude_no_cell_stretches_by_three_per_cent() -> None:
    for seed in range(3):
        motion = waving(seed=seed)
        points = motion.at(motion.frame_times(60))
        assert np.abs(sheet().vertices(points)[..., 2]).max() > LENGTH / 8
        assert stretched([sheet()], points, motion.plant.position) < STRETCH


def test_rows_keep_their_length_exactly() -> None:
    motion = waving()
    grid = sheet().vertices(motion.at(motion.frame_times(10)))
    along = np.linalg.norm(np.diff(grid, axis=2), axis=-1)
    np.testing.assert_allclose(along, LENGTH / 18, rtol=1e-12)


def test_past_the_limit_there_is_a_warning_and_below_it_none() -> None:
    with pytest.warns(UserWarning, match="weaker wind or a stiffer sheet"):
        SpectralMotion(modes(), period=8.0, wind=pole_wake(SPEED, LENGTH, intensity=0.4))
    motion = ModalMotion(modes())
    swung = motion.settled(Places(), np.broadcast_to([0.0, 0, 4.0], (1, modes().cells, 3)))
    with pytest.warns(UserWarning, match="65°"):
        motion.pose(swung)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        waving.__wrapped__(intensity=0.1, seed=5)


def test_stretch_grows_with_the_square_of_the_amplitude() -> None:
    small, large = waving(0.03), waving(0.06)
    rest = small.plant.position
    one, two = (stretched([sheet()], motion.at(motion.frame_times(60)), rest) for motion in (small, large))
    assert two / one == pytest.approx(4, rel=0.25)


def test_the_loop_has_no_seam() -> None:
    motion, nudge = waving(), 1e-4
    before, end, begin, after = motion.at(np.array([-nudge, motion.period, 0.0, nudge]))
    np.testing.assert_allclose(end, begin, atol=1e-12)
    assert np.abs((after - begin) - (end - before)).max() < 1e-5 * np.abs(begin - motion.plant.position).max()


# The same flag by other ways


def test_drag_as_it_is_gives_nearly_the_same_sway_as_its_best_line() -> None:
    motion = waving()
    real, linear = motion.quadratic().rms[:5], motion.loop.rms[:5]
    np.testing.assert_allclose(real, linear, rtol=0.25)


def test_the_best_line_has_the_least_error() -> None:
    rng = np.random.default_rng(0)
    chance = rng.normal(size=(200_000, 3))
    for normal, speed in (([0.0, 1.0, 0.0], 5.0), ([0.6, 0.8, 0.0], 5.0), ([0.1, 0.6, 0.79], 2.0)):
        n, sigma = np.array([normal]) / np.linalg.norm(normal), np.array([[0.9, 0.7, 0.5]])
        found = sheet_drag(np.array([speed]), sigma, n, np.zeros(1))
        across = (np.array([speed, 0, 0]) + chance * sigma) @ n[0]
        dynamic = np.abs(across) * across
        assert found.mean[0] @ n[0] == pytest.approx(dynamic.mean(), abs=0.02 * np.abs(dynamic).mean())
        slope = np.cov(dynamic, across)[0, 1] / across.var()
        assert found.brake[0] == pytest.approx(slope, rel=0.02)
        np.testing.assert_allclose(found.gain[0], found.brake[0] * np.outer(n[0], n[0]), atol=1e-12)


def test_lift_adds_what_the_wind_along_the_sheet_gives() -> None:
    n, nudge, none = np.array([[0.28, 0.96, 0.0]]), 1e-5, np.zeros((1, 3))
    one = sheet_drag(np.array([4.0]), none, n, np.array([2.0]))

    def dynamic(wind: FloatArray) -> FloatArray:
        across = wind @ n[0]
        return np.asarray((np.abs(across) + 2 * np.linalg.norm(wind - across * n[0])) * across * n[0])

    mean = np.array([4.0, 0, 0])
    np.testing.assert_allclose(one.mean[0], dynamic(mean), rtol=1e-9)
    slope = np.stack([(dynamic(mean + e) - dynamic(mean - e)) / (2 * nudge) for e in nudge * np.eye(3)], axis=1)
    np.testing.assert_allclose(one.gain[0], slope, atol=1e-6)


def test_steps_in_time_wave_as_much_as_the_loop() -> None:
    wind = Steady(speed=SPEED, direction=270.0) + pole_wake(SPEED, LENGTH, intensity=0.1)
    motion, state = ModalMotion(modes(), speed=SPEED), ModalMotion(modes()).rest()
    times = DT * np.arange(1, 901)
    air = wind.velocity(motion.probes(Places())[0], times[:, None])
    rows = []
    for now in air:
        state = motion.step(state, now[None], DT)
        rows.append(middle_row(motion.pose(state))[0])
    row = np.array(rows)[120:]
    assert run_downwind(row) > 0.7
    loop = waving(0.1)
    np.testing.assert_allclose(row.std(axis=0)[-1], middle_row(loop.at(loop.frame_times(30))).std(axis=0)[-1], rtol=0.4)


def test_the_device_steps_and_poses_a_flag_as_the_reference_does(gpu: Gpu) -> None:
    motion, where = ModalMotion(modes().truncated(12), speed=SPEED), places(5)
    air = 0.2 * winds(20, 5, modes().cells)
    twin = GpuModal(gpu, motion, where, dt=DT)
    twin.step_under(air)
    twin.pose()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wanted = motion.pose(reference(motion, where, air))
    assert_twins(twin.read_points(), wanted, modes().plant)


def test_the_device_plays_a_flags_loop_as_the_reference_does(gpu: Gpu) -> None:
    motion, where = waving(), places(3)
    twin = GpuLoop(gpu, motion, where)
    twin.seek(1.7)
    twin.pose()
    state = motion.step(motion.rest(where), np.zeros((3, 0, 3)), 1.7)
    assert_twins(twin.read_points(), motion.pose(state), modes().plant)


def test_a_banner_between_two_arms_keeps_its_edges_in_the_linear_pose() -> None:
    hung = analyse_structure(banner(), count=12, cache=False)
    motion = ModalMotion(hung, pose="linear")
    points = motion.pose(motion.settled(Places(), np.broadcast_to([0.0, 0, 5.0], (1, hung.cells, 3))))
    grid = hung.conditions.sheets[0].vertices(points)[0]
    middle = grid.shape[1] // 2
    assert grid[:, middle, 2].min() > grid[:, [0, -1], 2].max() + 0.02  # it bellies out
    assert stretched(hung.conditions.sheets, points, hung.plant.position) < STRETCH


# What is drawn


def test_normals_triangles_and_texture_describe_one_surface() -> None:
    one = sheet()
    points = waving().at(0.4)
    vertex, normal = one.vertices(points).reshape(-1, 3), one.normals(points).reshape(-1, 3)
    np.testing.assert_allclose(np.linalg.norm(normal, axis=1), 1, rtol=1e-12)
    a, b, c = (vertex[one.triangles[:, k]] for k in range(3))
    face = np.cross(b - a, c - a)
    assert len(one.triangles) == 2 * 18 * 12
    assert ((face * normal[one.triangles].mean(axis=1)).sum(axis=1) > 0).all()
    area = np.linalg.norm(face, axis=1).sum() / 2
    assert area == pytest.approx(1.8 * 1.2, rel=0.02)
    assert one.texture[0].tolist() == [0, 0]
    assert one.texture[-1].tolist() == [1, 1]
    assert one.texture[18].tolist() == [1, 0]  # the lower corner at the fly end
    np.testing.assert_allclose(vertex[18], points[one.node[0, -1]])


def test_a_strip_of_a_waving_flag_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    from windflower.plots import plot_sheets, save_plot

    save_plot(plot_sheets(waving(), modes().conditions.sheets, frames=2), tmp_path / "flag.png")
    assert (tmp_path / "flag.png").stat().st_size > 10_000


@pytest.mark.parametrize(("speed", "length"), [(0.0, 1.8), (5.0, -1.0)])
def test_a_wake_needs_a_wind_and_a_flag(speed: float, length: float) -> None:
    with pytest.raises(WindError):
        pole_wake(speed, length)
