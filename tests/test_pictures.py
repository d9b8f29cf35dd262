"""A few small pictures, compared with recorded ones where the driver is the one that drew those.

New ones are recorded with WINDFLOWER_RECORD=1. A picture that differs is left beside its reference, with the difference
made eight times stronger.
"""

import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from windflower.core.device import Gpu
from windflower.render.film import Film
from windflower.scene import build, parse_scene

FOLDER = Path(__file__).parent / "pictures"
DRIVER = FOLDER / "driver.txt"
SCENE = """
size = [192, 108]
seed = 3
[[stands]]
plant = "{plant}"
detail = 0.3
scale_variation = 0.0
motion = {{ kind = "modal", modes = 12 }}
[wind]
speed = 9.0
[sun]
hour = {hour}
[ground]
{ground}
[camera]
kind = "fixed"
eye = [3, 2.5, 17]
target = [0, 5, 0]
field_of_view = 48.0
"""
PICTURES = {
    "birch-by-day": {"plant": "silver-birch", "hour": 10.0, "ground": 'kind = "meadow"'},
    "oak-at-dusk": {"plant": "oak", "hour": 20.0, "ground": 'kind = "soil"'},
    "willow-by-water": {
        "plant": "weeping-willow",
        "hour": 15.0,
        "ground": "pond = { centre = [0, 8], size = [20, 10] }",
    },
}


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_as_it_was(gpu: Gpu, name: str) -> None:
    scene = build(parse_scene(SCENE.format(**PICTURES[name])))
    picture = Film(scene, quality="good", gpu=gpu).frame(1.0)
    reference = FOLDER / f"{name}.png"
    if os.environ.get("WINDFLOWER_RECORD") == "1":
        FOLDER.mkdir(exist_ok=True)
        Image.fromarray(picture).save(reference, optimize=True)
        DRIVER.write_text(gpu.driver + "\n")
        return
    if gpu.driver != DRIVER.read_text().strip():
        pytest.skip(f"recorded with {DRIVER.read_text().strip()}; this is {gpu.driver}: not compared")
    expected = np.asarray(Image.open(reference).convert("RGB")).astype(int)
    difference = np.abs(picture.astype(int) - expected)
    if difference.mean() > 0.5 or np.mean(difference.max(axis=2) > 40) > 0.005:
        Image.fromarray(picture).save(FOLDER / f"{name}.new.png")
        Image.fromarray(np.clip(8 * difference, 0, 255).astype(np.uint8)).save(FOLDER / f"{name}.difference.png")
        pytest.fail(f"{name} differs by {difference.mean():.2f} on average; look at {name}.new.png and .difference.png")
