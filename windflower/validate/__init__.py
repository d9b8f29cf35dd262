"""Accuracy: what Windflower finds beside what theory, textbooks and other people's programs say.

beams, weight, plates     against formulas and published benchmarks
walnut                    a digitised tree against its published frequencies, if its file is given
reduced                   few modes and static vectors against the whole plant
spectra                   winds and sways against their theory

Each subject is a function that yields `Check`s; the command line prints them.
"""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from windflower.validate.check import Check

__all__ = ["Check", "subjects"]


def subjects(walnut: Path | None = None) -> dict[str, Callable[[], Iterator[Check]]]:
    """All subjects by name; `walnut` is the file of the digitised walnut (Sinoquet, Rivet & Godin 1997)."""
    from windflower.validate.beams import check_beams
    from windflower.validate.plates import check_plates
    from windflower.validate.reduced import check_reduced
    from windflower.validate.spectra import check_spectra
    from windflower.validate.walnut import check_walnut
    from windflower.validate.weight import check_weight

    found: dict[str, Callable[[], Iterator[Check]]] = {
        "beams": check_beams,
        "weight": check_weight,
        "plates": check_plates,
        "reduced": check_reduced,
        "spectra": check_spectra,
    }
    return found if walnut is None else found | {"walnut": partial(check_walnut, walnut)}
