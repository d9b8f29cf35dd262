"""Any motion as a loop: recorded in a wind that repeats, and played over and over."""

from windflower.motion.looped.looped_motion import LoopedMotion, LoopedState
from windflower.motion.looped.looped_settings import LoopSettings

__all__ = ["LoopSettings", "LoopedMotion", "LoopedState"]
