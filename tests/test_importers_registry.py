"""An importer is one module and one line in a registry: here a whole one, for lines of points."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from windflower import read
from windflower.errors import FileError
from windflower.plant.importers import IMPORTERS, Importer, PlantFile, read_with_report
from windflower.plant.importers.draft import Draft

LINES = "polyline 1\n0 0 0 40\n0 0 100 30\n0 20 200 10\n"


def polyline(file: PlantFile) -> Draft:
    """Points of one axis, cm, and diameters, mm."""
    x, y, z, diameter = np.loadtxt(file.text.split("\n")[1:], ndmin=2).T
    radius = diameter / 20
    return Draft(
        format="polyline",
        parent=np.arange(-1, len(x) - 1),
        position=np.stack([x, y, z], axis=1),
        radius=radius,
        side_radius=radius,
        continues=np.arange(len(x)) > 0,
        unit=0.01,
        rows=len(x),
    )


POLYLINE = Importer(title="a polyline", recognises=lambda file: file.data.startswith(b"polyline"), read=polyline)


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    IMPORTERS.register("polyline", POLYLINE)
    yield
    IMPORTERS.unregister("polyline")


def test_a_registered_importer_reads_what_it_recognises_whatever_its_name(tmp_path: Path) -> None:
    for name in ("axis.txt", "axis", "axis.mtg"):
        (tmp_path / name).write_text(LINES)
        plant, report = read_with_report(tmp_path / name)
        np.testing.assert_allclose(
            plant.position, np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 2.0, -0.2]]), atol=1e-12
        )
        np.testing.assert_allclose(plant.radius, [0.02, 0.015, 0.005])
        assert (report.format, report.rows) == ("polyline", 3)
    assert read(tmp_path / "axis", unit="mm").height == pytest.approx(0.2)


def test_its_damage_is_told_with_the_name_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "short").write_text("polyline 1\n0 0 0 1\n")
    with pytest.raises(FileError, match="short: a plant needs at least one segment"):
        read(tmp_path / "short")


def test_what_nobody_recognises_is_told_every_registered_format(tmp_path: Path) -> None:
    (tmp_path / "words").write_text("nothing of that kind")
    with pytest.raises(
        FileError, match=r"a Windflower archive, .* an MTG, .* or a polyline; this file looks like none"
    ):
        read(tmp_path / "words")
