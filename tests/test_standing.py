"""Plants of the built-in species stand under their weight, however few nodes they have."""

from dataclasses import replace

import numpy as np
import pytest

from tests.sampled import sampled
from windflower import Plant, grow, species_names
from windflower.errors import MechanicsError
from windflower.mechanics import Wood, analyse
from windflower.plant.graph import Leaves

DETAILS = (0.05, 0.08, 0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1.0)


def stands(name: str, seed: int, detail: float) -> None:
    modes = analyse(grow(name, seed=seed, detail=detail), count=2, cache=False)
    assert modes.frequency[0] > 0.02


@pytest.mark.parametrize("seed", sampled(range(8), 0, 1))
def test_a_hosta_of_few_nodes_stands(seed: int) -> None:
    for detail in (0.05, 0.1, 0.2):
        stands("hosta", seed, detail)


@pytest.mark.parametrize("name", ["lombardy-poplar", "quaking-aspen", "hollyhock"])
def test_a_slender_plant_of_few_nodes_stands(name: str) -> None:
    stands(name, 0, 0.05)


@pytest.mark.slow
@pytest.mark.parametrize("name", species_names())
def test_every_species_stands_at_every_detail(name: str) -> None:
    for detail in DETAILS:
        for seed in range(6):
            stands(name, seed, detail)


def cone(segments: int, ratio: float) -> Plant:
    """An upright shoot of 1 m that tapers evenly to `ratio` times its radius."""
    along = np.linspace(0, 1, segments + 1)
    position = np.stack([0 * along, along, 0 * along], axis=1)
    return Plant(parent=np.arange(-1, segments), position=position, radius=0.006 * (1 - (1 - ratio) * along))


@pytest.mark.parametrize("ratio", [0.5, 0.2, 0.1, 0.05])
def test_two_segments_of_a_cone_sway_as_forty_do(ratio: float) -> None:
    """And their mass and weight are its mass and weight: fewer segments are never slower."""
    soft = Wood(E=4e9, density=500.0)
    few, many = (analyse(cone(n, ratio), count=1, wood=soft, cache=False).frequency[0] for n in (2, 40))
    assert 0 < few / many - 1 < 0.05


def weakest(plant: Plant) -> float:
    """The least E with which a plant stands, Pa."""
    low, high = 1e7, 1e9
    while high / low > 1.04:
        middle = float(np.sqrt(low * high))
        try:
            analyse(plant, count=1, wood=Wood(E=middle, density=1.0), cache=False)
            high = middle
        except MechanicsError:
            low = middle
    return high


@pytest.mark.parametrize("place", [0.55, 0.625])
def test_a_leaf_loads_the_wood_below_its_foot_and_not_the_thin_end_beyond(place: float) -> None:
    """A heavy leaf on a shoot: two segments need as stiff wood as forty."""
    least = []
    for segments in (2, 40):
        node = int(np.ceil(place * segments))
        along = np.array([place * segments - node + 1])
        upright = np.array([[1.0, 0, 0, 0]])
        leaf = Leaves(node=np.array([node]), place=along, orientation=upright, size=np.array([0.5]))
        least.append(weakest(replace(cone(segments, 0.05), leaves=leaf)))
    assert least[0] == pytest.approx(least[1], rel=0.15)
