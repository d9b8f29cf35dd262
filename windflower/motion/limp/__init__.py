"""Limp shoots and fronds: chains of flat springs in weight and wind, over the motion of the wood that bears them.

    posed wood, followed wind ──drape──> the same points with limp axes where weight, drag and bending balance

chains       limp axes as chains: lengths, springs, weights, drag; drape  their shape in a wind; limp.wgsl  its twin
following    how chains follow the wind: an oscillator for tip and base of each; its only state; follow.wgsl  its twin
limp_motion  any motion with limp axes on top; limp_twin  the same on the device

The shape is an equilibrium at every moment, in the wind as a damped oscillator of the chain's own frequency feels it.
So steps of any length in any storm are stable, nothing curls up, and a loop closes.
"""

from windflower.motion.limp.chains import Chains, chains_of
from windflower.motion.limp.limp_motion import LimpMotion, hung

__all__ = ["Chains", "LimpMotion", "chains_of", "hung"]
