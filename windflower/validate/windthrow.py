"""Critical moments and winds of stands against those of ForestGALES, for trees grown to the same diameter and height.

The published moments follow from diameter, height and the species' table alone (package fgr): breaking π/32 f MOR d³,
carried to the foot, and overturning C_reg × stem mass by the volume equation of the species. Ours follow from the tree:
its weakest place, its own stem, its weight.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from windflower.mechanics.wood import wood_of
from windflower.plant.graph import Plant
from windflower.plant.growth import grow
from windflower.plant.measures import diameter_at_breast_height
from windflower.plant.species import species_of
from windflower.plant.species.changes import changed
from windflower.validate import Check, compared
from windflower.windthrow import Exposure, TreeRisk, risk
from windflower.windthrow.exposure import gust_factor

__all__ = ["STANDS", "StandCase", "check_windthrow", "tree_of"]

FGR = "ForestGALES (fgr)"
DETAIL = 0.3  # of the trees' nodes


@dataclass(frozen=True)
class StandCase:
    """A stand with its published moments: breaking, at the foot, and overturning, N·m; and speeds at the top, m/s."""

    name: str
    species: str
    wood: str
    height: float
    diameter: float
    spacing: float
    anchorage: float
    strength: float
    breaking: float
    overturning: float
    inside: tuple[float, float] | None = None
    edge: tuple[float, float] | None = None


STANDS = (
    StandCase(
        "Sitka spruce, 20.5 m, 22 cm", "spruce", "sitka-spruce", 20.5, 0.22, 2.54, 153.2, 34e6, 38.8e3, 48.7e3,
        (20.0, 23.0), (10.0, 11.0),
    ),
    StandCase("Norway spruce, 18 m, 20 cm", "spruce", "norway-spruce", 18.0, 0.20, 2.5, 126.0, 32.4e6, 28.1e3, 29.6e3),
)  # fmt: skip
"""The first is the stand of STORMS (1997); the second is of usual size for its species."""


@cache
def tree_of(case: StandCase) -> Plant:
    """The tree of a stand: a species grown to its height, with a stem of its diameter at breast height."""
    species = species_of(case.species)
    height = {"growth": {"height": case.height, "height_variation": 0.0}}
    trunk = species.girth.trunk
    for _ in range(4):
        plant = grow(changed(species, {**height, "girth": {"trunk": trunk}}), seed=1, detail=DETAIL)
        trunk *= case.diameter / (diameter_at_breast_height(plant) or case.diameter)
    return plant


@cache
def risk_of(case: StandCase, kind: str) -> TreeRisk:
    """Critical winds of the tree of a stand."""
    exposure = Exposure(kind=kind, spacing=case.spacing)  # type: ignore[arg-type]
    return risk(
        tree_of(case),
        exposure=exposure,
        directions=4,
        wood=wood_of(case.wood),
        strength=case.strength,
        anchorage=case.anchorage,
    )


def check_windthrow() -> Iterator[Check]:
    """Moments of two stands, winds of one, and the gust factor."""
    for case in STANDS:
        found = risk_of(case, "inside")
        yield compared(f"{case.name}: breaking moment", found.breaking_moment.mean(), case.breaking, 0.2, FGR)
        yield compared(f"{case.name}: overturning moment", found.overturning_moment, case.overturning, 0.2, FGR)
    case = STANDS[0]
    for kind, speeds in (("inside", case.inside), ("edge", case.edge)):
        found = risk_of(case, kind)
        for what, ours, theirs in zip(
            ("breaks", "is overturned"), (found.breaks_at_top, found.overturns_at_top), speeds or (), strict=False
        ):
            yield compared(f"{case.name}, {kind}: wind at the top when it {what}", ours.mean(), theirs, 0.3, FGR)
    inside, edge = gust_factor(0.124, np.array([9.0, 0.0]), np.array([10.0, 10.0]))
    yield compared("gust factor of moments, edge over inside", edge / inside, 3.94, 0.02, "Gardiner et al. 1997")
