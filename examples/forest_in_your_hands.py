"""Eight different trees that move by a formula, and a hand that makes physics of the one that it holds."""

import numpy as np

from windflower import HybridMotion, Places, Touch, Wind, grow, joined

trees = [grow(name, seed=seed, detail=0.05) for seed in range(4) for name in ("oak", "silver-birch")]
block = joined(trees, [[8 * (i % 4), 0, 8 * (i // 4)] for i in range(8)])
motion, places, wind = HybridMotion(block), Places(), Wind.beaufort(5)
limb = int(np.flatnonzero((block.tree == 2) & (block.order == 1))[4])
hand = Touch(node=limb, target=block.position[limb] + [0.4, -0.3, 0.0])

state = motion.rest(places)
for frame in range(60):
    state = motion.step(state, wind.velocity(motion.probes(places), frame / 60), 1 / 60, touch=hand)
points = motion.pose(state)[0]
told = motion.statistics(state)
print(told)

length = np.linalg.norm(points - points[block.parent], axis=1)[block.segments]
assert np.allclose(length, block.length[block.segments], rtol=1e-9)  # no branch stretches
assert 0 < told.physical < 0.2 * len(block.segments)  # physics only where the hand is
assert np.linalg.norm(points[limb] - hand.target) < 0.3
