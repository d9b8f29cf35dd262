"""Wind files as masts write them: each kind is read in its own units, and a damaged one is refused in one sentence."""

import contextlib
import logging
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.mast_files import CUP, GERMAN, KNOTS, MASTS, MILES, SONIC, TOA5
from windflower import Film, parse_scene, read_scene
from windflower.errors import FileError, SceneError, WindError, WindflowerError
from windflower.scene.wind import wind_of
from windflower.wind import Recording, direction_of, read_csv, wind_from
from windflower.wind.mast_times import seconds_of

KNOT = 1852 / 3600


def kept(tmp_path: Path, text: str, name: str = "mast.csv", encoding: str = "utf-8") -> Path:
    path = tmp_path / name
    path.write_bytes(text.encode(encoding))
    return path


def horizontal(wind: Recording) -> np.ndarray:
    return np.hypot(wind.values[:, 0], wind.values[:, 1])


def test_a_campbell_table_is_read_with_its_units_and_its_gap_told_in_one_line(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    wind = wind_from(kept(tmp_path, TOA5, "edge.dat"))
    assert isinstance(wind, Recording)
    assert wind.step == 1.0
    np.testing.assert_allclose(horizontal(wind)[[0, 1, 3, 4]], [6.2, 7.1, 8.4, 7.7])
    assert wind.direction == pytest.approx(251.9, abs=0.5)
    assert direction_of(wind.velocity([0, 10, 0], 1.0)) == pytest.approx(248.8, abs=1e-6)
    assert wind.gaps == ((1.0, 3.0),)
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert record.getMessage().endswith(
        "1 of 5 rows have missing values; 1 gap, 2 s in all, the longest 2 s, interpolated."
    )


def test_iso_times_with_fractions_and_zones(tmp_path: Path) -> None:
    wind = read_csv(kept(tmp_path, SONIC))
    assert wind.step == pytest.approx(0.05)
    np.testing.assert_allclose(wind.values[:2], [[5.21, -0.40, 0.12], [5.34, -0.35, 0.10]])
    east = SONIC.replace("T14:00", "T15:00").replace("Z", "+01:00")
    np.testing.assert_allclose(read_csv(kept(tmp_path, east)).values, wind.values)
    bare = SONIC.replace("Z", "").replace("T", " ")
    np.testing.assert_allclose(read_csv(kept(tmp_path, bare)).values, wind.values)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16"])
def test_semicolons_with_decimal_commas_and_km_h(
    tmp_path: Path, encoding: str, caplog: pytest.LogCaptureFixture
) -> None:
    wind = read_csv(kept(tmp_path, GERMAN, encoding=encoding))
    np.testing.assert_allclose(horizontal(wind)[[0, 1, 3]], [5.0, 6.0, 7.0])
    assert len(caplog.records) == 1
    assert wind.direction == pytest.approx(271, abs=1)


def test_a_direction_is_where_the_wind_comes_from(tmp_path: Path) -> None:
    wind = read_csv(kept(tmp_path, "time,speed,direction\n0,5,0\n1,5,0\n"))
    np.testing.assert_allclose(wind.velocity([0, 10, 0], 0.5), [0, 0, 5], atol=1e-12)  # from north it blows along +z
    turned = read_csv(kept(tmp_path, "time,speed,direction\n0,5,350\n1,5,10\n"), direction=270.0)
    np.testing.assert_allclose(turned.mean, [5 * np.cos(np.radians(10)), 0, 0], atol=1e-12)
    calm = read_csv(kept(tmp_path, "time,speed,direction\n0,0,NAN\n1,5,90\n2,0,\n"))
    assert calm.gaps == ()


def test_knots_miles_and_cups(tmp_path: Path) -> None:
    knots = read_csv(kept(tmp_path, KNOTS))
    np.testing.assert_allclose(horizontal(knots)[[0, 1, 3]], np.array([10, 12, 11]) * KNOT)
    miles = read_csv(kept(tmp_path, MILES))
    np.testing.assert_allclose(horizontal(miles), np.array([20, 25, 22]) * 0.44704)
    assert miles.step == 60
    cup = read_csv(kept(tmp_path, CUP), direction=0.0)
    np.testing.assert_allclose(cup.velocity([0, 10, 0], 0.5), [0, 0, 4.5], atol=1e-12)


def test_columns_of_other_names_are_chosen(tmp_path: Path) -> None:
    path = kept(tmp_path, "Uhr,Anemo A,Fahne\n0,18,90\n1,36,90\n")
    with pytest.raises(FileError, match=r"columns named time.*has Uhr, Anemo A, Fahne"):
        read_csv(path)
    wind = read_csv(path, columns={"time": "Uhr", "speed": "Anemo A (km/h)", "direction": "3"})
    np.testing.assert_allclose(wind.velocity([0, 10, 0], [0.0, 1.0]), [[-5, 0, 0], [-10, 0, 0]], atol=1e-12)
    with pytest.raises(FileError, match="chosen by its name"):
        read_csv(path, columns={"time": "Uhr", "speed": "Anemo B"})


def test_the_mast_s_height_brings_the_wind_to_where_the_trees_are(tmp_path: Path) -> None:
    path = kept(tmp_path, CUP)
    high, usual = read_csv(path, height=40.0), read_csv(path)

    def at(wind: Recording, y: float) -> float:
        return float(wind.velocity([0, y, 0], 0.5)[0])

    assert at(high, 40.0) == pytest.approx(4.5)
    assert at(usual, 10.0) == pytest.approx(4.5)
    assert at(high, 10.0) == pytest.approx(4.5 * (10 / 40) ** 0.14)
    assert high.mean[0] == pytest.approx(usual.mean[0] * (10 / 40) ** 0.14)


def test_a_recording_ends_or_repeats_and_is_never_mirrored(tmp_path: Path) -> None:
    path = kept(tmp_path, CUP)
    ended, again = wind_from(path), wind_from(path, repeat=True)
    assert (ended.lasts, again.lasts) == (1.0, np.inf)
    assert ended.velocity([0, 10, 0], 1.5)[0] == pytest.approx(5.0)
    assert again.velocity([0, 10, 0], 1.5)[0] == pytest.approx(4.0)


DAMAGED = {
    "toa5 without values": ("\n".join(TOA5.splitlines()[:4]), "two moments"),
    "toa5 cut after its first line": (TOA5.splitlines()[0], "ends with its first line"),
    "toa5 in furlongs": (
        TOA5.replace("meters/second", "furlongs"),
        "in m/s, km/h, kn or mph; column WS_ms_Avg.*'furlongs'",
    ),
    "toa5 backwards": (TOA5.replace("14:00:03", "14:00:01.5").replace("14:00:04", "13:00:00"), "must rise"),
    "a long gap": (TOA5.replace("14:00:04", "14:00:24"), "gaps of a recording up to 10 s are interpolated"),
    "sonic with mixed zones": (SONIC.replace("0.100Z", "0.100"), "have a zone, or none has"),
    "sonic with american dates": (
        SONIC.replace("2024-02-10T", "02/10/2024 "),
        "timestamp such as 2024-05-01T12:00:00.25",
    ),
    "german without speeds": (GERMAN.replace("Windgeschwindigkeit", "Regen"), "columns named time"),
    "german, all missing": (GERMAN.replace("18,0", "").replace("21,6", "").replace("25,2", "NAN"), "has none"),
    "knots below zero": (KNOTS.replace("12", "-12"), "not below 0"),
    "knots from nowhere": (KNOTS.replace("190", "1900"), "-360 to 360"),
    "miles in a quote": (MILES + '180;"', "quote|columns"),
    "cup of one moment": (CUP[: CUP.index("0.5,")], "two moments"),
    "binary": ('"TOB1","ForestEdge"\n1,2\n', "Convert it to TOA5"),
}


@pytest.mark.parametrize("kind", DAMAGED)
def test_a_damaged_file_is_refused_in_one_sentence(kind: str, tmp_path: Path) -> None:
    text, told = DAMAGED[kind]
    with pytest.raises(FileError, match=told) as error:
        read_csv(kept(tmp_path, text))
    assert len(str(error.value)) < 400
    assert "\n" not in str(error.value)


def test_columns_and_mast_belong_to_recordings() -> None:
    with pytest.raises(WindError, match="belong to a recording"):
        wind_from("gale", mast_height=20.0)


LINES = st.text(st.sampled_from("0123456789.,;:-+TZeE \t\"'nNaA/()[]ms°kh\n#"), max_size=200)


@settings(max_examples=150)
@given(kind=st.sampled_from(sorted(MASTS)), text=LINES, place=st.floats(0, 1), cut=st.integers(0, 30))
def test_any_text_within_a_mast_s_file_is_read_or_refused_in_plain_words(
    tmp_path_factory: pytest.TempPathFactory, kind: str, text: str, place: float, cut: int
) -> None:
    whole = MASTS[kind]
    at = int(place * len(whole))
    path = tmp_path_factory.mktemp("any") / "mast.csv"
    path.write_text(whole[:at] + text + whole[at + cut :], "utf-8")
    with contextlib.suppress(WindflowerError):
        wind = read_csv(path)
        assert np.isfinite(wind.velocity([[0.5, 1.0, 0.5]], 0.3)).all()


def test_a_scene_s_recording_has_its_columns_its_mast_and_its_end(tmp_path: Path) -> None:
    kept(tmp_path, "Uhr,Anemo\n0,18\n1,36\n2,18\n")
    table = '[[stands]]\nplant = "violet"\n[wind]\nfile = "mast.csv"\ncolumns = "time=Uhr,speed=Anemo (km/h)"\n'
    (tmp_path / "scene.toml").write_text(table + "mast_height = 40\n")
    settings = read_scene(tmp_path / "scene.toml")
    wind = wind_of(settings.wind, seed=1)
    assert wind.velocity([0, 40, 0], 1.0)[0] == pytest.approx(10)
    assert wind.lasts == 2
    (tmp_path / "scene.toml").write_text(table + "repeat = true\n")
    assert wind_of(read_scene(tmp_path / "scene.toml").wind, seed=1).lasts == np.inf
    with pytest.raises(WindflowerError, match="belong to a file"):
        parse_scene('[[stands]]\nplant = "violet"\n[wind]\nspeed = 3\nrepeat = true\n')


def test_a_clip_is_no_longer_than_its_recorded_wind() -> None:
    film = Film.__new__(Film)  # without a device
    film.scene = SimpleNamespace(wind=SimpleNamespace(lasts=2.0))  # type: ignore[assignment]
    with pytest.raises(SceneError, match=r"lasts 2 s; this one ends at 3 s\. Film less, or set repeat = true"):
        next(film.frames(3.0, 24.0))


def test_clocks_alone_are_seconds_of_a_day(tmp_path: Path) -> None:
    found, dated = seconds_of(["09:30", "09:30:01.5", "9:30:02,25", "10:00:00"], comma=False, path=tmp_path)
    np.testing.assert_allclose(found, [34200, 34201.5, 34202.25, 36000])
    assert not dated
