"""A plant in a wind for some seconds, its pictures, and the rows of its benchmark."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from windflower import grow
from windflower.bench.forest import bench_poses
from windflower.errors import FileError, MotionError
from windflower.mechanics import Modes, analyse
from windflower.motion import ModalMotion, Places, Sway, sway
from windflower.motion.poses.single_pose import compiles
from windflower.plots import plot_poses, plot_sway, save_plot
from windflower.wind import Steady, gusty_wind


@cache
def aspen(cells: int = 1) -> Modes:
    return analyse(grow("quaking-aspen", seed=1, detail=0.1), cells=cells, cache=False)


@cache
def gusty() -> Sway:
    return sway(aspen(4), gusty_wind(9.0, seed=2), seconds=40.0)


def test_in_a_steady_wind_the_plant_keeps_its_lean() -> None:
    modes, wind = aspen(), Steady(speed=7.0, direction=300.0)
    record = sway(modes, wind, seconds=2.0, before=0.0)
    motion = ModalMotion(modes)
    lean = motion.pose(motion.settled(Places(), wind.velocity(motion.probes(Places()), 0.0)))[0]
    highest = int(np.argmax(modes.plant.position[:, 1]))
    np.testing.assert_allclose(record.path, np.tile(lean[highest] - modes.plant.position[highest], (121, 1)), atol=1e-9)
    assert record.along.mean() > 3 * abs(record.across.mean())
    assert record.time[[0, -1]] == pytest.approx([0, 2])


def test_in_gusts_it_sways_at_its_first_mode_about_its_lean() -> None:
    record = gusty()
    frequency, density = record.spectrum()
    # Across the wind there is little but the plant's own sway; along it slow gusts have most of the power.
    first = record.modes.frequency[0]
    band = frequency > 0.6 * first
    # A single line of the spectrum is a matter of chance, and the wind's own spectrum falls as f^-5/3.
    smooth = np.stack([np.convolve(one * frequency ** (5 / 3), np.ones(5) / 5, "same") for one in density])
    peak = frequency[band][smooth[:, band].max(axis=0).argmax()]
    assert peak == pytest.approx(first, rel=0.25)
    assert record.along.mean() > record.along.std() > 0
    moment = record.moment @ np.cross((0.0, 1.0, 0.0), record.direction)
    assert moment.mean() < 0  # the ground holds against the lean
    assert record.strain.shape == record.time.shape
    assert 0 < record.strain.max() < 0.01


def test_the_spectrum_holds_the_variance() -> None:
    record = gusty()
    frequency, density = record.spectrum()
    power = density[1].sum() * (frequency[1] - frequency[0])
    # What is slower than a piece of the record is not in its spectrum.
    piece = round(1 / (frequency[0] * (record.time[1] - record.time[0])))
    whole = len(record.across) // piece * piece
    assert power == pytest.approx(record.across[:whole].reshape(-1, piece).var(axis=1).mean(), rel=0.4)


def test_a_plant_is_analysed_on_the_way() -> None:
    plant = grow("walnut", seed=3, detail=0.02)
    record = sway(plant, Steady(speed=5.0), seconds=0.5, before=0.1, node=4, pose="linear")
    assert record.modes.plant is plant
    assert record.path.shape == (31, 3)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"seconds": 0.0}, "more than two steps"),
        ({"seconds": float("nan")}, "more than two steps"),
        ({"dt": -1.0}, "more than two steps"),
        ({"before": -1.0}, "more than two steps"),
        ({"node": 10**6}, "node 1000000 is not among them"),
    ],
)
def test_a_sway_that_cannot_be_says_why(options: dict[str, float], said: str) -> None:
    with pytest.raises(MotionError, match=said):
        sway(aspen(), Steady(speed=5.0), **options)  # type: ignore[arg-type]


def test_pictures_are_written(tmp_path: Path) -> None:
    save_plot(plot_sway(gusty()), tmp_path / "sway.png")
    save_plot(plot_poses(aspen(), speed=40.0), tmp_path / "poses.png")
    assert all((tmp_path / name).stat().st_size > 20_000 for name in ("sway.png", "poses.png"))
    with pytest.raises(FileError):
        save_plot(plot_sway(gusty()), tmp_path / "sway.txt")
    with pytest.raises(MotionError, match="from 0 m/s up"):
        plot_poses(aspen(), speed=-1.0)


def test_a_calm_sway_can_be_drawn(tmp_path: Path) -> None:
    calm = sway(aspen(), Steady(speed=0.0), seconds=1.0)
    np.testing.assert_allclose(calm.path, 0, atol=1e-12)
    save_plot(plot_sway(calm), tmp_path / "calm.png")


def test_the_benchmark_of_poses_has_a_row_for_each() -> None:
    rows = list(bench_poses(nodes=100, trees=5, count=5, seconds=0.01))
    single = ["single", "single, compiled"] if compiles() else ["single"]
    assert [row["numbers"] for row in rows if row["pose"] == "rotated"] == ["double", *single]
    assert {row["pose"] for row in rows} == {"linear", "rotated", "corrected"}
    assert all(row["steps/s"] > 0 for row in rows)
