"""From joint angles to node positions: rotations composed from the root on, whole levels of all trees at a time.

A rotation is a unit quaternion w + xi + yj + zk, kept as two complex numbers, (w + xi) + (y + zi) j, so that a product
takes a few steps for a whole level:

    (a + b j)(c + d j) = (a c − b d*) + (a d + b c*) j          (c, d) times a, plus (−d*, c*) times b

Joints that nobody turns are left out: what they carry rides on the nearest joint below that is turned.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray, frozen
from windflower.core.components import cross
from windflower.motion.hybrid.force_response import Driven
from windflower.motion.hybrid.joints import Joints
from windflower.plant.detail import nearest_kept
from windflower.plant.graph import Plant

__all__ = ["Chain", "Chains", "Posed", "cross", "rotated"]

ComplexArray = NDArray[np.complex128]


@dataclass(frozen=True, eq=False, kw_only=True)
class Chain:
    """The joints that are turned, in the order of their depth, and what rides on them.

    Nodes of all instances are numbered through: instance · nodes + node.

    joint         (n,)       the end node of each joint's segment
    rank          (nodes,)   the place of each node of all instances in this order; -1 if its joint is not turned
    up            (n,)       where in this order the parent's joint stands; -1 on a root
    levels                   of each depth but the first: where it stands in this order, and `up` of those there
    theta, phi    (3, n)     axes at rest; `both` is θ × φ
    chord         (3, n)     segments at rest, m
    root          (3, n0)    where those on roots stand, m
    driven                   how wind and level of detail turn them
    rider         (r,)       nodes that ride, ascending
    carrier       (r,)       on which joint of this order
    beyond        (3, r)     from the end of that joint's segment to the rider at rest, m
    """

    joint: IntArray
    rank: IntArray
    up: IntArray
    levels: Sequence[tuple[slice, IntArray]]
    theta: FloatArray
    phi: FloatArray
    both: FloatArray
    chord: FloatArray
    root: FloatArray
    driven: Driven
    rider: IntArray
    carrier: IntArray
    beyond: FloatArray

    @cached_property
    def node(self) -> IntArray:
        """(k,) the nodes that move: ends of joints' segments, then riders."""
        return frozen(np.concatenate([self.joint, self.rider]))

    def posed(self, angles: FloatArray) -> "Posed":
        """Turn every joint by its angles (2, n), rad."""
        turn = self._turned(angles)
        other = np.stack([-turn[1].conj(), turn[0].conj()])
        for level, up in self.levels:
            below = turn.take(up, axis=1)
            turn[:, level] = below[0] * turn[:, level] + below[1] * other[:, level]
        tip = rotated(turn, self.chord)
        tip[:, : self.root.shape[1]] += self.root
        for level, up in self.levels:
            tip[:, level] += tip.take(up, axis=1)
        return Posed(self, turn, tip)

    def _turned(self, angles: FloatArray) -> ComplexArray:
        """(2, n) Rot(θ) Rot(φ) of each joint by itself; the two axes are normal to one another."""
        half = angles / 2
        (s1, s2), (c1, c2) = np.sin(half), np.cos(half)
        vector = (s1 * c2) * self.theta
        vector += (c1 * s2) * self.phi
        vector += (s1 * s2) * self.both
        turn = np.empty((2, len(self.joint)), np.complex128)
        turn[0].real = c1 * c2
        turn[0].imag, turn[1].real, turn[1].imag = vector
        return turn


@dataclass(frozen=True, eq=False)
class Posed:
    """The pose of a chain of joints.

    turn  (2, n)  the rotation of each joint's segment from rest
    tip   (3, n)  where its end node is, m
    """

    chain: Chain
    turn: ComplexArray
    tip: FloatArray

    @property
    def points(self) -> FloatArray:
        """(k, 3) where the nodes of the chain are, m."""
        chain, first = self.chain, len(self.chain.joint)
        points = np.empty((first + len(chain.rider), 3))
        points[:first] = self.tip.T
        points[first:] = self._ridden(slice(None)).T
        return points

    def at(self, node: IntArray, rest: FloatArray) -> FloatArray:
        """(k, 3) where some nodes are, m; `rest` (k, 3) is where they are at rest."""
        rank, riders = self.chain.rank[node], self.chain.rider
        rider = np.minimum(np.searchsorted(riders, node), max(len(riders) - 1, 0))
        rides = riders[rider] == node if len(riders) else np.zeros(len(node), bool)
        points = rest.copy()
        points[rank >= 0] = self.tip[:, rank[rank >= 0]].T
        points[rides] = self._ridden(rider[rides]).T
        return points

    def _ridden(self, rider: IntArray | slice) -> FloatArray:
        """(3, k) where some of the riders are."""
        carrier = self.chain.carrier[rider]
        arm = rotated(self.turn.take(carrier, axis=1), self.chain.beyond[:, rider])
        arm += self.tip.take(carrier, axis=1)
        return arm

    def axes(self, rank: IntArray) -> FloatArray:
        """(2, 3, k) the axes of θ and φ of some joints, given by their place in the chain, as they are turned now."""
        chain, up, count = self.chain, self.chain.up[rank], len(rank)
        turn = self.turn[:, np.concatenate([up, rank])]
        turn[:, :count][:, up < 0] = [[1], [0]]
        axes = rotated(turn, np.concatenate([chain.theta[:, rank], chain.phi[:, rank]], axis=1))
        return axes.reshape(3, 2, count).swapaxes(0, 1)

    def base(self, rank: IntArray) -> FloatArray:
        """(3, k) where those joints are, m."""
        up, first = self.chain.up[rank], self.chain.root.shape[1]
        return np.where(up < 0, self.chain.root[:, np.minimum(rank, first - 1)], self.tip[:, up])


class Chains:
    """All chains of a plant: for each tree of each instance, its axes below some order are turned.

    drive  how wind turns the joints of nodes (n,) of instances (n,)
    """

    def __init__(self, plant: Plant, joints: Joints, drive: Callable[[IntArray, IntArray], Driven]) -> None:
        self._plant, self._drive = plant, drive
        self.orders = int(plant.order.max()) + 1
        self._bounds = np.append(plant.roots, plant.nodes)
        self._carrier = np.stack([nearest_kept(plant, plant.order < below) for below in range(self.orders + 1)])
        both = np.cross(joints.theta, joints.phi)
        self._table = np.column_stack([joints.theta, joints.phi, both, plant.vector])
        self._depth = plant.depth.astype(np.int16) if plant.depth.max() < 2**15 else plant.depth  # sorts by radix
        self._of = lru_cache(maxsize=8)(self._new)

    def of(self, below: IntArray) -> Chain:
        """The chain in which tree t of instance i turns its axes of orders less than below[i, t]."""
        return self._of(np.ascontiguousarray(below, np.int64).tobytes(), len(below))

    def _new(self, key: bytes, count: int) -> Chain:
        plant = self._plant
        below = np.frombuffer(key, np.int64).reshape(count, -1)
        instance, node, level = self._of_moving_trees(below)
        turned = plant.order[node] < level
        rank, chosen = self._ranked(instance[turned], node[turned], count)
        rider, carrier, beyond = self._riders(instance[~turned], node[~turned], level[~turned], rank)
        instance, node = instance[turned][chosen], node[turned][chosen]
        first, parent = instance * plant.nodes, plant.parent[node]
        up = rank[first + parent]
        ends = np.flatnonzero(np.diff(plant.depth[node], append=-1)) + 1
        on_root = parent[: ends[0]] if len(node) else parent
        table = self._table[node].T.copy()
        return Chain(
            joint=first + node,
            rank=rank,
            up=up,
            levels=[(slice(begin, end), up[begin:end]) for begin, end in pairwise(ends.tolist())],
            theta=table[:3],
            phi=table[3:6],
            both=table[6:9],
            chord=table[9:12],
            root=plant.position[on_root].T.copy(),
            driven=self._drive(instance, node),
            rider=rider,
            carrier=carrier,
            beyond=beyond,
        )

    def _of_moving_trees(self, below: IntArray) -> tuple[IntArray, IntArray, IntArray]:
        """Instance, node and level of every segment of a tree that moves."""
        instance, tree = np.nonzero(below)
        first, size = self._bounds[tree] + 1, np.diff(self._bounds)[tree] - 1
        starts = np.cumsum(size) - size
        node = np.arange(size.sum()) + np.repeat(first - starts, size)
        return np.repeat(instance, size), node, np.repeat(below[instance, tree], size)

    def _ranked(self, instance: IntArray, node: IntArray, count: int) -> tuple[IntArray, IntArray]:
        """(count · nodes,) the place of each node in the order of depth, or -1; and that order of the nodes given."""
        order = np.argsort(self._depth[node], kind="stable")
        rank = np.full(count * self._plant.nodes, -1)
        rank[(instance * self._plant.nodes + node)[order]] = np.arange(len(order))
        return rank, order

    def _riders(
        self, instance: IntArray, node: IntArray, level: IntArray, rank: IntArray
    ) -> tuple[IntArray, IntArray, FloatArray]:
        """Nodes that ride, the joint they ride on, and how far beyond its end they are at rest."""
        plant = self._plant
        carrying = self._carrier[level, node]
        carrier = rank[instance * plant.nodes + carrying]
        on = carrier >= 0
        beyond = plant.position[node[on]] - plant.position[carrying[on]]
        return (instance * plant.nodes + node)[on], carrier[on], beyond.T.copy()


def rotated(turn: ComplexArray, v: FloatArray) -> FloatArray:
    """Vectors v (3, n) turned by quaternions (2, n): v + 2w (u × v) + 2 u × (u × v)."""
    u = np.stack([turn[0].imag, turn[1].real, turn[1].imag])
    across = cross(u, v)
    across *= 2
    turned = cross(u, across)
    across *= turn[0].real
    turned += across
    turned += v
    return turned
