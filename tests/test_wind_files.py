"""Recordings: CSV, TurbSim boxes and arrays are read as they are, and broken ones are refused in plain words."""

import contextlib
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from windflower.errors import FileError, WindError
from windflower.wind import (
    ArrayWind,
    Recording,
    TurbSimBox,
    TurbSimWind,
    read_array,
    read_bts,
    read_csv,
    wind_from,
    write_array,
    write_bts,
)

RNG = np.random.default_rng(1)


def small_box(**changes: object) -> TurbSimBox:
    settings: dict[str, object] = {
        "velocity": RNG.normal((8, 0, 0), (1.6, 1.3, 0.8), (30, 4, 5, 3)),
        "tower": RNG.normal((6, 0, 0), 1, (30, 2, 3)),
        "dt": 0.5,
        "dy": 4.0,
        "dz": 3.0,
        "hub_speed": 8.0,
        "hub_height": 10.0,
        "bottom": 4.0,
        "periodic": True,
        "note": "made for a test",
    }
    return TurbSimBox(**{**settings, **changes})  # type: ignore[arg-type]


def test_the_sample_with_a_tower_has_its_known_statistics(shared_data: Path) -> None:
    box = read_bts(shared_data / "turbsim" / "TurbSim_WithTwr.bts")
    assert box.velocity.shape == (100, 4, 3, 3)
    assert box.tower.shape == (100, 4, 3)
    assert box.hub_speed == 8.0
    assert box.velocity[..., 0].mean() == pytest.approx(7.979, abs=5e-4)
    np.testing.assert_allclose(box.velocity.std(axis=(0, 1, 2)), [1.619, 1.299, 0.812], atol=6e-4)
    # The first point of the tower is the middle of the grid's lowest row.
    np.testing.assert_array_equal(box.tower[:, 0], box.velocity[:, 0, 1])


@pytest.mark.parametrize("name", ["TurbSim_WithTwr", "TurbSim_NoTwr", "TurbSim_FAST"])
def test_samples_round_trip_within_one_quantum(shared_data: Path, tmp_path: Path, name: str) -> None:
    box = read_bts(shared_data / "turbsim" / f"{name}.bts")
    write_bts(box, tmp_path / "again.bts")
    again = read_bts(tmp_path / "again.bts")
    assert_within_a_quantum(box, again)
    assert (again.dt, again.dy, again.dz, again.note) == (box.dt, box.dy, box.dz, box.note)


def assert_within_a_quantum(box: TurbSimBox, again: TurbSimBox) -> None:
    both = np.concatenate([box.velocity.reshape(len(box.velocity), -1, 3), box.tower], axis=1)
    # The writer widens a range that is narrow beside its mean, which float32 offsets could not hold.
    span = np.maximum(np.ptp(both, axis=(0, 1)), np.abs(both).max(axis=(0, 1)) / 32)
    quantum = np.maximum(span, 1e-6) / 65535 * 1.0001
    assert (np.abs(again.velocity - box.velocity).max(axis=(0, 1, 2)) <= quantum).all()
    assert (np.abs(again.tower - box.tower).max(axis=(0, 1), initial=0.0) <= quantum).all()
    assert again.periodic == box.periodic


@given(st.floats(-60, 60), st.floats(1e-6, 40), st.booleans())
def test_boxes_round_trip_within_one_quantum(
    tmp_path_factory: pytest.TempPathFactory, mean: float, spread: float, periodic: bool
) -> None:
    path = tmp_path_factory.mktemp("bts") / "box.bts"
    velocity = mean + spread * np.random.default_rng(0).normal(size=(3, 2, 4, 3))
    velocity[..., 2] = mean  # a component that does not vary at all
    box = small_box(velocity=velocity, tower=np.zeros((3, 0, 3)), periodic=periodic)
    write_bts(box, path)
    assert_within_a_quantum(box, read_bts(path))


def test_the_bytes_are_those_of_the_format(tmp_path: Path) -> None:
    velocity = np.zeros((2, 1, 2, 3))
    velocity[0, 0, 1, 0] = 65.535
    write_bts(small_box(velocity=velocity, tower=np.zeros((2, 0, 3)), note="ab"), tmp_path / "box.bts")
    content = (tmp_path / "box.bts").read_bytes()
    assert len(content) == 70 + 2 + 6 * 2 * 2
    kind, nz, ny, ntwr, nt = struct.unpack_from("<h4i", content)
    assert (kind, nz, ny, ntwr, nt) == (8, 1, 2, 0, 2)
    assert struct.unpack_from("<2f", content, 42) == pytest.approx((1000.0, -32768.0))
    assert content[70:72] == b"ab"
    # Time, then height, then width, then component.
    assert struct.unpack_from("<h", content, 72 + 6)[0] == 32767
    assert struct.unpack_from("<h", content, 72)[0] == -32768


def test_a_box_is_carried_past_and_turned(tmp_path: Path) -> None:
    box = small_box()
    write_bts(box, tmp_path / "box.bts")
    west, north = TurbSimWind(box), TurbSimWind(box, direction=0.0)
    frame = box.velocity[6, 2, 3]  # 3 s, 10 m, 4 m to the left
    np.testing.assert_allclose(west.velocity([0, 10, -4], 3.0), [frame[0], frame[2], -frame[1]], atol=1e-12)
    np.testing.assert_allclose(north.velocity([4, 10, 0], 3.0), [frame[1], frame[2], frame[0]], atol=1e-12)
    # 16 m downwind the same comes 2 s later; after 30 frames all comes again.
    np.testing.assert_allclose(west.velocity([16, 10, -4], 5.0), west.velocity([0, 10, -4], 3.0), atol=1e-12)
    np.testing.assert_allclose(west.velocity([0, 10, -4], 3.0 + 15.0), west.velocity([0, 10, -4], 3.0), atol=1e-12)
    assert np.array_equal(west.velocity([0, 0, 0], 3.0), np.zeros(3))
    times = np.arange(30) * 0.5
    width = np.array([[0, 10, z] for z in (-8, -4, 0, 4, 8)])
    np.testing.assert_allclose(west.velocity(width[:, None], times).mean(axis=(0, 1)), west.mean, atol=1e-9)
    read = wind_from(tmp_path / "box.bts", direction=0.0)
    np.testing.assert_allclose(read.velocity([4, 10, 0], 3.0), north.velocity([4, 10, 0], 3.0), atol=1e-3)


@pytest.mark.parametrize(
    ("offset", "kind", "value", "rule"),
    [
        (0, "h", 3, "begins with 7 or 8"),
        (2, "i", -4, "counts its points"),
        (2, "i", 0, "counts its points"),
        (6, "i", 2_000_000_000, "promises"),
        (14, "i", 2_147_483_647, "promises"),
        (10, "i", 1, "promises"),
        (66, "i", 2_147_483_647, "promises"),
        (66, "i", -1, "counts its points"),
        (18, "f", float("nan"), "finite and not 0"),
        (22, "f", 1e-38, "box.bts: dy of a box must be at least 1e-09"),
        (26, "f", 0.0, "finite and not 0"),
        (42, "f", 0.0, "finite and not 0"),
    ],
)
def test_lying_headers_are_refused_before_memory_is_taken(
    tmp_path: Path, offset: int, kind: str, value: float, rule: str
) -> None:
    path = tmp_path / "box.bts"
    write_bts(small_box(), path)
    content = bytearray(path.read_bytes())
    struct.pack_into("<" + kind, content, offset, value)
    path.write_bytes(content)
    with pytest.raises(FileError, match=rule):
        read_bts(path)


@pytest.mark.parametrize("kept", [0, 10, 69, 75, 500, -1])
def test_cut_off_files_are_refused(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "box.bts"
    write_bts(small_box(), path)
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(FileError, match=r"70 bytes of header|promises"):
        read_bts(path)


def test_boxes_that_cannot_be_are_refused() -> None:
    with pytest.raises(WindError, match="none of them 0"):
        small_box(velocity=np.zeros((3, 0, 2, 3)))
    with pytest.raises(WindError, match="as many times"):
        small_box(tower=np.zeros((3, 2, 3)))
    with pytest.raises(WindError, match="hub_speed of a box must be above 0"):
        small_box(hub_speed=0.0)


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def test_named_columns_in_any_order(tmp_path: Path) -> None:
    path = write(tmp_path / "wind.csv", "w [m/s],Time (s),u,v\n0.1,0,5,1\n0.2,0.5,6,2\n0.3,1.0,7,3\n")
    wind = read_csv(path)
    assert (wind.step, wind.gaps) == (0.5, ())
    # From 270: u is east (+x), v north (-z), w up.
    np.testing.assert_allclose(
        wind.velocity([0, 10, 0], [0.0, 0.25, 1.0]), [[5, 0.1, -1], [5.5, 0.15, -1.5], [7, 0.3, -3]]
    )


@pytest.mark.parametrize(
    "text", ["0,5,1,0.1\n0.5,6,2,0.2\n", "0;5;1;.1\n0.5;6;2;.2\n", "# mast 3\n0\t5\t1\t.1\n\n.5\t6\t2\t.2\n"]
)
def test_unnamed_columns_in_order_with_any_separator(tmp_path: Path, text: str) -> None:
    wind = read_csv(write(tmp_path / "wind.csv", text))
    np.testing.assert_allclose(wind.values, [[5, 1, 0.1], [6, 2, 0.2]])


def test_gaps_are_interpolated_and_reported(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    rows = ["time,u,v,w"] + [f"{t / 10:g},{5 + t},0,0" for t in range(41) if not 10 < t < 20]
    rows[5] = "0.4,,0,0"
    rows[6] = "0.5,nan,0,0"
    path = write(tmp_path / "wind.csv", "\n".join(rows))
    wind = read_csv(path)
    assert "2 of 32 rows have missing values; 2 gaps, 1.3 s in all, the longest 1 s" in caplog.text
    np.testing.assert_allclose(wind.values[:, 0], 5 + np.arange(41.0))
    np.testing.assert_allclose(wind.gaps, [(0.3, 0.6), (1.0, 2.0)])


def test_a_recording_is_felt_later_downwind() -> None:
    values = np.random.default_rng(0).normal((8, 0, 0), 1, (200, 3))
    wind = Recording(values=values, step=0.1, direction=0.0)
    speed = values[:, 0].mean()
    np.testing.assert_allclose(wind.velocity([0, 10, 3 * speed], 5.0), wind.velocity([0, 10, 0], 2.0), atol=1e-9)
    np.testing.assert_allclose(wind.mean, [values[:, 1].mean(), values[:, 2].mean(), speed], atol=1e-12)
    assert wind.duration == pytest.approx(19.9)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("", "is empty"),
        ("time,u,v,w\n", "two moments"),
        ("time,u,v,w\n0,1,2,3\n", "two moments"),
        ("time,u,v,w\n1,1,2,3\n0,1,2,3\n", "must rise"),
        ("time,u,v,w\n0,1,2,3\n1,1,2,3\n2,1,2,3\n1e12,1,2,3\n", "most of a recording must be there"),
        ("speed,angle,gust\n1,1,2\n0,1,2\n", "columns named"),
        ("1,2\n3,4\n", "has 2"),
        ("time,u,v,w\n0,a,2,3\n1,b,2,3\n", "has none"),
    ],
)
def test_broken_recordings_are_refused(tmp_path: Path, text: str, rule: str) -> None:
    with pytest.raises(FileError, match=rule):
        read_csv(write(tmp_path / "wind.csv", text))


@given(content=st.binary(max_size=300), suffix=st.sampled_from([".csv", ".bts", ".npz", ".npy"]))
def test_any_bytes_are_read_or_refused_in_plain_words(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, suffix: str
) -> None:
    path = tmp_path_factory.mktemp("any") / f"wind{suffix}"
    path.write_bytes(content)
    with contextlib.suppress(FileError):
        wind_from(path)


@pytest.fixture(scope="module")
def good_files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("good")
    write(folder / "wind.csv", "time,u,v,w\n" + "".join(f"{t},5,{t},0\n" for t in range(9)))
    write_bts(small_box(), folder / "wind.bts")
    write_array(ArrayWind(values=np.ones((2, 2, 2, 2, 3)), box=((0, 0, 0), (1, 2, 3))), folder / "wind.npz")
    np.save(folder / "wind.npy", np.ones((2, 2, 2, 2, 3)))
    return {path.suffix: path for path in folder.iterdir()}


@given(
    suffix=st.sampled_from([".csv", ".bts", ".npz", ".npy"]),
    places=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), min_size=1, max_size=4),
)
def test_damaged_files_are_read_or_refused_in_plain_words(
    tmp_path_factory: pytest.TempPathFactory, good_files: dict[str, Path], suffix: str, places: list[tuple[float, int]]
) -> None:
    content = bytearray(good_files[suffix].read_bytes())
    for place, value in places:
        # Squared, so that headers are hit more often than data.
        content[int(place**2 * (len(content) - 1))] = value
    path = tmp_path_factory.mktemp("damaged") / f"wind{suffix}"
    path.write_bytes(content)
    with contextlib.suppress(FileError):
        assert np.isfinite(wind_from(path).velocity([[0.5, 1.0, 0.5]], 0.3)).all()


@pytest.mark.parametrize("suffix", [".csv", ".bts", ".npz"])
def test_missing_files_and_folders_are_named(tmp_path: Path, suffix: str) -> None:
    with pytest.raises(FileError, match="must exist"):
        wind_from(tmp_path / f"none{suffix}")
    (tmp_path / f"folder{suffix}").mkdir()
    with pytest.raises(FileError, match="folder"):
        wind_from(tmp_path / f"folder{suffix}")


def test_an_array_is_written_and_read_back(tmp_path: Path) -> None:
    values = RNG.normal(size=(3, 2, 4, 5, 3)).astype(np.float32)
    wind = ArrayWind(values=values, box=((0, 0, 0), (1, 2, 3)), step=0.2, start=4.0)
    write_array(wind, tmp_path / "wind.npz")
    again = read_array(tmp_path / "wind.npz")
    assert np.array_equal(again.values, values)
    assert (again.box, again.step, again.start) == (wind.box, 0.2, 4.0)


def test_a_bare_array_stands_on_the_ground_about_the_origin(tmp_path: Path) -> None:
    values = RNG.normal(size=(3, 5, 4, 7, 3))
    np.save(tmp_path / "wind.npy", values)
    wind = wind_from(tmp_path / "wind.npy")
    np.testing.assert_allclose(wind.velocity([-2, 0, 3], 0.1), values[1, 0, 0, 6], atol=1e-12)


def test_an_archive_of_something_else_is_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "other.npz", heights=np.zeros(4))
    with pytest.raises(FileError, match="named velocity; it holds heights"):
        read_array(tmp_path / "other.npz")
    np.savez(tmp_path / "bad.npz", velocity=np.zeros((1, 2, 2, 2, 3)), step=-1.0)
    with pytest.raises(FileError, match="above 0"):
        read_array(tmp_path / "bad.npz")
