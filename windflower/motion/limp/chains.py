"""Limp axes as chains of straight links, each on a bending spring at its base."""

from dataclasses import dataclass
from math import pi

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.mechanics import Modes
from windflower.mechanics.assembly import GRAVITY
from windflower.mechanics.beams import beams_of
from windflower.mechanics.foliage import foliage_of, wood_area
from windflower.mechanics.medium import medium_of
from windflower.plant.detail import nearest_kept
from windflower.plant.graph import Plant

__all__ = ["Chains", "chains_of"]

SLOWEST = 0.1  # Hz: a chain that stands nearly buckles, and would take for ever


@dataclass(frozen=True, eq=False, kw_only=True)
class Chains:
    """The limp axes of a plant. Links that a shorter chain does not have are of node -1, without length.

    node       (links, chains)     the node at the tip of each link, base first; -1 for none
    bearer     (chains,)           the node that each hangs from
    rest       (links, chains, 3)  unit directions at rest
    length     (links, chains)     m
    give       (links, chains)     ∫ dx / EI over a link, 1/(N·m)
    weight     (links, chains)     N
    drag       (links, chains)     ½ ρ C_D A, kg/m: times the dynamic wind it is the force across a link
    number     (chains,)           which of the whole plant's chains each is
    """

    node: IntArray
    bearer: IntArray
    rest: FloatArray
    length: FloatArray
    give: FloatArray
    weight: FloatArray
    drag: FloatArray
    number: IntArray

    def __len__(self) -> int:
        return len(self.bearer)

    @property
    def there(self) -> FloatArray:
        """(links, chains) 1 for links that there are, else 0."""
        return (self.node >= 0).astype(np.float64)

    @property
    def spring(self) -> FloatArray:
        """(links + 1, chains) stiffness of the joint at the base of each link, N·m/rad: half a link on each side."""
        before = np.concatenate([np.zeros((1, len(self))), self.give[:-1]])
        give = (before + self.give) / 2
        own = np.divide(self.there, give, out=np.zeros(give.shape), where=give > 0)
        return np.concatenate([own, np.zeros((1, len(self)))])

    @property
    def prestress(self) -> FloatArray:
        """(links, chains, 3) pull across each link at rest by weight, times its length, N·m: its springs balance it."""
        carried = self.length * _beyond(self.weight)
        down = carried[..., None] * (0.0, -1.0, 0.0)
        return np.asarray(down - (down * self.rest).sum(axis=-1, keepdims=True) * self.rest)

    def frequencies(self) -> tuple[FloatArray, FloatArray]:
        """(2, chains) ω² of the first two swings of each chain in calm air, and how much of that is by weight, 1/s²."""
        links = len(self.length)
        straight, there = np.tril(np.ones((links, links)), -1) + np.eye(links) / 2, self.there
        reach = straight[:, :, None] * self.length  # how far the middle of a link is moved by the turn of one before it
        mass = self.weight / GRAVITY
        inertia = np.einsum("jin,jn,jkn->nik", reach, mass, reach)
        inertia += np.einsum("in,ik->nik", mass * self.length**2 / 12 + 1e-9 * (1 - there), np.eye(links))
        spring = self.spring
        bending = np.einsum("in,ik->nik", spring[:-1] + spring[1:] + 1e3 * (1 - there), np.eye(links))
        for i in range(1, links):
            bending[:, i, i - 1] = bending[:, i - 1, i] = -spring[i]
        pull = -self.rest[..., 1] * self.length * _beyond(self.weight)
        by_weight = np.einsum("in,ik->nik", pull, np.eye(links))
        square, shape = np.empty((2, len(self))), np.empty((2, len(self)))
        for one in range(len(self)):
            root = np.linalg.inv(np.linalg.cholesky(inertia[one]))
            found, mixed = np.linalg.eigh(root @ (bending[one] + by_weight[one]) @ root.T)
            few = min(2, int(there[:, one].sum()))
            swing = root.T @ mixed[:, [0, few - 1]]
            square[:, one] = found[[0, few - 1]]
            shape[:, one] = np.einsum("im,ij,jm->m", swing, by_weight[one], swing)
        square = np.maximum(square, (2 * pi * SLOWEST) ** 2)
        return square, np.clip(shape, 0.0, square)

    def on_nodes(self, plant: Plant, node: IntArray) -> "Chains":
        """The chains on some nodes of the plant alone, ascending, numbered as there: links between kept nodes joined."""
        keep = np.zeros(plant.nodes, bool)
        keep[node] = True
        new = np.cumsum(keep) - 1
        below = nearest_kept(plant, keep)
        rows = [self._joined(plant, one, keep) for one in range(len(self))]
        shown = [one for one, row in enumerate(rows) if len(row[0])]
        links = max((len(rows[one][0]) for one in shown), default=1)
        packed = {name: np.zeros((links, len(shown))) for name in ("length", "give", "weight", "drag")}
        tip, rest = np.full((links, len(shown)), -1), np.zeros((links, len(shown), 3))
        for column, one in enumerate(shown):
            nodes, values = rows[one]
            tip[: len(nodes), column] = new[nodes]
            base = np.concatenate([[below[self.bearer[one]]], nodes[:-1]])
            vector = plant.position[nodes] - plant.position[base]
            packed["length"][: len(nodes), column] = np.linalg.norm(vector, axis=1)
            rest[: len(nodes), column] = vector / packed["length"][: len(nodes), column, None]
            for name, value in zip(("give", "weight", "drag"), values, strict=True):
                packed[name][: len(nodes), column] = value
        bearer = new[below[self.bearer[shown]]]
        return Chains(node=tip, bearer=bearer, rest=rest, number=self.number[shown], **packed)

    def _joined(self, plant: Plant, one: int, keep: FloatArray) -> tuple[IntArray, FloatArray]:
        """(links,) kept nodes of a chain, and (3, links) give, weight and drag up to each from the one before."""
        mine = self.node[self.node[:, one] >= 0, one]
        kept = mine[keep[mine]]
        if not len(kept):
            return kept, np.zeros((3, 0))
        group = np.searchsorted(kept, mine)
        group = np.minimum(group, len(kept) - 1)
        values = (array[: len(mine), one] for array in (self.give, self.weight, self.drag))
        return kept, np.stack([np.bincount(group, value, len(kept)) for value in values])


def chains_of(modes: Modes) -> Chains | None:
    """The chains of the limp axes of a plant whose modes leave their bending out; None if it has none."""
    limp, plant, wood = modes.limp, modes.plant, modes.wood
    if not limp:
        return None
    medium = medium_of(modes.conditions.medium)
    beams, foliage = beams_of(plant), foliage_of(plant, modes.conditions.leaves, medium)
    give, weight, drag = np.zeros((3, plant.nodes))
    a, b = beams.base, beams.tip
    stiff = wood.E * wood.bending * pi / 4
    give[beams.segment] = beams.length * (a * a + a * b + b * b) / (3 * (a * b) ** 3 * stiff)
    weight[beams.segment] = wood.density * beams.volume(wood)
    drag[beams.segment] = foliage.wood_drag * wood_area(beams)
    if len(foliage.mass):
        weight += np.bincount(plant.leaves.node, foliage.mass, plant.nodes)
        drag += np.bincount(plant.leaves.node, foliage.drag_area, plant.nodes)
    node = _links(plant, np.flatnonzero(limp.mine))
    there, own = node >= 0, np.maximum(node, 0)
    length = plant.length[own] * there
    return Chains(
        node=node,
        bearer=plant.parent[node[0]],
        rest=plant.vector[own] / np.where(there, length, 1.0)[..., None] * there[..., None],
        length=length,
        give=give[own] * there,
        weight=GRAVITY * weight[own] * there,
        drag=medium.density / 2 * drag[own] * there,
        number=np.arange(node.shape[1]),
    )


def _links(plant: Plant, nodes: IntArray) -> IntArray:
    """(links, chains) the nodes of limp axes, base first; -1 beyond the end of shorter ones."""
    order = nodes[np.argsort(plant.axis[nodes], kind="stable")]
    _, first, count = np.unique(plant.axis[order], return_index=True, return_counts=True)
    table = np.full((int(count.max()), len(first)), -1)
    for link in range(len(table)):
        has = count > link
        table[link, has] = order[first[has] + link]
    return table


def _beyond(values: FloatArray) -> FloatArray:
    """(links, …) what of a value (links, …) of each link is carried by it: all beyond, and half of its own."""
    return np.cumsum(values[::-1], axis=0)[::-1] - values / 2
