"""Accuracy: what Windflower finds beside what theory, textbooks and other programs say.

beams    rods, frames and columns, with and without their weight, against formulas and published benchmarks
plates   plates, membranes and cloth against textbooks
trees    few modes against all of them, and a digitised tree against its published frequencies
spectra  winds and sways against their spectra
loops    what short loops keep of a long sway
turbulence   statistics over seeds against a Gaussian process
canopy   the wind over and in a forest against published values
windthrow    critical moments and winds of stands against published ones
admittance   the sway at resonance in few cells against the wind at every branch

A subject is a function that yields `Check`s, and one line of `SUBJECTS`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from pkgutil import resolve_name

import numpy as np
from numpy.typing import ArrayLike

from windflower.core.arrays import FloatArray
from windflower.core.registry import Registry
from windflower.errors import FileError

__all__ = ["SUBJECTS", "Check", "compared", "subjects", "within"]


@dataclass(frozen=True)
class Check:
    """A comparison of a computed value with a reference value.

    what        the case that was computed
    reference   where the expected value comes from: a formula, a paper, another program
    expected    the reference value; where several values are compared, that of the pair that differs most
    found       the computed value of the same pair
    difference  the relative difference, or the absolute one where zero is expected
    tolerance   the largest difference that passes
    """

    what: str
    reference: str
    expected: float
    found: float
    difference: float
    tolerance: float

    @property
    def passed(self) -> bool:
        """Whether the difference is within the tolerance; NaN never is."""
        return self.difference <= self.tolerance


def compared(what: str, found: ArrayLike, expected: ArrayLike, tolerance: float, reference: str) -> Check:
    """Compare values pair by pair, relative to the expected one; lists of different lengths fail."""
    ours, theirs = np.atleast_1d(np.asarray(found, float)), np.atleast_1d(np.asarray(expected, float))
    if ours.shape != theirs.shape:
        return Check(what, reference, len(theirs), len(ours), float("nan"), tolerance)
    apart: FloatArray = np.nan_to_num(np.abs(ours / theirs - 1), nan=np.inf)
    worst = int(np.argmax(apart))
    return Check(what, reference, float(theirs[worst]), float(ours[worst]), float(apart[worst]), tolerance)


def within(what: str, error: float, tolerance: float, reference: str) -> Check:
    """Compare an error with zero."""
    return Check(what, reference, 0.0, float(error), abs(float(error)), tolerance)


SUBJECTS: Registry[Callable[[], Iterator[Check]]] = Registry(
    {
        "beams": "windflower.validate.beams:check_beams",
        "weight": "windflower.validate.beams:check_weight",
        "plates": "windflower.validate.plates:check_plates",
        "reduced": "windflower.validate.trees:check_reduced",
        "spectra": "windflower.validate.spectra:check_spectra",
        "loops": "windflower.validate.loops:check_loops",
        "turbulence": "windflower.validate.turbulence:check_turbulence",
        "canopy": "windflower.validate.canopy:check_canopy",
        "windthrow": "windflower.validate.windthrow:check_windthrow",
        "admittance": "windflower.validate.admittance:check_admittance",
    }
)


def subjects(walnut: Path | None = None) -> dict[str, Callable[[], Iterator[Check]]]:
    """All subjects by name; `walnut` is the file of the digitised walnut (Sinoquet, Rivet & Godin 1997)."""
    found = {name: SUBJECTS[name] for name in SUBJECTS}
    if walnut is not None and not walnut.is_file():
        raise FileError(f"the file of the walnut must exist; {walnut} does not. It is noylum2.mtg of openalea/mtg.")
    if walnut is not None:
        found["walnut"] = partial(resolve_name("windflower.validate.trees:check_walnut"), walnut)
    return found
