"""Exporters: the room they stand in, a toy one that is registered by one line, and the table of nodes."""

import csv
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from windflower import Plant, grow
from windflower.cli.commands import app
from windflower.errors import FileError, MissingExtraError
from windflower.export import EXPORTERS, Exporter, export
from windflower.export.recording import recorded_stands
from windflower.export.stand_loops import points_at
from windflower.plant.species import species_names
from windflower.scene import Scene, build, parse_scene


def heights(subject: Plant | Scene, path: Path, *_: object) -> list[str]:
    plants = [subject] if isinstance(subject, Plant) else [stand.plant for stand in subject.stands]
    path.write_text(json.dumps([plant.height for plant in plants]))
    return []


def failing(_: Plant, path: Path, *__: object) -> list[str]:
    path.write_text("half")
    raise FileError("the pencil broke.")


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    EXPORTERS.register(".heights", Exporter(title="a list of heights", takes=(Plant, Scene), write=heights))
    EXPORTERS.register(".broken", Exporter(title="a broken file", takes=(Plant,), write=failing))
    yield
    EXPORTERS.unregister(".heights")
    EXPORTERS.unregister(".broken")


@pytest.fixture(scope="module")
def oak() -> Plant:
    return grow("oak", seed=2, detail=0.05)


def test_a_registered_exporter_writes_plants_and_scenes(oak: Plant, tmp_path: Path) -> None:
    export(oak, tmp_path / "oak.HEIGHTS")
    assert json.loads((tmp_path / "oak.HEIGHTS").read_text()) == [oak.height]
    scene = build(parse_scene('[[stands]]\nplant = "violet"\nmotion = { kind = "broadleaf" }\n'))
    export(scene, str(tmp_path / "bed.heights"))
    assert json.loads((tmp_path / "bed.heights").read_text()) == [stand.plant.height for stand in scene.stands]


def test_a_target_that_cannot_be_written_is_refused_before_the_writer_begins(oak: Plant, tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"saved as \.csv, .*, \.heights or \.broken; the name is .*oak\.xyz'\."):
        export(oak, tmp_path / "oak.xyz")
    with pytest.raises(FileError, match=r"nowhere does not\. Make it first"):
        export(oak, tmp_path / "nowhere" / "oak.broken")
    (tmp_path / "folder.broken").mkdir()
    with pytest.raises(FileError, match="must not be a folder"):
        export(oak, tmp_path / "folder.broken")


def test_a_subject_that_a_format_does_not_take_is_refused(tmp_path: Path) -> None:
    scene = build(parse_scene('[[stands]]\nplant = "violet"\nmotion = { kind = "broadleaf" }\n'))
    with pytest.raises(FileError, match=r"a table of nodes is written of a plant; this is a scene.*than \.csv"):
        export(scene, tmp_path / "bed.csv")


def test_a_writer_that_fails_leaves_the_file_that_was_there(oak: Plant, tmp_path: Path) -> None:
    (tmp_path / "oak.broken").write_text("whole")
    with pytest.raises(FileError, match="pencil"):
        export(oak, tmp_path / "oak.broken", force=True)
    assert [path.name for path in tmp_path.iterdir()] == ["oak.broken"]
    assert (tmp_path / "oak.broken").read_text() == "whole"


def test_a_table_of_nodes_holds_the_plant_bit_by_bit(oak: Plant, tmp_path: Path) -> None:
    export(oak, tmp_path / "oak.csv")
    with (tmp_path / "oak.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    again = Plant(
        parent=[int(row["parent"]) for row in rows],
        position=[[float(row[axis]) for axis in "xyz"] for row in rows],
        radius=[float(row["radius"]) for row in rows],
        base_radius=[float(row["base_radius"]) for row in rows],
        order=[int(row["order"]) for row in rows],
    )
    for name in ("parent", "position", "radius", "base_radius", "order", "axis"):
        np.testing.assert_array_equal(getattr(again, name), getattr(oak, name))
    assert [int(row["node"]) for row in rows] == list(range(oak.nodes))
    assert [int(row["axis"]) for row in rows] == oak.axis.tolist()


def test_paths_of_nodes_are_those_of_the_loop(oak: Plant, tmp_path: Path) -> None:
    export(oak, tmp_path / "oak.csv", form="paths", winds=(3.0, 9.0), seconds=1.0, fps=4)
    with (tmp_path / "oak.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * 4 * oak.nodes
    here = [row for row in rows if row["clip"] == "wind 9 m/s" and float(row["time"]) == 0.5]
    assert [int(row["node"]) for row in here] == list(range(oak.nodes))
    wanted = points_at(recorded_stands(oak, 9.0, 1.0)[0], 0.5)
    np.testing.assert_allclose([[float(row[axis]) for axis in "xyz"] for row in here], wanted, atol=6e-7)


def test_a_way_of_writing_that_a_format_does_not_know_is_refused(oak: Plant, tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"a table of nodes is written as nodes or paths; 'points' is not known"):
        export(oak, tmp_path / "oak.csv", form="points")
    with pytest.raises(FileError, match=r"a table of nodes as nodes has no fps; write it as paths"):
        export(oak, tmp_path / "oak.csv", fps=3)
    with pytest.raises(FileError, match=r"a PLY file is written in one way only; 'morph' is not known"):
        export(oak, tmp_path / "oak.ply", form="morph")
    assert not list(tmp_path.iterdir())


def test_a_library_that_is_missing_is_named(oak: Plant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match="pyarrow is not installed; it comes with the extra 'tables'"):
        export(oak, tmp_path / "oak.parquet")
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
@pytest.mark.parametrize("name", species_names())
def test_every_format_takes_every_species(name: str, tmp_path: Path) -> None:
    plant = grow(name, detail=0.2)
    for file in ("still.obj", "still.ply", "nodes.csv"):
        assert export(plant, tmp_path / file)
    for file in ("moving.usda", "moving.usdz", "moving_vat.exr", "script.py"):
        assert export(plant, tmp_path / file, seconds=1.0, fps=4.0, pixels=16, triangles=8000, force=True)


def test_a_plant_is_exported_from_the_command_line(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["export", "violet", "-o", str(tmp_path / "violet.csv")])
    assert done.exit_code == 0, done.output
    assert "a table of nodes" in done.output
    assert (tmp_path / "violet.csv").read_text().startswith("node,parent,x,y,z,radius")


def test_a_file_that_is_there_is_refused_before_a_plant_is_grown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def grown(*_: object) -> None:
        pytest.fail("a plant was grown for nothing")

    (tmp_path / "oak.csv").write_text("older")
    monkeypatch.setattr("windflower.cli.export._subject", grown)
    done = CliRunner().invoke(app, ["export", "oak", "-o", str(tmp_path / "oak.csv")])
    assert "is there already. Use --force to replace it" in str(done.exception)
    assert (tmp_path / "oak.csv").read_text() == "older"
