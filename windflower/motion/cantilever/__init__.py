"""Every segment a flat spring (Ota et al. 2003; Yildiz §3), and its light version for twigs on top of other motions.

springs, branches    how each segment bends, how fast it swings, and how far it may
crown                the crown's cells, and the wind that reaches them
cantilever_motion    the NumPy model: turns summed from parent to child
cantilever_settings  its keys in a scene file
cantilever_twin      the same on the device; registered as "cantilever"
cantilever_kernels   steps in blow.wgsl; spring_levels  poses in cantilever.wgsl, at each level of detail
twigs                the motion of twigs on top of any pose; twigs_twin  the same on the device, by twigs.wgsl
"""

from windflower.motion.cantilever.cantilever_motion import CantileverMotion, CantileverState
from windflower.motion.cantilever.cantilever_settings import CantileverSettings
from windflower.motion.cantilever.twigs import Twigs, twigs_of

__all__ = ["CantileverMotion", "CantileverSettings", "CantileverState", "Twigs", "twigs_of"]
