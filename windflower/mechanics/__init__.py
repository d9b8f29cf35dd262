"""How the plant bends: from a plant and its wood to modes, wind projection and static vectors.

Plant, Wood ──> beams ───> assembly ──> factor ──> eigen ──┐
     sheets ──> plates ──┘  K, M                           ├─> Modes ──> archive
 foliage, cells ─────────> projection, strain ─────────────┘

roots              the spring under each root
participation      which modes are kept
leaf_fall          modes of a plant that loses its leaves
identify           frequency and damping out of a signal
silhouette         the frontal area of a plant
crown_drag         the drag of its crown, in leaf and bare
sheet, structure   what a sheet is, and wood and sheets together
plate              the plate element
plate_assembly     all sheets of a structure as plates
objects            a flag, a banner, a blade, a sign

float64 throughout. Diener et al. 2009 is the paper; equation numbers without a name are its own.
"""

from windflower.mechanics.analysis import analyse, analyse_structure
from windflower.mechanics.archive import read_modes
from windflower.mechanics.modes import Modes
from windflower.mechanics.sheet import Sheet
from windflower.mechanics.strain import fibre_strain
from windflower.mechanics.structure import Structure, sheet_alone
from windflower.mechanics.wood import Rayleigh, Wood, wood_names, wood_of

__all__ = [
    "Modes",
    "Rayleigh",
    "Sheet",
    "Structure",
    "Wood",
    "analyse",
    "analyse_structure",
    "fibre_strain",
    "read_modes",
    "sheet_alone",
    "wood_names",
    "wood_of",
]
