"""Any motion as a loop: recorded in a wind that repeats, and played over and over."""

from windflower.motion.looped.looped_motion import LoopedMotion, LoopedState
from windflower.motion.looped.looped_settings import LoopSettings
from windflower.motion.registry import MotionKind

__all__ = ["KIND", "LoopSettings", "LoopedMotion", "LoopedState"]

KIND = MotionKind(LoopSettings)
