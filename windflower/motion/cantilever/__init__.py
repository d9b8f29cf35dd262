"""Every segment a flat spring (Ota et al. 2003; Yildiz §3), and its light version for twigs on top of other motions."""

from windflower.motion.cantilever.cantilever_motion import CantileverMotion, CantileverState
from windflower.motion.cantilever.cantilever_settings import CantileverSettings
from windflower.motion.cantilever.cantilever_twin import CantileverTwin
from windflower.motion.cantilever.twigs import Twigs, twigs_of
from windflower.motion.registry import MotionKind

__all__ = ["KIND", "CantileverMotion", "CantileverSettings", "CantileverState", "Twigs", "twigs_of"]

KIND = MotionKind(CantileverSettings, CantileverTwin)
