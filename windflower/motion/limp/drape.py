"""The shape of chains in weight and wind: where drag, weight and bending balance on every link.

On link i of length l act the pull of all beyond it, R, and the springs k of the joints at both of its ends:

    d_i × (l_i R_i + k_i a_i + k_{i+1} b_i - p_i) = 0,    R_i = F_i / 2 + Σ_{j > i} F_j

with its direction d, the directions a and b in which its neighbours would have it, and the pull p of weight at rest,
which turns with it: the given shape is the loaded one. The air pushes a link across itself, and less along it,

    F = weight + c |w| (|n| n + T |t| t),    n, t the parts of the wind's direction across and along d.

All links turn together, Newton's way with the springs and the pull as the stiffness: a tridiagonal system.
"""

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.components import cross, dot, first, last, unit
from windflower.motion.limp.chains import Chains

__all__ = ["ALONG", "ROUNDS", "drape", "place_along"]

ROUNDS = 24  # turns towards the balance
ALONG = 0.3  # drag along a link over that across it: leaves that trail (estimate)
ENOUGH = 1e-6  # rad: a round that turns no link by more is the last
FURTHEST = 0.8  # rad that a link turns in a round
CALMING = 0.5  # of the drag, as stiffness: a link that turns away from the wind catches less of it


def drape(chains: Chains, points: FloatArray, wind: FloatArray, share: FloatArray, stiffness: FloatArray) -> FloatArray:
    """(count, nodes, 3) posed nodes with the chains hanging from their bearers in the wind; lengths stay.

    points     (count, nodes, 3)      where a motion has the nodes, m; limp axes move with their bearers there
    wind       (count, chains, 2, 3)  dynamic wind that each chain feels at its tip and at its base, (m/s)²
    share      (count, chains)        how much of the turn is shown: 1 all, 0 none, in hands
    stiffness  (count,)               factor on the wood's stiffness
    """
    node, there = np.maximum(chains.node, 0), chains.there[:, None] > 0
    tips = points[:, node]  # (count, links, chains, 3)
    bases = np.concatenate([points[:, chains.bearer][:, None], tips[:, :-1]], axis=1)
    chord = np.swapaxes(first(tips - bases), 1, 2)  # (3, links, count, chains)
    length = np.where(there, np.sqrt(dot(chord, chord)), 0.0)
    carried = np.where(there, chord / np.maximum(length, 1e-12), 0.0)
    hung = balanced(chains, carried, first(wind), stiffness)
    shown = unit(carried + share * (hung - carried))
    path = np.cumsum(shown * length, axis=1) + first(points[:, chains.bearer])[:, None]
    moved = points.copy()
    instance, link, chain = np.nonzero(np.broadcast_to(np.moveaxis(there, 1, 0), (len(points), *chains.node.shape)))
    moved[instance, chains.node[link, chain]] = last(path)[link, instance, chain]
    return moved


def balanced(chains: Chains, carried: FloatArray, wind: FloatArray, stiffness: FloatArray) -> FloatArray:
    """(3, links, count, chains) directions in balance, from those that the bearers give, and the wind (3, count, …)."""
    length, there = chains.length[:, None], chains.there[:, None]
    joint = chains.joint[:, None] * stiffness[:, None]
    rest, prestress = first(chains.rest)[:, :, None], first(chains.prestress)[:, :, None]
    weight = np.stack([0 * chains.weight, -chains.weight, 0 * chains.weight])[:, :, None]
    along = place_along(chains)[:, None]
    felt = wind[..., 1][:, None] + along * (wind[..., 0] - wind[..., 1])[:, None]
    strength = np.sqrt(dot(felt, felt))
    toward, caught = felt / np.maximum(strength, 1e-12), chains.drag[:, None] * strength
    d = carried.copy()
    for _ in range(ROUNDS):
        t = dot(toward, d)
        n = toward - t * d
        force = weight + caught * (np.sqrt(dot(n, n)) * n + ALONG * np.abs(t) * t * d)
        pull, held = _beyond(force), _beyond(caught)
        field = length * pull - _arc(rest, d, prestress)
        wanted = np.concatenate([carried[:, :1], _arc(carried[:, :-1], d[:, :-1], carried[:, 1:])], axis=1)
        spring = joint * (2 / np.maximum(1 + dot(d, wanted), 0.1))  # a moment of 2 k tan(θ/2): no load overturns it
        field += spring * wanted
        field[:, :-1] += spring[1:] * _arc(carried[:, 1:], d[:, 1:], carried[:, :-1])
        stiff = length * (np.maximum(dot(pull, d), 0.0) + CALMING * held) + spring
        stiff[:-1] += spring[1:]
        turn = _solved(stiff + (1 - there), spring[1:], cross(d, field))
        size = np.sqrt(dot(turn, turn))
        d = np.where(there > 0, _turned(d, turn * (FURTHEST / np.maximum(size, FURTHEST))), d)
        if (size * there).max(initial=0.0) < ENOUGH:
            break
    return d


def place_along(chains: Chains) -> FloatArray:
    """(links, chains) how far along its chain the middle of each link is, 0 to 1."""
    end = np.cumsum(chains.length, axis=0)
    return np.asarray((end - chains.length / 2) / end[-1])


def _beyond(force: FloatArray) -> FloatArray:
    """The forces beyond the middle of each link, of forces (…, links, count, chains)."""
    return np.cumsum(force[..., ::-1, :, :], axis=-3)[..., ::-1, :, :] - force / 2


def _arc(start: FloatArray, end: FloatArray, vector: FloatArray) -> FloatArray:
    """Vectors turned by the shortest arc from unit vectors to others."""
    axis = cross(np.broadcast_to(start, end.shape), end)
    across = cross(axis, np.broadcast_to(vector, axis.shape))
    return np.asarray(vector + across + cross(axis, across) / np.maximum(1 + dot(start, end), 1e-2))


def _solved(diagonal: FloatArray, spring: FloatArray, torque: FloatArray) -> FloatArray:
    """Turns (3, links, …) by torques, if links are joined by springs: a tridiagonal system with -spring beside."""
    pivot, right = diagonal.copy(), torque.copy()
    for i in range(1, len(diagonal)):
        share = spring[i - 1] / pivot[i - 1]
        pivot[i] -= share * spring[i - 1]
        right[:, i] += share * right[:, i - 1]
    right[:, -1] /= pivot[-1]
    for i in range(len(diagonal) - 2, -1, -1):
        right[:, i] = (right[:, i] + spring[i] * right[:, i + 1]) / pivot[i]
    return right


def _turned(d: FloatArray, r: FloatArray) -> FloatArray:
    """Unit vectors turned by rotation vectors, without a sine: by 2 atan(|r| / 2)."""
    h = r / 2
    across = cross(h, d)
    return np.asarray(d + (across + cross(h, across)) * (2 / (1 + dot(h, h))))
