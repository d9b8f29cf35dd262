"""Benchmarks: each function measures one thing and returns rows.

`report` runs them all, and the command line prints them.
"""

from collections.abc import Callable
from typing import Any

__all__ = ["benchmarks"]


def benchmarks() -> dict[str, Callable[[], list[dict[str, Any]]]]:
    """All benchmarks by name."""
    from windflower.bench.broadleaf import bench_broadleaf
    from windflower.bench.cantilever import bench_cantilever
    from windflower.bench.forest import bench_forest
    from windflower.bench.forest_draw import bench_forest_draw
    from windflower.bench.frames import bench_frames
    from windflower.bench.growth import bench_growth
    from windflower.bench.hybrid import bench_hybrid
    from windflower.bench.modes import bench_modes
    from windflower.bench.passes import bench_passes
    from windflower.bench.poses import bench_poses
    from windflower.bench.spectral import bench_spectral
    from windflower.bench.walk import bench_walk
    from windflower.bench.wind import bench_wind

    return {
        "broadleaf": bench_broadleaf,
        "cantilever": bench_cantilever,
        "forest": bench_forest,
        "forest-draw": bench_forest_draw,
        "frames": bench_frames,
        "growth": bench_growth,
        "hybrid": bench_hybrid,
        "modes": bench_modes,
        "passes": bench_passes,
        "poses": bench_poses,
        "spectral": bench_spectral,
        "walk": bench_walk,
        "wind": bench_wind,
    }
