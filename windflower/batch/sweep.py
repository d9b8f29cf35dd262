"""A sweep: plants × values × winds, and what each plant does there, as the rows of one table.

plants, seeds, varied values ──> one plant each ──> frequencies, critical winds ──in each wind──> sway, strain, risk
"""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, product
from typing import Any

from windflower.core.table import nearest
from windflower.errors import BucklingError, MechanicsError
from windflower.mechanics import Modes, Wood, analyse
from windflower.mechanics.inventory import inventory
from windflower.mechanics.scans import timber_of
from windflower.mechanics.wood import wood_of
from windflower.motion.sway import sway
from windflower.plant.graph import Plant
from windflower.plant.growth import grow
from windflower.plant.importers import read
from windflower.plant.scaling import scaled
from windflower.plant.species import species_names
from windflower.wind import gusty_wind, wind_speed
from windflower.windthrow import risk

__all__ = ["FACTORS", "VARIED", "Row", "Sweep", "columns_of"]

Row = dict[str, Any]
"""A row of the table: columns by name, with their unit at the end."""

FACTORS = {"stiffness": "E", "density": "density", "damping": "damping", "crown": "crown", "foliage": "foliage"}
"""Factors on properties of the wood, and the property that each is on."""
VARIED = ("scale", "detail", "leaves", "wood", *FACTORS)
"""What can be varied: size, detail of growth, share of the leaves, the wood by name, and factors on its properties."""
MODES, TOLD = 25, 3  # modes of a plant, and how many frequencies are told
MOST = 100_000_000  # rows


@dataclass(frozen=True)
class Sweep:
    """The plants, winds and varied values of a sweep.

    plants   species, or plants' files
    winds    mean winds 10 m above the ground, m/s, or words that `wind_speed` reads, such as "b5"
    seeds    specimens of each species; a file is one specimen
    vary     values by what they are of, see `VARIED`
    seconds  length of each record of sway, s
    risk     whether critical winds are found as well
    """

    plants: Sequence[str]
    winds: Sequence[float | str]
    seeds: Sequence[int] = (1,)
    vary: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    seconds: float = 60.0
    risk: bool = True

    def __post_init__(self) -> None:
        self.speeds  # noqa: B018 - refuses what is no wind before anything is grown
        for name in self.vary:
            if name not in VARIED:
                hint = nearest(name, VARIED) or f"known are {', '.join(VARIED)}."
                raise MechanicsError(f"a sweep varies what a plant has; '{name[:40]}' is not known; {hint}")
        if not self.plants or not self.winds or not self.seeds or not all(map(len, self.vary.values())):
            raise MechanicsError("a sweep has one plant, one wind, one seed and one value at least; one list is empty.")
        if len(self) * len(self.winds) > MOST:
            raise MechanicsError(f"a sweep has at most {MOST:,} rows; this one has more. Take fewer values.")

    def __len__(self) -> int:
        """Number of different plants."""
        return len(self.plants) * len(self.seeds) * math.prod(map(len, self.vary.values()))

    @property
    def speeds(self) -> tuple[float, ...]:
        """The winds, m/s."""
        return tuple(map(wind_speed, self.winds))

    def rows(self, number: int) -> list[Row]:
        """Rows of one of its plants, one for each wind."""
        name, seed, *values = next(islice(product(self.plants, self.seeds, *self.vary.values()), number, None))
        said = dict(zip(self.vary, values, strict=True))
        first = {"plant": name, "seed": seed, **said}
        try:
            subject = _Subject(name, seed, said)
            told = {**first, **subject.facts(), **(subject.critical() if self.risk else {})}
            return [{**told, **subject.sways(wind, self.seconds)} for wind in self.speeds]
        except BucklingError:
            return [{**first, "wind_m_s": wind, "note": "buckles under its own weight"} for wind in self.speeds]
        except MechanicsError as error:
            which = ", ".join(f"{key} {value}" for key, value in first.items())
            raise MechanicsError(f"{which}: {error}") from None

    def piece(self, number: int) -> bytes:
        """The same rows as JSON."""
        return json.dumps(self.rows(number)).encode()


class _Subject:
    """One plant with its wood."""

    def __init__(self, name: str, seed: int, said: Mapping[str, Any]) -> None:
        self.plant, self.seed = _plant(name, seed, said), seed
        self.wood, self.leaves = _wood(self.plant, said), float(said.get("leaves", 1.0))
        self.modes: Modes = analyse(self.plant, count=MODES, wood=self.wood, leaves=self.leaves)

    def facts(self) -> Row:
        """Its measures and frequencies."""
        found = inventory(self.plant, wood=self.wood)
        frequencies = sorted(self.modes.frequency.tolist())[:TOLD]
        return {
            "height_m": found.height,
            "dbh_m": found.dbh,
            "mass_kg": found.mass,
            "leaf_area_m2": self.leaves * found.leaf_area,
            **{f"f{i + 1}_hz": frequency for i, frequency in enumerate(frequencies)},
        }

    def critical(self) -> Row:
        """The winds at which it fails; none of what is no tree."""
        try:
            found = risk(self.plant, wood=self.wood, leaves=self.leaves)
        except BucklingError:
            raise
        except MechanicsError as error:
            return {"breaks_m_s": None, "overturns_m_s": None, "note": str(error)}
        lowest = (float(found.breaks.min()), float(found.overturns.min()))
        return {"breaks_m_s": _finite(lowest[0]), "overturns_m_s": _finite(lowest[1])}

    def sways(self, wind: float, seconds: float) -> Row:
        """Sway and strain in a wind."""
        told = sway(self.modes, gusty_wind(wind, seed=self.seed), seconds=seconds).statistics()
        top, moment = told["places"][0], told["base_moment_N_m"]
        return {
            "wind_m_s": wind,
            "top_lean_m": top["along_m"]["mean"],
            "top_along_rms_m": top["along_m"]["rms"],
            "top_across_rms_m": top["across_m"]["rms"],
            "top_peak_m": top["along_m"]["peak"],
            "base_moment_mean_N_m": moment["mean"],
            "base_moment_peak_N_m": moment["peak"],
            "strain_peak_percent": told["strain_percent"]["peak"],
            "damping": told["damping"],
        }


def _plant(name: str, seed: int, said: Mapping[str, Any]) -> Plant:
    if name in species_names() or name.endswith(".toml"):
        plant = grow(name, seed=seed, detail=float(said.get("detail", 1.0)))
    else:
        plant = read(name)
    return scaled(plant, float(said.get("scale", 1.0)))


def _wood(plant: Plant, said: Mapping[str, Any]) -> Wood:
    """The wood that is asked for, with factors on its properties."""
    wood = timber_of(plant, wood_of(said["wood"]) if "wood" in said else None)
    factors = {FACTORS[name]: float(value) for name, value in said.items() if name in FACTORS}
    return replace(wood, **{name: factor * getattr(wood, name) for name, factor in factors.items()})


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def columns_of(rows: Iterable[Row]) -> dict[str, list[Any]]:
    """Rows as columns; what a row has not is None."""
    listed = list(rows)
    names = dict.fromkeys(name for row in listed for name in row)
    return {name: [row.get(name) for row in listed] for name in names}
