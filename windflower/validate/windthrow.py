"""Critical moments and winds of stands against ForestGALES and HWIND, for trees grown to the same diameter and height.

ForestGALES' moments follow from diameter, height and the species' table alone (package fgr): breaking π/32 f MOR d³,
carried to the foot, and overturning C_reg × stem mass by the volume equation of the species. HWIND's follow from the
stress at breast height and from the weight of a root plate; its example (Peltola, STORMS 1997) lists the whole tree.
Ours follow from the tree: its weakest place, its own stem, its weight.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from windflower.mechanics.wood import wood_of
from windflower.plant.graph import Plant
from windflower.plant.growth import grow
from windflower.plant.measures import diameter_at_breast_height
from windflower.plant.species import species_of
from windflower.plant.species.changes import changed
from windflower.validate import Check, compared
from windflower.windthrow import Exposure, TreeRisk
from windflower.windthrow.critical import Tree
from windflower.windthrow.exposure import gust_factor

__all__ = ["STANDS", "StandCase", "check_windthrow", "tree_of"]

FGR, HWIND = "ForestGALES (fgr)", "HWIND (Peltola, STORMS 1997)"
DETAIL = 0.3  # of the trees' nodes
DIRECTIONS = np.array([0.0, 90.0, 180.0, 270.0])


@dataclass(frozen=True, eq=False, kw_only=True)
class StandCase:
    """A stand with its published moments: breaking, at the foot, and overturning, N·m; and speeds at the top, m/s.

    anchorage, strength   N·m for each kg of stem, and Pa, as published for it
    changes               of the species, beside its height and thickness
    """

    name: str
    source: str
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
    changes: Mapping[str, Any] = field(default_factory=dict)


SITKA = StandCase(
    name="Sitka spruce, 20.5 m, 22 cm",
    source=FGR,
    species="spruce",
    wood="sitka-spruce",
    height=20.5,
    diameter=0.22,
    spacing=2.54,
    anchorage=153.2,
    strength=34e6,
    breaking=38.8e3,
    overturning=48.7e3,
    inside=(20.4, 23.0),
    edge=(10.1, 11.3),
)
"""The stand of STORMS (1997)."""
PINE = StandCase(
    name="Scots pine, 20 m, 20 cm",
    source=HWIND,
    species="scots-pine",
    wood="scots-pine",
    height=20.0,
    diameter=0.2,
    spacing=2.5,
    anchorage=26_695 / 248.3,
    strength=39.1e6,
    breaking=3.55 * 9297,
    overturning=26_695,
    changes={
        "girth": {"taper": 0.5},
        "growth": {
            "levels": {
                "0": {"wander": 8.0, "curve": [4.0], "segments": 20},
                "1": {"length": 0.115, "start": 0.6},
            }
        },
        "leaf": {"per_metre": 20.0},
    },
)
"""The example of HWIND: a crown 8 m deep, 4.96 m wide, of 74.5 kg; the largest moment is 3.55 times the mean one.

The taper is ours, so that the stress is nearly the same from the foot of the stem to that of the crown (Morgan &
Cannell 1994): the stem is then 17 % heavier than HWIND's 248.3 kg. By its mass, with a taper of 0.65, it would break in
the crown, where HWIND does not look, at 18 kN·m.
"""
NORWAY = StandCase(
    name="Norway spruce, 18 m, 20 cm",
    source=FGR,
    species="spruce",
    wood="norway-spruce",
    height=18.0,
    diameter=0.20,
    spacing=2.5,
    anchorage=126.0,
    strength=32.4e6,
    breaking=28.1e3,
    overturning=29.6e3,
)
"""A tree of usual size for its species, of no published stand."""
STANDS = (SITKA, PINE, NORWAY)
SPACINGS = {2.5: (32.8, 28.4), 3.0: (29.2, 25.3), 4.0: (24.1, 20.7), 5.0: (20.6, 17.7)}
"""Winds at the top that break and overturn a Norway spruce of 17.5 m and 26 cm, m/s, by the distance between trees."""


@cache
def tree_of(case: StandCase) -> Plant:
    """The tree of a stand: a species grown to its height, with a stem of its diameter at breast height."""
    species = species_of(case.species)
    species = changed(species, {"growth": {"height": case.height, "height_variation": 0.0}})
    species = changed(species, case.changes)
    trunk = species.girth.trunk
    for _ in range(4):
        plant = grow(changed(species, {"girth": {"trunk": trunk}}), seed=1, detail=DETAIL)
        trunk *= case.diameter / (diameter_at_breast_height(plant) or case.diameter)
    return plant


@cache
def _standing(case: StandCase) -> Tree:
    wood = wood_of(case.wood)
    return Tree(tree_of(case), wood=wood, strength=case.strength, anchorage=case.anchorage)


def check_windthrow() -> Iterator[Check]:
    """Moments of stands, winds by spacing, at the edge and inside, and the gust factor."""
    for case in STANDS:
        found = _standing(case).risk(Exposure(kind="inside", spacing=case.spacing), DIRECTIONS)
        yield compared(f"{case.name}: breaking moment", found.breaking_moment.mean(), case.breaking, 0.2, case.source)
        yield compared(f"{case.name}: overturning moment", found.overturning_moment, case.overturning, 0.2, case.source)
    for where, speeds in (
        (Exposure(kind="inside", spacing=SITKA.spacing), SITKA.inside),
        (Exposure(kind="edge", spacing=SITKA.spacing), SITKA.edge),
    ):
        yield from _winds(f"{SITKA.name}, {where.kind}", _standing(SITKA).risk(where, DIRECTIONS), speeds or ())
    free = Tree(grow("spruce", seed=1, detail=0.1))
    for spacing, speeds in SPACINGS.items():
        found = free.risk(Exposure(kind="inside", spacing=spacing), DIRECTIONS)
        yield from _winds(f"Norway spruce, 17.5 m, 26 cm, {spacing:g} m apart", found, speeds)
    inside, edge = gust_factor(0.124, np.array([9.0, 0.0]), np.array([10.0, 10.0]))
    yield compared("gust factor of moments, edge over inside", edge / inside, 3.94, 0.02, "Gardiner et al. 1997")


def _winds(name: str, found: TreeRisk, speeds: tuple[float, ...]) -> Iterator[Check]:
    ours = found.breaks_at_top, found.overturns_at_top
    for what, speed, theirs in zip(("breaks", "is overturned"), ours, speeds, strict=False):
        yield compared(f"{name}: wind at the top when it {what}", speed.mean(), theirs, 0.2, FGR)
