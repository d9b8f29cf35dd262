"""Tables of nodes, read by the library that others read them with."""

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.clients import lacking
from windflower import grow
from windflower.export import export


def test_a_parquet_file_has_the_same_columns_as_a_table_of_text(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason=lacking("pyarrow"))
    oak = grow("oak", seed=2, detail=0.05)
    export(oak, tmp_path / "oak.parquet")
    table = parquet.read_table(tmp_path / "oak.parquet")
    np.testing.assert_array_equal(table["y"].to_numpy(), oak.position[:, 1])
    np.testing.assert_array_equal(table["parent"].to_numpy(), oak.parent)
    how: dict[str, Any] = {"form": "paths", "seconds": 1.0, "fps": 3.0}
    export(oak, tmp_path / "paths.parquet", **how)
    export(oak, tmp_path / "paths.csv", **how)
    with (tmp_path / "paths.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    table = parquet.read_table(tmp_path / "paths.parquet")
    assert table.column_names == list(rows[0])
    assert [str(value) for value in table["clip"].to_pylist()] == [row["clip"] for row in rows]
    for name in ("time", "node", "x", "y", "z"):
        np.testing.assert_array_equal(table[name].to_numpy(), [float(row[name]) for row in rows])
