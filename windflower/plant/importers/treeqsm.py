"""Cylinder models of TreeQSM: its text files (2.3 and 2.4) and its .mat files (2.0 and 2.4).

Text: a row per cylinder, 15 or 17 columns, with or without a line of names. The first ten are the same in all
of them: radius, length, start (3), axis (3), parent, extension. Rows count from 1; 0 is none. Metres, Z up.
"""

from collections import Counter
from collections.abc import Mapping

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.errors import FileError
from windflower.plant.importers.cylinders import Cylinders, draft_of, index_of
from windflower.plant.importers.draft import Draft, number, plausible
from windflower.plant.importers.importer import Importer, PlantFile
from windflower.plant.importers.matlab import Matrix, is_hdf5, numbers, structure, variables

__all__ = ["MAT", "TEXT"]

WIDTHS = (15, 17)
SHAPES = {"radius": 1, "length": 1, "start": 3, "axis": 3, "parent": 1, "extension": 1}
READ = sum(SHAPES.values())  # columns
STRUCTURES = ("QSM", "OptQSM", "qsm")
OLD_NAMES = {"radius": "Rad", "length": "Len", "start": "Sta", "axis": "Axe", "parent": "CPar", "extension": "CExt"}


def _is_text(text: str) -> bool:
    """Whether one of the first lines is a row of a TreeQSM text file."""
    cells = [line.split() for line in text[:4000].split("\n")[:4]]
    return any(len(row) in WIDTHS and not np.isnan([number(cell) for cell in row]).any() for row in cells)


def _from_text(text: str) -> Draft:
    """Read the text of a TreeQSM cylinder file."""
    rows = [cells for cells in map(str.split, text.split("\n")) if cells]
    if rows and np.isnan([number(cell) for cell in rows[0][:READ]]).all():
        del rows[0]
    width = Counter(map(len, rows)).most_common(1)[0][0] if rows else 0
    if width not in WIDTHS:
        raise FileError(f"TreeQSM text has 15 or 17 columns; this file has {width}. Save the cylinders again.")
    # A row that is too short or too long keeps its place, because rows are known by their number.
    lost = [float("nan")] * READ
    table = [[number(cell) for cell in row[:READ]] if len(row) == width else lost for row in rows]
    ends = np.cumsum(list(SHAPES.values()))
    columns = np.split(plausible(table), ends[:-1], axis=1)
    return _draft(dict(zip(SHAPES, columns, strict=True)), "TreeQSM text")


def _is_mat(file: PlantFile) -> bool:
    return file.suffix == ".mat" or file.data.startswith(b"MATLAB") or is_hdf5(file.data)


def _from_mat(data: bytes) -> Draft:
    """Read the bytes of a TreeQSM .mat file; of several models, the first."""
    if is_hdf5(data):
        raise FileError("MATLAB files are read up to version 7.2; this one is 7.3 (HDF5). Save it with -v7.")
    wanted = {*STRUCTURES, *OLD_NAMES.values()}
    found = {name: matrix for name, matrix in variables(data) if name in wanted}
    for name in STRUCTURES:
        if name in found:
            fields = structure(found[name])
            cylinder = structure(fields["cylinder"]) if "cylinder" in fields else fields
            return _draft(_columns(cylinder, {field: field for field in SHAPES}), "TreeQSM model")
    if "Rad" in found:
        return _draft(_columns(found, OLD_NAMES), "TreeQSM 2.0 model")
    raise FileError(
        f"a TreeQSM file holds one of {', '.join(STRUCTURES)}, or the arrays {', '.join(OLD_NAMES.values())}; "
        f"this one does not. Save the output of TreeQSM itself."
    )


def _columns(found: Mapping[str, Matrix], names: Mapping[str, str]) -> dict[str, FloatArray]:
    """(rows, 1 or 3) arrays of the cylinder model, by their names in `SHAPES`."""
    missing = [name for name in names.values() if name not in found]
    if missing:
        raise FileError(f"a cylinder model needs {', '.join(names.values())}; {missing[0]} is missing.")
    columns = {field: plausible(numbers(found[name])) for field, name in names.items()}
    rows = columns["radius"].size
    for field, width in SHAPES.items():
        if columns[field].size != rows * width or (width > 1 and columns[field].shape != (rows, width)):
            raise FileError(
                f"{names[field]} has {width} numbers for each cylinder; it has the shape {columns[field].shape} "
                f"for {rows} cylinders. Is the file damaged?"
            )
    return {field: columns[field].reshape(rows, width) for field, width in SHAPES.items()}


def _draft(columns: Mapping[str, FloatArray], format_name: str) -> Draft:
    radius, length, parent, extension = (columns[name][:, 0] for name in ("radius", "length", "parent", "extension"))
    if not len(radius):
        raise FileError("a cylinder model needs cylinders; this file has none.")
    row_number = np.arange(1.0, len(radius) + 1)
    before, follower = index_of(parent, row_number), index_of(extension, row_number)
    norm = np.linalg.norm(columns["axis"], axis=1, keepdims=True)
    direction = np.divide(columns["axis"], norm, out=np.full_like(norm * columns["axis"], np.nan), where=norm > 0)
    cylinders = Cylinders(
        start=columns["start"],
        end=columns["start"] + length[:, None] * direction,
        radius=np.where(radius > 0, radius, np.nan),
        parent=before,
        continues=(before >= 0) & (follower[before] == np.arange(len(radius))),
    )
    return draft_of(cylinders, format_name)


MAT = Importer(title="a TreeQSM .mat file", recognises=_is_mat, read=lambda file: _from_mat(file.data))
TEXT = Importer(
    title="a TreeQSM text",
    recognises=lambda file: _is_text(file.text),
    read=lambda file: _from_text(file.text),
)
