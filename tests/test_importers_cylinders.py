"""How cylinder models become joined segments, and what is repaired in them."""

import math
from pathlib import Path

import numpy as np
import pytest
import scipy.io

from tests.importer_files import WRITERS, oak, write_mat
from windflower.errors import FileError
from windflower.plant.importers import Report, read, read_with_report
from windflower.plant.importers.matlab import numbers, structure, variables

HEAD = "ID,parentID,startX,startY,startZ,endX,endY,endZ,radius,branchOrder"


def table(rows: list[str], folder: Path) -> Path:
    path = folder / "table.csv"
    path.write_text("\n".join([HEAD, *rows]))
    return path


def test_a_gap_in_an_axis_is_closed_and_reported(tmp_path: Path) -> None:
    path = table(["0,-1,0,0,0,0,0,1,.1,0", "1,0,0,0.03,1.04,0,0,2,.1,0"], tmp_path)
    plant, report = read_with_report(path)
    np.testing.assert_allclose(plant.position, [[0, 0, 0], [0, 1, 0], [0, 2, 0]])
    assert report.gaps == 1
    assert report.gap_max == report.gap_median == pytest.approx(0.05)


def test_a_side_branch_begins_at_the_nearer_end_of_its_parent(tmp_path: Path) -> None:
    trunk = ["0,-1,0,0,0,0,0,1,.1,0", "1,0,0,0,1,0,0,2,.1,0"]
    low = read(table([*trunk, "2,1,0.1,0,1.1,1,0,1.2,.02,1"], tmp_path))
    high = read(table([*trunk, "2,1,0.1,0,1.8,1,0,1.9,.02,1"], tmp_path))
    assert low.parent.tolist() == [-1, 0, 1, 1]
    assert high.parent.tolist() == [-1, 0, 1, 2]


def test_a_branch_of_a_branch_stays_on_it_though_its_bearer_is_nearer(tmp_path: Path) -> None:
    rows = ["0,-1,0,0,0,0,0,1,.1,0", "1,0,0,0,1,1,0,1,.02,1", "2,1,0.1,0,1,0.1,0,2,.01,2"]
    plant = read(table(rows, tmp_path))
    assert plant.parent.tolist() == [-1, 0, 1, 2]
    assert plant.order.tolist() == [0, 0, 1, 2]


def test_the_volume_of_a_tapering_axis_is_kept(tmp_path: Path) -> None:
    radii = np.linspace(0.2, 0.02, 40)
    rows = [f"{i},{i - 1},0,0,{i},0,0,{i + 1},{r},0" for i, r in enumerate(radii)]
    plant = read(table(rows, tmp_path))
    assert plant.wood_volume == pytest.approx(math.pi * (radii**2).sum(), rel=0.005)


def test_the_piece_with_most_length_is_the_plant(tmp_path: Path) -> None:
    rows = ["0,-1,0,0,0,0,0,1,.1,0", "7,-1,5,5,5,5,5,5.5,.1,0", "1,0,0,0,1,0,0,2,.1,0", "9,4711,6,5,5,6,5,5.25,.1,0"]
    plant, report = read_with_report(table(rows, tmp_path))
    assert plant.nodes == 3
    assert report.pieces == 2
    assert report.pieces_length == pytest.approx(0.75)
    assert report.doubtful


def test_rows_that_are_their_own_ancestors_are_left_out(tmp_path: Path) -> None:
    rows = ["0,-1,0,0,0,0,0,1,.1,0", "1,2,0,0,1,0,0,2,.1,0", "2,3,0,0,2,0,0,3,.1,0", "3,1,0,0,3,0,0,4,.1,0"]
    plant, report = read_with_report(table([*rows, "4,4,0,0,0,0,0,1,.1,0"], tmp_path))
    assert plant.nodes == 2
    assert report.looped == 4


def test_nothing_but_loops_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="coordinates"):
        read(table(["0,1,0,0,0,0,0,1,.1,0", "1,0,0,0,1,0,0,2,.1,0"], tmp_path))


def test_a_damaged_row_is_bridged_and_a_damaged_radius_interpolated(tmp_path: Path) -> None:
    rows = [
        "0,-1,0,0,0,0,0,1,.4,0",
        "1,0,0,0,1,0,x,2,.4,0",
        "2,1,0,0,2,0,0,3,-5,0",
        "3,2,0,0,3,0,0,4,.2,0",
        "4,3,0,0,4,0,0,5,.2,0",
    ]
    plant, report = read_with_report(table(rows, tmp_path))
    np.testing.assert_allclose(plant.position[:, 1], [0, 1, 3, 4, 5])
    assert report.skipped == 1
    assert report.interpolated > 0
    assert (np.diff(plant.radius) <= 0).all()


def test_matlab_numbers_are_those_that_scipy_reads(shared_data: Path) -> None:
    for name, variable in (("QSM.mat", "OptQSM"), ("qsm.mat", "qsm")):
        path = shared_data / "qsm" / name
        theirs = scipy.io.loadmat(str(path), variable_names=[variable])[variable][0, 0]["cylinder"][0, 0]
        ours = structure(structure(dict(variables(path.read_bytes()))[variable])["cylinder"])
        assert set(ours) == set(theirs.dtype.names)
        for field, matrix in ours.items():
            np.testing.assert_array_equal(numbers(matrix), theirs[field])


def test_of_several_models_the_first_is_read(tmp_path: Path) -> None:
    path = tmp_path / "models.mat"
    write_mat(oak(), path)
    one = scipy.io.loadmat(str(path))["QSM"]
    scipy.io.savemat(str(path), {"Other": "text", "OptQSM": np.concatenate([one, one], axis=1)})
    plant = read(path)
    assert plant.nodes == oak().nodes


def test_newer_and_foreign_matlab_files_are_refused_with_a_remedy(tmp_path: Path) -> None:
    path = tmp_path / "model.mat"
    path.write_bytes(b"MATLAB 7.3 MAT-file".ljust(512) + b"\x89HDF\r\n\x1a\n")
    with pytest.raises(FileError, match="-v7"):
        read(path)
    scipy.io.savemat(str(path), {"something": np.eye(3)})
    with pytest.raises(FileError, match="QSM"):
        read(path)
    scipy.io.savemat(str(path), {"QSM": np.eye(3)})
    with pytest.raises(FileError, match="structure"):
        read(path)
    scipy.io.savemat(str(path), {"QSM": {"cylinder": {"radius": np.ones((3, 1))}}})
    with pytest.raises(FileError, match="length is missing"):
        read(path)
    columns = {"radius": np.ones((3, 1)), "length": np.ones((2, 1)), "start": np.eye(3), "axis": np.eye(3)}
    scipy.io.savemat(str(path), {"QSM": {"cylinder": columns | {"parent": np.ones(3), "extension": np.ones(3)}}})
    with pytest.raises(FileError, match="length has 1"):
        read(path)


def test_a_matlab_file_that_unfolds_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WINDFLOWER_BUDGETS", "unfolded=268435456 unfolding=1e5")
    path = tmp_path / "model.mat"
    scipy.io.savemat(str(path), {"Rad": np.zeros((1 << 26, 1), np.uint8)}, do_compression=True)
    assert path.stat().st_size < 1 << 20
    with pytest.raises(FileError, match="Len is missing"):
        read(path)
    content = path.read_bytes()
    path.write_bytes(content + 5 * content[128:])
    with pytest.raises(FileError, match="unfolds to what its size allows; this one has more"):
        read(path)


def test_a_matlab_file_cut_short_says_so(tmp_path: Path) -> None:
    path = tmp_path / "model.mat"
    write_mat(oak(), path)
    path.write_bytes(path.read_bytes()[:-1000])
    with pytest.raises(FileError, match="cut short"):
        read(path)


def test_a_signalling_nan_in_a_matlab_file_is_a_missing_number(tmp_path: Path) -> None:
    path = tmp_path / "model.mat"
    write_mat(oak(), path)
    radius = oak().radius[1:].astype(np.float32).tobytes()
    content = path.read_bytes()
    assert content.count(radius) == 1
    path.write_bytes(content.replace(radius, b"\x01\x00\xa0\x7f" + radius[4:]))
    plant, report = read_with_report(path)
    assert plant.nodes == 8
    assert report.interpolated > 0


@pytest.mark.parametrize("kind", ["treeqsm-2.3", "mat", "simpleforest"])
def test_options_override_unit_and_direction(kind: str, tmp_path: Path) -> None:
    suffix, write = WRITERS[kind]
    path = tmp_path / f"plant{suffix}"
    write(oak(), path)
    plain = read(path)
    small, report = read_with_report(path, unit="cm", up="y")
    assert small.total_length == pytest.approx(plain.total_length / 100)
    assert small.wood_volume == pytest.approx(plain.wood_volume / 1e6)
    np.testing.assert_allclose(small.position[:, 2] * 100, plain.position[:, 1])
    assert report.assumed == ()
    thick = read(path, diameter_unit=10)
    np.testing.assert_allclose(thick.radius, plain.radius * 10)
    assert thick.total_length == plain.total_length


def test_a_sound_file_leaves_nothing_to_report(tmp_path: Path) -> None:
    path = tmp_path / "plant.csv"
    WRITERS["archi"][1](oak(), path)
    assert read_with_report(path)[1] == Report(format="aRchi table", rows=7)
