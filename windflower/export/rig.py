"""A skeleton of few joints that plays the motion of a plant of many nodes, by linear blend skinning, as engines do it.

    posed nodes ──> chosen_joints ──> follow: each part turns as its nodes do ──> skin: four weights a node ─┐
                                          ^──────────── refined: joints move as the skin needs it ───────────┘

Joints and weights are found in turns, as in Le & Deng (2012), "Smooth skinning decomposition with rigid bones". Unlike
there, joints lie at nodes and bear one another, so that an artist can take hold of a branch.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.export.joints import TWIST, Tree, chosen_joints

__all__ = ["INFLUENCES", "JointMotion", "Rig", "rig_of"]

INFLUENCES = 4  # joints that move a vertex, as every engine takes them
ROUNDS = 5  # in which weights and joints are found in turns
MOMENTS = 48  # frames by which a rig is found, at most
FIRM = 1e-6  # share of its own size by which a sum of squares is held away from 0


@dataclass(frozen=True, eq=False)
class JointMotion:
    """How the joints of a rig move in a clip.

    turn   (frames, joints, 3, 3)  rotation from the bind pose, in the plant's frame
    place  (frames, joints, 3)     where a joint is, m
    """

    turn: FloatArray
    place: FloatArray

    def moved(self, joint: int, offset: FloatArray) -> FloatArray:
        """(frames, n, 3) points that in the bind pose lie at offsets (n, 3) from a joint."""
        return np.asarray(self.place[:, joint, None] + offset @ np.swapaxes(self.turn[:, joint], 1, 2))


@dataclass(frozen=True, eq=False)
class Rig:
    """Joints of a plant and the skin on them.

    bind    (nodes, 3)  the pose in which skin and joints are put together, m
    joint   (joints,)   the node at which each joint lies; parents come first
    parent  (joints,)   the joint that bears it, -1 for roots
    part    (nodes,)    the joint with which a node moves, if with one alone
    index   (nodes, 4)  joints that move a node
    weight  (nodes, 4)  and their weights, which add up to 1
    """

    bind: FloatArray
    joint: IntArray
    parent: IntArray
    part: IntArray
    index: IntArray
    weight: FloatArray

    def __len__(self) -> int:
        return len(self.joint)

    @property
    def place(self) -> FloatArray:
        """(joints, 3) where joints lie in the bind pose, m."""
        return np.asarray(self.bind[self.joint])

    def motion(self, posed: FloatArray, importance: FloatArray) -> JointMotion:
        """How the joints move so that the skin follows posed nodes (frames, nodes, 3) best.

        Each frame is found by itself, so that what repeats also repeats here.
        """
        return _refined(self, posed, importance, _followed(self, posed, importance))

    def skinned(self, motion: JointMotion, points: FloatArray, index: IntArray, weight: FloatArray) -> FloatArray:
        """(frames, n, 3) points (n, 3) of the bind pose, moved by joints and weights (n, 4)."""
        moved = np.zeros((len(motion.turn), len(points), 3))
        for joint, mine, share in _by_joint(len(self), index, weight):
            moved[:, mine] += share[:, None] * motion.moved(joint, points[mine] - self.place[joint])
        return moved


def rig_of(tree: Tree, posed: FloatArray, joints: int, *, bind: FloatArray, importance: FloatArray) -> Rig:
    """The rig by which at most so many joints follow posed nodes (frames, nodes, 3) best.

    bind        (nodes, 3) pose in which the skin is bound, m
    importance  (nodes,) how much each node counts: how much of the mesh follows it
    """
    posed = posed[np.linspace(0, len(posed), min(len(posed), MOMENTS), endpoint=False).astype(np.int64)]
    importance = np.maximum(importance, 1e-3 * importance.mean())
    joint, part = chosen_joints(tree, posed - bind, bind, importance, joints)
    parent = np.where(tree.parent[joint] < 0, -1, part[joint])
    index, weight = np.repeat(part[:, None], INFLUENCES, axis=1), np.tile(np.eye(INFLUENCES)[0], (len(part), 1))
    rig = Rig(bind, joint, parent, part, index, weight)
    motion = _followed(rig, posed, importance)
    for _ in range(ROUNDS):
        index, weight = _skin(rig, posed, motion)
        rig = replace(rig, index=index, weight=weight)
        motion = _refined(rig, posed, importance, motion)
    return rig


def _followed(rig: Rig, posed: FloatArray, importance: FloatArray) -> JointMotion:
    """Joints that lie where their parents carry them and turn as their parts do.

    Where a part ends and others begin, all that they bear counts. What lies on a line does not say how it turns about
    itself: there it keeps its parent's rotation.
    """
    frames, joints = len(posed), len(rig)
    turn, place = np.empty((frames, joints, 3, 3)), np.empty((frames, joints, 3))
    counts = importance + _borne(rig, importance)
    for joint, node in enumerate(rig.joint.tolist()):
        up = int(rig.parent[joint])
        bearer = np.broadcast_to(np.eye(3), (frames, 3, 3)) if up < 0 else turn[:, up]
        place[:, joint] = posed[:, node] if up < 0 else place[:, up] + bearer @ (rig.place[joint] - rig.place[up])
        mine = np.flatnonzero(rig.part == joint)
        offset, now = rig.bind[mine] - rig.place[joint], posed[:, mine] - place[:, joint, None]
        turn[:, joint] = _best_turn(offset, now, counts[mine], bearer)
    return JointMotion(turn, place)


def _refined(rig: Rig, posed: FloatArray, importance: FloatArray, motion: JointMotion) -> JointMotion:
    """Joints moved one by one as the skin needs it, given where the others are (Le & Deng 2012, §4.2)."""
    motion = JointMotion(motion.turn.copy(), motion.place.copy())
    missing = posed - rig.skinned(motion, rig.bind, rig.index, rig.weight)
    for _ in range(ROUNDS):
        for joint, mine, share in _by_joint(len(rig), rig.index, rig.weight):
            offset = rig.bind[mine] - rig.place[joint]
            before = motion.moved(joint, offset)
            wanted = before + missing[:, mine] / share[:, None]
            counts = importance[mine] * share**2
            middle = counts @ offset / counts.sum()
            wanted_middle = np.einsum("n,fni->fi", counts, wanted) / counts.sum()
            turn = _best_turn(offset - middle, wanted - wanted_middle[:, None], counts, motion.turn[:, joint])
            motion.turn[:, joint], motion.place[:, joint] = turn, wanted_middle - turn @ middle
            missing[:, mine] -= share[:, None] * (motion.moved(joint, offset) - before)
    return motion


def _best_turn(offset: FloatArray, now: FloatArray, counts: FloatArray, otherwise: FloatArray) -> FloatArray:
    """(frames, 3, 3) rotations by which offsets (n, 3) come nearest to others (frames, n, 3): Kabsch's.

    They are drawn a little to rotations (frames, 3, 3) that hold where offsets do not tell.
    """
    hold = TWIST * (counts * (offset**2).sum(axis=1)).sum() + 1e-30
    u, _, vt = np.linalg.svd(np.swapaxes(now, 1, 2) @ (counts[:, None] * offset) + hold * otherwise)
    u[..., 2] *= np.sign(np.linalg.det(u) * np.linalg.det(vt))[..., None]
    return np.asarray(u @ vt)


def _borne(rig: Rig, importance: FloatArray) -> FloatArray:
    """(nodes,) at the nodes of joints, the importance of all that they bear; elsewhere 0."""
    own = np.bincount(rig.part, importance, minlength=len(rig))
    for joint in range(len(rig) - 1, -1, -1):
        if rig.parent[joint] >= 0:
            own[rig.parent[joint]] += own[joint]
    borne = np.zeros(len(rig.part))
    borne[rig.joint] = own
    return borne


def _by_joint(joints: int, index: IntArray, weight: FloatArray) -> Iterator[tuple[int, IntArray, FloatArray]]:
    """For each joint that moves something: the points that it moves, and with what weights."""
    for joint in range(joints):
        share = np.where(index == joint, weight, 0.0).sum(axis=1)
        mine = np.flatnonzero(share > 0)
        if len(mine):
            yield joint, mine, share[mine]


def _skin(rig: Rig, posed: FloatArray, motion: JointMotion) -> tuple[IntArray, FloatArray]:
    """(nodes, 4) joints and weights: the best among each part's joint and its neighbours."""
    index = np.repeat(rig.part[:, None], INFLUENCES, axis=1)
    weight = np.zeros(index.shape)
    for joint in range(len(rig)):
        nodes, near = np.flatnonzero(rig.part == joint), _near(rig, joint)
        off = np.stack([motion.moved(one, rig.bind[nodes] - rig.place[one]) for one in near.tolist()]) - posed[:, nodes]
        best = np.argsort((off**2).sum(axis=(1, 3)), axis=0, kind="stable")[:INFLUENCES].T
        rows, columns = nodes[:, None], np.arange(best.shape[1])
        kept = off[best, :, np.arange(len(nodes))[:, None]].reshape(*best.shape, -1)
        index[rows, columns], weight[rows, columns] = near[best], _least(kept @ np.swapaxes(kept, 1, 2))
    return np.where(weight > 0, index, rig.part[:, None]), weight


def _near(rig: Rig, joint: int) -> IntArray:
    """A joint and those that at most three bones part from it."""
    near = np.arange(len(rig)) == joint
    for _ in range(3):
        above = rig.parent[near]
        near |= near[rig.parent] & (rig.parent >= 0)
        near[above[above >= 0]] = True
    return np.flatnonzero(near)


def _least(square: FloatArray) -> FloatArray:
    """(n, k) weights w ≥ 0 with Σ w = 1 for which wᵀ S w is least, S (n, k, k).

    The best weights are positive on some of the k and best there without the bound, so each choice is tried.
    """
    count, k = square.shape[:2]
    firm = square + (FIRM * np.trace(square, axis1=1, axis2=2)[:, None, None] + 1e-30) * np.eye(k)
    best, least = np.zeros((count, k)), np.full(count, np.inf)
    for size in range(1, k + 1):
        for some in combinations(range(k), size):
            part = firm[:, some][:, :, some]
            w = np.linalg.solve(part, np.ones((count, size, 1)))[..., 0]
            w /= w.sum(axis=1, keepdims=True)
            left = np.einsum("ni,nij,nj->n", w, part, w)
            better = (w >= 0).all(axis=1) & (left < least)
            least = np.where(better, left, least)
            best[better] = 0.0
            best[np.ix_(better, some)] = w[better]
    return best
