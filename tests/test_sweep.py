"""Sweeps: every combination once, in order, and the numbers that the single commands give."""

import csv
from pathlib import Path

import pytest
import typer

from windflower.batch import Sweep, Workers, sweep_table
from windflower.batch.sweep import VARIED
from windflower.batch.sweep_table import _fingerprint as fingerprint
from windflower.cli.batch import _all_varied
from windflower.errors import MechanicsError
from windflower.mechanics import analyse
from windflower.motion import sway
from windflower.plant.growth import grow
from windflower.wind import gusty_wind
from windflower.windthrow import risk


def small(**changes: object) -> Sweep:
    given = {"plants": ["hazel-bush"], "winds": [4.0, 12.0], "vary": {"detail": [0.05]}, "seconds": 2.0, "risk": False}
    return Sweep(**{**given, **changes})  # type: ignore[arg-type]


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_a_row_says_what_the_single_functions_give() -> None:
    first, second = small(plants=["spruce"], risk=True).rows(0)
    plant = grow("spruce", seed=1, detail=0.05)
    modes = analyse(plant)
    assert first["f1_hz"] == pytest.approx(modes.frequency.min())
    assert first["breaks_m_s"] == pytest.approx(risk(plant).breaks.min())
    record = sway(modes, gusty_wind(12.0, seed=1), seconds=2.0).statistics()
    assert second["top_lean_m"] == record["places"][0]["along_m"]["mean"]
    assert second["strain_peak_percent"] == record["strain_percent"]["peak"]


def test_every_combination_is_a_row_once_and_in_order(tmp_path: Path) -> None:
    swept = small(seeds=[1, 2], vary={"detail": [0.05], "stiffness": [0.5, 1.0]}, seconds=1.0)
    assert sweep_table(swept, tmp_path / "table.csv") == 8
    found = [(row["seed"], row["stiffness"], row["wind_m_s"]) for row in rows_of(tmp_path / "table.csv")]
    assert found == [(seed, k, u) for seed in "12" for k in ("0.5", "1.0") for u in ("4.0", "12.0")]
    assert [file.name for file in tmp_path.iterdir()] == ["table.csv"]


def test_a_cluster_gives_the_same_table(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    swept = small(seeds=[1, 2], seconds=1.0)
    sweep_table(swept, tmp_path / "one.csv")
    how = {"n_workers": 1, "threads_per_worker": 1, "processes": False, "protocol": "tcp", "dashboard_address": None}
    with distributed.LocalCluster(**how) as cluster:
        sweep_table(swept, tmp_path / "two.csv", workers=Workers(scheduler=cluster.scheduler_address))
    assert (tmp_path / "one.csv").read_text() == (tmp_path / "two.csv").read_text()


def test_a_plant_that_cannot_be_reckoned_with_is_named() -> None:
    with pytest.raises(MechanicsError, match=r"plant palm, seed 1, detail 0\.1, density 0: "):
        small(plants=["palm"], vary={"detail": [0.1], "density": [0]}).rows(0)


def test_frequencies_follow_the_root_of_stiffness() -> None:
    one, four = (small(winds=[4.0], vary={"detail": [0.1], "stiffness": [k]}).rows(0)[0] for k in (1.0, 4.0))
    assert four["f1_hz"] / one["f1_hz"] == pytest.approx(2, rel=0.1)  # weight and roots take a part


def test_a_sweep_that_was_ended_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    swept = small(seeds=[1, 2, 3])
    sweep_table(swept, tmp_path / "whole.csv")
    made: list[int] = []
    piece = Sweep.piece

    def counted(self: Sweep, number: int) -> bytes:
        made.append(number)
        return piece(self, number)

    def told(done: int, _: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(Sweep, "piece", counted)
    with pytest.raises(KeyboardInterrupt):
        sweep_table(swept, tmp_path / "ended.csv", told=told)
    assert not (tmp_path / "ended.csv").exists()
    sweep_table(swept, tmp_path / "ended.csv")
    assert made == [0, 1, 2]
    assert (tmp_path / "ended.csv").read_text() == (tmp_path / "whole.csv").read_text()


def test_a_wood_s_file_that_has_changed_makes_another_sweep(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    swept = small(vary={"detail": [0.05], "wood": [str(file)]})
    file.write_text("E = 9e9\n")
    before = fingerprint(swept)
    file.write_text("E = 8e9\n")
    assert fingerprint(swept) != before


def test_what_is_varied_is_said_once() -> None:
    assert _all_varied(["detail=0.1", "wood=oak,ash"]) == {"detail": [0.1], "wood": ["oak", "ash"]}
    with pytest.raises(typer.BadParameter, match="detail is varied twice"):
        _all_varied(["detail=0.1", "detail=0.2"])


def test_a_sweep_that_ends_before_its_first_plant_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(MechanicsError, match="must be positive"):
        sweep_table(small(vary={"detail": [0.05], "stiffness": [-1.0]}), tmp_path / "table.csv")
    assert not list(tmp_path.iterdir())
    sweep_table(small(), tmp_path / "table.csv")
    assert [file.name for file in tmp_path.iterdir()] == ["table.csv"]


def test_a_plant_that_buckles_has_a_row_that_says_so() -> None:
    row = small(plants=["palm"], winds=[4.0], vary={"detail": [0.1], "stiffness": [1e-4]}).rows(0)[0]
    assert row["note"].startswith("buckles")
    assert "f1_hz" not in row


def test_what_cannot_be_varied_gets_a_sentence() -> None:
    with pytest.raises(MechanicsError, match=r"did you mean 'stiffness'\?"):
        small(vary={"stifness": [1.0]})
    with pytest.raises(MechanicsError, match="one list is empty"):
        small(winds=[])
    assert set(VARIED) >= {"scale", "wood", "stiffness"}


def test_parquet_holds_the_same_table(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    sweep_table(small(), tmp_path / "table.parquet", workers=Workers())
    sweep_table(small(), tmp_path / "table.csv")
    columns = parquet.read_table(tmp_path / "table.parquet").to_pydict()
    rows = rows_of(tmp_path / "table.csv")
    assert columns["top_lean_m"] == [float(row["top_lean_m"]) for row in rows]
