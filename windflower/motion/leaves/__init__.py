"""The life of leaves on top of any motion: they flutter, change with the season, break off and fall (Yildiz §4)."""

from windflower.motion.leaves.flutter import Flutter
from windflower.motion.leaves.leaf_motion import LeafMotion
from windflower.motion.leaves.seasons import Season
from windflower.motion.leaves.shedding import Shedding, ShedState

__all__ = ["Flutter", "LeafMotion", "Season", "ShedState", "Shedding"]
