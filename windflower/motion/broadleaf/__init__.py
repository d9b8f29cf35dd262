"""Broad leaves that bend: segments that turn, and blades of mass points (Guo, Li & Feng 2006)."""

from windflower.motion.broadleaf.constants import BroadleafConstants
from windflower.motion.broadleaf.motion import BroadleafMotion, BroadleafState

__all__ = ["BroadleafConstants", "BroadleafMotion", "BroadleafState"]
