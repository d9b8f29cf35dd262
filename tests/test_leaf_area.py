"""Drawn leaf area: what is drawn of a plant's leaves is as large as what the wind feels, at every level of detail."""

import numpy as np
import pytest
from scipy.ndimage import distance_transform_edt

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


@pytest.mark.parametrize(("aspect", "widest"), [(0.55, (0.02, 0.02, 0.03, 0.04)), (0.8, (0.02, 0.03, 0.04, 0.055))])
def test_needles_stay_thin_on_every_card(aspect: float, widest: tuple[float, ...]) -> None:
    """Half the width of nine tenths of what a card shows, over a shoot's length; narrow leaves have 0.09 and more."""
    mask = leaf_mask("needles", aspect)
    for layer, most in enumerate(widest):
        shown = mask.levels[0][layer, ..., 3] > 127
        within = distance_transform_edt(shown)[shown] / len(shown) * mask.leaf_lengths[layer]
        assert np.quantile(within, 0.9) < most


@pytest.mark.parametrize("species", ["spruce", "scots-pine", pytest.param("silver-birch", marks=pytest.mark.slow)])
@pytest.mark.parametrize("detail", [0.03, 0.25])
def test_tops_are_in_leaf_on_few_nodes_too(species: str, detail: float) -> None:
    plant = grow(species, detail=detail)
    leaves = plant.leaves
    height = (plant.position[leaves.node] - (1 - leaves.place)[:, None] * plant.vector[leaves.node])[:, 1]
    area = leaves.size**2
    assert area[height > 0.95 * plant.height].sum() > 0.002 * area.sum()
    assert height.max() > 0.97 * plant.height
