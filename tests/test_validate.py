"""The accuracy report: it passes, it covers what it says, and it fails when something is wrong."""

import json
import sys
from dataclasses import fields, replace
from pathlib import Path

import pytest

from tests.sampled import sampled
from windflower import grow
from windflower.cli import main
from windflower.core.arrays import FloatArray
from windflower.errors import FileError, MechanicsError
from windflower.mechanics import Wood, links
from windflower.mechanics.beams import Beams
from windflower.mechanics.inventory import inventory
from windflower.validate import compared, subjects, within
from windflower.validate.species import findings, specimens
from windflower.validate.specimen import Specimen


def validate(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: str) -> tuple[int, str]:
    monkeypatch.setattr(sys, "argv", ["windflower", "validate", *words])
    with pytest.raises(SystemExit) as stop:
        main()
    return int(stop.value.code or 0), capsys.readouterr().out


LONG = {"spectra", "turbulence", "admittance", "reduced"}  # of a few seconds each


@pytest.mark.parametrize("subject", sampled(subjects(), *(set(subjects()) - LONG)))
def test_every_subject_passes(subject: str) -> None:
    checks = list(subjects()[subject]())
    assert len(checks) >= 5
    assert [check for check in checks if not check.passed] == []


@pytest.mark.slow
def test_the_walnut_passes_if_its_file_is_given(shared_data: Path) -> None:
    checks = list(subjects(shared_data / "walnut" / "noylum2.mtg")["walnut"]())
    assert len(checks) >= 5
    assert [check for check in checks if not check.passed] == []


def only(monkeypatch: pytest.MonkeyPatch, subject: str) -> None:
    chosen = {subject: subjects()[subject]}
    monkeypatch.setattr("windflower.validate.subjects", lambda _: chosen)


def test_the_report_says_what_was_found_and_ends_with_0(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    only(monkeypatch, "beams")
    code, out = validate(capsys, monkeypatch, "--json")
    rows = json.loads(out)
    assert code == 0
    assert all(row["passed"] and row["difference"] <= row["tolerance"] for row in rows)
    assert {"subject", "what", "reference", "expected", "found"} <= set(rows[0])


def test_a_wrong_reference_fails_with_1(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("windflower.validate.beams.UNIFORM", (3.6, 22.0345, 61.6972, 120.902, 199.860))
    only(monkeypatch, "beams")
    code, out = validate(capsys, monkeypatch)
    assert code == 1
    assert out.count("FAILED") == 1
    assert "1 failed" in out


def test_wrong_mechanics_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    stiffness, roots = Beams.bending_stiffness, links._roots
    monkeypatch.setattr(Beams, "bending_stiffness", lambda self, wood: 1.02 * stiffness(self, wood))
    with pytest.raises(MechanicsError, match="must balance its loads"):  # the links have another stiffness
        list(subjects()["beams"]())

    def stiffer(beams: Beams, wood: Wood) -> tuple[FloatArray, ...]:
        axial, torsion, *bending = roots(beams, wood)
        return (axial, torsion, *(each / 1.02**0.5 for each in bending))

    monkeypatch.setattr(links, "_roots", stiffer)
    checks = list(subjects()["beams"]())
    assert (
        sum(not check.passed for check in checks) >= len(checks) - 2
    )  # but for those with a tolerance of some per cent


def test_what_is_missing_or_no_number_fails() -> None:
    assert not compared("", [1.0], [1.0, 2.0], 1.0, "").passed
    assert not compared("", float("nan"), 1.0, 1.0, "").passed
    assert not within("", float("nan"), 1.0, "").passed
    assert compared("", [1.0, 2.02], [1.0, 2.0], 0.011, "").found == 2.02


def test_a_missing_walnut_is_told_before_anything_is_computed(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="must exist"):
        subjects(tmp_path / "no.mtg")


def test_two_species_stand_beside_what_is_published_of_them() -> None:
    trees = list(specimens(("spruce", "silver-birch"), seeds=(1,), detail=0.1))
    found = {(one.species, one.what): one for one in findings(trees)}
    assert [one for one in found.values() if not one.passed] == []
    assert sum(one.judged for one in found.values()) == 5
    spruce = found["spruce", "sway in leaf over regression"]
    assert (spruce.low, spruce.high, spruce.judged) == (0.7, 1.3, True)
    assert not replace(spruce, values=(1.0, 1.4)).passed
    windy, still = (found["silver-birch", f"damping {where}"] for where in ("at 10 m/s", "in still air, 2° of sway"))
    assert windy.values > still.values


def test_a_bush_is_measured_as_info_tells_it_and_willows_are_judged_like_other_broadleaves() -> None:
    (bush,) = specimens(("hazel-bush",), seeds=(1,), detail=0.05)
    told = inventory(grow("hazel-bush", seed=1, detail=0.05))  # its stems part below breast height
    assert (bush.height, bush.diameter, bush.mass) == (told.height, told.dbh, told.mass)
    assert bush.leaf_area_index == told.leaf_area / told.crown_area
    willow = replace(bush, species="weeping-willow", drag_20=0.1, bare_drag=0.8)
    assert [one.what for one in findings([willow]) if not one.passed] == [
        "C_D at 20 m/s",
        "drag bare over in leaf, 20 m/s",
    ]


@pytest.mark.slow
def test_every_woody_species_stands_beside_what_is_published_of_it_at_five_seeds() -> None:
    found = list(findings(list(specimens())))
    assert [(one.species, one.what, one.values) for one in found if not one.passed] == []


def test_the_quick_measure_of_species_prints_and_draws_them(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    numbers = {field.name: 0.5 for field in fields(Specimen) if field.type is float}
    tree = Specimen(species="spruce", seed=1, **{**numbers, "regression": 1.4})
    monkeypatch.setattr("windflower.validate.species.specimens", lambda **_: iter([tree]))
    code, out = validate(capsys, monkeypatch, "species", "--quick", "-o", str(tmp_path / "species.png"))
    assert code == 1
    assert out.count("FAILED") == 1
    assert "Maguire 2004" in out
    assert (tmp_path / "species.png").stat().st_size > 10_000
    code, out = validate(capsys, monkeypatch, "species", "--quick", "--json")
    assert {"species", "what", "unit", "values", "low", "high", "source", "judged", "passed"} == set(json.loads(out)[0])


def test_a_subject_that_is_none_is_refused(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    code, _ = validate(capsys, monkeypatch, "bridges")
    assert code == 2
