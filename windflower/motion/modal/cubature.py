"""A few weighted segments whose turns stand for those of all (cubature, after An, Kim & James 2008).

What a wind on a turned crown does to the modes is a sum over all segments. It is fitted, over a set of poses and winds,
by a sum over few of them with weights from 0 up, so that it stays the gradient of a potential, as forces that do not
follow the turns have.
"""

import numpy as np
from scipy.optimize import nnls

from windflower.core.arrays import FloatArray, IntArray
from windflower.motion.poses.large_turns import moments

__all__ = ["chosen_segments"]

TURNS = (0.15, 0.4, 0.8, 1.2)  # rad: how far the wind turns the segments of the poses, on the mean
SAMPLES = 20  # poses
SWING = 0.3  # how far a pose swings beside its lean, over that
UNEVEN = 0.4  # how much stronger or weaker the wind is from cell to cell
CANDIDATES = 1200  # segments to choose among, at most
AT_ONCE, ROUNDS = 8, 14  # segments chosen before weights are found anew and those of no weight dropped; and how often


def chosen_segments(
    turn: FloatArray, chord: FloatArray, beyond: FloatArray, stiffness: FloatArray, count: int
) -> tuple[IntArray, FloatArray]:
    """Which segments (points,) to keep, at most `count` of them, and their weights.

    turn       (shapes, segments, 3)  by how much each shape turns each segment, rad
    chord      (segments, 3)          at rest, m
    beyond     (cells, segments)      drag of what a segment carries, in each cell, kg/m
    stiffness  (shapes,)              of the amount of each shape
    """
    segments = len(chord)
    if segments <= count:
        return np.arange(segments), np.ones(segments)
    rows, whole = _samples(turn / np.sqrt(stiffness)[:, None, None], chord, beyond)
    among = np.arange(0, segments, -(-segments // CANDIDATES))
    brought = np.ascontiguousarray(rows[:, among].T)
    size = np.maximum(np.linalg.norm(brought, axis=1), 1e-30)
    kept, weight, left = np.zeros(0, np.int64), np.zeros(0), whole
    for _ in range(ROUNDS):
        gain = brought @ left / size
        gain[kept] = -np.inf
        best = np.argsort(-gain, kind="stable")[: min(AT_ONCE, count - len(kept))]
        kept = np.concatenate([kept, best])
        weight = nnls(brought[kept].T, whole)[0]
        kept, weight = kept[weight > 0], weight[weight > 0]
        left = whole - weight @ brought[kept]
    order = np.argsort(kept)
    return among[kept[order]], weight[order]


def _samples(turn: FloatArray, chord: FloatArray, beyond: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(rows, segments) what each segment brings to the excess of each modal force in each pose, and (rows,) the sum.

    A pose is the lean in a wind from some side, and some swing beside it.
    """
    rng = np.random.default_rng(1)
    rows = []
    for sample in range(SAMPLES):
        push = rng.normal(size=3) * (1.0, 0.2, 1.0)
        uneven = 1 + UNEVEN * rng.uniform(-1, 1, len(beyond))
        force = np.einsum("c,cn,k->nk", uneven, beyond, push / np.linalg.norm(push))
        still = np.cross(chord, force)
        lean = np.einsum("snk,nk->s", turn, still)
        amount = lean + SWING * np.linalg.norm(lean) / np.sqrt(len(lean)) * rng.normal(size=len(lean))
        r = np.tensordot(amount, turn, 1)
        size = np.linalg.norm(force, axis=1) * np.linalg.norm(chord, axis=1)
        mean = np.sqrt(size @ (r * r).sum(axis=1) / max(size.sum(), 1e-300))
        r *= TURNS[sample % len(TURNS)] / max(mean, 1e-300)
        excess = np.einsum("snk,nk->sn", turn, moments(chord.T, r.T, force.T, still.T).T - still)
        rows.append(excess / max(np.linalg.norm(excess.sum(axis=1)), 1e-300))
    both = np.concatenate(rows)
    return both, both.sum(axis=1)
