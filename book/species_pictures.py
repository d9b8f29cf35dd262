"""Pictures of every species, into docs/all-species: a strip of the same plant in four winds, seen by the same camera.

`python -m book.species_pictures oak palm` draws some, without names it draws all.
"""

import sys
from pathlib import Path

import numpy as np
from PIL import Image

import windflower
from windflower.plant.species import species_names, species_of

FOLDER = Path(__file__).parents[1] / "docs" / "all-species"
SIDE = 300  # pixels of each picture
LATER = 6.0  # s, when all has begun to sway

SMALL = 3.0  # m: what is lower lies down in a storm, and would drown in grass

LAND = ("calm", "breeze", "gale", "storm")
WATER = (0.0, 0.05, 0.1, 0.2)
"""Speeds of the current, m/s, for what lives in water."""

SCENE = """
size = [{side}, {side}]
[[stands]]
plant = "{name}"
seed = 2
scale_variation = 0
yaw_variation = 0
motion = "{motion}"
[wind]
{wind}
[sun]
hour = 10.5
clouds = 0.0
[ground]
kind = "{ground}"
[camera]
kind = "framed"
margin = {margin}
"""


def strip(name: str) -> Image.Image:
    """One species in four winds, side by side."""
    species = species_of(name)
    wet = species.habitat == "water"
    small = windflower.grow(species, seed=2, detail=0.3).height < SMALL
    winds = [f"speed = {one}" for one in WATER] if wet else [f'preset = "{one}"' for one in LAND]
    frames = []
    for wind in winds:
        text = SCENE.format(
            name=name,
            side=SIDE,
            motion="broadleaf" if species.blade else "modal",
            wind=wind,
            ground="seabed" if wet else "soil" if small else "meadow",
            margin=0.22 if small else 0.1,
        )
        frames.append(next(windflower.render(windflower.parse_scene(text), at=LATER, seconds=0, quality="good")))
    return Image.fromarray(np.concatenate(frames, axis=1))


def main(names: list[str]) -> None:
    """Draw the strips of these species, or of all."""
    FOLDER.mkdir(exist_ok=True)
    for name in names or species_names():
        strip(name).save(FOLDER / f"{name}.webp", quality=82, method=6)


if __name__ == "__main__":
    main(sys.argv[1:])
