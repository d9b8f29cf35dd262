"""Beams against theory: the tables of every handbook of vibration."""

import numpy as np
import pytest

from windflower.mechanics import Modes, Wood, analyse
from windflower.plant.graph import FloatArray, Plant

STIFF = Wood(E=1e10, density=1000.0, nu=0.3)
RADIUS, LENGTH = 0.01, 1.0
UNIFORM = (3.51602, 22.0345, 61.6972, 120.902, 199.860)


def rod(elements: int, *, ratio: float = 1.0, direction: tuple[float, float, float] = (0, 1, 0)) -> Plant:
    """A straight rod of 1 m whose radius goes from 1 cm to `ratio` times that."""
    place = np.linspace(0, 1, elements + 1)
    return Plant(
        parent=np.arange(-1, elements),
        position=LENGTH * place[:, None] * np.array(direction, float),
        radius=RADIUS * (1 + (ratio - 1) * place),
    )


def bending_frequencies(modes: Modes) -> FloatArray:
    """Each plane's frequencies once: modes that move the tip sideways come in pairs."""
    axis = modes.plant.vector[-1] / modes.plant.length[-1]
    moved = modes.shape[:, -1, :3]
    sideways = moved - (moved @ axis)[:, None] * axis
    bends = np.linalg.norm(sideways, axis=1) > 1e-3 * np.abs(modes.shape[0, -1, :3]).max()
    return modes.frequency[bends][::2]


@pytest.mark.parametrize("direction", [(0, 1, 0), (1, 0, 0), (0.48, 0.6, 0.64)])
def test_uniform_cantilever_has_the_textbook_frequencies(direction: tuple[float, float, float]) -> None:
    modes = analyse(rod(60, direction=direction), count=16, wood=STIFF, gravity=False)
    speed = np.sqrt(STIFF.E / STIFF.density) * RADIUS / 2 / LENGTH**2
    found = 2 * np.pi * bending_frequencies(modes)[:5] / speed
    assert found == pytest.approx(UNIFORM, rel=1e-4)


@pytest.mark.parametrize(
    ("ratio", "constants"),
    [
        (0.5, (4.625, 19.548, 48.58, 91.81)),
        (0.25, (5.823, 18.480, 41.32, 74.94)),
        (0.1, (7.205, 18.68, 37.12)),
    ],
)
def test_cones_have_the_published_frequencies(ratio: float, constants: tuple[float, ...]) -> None:
    modes = analyse(rod(20, ratio=ratio), count=12, wood=STIFF, gravity=False)
    unit = 2 * RADIUS / (8 * np.pi * LENGTH**2) * np.sqrt(STIFF.E / STIFF.density)
    assert bending_frequencies(modes)[: len(constants)] / unit == pytest.approx(constants, rel=2e-3)
