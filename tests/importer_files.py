"""Small plants, and writers that put them into the formats that Windflower reads."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import scipy.io
from hypothesis import strategies as st

from tests.branchings import branching
from windflower import Plant
from windflower.core.arrays import FloatArray

HEAD = """CODE:\tFORM-A
CLASSES:
SYMBOL\tSCALE\tDECOMPOSITION\tINDEXATION\tDEFINITION
$\t0\tFREE\tFREE\tIMPLICIT
P\t1\tCONNECTED\tFREE\tEXPLICIT
A\t2\tLINEAR\tFREE\tEXPLICIT
S\t3\tFREE\tFREE\tEXPLICIT
DESCRIPTION:
LEFT\tRIGHT\tRELTYPE\tMAX
S\tS\t+\t?
FEATURES:
NAME\tTYPE
XX\tREAL
MTG:
"""


def mtg_text(rows: list[str], *, columns: int = 4, features: str = "XX YY ZZ TopDia") -> str:
    """An MTG with these rows: a code after one `.` for each empty column before it, then the features."""
    header = "ENTITY-CODE" + "\t" * columns + "\t".join(features.split())
    lines = []
    for row in rows:
        place = len(row) - len(row.lstrip("."))
        code, *values = row[place:].split()
        lines.append("\t" * place + code + "\t" * (columns - place) + "\t".join(values))
    return HEAD + "\n".join([header, *lines]) + "\n"


@st.composite
def plants(draw: Any) -> Plant:
    """Plants that every format can hold."""
    count = draw(st.integers(2, 14))
    parent, order = branching(count, lambda open_: draw(st.sampled_from(open_)), lambda: draw(st.booleans()))
    position = np.zeros((count, 3))
    for node in range(1, count):
        step = [draw(st.integers(-300, 300)), draw(st.integers(1, 300)), draw(st.integers(-300, 300))]
        position[node] = position[parent[node]] + np.array(step) / 100
    radius = [draw(st.integers(1, 400)) / 1000 for _ in range(count)]
    return Plant(parent=parent, position=position, radius=radius, order=order)


def oak() -> Plant:
    """A small plant with three orders of branches."""
    position = np.array([0, 0, 0, 0, 1, 0, 0.5, 1.5, 0, 0.6, 1.9, 0.2, 1, 1.8, 0, 0, 2, 0, -0.4, 2.2, 0.1, 0, 3, 0])
    radius = [0.1, 0.08, 0.04, 0.01, 0.02, 0.06, 0.015, 0.03]
    order = [0, 0, 1, 2, 1, 0, 1, 0]
    return Plant(parent=[-1, 0, 1, 2, 2, 1, 5, 5], position=position.reshape(8, 3), radius=radius, order=order)


def z_up(plant: Plant) -> FloatArray:
    """(nodes, 3) positions as most files have them."""
    x, y, z = plant.position.T
    return np.stack([x, -z, y], axis=1)


def write_mtg(plant: Plant, path: Path) -> None:
    """A column for each order; side axes are entities of their own."""
    rows = []
    for node, place in enumerate(z_up(plant).tolist()):
        goes_on = plant.continues[node]
        code = "/P1/A1/S1" if node == 0 else f"^<S{node}" if goes_on else f"+A{node}/S{node}"
        values = " ".join(repr(value) for value in [*place, 2 * float(plant.radius[node])])
        rows.append("." * int(plant.order[node]) + f"{code} {values}")
    path.write_text(mtg_text(rows, columns=int(plant.order.max()) + 2))


def cylinder_columns(plant: Plant) -> dict[str, Any]:
    """What TreeQSM keeps of a plant: a cylinder per segment, numbered from 1."""
    place, nodes = z_up(plant), plant.segments
    start, end = place[plant.parent[nodes]], place[nodes]
    follower = np.zeros(plant.nodes, int)
    going_on = np.flatnonzero(plant.continues)
    follower[plant.parent[going_on]] = going_on
    return {
        "radius": plant.radius[nodes],
        "length": plant.length[nodes],
        "start": start,
        "axis": (end - start) / plant.length[nodes, None],
        "parent": plant.parent[nodes],
        "extension": follower[nodes],
        "end": end,
        "order": plant.order[nodes],
        "branch": plant.axis[nodes] + 1,
    }


def write_treeqsm(plant: Plant, path: Path, *, version: str = "2.3") -> None:
    """TreeQSM 2.3 has 15 columns; 2.4 has 17 and a line of 13 names."""
    c = cylinder_columns(plant)
    rest = np.zeros((len(c["radius"]), 5 if version == "2.3" else 7))
    table = np.column_stack([c[name] for name in ("radius", "length", "start", "axis", "parent", "extension")] + [rest])
    names = "radius (m)\tlength (m)\tstart_point\taxis_direction\tparent\textension\tbranch\tbranch_order"
    head = [] if version == "2.3" else [names + "\tposition_in_branch\tmad\tSurfCov\tadded\tUnmodRadius"]
    rows = ["\t".join(map(repr, row)) for row in table.tolist()]
    path.write_text("\r\n".join([*head, *rows]) + "\r\n")


def write_treeqsm_24(plant: Plant, path: Path) -> None:
    write_treeqsm(plant, path, version="2.4")


def write_mat(plant: Plant, path: Path) -> None:
    """The structure of TreeQSM 2.4, uncompressed."""
    c = cylinder_columns(plant)
    cylinder = {name: c[name] if c[name].ndim > 1 else c[name][:, None] for name in c if name not in ("end", "order")}
    kinds = {"parent": np.uint16, "extension": np.uint16, "radius": np.float32, "length": np.float32}
    cylinder |= {name: cylinder[name].astype(kind) for name, kind in kinds.items()}
    scipy.io.savemat(str(path), {"QSM": {"cylinder": cylinder, "rundata": {"version": "2.4.1"}}})


def write_old_mat(plant: Plant, path: Path) -> None:
    """The separate arrays of TreeQSM 2.0, compressed."""
    c = cylinder_columns(plant)
    names = {"Rad": "radius", "Len": "length", "Sta": "start", "Axe": "axis", "CPar": "parent", "CExt": "extension"}
    arrays = {old: c[new] if c[new].ndim > 1 else c[new][:, None] for old, new in names.items()}
    scipy.io.savemat(str(path), arrays, do_compression=True)


def write_simpleforest(plant: Plant, path: Path) -> None:
    c = cylinder_columns(plant)
    head = " ID, parentID, startX, startY, startZ, endX, endY, endZ, radius, length, branchOrder, branchID"
    rows = [
        ",".join(map(repr, [row, int(above) - 1, *start, *end, radius, length, order, branch]))
        for row, (above, start, end, radius, length, order, branch) in enumerate(
            zip(
                *(c[n].tolist() for n in ("parent", "start", "end", "radius", "length", "order", "branch")), strict=True
            )
        )
    ]
    path.write_text("\n".join([head, *rows]) + "\n")


def write_archi(plant: Plant, path: Path) -> None:
    c = cylinder_columns(plant)
    head = "startX,startY,startZ,endX,endY,endZ,cyl_ID,parent_ID,extension_ID,radius_cyl,length,axis_ID,branching_order"
    names = ("start", "end", "parent", "extension", "radius", "length", "branch", "order")
    rows = [
        ",".join(map(repr, [*start, *end, row, above, after, radius, length, branch, order + 1]))
        for row, (start, end, above, after, radius, length, branch, order) in enumerate(
            zip(*(c[name].tolist() for name in names), strict=True), start=1
        )
    ]
    path.write_text("\n".join([head, *rows]) + "\n")


def write_archive(plant: Plant, path: Path) -> None:
    plant.save(path)


WRITERS: dict[str, tuple[str, Callable[[Plant, Path], None]]] = {
    "mtg": (".mtg", write_mtg),
    "treeqsm-2.3": (".txt", write_treeqsm),
    "treeqsm-2.4": (".txt", write_treeqsm_24),
    "mat": (".mat", write_mat),
    "old-mat": (".mat", write_old_mat),
    "simpleforest": (".csv", write_simpleforest),
    "archi": (".csv", write_archi),
    "archive": (".npz", write_archive),
}
