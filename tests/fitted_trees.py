"""A tree of which everything is known, and what would be measured on it."""

from functools import cache

import numpy as np

from windflower.mechanics import Wood, analyse
from windflower.mechanics.fitting.reduced import Factors, FullPlant, ReducedPlant
from windflower.mechanics.fitting.sightings import _groups, _visibility
from windflower.mechanics.modes import Conditions
from windflower.motion.sway import Sway, sway
from windflower.plant.graph import Plant
from windflower.wind import gusty_wind

WOOD = Wood(E=8e9, density=850, damping=0.04, name="known")
ROOTS = 60_000.0  # N·m/rad
STEM, HEIGHT, ARMS = 12, 14.0, 10
STEP, SECONDS = 0.4, 1200.0


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


def measured_on(plant: Plant) -> Conditions:
    none = np.zeros(plant.nodes)
    return Conditions(leaves=1.0, gravity=True, roots=ROOTS, medium="air", point_mass=none, point_lift=none)


def true_frequencies(factors: Factors) -> list[float]:
    """What sensors on the stem would show, Hz, of a fresh analysis."""
    plant = topped_stem()
    full = FullPlant(plant, WOOD, measured_on(plant))
    squares, shape = ReducedPlant(full, np.zeros((0, plant.nodes, 6))).learn(factors, 30)
    found, seen = np.sqrt(squares) / (2 * np.pi), _visibility(plant, full.spread(shape))
    return [float(found[peak] @ seen[peak] / seen[peak].sum()) for peak in _groups(found, seen)]


@cache
def gusty_sway(seed: int) -> Sway:
    """Twenty minutes of its own motion in a gusty wind of 8 m/s."""
    modes = analyse(topped_stem(), count=2, wood=WOOD, roots=ROOTS, cache=False)
    return sway(modes, gusty_wind(8.0, seed=seed), seconds=SECONDS, dt=STEP, pose="linear")
