"""A plant's nodes in chunks whose paths a workgroup sums in its memory: what rotated.wgsl walks by.

A chunk holds whole branches, with all that grows on them; the nodes on which they stand are of an earlier generation of
chunks, whose points are known by then. So one dispatch poses a generation, all chunks at once, and there are few: the
largest branches that fit are cut off, what is left is cut again, and so on.

Within a chunk, a piece is a run of nodes each of which is the parent of the next. Pieces on earlier chunks are summed
in the first round, those on them in the second, and so on. Each point is its parent's plus its chord, whatever the
chunks.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import IntArray
from windflower.plant.graph import Plant

__all__ = ["PathChunks"]

NONE = 0xFFFFFFFF


@dataclass(frozen=True, eq=False)
class PathChunks:
    """The nodes of a plant in chunks of so many places.

    node         (chunks, size)  the node in each place, -1 for none
    generations  first and end of the chunks of each, parents before their children
    """

    plant: Plant
    node: IntArray
    generations: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, plant: Plant, size: int) -> "PathChunks":
        """Cut a plant into chunks of up to `size` nodes."""
        order = _along_paths(plant)
        left, found = np.ones(plant.nodes, bool), []
        while left.any():
            branches = _branches(plant, order, left, size)
            found.append(_packed(branches, plant.parent, size))
            left[np.concatenate(branches)] = False
        found.reverse()
        bounds = np.cumsum([0, *map(len, found)]).tolist()
        return cls(plant, np.concatenate(found), tuple(pairwise(bounds)))

    @property
    def records(self) -> NDArray[np.uint32]:
        """(chunks, size, 4) `b_place` in rotated.wgsl.

        Of each place its node; and the node of an earlier chunk on which it stands. Of each piece the place on which
        it stands, where it begins and where it ends, a byte each. The number of rounds, then where each ends among the
        pieces. NONE where there is none.
        """
        chunks, size = self.node.shape
        records = np.full((chunks, size, 4), NONE, "<u4")
        for nodes, record in zip(self.node, records, strict=True):
            nodes = nodes[nodes >= 0]
            pieces, ends, outside = self._pieces(nodes)
            record[: len(nodes), 0] = nodes
            record[: len(nodes), 1] = np.where(outside < 0, NONE, outside)
            record[: len(pieces), 2] = pieces @ [1, 1 << 8, 1 << 16]
            record[0, 3], record[1 : 1 + len(ends), 3] = len(ends), ends
        return records

    def _pieces(self, nodes: IntArray) -> tuple[IntArray, IntArray, IntArray]:
        """Pieces (pieces, 3) of a chunk by rounds; where rounds end (rounds,); parents outside it (nodes,), or -1."""
        place = np.full(self.plant.nodes + 1, -1)
        place[nodes] = np.arange(len(nodes))
        parent = self.plant.parent[nodes]
        base = place[parent]
        first = np.flatnonzero(base != np.arange(len(nodes)) - 1)
        first = np.union1d(0, first)
        piece = np.searchsorted(first, np.arange(len(nodes)), side="right") - 1
        on = base[first]
        when = np.zeros(len(first), np.int64)
        while ((after := np.where(on < 0, 0, when[piece[on]] + 1)) != when).any():
            when = after
        order = np.argsort(when, kind="stable")
        pieces = np.stack([np.where(on < 0, 0xFF, on), first, np.append(first[1:], len(nodes))], axis=1)
        return pieces[order], np.cumsum(np.bincount(when)), np.where(base < 0, parent, -1)


def _along_paths(plant: Plant) -> IntArray:
    """(nodes,) all nodes, each followed by its largest branch, then by the others."""
    size, parent = _sizes(plant, np.ones(plant.nodes, bool)), plant.parent
    siblings = np.lexsort((-size, parent))
    before = np.cumsum(size[siblings]) - size[siblings]
    begins = np.append(True, np.diff(parent[siblings]) != 0)
    offset = np.zeros(plant.nodes, np.int64)
    offset[siblings] = before - np.repeat(before[begins], np.diff(np.append(np.flatnonzero(begins), plant.nodes)))
    rank = offset
    for level in plant.levels[1:]:
        rank[level] += rank[parent[level]] + 1
    return np.argsort(rank)


def _sizes(plant: Plant, left: NDArray[np.bool_]) -> IntArray:
    """(nodes,) how many of the nodes that are left stand on each, itself included."""
    size = left.astype(np.int64)
    for level in plant.levels[:0:-1]:
        np.add.at(size, plant.parent[level], size[level])
    return size


def _branches(plant: Plant, order: IntArray, left: NDArray[np.bool_], most: int) -> list[IntArray]:
    """The largest branches of up to so many nodes, of the nodes that are left, along their paths."""
    size = _sizes(plant, left)
    light = left & (size <= most)
    on_heavy = light & ~np.where(plant.parent >= 0, light[plant.parent], False)
    kept = order[light[order]]
    return np.split(kept, np.flatnonzero(on_heavy[kept])[1:])


def _packed(branches: list[IntArray], parent: IntArray, size: int) -> IntArray:
    """(chunks, size) branches, each whole, the largest first, each where it fits first; -1 in places that are free.

    Runs of nodes along a path are then sorted by number, so that nodes that are written together lie together.
    """
    chunks: list[list[IntArray]] = []
    room = np.zeros(0, np.int64)
    for branch in sorted(branches, key=len, reverse=True):
        fits = np.flatnonzero(room >= len(branch))
        if not len(fits):
            chunks.append([])
            room, fits = np.append(room, size), np.array([len(room)])
        chunks[fits[0]].append(branch)
        room[fits[0]] -= len(branch)
    filled = (_by_number(np.concatenate(chunk), parent) for chunk in chunks)
    return np.stack([np.pad(nodes, (0, size - len(nodes)), constant_values=-1) for nodes in filled])


def _by_number(nodes: IntArray, parent: IntArray) -> IntArray:
    """The same nodes, in the same runs along paths, which are sorted by the number of their first node."""
    begins = np.append(True, parent[nodes[1:]] != nodes[:-1])
    first = nodes[begins][np.cumsum(begins) - 1]
    return nodes[np.argsort(first, kind="stable")]
