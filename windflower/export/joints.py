"""Where to put few joints in a plant of many nodes: one by one, each where it mends most of what rigid parts get wrong.

A part is what moves as one piece: all that its joint bears, up to the next joints. Turns are taken as small here. What
a part gets wrong is then quadratic in the motion, and prefix sums over the tree, walked depth first, give it for every
place of one more joint at once.
"""

from dataclasses import dataclass

import numpy as np

from windflower.core.arrays import FloatArray, IntArray

__all__ = ["TWIST", "Tree", "chosen_joints"]

COMPONENTS = 32  # principal shapes in which the motion is looked at
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


def chosen_joints(
    tree: Tree, moved: FloatArray, bind: FloatArray, weight: FloatArray, count: int
) -> tuple[IntArray, IntArray]:
    """At most so many nodes for joints, parents first; and (nodes,) which joint each node moves with.

    moved   (frames, nodes, 3) displacement from the bind pose, m
    bind    (nodes, 3) the bind pose, m
    weight  (nodes,) how much each node counts
    """
    parts = _Parts(tree, moved, bind, weight)
    offers = {joint: parts.best_split(joint) for joint in np.flatnonzero(tree.parent < 0).tolist()}
    while len(offers) < count:
        joint = max(offers, key=lambda one: offers[one].gain)
        offer = offers[joint]
        if offer.gain <= 0:
            break
        parts.part[offer.borne] = offer.node
        offers |= {one: parts.best_split(one) for one in (joint, offer.node)}
    joints = np.array(sorted(offers, key=lambda joint: (tree.depth[joint], joint)))
    number = np.zeros(len(tree.parent), np.int64)
    number[joints] = np.arange(len(joints))
    return joints, number[parts.part]


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
