"""Trees of which everything is known, and what would be measured on them."""

import numpy as np

from windflower.mechanics import Wood
from windflower.mechanics.fit_data import Measured
from windflower.mechanics.fitting import crown_ratio, stem_stiffness
from windflower.mechanics.reduced import Factors, FullPlant
from windflower.mechanics.modes import Conditions
from windflower.plant.graph import Plant

WOOD = Wood(E=8e9, density=850, damping=0.04, name="known")
STEM, HEIGHT, ARMS = 12, 14.0, 10


def topped_stem() -> Plant:
    """A tapered stem of 14 m with ten short, stout arms in its upper half: its crown, which sways with it."""
    up = np.linspace(0, 1, STEM + 1)
    position = [np.outer(up * HEIGHT, (0, 1, 0))]
    parent, radius = [np.arange(-1, STEM)], [0.11 * (1 - 0.7 * up)]
    for arm in range(ARMS):
        node, angle = 6 + arm // 2, 2.4 * arm
        position.append(position[0][node] + 0.6 * np.array([[np.cos(angle), 0.3, np.sin(angle)]]))
        parent.append(np.array([node]))
        radius.append(np.array([0.05]))
    return Plant(parent=np.concatenate(parent), position=np.concatenate(position), radius=np.concatenate(radius))


def conditions_of(plant: Plant, roots: float) -> Conditions:
    none = np.zeros(plant.nodes)
    return Conditions(leaves=1.0, gravity=True, roots=roots, medium="air", point_mass=none, point_lift=none)
