"""A skeleton of few joints that plays the motion of a plant of many points, by linear blend skinning, as engines do it.

    posed points ──> JointOrder ──> followed: each part turns as its points do ──> skin: four weights a point ─┐
                                           ^──────────── refined: joints move as the skin needs it ──────────────┘

Joints and weights are found in turns, as in Le & Deng (2012), "Smooth skinning decomposition with rigid bones". Unlike
there, joints lie at nodes and bear one another, so that an artist can take hold of a branch.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import bsr_matrix, csr_matrix

from windflower.core.arrays import FloatArray, IntArray
from windflower.export.joints import TWIST, JointOrder
from windflower.export.weights import CANDIDATES, INFLUENCES, best_weights, nearest, strongest, together

__all__ = ["INFLUENCES", "JointMotion", "Rig", "rig_of"]

ROUNDS = 4  # in which weights and joints are found in turns
SWEEPS = 6  # over all joints, in which each moves as the others leave it to
NEAR = 3  # bones, at most, from a point's joint to others that move it


@dataclass(frozen=True, eq=False)
class JointMotion:
    """How the joints of a rig move in a clip.

    turn   (frames, joints, 3, 3)  rotation from the bind pose, in the plant's frame
    place  (frames, joints, 3)     where a joint is, m
    """

    turn: FloatArray
    place: FloatArray

    def __getitem__(self, frames: slice) -> "JointMotion":
        return JointMotion(self.turn[frames], self.place[frames])

    @property
    def matrix(self) -> FloatArray:
        """(frames, 3, joints · 4) rotations and places side by side."""
        both = np.concatenate([self.turn, self.place[..., None]], axis=-1)
        return np.moveaxis(both, 1, 2).reshape(len(both), 3, -1)


@dataclass(frozen=True, eq=False)
class Rig:
    """Joints of a plant and the skin on them.

    joint       (joints,)    the point at which each joint lies; parents come first
    place       (joints, 3)  where that is in the bind pose, m
    parent      (joints,)    the joint that bears it, -1 for roots
    bind        (points, 3)  the pose in which skin and joints are put together, m
    importance  (points,)    how much each point counts
    part        (points,)    the joint with which a point moves, if with one alone
    index       (points, 4)  joints that move a point
    weight      (points, 4)  and their weights, which add up to 1
    """

    joint: IntArray
    place: FloatArray
    parent: IntArray
    bind: FloatArray
    importance: FloatArray
    part: IntArray
    index: IntArray
    weight: FloatArray

    def __len__(self) -> int:
        return len(self.joint)

    def motion(self, posed: FloatArray) -> JointMotion:
        """How the joints move so that the skin follows posed points (frames, points, 3) best.

        Each frame is found by itself, so that what repeats also repeats here.
        """
        return _refined(self, posed, _followed(self, posed))

    def skinned(self, motion: JointMotion, points: FloatArray, index: IntArray, weight: FloatArray) -> FloatArray:
        """(frames, n, 3) points (n, 3) of the bind pose, moved by joints and weights (n, 4)."""
        shares = _shares(self, points, index, weight)
        flat = shares @ motion.matrix.reshape(-1, shares.shape[1]).T
        return np.ascontiguousarray(np.moveaxis(flat.reshape(len(points), -1, 3), 0, 1))

    def skin(
        self, motion: JointMotion, points: FloatArray, posed: FloatArray, part: IntArray
    ) -> tuple[IntArray, FloatArray]:
        """(n, 4) joints and weights by which points (n, 3) of the bind pose follow posed ones (frames, n, 3) best.

        part  (n,) the joint with which each moves; it and its neighbours are tried
        """
        index, square = np.repeat(part[:, None], CANDIDATES, axis=1), np.empty((len(part), CANDIDATES, CANDIDATES))
        order = np.argsort(part, kind="stable")
        matrix = np.moveaxis(motion.matrix.reshape(-1, len(self), 4), 1, 0)  # (joints, frames · 3, 4)
        squares = np.swapaxes(matrix, 1, 2) @ matrix
        for joint, mine in enumerate(np.split(order, np.searchsorted(part[order], np.arange(1, len(self))))):
            if len(mine) == 0:
                continue
            near = _near(self, joint)
            offset = np.moveaxis(points[mine, None] - self.place[near], 0, 2)
            offset = np.concatenate([offset, np.ones_like(offset[:, :1])], axis=1)
            wanted = np.moveaxis(posed[:, mine], 1, 2).reshape(-1, len(mine))
            best = nearest(_alone(matrix[near], squares[near], offset, wanted))
            index[mine] = near[best]
            square[mine] = together(matrix[index[mine]], offset[best, :, np.arange(len(mine))[:, None]], wanted)
        four, weight = best_weights(square)
        return strongest(np.take_along_axis(index, four, 1), weight)

    def at(self, points: IntArray) -> "Rig":
        """The same joints with the skin of some points only; it plays what the whole rig does, and finds no motion."""
        own = {name: getattr(self, name)[points] for name in ("bind", "importance", "part", "index", "weight")}
        return replace(self, **own)


def rig_of(order: JointOrder, posed: FloatArray, joints: int) -> Rig:
    """The rig by which at most so many joints follow posed points (frames, points, 3) best."""
    tree, bind, importance = order.tree, order.bind, order.importance
    joint, part = order.joints(joints)
    parent = np.where(tree.parent[joint] < 0, -1, part[joint])
    index, weight = np.repeat(part[:, None], INFLUENCES, axis=1), np.tile(np.eye(INFLUENCES)[0], (len(part), 1))
    rig = Rig(joint, bind[joint], parent, bind, importance, part, index, weight)
    motion = _followed(rig, posed)
    for _ in range(ROUNDS):
        index, weight = rig.skin(motion, rig.bind, posed, rig.part)
        rig = replace(rig, index=index, weight=weight)
        motion = _refined(rig, posed, motion)
    return rig


def _alone(matrix: FloatArray, squares: FloatArray, offset: FloatArray, wanted: FloatArray) -> FloatArray:
    """(joints, n) what each joint by itself gets wrong of points, by its square, from products over all frames.

    matrix   (joints, numbers, 4)  rotations and places;  squares (joints, 4, 4) their products with themselves
    offset   (joints, 4, n)        of the points from the joints
    wanted   (numbers, n)          where the points should be
    """
    pulls = (np.swapaxes(matrix, 1, 2).reshape(-1, len(wanted)) @ wanted).reshape(offset.shape)
    return np.asarray(((squares @ offset - 2 * pulls) * offset).sum(axis=1) + (wanted**2).sum(axis=0))


def _shares(rig: Rig, points: FloatArray, index: IntArray, weight: FloatArray) -> csr_matrix:
    """Sparse (points, joints · 4): times rotations and places of joints, below one another, it gives moved points."""
    offset = np.concatenate([points[:, None] - rig.place[index], np.ones((*index.shape, 1))], axis=-1)
    columns = 4 * index[..., None] + np.arange(4)
    rows = np.repeat(np.arange(len(points)), columns[0].size)
    shape = len(points), 4 * len(rig)
    return csr_matrix(((weight[..., None] * offset).ravel(), (rows, columns.ravel())), shape)


def _sums(shares: csr_matrix, counts: FloatArray, posed: FloatArray) -> FloatArray:
    """(frames, 3, joints · 4) what posed points (frames, points, 3) say of each joint, added up with their counts."""
    flat = np.moveaxis(posed, 1, 0).reshape(posed.shape[1], -1)
    wanted = shares.T @ (counts[:, None] * flat)
    return np.asarray(wanted.T).reshape(len(posed), 3, -1)


def _product(shares: csr_matrix, counts: FloatArray) -> bsr_matrix:
    """Sparse (joints · 4, joints · 4) in blocks: what skinned points get wrong is a square with these coefficients."""
    return (shares.T @ shares.multiply(counts[:, None])).tobsr((4, 4))


def _followed(rig: Rig, posed: FloatArray) -> JointMotion:
    """Joints that lie where their parents carry them and turn as their parts do.

    Where a part ends and others begin, all that they bear counts. What lies on a line does not say how it turns about
    itself: there it keeps its parent's rotation.
    """
    frames, joints = len(posed), len(rig)
    turn, place = np.empty((frames, joints, 3, 3)), np.empty((frames, joints, 3))
    counts = rig.importance + _borne(rig)
    alone = np.ones((len(rig.part), 1))
    shares = _shares(rig, rig.bind, rig.part[:, None], alone)
    wanted = _sums(shares, counts, posed).reshape(frames, 3, -1, 4)
    product = _product(shares, counts)
    for joint, node in enumerate(rig.joint.tolist()):
        up = int(rig.parent[joint])
        bearer = np.broadcast_to(np.eye(3), (frames, 3, 3)) if up < 0 else turn[:, up]
        place[:, joint] = posed[:, node] if up < 0 else place[:, up] + bearer @ (rig.place[joint] - rig.place[up])
        square = product.data[product.indptr[joint]]  # of itself alone
        pull = wanted[:, :, joint, :3] - place[:, joint, :, None] * square[3, :3]
        turn[:, joint] = _best_turn(pull, np.trace(square[:3, :3]), bearer)
    return JointMotion(turn, place)


def _refined(rig: Rig, posed: FloatArray, motion: JointMotion) -> JointMotion:
    """Joints moved one by one as the skin needs it, given where the others are (Le & Deng 2012, §4.2)."""
    shares = _shares(rig, rig.bind, rig.index, rig.weight)
    wanted = _sums(shares, rig.importance, posed).reshape(len(posed), 3, -1, 4)
    product = _product(shares, rig.importance)
    now = motion.matrix.reshape(wanted.shape)
    rows = [slice(*product.indptr[joint : joint + 2]) for joint in range(len(rig))]
    for _ in range(SWEEPS):
        for joint, row in enumerate(rows):
            near, blocks = product.indices[row], product.data[row]
            square = blocks[near == joint].sum(axis=0)
            if len(near) == 0 or square[3, 3] <= 0:
                continue
            pulled = now[:, :, near].reshape(len(now), 3, -1) @ np.swapaxes(blocks, 1, 2).reshape(-1, 4)
            missing = wanted[:, :, joint] - pulled + now[:, :, joint] @ square
            middle = square[3, :3] / square[3, 3]
            spread = np.trace(square[:3, :3]) - middle @ square[3, :3]
            turn = _best_turn(missing[..., :3] - missing[..., 3:] * middle, spread, now[:, :, joint, :3])
            now[:, :, joint, :3], now[:, :, joint, 3] = turn, missing[..., 3] / square[3, 3] - turn @ middle
    both = np.moveaxis(now, 1, 2)
    return JointMotion(both[..., :3].copy(), both[..., 3].copy())


def _best_turn(pull: FloatArray, spread: float, otherwise: FloatArray) -> FloatArray:
    """(frames, 3, 3) rotations nearest to matrices Σ now ⊗ offset: Kabsch's.

    spread     Σ offset²
    otherwise  (frames, 3, 3) rotations to which they are drawn a little, which hold where offsets do not tell
    """
    u, _, vt = np.linalg.svd(pull + (TWIST * spread + 1e-30) * otherwise)
    u[..., 2] *= np.sign(np.linalg.det(u) * np.linalg.det(vt))[..., None]
    return np.asarray(u @ vt)


def _borne(rig: Rig) -> FloatArray:
    """(points,) at the points of joints, the importance of all that they bear; elsewhere 0."""
    own = np.bincount(rig.part, rig.importance, minlength=len(rig))
    for joint in range(len(rig) - 1, -1, -1):
        if rig.parent[joint] >= 0:
            own[rig.parent[joint]] += own[joint]
    borne = np.zeros(len(rig.part))
    borne[rig.joint] = own
    return borne


def _near(rig: Rig, joint: int) -> IntArray:
    """A joint and those that few bones part from it."""
    near = np.arange(len(rig)) == joint
    for _ in range(NEAR):
        above = rig.parent[near]
        near |= near[rig.parent] & (rig.parent >= 0)
        near[above[above >= 0]] = True
    return np.flatnonzero(near)
