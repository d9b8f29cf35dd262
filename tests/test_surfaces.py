"""Sheets as they are drawn: on points that something else has posed, with two sides, and with a shadow."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.buffers import storage, vec4
from windflower.core.device import Gpu
from windflower.geometry.finishes import SheetLook
from windflower.geometry.grids import grid_triangles, grid_vertices
from windflower.render.daylight import daylight, even_light
from windflower.render.drawn import INSTANCE, InstanceBuffer
from windflower.render.frame import Around, Drawables, Frame
from windflower.render.quality import Quality
from windflower.render.renderer import Renderer
from windflower.render.surfaces import DrawnSurface
from windflower.scene import Ground, View
from windflower.scene.camera_table import FixedCamera

SIZE = (160, 120)
SMALL = Quality(triangles=100_000, shadow=1024, samples=1, grass=0)
RED = SheetLook("stripes", colour=(0.4, 0.01, 0.01), second=(0.4, 0.01, 0.01), through=0.0, lines=1.0)
GRIDS = [np.array([[7, 2, 9], [4, 0, 5]]), np.array([[11, 1], [3, 8], [10, 6]])]


def level_sheets(height: float) -> FloatArray:
    """(13, 3) points, numbered without order, of a 2 × 3 grid at the left and a 3 × 2 grid at the right, level."""
    points = np.full((13, 3), 50.0)  # number 12 belongs to neither
    for grid, left in zip(GRIDS, (-3.0, 1.0), strict=True):
        i, j = np.indices(grid.shape)
        width = 2.0 / (grid.shape[1] - 1)
        points[grid] = np.stack([left + j * width, np.full(grid.shape, height), i - 0.5], axis=-1)
    return points


def seen_from_above(
    gpu: Gpu, points: FloatArray, *, sun: tuple[float, float, float], planar: bool = False
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Where the picture of sheets (instances, 13, 3) over pale sand is red, and how bright it is; 1 m is 9 pixels."""
    renderer = Renderer(gpu, SIZE, SMALL, planar=planar)
    surface = DrawnSurface(gpu, renderer.layouts, GRIDS, 13, RED)
    records = np.zeros(len(points), INSTANCE)
    records["place"], records["turn"] = [0, 0, 0, 1], [1, 0, 0.5, 1]
    calm = storage(gpu, np.zeros(4, "<f4"))
    block = InstanceBuffer(gpu, renderer.layouts).block(storage(gpu, vec4(points)), calm, records)
    camera = FixedCamera(kind="fixed", eye=(0, 14, 0), target=(0, 0, 0), field_of_view=50.0)
    view = View.of(np.array(camera.eye), np.array(camera.target), camera)
    around = Around(Ground("sand", (0.5, 0.5, 0.5), 200.0), np.zeros(3))
    light = replace(daylight(np.array(sun), clouds=0.0), ambient=even_light(np.full(3, 0.05)))
    bounds = (np.zeros(3), 12.0, 10.0)
    renderer.draw(Frame(view, light, 0.0, around, Drawables(surfaces=[(surface, block)]), bounds))
    picture = renderer.read().astype(float)
    return picture[..., 0] > 1.5 * picture[..., 1], picture.mean(axis=2)


def box(mask: NDArray[np.bool_]) -> list[int]:
    """First and last column and row of what a mask holds."""
    rows, columns = np.nonzero(mask)
    return [columns.min(), columns.max(), rows.min(), rows.max()]


def test_each_vertex_knows_its_neighbours_and_its_place_in_the_picture() -> None:
    vertices = grid_vertices(GRIDS)
    middle = vertices[vertices["node"] == 2][0]
    assert (middle["sheet"], list(middle["across"]), list(middle["along"])) == (0, [7, 9], [2, 0])
    assert vertices["node"].tolist() == [*GRIDS[0].ravel(), *GRIDS[1].ravel()]
    assert vertices["uv"][[0, 5, 6, 11]].tolist() == [[0, 0], [1, 1], [0, 0], [1, 1]]


def test_triangles_of_different_grids_cover_each_of_them_once() -> None:
    vertices, triangles = grid_vertices(GRIDS), grid_triangles(GRIDS)
    corner = level_sheets(0.0)[vertices["node"][triangles]]
    face = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    assert (face[:, 1] < 0).all()  # across × along
    sheet = vertices["sheet"][triangles]
    assert (sheet == sheet[:, :1]).all()
    area = np.bincount(sheet[:, 0], weights=np.linalg.norm(face, axis=1) / 2)
    np.testing.assert_allclose(area, [2.0, 4.0])


@pytest.mark.parametrize("shifted", [[], [0], [0, 1]])
def test_sheets_lie_where_their_points_are_in_every_instance(gpu: Gpu, shifted: IntArray) -> None:
    """A second instance shows where the first does not hide it: the buffer is read with the stride of an instance."""
    points = np.stack([level_sheets(0.5), level_sheets(0.5)])
    points[shifted, :, 0] += 1.0
    red, _ = seen_from_above(gpu, points, sun=(0.0, 1.0, 0.0))
    left, right = (-3 + (len(shifted) == 2), 3 + (len(shifted) > 0))
    pixel = 13.5 * 2 * np.tan(np.radians(25)) / SIZE[1]
    wanted = [80 + left / pixel, 80 + right / pixel, 60 - 0.5 / pixel, 60 + 1.5 / pixel]
    np.testing.assert_allclose(box(red), wanted, atol=1.5)


def test_both_sides_are_drawn_and_lit(gpu: Gpu) -> None:
    points = level_sheets(0.5)[None]
    mirrored = points * (-1, 1, 1)  # turned over: what was the upper side is the lower
    one, two = (seen_from_above(gpu, shown, sun=(0.0, 1.0, 0.0)) for shown in (points, mirrored))
    assert two[0].sum() == pytest.approx(one[0].sum(), rel=0.05)
    assert two[1][two[0]].mean() == pytest.approx(one[1][one[0]].mean(), rel=0.05)


@pytest.mark.parametrize("planar", [False, True])
def test_a_sheet_casts_its_shadow(gpu: Gpu, planar: bool) -> None:
    slant = np.array([-0.6, 0.8, 0.0])
    red, grey = seen_from_above(gpu, level_sheets(2.0)[None], sun=tuple(slant), planar=planar)
    dark = ~red & (grey < 0.6 * np.median(grey))
    columns = np.flatnonzero(dark.sum(axis=0) > 8)
    pixel = 14 * 2 * np.tan(np.radians(25)) / SIZE[1]
    assert columns.max() == pytest.approx(80 + (3.0 + 2.0 * 0.6 / 0.8) / pixel, abs=2)
