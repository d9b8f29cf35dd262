"""Foliage: the leaves of all blocks of a scene in common buffers, so that kernels draw many blocks at once.

deform_leaves.wgsl ──> a range of a shelf for each block ──> see_leaves.wgsl, splat_leaves.wgsl: a shelf at a time
                                                        └──> leaves.wgsl: a block at a time

Of two dispatches that follow one another on a card, the second waits for the last workgroup of the first, and a block
alone has too few leaves to keep a card at work meanwhile.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from windflower.core.buffers import Bindings, Upload, dispatch, uniform, zeros
from windflower.core.device import Gpu
from windflower.core.layouts import layout
from windflower.core.quick_calls import write_buffer
from windflower.render.pipelines import Layouts

__all__ = [
    "CARDS",
    "LEAF_BYTES",
    "MESHES",
    "Foliage",
    "LeafPicture",
    "LeafRange",
    "Run",
    "Wanted",
    "make_room",
    "runs_together",
]

LEAF_BYTES = layout("render/wgsl/leaf_elements.wgsl", "LitLeaf").itemsize
CARDS = layout("render/wgsl/cards.wgsl", "Cards")
RUN = layout("render/wgsl/leaf_triangles.wgsl", "Run")
MESHES = 8  # as in cards.wgsl
LEAVES, FELL, STILL = 8, 256, 512  # as in leaf_triangles.wgsl
TOGETHER = 64  # leaves that a workgroup of the deform pass works out: ranges begin and end with one
AT_WORK = 2048  # workgroups that share the parts of large triangles: as many as are at work at once on a large card
SPARE = 1.25  # room of a new shelf over what is needed


class LeafPicture(NamedTuple):
    """Texture of the pictures of a kind of leaf, and its sampler."""

    texture: Any
    sampler: Any


class Wanted(NamedTuple):
    """That a block needs room for so many leaves, which have these pictures."""

    range: "LeafRange"
    picture: LeafPicture
    leaves: int


class LeafRange:
    """Where the leaves of one block lie: so many from the `first` on, in a shelf; None before there is room."""

    def __init__(self, foliage: "Foliage") -> None:
        self.foliage = foliage
        self.shelf: Shelf | None = None
        self.first, self.room = 0, 0

    def buffer(self, *, before: bool) -> dict[str, Any]:
        """The range of the buffer, as it is bound; of now, or of the frame before."""
        assert self.shelf is not None, "room is made before leaves are worked out"
        return {
            "buffer": self.shelf.before if before else self.shelf.now,
            "offset": LEAF_BYTES * self.first,
            "size": LEAF_BYTES * self.room,
        }


class Run(NamedTuple):
    """Leaves of a block that are drawn with others: so many of a range, and their record `CARDS`.

    fell   whether they came off; still: whether they are where they were in the frame before
    """

    range: LeafRange
    leaves: int
    cards: bytes
    fell: bool
    still: bool


class Shelf:
    """Leaves of several blocks with the same pictures: buffers of them now, and in the frame before."""

    def __init__(self, gpu: Gpu, layouts: Layouts, picture: LeafPicture, room: int) -> None:
        self._gpu, self._layouts, self.picture, self._room, self._used = gpu, layouts, picture, room, 0
        self.now, self.before = (zeros(gpu, LEAF_BYTES * room, "lit leaves") for _ in range(2))
        self._drawn: dict[str, list[LeafRuns]] = {}

    def take(self, wanted: Wanted, room: int) -> bool:
        """Give a block so much room, if there is some left."""
        if self._used + room > self._room:
            return False
        wanted.range.shelf, wanted.range.first, wanted.range.room = self, self._used, room
        self._used += room
        return True

    def runs(self, part: str, number: int) -> "LeafRuns":
        """What draws some of its leaves together; `part` names them among all, and there may be a `number` of such."""
        known = self._drawn.setdefault(part, [])
        while len(known) <= number:
            known.append(LeafRuns(self._gpu, self._layouts, self))
        return known[number]


class LeafRuns:
    """Runs of leaves of one shelf that a kernel draws with one dispatch."""

    def __init__(self, gpu: Gpu, layouts: Layouts, shelf: Shelf) -> None:
        self._gpu, self._shelf, self._groups = gpu, shelf, 0
        self._runs, self._cards = Upload(gpu, "runs of leaves"), uniform(gpu, MESHES * CARDS.itemsize, "cards")
        self._read, self._looks = Bindings(gpu, layouts.splatted_leaves), Bindings(gpu, layouts.leaf_cards)
        self._written: list[bytes] = []

    def write(self, slot: int, runs: Sequence[Run], cards: list[bytes]) -> "LeafRuns":
        """Take these runs, which have these cards; `slot`: see large_leaves.wgsl."""
        rows = np.zeros(len(runs) + 1, RUN)
        count = np.array([run.leaves for run in runs])
        groups = -(-count // LEAVES)
        rows["first"] = [len(runs), *(run.range.first for run in runs)]
        rows["count"][0] = slot
        rows["count"][1:], rows["begin"][1:] = count, np.cumsum(groups) - groups
        rows["how"][1:] = [cards.index(run.cards) + FELL * run.fell + STILL * run.still for run in runs]
        self._groups, self._table = int(groups.sum()), self._runs.write(rows)
        if cards != self._written:
            write_buffer(self._gpu.queue, self._cards, 0, np.frombuffer(b"".join(cards), "u1"))
            self._written = cards
        return self

    def draw(self, compute_pass: Any, pipeline: Any, large: Any = None) -> None:
        """Record a kernel that draws them all, and the one, if any, that draws the large triangles that it queues."""
        texture, sampler = self._shelf.picture
        compute_pass.set_bind_group(
            2, self._looks.group(None, None, None, texture, sampler, None, None, None, self._cards)
        )
        group = self._read.group(self._shelf.now, self._shelf.before, None, self._table)
        dispatch(compute_pass, pipeline, group, self._groups, at=3)
        if large:
            dispatch(compute_pass, large, group, AT_WORK, at=3)


def _of_few_meshes(runs: Iterable[Run]) -> list[tuple[list[Run], list[bytes]]]:
    """Runs in parts whose cards are of at most `MESHES` kinds, and those of each part."""
    found: list[tuple[list[Run], list[bytes]]] = []
    for run in runs:
        if not found or (run.cards not in found[-1][1] and len(found[-1][1]) == MESHES):
            found.append(([], []))
        some, cards = found[-1]
        some.append(run)
        if run.cards not in cards:
            cards.append(run.cards)
    return found


class Foliage:
    """Shelves for the leaves of all blocks of a scene."""

    def __init__(self, gpu: Gpu, layouts: Layouts) -> None:
        self._gpu, self._layouts = gpu, layouts
        self._shelves: dict[LeafPicture, list[Shelf]] = {}
        self._most = gpu.binding_size // LEAF_BYTES // TOGETHER * TOGETHER

    def make_room(self, wanted: Sequence[Wanted]) -> None:
        """Give these blocks room. Where it does not suffice for some, all that share their pictures may move.

        So all blocks of a frame ask at once, before any of their leaves are worked out.
        """
        for picture in {one.picture: None for one in wanted}:
            alike = [one for one in wanted if one.picture == picture]
            shelves = self._shelves.setdefault(picture, [])
            missing = [one for one in alike if one.range.shelf not in shelves or one.range.room < one.leaves]
            if not all(any(shelf.take(one, self._room(one)) for shelf in shelves) for one in missing):
                self._shelves[picture] = self._filled(picture, alike)

    def _room(self, wanted: Wanted) -> int:
        """Room for a block: as much as it has, or more than it needs where it has grown."""
        known = wanted.range.room
        needed = known if wanted.leaves <= known else max(wanted.leaves, 3 * known // 2)
        return max(min(-(-needed // TOGETHER) * TOGETHER, self._most), TOGETHER)

    def _filled(self, picture: LeafPicture, wanted: Sequence[Wanted]) -> list[Shelf]:
        """New shelves with these blocks."""
        rooms = [self._room(one) for one in wanted]
        shelves: list[Shelf] = []
        left = sum(rooms)
        for one, room in zip(wanted, rooms, strict=True):
            if not shelves or not shelves[-1].take(one, room):
                shelves.append(Shelf(self._gpu, self._layouts, picture, max(min(int(SPARE * left), self._most), room)))
                shelves[-1].take(one, room)
            left -= room
        return shelves


def make_room(wanted: Sequence[Wanted]) -> None:
    """Give the leaves of all blocks of a frame room; see `Foliage.make_room`."""
    for foliage in dict.fromkeys(one.range.foliage for one in wanted):
        foliage.make_room([one for one in wanted if one.range.foliage is foliage])


def runs_together(part: str, runs: Sequence[Run], *, first_slot: int = 0) -> list[LeafRuns]:
    """Leaves of some blocks, those of a shelf together.

    part        names these blocks among all of a frame
    first_slot  the first of the slots that are free for them; see large_leaves.wgsl
    """
    found: list[LeafRuns] = []
    for shelf in dict.fromkeys(run.range.shelf for run in runs if run.range.shelf):
        alike = _of_few_meshes(run for run in runs if run.range.shelf is shelf)
        for number, (some, cards) in enumerate(alike):
            found.append(shelf.runs(part, number).write(first_slot + len(found), some, cards))
    return found
