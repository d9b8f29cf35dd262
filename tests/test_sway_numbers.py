"""The numbers of a sway: what its record, table and statistics say, and that they say the same."""

import csv
import json
import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from tests.mast_files import CUP
from tests.plants import chain
from windflower import Modes, Steady, Sway, analyse, grow, sway, wind_from
from windflower.core.lengths import length_text, metres
from windflower.core.text import plain
from windflower.errors import FileError, MotionError, WindflowerError
from windflower.mechanics.identify import ModalIdentification
from windflower.motion import nodes_at
from windflower.wind import gusty_wind


@cache
def modes() -> Modes:
    return analyse(grow("quaking-aspen", seed=1, detail=0.1), count=8, cache=False)


@cache
def record() -> Sway:
    nodes = nodes_at(modes().plant, "1.3m,top")
    return sway(modes(), gusty_wind(9.0, seed=2), seconds=30.0, dt=1 / 30, nodes=nodes)


def test_the_table_holds_the_record_with_units_in_its_names(tmp_path: Path) -> None:
    record().to_csv(tmp_path / "sway.csv")
    with (tmp_path / "sway.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(record().time) == 901
    assert all(name.endswith(("_s", "_m", "_deg", "_percent", "_N_m")) for name in rows[0])
    along = np.array([float(row["top_along_m"]) for row in rows])
    np.testing.assert_allclose(along, record().paths[1] @ record().direction, rtol=1e-6, atol=1e-9)
    with pytest.raises(FileError, match=r"saved as \.csv"):
        record().to_csv(tmp_path / "sway.xls")


def test_statistics_are_those_of_the_columns() -> None:
    found, columns = record().statistics(), record().columns()
    json.dumps(found, allow_nan=False)
    top = next(place for place in found["places"] if place["name"] == "top")
    assert top["along_m"]["mean"] == pytest.approx(columns["top_along_m"].mean())
    assert top["along_m"]["rms"] == pytest.approx(columns["top_along_m"].std())
    wind = columns["wind_m_s"]
    assert found["wind_m_s"]["gust_factor"] == pytest.approx(wind.max() / wind.mean())
    assert found["base_moment_N_m"]["peak"] == pytest.approx(columns["base_moment_N_m"].max())
    assert found["strain_percent"]["peak"] == pytest.approx(columns["largest_strain_percent"].max())


def test_the_largest_strain_is_that_of_thick_wood_and_has_its_place() -> None:
    plant, found = modes().plant, record().largest_strain
    assert 2 * plant.base_radius[found.node] == pytest.approx(found.diameter)
    assert found.diameter >= 0.04 == record().thicker
    everything = sway(modes(), gusty_wind(9.0, seed=2), seconds=2.0, dt=1 / 30, thicker=0.0)
    thick = sway(modes(), gusty_wind(9.0, seed=2), seconds=2.0, dt=1 / 30)
    assert everything.largest_strain.percent > thick.largest_strain.percent
    assert everything.largest_strain.diameter < 0.04


def test_a_plant_without_thick_wood_tells_of_all_it_has() -> None:
    violet = sway(grow("violet", detail=0.1), Steady(speed=3.0), seconds=1.0)
    assert violet.thicker == 0
    assert violet.largest_strain.percent == pytest.approx(100 * violet.peak_strain.max())
    assert "all its wood" in " ".join(violet.lines())


def test_lines_tell_what_was_asked_for_and_what_blew_and_need_no_exponents() -> None:
    told = record().lines("asked for")
    assert told[0].startswith(
        "asked for 9.0 m/s, Beaufort 5 (fresh breeze), as its mean at 10 m; in these 30 s the crown"
    )
    assert f"felt {record().speed:.1f} m/s on average" in told[0]
    assert record().statistics()["wind_asked_m_s"] == pytest.approx(9.0) != pytest.approx(record().speed, rel=0.02)
    large = replace(record(), paths=100 * record().paths)
    assert not re.search(r"[0-9]e[+-]?[0-9]", " ".join(large.lines()))
    assert [plain(x, 2) for x in (123.4, 1.234, 0.00001234, 0.0, 99.6)] == ["120", "1.2", "0.000012", "0", "100"]


def test_a_record_is_shown_in_a_line() -> None:
    assert re.fullmatch(r"<Sway of <Plant .*>: \S+ s at \d places in a wind of \S+ m/s>", repr(record()))


def test_a_short_record_says_that_its_damping_is_not_told_or_told_badly() -> None:
    found = ModalIdentification(frequency=0.8, damping=0.05, frequency_error=0.01, damping_error=0.04)
    bad, good, none = (replace(record()) for _ in range(3))
    for one, identified in ((bad, found), (good, replace(found, damping_error=0.01)), (none, None)):
        one.__dict__["identified"] = identified
    assert "30 s are" in (bad.remark or "")
    assert "It takes about 480 s to tell it to a fifth" in (bad.remark or "")
    assert good.remark is None
    assert "a record of 12 periods" in (none.remark or "")
    bad.__dict__["identified"] = replace(found, damping_error=float("nan"))
    assert "±" not in bad.lines()[-1].partition("damping")[2]
    assert "some minutes" in (bad.remark or "")


def test_a_wind_may_be_given_by_its_strength() -> None:
    named, made = (sway(modes(), wind, seconds=1.0, dt=1 / 30).paths for wind in (9, gusty_wind(9.0)))
    assert np.array_equal(named, made)


def test_tilt_is_the_angle_of_the_segment() -> None:
    plant = chain(17, length=0.5, radius=0.1)
    lean = sway(analyse(plant, count=4, cache=False), Steady(speed=12.0), seconds=1.0, before=0.0)
    chord = lean.chords[0, -1]
    wanted = np.degrees(np.arctan2(np.hypot(chord[0], chord[2]), chord[1]))
    assert lean.tilt[0, -1] == pytest.approx(wanted)
    assert lean.tilt_along[0, -1] == pytest.approx(wanted)  # it leans with the wind
    assert lean.tilt_across[0, -1] == pytest.approx(0, abs=1e-6)


def test_places_are_named_by_height_node_or_top() -> None:
    plant = modes().plant
    low, top, seventh = nodes_at(plant, "1.3m, top,node:7")
    assert plant.is_stem[low]
    assert abs(plant.position[low, 1] - 1.3) < 1
    assert (plant.position[top, 1], seventh) == (plant.position[:, 1].max(), 7)
    for wrong, told in {
        "200m": "at most",
        "middle": "a place is top",
        "": "none was given",
        "node:99999": "not among",
    }.items():
        with pytest.raises(MotionError, match=told):
            nodes_at(plant, wrong)


def test_a_record_is_no_longer_than_its_recorded_wind_unless_that_repeats(tmp_path: Path) -> None:
    (tmp_path / "cup.csv").write_text(CUP)
    with pytest.raises(
        MotionError, match=r"lasts 1 s; asked for 3 s\. Ask for less \(--seconds\), or have it repeat \(--repeat"
    ):
        sway(modes(), wind_from(tmp_path / "cup.csv"), seconds=3.0)
    assert sway(modes(), wind_from(tmp_path / "cup.csv", repeat=True), seconds=3.0, dt=0.1).time[-1] == pytest.approx(3)


def test_shares_of_the_wind_s_work_do_not_depend_on_how_many_modes_are_asked_for() -> None:
    plant = modes().plant
    few, many = (analyse(plant, count=count, cache=False) for count in (4, 20))
    both = dict(zip(many.number.tolist(), many.work.tolist(), strict=True))
    for number, share in zip(few.number.tolist(), few.work.tolist(), strict=True):
        assert share == pytest.approx(both[number], rel=1e-6)


@pytest.mark.slow
def test_frequency_and_damping_come_out_of_a_simulated_record() -> None:
    long = sway(modes(), gusty_wind(6.0, seed=5), seconds=600.0, dt=1 / 30)
    assert long.identified is not None
    assert long.identified.frequency == pytest.approx(modes().frequency[0], rel=0.08)
    whole = modes().damping[0] + modes().air_damping(long.speed)[0]
    assert abs(long.identified.damping - whole) < 3 * long.identified.damping_error < 0.1


@pytest.mark.parametrize(("text", "length"), [("10m", 10), ("4 cm", 0.04), ("1,3m", 1.3), ("33ft", 10.0584), ("2", 2)])
def test_lengths_are_read_as_people_write_them(text: str, length: float) -> None:
    assert metres(text) == pytest.approx(length)


def test_other_texts_are_no_lengths() -> None:
    for text in ("", "m", "-3m", "4 furlongs", "nan", "1e999m"):
        with pytest.raises(WindflowerError, match="Try 10m or 4cm"):
            metres(text)
    assert [length_text(x) for x in (0.0032, 0.04, 1.3)] == ["3.2 mm", "4 cm", "1.3 m"]
