"""The benchmark report: what it writes, what it does without a graphics driver, and how it counts."""

import inspect
import json
import sys
import time
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import pytest

from tests.viewers import TREE
from windflower.bench import BENCHMARKS, Benchmark
from windflower.bench.__main__ import main as bench_without_typer
from windflower.bench.dataset import bench_dataset
from windflower.bench.motions import bench_motions
from windflower.bench.report import measured, print_rows, shown
from windflower.bench.timing import best_of, rate_of
from windflower.bench.window import bench_window
from windflower.cli import main
from windflower.errors import GpuError, WindflowerError
from windflower.motion.registry import MOTIONS
from windflower.plots.bench import PANELS, plot_bench


def no_driver(**_: object) -> list[dict[str, Any]]:
    raise GpuError("no graphics driver was found.")


def two_rows(*, trees: int = 2, sizes: tuple[int, ...] = (1, 2)) -> list[dict[str, Any]]:
    row = {"animated": "all", "trees": trees, "steps/s": 40.0, "paper": 1, "sizes": len(sizes)}
    return [row, row | {"paper": 27, "saves": 2.0}]


@pytest.fixture
def two_tables(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A run of a table that measures and one that cannot."""
    for name in set(BENCHMARKS) - {"forest", "hybrid"}:
        monkeypatch.delitem(BENCHMARKS, name)
    monkeypatch.setitem(BENCHMARKS, "forest", Benchmark("", f"{__name__}:no_driver"))
    monkeypatch.setitem(BENCHMARKS, "hybrid", Benchmark("trees in a hand", f"{__name__}:two_rows"))
    monkeypatch.setattr("windflower.bench.report._driver", lambda: "a driver")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    return tmp_path


def bench(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["windflower", "bench", *words])
    with pytest.raises(SystemExit) as stop:
        main()
    return int(stop.value.code or 0)


def test_too_few_samples_to_time_workers_are_refused() -> None:
    with pytest.raises(WindflowerError, match=r"workers=0,2 takes 8 samples, .*; there are 7\. Use samples=8"):
        next(bench_dataset(samples=7, workers=(0, 2)))


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


def test_every_benchmark_is_where_the_table_says_with_the_options_it_is_given() -> None:
    for name, benchmark in BENCHMARKS.items():
        assert benchmark.about, name
        assert set(benchmark.quick) <= set(inspect.signature(resolve_name(benchmark.measure)).parameters), name
    assert {name for name, _ in measured()} == set(BENCHMARKS) - {"tuning"}


@pytest.mark.usefixtures("two_tables")
def test_a_benchmark_takes_options_from_the_command_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bench(monkeypatch, "hybrid", "trees=7", "sizes=3,4,5", "--json") == 0
    assert json.loads(capsys.readouterr().out)[0] == {
        "animated": "all", "trees": 7, "steps/s": 40.0, "paper": 1, "sizes": 3
    }  # fmt: skip
    assert bench(monkeypatch, "hybrid", "shrubs=7") == 2
    assert "options are trees=…, sizes=…; 'shrubs=7' is not" in " ".join(capsys.readouterr().err.split())


def test_options_are_numbers_words_and_sizes() -> None:
    draw, passes = BENCHMARKS["forest-draw"], BENCHMARKS["passes"]
    assert draw.options(["size=1920x1080", "scenes=hills", "trees=500", "seconds=0.5", "modes=none"]) == {
        "size": (1920, 1080), "scenes": ("hills",), "trees": (500,), "seconds": 0.5, "modes": ()
    }  # fmt: skip
    assert passes.options([]) == {}


def test_without_the_command_line_library_rows_are_printed_and_written(
    two_tables: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bench_without_typer(["hybrid", "trees=3", "--json", "rows.json"])
    assert '"driver": "a driver"' in capsys.readouterr().out
    assert [row["trees"] for row in json.loads((two_tables / "rows.json").read_text("utf-8"))] == [3, 3]
    bench_without_typer([])
    assert "no graphics driver" in capsys.readouterr().out
    with pytest.raises(WindflowerError, match="a benchmark is one of forest, hybrid; 'nothing' is not"):
        bench_without_typer(["nothing"])


@pytest.mark.usefixtures("gpu")
def test_every_motion_is_timed_beside_the_first() -> None:
    rows = list(bench_motions(seconds=0.01, places=4, nodes=40))
    assert [row["motion"] for row in rows] == list(MOTIONS)
    assert rows[0]["cpu ratio"] == rows[0]["gpu ratio"] == 1
    for row in rows:
        assert row["cpu"] > 0
        assert (row["gpu"] is None) == (MOTIONS[row["motion"]].twin is None)


@pytest.mark.usefixtures("gpu")
def test_a_window_is_timed_as_it_plays_and_when_it_is_paused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("rendercanvas", reason="windows need rendercanvas")
    monkeypatch.setattr(sys.modules[bench_window.__module__], "SETTLING", 0.0)
    (tmp_path / "tree.toml").write_text(TREE, "utf-8")
    (row,) = bench_window(size=(96, 64), names=(str(tmp_path / "tree.toml"),), seconds=0.1)
    assert row["frames/s"] > 0
    assert 0 < row["resolution"] <= 1
    assert row["processor ms"] > 0
    assert row["paused ms"] > 0


def test_a_picture_needs_no_table_in_particular() -> None:
    rows = [{"nodes": 100, "trees": 1000, "paper": None, "cpu": 3.0, "rotated": None}]
    assert len(plot_bench({"forest": rows, "unknown": []})) == 1
    assert plot_bench({}) == []
    assert set(PANELS) <= set(BENCHMARKS)


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
