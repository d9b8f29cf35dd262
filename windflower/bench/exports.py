"""Time to write plants for engines, and the size of their files."""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from windflower.bench import Row
from windflower.export import export
from windflower.plant.growth import grow

__all__ = ["bench_exports"]


def bench_exports(
    *, plants: Sequence[str] = ("silver-birch", "oak", "spruce"), triangles: int = 25_000, seconds: float = 8.0
) -> Iterator[Row]:
    """Growing, recording, fitting and writing a plant with a loop as .glb, at most so many triangles."""
    with TemporaryDirectory() as folder:
        for name in plants:
            path, begin = Path(folder) / f"{name}.glb", time.perf_counter()
            what, error = export(grow(name), path, triangles=triangles, seconds=seconds)
            yield {
                "plant": name,
                "what": what,
                "MB": path.stat().st_size / 1e6,
                "seconds": time.perf_counter() - begin,
                "error": error.split(": ")[1],
            }
