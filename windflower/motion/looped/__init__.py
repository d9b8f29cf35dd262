"""Any motion as a loop: recorded in a wind that repeats, and played over and over.

looped_motion    the recording and its player
looped_settings  its keys in a scene file; registered as "loop"
"""

from windflower.motion.looped.looped_motion import LoopedMotion
from windflower.motion.looped.looped_settings import LoopSettings

__all__ = ["LoopSettings", "LoopedMotion"]
