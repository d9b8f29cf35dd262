"""The silhouette of a plant, and the drag of its crown, in leaf and bare."""

import numpy as np
import pytest

from windflower import Leaves, Plant, grow, species_of
from windflower.mechanics import analyse
from windflower.mechanics.foliage import foliage_of
from windflower.mechanics.medium import AIR
from windflower.mechanics.silhouette import frontal_area
from windflower.plant.species.settings import Leaf


def pole(x: float = 0.0, height: float = 3.0, radius: float = 0.1) -> Plant:
    return Plant(parent=[-1, 0], position=[[x, 0, 0], [x, height, 0]], radius=[radius, radius])


def test_the_silhouette_of_a_pole_is_its_width_times_its_height() -> None:
    assert frontal_area(pole(), None) == pytest.approx(3.0 * 0.2, rel=0.04)
    assert frontal_area(pole(), None, gaps=False) == pytest.approx(3.0 * 0.2, rel=0.04)


def test_two_poles_count_apart_and_the_outline_takes_in_the_gap_between_them() -> None:
    both = Plant(
        parent=[-1, 0, -1, 2], position=[[0, 0, 0], [0, 3, 0], [1, 0, 0], [1, 3, 0]], radius=[0.1, 0.1, 0.1, 0.1]
    )
    assert frontal_area(both, None) == pytest.approx(2 * 3.0 * 0.2, rel=0.04)
    across = np.mean([abs(np.cos(0.3)), abs(np.sin(0.3))])  # how far apart the two headings see them
    assert frontal_area(both, None, gaps=False) == pytest.approx(3.0 * (0.2 + across), rel=0.04)


def test_leaves_cover_what_their_outline_covers() -> None:
    leaf = Leaf(shape="needles", length=1.0, aspect=0.5, per_metre=1, twig=1)
    bare = pole(radius=1e-3)
    upright = Leaves(node=np.array([1]), place=np.array([0.3]), orientation=np.array([[0, 0, 0, 1.0]]), size=np.ones(1))
    leafy = Plant(parent=bare.parent, position=bare.position, radius=bare.radius, leaves=upright)
    more = frontal_area(leafy, leaf) - frontal_area(bare, None)
    seen = np.mean([abs(np.cos(0.3)), abs(np.sin(0.3))])  # the blade stands in the plane of x and y
    assert more == pytest.approx(np.pi / 4 * 0.5 * seen, rel=0.07)


def test_a_pole_stands_in_nobody_s_lee_and_does_not_streamline() -> None:
    foliage = foliage_of(pole(), True, AIR)
    assert foliage.wood_drag == pytest.approx(1.1)
    assert foliage.streamlining == 0


def test_a_level_branch_catches_the_wind_across_it_alone() -> None:
    """The mean of sin³ over the horizon is 4/(3π)."""
    level = Plant(parent=[-1, 0], position=[[0, 0, 0], [3, 0, 0]], radius=[0.1, 0.1])
    assert foliage_of(level, True, AIR).wood_drag == pytest.approx(1.1 * 4 / (3 * np.pi), rel=2e-3)


@pytest.mark.parametrize("name", ["silver-birch", "spruce"])
def test_a_crown_in_leaf_has_its_published_drag_on_its_silhouette(name: str) -> None:
    plant, species = grow(name, detail=0.1), species_of(name)
    modes = analyse(plant, count=1, cache=False)
    for speed in (10.0, 20.0):
        caught = modes.cell_area.sum() * modes.streamlined(speed)
        law = species.air.drag * speed**-species.air.streamlining
        assert caught == pytest.approx(law * frontal_area(plant, species.leaf), rel=1e-9)


def test_a_bare_crown_catches_its_share_of_the_drag_area_with_less_lee() -> None:
    plant, air = grow("silver-birch", detail=0.1), species_of("silver-birch").air
    leafy, bare = (analyse(plant, count=1, leaves=leaves, cache=False) for leaves in (True, False))
    wood = leafy.conditions.system(plant, leafy.wood).foliage.wood_drag
    alone = bare.conditions.system(plant, bare.wood).foliage.wood_drag
    assert alone > wood  # what leaves kept from it
    front = frontal_area(plant, species_of("silver-birch").leaf)
    whole = -np.log(1 - leafy.cell_area.sum() / front)  # Beer: S/A of the crown in leaf, and of its wood
    share = wood * ((plant.base_radius + plant.radius) * plant.length).sum() / leafy.cell_area.sum()
    assert bare.cell_area.sum() == pytest.approx(front * (1 - np.exp(-share * whole)), rel=1e-9)
    at_20 = bare.cell_area.sum() * bare.streamlined(20.0) / (leafy.cell_area.sum() * leafy.streamlined(20.0))
    assert 0.3 < at_20 < 0.7
    assert air.porosity < bare.porosity < 1
