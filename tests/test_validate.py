"""The accuracy report: it passes, it covers what it says, and it fails when something is wrong."""

import json
import sys
from pathlib import Path

import pytest

from windflower.cli import main
from windflower.core.arrays import FloatArray
from windflower.errors import MechanicsError
from windflower.mechanics import Wood, links
from windflower.mechanics.beams import Beams
from windflower.validate import compared, subjects, within


def validate(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: str) -> tuple[int, str]:
    monkeypatch.setattr(sys, "argv", ["windflower", "validate", *words])
    with pytest.raises(SystemExit) as stop:
        main()
    return int(stop.value.code or 0), capsys.readouterr().out


@pytest.mark.parametrize("subject", subjects())
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
