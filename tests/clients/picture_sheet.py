"""Pictures of what three.js shows of our files beside our own renderer's, at the same moment of the same loop.

python -m tests.clients.picture_sheet OUT.webp [NAME…]     of all species and objects, or of some
    --kept FOLDER       where single pictures are kept; those that are there are not drawn again
    --side ours|three   draws only these, where another machine has the graphics card or the browser
"""

import argparse
import base64
import io
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
from PIL import Image, ImageDraw

from tests.clients.conftest import three_page
from tests.exported_plants import moving, recorded
from windflower import grow
from windflower.core.arrays import FloatArray
from windflower.export.skinned_glb import SkinnedGlb
from windflower.mechanics.objects import OBJECTS
from windflower.motion.stand import Stand
from windflower.plant.species import species_names
from windflower.render.film import Film
from windflower.scene import Scene, scene_of
from windflower.scene.camera import camera_of
from windflower.scene.camera_table import FixedCamera

SIZE, FINER, ROW = (200, 232), 2, 4  # of a picture, pixels, and times as many that are drawn; pairs in a row
SECONDS, MOMENT = 4.0, 1.3  # of the loop, and at which it is shown, s
HALF = np.tan(np.radians(20))  # of the field of view, as three.js has it
DETAIL, JOINTS = 0.4, 32
DRAWN = (SIZE[0] * FINER, SIZE[1] * FINER)


class View(NamedTuple):
    """What is looked at, from where and to where; and the loop that it plays, as files are made from it."""

    clips: dict[str, tuple[Stand, ...]]
    scene: Scene
    eye: FloatArray
    target: FloatArray


def view_of(name: str) -> View:
    """A species or object in its loop, as large as fits the picture."""
    subject = scene_of(name) if name in OBJECTS else grow(name, detail=DETAIL)
    clips = recorded(subject, seconds=SECONDS)
    scene = scene_of(subject).with_stands(*clips.values())
    low, high = scene.bounds.low, scene.bounds.high
    target = 0.5 * (low + high)
    across = max(high[1] - low[1], (high[0] - low[0]) * SIZE[1] / SIZE[0], 0.3)
    return View(clips, scene, target + np.array([0.0, 0.08 * across, 0.62 * across / HALF]), target)


def ours(view: View) -> Image.Image:
    """What our renderer draws."""
    fixed = FixedCamera(kind="fixed", eye=tuple(view.eye), target=tuple(view.target))
    camera = camera_of(fixed, view.scene.bounds, SECONDS, SIZE[0] / SIZE[1])
    return Image.fromarray(Film(replace(view.scene, camera=camera), size=DRAWN).frame(MOMENT))


def theirs(view: View, page: Any, folder: Path) -> Image.Image:
    """What three.js shows of our file."""
    file = SkinnedGlb("a test", pixels=512)
    file.add(moving(view.clips, fps=10.0, joints=JOINTS), "it")
    (folder / "it.glb").write_bytes(file.whole())
    words = ["/files/it.glb", 0, MOMENT, view.eye.tolist(), view.target.tolist(), list(DRAWN)]
    shown = page.evaluate("words => picture(...words)", words)
    return Image.open(io.BytesIO(base64.b64decode(shown.split(",")[1]))).convert("RGB")


def pair(name: str, kept: Path) -> Image.Image:
    """What three.js shows on the left, and our renderer on the right."""
    both = Image.new("RGB", (2 * SIZE[0] + 2, SIZE[1] + 16), "white")
    for number, side in enumerate(("three", "ours")):
        both.paste(Image.open(kept / f"{name}_{side}.png"), (number * SIZE[0], 0))
    ImageDraw.Draw(both).text((4, SIZE[1] + 2), name, fill="black")
    return both


def sheet(pairs: Sequence[Image.Image]) -> Image.Image:
    """All pairs, row by row."""
    width, height = pairs[0].size
    whole = Image.new("RGB", (ROW * width, -(-len(pairs) // ROW) * height), "white")
    for number, one in enumerate(pairs):
        whole.paste(one, (number % ROW * width, number // ROW * height))
    return whole


def draw(names: Sequence[str], sides: Sequence[str], kept: Path) -> None:
    """Draw the pictures that are not there yet."""
    with ExitStack() as stack:
        files = Path(stack.enter_context(TemporaryDirectory()))
        page = stack.enter_context(three_page(files)) if "three" in sides else None
        for name in names:
            missing = [side for side in sides if not (kept / f"{name}_{side}.png").exists()]
            view = view_of(name) if missing else None
            for side in missing:
                assert view is not None
                picture = ours(view) if side == "ours" else theirs(view, page, files)
                picture.resize(SIZE, Image.Resampling.LANCZOS).save(kept / f"{name}_{side}.png")


def main() -> None:
    words = argparse.ArgumentParser()
    words.add_argument("out")
    words.add_argument("names", nargs="*")
    words.add_argument("--kept", type=Path)
    words.add_argument("--side", choices=("ours", "three"))
    told = words.parse_intermixed_args()
    names = told.names or [*species_names(), *OBJECTS]
    with TemporaryDirectory() as folder:
        kept = told.kept or Path(folder)
        kept.mkdir(parents=True, exist_ok=True)
        draw(names, [told.side] if told.side else ["three", "ours"], kept)
        if not told.side:
            sheet([pair(name, kept) for name in names]).save(told.out, quality=72, method=6)


if __name__ == "__main__":
    main()
