"""Twigs of coarse levels of detail are drawn so wide that wood covers as much as at the finest one."""

import numpy as np
import pytest

from windflower import grow
from windflower.core.arrays import FloatArray
from windflower.geometry.lod_meshes import plant_meshes
from windflower.geometry.twig_widths import MOST, twig_widths
from windflower.plant.graph import Plant
from windflower.plant.levels import levels_of


def area(plant: Plant, widths: FloatArray | float) -> float:
    """What wood covers that is drawn so much wider, seen from aside, m²."""
    own, wide = plant.segments, (plant.base_radius + plant.radius) * widths
    return float((wide * plant.length)[own].sum())


@pytest.mark.parametrize("species", ["silver-birch", "oak", "spruce", "walnut"])
def test_wood_covers_as_much_at_every_level(species: str) -> None:
    plant = grow(species, seed=2, detail=0.3)
    levels, whole = levels_of(plant), area(plant, 1.0)
    assert area(levels[2].plant, 1.0) < 0.75 * whole
    for level in levels[:3]:
        assert area(level.plant, twig_widths(plant, level.plant)) == pytest.approx(whole, rel=1e-6)
    widths = twig_widths(plant, levels[3].plant)  # of the few that are left, none is wider than `MOST` allows
    assert widths.max() <= 1 + MOST
    assert 0.7 * whole < area(levels[3].plant, widths) < 1.001 * whole


def test_trunks_and_boughs_keep_their_width() -> None:
    plant = grow("oak", seed=2, detail=0.3)
    shown = levels_of(plant)[2].plant
    widths, radius = twig_widths(plant, shown), (shown.base_radius + shown.radius) / 2
    assert (widths[radius > 0.25 * plant.base_radius.max()] == 1).all()
    assert (widths[radius < 0.04 * plant.base_radius.max()] == widths.max()).all()
    assert widths.max() > 1.5


def test_meshes_have_the_widths_of_their_level() -> None:
    plant = grow("hazel-bush", seed=1, detail=0.2)
    meshes, levels = plant_meshes(plant).meshes, levels_of(plant)
    assert (meshes[0].segments["width"][:, 0] == 1).all()
    wide = np.sort(twig_widths(plant, levels[1].plant)[levels[1].plant.segments])
    np.testing.assert_allclose(np.sort(meshes[1].segments["width"][:, 0]), wide, rtol=1e-6)
