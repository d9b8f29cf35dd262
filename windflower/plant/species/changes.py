"""A species with some of its numbers changed, without a file of its own."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from windflower.core.table_errors import first_error
from windflower.errors import SpeciesError
from windflower.plant.species.merging import merged
from windflower.plant.species.settings import KINDS, Species

__all__ = ["changed"]

CHANGEABLE: dict[str, frozenset[str]] = {
    "growth": frozenset(),
    "girth": frozenset({"trunk", "twig", "exponent", "taper"}),
    "leaf": frozenset({"per_metre", "angle", "droop", "spread"}),
}
"""The tables whose numbers may change, and which ones; none named: all. The rest makes the species that species."""


def changed(species: Species, changes: Mapping[str, Any]) -> Species:
    """The same species with other numbers, as `{"growth": {"height": 12.0, "levels": {"1": {"branches": 30}}}}`.

    Entries of a list are named by their number, from 0. The species keeps its name, its wood and its looks.
    """
    _check(species, changes)
    try:
        other = Species.model_validate(merged(species.model_dump(), changes))
    except ValidationError as error:
        raise SpeciesError(first_error(error, species.name, kinds=KINDS)) from None
    return other.described_in(species._file)


def _check(species: Species, changes: Mapping[str, Any]) -> None:
    for table, numbers in changes.items():
        known = table in CHANGEABLE and isinstance(numbers, Mapping) and (table != "leaf" or species.leaf is not None)
        if not known:
            raise SpeciesError(
                f"a species can be changed in {', '.join(CHANGEABLE)}; {table} = {numbers!r} is not that."
            )
        for name in numbers:
            if CHANGEABLE[table] and name not in CHANGEABLE[table]:
                allowed = ", ".join(sorted(CHANGEABLE[table]))
                raise SpeciesError(f"of a species' {table}, {allowed} can be changed; '{name}' cannot.")
