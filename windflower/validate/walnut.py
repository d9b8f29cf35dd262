"""The digitised walnut (Sinoquet, Rivet & Godin 1997) against what has been published of such a tree."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from windflower.mechanics import analyse
from windflower.plant.importers import read
from windflower.validate.check import Check, compared, within
from windflower.validate.reduced import eigen_error

__all__ = ["check_walnut"]

NODES, HEIGHT = 8025, 7.955
FIRST, MODES, UP_TO = 1.4, 25, 2.6
OWN_FIRST = 1.532  # with the mean of a segment's two diameters in place of its taper


def check_walnut(path: Path) -> Iterator[Check]:
    """Its size, its first frequency, how many modes follow, and that they are modes."""
    tree = read(path)
    yield compared("walnut, nodes", tree.nodes, NODES, 0.0, "the file's rows")
    yield compared("walnut, height", tree.height, HEIGHT, 1e-3, "the file's rows")
    modes = analyse(tree, count=40, wood="walnut", leaves=False, gravity=False, cache=False)
    rodriguez = "Rodriguez et al. 2008"
    yield compared("walnut, first frequency", modes.frequency[0], FIRST, 0.1, rodriguez)
    yield compared("walnut, modes up to 2.6 Hz", np.count_nonzero(modes.frequency <= UP_TO), MODES, 0.2, rodriguez)
    yield compared("walnut, first frequency", modes.frequency[0], OWN_FIRST, 0.01, "another program, mean diameters")
    yield within("walnut, ‖φ - ω² K⁻¹ M φ‖ of 40 modes", eigen_error(modes), 1e-6, "eigenvalue problem")
