"""How it moves: a static description, a state, and a pure step; one file or folder a model.

Places ──> rest ──> state ──> pose ──> points (count, nodes, 3)
  │                 ^   │
  └─> probes ─ Wind ┴───┘ step(state, air, dt, touch)

contract    what every motion offers, and how its arguments are checked
places      where the instances of a stand are
touch       hands on a plant
oscillator  the exact step of a damped oscillator
rhythm      swinging and noise whose phases never lose precision
paths       sums from the root along every path, whole levels of the tree at a time
poses       from amounts of shapes to node positions: linear, rotated; and the paper's, in `correction`
modal       modes under wind and hands (Diener et al. 2009); `details` are fewer of them for far plants
sway        a plant in a wind for some seconds, as a record
spectral    modes in a random wind that repeats, without steps (Stam 1996)
hybrid      procedural motion, physics where a hand is (Di Giacomo et al. 2001)
cantilever  every segment a flat spring, and twigs on top of any pose (Ota et al. 2003)
leaves      flutter, seasons, shedding, on top of any motion
broadleaf   blades of mass points on segments that turn (Guo et al. 2006)

In each folder `motion` is the model and its docstring draws what it is made of. Equation numbers without a name are
those of the paper named here.
"""

from windflower.motion.broadleaf import BroadleafConstants, BroadleafMotion, BroadleafState
from windflower.motion.cantilever import CantileverMotion, CantileverState, Twigs, twigs_of
from windflower.motion.contract import Motion
from windflower.motion.hybrid import HybridMotion, HybridState
from windflower.motion.leaves import Flutter, LeafMotion, Season, Shedding, ShedState
from windflower.motion.modal import ModalMotion, ModalState
from windflower.motion.places import Places
from windflower.motion.spectral import LoopMotion, LoopState, NoiseFilter, SpectralMotion, read_loop
from windflower.motion.strain import Strain
from windflower.motion.sway import Sway, sway
from windflower.motion.touch import Touch

__all__ = [
    "BroadleafConstants",
    "BroadleafMotion",
    "BroadleafState",
    "CantileverMotion",
    "CantileverState",
    "Flutter",
    "HybridMotion",
    "HybridState",
    "LeafMotion",
    "LoopMotion",
    "LoopState",
    "ModalMotion",
    "ModalState",
    "Motion",
    "NoiseFilter",
    "Places",
    "Season",
    "ShedState",
    "Shedding",
    "SpectralMotion",
    "Strain",
    "Sway",
    "Touch",
    "Twigs",
    "read_loop",
    "sway",
    "twigs_of",
]
