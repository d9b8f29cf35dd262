"""Pictures of what three.js shows of our files beside our own renderer's: the same moment, mesh, camera and light.

python -m tests.clients.picture_sheet OUT.webp [NAME…]     of all species and objects, or of some
    --kept FOLDER       where single pictures are kept; those that are there are not drawn again
    --side ours|three   draws only these, where another machine has the graphics card or the browser

Both draw the finest level of detail in the air, without ground and sky, in the light of a fair afternoon: sun, light of
the sky by normals, and tone curve are the renderer's own. How alike each pair is, is printed; see `Likeness`.
"""

import argparse
import base64
import io
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
from PIL import Image, ImageDraw
from scipy.ndimage import uniform_filter

from tests.clients.conftest import three_page
from tests.exported_plants import moving, recorded
from windflower import grow
from windflower.core.arrays import FloatArray
from windflower.export.pictures import linear
from windflower.export.skinned_glb import SkinnedGlb
from windflower.export.stand_loops import points_at
from windflower.geometry.lod import in_full
from windflower.geometry.lod_meshes import stand_meshes
from windflower.geometry.triangle_mesh import triangle_mesh
from windflower.mechanics.objects import OBJECTS
from windflower.motion.stand import Stand
from windflower.plant.species import species_names, species_of
from windflower.render.daylight import sunlight
from windflower.render.film import Film
from windflower.render.frame import Light
from windflower.scene import Scene, scene_of
from windflower.scene.camera import camera_of
from windflower.scene.camera_table import FixedCamera
from windflower.scene.ground import GroundSettings
from windflower.scene.scene import build

SIZE, ROW = (240, 288), 4  # of a picture, pixels; pairs in a row
FINER = {"ours": 2, "three": 3}  # times as many pixels that are drawn: our renderer has four samples in each
SECONDS, MOMENT = 4.0, 1.3  # of the loop, and at which it is shown, s
HALF = np.tan(np.radians(20))  # of the field of view, as three.js has it
JOINTS = 64
TREES, HERBS = 0.4, 1.0  # detail
AROUND = 1.12  # of what is seen over the plant's own size
SKY = (186, 203, 226)  # behind both
BLURRED = 5  # pixels over which pictures are compared: needles and thin leaves never fall on the same ones


class View(NamedTuple):
    """What is looked at, from where and to where; and the loop that it plays, as files are made from it."""

    clips: dict[str, tuple[Stand, ...]]
    scene: Scene
    eye: FloatArray
    target: FloatArray


class Likeness(NamedTuple):
    """How alike two pictures of a plant are.

    area     share of the picture that it covers in the first over that in the second
    overlap  what it covers in both over what it covers in either
    aside    how far its middle is aside, over the height of the picture
    light    its mean light in the first over that in the second
    """

    area: float
    overlap: float
    aside: float
    light: float

    def __str__(self) -> str:
        return f"area {self.area:.2f}, overlap {self.overlap:.2f}, aside {self.aside:.3f}, light {self.light:.2f}"


def view_of(name: str) -> View:
    """A species or object in its loop, as large as fits the picture."""
    subject = scene_of(name) if name in OBJECTS else grow(name, detail=_detail(name))
    clips = recorded(subject, seconds=SECONDS)
    ((stand,),) = clips.values()
    in_air = scene_of(subject).settings.model_copy(update={"ground": GroundSettings(kind="none")})
    scene = build(in_air).with_stands((stand,))
    points = points_at(stand, MOMENT)[stand.motion.kept_points[0]]
    shown = triangle_mesh(stand_meshes(stand).meshes[0], points[None], sprigs=True).position[0]
    low, high = shown.min(axis=0), shown.max(axis=0)
    target = 0.5 * (low + high)
    across = AROUND * max(high[1] - low[1], (high[0] - low[0]) * SIZE[1] / SIZE[0])
    away = 0.5 * across / HALF + 0.5 * (high[2] - low[2])
    return View(clips, scene, target + np.array([0.0, 0.1 * away, away]), target)


def _detail(name: str) -> float:
    species = species_of(name)
    return TREES if species.blade is None and species.girth.trunk > 0.01 else HERBS


def ours(view: View) -> Image.Image:
    """What our renderer draws."""
    fixed = FixedCamera(kind="fixed", eye=tuple(view.eye), target=tuple(view.target))
    camera = camera_of(fixed, view.scene.bounds, SECONDS, SIZE[0] / SIZE[1])
    film = Film(replace(view.scene, camera=camera), size=_drawn("ours"), quality="best")
    film.go_to(MOMENT)
    counts = [(len(stand.places), len(stand.meshes)) for stand in film.drawn.stands]
    pixel = camera.view(MOMENT).pixel(_drawn("ours"))
    film.transparent_renderer.draw(film.choose(MOMENT, levels=in_full(counts, camera=view.eye, pixel=pixel)))
    return Image.fromarray(film.transparent_renderer.read_with_alpha())


def theirs(view: View, page: Any, folder: Path) -> Image.Image:
    """What three.js shows of our file."""
    file = SkinnedGlb("a test", pixels=512)
    file.add(moving(view.clips, fps=10.0, joints=JOINTS), "it")
    (folder / "it.glb").write_bytes(file.whole())
    light = _told(sunlight(view.scene.sun, MOMENT))
    words = ["/files/it.glb", 0, MOMENT, view.eye.tolist(), view.target.tolist(), list(_drawn("three")), light]
    shown = page.evaluate("words => picture(...words)", words)
    return Image.open(io.BytesIO(base64.b64decode(shown.split(",")[1]))).convert("RGBA")


def _drawn(side: str) -> tuple[int, int]:
    return SIZE[0] * FINER[side], SIZE[1] * FINER[side]


def _told(light: Light) -> dict[str, Any]:
    """Light as three.js takes it, which divides by π what a surface gets of it."""
    return {
        "sun": light.sun.tolist(),
        "colour": (np.pi * light.sun_colour).tolist(),
        "ambient": (np.pi * light.ambient / PROBE[:, None]).reshape(-1).tolist(),
    }


PROBE = np.array([0.886227, *[1.023328] * 3, 0.858086, 0.858086, 0.247708, 0.858086, 0.429043])  # `shGetIrradianceAt`


def likeness(first: Image.Image, second: Image.Image) -> Likeness:
    """How alike two pictures with alpha are."""
    (cover, light), (other, its) = (_measured(picture) for picture in (first, second))
    rows, columns = np.indices(cover.shape)
    middles = [np.array([(one * rows).sum(), (one * columns).sum()]) / one.sum() for one in (cover, other)]
    return Likeness(
        area=float(cover.sum() / other.sum()),
        overlap=float(np.minimum(cover, other).sum() / np.maximum(cover, other).sum()),
        aside=float(np.linalg.norm(middles[0] - middles[1]) / cover.shape[0]),
        light=light / its,
    )


def _measured(picture: Image.Image) -> tuple[FloatArray, float]:
    """(height, width) share of each place that is covered, 0 to 1, and the mean light of it."""
    pixels = np.asarray(picture.resize(SIZE, Image.Resampling.BOX), np.float64) / 255
    cover = pixels[..., 3]
    light = (linear(pixels[..., :3]).mean(axis=2) * cover).sum() / cover.sum()
    return uniform_filter(cover, BLURRED), float(light)


def pair(name: str, kept: Path) -> Image.Image:
    """What three.js shows on the left, and our renderer on the right."""
    both = Image.new("RGB", (2 * SIZE[0] + 2, SIZE[1] + 16), "white")
    for number, side in enumerate(("three", "ours")):
        small = Image.open(kept / f"{name}_{side}.png").resize(SIZE, Image.Resampling.LANCZOS)
        behind = Image.new("RGB", SIZE, SKY)
        behind.paste(small, (0, 0), small)
        both.paste(behind, (number * SIZE[0], 0))
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
                picture.save(kept / f"{name}_{side}.png")
            if len(sides) == 2:
                both = [Image.open(kept / f"{name}_{side}.png") for side in ("three", "ours")]
                sys.stdout.write(f"{name}: {likeness(*both)}\n")
                sys.stdout.flush()


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
            sheet([pair(name, kept) for name in names]).save(told.out, quality=80, method=6)


if __name__ == "__main__":
    main()
