"""Modes on disk."""

import os
from dataclasses import asdict, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.files import read_archive, write_archive
from windflower.errors import FileError, WindflowerError
from windflower.mechanics.modes import Conditions, Modes
from windflower.mechanics.sheet import Sheet
from windflower.mechanics.wood import Rayleigh, Wood
from windflower.plant.graph import Leaves, Plant

__all__ = ["APART", "read_modes", "sheet_arrays", "write_modes"]

PLANT = ("parent", "position", "radius", "base_radius", "order")
LEAVES = ("node", "place", "orientation", "size")
POINTS = ("point_mass", "point_lift")
APART = (*POINTS, "sheets", "held")  # of the conditions: what is no plain fact
ARRAYS = tuple(
    field.name for field in fields(Modes) if field.name not in ("plant", "wood", "conditions", "static_frequency")
)


def write_modes(modes: Modes, path: str | os.PathLike[str], *, compressed: bool = True) -> None:
    """Write modes with their plant and wood."""
    plant, conditions = modes.plant, modes.conditions
    arrays = {name: getattr(modes, name) for name in ARRAYS}
    arrays |= {f"plant_{name}": getattr(plant, name) for name in PLANT}
    arrays |= {f"leaf_{name}": getattr(plant.leaves, name) for name in LEAVES}
    arrays |= {name: getattr(conditions, name) for name in POINTS}
    arrays |= {
        f"sheet{i}_{name}": array for i, one in enumerate(conditions.sheets) for name, array in sheet_arrays(one)
    }
    if conditions.held is not None:
        arrays["held"] = conditions.held
    facts = {
        "species": plant.species,
        "seed": plant.seed,
        "wood": asdict(modes.wood),
        "static_frequency": modes.static_frequency,
        "conditions": {
            field.name: getattr(conditions, field.name) for field in fields(Conditions) if field.name not in APART
        },
        "sheets": len(conditions.sheets),
    }
    write_archive(path, "modes", arrays, facts, compressed=compressed)


def read_modes(path: str | os.PathLike[str]) -> Modes:
    """Read what `Modes.save` wrote."""
    arrays, facts = read_archive(path, "modes")
    try:
        return _modes(arrays, facts)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError, WindflowerError):
        raise FileError(f"{path} lacks a part of the modes, or has a wrong one. Save them again.") from None


def _modes(arrays: dict[str, Any], facts: dict[str, Any]) -> Modes:
    plant = Plant(
        **{name: arrays[f"plant_{name}"] for name in PLANT},
        leaves=Leaves(**{name: arrays[f"leaf_{name}"] for name in LEAVES}),
        species=facts["species"],
        seed=facts["seed"],
    )
    damping = facts["wood"].pop("damping")
    wood = Wood(**facts["wood"], damping=Rayleigh(**damping) if isinstance(damping, dict) else damping)
    conditions = Conditions(
        **facts["conditions"],
        **{name: arrays[name] for name in POINTS},
        sheets=tuple(_sheet(arrays, i) for i in range(facts["sheets"])),
        held=arrays.get("held"),
    )
    return Modes(
        plant=plant,
        wood=wood,
        conditions=conditions,
        static_frequency=float(facts["static_frequency"]),
        **{name: np.asarray(arrays[name]) for name in ARRAYS},
    )


def sheet_arrays(sheet: Sheet) -> list[tuple[str, NDArray[Any]]]:
    """All that a sheet is, name by name."""
    return [(field.name, np.asarray(getattr(sheet, field.name))) for field in fields(Sheet)]


def _sheet(arrays: dict[str, NDArray[Any]], number: int) -> Sheet:
    parts: dict[str, Any] = {field.name: arrays[f"sheet{number}_{field.name}"].tolist() for field in fields(Sheet)}
    return Sheet(**parts)
