"""Benchmarks: speed on this machine, beside the papers' numbers.

timing   how long work takes, and steps a second of a motion
report   all benchmarks in one run, with the machine they ran on
others   the benchmarks

A benchmark is a function with keyword options that returns or yields rows, and one entry of `BENCHMARKS`.
`python -m windflower.bench NAME OPTION=VALUE` runs one without the libraries of the command line.
"""

import inspect
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pkgutil import resolve_name
from typing import Any

from windflower.errors import WindflowerError

__all__ = ["BENCHMARKS", "Benchmark", "Row"]

Row = dict[str, Any]
"""A row of a table: values by column; None where nothing was measured or published."""


@dataclass(frozen=True)
class Benchmark:
    """A benchmark that is imported when it runs.

    about       what its table shows, and whose number stands beside it
    measure     where its function is, as "module:function"
    quick       options with which it takes seconds on two cores and a software driver
    everywhere  whether it belongs to a run of all benchmarks
    """

    about: str
    measure: str
    quick: Mapping[str, Any] = field(default_factory=dict)
    everywhere: bool = True

    def rows(self, **options: Any) -> Iterator[Row]:
        """Measure, and yield the rows as they come."""
        yield from resolve_name(self.measure)(**options)

    def options(self, words: Iterable[str]) -> dict[str, Any]:
        """The function's options from words like `seconds=0.5`, `size=1920x1080` or `trees=500,1000`."""
        known = inspect.signature(resolve_name(self.measure)).parameters
        found = {}
        for word in words:
            name, _, text = word.partition("=")
            if name not in known or not text:
                options = ", ".join(f"{option}=…" for option in known) or "none"
                raise WindflowerError(f"this benchmark's options are {options}; '{word}' is not one of them.")
            several = any(kind in str(known[name].annotation) for kind in ("tuple", "Sequence"))
            found[name] = _values(text) if several else _value(text)
        return found


def _values(text: str) -> tuple[Any, ...]:
    """`1920x1080` and `500,1000` as tuples; `none` is an empty one."""
    if text == "none":
        return ()
    width, _, height = text.partition("x")
    sized = width.isdigit() and height.isdigit()
    return tuple(_value(part) for part in ((width, height) if sized else text.split(",")))


def _value(text: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


SCENES = (
    "birch-grove",
    "flags",
    "forest",
    "kelp",
    "oak-in-a-storm",
    "palms-in-a-gale",
    "spectral-forest",
    "walnut-in-a-breeze",
    "willow-by-the-water",
)
"""Scenes that a software driver draws in seconds."""

BENCHMARKS: dict[str, Benchmark] = {
    "forest": Benchmark(
        "steps a second of forests of a walnut, 25 modes; paper: Diener et al. 2009, Table 1, GeForce 8800 GTS",
        "windflower.bench.forest:bench_forest",
        {"most": 2_000_000, "seconds": 0.5},
    ),
    "frames": Benchmark(
        "frames a second of a forest, 3,437 nodes a tree; paper: Diener et al. 2009, Table 2, GeForce 8800 GTS",
        "windflower.bench.forest_draw:bench_frames",
        {"size": (480, 270), "modes": (5, 25)},
    ),
    "forest-draw": Benchmark(
        "frames a second, all trees in full and with levels of detail; paper: Diener et al. 2009, Table 2",
        "windflower.bench.forest_draw:bench_forest_draw",
        {"size": (320, 180), "trees": (10,), "modes": (5,), "scenes": (), "seconds": 0.5},
    ),
    "spectral": Benchmark(
        "loops of trees; paper: Stam 1996, Table 1, 150 MHz R4400",
        "windflower.bench.spectral:bench_spectral",
        {"repeats": 1},
    ),
    "hybrid": Benchmark(
        "steps a second of 256 different trees, one in a hand; paper: Di Giacomo et al. 2001, with drawing",
        "windflower.bench.hybrid:bench_hybrid",
        {"steps": 240},
    ),
    "broadleaf": Benchmark(
        "steps a second of plants with 54 broad leaves; paper: Guo et al. 2006, with drawing, Pentium 4",
        "windflower.bench.broadleaf:bench_broadleaf",
    ),
    "walk": Benchmark(
        "frames a second of 256 different trees as the camera walks; paper: Di Giacomo et al. 2001",
        "windflower.bench.hybrid:bench_walk",
        {"size": (480, 270), "frames": 2},
    ),
    "motions": Benchmark(
        "steps a second of every motion on one small tree at 64 places, and ratios to the first",
        "windflower.bench.motions:bench_motions",
        {"seconds": 0.3},
    ),
    "modes": Benchmark(
        "seconds for 25 modes, beside SciPy's eigsh",
        "windflower.bench.modes:bench_modes",
        {"sizes": (2_000, 8_000, 16_000), "repeats": 2},
    ),
    "poses": Benchmark(
        "steps a second of 1,000 trees of 1,000 nodes on the CPU; paper: Diener et al. 2009, Table 1",
        "windflower.bench.forest:bench_poses",
    ),
    "passes": Benchmark(
        "milliseconds of the passes of a frame, scene by scene",
        "windflower.bench.passes:bench_passes",
        {"size": (480, 270), "names": SCENES},
    ),
    "window": Benchmark(
        "frames a second of a window in which a scene plays, and the resolution that it settles at",
        "windflower.bench.window:bench_window",
        {"seconds": 2.0},
    ),
    "dataset": Benchmark(
        "samples a second of a data set of small clips, made by this process (0) and by workers",
        "windflower.bench.dataset:bench_dataset",
        {"samples": 8, "size": (96, 64), "workers": (0,)},
    ),
    "exports": Benchmark(
        "seconds to write plants of at most 25,000 triangles with a loop of 8 s as .glb, and the size of their files",
        "windflower.bench.exports:bench_exports",
        {"plants": ("silver-birch",)},
    ),
    "growth": Benchmark("seconds to grow plants", "windflower.bench.growth:bench_growth"),
    "wind": Benchmark("points a second that a wind answers", "windflower.bench.wind:bench_wind", {"repeats": 3}),
    "cantilever": Benchmark("flat springs and leaves, times a second", "windflower.bench.cantilever:bench_cantilever"),
    "tuning": Benchmark(
        "steps a second of variants of the pose kernels", "windflower.bench.forest:tune_forest", everywhere=False
    ),
}
"""All benchmarks by name; those with a paper's numbers come first."""
