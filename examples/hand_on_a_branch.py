"""Take hold of a limb, pull it half a metre down, and let go: it follows, and then rings."""

import numpy as np

from windflower import ModalMotion, Places, Touch, analyse, grow

modes = analyse(grow("walnut", seed=3, detail=0.2), count=30)
motion, places, calm = ModalMotion(modes), Places(), np.zeros((1, 1, 3))
limb = int(np.flatnonzero(modes.plant.order == 1)[30])
foot = int(modes.plant.segments[0])
hand = Touch(node=limb, target=modes.plant.position[limb] - [0, 0.5, 0])

state, heights, trunk = motion.rest(places), [], []
for frame in range(360):
    state = motion.step(state, calm, 1 / 60, touch=hand if frame < 120 else None)
    points = motion.pose(state)[0]
    heights.append(points[limb, 1] - modes.plant.position[limb, 1])
    trunk.append(np.linalg.norm(points[foot] - modes.plant.position[foot]))

print(f"held it hangs {100 * -heights[119]:.0f} cm lower; then it swings up to {100 * max(heights[120:]):.0f} cm")
assert -0.5 < heights[119] < -0.35  # a hand nine times as stiff as the limb
assert max(heights[120:]) > 0.02  # it overshoots
assert np.abs(heights[-30:]).max() < np.abs(heights[120:150]).max()  # and dies down
assert max(trunk) < 0.02  # the trunk hardly notices
