"""A tree of which everything is known, and what would be measured on it."""

from pathlib import Path

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.mechanics import Wood
from windflower.mechanics.fit_data import _groups, _visibility
from windflower.mechanics.modes import Conditions
from windflower.mechanics.reduced import Factors, FullPlant, ReducedPlant
from windflower.plant.graph import Plant

WOOD = Wood(E=8e9, density=850, damping=0.04, name="known")
ROOTS = 60_000.0  # N·m/rad
STEM, HEIGHT, ARMS = 12, 14.0, 10
STEP, SECONDS = 0.05, 1200.0


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


def record_of(folder: Path, frequencies: list[float], damping: tuple[float, ...]) -> Path:
    """The file of an accelerometer: oscillators that a wind moves, whose power falls as f^-5/3, and some noise."""
    rng, count = np.random.default_rng(4), round(SECONDS / STEP)
    f = np.fft.rfftfreq(2 * count, STEP)
    total: FloatArray = np.zeros(count)
    for number, (own, ratio) in enumerate(zip(frequencies, damping, strict=True)):
        force = rng.normal(size=(len(f), 2)) @ np.array([1, 1j]) * (1 + f / 0.03) ** (-5 / 6)
        swing = np.fft.irfft(force / (own**2 - f**2 + 2j * ratio * own * f))[:count]
        total += swing / swing.std() * 0.3**number
    total += 0.02 * rng.normal(size=count)
    path = folder / "sway.csv"
    rows = np.column_stack([np.arange(count) * STEP, total])
    path.write_text("time,acceleration\n" + "\n".join(f"{t:.3f},{x:.6g}" for t, x in rows))
    return path
