"""Broad leaves that bend: segments that turn, and blades of mass points (Guo, Li & Feng 2006)."""

from windflower.motion.broadleaf.broadleaf_motion import BroadleafMotion, BroadleafState
from windflower.motion.broadleaf.broadleaf_settings import BroadleafSettings
from windflower.motion.broadleaf.broadleaf_twin import BroadleafTwin
from windflower.motion.broadleaf.constants import BroadleafConstants
from windflower.motion.registry import MotionKind

__all__ = ["KIND", "BroadleafConstants", "BroadleafMotion", "BroadleafSettings", "BroadleafState"]

KIND = MotionKind(BroadleafSettings, BroadleafTwin)
