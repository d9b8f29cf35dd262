"""Critical winds of trees: at which the stem breaks, and at which the roots give way.

exposure ──> wind by height, gust factor ──┐
Plant, Wood ──> response: moments by wind ─┴─> critical: TreeRisk ──> stand: every tree of a scene, by direction

After ForestGALES (Gardiner, Peltola & Kellomäki 2000; Hale et al. 2015), with the tree itself in place of its
regressions for crown, drag and taper.
"""

from windflower.windthrow.critical import TreeRisk, risk
from windflower.windthrow.exposure import Exposure
from windflower.windthrow.stand import StandRisk, stand_risk

__all__ = ["Exposure", "StandRisk", "TreeRisk", "risk", "stand_risk"]
