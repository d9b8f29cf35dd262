"""The pictures of README and docs that show scenes, all made anew: `make stills`.

python benchmarks/stills.py docs                             # every one, in some minutes on a graphics card
python benchmarks/stills.py docs --only stills/hills flags
python benchmarks/stills.py out --scale 0.25 --quality draft   # small ones, to see that all can be made

Figures of papers are made by `windflower gallery -o docs/gallery`, the sheet of species by `windflower species-sheet`,
species in four winds by `python -m book.species_pictures`.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower import Leaves, Wind, grow
from windflower.gallery.digiacomo import BRANCHES
from windflower.gallery.pictures import save_strip, scene_of, shown
from windflower.render.film import Film
from windflower.render.passes.pass_clip import PassClip
from windflower.render.passes.pass_pictures import pass_picture
from windflower.render.passes.registry import checked_passes
from windflower.scene import PlantCache, SceneSettings, build, read_scene, scene_names
from windflower.viewer.view_state import DisplayOptions

Picture = NDArray[np.uint8]
PLANTS = PlantCache()  # grown once for all pictures


@dataclass(frozen=True)
class Shot:
    """Pictures of a scene, side by side.

    scene   a stock scene by its name, or settings
    times   s, rising
    size    of one picture, pixels
    hour    of the day, where it is another than the scene's
    camera  a camera table in place of the scene's
    show    what the window shows over it
    """

    scene: str | SceneSettings
    times: Sequence[float] = (2.0,)
    size: tuple[int, int] = (960, 540)
    hour: float | None = None
    camera: dict[str, Any] | None = None
    show: DisplayOptions | None = None

    def pictures(self, scale: float, quality: str) -> Iterator[Picture]:
        """The pictures, each side times a scale."""
        settings = self.settings
        size = tuple(max(16, 2 * round(side * scale / 2)) for side in self.size)
        if self.show:
            yield from shown(settings, self.times, self.show, size=(size[0], size[1]))
            return
        film = Film(build(settings, plants=PLANTS), size=(size[0], size[1]), quality=quality)
        for t in self.times:
            yield film.frame(t)

    @property
    def settings(self) -> SceneSettings:
        """The scene with this hour and this camera."""
        if isinstance(self.scene, SceneSettings):
            return self.scene
        tables = read_scene(self.scene).model_dump(exclude_unset=True)
        if self.hour is not None:
            tables["sun"] = {**tables.get("sun", {}), "hour": self.hour}
        if self.camera is not None:
            tables["camera"] = self.camera
        return SceneSettings.model_validate(tables)


@dataclass(frozen=True)
class Enlarged:
    """A part of a clip's frame, enlarged: one sample a pixel, gathered over time, and with motion blur."""

    shot: Shot
    time: float = 3.0
    corner: tuple[float, float] = (0.6, 0.44)  # shares of the width and the height

    def pictures(self, scale: float, quality: str) -> Iterator[Picture]:
        """The three, each side times a scale."""
        scene, size = build(self.shot.settings), (2 * round(480 * scale), 2 * round(270 * scale))
        yield self._part(Film(scene, size=size, quality="draft").frame(self.time), scale)
        for shutter in (0.0, 180.0):
            *_, last = Film(scene, size=size, quality=quality, shutter=shutter).frames(0.5, 24, self.time - 0.5)
            yield self._part(last, scale)

    def _part(self, picture: Picture, scale: float) -> Picture:
        high, wide = round(150 * scale), round(160 * scale)
        left, top = (round(share * side) for share, side in zip(self.corner, picture.shape[1::-1], strict=True))
        return np.asarray(picture[top : top + high, left : left + wide].repeat(2, axis=0).repeat(2, axis=1))


@dataclass(frozen=True)
class Passes:
    """All data passes of one frame: two trees, hostas, a flag, a pond and what stands behind it."""

    def pictures(self, scale: float, quality: str) -> Iterator[Picture]:
        """Picture, transparent sky, albedo, depth; normals, flow, occlusion, plants; parts, species, wind, strain."""
        bare = {"motion": {"kind": "modal", "modes": 20}}
        settings = scene_of(
            {"plant": "silver-birch", "seed": 4, "detail": 0.5, "positions": [[-3.2, 0.5]], **bare},
            {"plant": "oak", "seed": 3, "detail": 0.3, "scale": 0.55, "positions": [[3.4, -1.0]], **bare},
            {"plant": "hosta", "detail": 0.5, "positions": [[-1.0, 5.0], [1.3, 4.4]], "motion": "broadleaf"},
            {"plant": "hazel-bush", "detail": 0.15, "positions": [[-16, -26], [-5, -30], [7, -27]], **bare},
            {"plant": "flag", "positions": [[0.3, 0.5]]},
            wind={"speed": 11.0, "direction": 280.0},
            sun={"hour": 15.6, "latitude": 47.0, "clouds": 0.25},
            ground={"kind": "meadow", "pond": {"centre": [0.0, -7.0], "size": [12.0, 7.0]}},
            camera={"kind": "fixed", "eye": [0.2, 1.7, 12.5], "target": [0.2, 2.7, 0.0], "field_of_view": 40.0},
        )
        names = [
            "rgb",
            "rgba",
            "albedo",
            "depth",
            "normal",
            "flow",
            "occluded",
            "instance",
            "part",
            "species",
            "wind",
            "strain",
        ]
        film = Film(build(settings), size=(2 * round(160 * scale), 2 * round(90 * scale)), quality=quality)
        data = next(
            PassClip(film, checked_passes([name for name in names if name != "occluded"])).frames(1 / 24, 24, 2.0)
        )
        for name in names:
            yield _on_squares(data[name]) if name == "rgba" else pass_picture(name, data[name])


def _on_squares(clear: NDArray[np.uint8]) -> Picture:
    """A picture with a transparent sky over grey squares."""
    row, column = np.indices(clear.shape[:2]) // 8
    behind = np.where((row + column) % 2, 255.0, 205.0)[..., None]
    share = clear[..., 3:] / 255
    return np.asarray(np.round(clear[..., :3] * share + behind * (1 - share)), np.uint8)


@dataclass(frozen=True)
class Scan:
    """A bare birch, what a scanner sees of it, the same corrected, and in leaf."""

    def pictures(self, scale: float, quality: str) -> Iterator[Picture]:
        """The four."""
        tree = replace(grow("silver-birch"), leaves=Leaves(), species="", seed=None)
        noise = np.exp(0.1 * np.random.default_rng(1).standard_normal(tree.nodes))
        thick, own = (np.hypot(one, 0.015) * noise for one in (tree.radius, tree.base_radius))
        base = np.where(tree.continues, thick[np.maximum(tree.parent, 0)], own)
        seen = replace(tree, radius=thick, base_radius=base)
        camera = {"kind": "fixed", "eye": [0, 2.0, 27], "target": [0, 6.6, 0], "field_of_view": 34.0}
        ways = [
            (tree, "measured", False),
            (seen, "measured", False),
            (seen, "corrected", False),
            (seen, "corrected", True),
        ]
        with tempfile.TemporaryDirectory() as folder:
            for number, (plant, radii, leaves) in enumerate(ways):
                path = Path(folder) / f"{number}.npz"
                plant.save(path)
                stand = {"plant": str(path), "species": "silver-birch", "radii": radii, "leaves": leaves}
                scene = scene_of(stand, wind={"speed": 3.0}, camera=camera, sun={"hour": 16.0, "clouds": 0.2})
                size = (2 * round(150 * scale), 2 * round(210 * scale))
                yield Film(build(scene), size=size, quality=quality).frame(2.0)


@dataclass(frozen=True)
class Tutorial:
    """The scene that the tutorial ends with."""

    def pictures(self, scale: float, quality: str) -> Iterator[Picture]:
        """One."""
        time = np.arange(0, 120, 0.1)
        felt = Wind.beaufort(6, seed=2).velocity([0.0, 10.0, 0.0], time)
        with tempfile.TemporaryDirectory() as folder:
            tree, wind = Path(folder) / "my-tree.npz", Path(folder) / "my-wind.csv"
            replace(grow("silver-birch", seed=5, detail=0.3), leaves=Leaves(), species="", seed=None).save(tree)
            columns = np.column_stack([time, felt[:, 0], -felt[:, 2], felt[:, 1]])
            np.savetxt(wind, columns, fmt="%.3f", delimiter=",", header="time,u,v,w", comments="")
            stand = {
                "plant": str(tree),
                "species": "silver-birch",
                "motion": {"kind": "modal", "modes": 25, "cells": 2},
            }
            scene = scene_of(
                stand, wind={"file": str(wind)}, sun={"hour": 15.0}, camera={"kind": "orbit", "turn": 10.0}
            )
            size = (2 * round(480 * scale), 2 * round(270 * scale))
            yield Film(build(scene), size=size, quality=quality).frame(2.0)


@dataclass(frozen=True)
class Sheet:
    """A picture of the docs: shots one after the other, in rows of so many columns."""

    shots: Sequence[Shot | Enlarged | Passes | Scan | Tutorial]
    columns: int = 1
    gap: int = 6


def still(scene: str, t: float = 2.0, **changes: Any) -> Sheet:
    """One picture of a stock scene."""
    return Sheet([Shot(scene, [t], **changes)])


def strip(scene: str, times: Sequence[float], size: tuple[int, int], columns: int | None = None) -> Sheet:
    """A stock scene at several times, s."""
    return Sheet([Shot(scene, times, size)], columns or len(times))


def in_winds(plant: str, speeds: Sequence[float], target: float, distance: float) -> Sheet:
    """A plant in calm air and in winds, m/s; the camera looks at this height from this distance, m."""
    camera = {"kind": "orbit", "azimuth": 165.0, "elevation": 2.0, "turn": 0.0, "field_of_view": 34.0}
    camera |= {"target": [0.6, target, 0.0], "distance": distance}
    ground = {"kind": "sand" if plant == "palm" else "lawn"}
    sun = {"hour": 16.0, "clouds": 0.25}
    scenes = [
        scene_of({"plant": plant, "seed": 4}, wind={"speed": speed}, camera=camera, sun=sun, ground=ground)
        for speed in speeds
    ]
    return Sheet([Shot(scene, [3.0], (360, 360)) for scene in scenes], len(speeds), 0)


def grounds() -> Sheet:
    """Every ground, under oaks and birches."""
    near = {"kind": "fixed", "eye": [1.2, 1.15, 9.0], "target": [-0.4, 1.45, 0.0], "field_of_view": 44.0}
    oak = {"plant": "oak", "seed": 3, "detail": 0.5, "positions": [[-1.6, -1.5]]}
    birches = {"plant": "silver-birch", "seed": 4, "detail": 0.5, "specimens": 2, "yaw_variation": 180.0}
    birches |= {"positions": [[-3.4, -3.0], [0.6, -6.0], [3.2, -2.0], [-1.0, -11.0], [5.0, -9.0]]}
    wood = {"plant": "silver-birch", "seed": 4, "detail": 0.3, "specimens": 3, "count": 70, "spacing": 2.2}
    wood |= {"area": {"kind": "circle", "centre": [0, -9], "radius": 17.0}}
    kinds = {"meadow": oak, "lawn": birches, "forest-floor": wood, "soil": oak, "sand": birches, "snow": oak}
    scenes = [
        scene_of(
            plants,
            wind={"speed": 3.0},
            camera=near,
            sun={"hour": 15.8, "latitude": 47.0, "clouds": 0.3},
            ground={"kind": kind},
            season="winter" if kind == "snow" else "summer",
        )
        for kind, plants in kinds.items()
    ]
    return Sheet([Shot(scene, [2.0], (480, 270)) for scene in scenes], 3, 4)


ABOVE = {"kind": "fixed", "eye": [0, 26, 30], "target": [0, 2, -22], "field_of_view": 50.0}

AT_FRONDS = {"kind": "fixed", "eye": [5, 8, 9], "target": [0.8, 9.6, 0], "field_of_view": 32.0}

MOMENTS = {  # s, at which there is most to see; 2 in other scenes
    "a-day": 2.6,
    "autumn-leaves": 10.0,
    "banana": 4.0,
    "hills": 8.0,
    "hollyhock": 3.8,
    "storm-damage": 4.6,
    "swinging-oak": 3.0,
}

SHEETS = {f"stills/{name}": still(name, MOMENTS.get(name, 2.0)) for name in scene_names()} | {
    "flags": still("flags"),
    "a-day": Sheet([Shot("a-day", [0.9, 2.2, 5.0, 9.0, 14.0, 16.2, 17.4, 19.6], (400, 225))], 4, 0),
    "autumn": Sheet([Shot("autumn-leaves", [0.0, 5.0, 10.0, 16.0], (640, 360))], 2, 0),
    "banana-gust": strip("banana", [2.0, 4.0, 7.5], (420, 320)),
    "breaking": Sheet([Shot("storm-damage", [0.5, 2.2, 2.9, 3.6, 4.6, 8.0], (480, 270))], 3, 0),
    "broadleaf": Sheet(
        [
            Shot("broad-leaves", [2.0, 4.2], (400, 300)),
            Shot("banana", [2.0, 4.2], (400, 300)),
            Shot("hosta-bed", [2.0], (400, 300)),
            Shot("violet", [2.0, 3.2], (400, 300)),
            Shot("hollyhock", [3.8], (400, 300)),
        ],
        4,
        0,
    ),
    "frame": Sheet([Enlarged(Shot("palms-in-a-gale", camera=AT_FRONDS))], 3),
    "ground": grounds(),
    "hybrid": Sheet(
        [
            Shot("interactive-forest", [2.0], (801, 500), camera=ABOVE),
            Shot("interactive-forest", [2.0], (801, 500), camera=ABOVE, show=BRANCHES),
        ],
        2,
    ),
    "limp-willow": in_winds("weeping-willow", (0.0, 5.0, 10.0, 19.0), 3.6, 16.0),
    "limp-palm": in_winds("palm", (0.0, 5.0, 10.0, 19.0), 5.7, 23.0),
    "passes": Sheet([Passes()], 4, 4),
    "scan": Sheet([Scan()], 4, 0),
    "springs": Sheet(
        [
            Shot(name, [1.0, 3.0, 5.0], (480, 270))
            for name in ("a-tree-of-springs", "weeping-tree-in-wind", "palms-in-a-gale")
        ],
        3,
        0,
    ),
    "tutorial/my-scene": Sheet([Tutorial()]),
    "wheat-field": strip("wheat-field", [1.0, 2.0, 5.2], (640, 300), columns=1),
    "wind-on-a-grid": strip("wind-on-a-grid", [0.6, 2.2, 4.6, 7.2], (400, 300)),
}


def main() -> None:
    """Write the pictures that were asked for, and say how long each took."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="+", choices=list(SHEETS), metavar="NAME", help="only these")
    parser.add_argument("--scale", type=float, default=1.0, help="factor on the sides of pictures")
    parser.add_argument("--quality", default="best", choices=("draft", "good", "best"))
    asked = parser.parse_args()
    for name in asked.only or SHEETS:
        begin, sheet = time.perf_counter(), SHEETS[name]
        path = asked.folder / f"{name}.webp"
        path.parent.mkdir(parents=True, exist_ok=True)
        pictures = [one for shot in sheet.shots for one in shot.pictures(asked.scale, asked.quality)]
        save_strip(path, pictures, columns=sheet.columns, gap=sheet.gap)
        sys.stdout.write(f"→ {path}  {time.perf_counter() - begin:.0f} s\n")


if __name__ == "__main__":
    main()
