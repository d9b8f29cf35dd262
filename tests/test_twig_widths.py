"""Twigs of coarse levels of detail are drawn so wide that wood covers as much as at the finest one."""

import numpy as np
import pytest

from windflower import grow
from windflower.geometry.lod_meshes import plant_meshes
from windflower.geometry.twig_widths import MOST, TwigWidths
from windflower.plant.graph import Plant
from windflower.plant.levels import levels_of


def area(plant: Plant, widths: TwigWidths) -> float:
    """What wood covers as it is drawn, seen from aside, m²."""
    own = plant.segments
    wide = (plant.base_radius + plant.radius)[own] * (1 + widths.more * widths.share(plant))
    return float((wide * plant.length[own]).sum())


@pytest.mark.parametrize("species", ["silver-birch", "oak", "spruce", "walnut"])
def test_wood_covers_as_much_at_every_level(species: str) -> None:
    plant = grow(species, seed=2, detail=0.3)
    levels, meshes = levels_of(plant), plant_meshes(plant).meshes
    whole = area(plant, meshes[0].twigs)
    assert meshes[0].twigs.more == 0
    assert area(levels[2].plant, TwigWidths()) < 0.75 * whole
    for level, mesh in zip(levels[1:], meshes[1:], strict=True):
        if mesh.twigs.more < MOST:
            assert area(level.plant, mesh.twigs) == pytest.approx(whole, rel=1e-6)


def test_trunks_and_boughs_keep_their_width() -> None:
    plant = grow("oak", seed=2, detail=0.3)
    twigs = plant_meshes(plant).meshes[2].twigs
    radius = (plant.base_radius + plant.radius)[plant.segments] / 2
    assert (twigs.share(plant)[radius > 0.25 * plant.base_radius.max()] == 0).all()
    assert (twigs.share(plant)[radius < 0.04 * plant.base_radius.max()] == 1).all()


def test_a_plant_on_all_of_its_nodes_is_drawn_as_it_is() -> None:
    plant = grow("hazel-bush", seed=1, detail=0.2)
    assert TwigWidths.of(plant, plant).more == 0
    assert np.isfinite(TwigWidths.mean([TwigWidths.of(plant, plant), TwigWidths()])).all()
