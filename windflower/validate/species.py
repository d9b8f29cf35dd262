"""Grown trees beside what is published of their kind.

    species, seeds ──specimen──> Specimen ──published──> Finding: values beside a range, judged or printed only

Only where a range is a demand on the species is it judged. Masses, areas and broadleaves' frequencies differ so much
from tree to tree that they are printed.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import exp, log

from windflower.validate.specimen import Specimen, measured

__all__ = ["CONIFERS", "WOODY", "Finding", "findings", "specimens"]

CONIFERS = ("spruce", "scots-pine")
WOODY = (
    *CONIFERS,
    "silver-birch",
    "quaking-aspen",
    "lombardy-poplar",
    "walnut",
    "oak",
    "hazel-bush",
    "weeping-willow",
)
SEEDS = (1, 2, 3, 4, 5)
DETAIL = 0.3  # of the trees: with all of it frequencies are a few per cent lower, and all takes five times as long
MARKLUND = "Marklund 1988, dry"
LAW = "C U^-N of ForestGALES"


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One quantity of all specimens of a species, beside its published range.

    values          one for each seed, in `unit`
    low, high       the published range; both NaN where there is none
    judged          whether values outside it fail
    """

    species: str
    what: str
    unit: str
    values: tuple[float, ...]
    low: float = float("nan")
    high: float = float("nan")
    source: str = ""
    judged: bool = False

    @property
    def passed(self) -> bool:
        """Whether nothing that is judged lies outside its range."""
        return not self.judged or all(self.low <= value <= self.high for value in self.values)


def specimens(
    species: Sequence[str] = WOODY, *, seeds: Sequence[int] = SEEDS, detail: float = DETAIL
) -> Iterator[Specimen]:
    """Grow and measure so many trees of each species, one after another."""
    for name in species:
        for seed in seeds:
            yield measured(name, seed, detail)


Published = Callable[[Sequence[Specimen]], tuple[float, float, str, bool]]
"""Low, high, source and whether it is judged, for the specimens of one species."""


def findings(trees: Sequence[Specimen]) -> Iterator[Finding]:
    """All quantities of all species, in the order of the trees."""
    for name in dict.fromkeys(tree.species for tree in trees):
        mine = [tree for tree in trees if tree.species == name]
        for what, unit, key, scale, published in QUANTITIES:
            values = tuple(scale * getattr(tree, key) for tree in mine)
            low, high, source, judged = published(mine)
            yield Finding(
                species=name, what=what, unit=unit, values=values, low=low, high=high, source=source, judged=judged
            )


def _none(_: Sequence[Specimen]) -> tuple[float, float, str, bool]:
    return float("nan"), float("nan"), "", False


def _form_factor(trees: Sequence[Specimen]) -> tuple[float, float, str, bool]:
    if trees[0].species in ("oak", "walnut", "hazel-bush", "weeping-willow"):  # their stems end in the crown
        return _none(trees)
    return 0.42, 0.52, "usual of forest trees", trees[0].species in CONIFERS


def _crown_mass(trees: Sequence[Specimen]) -> tuple[float, float, str, bool]:
    rule = {"spruce": _spruce_crown, "scots-pine": _pine_crown, "silver-birch": _birch_crown}.get(trees[0].species)
    if rule is None:
        return _none(trees)
    found = [rule(100 * tree.diameter, tree.height) for tree in trees]
    return min(found), max(found), MARKLUND, False


def _spruce_crown(d: float, h: float) -> float:
    """Living branches and needles over stem wood and bark, by diameter in cm and height in m (G12, G5, G8)."""
    crown = exp(-1.2063 + 10.9708 * d / (d + 13) - 0.0124 * h - 0.4923 * log(h))
    wood = exp(-2.3032 + 7.2309 * d / (d + 14) + 0.0355 * h + 0.7030 * log(h))
    return crown / (wood + exp(-3.4020 + 8.3089 * d / (d + 15) + 0.0147 * h + 0.2295 * log(h)))


def _pine_crown(d: float, h: float) -> float:
    crown = exp(-2.5413 + 13.3955 * d / (d + 10) - 1.1955 * log(h))
    wood = exp(-2.6864 + 7.6066 * d / (d + 14) + 0.0200 * h + 0.8658 * log(h))
    return crown / (wood + exp(-3.2765 + 7.2482 * d / (d + 16) + 0.4487 * log(h)))


def _birch_crown(d: float, h: float) -> float:
    """Without leaves."""
    wood = exp(-3.3045 + 8.1184 * d / (d + 11) + 0.9783 * log(h))
    bark = exp(-4.0778 + 8.3019 * d / (d + 14) + 0.7433 * log(h))
    return exp(-3.3633 + 10.2806 * d / (d + 10)) / (wood + bark)


def _leaf_area_index(trees: Sequence[Specimen]) -> tuple[float, float, str, bool]:
    usual = {"spruce": (4.0, 8.0), "scots-pine": (2.0, 4.0), "silver-birch": (2.0, 4.0), "quaking-aspen": (2.0, 4.0)}
    low, high = usual.get(trees[0].species, (float("nan"),) * 2)
    return low, high, "usual of stands, estimate" if low == low else "", False


def _regression(trees: Sequence[Specimen]) -> tuple[float, float, str, bool]:
    if trees[0].species not in CONIFERS:
        return _none(trees)
    return 0.7, 1.3, "Moore & Maguire 2004", trees[0].species == "spruce"


def _still(_: Sequence[Specimen]) -> tuple[float, float, str, bool]:
    return 0.05, 0.20, "whole trees in leaf, any wind", False


def _law_at(speed: float) -> Published:
    def law(trees: Sequence[Specimen]) -> tuple[float, float, str, bool]:
        from windflower.plant.species import species_of

        value = species_of(trees[0].species).air.at(speed)
        return value, value, LAW, False

    return law


def _drag_20(trees: Sequence[Specimen]) -> tuple[float, float, str, bool]:
    if trees[0].species in CONIFERS:
        return 0.2, 0.6, "Rudnicki et al. 2004: 0.22 to 0.47; Mayhead 1973", True
    return 0.15, 0.3, "Vollsinger et al. 2005: 0.15 to 0.22", True


def _bare_drag(trees: Sequence[Specimen]) -> tuple[float, float, str, bool]:
    if trees[0].species in CONIFERS:
        return _none(trees)
    return 0.3, 0.7, "leaves add 40 to 100 %", True


QUANTITIES: tuple[tuple[str, str, str, float, Published], ...] = (
    ("height", "m", "height", 1, _none),
    ("diameter at 1.3 m", "cm", "diameter", 100, _none),
    ("mass of the stem", "kg", "stem_mass", 1, _none),
    ("mass of all", "kg", "mass", 1, _none),
    ("form factor of the stem", "", "form_factor", 1, _form_factor),
    ("volume of branches over stem", "", "branch_volume", 1, _none),
    ("mass of crown over stem", "", "crown_mass", 1, _crown_mass),
    ("leaf area index", "", "leaf_area_index", 1, _leaf_area_index),
    ("sway in leaf", "Hz", "frequency", 1, _none),
    ("sway in leaf over regression", "", "regression", 1, _regression),
    ("sway bare", "Hz", "bare_frequency", 1, _none),
    ("damping in still air, 2° of sway", "", "still_damping", 1, _still),
    ("damping at 10 m/s", "", "windy_damping", 1, _still),
    ("C_D at 10 m/s", "", "drag_10", 1, _law_at(10.0)),
    ("C_D at 20 m/s", "", "drag_20", 1, _drag_20),
    ("drag bare over in leaf, 20 m/s", "", "bare_drag", 1, _bare_drag),
    ("lean at 15 m/s", "°", "lean", 1, _none),
)
"""What is printed: name, unit, attribute of `Specimen`, factor on it, and what is published."""
