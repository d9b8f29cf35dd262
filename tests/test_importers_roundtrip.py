"""A plant written in a format that Windflower reads comes back as the same plant."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from tests.importer_files import WRITERS, oak, plants, write_mtg
from windflower import Plant
from windflower.core.arrays import FloatArray
from windflower.plant.importers import read_with_report

CYLINDERS = sorted(set(WRITERS) - {"mtg", "archive"})


def joint_radii(plant: Plant) -> FloatArray:
    """What cylinders keep of the radii: where an axis goes on, the mean of the two that meet."""
    radius = plant.radius.copy()
    radius[0] = plant.radius[1]
    for node in range(1, plant.nodes):
        for child in plant.children(node):
            if plant.order[child] == plant.order[node]:
                radius[node] = (plant.radius[node] + plant.radius[child]) / 2
    return radius


@pytest.mark.parametrize("kind", CYLINDERS)
@settings(max_examples=40)
@given(plant=plants())
def test_cylinder_formats_keep_the_plant(kind: str, plant: Plant, tmp_path_factory: pytest.TempPathFactory) -> None:
    suffix, write = WRITERS[kind]
    path = tmp_path_factory.getbasetemp() / f"{kind}{suffix}"
    write(plant, path)
    back, report = read_with_report(path)
    assert back.parent.tolist() == plant.parent.tolist()
    assert back.order.tolist() == plant.order.tolist()
    np.testing.assert_allclose(back.position, plant.position, atol=1e-5)
    np.testing.assert_allclose(back.radius, joint_radii(plant), rtol=1e-6)
    sides = np.flatnonzero(~plant.continues)[1:]
    np.testing.assert_allclose(back.base_radius[sides], plant.radius[sides], rtol=1e-6)
    assert not report.doubtful
    assert report.rows == plant.nodes - 1


@settings(max_examples=80)
@given(plant=plants())
def test_mtg_keeps_the_plant(plant: Plant, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "plant.mtg"
    write_mtg(plant, path)
    back, report = read_with_report(path, unit="m", diameter_unit=1.0, up="z")
    assert back.parent.tolist() == plant.parent.tolist()
    assert back.order.tolist() == plant.order.tolist()
    np.testing.assert_allclose(back.position, plant.position, atol=1e-12)
    np.testing.assert_allclose(back.radius, plant.radius, rtol=1e-12)
    np.testing.assert_allclose(back.base_radius, plant.base_radius, rtol=1e-12)
    assert not report.doubtful


@pytest.mark.parametrize("kind", ["simpleforest", "archi"])
def test_rows_with_names_may_stand_in_any_order(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    WRITERS[kind][1](oak(), path)
    head, *rows = path.read_text().splitlines()
    straight, _ = read_with_report(path)
    path.write_text("\n".join([head, *reversed(rows)]))
    turned, _ = read_with_report(path)
    assert turned.nodes == straight.nodes
    assert sorted(map(tuple, turned.position.tolist())) == sorted(map(tuple, straight.position.tolist()))
    np.testing.assert_allclose(turned.wood_volume, straight.wood_volume)
