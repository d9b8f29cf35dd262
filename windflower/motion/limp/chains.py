"""Limp axes as chains of straight links, each on a bending spring at its base."""

from dataclasses import dataclass
from math import pi

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.mechanics import Modes
from windflower.mechanics.assembly import GRAVITY
from windflower.mechanics.beams import beams_of
from windflower.mechanics.foliage import drag_by_parts, foliage_at
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
    joint      (links, chains)     stiffness of the joint at the base of each link, N·m/rad
    weight     (links, chains)     N
    drag       (links, chains)     ½ ρ C_D A, kg/m: times the dynamic wind it is the force across a link
    number     (chains,)           which of the whole plant's chains each is
    """

    node: IntArray
    bearer: IntArray
    rest: FloatArray
    length: FloatArray
    give: FloatArray
    joint: FloatArray
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
        spring = np.concatenate([self.joint, np.zeros((1, len(self)))])
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
        """The chains on some nodes of the plant alone, ascending and numbered as there; links between are joined."""
        keep = np.zeros(plant.nodes, bool)
        keep[node] = True
        new, below = np.cumsum(keep) - 1, nearest_kept(plant, keep)
        kept = keep[np.maximum(self.node, 0)] & (self.node >= 0)
        shown = np.flatnonzero(kept.any(axis=0))
        links = int(kept.sum(axis=0).max(initial=1))
        tip, rest = np.full((links, len(shown)), -1), np.zeros((links, len(shown), 3))
        packed = {name: np.zeros((links, len(shown))) for name in ("length", "give", "joint", "weight", "drag")}
        for column, one in enumerate(shown.tolist()):
            last = np.flatnonzero(kept[:, one])
            nodes = self.node[last, one]
            mine = slice(0, len(nodes))
            vector = plant.position[nodes] - plant.position[[below[self.bearer[one]], *nodes[:-1]]]
            size = np.linalg.norm(vector, axis=1)
            tip[mine, column], rest[mine, column] = new[nodes], vector / size[:, None]
            packed["length"][mine, column] = size
            for name, value in self._joined(one, last).items():
                packed[name][mine, column] = value
        return Chains(node=tip, bearer=new[below[self.bearer[shown]]], rest=rest, number=self.number[shown], **packed)

    def _joined(self, one: int, last: IntArray) -> dict[str, FloatArray]:
        """Values of the links of one chain, joined up to each of its `last` ones; the last of these has all beyond.

        The joint of two joined links gives way as their chords do when the wind blows across the chain: a thin tip
        bends much, and turns the chord of a long link little.
        """
        there = self.node[:, one] >= 0
        length, give, weight, drag = (array[there, one] for array in (self.length, self.give, self.weight, self.drag))
        group = np.minimum(np.searchsorted(last, np.arange(len(length))), len(last) - 1)
        added = {
            name: np.bincount(group, value, len(last))
            for name, value in (("give", give), ("weight", weight), ("drag", drag))
        }
        end = np.cumsum(length)
        middle, first = end - length / 2, np.searchsorted(group, np.arange(len(last)))
        moment, at_joint = (_moment(drag, middle, place) for place in (middle, (end - length)[first]))
        moment = moment + drag * length / 8
        begin, stop = (end - length)[first], np.append((end - length)[first[1:]], end[-1])
        bent, share = give * moment, (middle - begin[group]) / (stop - begin)[group]
        of_base, of_tip = (np.bincount(group, bent * part, len(last)) for part in (1 - share, share))
        turn = of_base + np.concatenate([[0.0], of_tip[:-1]])
        return {**added, "joint": at_joint / turn}


def chains_of(modes: Modes) -> Chains | None:
    """The chains of the limp axes of a plant whose modes leave their bending out; None if it has none."""
    limp, plant, wood = modes.limp, modes.plant, modes.wood
    if not limp:
        return None
    medium = medium_of(modes.conditions.medium)
    beams, foliage = beams_of(plant), foliage_at(plant, modes.conditions.leaves, medium)
    give, weight = np.zeros((2, plant.nodes))
    of_wood, of_leaves = drag_by_parts(plant, modes.conditions.leaves)
    a, b = beams.base, beams.tip
    stiff = wood.E * wood.bending * pi / 4
    give[beams.segment] = beams.length * (a * a + a * b + b * b) / (3 * (a * b) ** 3 * stiff)
    weight[beams.segment] = wood.density * wood.crown * beams.volume(wood)
    if len(foliage.mass):
        weight += wood.crown * wood.foliage * np.bincount(plant.leaves.node, foliage.mass, plant.nodes)
    node = _links(plant, np.flatnonzero(limp.mine))
    there, own = node >= 0, np.maximum(node, 0)
    length, gives = plant.length[own] * there, give[own] * there
    return Chains(
        node=node,
        bearer=plant.parent[node[0]],
        rest=plant.vector[own] / np.where(there, length, 1.0)[..., None] * there[..., None],
        length=length,
        give=gives,
        joint=_joints(gives),
        weight=GRAVITY * weight[own] * there,
        drag=medium.density / 2 * (of_wood + of_leaves)[own] * there,
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


def _joints(give: FloatArray) -> FloatArray:
    """(links, chains) stiffness of the joint at the base of each link: of half a link on each side."""
    before = np.concatenate([np.zeros((1, give.shape[1])), give[:-1]])
    return np.divide(2.0, before + give, out=np.zeros(give.shape), where=give > 0)


def _moment(load: FloatArray, middle: FloatArray, place: FloatArray) -> FloatArray:
    """(places,) moment about some places along a chain of loads on links beyond, whose middles are at `middle`."""
    return np.asarray(np.maximum(middle - place[:, None], 0.0) @ load)


def _beyond(values: FloatArray) -> FloatArray:
    """(links, …) what of a value (links, …) of each link is carried by it: all beyond, and half of its own."""
    return np.cumsum(values[::-1], axis=0)[::-1] - values / 2
