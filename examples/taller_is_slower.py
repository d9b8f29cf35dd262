"""How the size of a tree sets the pace of its sway.

The same birch, half as large and twice as large: thickness goes with height, so frequencies go with one over the size.
"""

import numpy as np

from windflower import Plant, analyse, grow

birch = grow("silver-birch", seed=2, detail=0.2)
first = {}
for size in (0.5, 1.0, 2.0):
    tree = Plant(
        parent=birch.parent,
        position=size * birch.position,
        radius=size * birch.radius,
        base_radius=size * birch.base_radius,
    )
    first[size] = analyse(tree, count=5, wood="birch", gravity=False, roots="clamped", cache=False).frequency[0]
    print(f"{tree.height:5.1f} m high: {first[size]:.3f} Hz")

assert np.allclose([first[0.5] / first[1.0], first[1.0] / first[2.0]], 2.0, rtol=1e-3)
