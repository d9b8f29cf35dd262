"""Broad-leaved plants for tests, small enough to work out by hand or random; and what their blades must keep."""

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.motion.broadleaf import BroadleafMotion, BroadleafState
from windflower.plant.blades import SHAPES
from windflower.plant.graph import Leaves, Plant
from windflower.plant.species.settings import Blade


def leaves_at(*node: int, size: float, azimuth: float | list[float] = -np.pi / 2) -> Leaves:
    """One on each of these nodes, whose mid-rib leans and bends toward an azimuth, from x toward z, rad."""
    count = len(node)
    half = -(np.broadcast_to(azimuth, count) + np.pi / 2) / 2
    turned = np.stack([0 * half, np.sin(half), 0 * half, np.cos(half)], axis=1)
    return Leaves(node=np.array(node), place=np.zeros(count), orientation=turned, size=np.full(count, size))


def one_leaf(
    segments: int = 3, length: float = 0.4, stem: float = 0.5, toward: tuple[float, ...] = (1.0, 0.0, 0.0)
) -> Plant:
    """A stem of two segments with one straight level leaf: a petiole, then a mid-rib of some segments."""
    reach = np.concatenate([[0.1], 0.1 + length * np.arange(1, segments + 1) / segments])
    leaf = np.array([0, stem / 2, 0]) + reach[:, None] * np.array(toward)
    return Plant(
        parent=[-1, 0, 1, 1, *range(3, 3 + segments)],
        position=np.concatenate([[[0, 0, 0], [0, stem / 2, 0], [0, stem, 0]], leaf]),
        radius=[0.01, 0.01, 0.008, *np.linspace(0.005, 0.002, segments + 1)],
        leaves=leaves_at(4, size=length),
    )


def random_blade(rng: np.random.Generator) -> Blade:
    return Blade.model_validate(
        {
            "shape": SHAPES[rng.integers(len(SHAPES))],
            "fold": rng.uniform(0, 22),
            "droop": rng.uniform(0, 24),
            "ripple": rng.choice([0.0, 0.02]),
            "shrink": rng.uniform(0, 0.4),
            "stiffness": float(10 ** rng.uniform(-4, -1)),
            "along": int(rng.integers(3, 16)),
            "across": int(2 * rng.integers(1, 5) + 1),
        }
    )


def random_plant(seed: int) -> tuple[Plant, Blade, float]:
    """A stem that leans, with one to four leaves in a spiral that bend down; its blade and aspect."""
    rng = np.random.default_rng(seed)
    leaves, ribs = int(rng.integers(1, 5)), int(rng.integers(2, 9))
    size = float(10 ** rng.uniform(-1.2, 0.2))
    parent, position, radius, order = [-1], [np.zeros(3)], [0.03 * size], [0]
    buds, azimuths, tip = [], [], 0
    for leaf in range(leaves):
        parent.append(tip)
        position.append(position[tip] + size * np.array([rng.normal(0, 0.05), 0.3, rng.normal(0, 0.05)]))
        radius.append(0.025 * size)
        order.extend([0] + [1] * (ribs + 1))
        tip = len(parent) - 1
        turn, pitch, curl = 2.4 * leaf + rng.normal(0, 0.3), rng.uniform(-0.3, 1.2), rng.uniform(-0.15, 0.25)
        node = tip
        azimuths.append(turn)
        for piece in range(ribs + 1):
            way = [np.cos(turn) * np.cos(pitch), np.sin(pitch), np.sin(turn) * np.cos(pitch)]
            parent.append(node)
            position.append(position[node] + size / (ribs + 1) * np.array(way))
            radius.append(float(np.interp(piece, [0, ribs], [0.015, 0.004])) * size)
            node, pitch = len(parent) - 1, pitch - curl
            if piece == 1:
                buds.append(node)
    plant = Plant(
        parent=parent,
        position=np.array(position),
        radius=radius,
        order=order,
        leaves=leaves_at(*buds, size=size, azimuth=azimuths),
    )
    return plant, random_blade(rng), float(rng.uniform(0.15, 0.9))


def gusts(rng: np.random.Generator, speed: float, seconds: float) -> FloatArray:
    """(knots, 3) winds of that speed at most, from anywhere, a third of a second apart."""
    way = rng.normal(size=(int(3 * seconds) + 2, 3)) * [1, 0.4, 1]
    return speed * rng.uniform(0.3, 1, len(way))[:, None] * way / np.linalg.norm(way, axis=1, keepdims=True)


def across_shares(motion: BroadleafMotion, state: BroadleafState) -> FloatArray:
    """Distances between neighbours across, over those at rest."""
    rest = np.linalg.norm(np.diff(motion.blades.point, axis=2), axis=-1)
    return np.asarray(np.linalg.norm(np.diff(state.point, axis=3), axis=-1) / rest)


def along_shares(motion: BroadleafMotion, state: BroadleafState) -> FloatArray:
    """Distances between neighbours along veins, over those at rest."""
    rest = np.linalg.norm(np.diff(motion.blades.point, axis=1), axis=-1)
    return np.asarray(np.linalg.norm(np.diff(state.point, axis=2), axis=-1) / rest)


def sides(motion: BroadleafMotion, state: BroadleafState) -> FloatArray:
    """Of every triangle's unit normal, the part along the normal of its row's mid-rib frame."""
    p = state.point
    down, right = p[:, :, 1:] - p[:, :, :-1], p[..., 1:, :] - p[..., :-1, :]
    normal = np.moveaxis(motion._moving(state).rows.normal, 0, -1)[:, :, :, None]
    one, other = np.cross(right[:, :, :-1], down[..., :-1, :]), np.cross(right[:, :, 1:], down[..., 1:, :])
    both = np.stack([one, other])
    both /= np.maximum(np.linalg.norm(both, axis=-1, keepdims=True), 1e-300)
    middle = normal[:, :, 1:] + normal[:, :, :-1]
    return np.einsum("tcbijk,cbijk->tcbij", both, middle / np.linalg.norm(middle, axis=-1, keepdims=True))
