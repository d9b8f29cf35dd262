"""Tables of columns as files: comma-separated values, or Apache Parquet for pandas, Polars and DuckDB."""

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from windflower.errors import MissingExtraError

__all__ = ["check_columns", "write_columns"]


def check_columns(suffix: str) -> None:
    """Refuse, before any work, a kind of file whose library is not there."""
    if suffix.lower() == ".parquet":
        _arrow()


def write_columns(path: Path, columns: Mapping[str, ArrayLike]) -> None:
    """Write columns, lists or arrays, to a temporary path, as its suffix says: .csv or .parquet.

    Numbers in text read back bit by bit. None is an empty field.
    """
    if path.suffix.lower() == ".parquet":
        parquet, table = _arrow()
        parquet.write_table(table(dict(columns)), path)
        return
    listed = [column.tolist() if isinstance(column, np.ndarray) else column for column in columns.values()]
    with path.open("w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(columns)
        lines.writerows(zip(*listed, strict=True))


def _arrow() -> tuple[Any, Any]:
    try:
        from pyarrow import parquet, table
    except ImportError:
        raise MissingExtraError("pyarrow", "tables") from None
    return parquet, table
