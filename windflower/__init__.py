"""Plants that move in the wind.

species + seed ─┐
 MTG, QSM file ─┴─> Plant ──> Modes ──┐
                      │               ├─> Motion ──> Stand ──> Scene ──> window, video, picture
                      └───────────────┤
 speed, gusts, spectra, recordings ─> Wind

Everything left of an arrow is immutable for everything right of it. Metres, seconds, kilograms, radians;
right-handed, Y up.
"""

from windflower.plant.graph import Plant
from windflower.plant.growth import grow
from windflower.plant.importers import read
from windflower.plant.leaves import Leaves
from windflower.plant.species import Species, species_names, species_of

__version__ = "0.1.0"
__all__ = ["Leaves", "Plant", "Species", "grow", "read", "species_names", "species_of"]
