"""The cheapest motion: flat springs, which need no analysis and no small step. Twice as stiff bends half as far."""

import numpy as np

from windflower import CantileverMotion, Places, grow

motion = CantileverMotion(grow("weeping-willow", detail=0.1), swing=0.0)
places = Places(np.zeros((2, 3)), stiffness=[1.0, 2.0])
air = np.tile([0.5, 0.0, 0.0], (2, 1, 1))  # a light air, in which bends are small
angles = motion.angles(motion.settled(places, air))
soft, stiff = np.abs(angles).max(axis=1)
print(f"largest bend {np.degrees(soft):.2f}° and {np.degrees(stiff):.2f}°")

assert np.isclose(np.median(angles[0][angles[0] > 1e-6] / angles[1][angles[0] > 1e-6]), 2.0, rtol=0.05)

state = motion.rest(Places())
for _ in range(10):  # ten steps of half a second in a hurricane
    state = motion.step(state, np.full((1, 1, 3), [40.0, 0.0, 0.0]), 0.5)
assert np.isfinite(motion.pose(state)).all()
