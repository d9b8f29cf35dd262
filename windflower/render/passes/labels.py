"""Labels: numbers of plants and species that stay the same over a clip."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import IntArray
from windflower.motion.stand import Stand
from windflower.scene import Scene

__all__ = ["Labels", "species_name"]


def species_name(stand: Stand) -> str:
    """What a stand's plants are called: their species, or the name of what is no plant."""
    return stand.plant.species or Path(stand.name).stem


@dataclass(frozen=True, eq=False)
class Labels:
    """Labels of all plants of a scene, those of groves too, whether they are in view or not.

    Plants are numbered from 1, stand by stand in the order of the scene; then those of groves. A piece that breaks off
    has the label of its plant.
    """

    scene: Scene

    @cached_property
    def _standing(self) -> list[tuple[Stand, int]]:
        """Stands that are always there, each with its first label."""
        stands = [stand for stand in self.scene.stands if stand.tile is None]
        first = 1 + np.cumsum([0, *map(len, stands)])
        return list(zip(stands, first.tolist(), strict=False))

    @cached_property
    def _groves(self) -> dict[int, IntArray]:
        """First labels of the tiles of each grove, by its table."""
        first, found = 1 + sum(len(stand) for stand, _ in self._standing), {}
        for grove in self.scene.groves:
            found[grove.seeds.table] = first + np.cumsum([0, *map(len, grove.tiles)])
            first += len(grove)
        return found

    @property
    def count(self) -> int:
        """Number of plants."""
        return self.scene.trees

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the species, sorted; the first has number 1."""
        grown = [grove.seeds.name for grove in self.scene.groves]
        return tuple(sorted({*(species_name(stand) for stand, _ in self._standing), *grown}))

    @cached_property
    def species(self) -> NDArray[np.uint16]:
        """(labels + 1,) number of each plant's species; 0 for the label 0."""
        number = {name: 1 + at for at, name in enumerate(self.names)}
        each = [np.full(len(stand), number[species_name(stand)]) for stand, _ in self._standing]
        each += [np.full(len(grove), number[grove.seeds.name]) for grove in self.scene.groves]
        return np.concatenate([[0], *each]).astype(np.uint16)

    def of(self, stand: Stand) -> IntArray:
        """(count,) labels of the plants of a stand of the simulation."""
        return self._first(stand) + np.arange(len(stand))

    def _first(self, stand: Stand) -> int:
        if stand.tile is not None:
            return int(self._groves[stand.table][stand.tile])
        for one, first in self._standing:
            before = stand.counted_from - one.counted_from
            if (one.table, one.name) == (stand.table, stand.name) and 0 <= before < len(one):
                return first + before
        return 0
