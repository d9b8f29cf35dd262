"""Broad leaves that bend: segments that turn, and blades of mass points (Guo, Li & Feng 2006).

broadleaf_motion     the NumPy model; step  one sub-step of it
body                 all that is constant of a plant, put together from these:
  constants          the paper's numbers, and options
  segments, rows     stems and mid-ribs, and where the rows of blades are on them
  segment_forces     forces on segments, and the turns of their joints
  blade_points       mass points of blades; blade_forces, blade_lift, eddies  what moves them
  constraints        limits on the bending of blades
  contact, overlap   what keeps them out of stems, the ground and other blades, and which lie over others
broadleaf_settings   its keys in a scene file
broadleaf_twin       the same on the device, by broadleaf_kernels; registered as "broadleaf"
"""

from windflower.motion.broadleaf.broadleaf_motion import BroadleafMotion, BroadleafState
from windflower.motion.broadleaf.broadleaf_settings import BroadleafSettings
from windflower.motion.broadleaf.constants import BroadleafConstants

__all__ = ["BroadleafConstants", "BroadleafMotion", "BroadleafSettings", "BroadleafState"]
