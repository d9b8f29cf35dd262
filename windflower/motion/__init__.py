"""Motions of plants: a static description, a state, and a pure step; one folder a model.

Places ──> rest ──> state ──> pose ──> points (count, nodes, 3)
  │                 ^   │
  └─> probes ─ Wind ┴───┘ step(state, air, dt, touch)

contract    the interface of a motion, and checks of its arguments
registry    the motions by name, with their settings and device twins; settings  the base of those
places      where the instances of a stand are; stand  a motion at its places
touch       hands on a plant
strain      strain gauges; sway  a plant in a wind for some seconds; sway_record  its numbers; sway_places  its nodes
repeating   motions that repeat: a clock in place of a state; wrapping  motions over another one
oscillator  the exact step of a damped oscillator; rhythm  oscillations without a state; grains  irregular ones
poses       from amounts of shapes to node positions, in NumPy and on the device
device      code that all device twins share

modal       modes under wind and hands (Diener et al. 2009)
spectral    modes in a random wind that repeats, without steps (Stam 1996)
hybrid      procedural motion, physics where a hand is (Di Giacomo et al. 2001)
cantilever  every segment a flat spring, and twigs on top of any pose (Ota et al. 2003)
broadleaf   blades of mass points on segments that turn (Guo et al. 2006)
looped      any other motion, recorded and played as a loop
limp        hanging shoots and fronds as chains, over any motion of the wood that bears them
leaves      flutter, seasons, shedding, on top of any motion

Each folder's docstring says what its files are for. Equation numbers without a name are those of the paper named here.
"""

from windflower.motion.broadleaf import BroadleafConstants, BroadleafMotion, BroadleafState
from windflower.motion.cantilever import CantileverMotion, CantileverState, Twigs, twigs_of
from windflower.motion.contract import Motion
from windflower.motion.hybrid import HybridMotion, HybridState
from windflower.motion.leaves import Flutter, LeafMotion, Season, Shedding, ShedState
from windflower.motion.limp import LimpMotion, hung
from windflower.motion.modal import ModalMotion, ModalState
from windflower.motion.places import Places
from windflower.motion.repeating import LoopState
from windflower.motion.spectral import LoopMotion, NoiseFilter, SpectralMotion, read_loop
from windflower.motion.strain import Strain
from windflower.motion.sway import Sway, sway
from windflower.motion.sway_places import nodes_at
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
    "LimpMotion",
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
    "hung",
    "nodes_at",
    "read_loop",
    "sway",
    "twigs_of",
]
