"""Corrects the radii of laser scans, which show thin wood too thick.

A laser's spot and the noise of its points blur what is thinner than they are, so that cylinders fitted to twigs have
the radius of the blur and not of the twig; published comparisons with felled trees find volumes up to twice the real
ones for it (Morales & MacFarlane 2024, Forestry, cpae046; their remedy tapers each path to the radius of real twigs,
that of Hackenberg & Bontemps 2022 predicts radii by the pipe model). The rule here has both:

- the tips of a tree are twigs, so what three of four tips are thinner than is the blur of the scan;
- wood of more than twice the blur is believed as it was measured: blur adds in squares, 12 % there;
- beyond it no radius is above that of the pipe model between the last wood that is believed and twigs at the tips,
  r^n = t^n + (r₀^n - t^n) · L/L₀, with L metres of axis beyond; and none is above that of the wood that bears it.

Radii are only ever made smaller.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.plant.graph import Plant

__all__ = ["Taper", "blur_of", "is_blurred", "tapered"]

TWIG = 0.0015  # m, radius of a twig at its tip: an estimate, near the middle of broad-leaved trees
EXPONENT = 2.2  # of the pipe model: 2 keeps the area at forks (da Vinci); the digitised walnut has about 2.4
BELIEVED = 2.0  # times the blur
BLURRED = 0.006  # m: no tree's twigs are that thick at their tips
FEWEST_TIPS = 20  # fewer tell nothing of a scan: a palm, a pole, a pollard


@dataclass(frozen=True, kw_only=True)
class Taper:
    """Parameters of the correction.

    twig      radius of a twig at its tip, m
    exponent  of the pipe model: r^n below a fork = sum of r^n above it
    believed  how many times as thick as the blur wood must be to be left as it was measured
    """

    twig: float = TWIG
    exponent: float = EXPONENT
    believed: float = BELIEVED


def blur_of(plant: Plant) -> float:
    """The radius that three of four tips are thinner than, m: what a scan could not resolve."""
    return float(np.quantile(plant.radius[plant.tips], 0.75))


def is_blurred(plant: Plant) -> bool:
    """Whether the tips are thicker than twigs are, so that the radii of thin wood are the scanner's."""
    return len(plant.tips) >= FEWEST_TIPS and blur_of(plant) > BLURRED


def tapered(plant: Plant, taper: Taper | None = None) -> Plant:
    """The same plant with radii of thin wood as far down as the rule of this module has them."""
    law = taper or Taper()
    kept, anchor = _believed(plant, law.believed * blur_of(plant))
    beyond = plant.subtree_sum(plant.length) - plant.length  # metres of axis above each node
    power = np.maximum(plant.radius[anchor], law.twig) ** law.exponent - law.twig**law.exponent
    most = np.maximum(beyond[anchor], 1e-9)

    def pipe(metres: FloatArray) -> FloatArray:
        share = np.minimum(metres / most, 1.0)
        return np.asarray((law.twig**law.exponent + power * share) ** (1 / law.exponent))

    radius = np.where(kept, plant.radius, np.minimum(plant.radius, pipe(beyond)))
    for level in plant.levels[1:]:
        level = level[~kept[level]]
        radius[level] = np.minimum(radius[level], radius[plant.parent[level]])
    below = radius[np.maximum(plant.parent, 0)]
    own = np.where(kept, plant.base_radius, np.minimum(plant.base_radius, pipe(beyond + plant.length)))
    return replace(plant, radius=radius, base_radius=np.where(plant.continues, below, np.minimum(own, below)))


def _believed(plant: Plant, limit: float) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """(nodes,) whether each radius is believed, and (nodes,) the last node below each, or itself, that is.

    One cylinder that was fitted too thin does not end what is believed of an axis that goes on thicker.
    """
    thick = plant.radius > limit
    for level in reversed(plant.levels[1:]):
        onward = level[plant.continues[level] & thick[level]]
        thick[plant.parent[onward]] = True
    thick[plant.roots] = True
    anchor = np.arange(plant.nodes)
    for level in plant.levels[1:]:
        parent = plant.parent[level]
        thick[level] &= thick[parent]
        anchor[level] = np.where(thick[level], level, anchor[parent])
    return thick, anchor
