"""Drawn leaf area: what is drawn of a plant's leaves is as large as what the wind feels, at every level of detail."""

import numpy as np
import pytest

from windflower import grow
from windflower.core.arrays import FloatArray
from windflower.geometry.leaf_textures import leaf_mask
from windflower.geometry.lod_meshes import plant_meshes
from windflower.geometry.mesh import Mesh
from windflower.geometry.sprigs import VARIANTS, sprig_points
from windflower.mechanics.foliage import leaf_area, leaf_of

QUICK = ["oak", "scots-pine", "silver-birch", "walnut"]
SLOW = ["hazel-bush", "lombardy-poplar", "palm", "quaking-aspen", "spruce", "weeping-willow"]


def drawn_area(mesh: Mesh) -> float:
    """Sum of the areas of all triangles, times the share of each that its picture covers, m²."""
    leaf = leaf_of(mesh.foliage.plant)
    mask, sprig = leaf_mask(leaf.shape, leaf.aspect), mesh.sprig
    alpha = mask.levels[0][sprig.layer, ..., 3] / 255
    kite = mask.kite[sprig.layer]
    total = 0.0
    for variant in range(VARIANTS):
        corners = sprig_points(sprig, mask.aspect[sprig.layer], variant, kite - [0.5, 0.0])
        area = sum(triangles(corners[:, part]).sum() for part in ([0, 1, 2], [2, 1, 3]))
        flat = sum(triangles(np.column_stack([kite[part], np.zeros(3)])[None])[0] for part in ([0, 1, 2], [2, 1, 3]))
        slots = mesh.leaves["size"][mesh.leaves["number"] % VARIANTS == variant].astype(np.float64)
        total += float(area * alpha.mean() / flat * (slots**2).sum())
    return total


def triangles(corner: FloatArray) -> FloatArray:
    """(n,) areas of triangles (n, 3, 3)."""
    return np.linalg.norm(np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0]), axis=1) / 2


@pytest.mark.parametrize("species", [*QUICK, *(pytest.param(name, marks=pytest.mark.slow) for name in SLOW)])
def test_drawn_leaves_have_the_area_that_the_wind_feels_at_every_level(species: str) -> None:
    plant = grow(species, detail=0.2)
    wanted = float(leaf_area(plant).sum())
    for mesh in plant_meshes(plant).meshes:
        assert drawn_area(mesh) == pytest.approx(wanted, rel=0.05)
