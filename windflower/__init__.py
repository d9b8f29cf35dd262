"""Plants that move in the wind.

species + seed ─┐
 MTG, QSM file ─┴─> Plant ──> Modes ──┐
                      │               ├─> Motion ──> Stand ──> Scene ──> window, video, picture
                      └───────────────┤
 speed, gusts, spectra, recordings ─> Wind

Everything left of an arrow is immutable for everything right of it. Metres, seconds, kilograms, radians;
right-handed, Y up.
"""

from windflower.mechanics import Modes, Wood, analyse, read_modes
from windflower.motion import ModalMotion, Places, Touch
from windflower.motion.sway import sway
from windflower.plant.graph import Plant
from windflower.plant.growth import grow
from windflower.plant.importers import read
from windflower.plant.leaves import Leaves
from windflower.plant.species import Species, species_names, species_of
from windflower.wind import Wind, wind_from

__version__ = "0.1.0"
__all__ = [
    "Leaves",
    "ModalMotion",
    "Modes",
    "Places",
    "Plant",
    "Species",
    "Touch",
    "Wind",
    "Wood",
    "analyse",
    "grow",
    "read",
    "read_modes",
    "species_names",
    "species_of",
    "sway",
    "wind_from",
]
