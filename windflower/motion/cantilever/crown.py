"""Where a crown feels the wind, and what of the wind reaches it."""

from dataclasses import dataclass

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.mechanics.cells import cut, shelter
from windflower.mechanics.foliage import Foliage
from windflower.motion.cantilever.springs import Springs
from windflower.motion.places import Places

__all__ = ["Crown"]

STRONGEST = 1e6  # m/s; beyond, the numbers of a device have no end


@dataclass(frozen=True, eq=False, kw_only=True)
class Crown:
    """A crown in cells, each with its own wind.

    cell     (nodes,)     the cell of each segment
    centre   (cells, 3)   where each feels the wind, m
    spread   (cells,)     how far its drag reaches about that, rms along one axis, m
    area     (cells,)     drag coefficient times area, m²
    foliage               how it streamlines, and how much wind passes through
    """

    cell: IntArray
    centre: FloatArray
    spread: FloatArray
    area: FloatArray
    foliage: Foliage

    @staticmethod
    def of(springs: Springs, cells: int) -> "Crown":
        """The crown of a plant, cut into cells by medians of the drag area."""
        plant, s = springs.plant, springs.plant.segments
        area, middle = springs.drag_area[s], (plant.position - plant.vector / 2)[s]
        mine = cut(middle, area, cells)
        cell = np.zeros(plant.nodes, np.int64)
        cell[s] = mine
        share = np.zeros(cells) + np.bincount(mine, area, cells)
        centre = np.stack([np.bincount(mine, area * x, cells) for x in middle.T], axis=1) / share[:, None]
        away = ((middle - centre[mine]) ** 2).sum(axis=1) + plant.length[s] ** 2 / 12
        spread = np.sqrt(np.bincount(mine, area * away, cells) / share / 3)
        return Crown(cell=cell, centre=centre, spread=spread, area=share, foliage=springs.foliage)

    def dynamic_wind(self, places: Places, air: FloatArray) -> FloatArray:
        """(count, cells, 3) s(|v|) |v| v of what reaches each cell, in the plant's frame, (m/s)²; air in the world."""
        wind = np.clip(places.turned_to_plant(air), -STRONGEST, STRONGEST)
        wind = wind * self._shelter(wind.mean(axis=1))[..., None]
        speed = np.linalg.norm(wind, axis=-1)
        return np.asarray(wind * (self.foliage.streamlined(speed) * speed)[..., None])

    def _shelter(self, direction: FloatArray) -> FloatArray:
        """(…, cells) factors on the wind speed; see `mechanics.cells.shelter`."""
        if len(self.area) == 1 or self.foliage.porosity == 1:
            return np.ones((*direction.shape[:-1], len(self.area)))
        return shelter(direction, self.centre, self.spread, self.area, self.foliage.porosity)
