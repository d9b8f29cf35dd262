"""Tree positions: Poisson-disc sampling with a least spacing, or rows.

Sampling is by dart throwing in rounds: many darts at once, each accepted unless it lies too close to an accepted or an
earlier one. The result is spread like a natural stand, without rows and without clumps. Patches are filled one after
another, widest spacing first, and each keeps clear of those before it.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from windflower.core.arrays import FloatArray
from windflower.core.budgets import within
from windflower.core.randomness import draw
from windflower.errors import SceneError
from windflower.scene.areas import Circle, Rectangle, Row

__all__ = [
    "Clear",
    "Patch",
    "in_rows",
    "metres_for",
    "points_in",
    "scatter",
    "square_metres",
    "trees_in_rows",
    "usual_spacing",
]

DART, JITTER, ACCEPT = 31, 32, 33
"""Keys of the random numbers of this module."""

LOOSE = 0.65
"""Default spacing over that of a square lattice with as many trees: even, but not like a plantation."""

JAMMED = 0.69
"""Largest count × spacing² / area: random discs jam at a coverage of 0.547."""

ROUNDS = 150


@dataclass(frozen=True)
class Patch:
    """A number of trees in an area, at least `spacing` m apart.

    chance  acceptance probability (n,), 0 to 1, of trees at points (n, 2), x and z, m; None for 1 everywhere
    """

    area: Rectangle | Circle
    count: int
    spacing: float
    chance: Callable[[FloatArray], FloatArray] | None = None


@dataclass(frozen=True, eq=False)
class Clear:
    """Discs kept free of trees: points (n, 2), and their radius, m."""

    points: FloatArray
    radius: float


def scatter(
    patches: Sequence[Patch], *, seed: int, taken: FloatArray | None = None, clear: Sequence[Clear] = ()
) -> list[FloatArray]:
    """Positions x and z (count, 2) of the trees of each patch, m.

    Trees of one patch are at least its spacing apart, trees of two patches at least the mean of both. From fixed trees
    at `taken` (n, 2) a patch keeps its own spacing.
    """
    placed: list[FloatArray] = [np.empty((0, 2)) for _ in patches]
    standing = np.empty((0, 2)) if taken is None else taken
    widest_first = sorted(range(len(patches)), key=lambda i: (-patches[i].spacing, i))
    for rank, index in enumerate(widest_first):
        patch = patches[index]
        before = [Clear(placed[other], (patch.spacing + patches[other].spacing) / 2) for other in widest_first[:rank]]
        placed[index] = _filled(patch, [*clear, Clear(standing, patch.spacing), *before], seed, rank)
    return placed


def _filled(patch: Patch, clear: Sequence[Clear], seed: int, stream: int) -> FloatArray:
    if patch.count > _most(patch):
        raise _too_many(patch, _most(patch))
    trees = np.empty((0, 2))
    for turn in range(ROUNDS):
        missing = patch.count - len(trees)
        if missing == 0:
            return trees
        darts = np.arange(max(2 * missing, patch.count // 4, 256))
        thrown = points_in(patch.area, draw(seed, DART, stream, turn, darts[:, None], np.arange(2)))
        if patch.chance is not None:
            thrown = thrown[draw(seed, ACCEPT, stream, turn, darts) < patch.chance(thrown)]
        for obstacle in (*clear, Clear(trees, patch.spacing)):
            thrown = thrown[~_near(thrown, obstacle)]
        trees = np.concatenate([trees, _first_come(thrown, patch.spacing)[:missing]])
    raise _too_many(patch, len(trees))


def _near(points: FloatArray, obstacle: Clear) -> NDArray[np.bool_]:
    """Whether each point is too close (n,)."""
    if len(obstacle.points) == 0 or len(points) == 0:
        return np.zeros(len(points), bool)
    distance, _ = cKDTree(obstacle.points).query(points, distance_upper_bound=obstacle.radius)
    return np.isfinite(distance)


def _first_come(darts: FloatArray, spacing: float) -> FloatArray:
    """Darts without an earlier one too close."""
    if len(darts) == 0:
        return darts
    pairs = cKDTree(darts).query_pairs(spacing, output_type="ndarray")
    stays = np.ones(len(darts), bool)
    stays[pairs.max(axis=1)] = False
    return darts[stays]


def _most(patch: Patch) -> int:
    """Largest count for a patch; trees at its rim need only half their area inside."""
    area, s = patch.area, patch.spacing
    size = (
        (area.size[0] + s) * (area.size[1] + s) if isinstance(area, Rectangle) else math.pi * (area.radius + s / 2) ** 2
    )
    return max(1, int(JAMMED * size / s**2))


def _too_many(patch: Patch, fitting: int) -> SceneError:
    also = "" if patch.chance is None else ", or let them stand where it is steeper, higher or less dense"
    return SceneError(
        f"trees must fit into their area; {patch.count:,} that stand {patch.spacing:g} m apart do not fit into the "
        f"{patch.area.kind} of {square_metres(patch.area):,.0f} m² (about {fitting:,} do). "
        f"Lower count or spacing, or enlarge area{also}."
    )


def square_metres(area: Rectangle | Circle) -> float:
    """Size of an area, m²."""
    return area.size[0] * area.size[1] if isinstance(area, Rectangle) else math.pi * area.radius**2


def usual_spacing(area: Rectangle | Circle, count: int) -> float:
    """Default spacing of a number of trees in an area, m."""
    return LOOSE * math.sqrt(square_metres(area) / count)


def metres_for(spacing: float) -> float:
    """Ground per tree at a default spacing, m²."""
    return (spacing / LOOSE) ** 2


def points_in(area: Rectangle | Circle, chance: FloatArray) -> FloatArray:
    """Uniform points (n, 2) of an area, m, from random numbers (n, 2) in [0, 1)."""
    if isinstance(area, Circle):
        radius, angle = area.radius * np.sqrt(chance[:, :1]), 2 * math.pi * chance[:, 1:]
        return np.array(area.centre) + radius * np.concatenate([np.cos(angle), np.sin(angle)], axis=1)
    x, z = ((chance - 0.5) * np.array(area.size)).T
    c, s = math.cos(math.radians(area.turn)), math.sin(math.radians(area.turn))
    # Clockwise seen from above takes +x toward +z.
    return np.array(area.centre) + np.stack([c * x - s * z, s * x + c * z], axis=1)


def trees_in_rows(row: Row, *, count: int | None, spacing: float | None) -> int:
    """Number of trees in rows, by a total count or by their spacing, m."""
    length = math.dist(row.start, row.end)
    return row.rows * (int(length / (spacing or length) + 1e-9) + 1) if count is None else count


def in_rows(row: Row, *, count: int | None, spacing: float | None, seed: int) -> FloatArray:
    """Positions x and z (trees, 2) of trees in rows, m: a total count, or one every `spacing` m."""
    start, end = np.array(row.start), np.array(row.end)
    length = float(np.linalg.norm(end - start))
    count = trees_in_rows(row, count=count, spacing=spacing)
    within("instances", count, "Raise spacing, or lower count or rows", error=SceneError)
    index = np.arange(count)
    each = -(-count // row.rows)
    along = (index // row.rows) / max(each - 1, 1)
    left = np.array([end[1] - start[1], start[0] - end[0]]) / length
    aside = (index % row.rows - (row.rows - 1) / 2) * row.gap
    radius = row.jitter * np.sqrt(draw(seed, JITTER, index, 0))
    angle = 2 * math.pi * draw(seed, JITTER, index, 1)
    strayed = radius[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return start + along[:, None] * (end - start) + aside[:, None] * left + strayed
