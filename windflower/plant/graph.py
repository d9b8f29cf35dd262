"""The plant at rest: nodes, segments, radii and leaves, as read-only arrays.

Segment *i* is the piece of wood from node `parent[i]` to node *i*; a root has parent -1 and no segment.
`parent[i] < i` always holds, so one forward loop goes root to tips and one backward loop tips to root.
Metres, right-handed, Y up.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from windflower.core.arrays import FloatArray, IntArray, freeze, frozen
from windflower.core.drawing import drawn
from windflower.core.files import write_archive
from windflower.core.registry import Registry
from windflower.errors import PlantError
from windflower.plant.checks import SMALLEST, check_graph, check_order, check_radius, integers, numbers, refuse_where
from windflower.plant.leaves import Leaves

__all__ = ["SHOWN", "Leaves", "Plant"]

SHOWN: Registry[Any] = Registry({"page": "windflower.web.notebook:show"})
"""What shows a plant, found by name when it is asked for: a plant itself needs nothing of it."""


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Plant:
    """One specimen at rest (or several, each with its own root). Immutable.

    parent       (nodes,)    index of the node at the base of each segment; -1 for a root
    position     (nodes, 3)  m, Y up
    radius       (nodes,)    m, at the node
    base_radius  (nodes,)    m, at the base of each segment. By default it continues the axis, and is the
                             branch's own where a side branch begins
    order        (nodes,)    0 for a trunk, one more for each insertion. A child of the same order continues its
                             parent's axis, and a node has at most one such child. Derived if not given: the
                             thickest child continues, and among equals the one with the longest subtree
    leaves                   `Leaves`
    species, seed            where the plant was grown and these are known
    """

    parent: IntArray
    position: FloatArray
    radius: FloatArray
    base_radius: FloatArray
    order: IntArray
    leaves: Leaves
    species: str
    seed: int | None

    def __init__(
        self,
        *,
        parent: ArrayLike,
        position: ArrayLike,
        radius: ArrayLike,
        base_radius: ArrayLike | None = None,
        order: ArrayLike | None = None,
        leaves: Leaves | None = None,
        species: str = "",
        seed: int | None = None,
    ) -> None:
        count = np.asarray(parent).size
        if count == 0:
            raise PlantError("a plant needs at least a root and one segment; it has no nodes.")
        freeze(self, "parent", integers("parent", parent, (count,)))
        freeze(self, "position", numbers("position", position, (count, 3)))
        freeze(self, "radius", numbers("radius", radius, (count,)))
        check_graph(self.parent)
        check_radius("radius", self.radius)
        refuse_where(
            (self.length <= 0) & (self.parent >= 0),
            "a segment must have a length; segment {i} has {v:g} m. Merge node {i} with its parent.",
            self.length,
        )
        if np.ptp(self.position, axis=0).max() < SMALLEST:
            raise PlantError(
                f"a plant is at least {SMALLEST:g} m large; it has {np.ptp(self.position, axis=0).max():g} m. "
                "Check its unit."
            )
        derived = self._derived_order() if order is None else integers("order", order, (count,))
        freeze(self, "order", derived)
        check_order(self.parent, self.order)
        base = self._own_base_radius() if base_radius is None else numbers("base_radius", base_radius, (count,))
        freeze(self, "base_radius", base)
        check_radius("base_radius", self.base_radius)
        leaves = Leaves() if leaves is None else leaves
        has_segment = np.zeros(count, bool)
        has_segment[self.segments] = True
        outside = (leaves.node < 0) | (leaves.node >= count)
        refuse_where(outside, "a leaf sits on a segment of its plant; leaf {i} names {v:g}.", leaves.node)
        refuse_where(
            ~has_segment[leaves.node],
            "a leaf sits on a segment; leaf {i} names node {v:g}, which is a root. Use one of its children.",
            leaves.node,
        )
        object.__setattr__(self, "leaves", leaves)
        object.__setattr__(self, "species", species)
        object.__setattr__(self, "seed", seed)

    def __repr__(self) -> str:
        name = self.species or "plant"
        return f"<Plant {name}: {self.nodes} nodes, {self.height:.2f} m, {len(self.leaves)} leaves>"

    def show(self, *, height: int = 480) -> Any:
        """Show the plant in live wind in a notebook: make it the last line of a cell. See `windflower.show`.

        height  of the picture, pixels
        """
        return SHOWN["page"](self, height=height)

    @property
    def nodes(self) -> int:
        """Number of nodes."""
        return len(self.parent)

    @cached_property
    def roots(self) -> IntArray:
        """(roots,) indices of the nodes without a parent."""
        return frozen(np.flatnonzero(self.parent < 0))

    @cached_property
    def segments(self) -> IntArray:
        """(segments,) indices of the end nodes of all segments: every node that is not a root."""
        return frozen(np.flatnonzero(self.parent >= 0))

    @cached_property
    def tree(self) -> IntArray:
        """(nodes,) which of the roots each node belongs to, as an index into `roots`."""
        return frozen(np.cumsum(self.parent < 0) - 1)

    @cached_property
    def vector(self) -> FloatArray:
        """(nodes, 3) vector from the base of each segment to its tip, m; zero at roots."""
        base = np.where(self.parent < 0, np.arange(self.nodes), self.parent)
        return frozen(self.position - self.position[base])

    @cached_property
    def length(self) -> FloatArray:
        """(nodes,) length of each segment, m; zero at roots."""
        return frozen(np.linalg.norm(self.vector, axis=1))

    @cached_property
    def depth(self) -> IntArray:
        """(nodes,) number of segments between each node and its root."""
        depth = [0] * self.nodes
        for node, parent in enumerate(self.parent.tolist()):
            depth[node] = depth[parent] + 1 if parent >= 0 else 0
        return frozen(np.array(depth, np.int64))

    @cached_property
    def levels(self) -> tuple[IntArray, ...]:
        """(n,) indices of the nodes of each depth, roots first, for code that handles whole arrays."""
        by_depth = np.argsort(self.depth, kind="stable")
        starts = np.searchsorted(self.depth[by_depth], np.arange(1, self.depth.max() + 1))
        return tuple(frozen(level) for level in np.split(by_depth, starts))

    @cached_property
    def child_count(self) -> IntArray:
        """(nodes,) number of children of each node."""
        return frozen(np.bincount(self.parent[self.segments], minlength=self.nodes))

    @cached_property
    def _children(self) -> tuple[IntArray, IntArray]:
        by_parent = self.segments[np.argsort(self.parent[self.segments], kind="stable")]
        return by_parent, np.concatenate([[0], np.cumsum(self.child_count)])

    def children(self, node: int) -> IntArray:
        """(children,) indices of the nodes whose parent is this one, ascending."""
        self._check_node(node)
        by_parent, start = self._children
        return by_parent[start[node] : start[node + 1]]

    @property
    def forks(self) -> int:
        """Number of nodes with two or more children."""
        return int(np.count_nonzero(self.child_count > 1))

    @cached_property
    def tips(self) -> IntArray:
        """(tips,) indices of the nodes without children."""
        return frozen(np.flatnonzero(self.child_count == 0))

    @cached_property
    def continues(self) -> NDArray[np.bool_]:
        """(nodes,) whether each segment continues the axis of its parent's segment."""
        parent = np.maximum(self.parent, 0)
        return frozen((self.parent >= 0) & (self.order == self.order[parent]))

    @cached_property
    def axis(self) -> IntArray:
        """(nodes,) which axis each node belongs to; axes are numbered by their first node."""
        first = [0] * self.nodes
        for node, (parent, goes_on) in enumerate(zip(self.parent.tolist(), self.continues.tolist(), strict=True)):
            first[node] = first[parent] if goes_on else node
        return frozen(np.unique(np.array(first), return_inverse=True)[1].astype(np.int64))

    @cached_property
    def is_stem(self) -> NDArray[np.bool_]:
        """(nodes,) whether each segment is part of a stem: an axis that begins at a root. A bush has several."""
        on_ground = self.parent < 0
        return frozen(np.isin(self.axis, self.axis[on_ground | on_ground[np.maximum(self.parent, 0)]]))

    def axes(self) -> Iterator[IntArray]:
        """Yield the nodes (n,) of each axis from base to tip; a side axis begins with its own first node."""
        by_axis = np.argsort(self.axis, kind="stable")
        starts = np.flatnonzero(np.diff(self.axis[by_axis])) + 1
        yield from np.split(by_axis, starts)

    def path(self, node: int) -> IntArray:
        """(n,) indices of the nodes from this one down to its root, both included."""
        self._check_node(node)
        path = [node]
        while self.parent[path[-1]] >= 0:
            path.append(int(self.parent[path[-1]]))
        return np.array(path, np.int64)

    def subtree_sum(self, values: ArrayLike) -> FloatArray:
        """(nodes, …) sum of `values` (nodes, …), in any unit, over each node and all of its descendants."""
        total = np.array(values, float)
        if total.shape[:1] != (self.nodes,):
            raise PlantError(f"values must be one for each of the {self.nodes} nodes; their shape is {total.shape}.")
        for level in reversed(self.levels[1:]):
            np.add.at(total, self.parent[level], total[level])
        return total

    @property
    def height(self) -> float:
        """Height from the lowest root to the highest node, m."""
        return float(self.position[:, 1].max() - self.position[self.roots, 1].min())

    @property
    def crown_width(self) -> float:
        """Mean of the plant's extent along x and along z, m."""
        return float(np.ptp(self.position[:, [0, 2]], axis=0).mean())

    @property
    def total_length(self) -> float:
        """Total length of all axes, m."""
        return float(self.length.sum())

    @cached_property
    def segment_volume(self) -> FloatArray:
        """(nodes,) volume of each segment as a cone frustum, m³; zero at roots."""
        a, b = self.base_radius, self.radius
        return frozen(np.pi / 3 * self.length * (a * a + a * b + b * b))

    @property
    def wood_volume(self) -> float:
        """Total volume of wood, m³."""
        return float(self.segment_volume.sum())

    def plot(self, **options: Any) -> Any:
        """Draw it from the side: `plot_plant`, whose axes are returned."""
        return drawn("plot_plant", self, options)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the plant as a NumPy archive, which `windflower.read` reads back bit by bit."""
        arrays = {
            "parent": self.parent,
            "position": self.position,
            "radius": self.radius,
            "base_radius": self.base_radius,
            "order": self.order,
            "leaf_node": self.leaves.node,
            "leaf_place": self.leaves.place,
            "leaf_orientation": self.leaves.orientation,
            "leaf_size": self.leaves.size,
        }
        write_archive(path, "plant", arrays, {"species": self.species, "seed": self.seed})

    def _check_node(self, node: int) -> None:
        if not 0 <= node < self.nodes:
            raise PlantError(f"the plant has the nodes 0 to {self.nodes - 1}; {node} is not among them.")

    def _derived_order(self) -> IntArray:
        """The thickest child continues its axis; among equals, the one with the longest subtree."""
        segments, beyond = self.segments, self.subtree_sum(self.length)
        ranking = np.lexsort((-beyond[segments], -self.radius[segments], self.parent[segments]))
        best_first = segments[ranking]
        parents = self.parent[best_first]
        goes_on = np.zeros(self.nodes, bool)
        goes_on[best_first[np.flatnonzero(np.diff(parents, prepend=-1))]] = True
        order = [0] * self.nodes
        for node, parent in enumerate(self.parent.tolist()):
            if parent >= 0:
                order[node] = order[parent] + (not goes_on[node])
        return np.array(order, np.int64)

    def _own_base_radius(self) -> FloatArray:
        parent = np.maximum(self.parent, 0)
        return np.where(self.continues, self.radius[parent], self.radius)
