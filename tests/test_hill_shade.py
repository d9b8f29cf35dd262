"""Hills that shade themselves and what stands on them: the map on the device against rays over the height field."""

import numpy as np
import pytest
from scipy.ndimage import map_coordinates

from windflower.core.arrays import FloatArray
from windflower.core.device import Gpu
from windflower.render.daylight import daylight
from windflower.render.frame import Around, Drawables, Frame
from windflower.render.frame_uniforms import SUN_RADIUS
from windflower.render.hill_shade import HillShade
from windflower.render.quality import Quality
from windflower.render.renderer import Renderer
from windflower.scene import Ground, View
from windflower.scene.sun import direction_to
from windflower.scene.terrain import Terrain, TerrainSettings, terrain_of

LAND = terrain_of(TerrainSettings(height=90, spacing=300, size=800, seed=3), seed=1)
NO_PLANTS = (np.array([1e5, 0.0, 0.0]), 10.0, 5.0)  # bounds of their shadows


def visible_sun(land: Terrain, point: FloatArray, azimuth: float, elevation: float) -> float:
    """Own ray march: share of the sun's disc, in nine strips from its lower to its upper rim, that hills leave."""
    away = np.arange(2.0, 1500.0, 1.0)
    flat = direction_to(azimuth, 0.0)[[0, 2]]
    rise = np.max((land.height(point[[0, 2]] + away[:, None] * flat) - point[1]) / away)
    strips = (np.arange(9) + 0.5) / 4.5 - 1
    shown = np.tan(np.radians(elevation) + SUN_RADIUS * strips) > rise
    return float(np.average(shown, weights=np.sqrt(1 - strips**2)))


def light_of(shade: HillShade, land: Terrain, points: FloatArray) -> FloatArray:
    """Share of the sun (n,) that the map leaves to points (n, 3): own reading of it, between its texels."""
    texels = shade.texels().astype(float)
    at = (points[:, [2, 0]] / land.size + 0.5) / 2 * len(texels)
    upper, lower, ground = (map_coordinates(texels[..., k], at.T, order=1, mode="grid-wrap") for k in range(3))
    t = np.clip((points[:, 1] - ground - upper) / (lower - upper), 0, 1)
    return np.asarray(t * t * (3 - 2 * t))


@pytest.mark.parametrize(("azimuth", "elevation"), [(250.0, 12.0), (95.0, 6.0), (340.0, 25.0)])
def test_the_map_of_hill_shade_is_that_of_rays_over_the_height_field(
    gpu: Gpu, azimuth: float, elevation: float
) -> None:
    shade = HillShade(gpu)
    shade.write(LAND, direction_to(azimuth, elevation), SUN_RADIUS)
    rng = np.random.default_rng(1)
    flat = rng.uniform(-1100, 1100, (250, 2))  # the land ends at 400 m and is mirrored from there on
    above = rng.choice([0.0, 0.0, 2.0, 15.0], 250)
    points = np.column_stack([flat[:, 0], LAND.height(flat) + above, flat[:, 1]])
    own = np.array([visible_sun(LAND, point, azimuth, elevation) for point in points])
    found = light_of(shade, LAND, points)
    assert 0.04 < (own < 0.5).mean() < 0.96, "hills shade some of it and not all"
    assert (np.abs(found - own) < 0.3).mean() > 0.96


def test_a_shadow_of_a_ridge_is_softer_the_farther_from_it(gpu: Gpu) -> None:
    """Height over which the disc comes up behind an edge: its angle times the distance."""
    at = np.linspace(-512, 512, 257)
    land = Terrain(np.tile(np.where(at > 200, 60.0, 0.0), (257, 1)), 1024.0)
    shade = HillShade(gpu)
    shade.write(land, direction_to(90.0, 10.0), SUN_RADIUS)

    def penumbra(x: float) -> float:
        heights = np.linspace(0, 60, 3001)
        light = light_of(shade, land, np.column_stack([np.full(3001, x), heights, np.zeros(3001)]))
        return float(((light > 0.1) & (light < 0.9)).sum() * 0.02)

    near, far = penumbra(150.0), penumbra(-50.0)
    assert far == pytest.approx(5 * near, rel=0.25)
    # A disc of 0.54° is 0.1 to 0.9 visible over 0.69 of its height.
    assert far == pytest.approx(0.65 * 2 * SUN_RADIUS * 250 / np.cos(np.radians(10)) ** 2, rel=0.25)


def test_the_picture_has_a_hills_shadow_where_rays_have_it(gpu: Gpu) -> None:
    """Sand seen from above: bright where the sun is seen, and no brighter than sky light elsewhere."""
    azimuth, elevation, size = 250.0, 10.0, (120, 120)
    renderer = Renderer(gpu, size, Quality(10_000, 64, 1, grass=0))
    ground = Ground("sand", (0.4, 0.4, 0.4), 2000.0, terrain=LAND)
    view = View(np.array([0.0, 900.0, 0.5]), np.zeros(3), 40.0, np.array([0.0, 0.0, -1.0]))
    light = daylight(direction_to(azimuth, elevation), clouds=0.0, haze=1e6)
    renderer.draw(Frame(view, light, 0.0, Around(ground, np.zeros(3)), Drawables(), NO_PLANTS))
    picture = renderer.read().astype(float).mean(axis=2)
    flat = np.random.default_rng(2).uniform(-280, 280, (600, 2))
    points = np.column_stack([flat[:, 0], LAND.height(flat), flat[:, 1]])
    clip = np.column_stack([points, np.ones(600)]) @ renderer.projection(view).T
    column, row = ((clip[:, :2] / clip[:, 3:] * (0.5, -0.5) + 0.5) * size).astype(int).T
    sun = np.array([visible_sun(LAND, point, azimuth, elevation) for point in points])
    slope = np.stack([LAND._read(LAND.gradient[..., k], flat) for k in range(2)], axis=1)
    facing = np.column_stack([-slope[:, 0], np.ones(600), -slope[:, 1]]) @ light.sun
    seen = picture[row, column]
    lit, dark = seen[(sun == 1) & (facing > 0.12)], seen[sun == 0]
    assert min(len(lit), len(dark)) > 60
    between = (np.median(lit) + np.median(dark)) / 2
    assert np.median(lit) > 1.5 * np.median(dark)
    assert (lit > between).mean() > 0.93
    assert (dark < between).mean() > 0.93


def test_a_sun_that_stands_still_makes_no_new_map_and_one_that_moves_does(gpu: Gpu) -> None:
    shade = HillShade(gpu)
    assert shade.write(LAND, direction_to(200.0, 8.0), SUN_RADIUS), "another texture than on level ground"
    first = shade.texels().copy()
    assert not shade.write(LAND, direction_to(200.0, 8.02), SUN_RADIUS)
    assert np.array_equal(shade.texels(), first)
    shade.write(LAND, direction_to(200.0, 12.0), SUN_RADIUS)
    assert (shade.texels()[..., 0] < first[..., 0]).mean() > 0.9, "a higher sun throws shorter shadows"
    assert shade.write(None, direction_to(200.0, 12.0), SUN_RADIUS)
