"""How it moves: a static description, a state, and a pure step; one file a model.

Places ──> rest ──> state ──> pose ──> points (count, nodes, 3)
  │                 ^   │
  └─> probes ─ Wind ┴───┘ step(state, air, dt, touch)

contract    what every motion offers, and how its arguments are checked
places      where the instances of a stand are
touch       hands on a plant
oscillator  the exact step of a damped oscillator
paths       sums from the root along every path, whole levels of the tree at a time
poses       from amounts of shapes to node positions: linear, rotated; and the paper's, in `correction`
modal       modes under wind and hands (Diener et al. 2009)
sway        a plant in a wind for some seconds, as a record
spectral    modes in a random wind that repeats, without steps (Stam 1996); its docstring draws what it is made of
cantilever  every segment a flat spring (Ota et al. 2003); its docstring draws what it is made of
twigs       what truncated modes leave out, on top of any pose
leaves      flutter, on top of any motion; `shedding` and `seasons` tell of the rest of their lives
hybrid      procedural motion, physics where a hand is (Di Giacomo et al. 2001); its docstring names its parts

Equation numbers without a name are Diener et al. 2009's, and in what `spectral` is made of Stam's.
"""

from windflower.motion.cantilever import CantileverMotion, CantileverState
from windflower.motion.contract import Motion
from windflower.motion.flutter import Flutter
from windflower.motion.hybrid import HybridMotion, HybridState
from windflower.motion.leaves import LeafMotion
from windflower.motion.loop_motion import LoopMotion, LoopState, read_loop
from windflower.motion.modal import ModalMotion, ModalState
from windflower.motion.noise_filter import NoiseFilter
from windflower.motion.places import Places
from windflower.motion.seasons import Season
from windflower.motion.shedding import Shedding, ShedState
from windflower.motion.spectral import SpectralMotion
from windflower.motion.strain import Strain
from windflower.motion.sway import Sway, sway
from windflower.motion.touch import Touch
from windflower.motion.twigs import Twigs, twigs_of

__all__ = [
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
