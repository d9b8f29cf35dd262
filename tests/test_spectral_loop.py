"""Loops: no seam, no order, no state; on disk and back; stands, ladders and summaries of them."""

from functools import cache
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from windflower import grow
from windflower.bench.spectral import bench_spectral
from windflower.errors import FileError, MotionError
from windflower.mechanics import Modes, analyse
from windflower.motion import LoopMotion, Places, SpectralMotion, Touch, read_loop
from windflower.motion.spectral import Ladder
from windflower.motion.spectral.eddies import EddyAir
from windflower.motion.spectral.loop import Loop
from windflower.motion.spectral.loop_summary import loop_summary
from windflower.plots import plot_loop, save_plot
from windflower.wind import Turbulence

PERIOD = 7.3


@cache
def modes() -> Modes:
    return analyse(grow("walnut", seed=1, detail=0.03), count=8, cells=2, cache=False)


@cache
def motion(reading: str = "exact", headings: int = 1) -> SpectralMotion:
    return SpectralMotion(modes(), period=PERIOD, speed=7.0, seed=3, reading=reading, headings=headings)


@pytest.mark.parametrize("period", [0.7, 7.3, 61.0])
def test_value_and_first_difference_go_on_over_the_seam(period: float) -> None:
    loop, h = SpectralMotion(modes(), period=period, speed=7.0), 1e-6
    before, end, begin, after = loop.at([period - h, period, 0.0, h])
    assert np.abs(end - begin).max() < 1e-9
    assert np.abs((after - begin) - (end - before)).max() < 1e-9
    assert np.abs(loop.loop.rate(period) - loop.loop.rate(0.0)).max() < 1e-9 * np.abs(loop.loop.rate(0.0)).max()


@pytest.mark.parametrize("reading", ["exact", "linear"])
def test_frames_of_a_period_join_those_of_the_next(reading: str) -> None:
    one = motion(reading)
    times = one.frame_times(30)
    assert len(times) == round(PERIOD * 30)
    np.testing.assert_allclose(one.at(times + 5 * PERIOD), one.at(times), rtol=0, atol=1e-9)


@pytest.mark.parametrize("reading", ["exact", "linear"])
def test_frame_137_alone_is_frame_137_of_the_sequence(reading: str) -> None:
    times = motion(reading).frame_times(30)
    sequence = motion(reading).at(times)
    np.testing.assert_allclose(motion(reading).at(times[137]), sequence[137], rtol=0, atol=1e-12)


@settings(max_examples=10)
@given(st.permutations(range(20)))
def test_the_order_of_times_does_not_matter(order: list[int]) -> None:
    times = np.linspace(-30, 50, 20)
    in_order = motion().at(times)
    np.testing.assert_allclose(motion().at(times[order]), in_order[order], rtol=0, atol=1e-12)
    assert motion().at(times[order[0]]).shape == (modes().plant.nodes, 3)
    assert motion().at(times.reshape(4, 5)).shape == (4, 5, modes().plant.nodes, 3)


def test_a_loop_is_its_own_series() -> None:
    loop = motion().loop
    t = np.array([0.0, 1.234, -8.0, 1e5])
    wave = np.exp(2j * np.pi * np.outer(t, loop.frequency)) @ loop.wave
    np.testing.assert_allclose(loop.at(t), loop.mean + wave.real, atol=1e-9 * loop.rms.max())
    step = 1e-5
    np.testing.assert_allclose(loop.rate(t), (loop.at(t + step) - loop.at(t - step)) / (2 * step), atol=1e-4)


def test_a_table_holds_the_loop_and_straight_lines_lie_between() -> None:
    loop = motion().loop
    table = loop.table(loop.samples)
    times = np.arange(loop.samples) * PERIOD / loop.samples
    np.testing.assert_allclose(table, loop.at(times), atol=1e-9 * np.abs(table).max())
    np.testing.assert_allclose(loop.between_samples(times), table, atol=1e-9 * np.abs(table).max())
    half = PERIOD / loop.samples / 2
    middle = (table + np.roll(table, -1, axis=0)) / 2
    np.testing.assert_allclose(loop.between_samples(times + half), middle, atol=1e-9 * np.abs(table).max())
    np.testing.assert_allclose(table.std(axis=0), loop.rms)
    with pytest.raises(MotionError, match="too few"):
        loop.table(loop.samples - 2)


def test_its_density_sums_to_its_variance() -> None:
    loop = motion().loop
    np.testing.assert_allclose(loop.density.sum(axis=0) / PERIOD, loop.rms**2)


@pytest.mark.parametrize("wrong", [float("nan"), [0.0, float("inf")], "soon"])
def test_times_that_are_none_are_refused(wrong: object) -> None:
    with pytest.raises(MotionError):
        motion().at(wrong)  # type: ignore[arg-type]


# On disk


def test_a_saved_loop_comes_back_bit_by_bit(tmp_path: Path) -> None:
    one = motion(headings=3)
    one.save(tmp_path / "loop.npz")
    back = read_loop(tmp_path / "loop.npz")
    assert isinstance(back, LoopMotion)
    assert back.period == one.period
    np.testing.assert_array_equal(back.at([0.5, 3.0]), one.at([0.5, 3.0]))
    for clip, other in zip(back.clips, one.clips, strict=True):
        np.testing.assert_array_equal(clip.amount.wave, other.amount.wave)
        np.testing.assert_array_equal(clip.air.mean, other.air.mean)
    assert back.plant.species == "walnut"
    back.save(tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == (tmp_path / "loop.npz").read_bytes()


def test_what_is_no_loop_is_refused(tmp_path: Path) -> None:
    modes().plant.save(tmp_path / "plant.npz")
    with pytest.raises(FileError, match="plant and not a loop"):
        read_loop(tmp_path / "plant.npz")
    motion().save(tmp_path / "loop.npz")
    with np.load(tmp_path / "loop.npz") as archive:
        parts = dict(archive)
    for missing in ("shapes", "amount_wave", "plant_parent"):
        np.savez(tmp_path / "less.npz", **{name: part for name, part in parts.items() if name != missing})
        with pytest.raises(FileError, match="lacks a part"):
            read_loop(tmp_path / "less.npz")
    np.savez(tmp_path / "odd.npz", **{**parts, "shapes": parts["shapes"][:, :-1]})
    with pytest.raises(FileError, match="lacks a part"):
        read_loop(tmp_path / "odd.npz")


# Stands


def test_instances_play_the_same_table_at_other_times() -> None:
    one, places = motion(), Places(np.zeros((5, 3)), stiffness=[1, 1, 1, 2, 1])
    state = one.rest(places)
    for _ in range(3):
        state = one.step(state, np.zeros((5, 0, 3)), 0.1)
    assert state.shift[0] == 0
    assert np.ptp(np.sort(state.shift)) > PERIOD / 3
    posed = one.pose(state)
    alone = one.at(0.1 + 0.1 + 0.1 + state.shift)
    np.testing.assert_allclose(posed[[0, 1, 2, 4]], alone[[0, 1, 2, 4]], atol=1e-12)
    np.testing.assert_allclose(one.amount(state)[3], one.loop.at(0.3 + state.shift[3]) / 2)


def test_a_stand_repeats_as_a_whole() -> None:
    one, places = motion(headings=3), Places(np.zeros((6, 3)), yaw=np.arange(6), scale=np.linspace(0.8, 1.2, 6))
    state = one.rest(places)
    later = one.step(state, one.probes(places), PERIOD)
    np.testing.assert_allclose(one.pose(later), one.pose(state), atol=1e-9)
    np.testing.assert_allclose(one.air(later), one.air(state), atol=1e-9)


def test_the_wind_asked_for_nowhere_is_none() -> None:
    places = Places(np.zeros((4, 3)))
    air = Turbulence(speed=5.0).velocity(motion().probes(places), 1.0)
    assert air.shape == (4, 0, 3)
    assert motion().step(motion().rest(places), air, 0.5).time == 0.5


def test_hands_are_refused() -> None:
    touch = Touch(instance=[0], node=[3], force=[[1.0, 0.0, 0.0]])
    with pytest.raises(MotionError, match="cannot be touched"):
        motion().step(motion().rest(), np.zeros((1, 0, 3)), 0.1, touch=touch)


def test_the_air_of_a_loop_blows_from_its_direction() -> None:
    one = SpectralMotion(modes(), period=PERIOD, wind=Turbulence(speed=6.0, direction=0.0))
    assert one.air(one.rest())[0, 2] > 3  # from the north: along +z
    assert one.clip.air.mean[0] == pytest.approx(0, abs=1e-9)


# Ladders and summaries


def test_loops_of_a_ladder_fade_into_one_another() -> None:
    ladder = Ladder(modes(), period=5.0, speeds=[4.0, 8.0, 16.0], seed=2)
    for motion_, speed in zip(ladder.motions, (4.0, 8.0, 16.0), strict=True):
        np.testing.assert_allclose(ladder.at(1.3, speed), motion_.at(1.3), atol=1e-12)
    still = ladder.at(1.3, 0.0)
    np.testing.assert_allclose(still, modes().plant.position, atol=1e-12)
    near = ladder.at(1.3, 8.0 - 1e-9), ladder.at(1.3, 8.0 + 1e-9)
    np.testing.assert_allclose(near[0], near[1], atol=1e-8)
    sways = [ladder.motion(speed).loop.rms[0] for speed in (2.0, 4.0, 6.0, 8.0, 12.0, 16.0)]
    assert np.all(np.diff(sways) > 0)
    np.testing.assert_allclose(ladder.at(5.0, 6.0), ladder.at(0.0, 6.0), atol=1e-9)


def test_waves_of_a_ladder_are_in_step() -> None:
    ladder = Ladder(modes(), period=20.0, speeds=[7.0, 9.0])
    slow, fast = (one.clip.air.wave[:20, 0] for one in ladder.motions)
    alike = np.abs((slow * fast.conj()).sum()) / np.sqrt((np.abs(slow) ** 2).sum() * (np.abs(fast) ** 2).sum())
    assert alike > 0.8


def test_a_ladder_has_rungs() -> None:
    with pytest.raises(MotionError, match="rising speeds"):
        Ladder(modes(), period=5.0, speeds=[8.0, 4.0])
    with pytest.raises(MotionError, match="the ladder goes"):
        Ladder(modes(), period=5.0, speeds=[4.0, 8.0]).at(0.0, 9.0)


def test_a_summary_tells_the_sway_of_the_highest_node() -> None:
    plant = modes().plant
    summary = loop_summary(motion())
    path = motion().at(np.linspace(0, PERIOD, 400, endpoint=False))[:, summary.node]
    assert summary.node == np.argmax(plant.position[:, 1])
    assert summary.along == pytest.approx(path[:, 0].std(), rel=0.01)
    assert summary.across == pytest.approx(path[:, 2].std(), rel=0.01)
    assert summary.lean == pytest.approx(np.linalg.norm(path.mean(axis=0) - plant.position[summary.node]), rel=0.01)
    assert summary.seam < 1e-9
    assert summary.seam_rate < 1e-9
    assert 0 < summary.frequency < 2 * modes().frequency[-1]
    assert 3 < summary.wind < 7


@pytest.mark.parametrize("reading", ["exact", "linear"])
@pytest.mark.parametrize("fps", [3.0, 200.0])
def test_the_path_of_a_node_is_that_of_the_posed_plant(reading: str, fps: float) -> None:
    one = motion(reading)
    np.testing.assert_allclose(one.path(5, fps), one.at(one.frame_times(fps))[:, 5], rtol=0, atol=1e-12)


def test_a_long_loop_is_summed_and_drawn_by_transforms() -> None:
    """Moments summed wave by wave would take samples times waves; only the four about the seam are."""
    pytest.importorskip("matplotlib")
    with mock.patch.object(Loop, "_summed", autospec=True, side_effect=Loop._summed) as summed:
        plot_loop(motion())
    assert [np.size(call.args[1]) for call in summed.call_args_list] == [4]


def test_the_expected_density_needs_one_heading_and_no_roots(monkeypatch: pytest.MonkeyPatch) -> None:
    turned = SpectralMotion(modes(), period=PERIOD, speed=7.0, headings=3)
    monkeypatch.setattr("windflower.motion.spectral.correlated._roots", None)
    with mock.patch.object(EddyAir, "covariance", autospec=True, side_effect=EddyAir.covariance) as covariance:
        turned.expected_density(5, np.eye(3))
    assert len({id(call.args[0]) for call in covariance.call_args_list}) == 1


def test_a_seam_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = motion().with_clips(motion().clips)
    drifting = lambda loop, t: loop.at(t) + 1e-4 * (np.asarray(t) % PERIOD)[..., None]  # noqa: E731
    monkeypatch.setattr(broken, "_read", drifting)
    assert loop_summary(broken).seam_rate > 1e-9


def test_the_expected_density_is_the_mean_over_loops_and_known_to_the_motion_that_knows_its_wind() -> None:
    top, along = int(np.argmax(modes().plant.position[:, 1])), np.array([[1.0, 0.0, 0.0]])
    expected = motion().expected_density(top, along)[:, 0]
    rows = motion().shapes[:, top, 0]
    powers = [np.abs(motion().fresh(seed).loop.wave @ rows) ** 2 / 2 * PERIOD for seed in range(400)]
    np.testing.assert_allclose(np.mean(powers, axis=0).sum(), expected.sum(), rtol=0.1)
    np.testing.assert_array_equal(motion().natural_frequencies, modes().frequency)
    loop = motion().fresh(1)
    assert loop.expected_density(top, along) is None
    assert len(loop.natural_frequencies) == 0


@pytest.mark.parametrize("theory", [True, False])
def test_a_loop_is_drawn(tmp_path: Path, theory: bool) -> None:
    pytest.importorskip("matplotlib")
    save_plot(plot_loop(motion() if theory else motion().fresh(1), theory=theory), tmp_path / "loop.png")
    assert (tmp_path / "loop.png").stat().st_size > 20_000


@pytest.mark.slow
def test_the_benchmark_tells_times_and_what_is_left_out() -> None:
    rows = bench_spectral(branches=(17,), repeats=1)
    assert {row["unit"] for row in rows} == {"s", "ms", "%"}
    assert all(set(row) == {"what", "branches", "here", "unit", "paper", "ratio"} for row in rows)
    assert [row["paper"] for row in rows[:2]] == [0.2, 0.3]
    assert all(np.isfinite(row["here"]) for row in rows)
