"""Where to put few joints in a plant of many nodes: one by one, each where it mends most of what rigid parts get wrong.

A part is what moves as one piece: all that its joint bears, up to the next joints. Turns are taken as small here. What
a part gets wrong is then quadratic in the motion, and prefix sums over the tree, walked depth first, give it for every
place of one more joint at once.
"""

from dataclasses import dataclass
from heapq import heapify, heappop, heappush

import numpy as np

from windflower.core.arrays import FloatArray, IntArray

__all__ = ["TWIST", "JointOrder", "Tree"]

COMPONENTS = 32  # principal shapes in which the motion is looked at
LEAST = 1e-3  # importance of a node, over the mean
FEWEST = 2  # nodes that a part has, at least
TWIST = 0.02  # how firmly a part holds to its parent's rotation, over how firmly its own nodes say where it is


@dataclass(frozen=True, eq=False)
class Tree:
    """What bears what, as a walk depth first finds it.

    parent  (nodes,)  -1 for roots
    root    (nodes,)  the root from which each node is reached
    depth   (nodes,)  how many bear it
    enter   (nodes,)  when the walk comes to a node
    leave   (nodes,)  when it has seen all that the node bears
    """

    parent: IntArray
    root: IntArray
    depth: IntArray
    enter: IntArray
    leave: IntArray

    @classmethod
    def of(cls, parent: IntArray) -> "Tree":
        """The walk through nodes with these parents."""
        depth, root = np.zeros(len(parent), np.int64), np.arange(len(parent))
        while (borne := parent[root] >= 0).any():
            root[borne] = parent[root[borne]]
            depth += borne
        size, order = np.ones(len(parent), np.int64), np.argsort(depth, kind="stable").tolist()
        for node in reversed(order):
            if parent[node] >= 0:
                size[parent[node]] += size[node]
        enter, following, free = np.zeros_like(size), np.zeros_like(size), 0
        for node in order:
            base = parent[node]
            if base < 0:
                enter[node], free = free, free + size[node]
            else:
                enter[node] = following[base]
                following[base] += size[node]
            following[node] = enter[node] + 1
        return cls(parent, root, depth, enter, enter + size)


class JointOrder:
    """Nodes for joints in the order in which they are put, each where it mends most; found as far as is asked for.

    tree        what bears what
    posed       (frames, nodes, 3) poses that are to be followed, m
    bind        (nodes, 3) pose in which the skin is bound, m
    importance  (nodes,) how much each node counts: how much of the mesh follows it
    """

    def __init__(self, tree: Tree, posed: FloatArray, bind: FloatArray, importance: FloatArray) -> None:
        self.tree, self.bind = tree, bind
        self.importance = np.maximum(importance, LEAST * importance.mean())
        self._frames, self._parts = len(posed), _Parts(tree, posed - bind, bind, self.importance)
        self._roots = np.flatnonzero(tree.parent < 0).tolist()
        self._offers = [self._offer(joint) for joint in self._roots]
        heapify(self._offers)
        self._splits: list[_Split] = []
        self._wrong = [sum(self._parts.wrong(joint) for joint in self._roots)]

    def joints(self, count: int) -> tuple[IntArray, IntArray]:
        """At most so many joints, parents first; and (nodes,) which of them each node moves with."""
        self._find(count)
        splits = self._splits[: max(0, count - len(self._roots))]
        tree, part = self.tree, self.tree.root.copy()
        for split in splits:
            part[split.borne] = split.node
        nodes = [*self._roots, *(split.node for split in splits)]
        joints = np.array(sorted(nodes, key=lambda joint: (tree.depth[joint], joint)))
        number = np.zeros(len(tree.parent), np.int64)
        number[joints] = np.arange(len(joints))
        return joints, number[part]

    def wrong(self, count: int) -> float:
        """What so many rigid parts get wrong, rms over nodes and frames, m: more than a skin, but of the same kind."""
        self._find(count)
        last = min(max(0, count - len(self._roots)), len(self._splits))
        return float(np.sqrt(max(self._wrong[last], 0.0) / self.importance.sum() / self._frames))

    @property
    def most(self) -> int:
        """How many joints there can be."""
        self._find(len(self.tree.parent))
        return len(self._roots) + len(self._splits)

    def fewest(self, wrong: float) -> int:
        """How many rigid parts get no more wrong than this, m; or all that there are."""
        count = len(self._roots)
        while self.wrong(count) > wrong and count < self.most:
            count += 1
        return count

    def _find(self, count: int) -> None:
        while len(self._roots) + len(self._splits) < count and self._offers:
            _, joint, split = heappop(self._offers)
            if split.gain <= 0:
                self._offers.clear()
                return
            self._parts.part[split.borne] = split.node
            self._splits.append(split)
            self._wrong.append(self._wrong[-1] - split.gain)
            for one in (joint, split.node):
                heappush(self._offers, self._offer(one))

    def _offer(self, joint: int) -> "tuple[float, int, _Split]":
        split = self._parts.best_split(joint)
        return -split.gain, joint, split


@dataclass(frozen=True, eq=False)
class _Split:
    """A further joint at a node: how much less is wrong with it, and the nodes that it takes."""

    gain: float
    node: int
    borne: IntArray


class _Parts:
    """Parts of a tree, at first one for each root: `part` (nodes,) is the node of the joint with which each moves."""

    def __init__(self, tree: Tree, moved: FloatArray, bind: FloatArray, weight: FloatArray) -> None:
        root = np.sqrt(weight)[:, None]
        self.tree, self.bind, self.part = tree, bind, tree.root.copy()
        self.shapes = np.moveaxis(_principal(moved * root) / root, 0, 1)  # (nodes, shapes, 3)
        self.terms = _terms(bind, self.shapes, weight)

    def wrong(self, joint: int) -> float:
        """What the part of a joint gets wrong, by its square."""
        mine = np.flatnonzero(self.part == joint)
        return float(self._wrong(self.terms[mine[mine != joint]].sum(axis=0)[None], np.array([joint]))[0])

    def best_split(self, joint: int) -> _Split:
        """The further joint by which the part of a joint gets least wrong."""
        mine = np.flatnonzero(self.part == joint)
        mine = mine[mine != joint]
        mine = mine[np.argsort(self.tree.enter[mine])]
        first = np.arange(len(mine)) + 1
        last = np.searchsorted(self.tree.enter[mine], self.tree.leave[mine])
        able = np.flatnonzero(last - first >= FEWEST)
        if len(able) == 0:
            return _Split(0.0, -1, mine[:0])
        sums = np.concatenate([np.zeros((1, self.terms.shape[1])), np.cumsum(self.terms[mine], axis=0)])
        borne = sums[last[able]] - sums[first[able]]
        wrong = self._wrong(sums[-1] - borne, np.array([joint])) + self._wrong(borne, mine[able])
        best = int(np.argmin(wrong))
        gain = self._wrong(sums[-1:], np.array([joint]))[0] - wrong[best]
        k = able[best]
        return _Split(float(gain), int(mine[k]), mine[first[k] : last[k]])

    def _wrong(self, sums: FloatArray, pivot: IntArray) -> FloatArray:
        """(parts,) squares that are left when parts with these sums of terms turn about nodes as well as they can."""
        p, u, count = self.bind[pivot], self.shapes[pivot], self.shapes.shape[1]
        w, wp, wpp = sums[:, 0, None], sums[:, 1:4], sums[:, 4:13].reshape(-1, 3, 3)
        wu, torque = np.moveaxis(sums[:, 13:-1].reshape(-1, 2, count, 3), 1, 0)
        spread = wpp - _outer(wp, p) - _outer(p, wp) + w[..., None] * _outer(p, p)
        inertia = np.trace(spread, axis1=1, axis2=2)[:, None, None] * np.eye(3) - spread
        firm = inertia + (TWIST * np.trace(inertia, axis1=1, axis2=2)[:, None, None] + 1e-30) * np.eye(3)
        torque = torque - np.cross(p[:, None], wu) - np.cross(wp[:, None], u) + w[..., None] * np.cross(p[:, None], u)
        turn = np.linalg.solve(firm, np.swapaxes(torque, 1, 2))
        square = sums[:, -1] - 2 * (u * wu).sum(axis=(1, 2)) + w[:, 0] * (u**2).sum(axis=(1, 2))
        return np.asarray(square - (np.swapaxes(turn, 1, 2) * torque).sum(axis=(1, 2)))


def _principal(motion: FloatArray) -> FloatArray:
    """(shapes, nodes, 3) few fields with the same products, summed over frames, as motion (frames, nodes, 3)."""
    flat = motion.reshape(len(motion), -1)
    _, vectors = np.linalg.eigh(flat @ flat.T)
    return np.asarray((vectors[:, ::-1].T[:COMPONENTS] @ flat).reshape(-1, *motion.shape[1:]))


def _terms(bind: FloatArray, shapes: FloatArray, weight: FloatArray) -> FloatArray:
    """(nodes, terms) what each node adds to Σ w, w p, w p pᵀ, w u, w p × u and w u²; shapes (nodes, shapes, 3)."""
    columns = (
        np.ones((len(bind), 1)),
        bind,
        _outer(bind, bind).reshape(-1, 9),
        shapes.reshape(len(bind), -1),
        np.cross(bind[:, None], shapes).reshape(len(bind), -1),
        (shapes**2).sum(axis=(1, 2))[:, None],
    )
    return np.asarray(weight[:, None] * np.concatenate(columns, axis=1))


def _outer(a: FloatArray, b: FloatArray) -> FloatArray:
    return np.asarray(a[:, :, None] * b[:, None, :])
