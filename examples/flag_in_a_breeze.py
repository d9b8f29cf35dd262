"""A flag and its pole as one structure: the stronger the wind that stretches it, the faster it waves."""

import numpy as np

from windflower import SpectralMotion, analyse_structure, pole_wake
from windflower.mechanics.objects import flag

first = {speed: analyse_structure(flag(wind=speed), count=10, cache=False).frequency[0] for speed in (3.0, 6.0, 12.0)}
for speed, frequency in first.items():
    print(f"drawn out by {speed:.0f} m/s: {frequency:.2f} Hz")

structure = flag(wind=6.0)
motion = SpectralMotion(analyse_structure(structure, count=30, cache=False), period=6, wind=pole_wake(6.0, 1.8))
fly = structure.sheets[0].node[:, -1]
sway = np.stack([motion.at(t)[fly, 2] for t in np.linspace(0, 6, 60, endpoint=False)])
print(f"its fly end waves {100 * sway.std():.0f} cm rms from side to side")

assert first[3.0] < first[6.0] < first[12.0]
assert 0.01 < sway.std() < 1.0
