"""Paths cut into pieces that a workgroup sums in its memory, a chunk of nodes at a time: what rotated.wgsl walks by.

A chunk is a run of nodes as they are numbered. A piece is a run of nodes within a chunk, each the parent of the next; its
first node's parent is anywhere before. Pieces on parents of earlier chunks are summed in a chunk's first round, all at
once, those on them in the second, and so on: there are as many rounds as pieces lie on one another, and not as many as
nodes. Each point is its parent's plus its chord, so no result depends on the size of chunks.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray

__all__ = ["PathPieces"]

NONE = 0xFFFFFFFF  # parent of a root
TURNS = 50_000  # of loops in a dispatch: Mesa's software driver leaves all loops of an invocation after 65,535


@dataclass(frozen=True, eq=False)
class PathPieces:
    """The pieces of a plant for chunks of so many nodes.

    first, end, parent  (pieces,)  nodes of each piece, and the node before the first; -1 on a root
    chunk, round        (pieces,)  when it is summed; pieces are in this order
    """

    size: int
    first: IntArray
    end: IntArray
    parent: IntArray
    chunk: IntArray
    round: IntArray

    @classmethod
    def of(cls, parent: IntArray, size: int) -> "PathPieces":
        """The pieces of a plant of whose nodes these are the parents (nodes,), each before its node."""
        node = np.arange(len(parent))
        begins = (node % size == 0) | (parent != node - 1)
        first, piece = node[begins], np.cumsum(begins) - 1
        base = parent[first]
        inside = base >= first // size * size
        below = piece[np.where(inside, base, 0)]
        round_ = np.zeros(len(first), np.int64)
        while ((after := np.where(inside, round_[below] + 1, 0)) != round_).any():
            round_ = after
        order = np.lexsort((round_, first // size))
        end = np.append(first[1:], len(parent))
        return cls(size, first[order], end[order], base[order], first[order] // size, round_[order])

    @property
    def chunks(self) -> int:
        """Number of chunks."""
        return int(self.chunk[-1]) + 1

    @property
    def records(self) -> NDArray[np.uint32]:
        """(records, 4) `b_piece` in rotated.wgsl."""
        begin = self._rounds
        rounds = np.append(np.searchsorted(self.chunk[begin], np.arange(self.chunks)), len(begin))
        records = np.zeros((self.chunks + len(begin) + len(self.first), 4), "<u4")
        chunks, walks, pieces = np.split(records, [self.chunks, self.chunks + len(begin)])
        chunks[:, 0], chunks[:, 1] = self.chunks + rounds[:-1], self.chunks + rounds[1:]
        walks[:, 0] = begin + len(chunks) + len(walks)
        walks[:, 1] = np.append(begin[1:], len(self.first)) + len(chunks) + len(walks)
        pieces[:, 0], pieces[:, 1], pieces[:, 2] = self.first, self.end, np.where(self.parent < 0, NONE, self.parent)
        return records

    def dispatches(self, shapes: int, quads: int) -> Iterator[tuple[int, int]]:
        """Chunks, first and end, of each dispatch: all in one, unless loops would go round too often."""
        turns = np.cumsum(self._turns(shapes, quads))
        first = 0
        while first < self.chunks:
            before = turns[first - 1] if first else 0
            end = max(first + 1, int(np.searchsorted(turns, before + TURNS, side="right")))
            yield first, end
            first = end

    @property
    def _rounds(self) -> IntArray:
        """(rounds,) the first piece of each round of each chunk."""
        changes = (np.diff(self.chunk) != 0) | (np.diff(self.round) != 0)
        return np.append(0, np.flatnonzero(changes) + 1)

    def _turns(self, shapes: int, quads: int) -> FloatArray:
        """(chunks,) how often an invocation goes round any of its loops, at most."""
        begin = self._rounds
        count = np.diff(np.append(begin, len(self.first)))
        longest = np.maximum.reduceat(self.end - self.first, begin)
        walked = 1 + -(-count * quads // self.size) * (1 + longest)
        of_round = np.bincount(self.chunk[begin], walked, self.chunks)
        return of_round + shapes * (1 + quads / self.size) + 2 * quads + 4
