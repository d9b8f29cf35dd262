"""How the codes, places, radii and units of an MTG are understood, on files of a few rows."""

from pathlib import Path

import numpy as np
import pytest

from tests.importer_files import mtg_text
from windflower import Plant
from windflower.errors import FileError
from windflower.plant.importers import Report, read_with_report


def read_rows(rows: list[str], folder: Path, *, features: str = "XX YY ZZ TopDia") -> tuple[Plant, Report]:
    path = folder / "plant.mtg"
    path.write_text(mtg_text(rows, features=features))
    return read_with_report(path, unit="m", up="z")


def test_a_caret_goes_on_in_its_column_and_other_cells_start_from_the_left(tmp_path: Path) -> None:
    rows = [
        "/P1/A1/S1 0 0 0 9",
        "^<S2 0 0 1 8",
        ".+A2/S1 1 0 1 3",
        ".^<S2 2 0 1 2",
        "..+A3/S1 2 1 1 1",
        ".^<S3 3 0 1 1",
        "^<S3 0 0 2 5",
    ]
    plant, report = read_rows(rows, tmp_path)
    assert plant.parent.tolist() == [-1, 0, 1, 2, 3, 3, 1]
    assert plant.order.tolist() == [0, 0, 1, 1, 2, 1, 0]
    assert report.rows == 7
    assert not report.skipped


def test_a_chain_in_one_cell_gives_its_features_to_the_last_entity(tmp_path: Path) -> None:
    plant, report = read_rows(["/P1/A1/S1 0 0 0 9", "^<S2<S3+A2/S1<S2 1 0 1 2"], tmp_path)
    assert plant.parent.tolist() == [-1, 0]
    assert plant.order.tolist() == [0, 1]
    assert not report.unplaced


def test_repeated_points_merge_and_side_axes_stay_side_axes(tmp_path: Path) -> None:
    rows = [
        "/P1/A1 0 0 0 9",  # an axis's own row is its base
        "^/S1 0 0 1 8",
        ".+A2 0 0 1 3",  # repeats the insertion point
        ".^/S1 0 0 1 3",  # and so does its first segment
        ".^<S2 1 0 1 3",
        "^<S2 0 0 1 8",  # a segment without length
        "^<S3 0 0 2 7",
    ]
    plant, report = read_rows(rows, tmp_path)
    assert report.merged == 3
    assert plant.parent.tolist() == [-1, 0, 1, 1]
    assert plant.order.tolist() == [0, 0, 1, 0]


def test_an_axis_on_an_axis_that_has_no_length_is_one_order_above_its_bearer(tmp_path: Path) -> None:
    rows = ["/P1/A1/S1 0 0 0 9", "^<S2 0 0 1 8", ".+A2/S1 0 0 1 3", "..+A3/S1 0 0 1 2", "..^<S2 1 0 1 1"]
    plant, _ = read_rows(rows, tmp_path)
    assert plant.order.tolist() == [0, 0, 1]


def test_branches_written_as_plantscan3d_does_stay_on_their_bearer(tmp_path: Path) -> None:
    rows = [
        "/P1",
        "./A1",
        "../S1 0 0 0 9",
        "..^<S2 0 0 1 8",
        "..^+A2",
        ".../S1 1 0 1 3",
        "...^<S2 2 0 1 3",
        "..^+A3",
        ".../S1 -1 0 1 3",
        "..^<S3 0 0 2 7",
    ]
    plant, _ = read_rows(rows, tmp_path)
    assert plant.parent.tolist() == [-1, 0, 1, 2, 1, 1]
    assert plant.order.tolist() == [0, 0, 1, 1, 1, 0]


def test_a_series_takes_no_room(tmp_path: Path) -> None:
    plant, _ = read_rows(
        ["/P1/A1/S1 0 0 0 9", "^<S2<<S999999999 0 0 1 8", "^<.<S99999999999999999999 0 0 2 7"], tmp_path
    )
    assert plant.nodes == 3


def test_an_entity_without_a_place_is_left_out_and_what_it_bears_moves_down(tmp_path: Path) -> None:
    plant, report = read_rows(["/P1/A1/S1 0 0 0 9", "^<S2", "^<S3 0 0 2 7"], tmp_path)
    assert plant.parent.tolist() == [-1, 0]
    assert report.unplaced == 1
    assert not report.placed


def test_a_bearer_without_a_place_is_placed_by_the_number_of_its_elements(tmp_path: Path) -> None:
    rows = ["/P1/A1/S1 0 0 0 8", "^<S2<<S4", ".+A2/S1 5 0 3 1", "^<S5 0 0 4 4"]
    plant, report = read_rows(rows, tmp_path)
    np.testing.assert_allclose(plant.position[1], [0, 3, 0])
    np.testing.assert_allclose(plant.radius[1] / plant.radius[0], 5 / 8)
    assert plant.parent.tolist() == [-1, 0, 1, 1]
    assert report.placed == 1
    assert report.interpolated == 1


def test_missing_radii_follow_their_axis_and_are_held_beyond_it(tmp_path: Path) -> None:
    rows = ["/P1/A1/S1 0 0 0 8", "^<S2 0 0 1", "^<S3 0 0 4 2", "^<S4 0 0 5", ".+A2/S1 1 0 5", ".^<S2 2 0 5 1"]
    plant, report = read_rows(rows, tmp_path)
    np.testing.assert_allclose(plant.radius / plant.radius[0], np.array([8, 6.5, 2, 2, 1, 1]) / 8)
    assert report.interpolated == 3


def test_axes_without_any_radius_get_one_from_the_twigs_they_bear(tmp_path: Path) -> None:
    rows = ["/P1/A1/S1 0 0 0", "^<S2 0 0 1", ".+A2/S1 1 0 1", ".^<S2 2 0 1", "..+A3/S1 2 1 1", "^<S3 0 0 2"]
    plant, report = read_rows(rows, tmp_path, features="XX YY ZZ")
    tips = [2, 2, 1, 1, 1, 1]
    np.testing.assert_allclose(plant.radius, 0.001 * np.sqrt(tips))
    assert report.derived == 6
    assert report.doubtful


def test_an_axis_without_radii_is_no_thicker_than_its_bearer(tmp_path: Path) -> None:
    rows = ["/P1/A1/S1 0 0 0 8", "^<S2 0 0 1 8", ".+A2/S1 1 0 1", "..+A3/S1 1 1 1", "..+A4/S1 1 1 2", "^<S3 0 0 2 7"]
    plant, report = read_rows([row.replace(" 8", " 7.5") for row in rows], tmp_path)
    assert report.derived == 3
    assert (plant.radius <= plant.radius[0]).all()
    np.testing.assert_allclose(plant.radius[2:5] / plant.radius.min(), [7.5 / 7, 1, 1])


def test_a_point_takes_the_radius_of_one_that_repeats_it(tmp_path: Path) -> None:
    rows = ["/P1/A1 0 0 0", "^/S1 0 0 0 9", "^<S2 0 0 1 4"]
    plant, report = read_rows(rows, tmp_path)
    assert plant.radius[1] / plant.radius[0] == pytest.approx(4 / 9)
    assert not report.interpolated


@pytest.mark.parametrize("place", ["inf 0 1", "0 nan 1", "0 1e300 1", "0 0 -1e9", "0 x 1", "0"])
def test_a_place_with_an_impossible_coordinate_is_none(place: str, tmp_path: Path) -> None:
    plant, report = read_rows(["/P1/A1/S1 0 0 0 9", f"^<S2 {place}", "^<S3 0 0 2 7"], tmp_path)
    assert plant.nodes == 2
    assert plant.height == 2
    assert report.unplaced == 1


def test_a_label_may_have_any_number(tmp_path: Path) -> None:
    plant, report = read_rows(["/P1/A1/S1 0 0 0 9", f"^<S{'9' * 5000} 0 0 1 7", "^<S 0 0 2 7"], tmp_path)
    assert plant.nodes == 3
    assert not report.skipped


def test_a_caret_forgotten_in_the_first_column_is_no_new_plant(tmp_path: Path) -> None:
    plant, report = read_rows(["/P1/A1 0 0 0 9", "/S1 0 0 1 7", "<S2 0 0 2 7"], tmp_path)
    assert plant.parent.tolist() == [-1, 0, 1]
    assert not report.pieces


def test_a_second_plant_in_the_file_is_left_out(tmp_path: Path) -> None:
    rows = ["/P1/A1/S1 0 0 0 9", "^<S2 0 0 1 8", "/P2/A1/S1 9 0 0 9", "^<S2 9 0 3 8"]
    plant, report = read_rows(rows, tmp_path)
    assert plant.height == pytest.approx(3)
    assert report.pieces == 1
    assert report.pieces_length == pytest.approx(1)


def test_two_entities_that_follow_the_same_one_do_not_both_continue_it(tmp_path: Path) -> None:
    rows = ["/P1/A1/S1 0 0 0 9", "^<S2 0 0 1 8", ".<S3 0 0 2 7", ".<S4 1 0 2 7"]
    plant, report = read_rows(rows, tmp_path)
    assert plant.order.tolist() == [0, 0, 0, 1]
    assert report.forked == 1


def test_comments_and_windows_line_ends_are_no_matter(tmp_path: Path) -> None:
    rows = ["/P1/A1/S1 0 0 0 9", "^<S2#upper 0 0 1 8#mm"]
    text = "# a tree\t\t\n" + mtg_text(rows).replace("\n", "\r\n# remark\r\n\r\n")
    path = tmp_path / "plant.mtg"
    path.write_bytes(text.encode("latin-1"))
    plant, report = read_with_report(path, unit="m")
    assert plant.nodes == 2
    assert not report.skipped


def test_a_row_that_is_no_code_is_skipped_and_counted(tmp_path: Path) -> None:
    plant, report = read_rows(["/P1/A1/S1 0 0 0 9", "^<Q2 0 0 1 8", "hello", "* 1 1 1 1", "^<S2 0 0 2 8"], tmp_path)
    assert plant.nodes == 2
    assert report.skipped == 3
    assert report.doubtful


@pytest.mark.parametrize(
    ("height", "foot", "twig", "unit", "diameter"),
    [
        (795, 270, 2.8, "cm", "mm"),
        (2800, 375, 20, "mm", "0.1 mm"),
        (18, 6.9, 1.1, "cm", "mm"),
        (12, 0.3, 0.004, "m", "m"),
        (950, 22, 0.3, "cm", "cm"),
    ],
)
def test_units_are_those_of_a_plausible_plant(
    height: float, foot: float, twig: float, unit: str, diameter: str, tmp_path: Path
) -> None:
    path = tmp_path / "plant.mtg"
    path.write_text(mtg_text([f"/P1/A1/S1 0 0 0 {foot}", f"^<S2 0 0 {height} {twig}"]))
    plant, report = read_with_report(path)
    assert len(report.assumed) == 2
    by_hand, quiet = read_with_report(path, unit=unit, diameter_unit=diameter)
    assert plant.position.tolist() == by_hand.position.tolist()
    assert plant.radius.tolist() == by_hand.radius.tolist()
    assert not quiet.assumed


def test_a_plant_below_its_foot_was_digitised_upside_down(tmp_path: Path) -> None:
    path = tmp_path / "plant.mtg"
    path.write_text(mtg_text(["/P1/A1/S1 5 5 2 8", "^<S2 5 5 1 6", ".+A2/S1 6 5 1 2", "^<S3 5 5 0 2"]))
    plant, report = read_with_report(path, unit="m")
    np.testing.assert_allclose(plant.position, [[0, 0, 0], [0, 1, 0], [1, 1, 0], [0, 2, 0]])
    assert any("-z" in line for line in report.assumed)
    hanging, _ = read_with_report(path, unit="m", up="z")
    assert hanging.position[:, 1].min() == -2


@pytest.mark.parametrize(
    ("rows", "features", "says"),
    [
        (["/P1/A1/S1 1"], "diabase", "coordinates"),
        (["/P1/A1/S1 0 0 0 1"], "XX YY ZZ TopDia", "segment"),
        (["nothing 0 0 0 1"], "XX YY ZZ TopDia", "codes"),
        (["/P1/A1/S1", "^<S2"], "XX YY ZZ TopDia", "coordinates"),
        (["/P1/A1/S1 0 0 0 1", "(A1)/S2 0 0 1 1"], "XX YY ZZ TopDia", "alias"),
        (["/P1/A1/S1 0 0 0 1", "^<S2 0 0 5e7 1"], "XX YY ZZ TopDia", "measures"),
    ],
)
def test_what_cannot_become_a_plant_is_refused_with_a_reason(
    rows: list[str], features: str, says: str, tmp_path: Path
) -> None:
    with pytest.raises(FileError, match=says):
        read_rows(rows, tmp_path, features=features)


def test_form_b_and_a_file_without_classes_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "plant.mtg"
    text = mtg_text(["/P1/A1/S1 0 0 0 1", "^<S2 0 0 1 1"])
    path.write_text(text.replace("FORM-A", "FORM-B"))
    with pytest.raises(FileError, match="FORM-B"):
        read_with_report(path)
    path.write_text(text.replace("CLASSES", "GLASSES"))
    with pytest.raises(FileError, match="CLASSES"):
        read_with_report(path)


def test_a_diameter_unit_without_diameters_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "plant.mtg"
    path.write_text(mtg_text(["/P1/A1/S1 0 0 0", "^<S2 0 0 1"], features="XX YY ZZ"))
    with pytest.raises(FileError, match="diameter_unit"):
        read_with_report(path, diameter_unit="mm")
