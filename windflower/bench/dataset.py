"""Samples a second of a data set, by who makes it."""

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from windflower.batch import Recipe, Workers, make_dataset, parse_recipe
from windflower.bench import Row

__all__ = ["bench_dataset"]

RECIPE = """
samples = {samples}
shard = 10
[scene]
seconds = {seconds}
fps = 24
size = [{width}, {height}]
quality = {{ level = "draft" }}
wind = {{ speed = {{ uniform = [2, 14] }} }}
sun = {{ hour = {{ uniform = [7, 19] }} }}
[[scene.stands]]
plant = {{ choose = ["oak", "silver-birch", "spruce"] }}
seed = {{ whole = [0, 9] }}
detail = 0.2
count = {{ whole = [1, 4] }}
area = {{ kind = "circle", radius = 12 }}
"""


def bench_dataset(
    samples: int = 20, seconds: float = 0.25, size: tuple[int, int] = (256, 192), workers: tuple[int, ...] = (0, 1, 2)
) -> Iterator[Row]:
    """Samples and frames a second of small clips of one to four trees, from the first finished sample on."""
    recipe = parse_recipe(RECIPE.format(samples=samples, seconds=seconds, width=size[0], height=size[1]))
    with tempfile.TemporaryDirectory() as folder:
        make_dataset(recipe, Path(folder) / "before")  # modes are in the cache then
        for count in workers:
            yield {"workers": count, **_measured(recipe, count, Path(folder) / f"{count}")}


def _measured(recipe: Recipe, count: int, folder: Path) -> Row:
    times = [time.perf_counter()]
    make_dataset(recipe, folder, workers=Workers(count), told=lambda *_: times.append(time.perf_counter()))
    first, rate = times[2] - times[0], (recipe.samples - 1) / (times[-1] - times[2])
    settings, _ = recipe.draws(0)
    frames = max(1, round(settings.seconds * settings.fps))
    return {"samples": recipe.samples, "first s": first, "samples/s": rate, "frames/s": rate * frames}
