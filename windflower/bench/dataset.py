"""Samples a second of a data set, by who makes it."""

import json
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from windflower.batch import Recipe, Workers, make_dataset, parse_recipe
from windflower.bench import Row
from windflower.errors import WindflowerError
from windflower.scene import build

__all__ = ["bench_dataset"]

WARM = 2  # tasks of one sample each that a worker is handed out at first

RECIPE = """
samples = {samples}
shard = 10
passes = {passes}
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
    samples: int = 40,
    seconds: float = 0.25,
    size: tuple[int, int] = (256, 192),
    workers: tuple[int, ...] = (0, 1, 2),
    passes: tuple[str, ...] = ("rgb",),
) -> Iterator[Row]:
    """Samples and frames a second of small clips of one to four trees, when all workers are warm; 0 is this process."""
    least = WARM * 2 * max(1, *workers)
    if samples < least:
        raise WindflowerError(
            f"to time workers={','.join(map(str, workers))} takes {least} samples, half of which warm them up; "
            f"there are {samples}. Use samples={least} or more."
        )
    recipe = parse_recipe(
        RECIPE.format(samples=samples, seconds=seconds, width=size[0], height=size[1], passes=json.dumps(list(passes)))
    )
    with tempfile.TemporaryDirectory() as folder:
        for number in range(samples):  # modes are in the cache then
            build(recipe.draws(number)[0])
        first = 0.0
        for count in workers:
            row = _measured(recipe, count, Path(folder) / f"{count}")
            first = first or row["samples/s"]
            yield {"workers": count, **row, "times the first": row["samples/s"] / first}


def _measured(recipe: Recipe, count: int, folder: Path) -> Row:
    times: list[float] = []
    begin = time.perf_counter()
    told = make_dataset(
        recipe, folder, workers=Workers(count), told=lambda *_: times.append(time.perf_counter() - begin)
    )
    warm = WARM * max(count, 1)
    rate = (recipe.samples - warm) / (times[-1] - times[warm])
    settings, _ = recipe.draws(0)
    return {
        "samples": recipe.samples,
        "warm after s": times[warm],
        "samples/s": rate,
        "frames/s": rate * max(1, round(settings.seconds * settings.fps)),
        "MB/sample": json.loads(told.read_text())["bytes"] / recipe.samples / 1e6,
    }
