"""The benchmark report: what it writes, what it does without a graphics driver, and how it counts."""

import inspect
import json
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from windflower.bench import benchmarks
from windflower.bench.report import ABOUT, QUICK, measured
from windflower.bench.rows import print_rows, shown
from windflower.bench.timing import best_of, rate_of
from windflower.cli import main
from windflower.errors import GpuError
from windflower.plots.bench import PANELS, plot_bench


def no_driver() -> list[dict[str, Any]]:
    raise GpuError("no graphics driver was found.")


@pytest.fixture
def two_tables(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A run of a table that measures and one that cannot."""
    row = {"animated": "all", "trees": 2, "steps/s": 40.0, "paper": 1}
    known = {"forest": lambda **_: no_driver(), "hybrid": lambda **_: [row, row | {"paper": 27, "saves": 2.0}]}
    monkeypatch.setattr("windflower.bench.report.benchmarks", lambda: known)
    monkeypatch.setattr("windflower.bench.report._driver", lambda: "a driver")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    return tmp_path


def bench(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["windflower", "bench", *words])
    with pytest.raises(SystemExit) as stop:
        main()
    return int(stop.value.code or 0)


def test_one_run_prints_every_table_and_writes_json_and_a_picture(
    two_tables: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bench(monkeypatch, "-o", "figures") == 0
    out = capsys.readouterr().out
    assert "a driver" in out
    assert "left out: no graphics driver" in out
    assert "steps/s" in out
    report = json.loads((two_tables / "figures" / "bench.json").read_text("utf-8"))
    assert [table["name"] for table in report["tables"]] == ["forest", "hybrid"]
    assert report["tables"][1]["rows"][1]["saves"] == 2.0
    assert {"processor", "driver", "date"} <= set(report["machine"])
    assert (two_tables / "figures" / "bench.png").stat().st_size > 10_000


@pytest.mark.usefixtures("two_tables")
def test_one_run_speaks_json(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench(monkeypatch, "--json") == 0
    assert len(json.loads(capsys.readouterr().out)["tables"]) == 2


def test_every_benchmark_is_described_and_its_small_sizes_are_options_it_has() -> None:
    known = benchmarks()
    assert set(ABOUT) <= set(known)
    assert {name for name, _ in measured()} == set(known)
    for name, options in QUICK.items():
        assert set(options) <= set(inspect.signature(known[name]).parameters), name


def test_a_picture_needs_no_table_in_particular() -> None:
    rows = [{"nodes": 100, "trees": 1000, "paper": None, "cpu": 3.0, "rotated": None}]
    assert len(plot_bench({"forest": rows, "unknown": []})) == 1
    assert plot_bench({}) == []
    assert set(PANELS) <= set(ABOUT)


def test_rows_go_to_a_file_and_to_the_screen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{"what": "steps", "rate": 1234.5678, "paper": None}]
    print_rows(rows, ["-m", "--json", str(tmp_path / "rows.json")])
    assert json.loads((tmp_path / "rows.json").read_text("utf-8")) == rows
    capsys.readouterr()
    print_rows(rows, [])
    assert capsys.readouterr().out == "what: steps  rate: 1,235  paper: –\n"
    assert shown(12_000) == "12,000"


def test_a_rate_is_how_often_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr(time, "perf_counter", lambda: clock[0])

    def work(count: int) -> None:
        clock[0] += 0.01 * count

    assert rate_of(work, 1.0) == pytest.approx(100)
    assert clock[0] < 2.0
    assert best_of(lambda: work(3), 2)[1] == pytest.approx(0.03)
