"""The digitised and scanned plants that lie beside the checkout, and how a reader is chosen."""

import logging
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.io

from tests.importer_files import WRITERS, mtg_text, oak
from windflower.errors import FileError
from windflower.plant.importers import Report, read, read_with_report
from windflower.plant.importers.frame import AXES

# name: height m, nodes, axis orders
READABLE = {
    "walnut/noylum2.mtg": (7.955, 8025, 8),
    "walnut/boutdenoylum2.mtg": (4.675, 237, 7),
    "mtg/agraf.mtg": (2.809, 916, 5),
    "mtg/reconstructed_appletree.mtg": (0.816, 356, 4),
    "mtg/young_oaktree.mtg": (0.1825, 72, 2),
    "qsm/QSM.csv": (3.702, 1150, 5),
    "qsm/QSM2.csv": (3.649, 1232, 5),
    "qsm/QSM.mat": (3.718, 1137, 6),
    "qsm/QSM_2.mat": (16.505, 1027, 6),
    "qsm/Tree_1_TreeQSM.txt": (22.036, 2272, 8),
    "qsm/qsm.mat": (25.695, 7455, 9),
}
REFUSED = {"mtg/wij10.mtg": "coordinates"}


def test_the_digitised_walnut_has_its_published_numbers(shared_data: Path) -> None:
    plant, report = read_with_report(shared_data / "walnut" / "noylum2.mtg")
    assert plant.nodes == 8025
    assert plant.forks == 1703
    assert np.unique(plant.order).tolist() == list(range(8))
    assert plant.height == pytest.approx(7.955, abs=5e-4)
    assert plant.total_length == pytest.approx(695, abs=0.5)
    assert 2 * plant.radius[0] == pytest.approx(0.27)
    assert plant.position[1, 1] == pytest.approx(1.487, abs=1e-3)
    assert 2 * plant.radius[1] == pytest.approx(0.18)
    assert 2 * plant.radius.min() == pytest.approx(0.0028)
    assert report.rows == 8303
    assert (report.merged, report.unplaced, report.pieces, report.skipped) == (276, 2, 0, 0)
    assert ["cm" in line or "mm" in line for line in report.assumed] == [True, True]


@pytest.mark.parametrize("name", READABLE)
def test_each_sample_reads_as_a_sensible_plant(name: str, shared_data: Path) -> None:
    height, nodes, orders = READABLE[name]
    plant, _ = read_with_report(shared_data / name)
    assert plant.height == pytest.approx(height, abs=1e-3)
    assert plant.nodes == nodes
    assert plant.order.max() + 1 == orders
    assert plant.position[0].tolist() == [0, 0, 0]
    assert 0.0005 < plant.radius.min() < plant.radius.max() < 0.3
    assert 15 < plant.height / (2 * plant.radius[0]) < 140
    assert plant.radius[0] >= 0.9 * plant.radius.max()


@pytest.mark.parametrize("name", REFUSED)
def test_a_sample_that_is_no_plant_is_refused_with_a_reason(name: str, shared_data: Path) -> None:
    with pytest.raises(FileError, match=REFUSED[name]):
        read(shared_data / name)


def test_every_sample_is_spoken_for(shared_data: Path) -> None:
    files = {
        path.relative_to(shared_data).as_posix() for kind in ("mtg", "qsm") for path in (shared_data / kind).iterdir()
    }
    assert files <= set(READABLE) | set(REFUSED)


@pytest.mark.parametrize(("name", "variable"), [("QSM.mat", "OptQSM"), ("qsm.mat", "qsm")])
def test_size_and_volume_are_those_that_treeqsm_states(name: str, variable: str, shared_data: Path) -> None:
    path = shared_data / "qsm" / name
    plant = read(path)
    stated = scipy.io.loadmat(str(path), variable_names=[variable])[variable][0, 0]["treedata"][0, 0]
    assert plant.height == pytest.approx(stated["TreeHeight"].item(), rel=0.01)
    assert 1000 * plant.wood_volume == pytest.approx(stated["TotalVolume"].item(), rel=0.03)


def test_axis_orders_are_those_that_the_files_state(shared_data: Path) -> None:
    folder = shared_data / "qsm"
    model = scipy.io.loadmat(str(folder / "QSM.mat"), variable_names=["OptQSM"])["OptQSM"][0, 0]["cylinder"][0, 0]
    text = np.loadtxt(folder / "Tree_1_TreeQSM.txt")
    simple = np.loadtxt(folder / "QSM.csv", delimiter=",", skiprows=1)
    archi = np.loadtxt(folder / "QSM2.csv", delimiter=",", skiprows=1)
    stated = {
        "QSM.mat": model["BranchOrder"].ravel(),
        "Tree_1_TreeQSM.txt": text[:, 13],
        "QSM.csv": simple[:, 14],
        "QSM2.csv": archi[:, 15] - 1,
    }
    for name, order in stated.items():
        plant = read(folder / name)
        assert np.bincount(plant.order[plant.segments]).tolist() == np.bincount(order.astype(int)).tolist(), name


def test_pieces_and_gaps_of_a_scan_are_reported(shared_data: Path) -> None:
    _, report = read_with_report(shared_data / "qsm" / "qsm.mat")
    assert report.pieces == 8
    assert report.pieces_length == pytest.approx(2.0, abs=0.1)
    assert 0.007 < report.gap_median < 0.02
    assert 0.3 < report.gap_max < 0.6
    assert any("pieces that hang in the air" in line for line in report.lines())


def test_reading_without_a_report_logs_it(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "plant.mtg"
    path.write_text(mtg_text(["/P1/A1/S1 0 0 0 9", "^<S2 0 0 30 1"]))
    read(path)
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert "lengths taken as cm" in caplog.text
    caplog.clear()
    with caplog.at_level(logging.INFO):
        read(path, unit="cm", diameter_unit="mm")
    assert [record.levelno for record in caplog.records] == [logging.INFO]


def test_the_content_chooses_the_reader_where_the_suffix_does_not(tmp_path: Path) -> None:
    for kind, (_, write) in WRITERS.items():
        source = tmp_path / f"{kind}{WRITERS[kind][0]}"
        write(oak(), source)
        other = source.rename(tmp_path / f"{kind}.dat")
        assert read(other).nodes == 8, kind


def test_turning_upright_keeps_handedness() -> None:
    for name, rows in AXES.items():
        turn = np.array(rows, float)
        assert np.linalg.det(turn) == pytest.approx(1)
        direction = np.zeros(3)
        direction["xyz".index(name[-1])] = -1 if name.startswith("-") else 1
        assert (turn @ direction).tolist() == [0, 1, 0]


def test_an_archive_with_a_seed_that_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "plant.npz"
    oak().save(path)
    with np.load(path) as saved:
        arrays = dict(saved)
    arrays["header"] = np.array(str(arrays["header"]).replace('"seed": null', '"seed": "one"'))
    np.savez(path, **arrays)
    with pytest.raises(FileError, match="seed"):
        read(path)


def test_a_saved_plant_takes_no_options(tmp_path: Path) -> None:
    path = tmp_path / "plant.npz"
    oak().save(path)
    assert read_with_report(path)[1] == Report(format="Windflower archive", rows=8, saved=True)
    with pytest.raises(FileError, match="takes no unit"):
        read(path, unit="cm")


@pytest.mark.parametrize(
    "option", [{"unit": "inch"}, {"unit": -1}, {"unit": math.nan}, {"diameter_unit": 0}, {"up": "w"}]
)
def test_options_that_mean_nothing_are_refused(option: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "plant.mtg"
    path.write_text(mtg_text(["/P1/A1/S1 0 0 0 9", "^<S2 0 0 30 1"]))
    with pytest.raises(FileError, match="is not one of them"):
        read(path, **option)


def test_what_is_no_plant_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="must exist"):
        read(tmp_path / "nowhere.mtg")
    with pytest.raises(FileError, match="is a folder"):
        read(tmp_path)
    with pytest.raises(FileError, match="cannot be opened: File name too long"):
        read(tmp_path / ("x" * 5000))
    contents = {
        "picture.png": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "none of them"),
        "empty.mtg": (b"", "CLASSES"),
        "empty.csv": (b"", "first line"),
        "empty.mat": (b"", "byte order"),
        "empty.npz": (b"", "archive"),
        "empty": (b"", "none of them"),
        "tree.bmtg": (b"\x80\x04\x95", "pickle"),
        "words.csv": (b"a,b,c\n1,2,3\n", "names"),
    }
    for name, (content, says) in contents.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(FileError, match=says):
            read(tmp_path / name)
