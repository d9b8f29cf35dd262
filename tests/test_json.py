"""Every command with `--json` prints JSON and nothing else to standard output: notes go to standard error."""

import json
import sys
from pathlib import Path

import pytest
import typer.main

from tests.mast_files import TOA5
from windflower.cli import main
from windflower.cli.commands import app

# Command -> a small run of it that has something to note, where it can.
RUNS = {
    "info": "info scan.csv",
    "modes": "modes scan.csv --count 2 -o modes.png",
    "sway": "sway scan.csv --count 2 --wind mast.dat --seconds 2 --thicker 9m --csv sway.csv",
    "fit": "fit scan.csv --frequencies 2.0 --wood oak",
    "export": "export scan.csv -o scan.glb --seconds 1 --fps 4 --within 0.001mm",
    "risk": "risk scan.csv --wood oak",
    "validate": "validate beams",
    "bench": "bench wind points=50 repeats=1",
    "doctor": "doctor",
}
NAMES = "startX,startY,startZ,endX,endY,endZ,cyl_ID,parent_ID,extension_ID,radius_cyl,length,volume,axis_ID,segment_ID"
SCAN = f"""{NAMES},node_ID,branching_order
0,0,0,0,0,1,1,0,2,0.05,1,0,1,1,1,1
0,0,1,0,0,2,2,1,3,0.04,1,0,1,1,1,1
0,0,2,0.2,0,3,3,2,0,0.03,1,0,1,1,1,1
"""


def with_json() -> set[str]:
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    return {name for name, one in commands.items() if any("--json" in option.opts for option in one.params)}


def test_every_command_with_json_is_run() -> None:
    assert with_json() == set(RUNS), "a new command with --json needs a run here"


@pytest.mark.parametrize("name", RUNS)
def test_what_a_command_prints_can_be_piped_to_a_reader_of_json(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("scan.csv").write_text(SCAN)
    Path("mast.dat").write_text(TOA5)
    monkeypatch.setattr(sys, "argv", ["windflower", *RUNS[name].split(), "--json"])
    with pytest.raises(SystemExit) as stop:
        main()
    out, err = capfd.readouterr()
    assert stop.value.code in (0, None, 1), err  # 1: a check of `validate` or `doctor` has failed

    def refused(word: str) -> None:
        raise AssertionError(f"{word} is no JSON")

    told = json.loads(out, parse_constant=refused)
    assert told
    assert name != "export" or told["warnings"][-1] in err
    assert ("→" in err) == (name in ("modes", "sway"))
