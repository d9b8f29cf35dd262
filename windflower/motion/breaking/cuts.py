"""A plant parted at the base of some segments: what is left, and the pieces that come off, both with torn ends."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.randomness import draw
from windflower.errors import MotionError
from windflower.plant.graph import Leaves, Plant

__all__ = ["Cut", "Part", "cut"]

LONG = 4.0  # length of the longest splinter over its radius at the break
SPLINTERS = ((0.97, 0.0, 0.6), (0.6, 0.9, 1.0), (0.5, -0.9, 0.8))  # thickness, lean aside and length over the break's
TIP = 0.15  # radius of the tip of a splinter over that at its base
TEARS = 921  # key of random numbers


@dataclass(frozen=True, eq=False)
class Part:
    """A part of a plant, in the plant's own frame.

    node  (nodes,) which node of the whole plant each of its nodes is; -1 for splinters
    base  (nodes,) which node of the part each splinter grows from; other nodes have themselves
    """

    plant: Plant
    node: IntArray
    base: IntArray

    @property
    def own(self) -> IntArray:
        """Nodes that are no splinters."""
        return np.flatnonzero(self.node >= 0)

    def values(self, whole: FloatArray) -> FloatArray:
        """(nodes, …) values of the whole plant's nodes on this part; splinters have those of what they grow from."""
        return np.asarray(whole[self.node[self.base]])


@dataclass(frozen=True, eq=False)
class Cut:
    """A plant in parts: what is left on its roots, and a piece for each of the segments that broke."""

    remnant: Part
    pieces: tuple[Part, ...]


def cut(plant: Plant, nodes: IntArray) -> Cut:
    """Part a plant at the base of the segments that end at these nodes, none of which carries another."""
    if len(nodes) == 0 or (plant.parent[nodes] < 0).any():
        raise MotionError(f"a plant breaks at the base of a segment; {nodes.tolist()} are not all end nodes of one.")
    above = [_carried(plant, int(node)) for node in nodes]
    if np.sum(above, axis=0).max() > 1:
        raise MotionError(f"of segments that break, none carries another; of {nodes.tolist()} one does.")
    left = _part(plant, np.flatnonzero(~np.logical_or.reduce(above)))
    for node in nodes.tolist():
        foot = int(plant.parent[node])
        buried = 0.0 if plant.continues[node] else float(plant.radius[foot])
        left = _torn(left, plant, node, int(np.searchsorted(left.node[left.own], foot)), sign=1.0, buried=buried)
    pieces = (_piece(plant, node, mine) for node, mine in zip(nodes.tolist(), above, strict=True))
    return Cut(left, tuple(pieces))


def _carried(plant: Plant, node: int) -> NDArray[np.bool_]:
    """(nodes,) which nodes a segment carries, its own tip included."""
    mine = np.zeros(plant.nodes, bool)
    mine[node] = True
    for level in plant.levels[int(plant.depth[node]) + 1 :]:
        mine[level] = mine[plant.parent[level]]
    return mine


def _part(plant: Plant, node: IntArray) -> Part:
    """The plant on some of its nodes, in order; where the first of them is no root, it becomes one."""
    new = np.full(plant.nodes, -1)
    new[node] = np.arange(len(node))
    parent = np.where(plant.parent[node] < 0, -1, new[plant.parent[node]])
    part = replace(
        plant,
        parent=parent,
        position=plant.position[node],
        radius=plant.radius[node],
        base_radius=plant.base_radius[node],
        order=plant.order[node],
        leaves=_leaves(plant.leaves, new),
    )
    return Part(part, node, np.arange(len(node)))


def _leaves(leaves: Leaves, new: IntArray) -> Leaves:
    mine = new[leaves.node] > 0  # none sits on a root
    return Leaves(
        node=new[leaves.node[mine]],
        place=leaves.place[mine],
        orientation=leaves.orientation[mine],
        size=leaves.size[mine],
    )


def _piece(plant: Plant, node: int, carried: NDArray[np.bool_]) -> Part:
    """What a segment carries and the segment itself, on a root of its own, with splinters that point back.

    Its axes are side axes of that root, so that none is taken for a trunk that widens at the ground.
    """
    foot, mine = int(plant.parent[node]), np.flatnonzero(carried)
    every = np.concatenate([[foot], mine])
    new = np.full(plant.nodes, -1)
    new[every] = np.arange(len(every))
    order, parent, radius = plant.order[every] - plant.order[node] + 1, new[plant.parent[every]], plant.radius[every]
    order[0], parent[0], radius[0] = 0, -1, plant.base_radius[node]
    part = replace(
        plant,
        parent=parent,
        position=plant.position[every],
        radius=radius,
        base_radius=np.concatenate([[plant.base_radius[node]], plant.base_radius[mine]]),
        order=order,
        leaves=_leaves(plant.leaves, new),
    )
    return _torn(Part(part, every, np.arange(len(every))), plant, node, 0, sign=-1.0)


def _torn(part: Part, plant: Plant, node: int, at: int, *, sign: float, buried: float = 0.0) -> Part:
    """The part with splinters on one of its nodes, where the segment that ends at `node` of the plant has broken.

    sign    1 along that segment, -1 against it
    buried  m of each splinter that other wood hides
    """
    own, radius = part.plant, float(plant.base_radius[node])
    along = sign * plant.vector[node] / plant.length[node]
    side = np.cross(along, [0.0, 0.0, 1.0] if abs(along[2]) < 0.8 else [1.0, 0.0, 0.0])
    thick, lean, long = np.array(SPLINTERS).T
    long = buried + LONG * radius * long * (0.7 + 0.6 * draw(TEARS, node, np.arange(len(long))))
    tips = own.position[at] + long[:, None] * along + (lean * radius)[:, None] * side / np.linalg.norm(side)
    more = np.full(len(long), at)
    torn = replace(
        own,
        parent=np.concatenate([own.parent, more]),
        position=np.concatenate([own.position, tips]),
        radius=np.concatenate([own.radius, TIP * thick * radius]),
        base_radius=np.concatenate([own.base_radius, thick * radius]),
        order=np.concatenate([own.order, np.full(len(long), own.order[at] + 1)]),
        leaves=own.leaves,
    )
    return Part(torn, np.concatenate([part.node, np.full(len(long), -1)]), np.concatenate([part.base, more]))
