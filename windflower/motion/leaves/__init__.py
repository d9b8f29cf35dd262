"""The life of leaves on top of any motion: they flutter, change with the season, break off and fall (Yildiz §4).

flutter           how leaves of a species move in the wind; leaf_motion  their angles and places on posed nodes
seasons           colour and size of leaves on a day of the year
shedding          leaves that come off, fall and land; falling  their flight
foliage           what the leaves of a stand do, of all these
leaf_kernels      flutter and seasons on the device, by leaves.wgsl, flutter.wgsl and seasons.wgsl
shedding_kernels  shedding on the device, by shed.wgsl
"""

from windflower.motion.leaves.flutter import Flutter
from windflower.motion.leaves.leaf_motion import LeafMotion
from windflower.motion.leaves.seasons import Season
from windflower.motion.leaves.shedding import Shedding, ShedState

__all__ = ["Flutter", "LeafMotion", "Season", "ShedState", "Shedding"]
