"""Broad leaves that bend: segments that turn, and blades of mass points (Guo, Li & Feng 2006)."""

from windflower.motion.broadleaf.broadleaf_motion import BroadleafMotion, BroadleafState
from windflower.motion.broadleaf.broadleaf_settings import BroadleafSettings
from windflower.motion.broadleaf.constants import BroadleafConstants

__all__ = ["BroadleafConstants", "BroadleafMotion", "BroadleafSettings", "BroadleafState"]
