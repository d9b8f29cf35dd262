"""Blades and sheets as grids of points: vertices with their neighbours, triangles, and corners with smooth normals."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.layouts import layout
from windflower.mechanics import Sheet

__all__ = ["VERTEX", "Corners", "grid_corners", "grid_triangles", "grid_vertices", "sheet_grids"]

# The layout of `Vertex` in grids.wgsl.
VERTEX = layout("render/wgsl/grids.wgsl", "Vertex")


class Corners(NamedTuple):
    """Vertex positions (count, vertices, 3), m, and unit normals, in the plant's frame."""

    position: FloatArray
    normal: FloatArray


def sheet_grids(sheets: Sequence[Sheet]) -> tuple[IntArray, ...]:
    """Node grids (along, across) of sheets: columns run from the edge that holds a sheet, rows across.

    Two halves that share the edge that holds them, as of a blade or a sign, are one grid, along that edge.
    """
    if len(sheets) == 2 and np.array_equal(sheets[0].node[:, 0], sheets[1].node[:, 0]):
        one, other = (sheet.node for sheet in sheets)
        return (np.concatenate([other[:, :0:-1], one], axis=1),)
    return tuple(sheet.node.T for sheet in sheets)


def grid_vertices(grids: Sequence[IntArray]) -> NDArray[np.void]:
    """Vertices of grids, grid by grid and row by row, each with its neighbours for smooth normals."""
    return np.concatenate([np.zeros(0, VERTEX), *(_vertices(number, grid) for number, grid in enumerate(grids))])


def grid_triangles(grids: Sequence[IntArray]) -> NDArray[np.uint32]:
    """Triangles (triangles, 3) of grids, indexing the vertices of `grid_vertices`."""
    first = np.cumsum([0, *(grid.size for grid in grids)])
    parts = [_triangles(*grid.shape) + start for start, grid in zip(first, grids, strict=False)]
    return np.concatenate([np.zeros((0, 3), np.int64), *parts]).astype("<u4")


def grid_corners(vertices: NDArray[np.void], points: FloatArray, before: float = 0.0) -> Corners:
    """Positions and normals of grid vertices on points (count, nodes, 3), m; twin of `grid_corner` in grids.wgsl.

    before  offset of a sheet from its points along its normal, m
    """
    along, across = (points[:, vertices[way][:, 1]] - points[:, vertices[way][:, 0]] for way in ("along", "across"))
    product = np.cross(across, along)
    size = np.linalg.norm(product, axis=-1, keepdims=True)
    normal = np.where(size > 1e-12, product / np.maximum(size, 1e-12), [0.0, 1.0, 0.0])
    return Corners(points[:, vertices["node"]] + before * normal, normal)


def _vertices(number: int, grid: IntArray) -> NDArray[np.void]:
    along, across = grid.shape
    i, j = np.indices(grid.shape)
    vertices = np.zeros(grid.shape, VERTEX)
    vertices["node"], vertices["sheet"] = grid, number
    for side, step in enumerate((-1, 1)):
        vertices["along"][..., side] = grid[np.clip(i + step, 0, along - 1), j]
        vertices["across"][..., side] = grid[i, np.clip(j + step, 0, across - 1)]
    vertices["uv"] = np.stack([j / (across - 1), i / (along - 1)], axis=-1)
    return vertices.ravel()


def _triangles(along: int, across: int) -> IntArray:
    i, j = np.meshgrid(np.arange(along - 1), np.arange(across - 1), indexing="ij")
    first = (i * across + j).reshape(-1, 1)
    quads = first + np.array([0, 1, across, across, 1, across + 1])
    return quads.reshape(-1, 3)
