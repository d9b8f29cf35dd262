"""The command line as a person meets it, in a process of its own where it matters and in this one where it is quick."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import windflower
from windflower.cli import main


def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: str) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["windflower", *words])
    with pytest.raises(SystemExit) as stop:
        main()
    out, err = capsys.readouterr()
    return int(stop.value.code or 0), out, err


@pytest.fixture
def windflower_says(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path):  # type: ignore[no-untyped-def]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    return lambda *words: run(capsys, monkeypatch, *words)


def test_species_are_listed(windflower_says) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = windflower_says("species")
    assert code == 0
    assert all(name in out for name in windflower.species_names())


def test_a_plant_is_grown_saved_and_described(windflower_says, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = windflower_says("grow", "walnut", "--seed", "3", "--detail", "0.2", "-o", "tree.npz")
    assert code == 0
    assert "tree.npz" in out
    plant = windflower.read(tmp_path / "tree.npz")
    assert plant.seed == 3
    code, out, _ = windflower_says("info", "tree.npz")
    assert code == 0
    assert f"{plant.nodes:,}" in out
    assert f"{plant.height:.3f} m" in out


@pytest.mark.parametrize("plant", ["banana", "giant-kelp"])
def test_a_picture_is_drawn(windflower_says, tmp_path: Path, plant: str) -> None:  # type: ignore[no-untyped-def]
    code, _, _ = windflower_says("show", plant, "-o", "picture.png", "--detail", "0.3")
    assert code == 0
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")


def test_benchmarks_speak_json(windflower_says, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr("windflower.bench.growth.bench_growth", lambda: [{"plants": "one", "seconds": 0.5}])
    code, out, _ = windflower_says("bench", "growth", "--json")
    assert code == 0
    assert json.loads(out) == [{"plants": "one", "seconds": 0.5}]


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        (["grow", "wallnut"], "a species is one of"),
        (["grow", "walnut", "--detail", "-1"], "detail must be positive"),
        (["grow", "walnut", "--seed", "one"], "--seed"),
        (["grow", "walnut", "-o", "no/such/folder/tree.npz"], "the folder of an output file must exist"),
        (["grow", "walnut", "-o", "tree.png"], "saved as .npz"),
        (["show", "walnut", "-o", "tree.gif"], "ends in one of"),
        (["show", "walnut"], "Missing option"),
        (["info", "no-such-file.mtg"], "'no-such-file.mtg' is neither"),
        (["info", "."], "."),
        (["dance"], "No such command 'dance'"),
        (["bench", "nothing"], "a benchmark is one of"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_two(windflower_says, words: list[str], rule: str) -> None:  # type: ignore[no-untyped-def]
    code, out, err = windflower_says(*words)
    assert code == 2
    assert err.startswith("windflower: ")
    assert err.count("\n") == 1
    assert rule in err
    assert "Traceback" not in out + err


def test_a_damaged_file_is_one_line(windflower_says, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "tree.npz").write_bytes(b"PK\x03\x04 not really")
    code, _, err = windflower_says("info", "tree.npz")
    assert code == 2
    assert err.count("\n") == 1


def test_the_installed_command_helps() -> None:
    done = subprocess.run([sys.executable, "-m", "windflower", "--help"], capture_output=True, text=True)
    assert done.returncode == 0
    assert "Plants that move in the wind" in done.stdout
