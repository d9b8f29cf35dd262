"""Procedural motion everywhere, physics where a hand is (Di Giacomo, Capo & Faure 2001).

hybrid_motion      the NumPy model; state  what changes from step to step, and the poses that follow from it
joints             two axes at the base of every segment; joint_poses  turns from root to tips
force_response     procedural angles in a wind; fades, animation_levels  how much of a tree moves
physical_branches  which branches a hand makes physical, and how they go back
branch_physics     one step of them; articulated, branch_laws, joint_hands  inertia, springs and hands
branch_kinds       how each branch moves just now, for overlays and counts
pushing            a figure that pushes branches aside
block_stand        a stand of different trees; hybrid_settings  keys in a scene file
hybrid_twin        the same on the device, by hybrid_kernels; registered as "hybrid"
"""

from windflower.motion.hybrid.block_stand import BlockStand
from windflower.motion.hybrid.hybrid_motion import HybridMotion
from windflower.motion.hybrid.hybrid_settings import HybridSettings
from windflower.motion.hybrid.state import HybridState

__all__ = ["BlockStand", "HybridMotion", "HybridSettings", "HybridState"]
