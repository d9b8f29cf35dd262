"""Merges the meshes of different plants into one, with the range of each plant."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import IntArray
from windflower.geometry.mesh import Mesh, Tubes

__all__ = ["Ranges", "merged"]


class Ranges(NamedTuple):
    """Ranges of the segments and leaves of each plant in a merged mesh.

    wood    for each of the mesh's tubes (plants, 2): first segment, counted in these tubes, and count
    leaves  (plants, 2) first leaf and count
    """

    wood: tuple[IntArray, ...]
    leaves: IntArray


def merged(meshes: Sequence[Mesh], numbers: Sequence[IntArray]) -> tuple[Mesh, Ranges]:
    """Merge meshes into one, with the range of each; `numbers` (nodes,) are each mesh's nodes in the merged one."""
    looks = sorted({(tubes.sides, tubes.rings) for mesh in meshes for tubes in mesh.tubes}, reverse=True)
    look = np.concatenate([_looks(mesh, looks) for mesh in meshes])
    owner = np.repeat(np.arange(len(meshes)), [len(mesh.segments) for mesh in meshes])
    segments = np.concatenate([_renumbered(mesh, number) for mesh, number in zip(meshes, numbers, strict=True)])
    order = np.argsort(look, kind="stable")
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    begin = np.cumsum([0, *(len(mesh.segments) for mesh in meshes)])
    leaves = np.concatenate([mesh.leaves for mesh in meshes])
    whose = np.repeat(np.arange(len(meshes)), [len(mesh.leaves) for mesh in meshes])
    leaves["segment"] = rank[leaves["segment"] + begin[whose]]
    counts = np.bincount(look, minlength=len(looks))
    firsts = np.cumsum(counts) - counts
    mesh = Mesh(
        rest=np.zeros((0, 3)),
        segments=segments[order],
        leaves=leaves,
        tubes=tuple(Tubes(int(first), int(n), *kind) for first, n, kind in zip(firsts, counts, looks, strict=True)),
        crown_middle=np.mean([mesh.crown_middle for mesh in meshes], axis=0),
        crown_radius=float(np.mean([mesh.crown_radius for mesh in meshes])),
        foliage=meshes[0].foliage,
        sprig=meshes[0].sprig,
    )
    wood = tuple(_ranges(owner[look == kind], len(meshes)) for kind in range(len(looks)))
    return mesh, Ranges(wood, _ranges(whose, len(meshes)))


def _looks(mesh: Mesh, looks: list[tuple[int, int]]) -> IntArray:
    """Index (segments,) of each segment's look, its sides and rings."""
    return np.repeat([looks.index((tubes.sides, tubes.rings)) for tubes in mesh.tubes], [t.count for t in mesh.tubes])


def _renumbered(mesh: Mesh, number: IntArray) -> NDArray[np.void]:
    segments = mesh.segments.copy()
    segments["node"] = number[segments["node"]]
    return segments


def _ranges(owner: IntArray, plants: int) -> IntArray:
    """Start and length (plants, 2) of each plant's range; owners ascend."""
    count = np.bincount(owner, minlength=plants)
    return np.stack([np.cumsum(count) - count, count], axis=1)
