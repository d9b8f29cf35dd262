"""Pictures of what three.js shows of our files beside our own renderer's, at the same moment of the same loop.

python -m tests.clients.picture_sheet OUT.webp [NAME…]     of all species and objects, or of some
"""

import base64
import io
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from PIL import Image, ImageDraw

from tests.clients.conftest import three_page
from tests.exported_plants import recorded
from windflower import grow
from windflower.export import export
from windflower.mechanics.objects import OBJECTS
from windflower.plant.species import species_names
from windflower.render.film import Film
from windflower.scene import scene_of
from windflower.scene.camera import camera_of
from windflower.scene.camera_table import FixedCamera

SIZE, FINER, ROW = (200, 232), 2, 4  # of a picture, pixels, and times as many that are drawn; pairs in a row
SECONDS, MOMENT = 4.0, 1.3  # of the loop, and at which it is shown, s
HALF = np.tan(np.radians(20))  # of the field of view, as three.js has it
DETAIL = 0.4


def pair(name: str, page: Any, folder: Path) -> Image.Image:
    """What three.js shows on the left, and our renderer on the right."""
    subject = scene_of(name) if name in OBJECTS else grow(name, detail=DETAIL)
    (stands,) = recorded(subject, seconds=SECONDS).values()
    scene = scene_of(subject).with_stands(stands)
    low, high = scene.bounds.low, scene.bounds.high
    target = 0.5 * (low + high)
    across = max(high[1] - low[1], (high[0] - low[0]) * SIZE[1] / SIZE[0], 0.3)
    eye = target + np.array([0.0, 0.08 * across, 0.62 * across / HALF])
    fixed = FixedCamera(kind="fixed", eye=tuple(eye), target=tuple(target))
    camera, size = camera_of(fixed, scene.bounds, SECONDS, SIZE[0] / SIZE[1]), (SIZE[0] * FINER, SIZE[1] * FINER)
    ours = Film(replace(scene, camera=camera), size=size)
    export(subject, folder / f"{name}.glb", seconds=SECONDS, fps=10, joints=64)
    words = [f"/files/{name}.glb", 0, MOMENT, eye.tolist(), target.tolist(), list(size)]
    shown = page.evaluate("words => picture(...words)", words)
    theirs = Image.open(io.BytesIO(base64.b64decode(shown.split(",")[1]))).convert("RGB")
    both = Image.new("RGB", (2 * SIZE[0] + 2, SIZE[1] + 16), "white")
    for number, picture in enumerate((theirs, Image.fromarray(ours.frame(MOMENT)))):
        both.paste(picture.resize(SIZE, Image.Resampling.LANCZOS), (number * SIZE[0], 0))
    ImageDraw.Draw(both).text((4, SIZE[1] + 2), name, fill="black")
    return both


def sheet(pairs: Sequence[Image.Image]) -> Image.Image:
    """All pairs, row by row."""
    width, height = pairs[0].size
    whole = Image.new("RGB", (ROW * width, -(-len(pairs) // ROW) * height), "white")
    for number, one in enumerate(pairs):
        whole.paste(one, (number % ROW * width, number // ROW * height))
    return whole


def main(out: str, *names: str) -> None:
    with TemporaryDirectory() as folder, three_page(Path(folder)) as page:
        pairs = [pair(name, page, Path(folder)) for name in names or (*species_names(), *OBJECTS)]
    sheet(pairs).save(out, quality=72, method=6)


if __name__ == "__main__":
    main(*sys.argv[1:])
