"""How thick the wood is: the pipe model (Shinozaki et al. 1964), scaled to the trunk.

Every metre of axis adds the same number of pipes, and r^n is proportional to the pipes that pass, so that at a fork
r^n below equals the sum of r^n above (da Vinci's rule for n = 2). The pipes per metre follow from the two radii
that are easy to measure: the trunk's at its foot, and the thinnest twig's.
"""

import numpy as np

from windflower.core.arrays import FloatArray, IntArray

__all__ = ["pipe_radii"]


def pipe_radii(
    borne: FloatArray, length: FloatArray, side: IntArray, *, trunk: float, twig: float, exponent: float
) -> tuple[FloatArray, FloatArray]:
    """Radius at each node, and at the base of the `side` axes' first segments, m.

    borne  (nodes,) metres of axis above each node
    length (nodes,) of each segment
    """
    total = float(borne[0])
    per_metre = (max(trunk / twig, 1.0) ** exponent - 1) / total
    radius = twig * (1 + per_metre * borne) ** (1 / exponent)
    base = twig * (1 + per_metre * (borne[side] + length[side])) ** (1 / exponent)
    return radius, np.asarray(base)
