"""How it bends: from a plant and its wood to modes, wind projection and static vectors.

Plant, Wood ──> beams ───> assembly ──> factor, lanczos ──> eigen ──┐
                  │         K, M                                    ├─> Modes ──> archive, cache
 foliage, cells ──┴──────> projection, strain ──────────────────────┘

float64 throughout. Diener et al. 2009 is the paper; equation numbers without a name are its own.
"""

from windflower.mechanics.analysis import analyse
from windflower.mechanics.archive import read_modes
from windflower.mechanics.modes import Modes
from windflower.mechanics.strain import fibre_strain
from windflower.mechanics.wood import Rayleigh, Wood, wood_names, wood_of

__all__ = ["Modes", "Rayleigh", "Wood", "analyse", "fibre_strain", "read_modes", "wood_names", "wood_of"]
