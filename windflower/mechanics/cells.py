"""The crown in cells: groups of segments by place, each with its own wind; and the shelter they give."""

import numpy as np
from scipy.special import erfc

from windflower.core.arrays import FloatArray, IntArray
from windflower.errors import MechanicsError

__all__ = ["cut", "shelter"]


def cut(place: FloatArray, weight: FloatArray, cells: int) -> IntArray:
    """(points,) which cell each point (points, 3) belongs to, by median cuts.

    A group is halved, by weight, across its longest extent, until there are as many groups as cells.
    """
    if not 1 <= cells <= len(place):
        raise MechanicsError(
            f"a crown has at least 1 cell, at most as many as segments ({len(place)}); cells is {cells}."
        )
    cell = np.zeros(len(place), np.int64)
    waiting = [(np.arange(len(place)), 0, cells)]
    while waiting:
        members, first, count = waiting.pop()
        cell[members] = first
        if count > 1:
            left = count // 2
            lower, upper = _halves(members, place, weight, left, count)
            waiting += [(lower, first, left), (upper, first + left, count - left)]
    return cell


def _halves(
    members: IntArray, place: FloatArray, weight: FloatArray, left: int, count: int
) -> tuple[IntArray, IntArray]:
    """Split a group across its longest extent; the lower part gets the share left/count of the weight."""
    axis = int(np.argmax(np.ptp(place[members], axis=0)))
    along = members[np.argsort(place[members, axis], kind="stable")]
    so_far = np.cumsum(weight[along])
    at = int(np.searchsorted(so_far, so_far[-1] * left / count)) + 1
    at = min(max(at, left), len(along) - (count - left))  # every cell keeps at least one segment
    return along[:at], along[at:]


def shelter(
    direction: FloatArray, centre: FloatArray, spread: FloatArray, area: FloatArray, porosity: float
) -> FloatArray:
    """(…, cells) factors on the wind speed at each cell, for winds along `direction` (…, 3).

    Beer's law: a wind that passed an optical depth τ of crown is weaker by exp(-τ). Each cell is a round cloud of its
    drag area about its centre; what lies upwind in the same column counts. τ is scaled so that the wind that has
    passed through everything keeps, on the mean over the cells, the share `porosity` of its speed. What the crown
    takes as a whole is already in its drag areas, so the factors are relative: the mean of their squares over the
    areas is 1. Windward cells get more than the mean wind, and lee cells less.
    """
    direction = np.asarray(direction, float)
    speed = np.linalg.norm(direction, axis=-1, keepdims=True)
    along = direction / np.where(speed > 0, speed, 1)
    apart = centre[:, None] - centre[None, :]  # from the shading cell to the shaded one
    behind = np.einsum("...k,ijk->...ij", along, apart)
    aside = np.maximum((apart**2).sum(-1) - behind**2, 0)
    width = spread[:, None] ** 2 + spread[None, :] ** 2
    column = area / width * np.exp(-aside / (2 * width))
    upwind = erfc(-behind / np.sqrt(2 * width)) / 2
    others = 1 - np.eye(len(area))
    whole = (column.sum(-1) * area).sum(-1) / area.sum()
    depth = -np.log(porosity) * (column * upwind * others).sum(-1) / whole[..., None]
    left = np.exp(-depth)
    mean = np.sqrt((left**2 * area).sum(-1, keepdims=True) / area.sum())
    return np.where(speed > 0, left / mean, 1.0)
