"""A small data set for tests."""

from pathlib import Path
from typing import Any

from windflower.batch import Recipe, parse_recipe

SMALL = """
samples = 12
shard = 5
[scene]
seconds = 0.1
fps = 10
size = [32, 24]
quality = { level = "draft" }
ground = { kind = "none" }
wind = { speed = { uniform = [2, 14] } }
[[scene.stands]]
plant = { choose = ["palm", "hazel-bush"] }
detail = 0.05
motion = "cantilever"
"""


def small(**changes: Any) -> Recipe:
    return parse_recipe(SMALL).model_copy(update=changes)


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}
