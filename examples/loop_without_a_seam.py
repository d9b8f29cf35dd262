"""A birch that sways for ten seconds and then does exactly the same again."""

import numpy as np

from windflower import SpectralMotion, analyse, grow

motion = SpectralMotion(analyse(grow("silver-birch", detail=0.05), cells=2), period=10, speed=6, seed=1)
frames = motion.at(motion.frame_times(24))  # (240, nodes, 3) m
jump = np.abs(motion.at(10.0) - frames[0]).max()
step = np.abs(np.diff(frames, axis=0)).max()
print(f"{len(frames)} frames; from one to the next up to {1000 * step:.1f} mm, at the seam {1000 * jump:.1e} mm")

assert jump < 1e-9
assert np.abs(frames[0] - frames[-1]).max() < 2 * step
