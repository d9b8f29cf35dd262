"""Procedural motion everywhere, physics where a hand is (Di Giacomo, Capo & Faure 2001); `motion` names the parts."""

from windflower.motion.hybrid.block_stand import BlockStand
from windflower.motion.hybrid.hybrid_motion import HybridMotion
from windflower.motion.hybrid.hybrid_settings import HybridSettings
from windflower.motion.hybrid.hybrid_twin import HybridTwin
from windflower.motion.hybrid.state import HybridState
from windflower.motion.registry import MotionKind

__all__ = ["KIND", "BlockStand", "HybridMotion", "HybridSettings", "HybridState"]

KIND = MotionKind(HybridSettings, HybridTwin)
