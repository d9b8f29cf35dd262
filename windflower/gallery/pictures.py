"""Stills, strips and loops of scenes, small enough to keep in a repository."""

import io
import math
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.device import open_gpu
from windflower.core.files import replacing
from windflower.errors import MissingExtraError
from windflower.plots import save_plot
from windflower.render.film import Film
from windflower.scene import Scene, SceneSettings, build
from windflower.viewer.live_scene import LiveScene
from windflower.viewer.picking import Hand
from windflower.viewer.view_camera import ViewCamera
from windflower.viewer.view_state import DisplayOptions

__all__ = [
    "SMALL",
    "STILL",
    "filmed",
    "looking_at",
    "save_loop",
    "save_small_plot",
    "save_strip",
    "scene_of",
    "shown",
]

Picture = NDArray[np.uint8]
STILL, SMALL = (720, 405), (400, 225)
LARGEST = 290_000  # bytes of a picture
QUALITIES = (82, 70, 58, 46, 34, 24, 16)


def scene_of(*stands: dict[str, Any], **tables: Any) -> SceneSettings:
    """A scene from the tables of a scene file; plants of a stand are alike unless it says otherwise."""
    even = {"scale_variation": 0.0, "yaw_variation": 0.0, "stiffness_variation": 0.0}
    return SceneSettings.model_validate({"stands": [{**even, **stand} for stand in stands], **tables})


def looking_at(height: float, *, azimuth: float = 160.0, elevation: float = 3.0, target: float = 0.5) -> dict[str, Any]:
    """A camera table that fills the picture with a plant of this height, m; it looks at this share of it."""
    angle = 32.0
    distance = 0.58 * height / math.tan(math.radians(angle) / 2)
    return {
        "kind": "orbit",
        "target": [0.0, target * height, 0.0],
        "distance": distance,
        "azimuth": azimuth,
        "elevation": elevation,
        "turn": 0.0,
        "field_of_view": angle,
    }


def filmed(settings: SceneSettings, times: Iterable[float], size: tuple[int, int] = STILL) -> Iterator[Picture]:
    """Pictures of a scene at rising times, s."""
    film = Film(build(settings), size=size)
    for t in times:
        yield film.frame(t)


def shown(
    settings: SceneSettings,
    times: Iterable[float],
    show: DisplayOptions,
    *,
    size: tuple[int, int] = STILL,
    hand: Callable[[Scene], Hand] | None = None,
) -> Iterator[Picture]:
    """Pictures of a scene as the window shows it: with arrows, disks of wind, painted branches, or a hand."""
    scene = build(settings)
    live, held = LiveScene(open_gpu(), scene, size, show), hand(scene) if hand else None
    for t in times:
        eye = ViewCamera.of(scene.camera.view(t), scene.ground.terrain)
        live.advance(t, 1.0, held)
        live.draw(eye, t, held)
        yield live.renderer.read()


def save_strip(path: Path, pictures: Sequence[Picture], *, columns: int | None = None, gap: int = 6) -> None:
    """Write pictures of one size as one picture, in rows of so many columns."""
    columns = columns or len(pictures)
    high, wide, _ = pictures[0].shape
    rows = -(-len(pictures) // columns)
    sheet = np.full((rows * (high + gap) - gap, columns * (wide + gap) - gap, 3), 255, np.uint8)
    for number, picture in enumerate(pictures):
        top, left = (high + gap) * (number // columns), (wide + gap) * (number % columns)
        sheet[top : top + high, left : left + wide] = picture
    _write(path, lambda quality: _encoded([sheet], quality))


def save_loop(path: Path, pictures: Sequence[Picture], *, fps: float) -> None:
    """Write pictures as an animation that repeats."""
    _write(path, lambda quality: _encoded(pictures, quality, duration=round(1000 / fps), loop=0))


def save_small_plot(path: Path, plot: Any, *, width: int = 1100) -> None:
    """Write the Axes that a plot function returned, as a picture no wider than this."""
    Image = _pillow()
    with tempfile.TemporaryDirectory() as folder:
        save_plot(plot, Path(folder) / "plot.png", dpi=120)
        with Image.open(Path(folder) / "plot.png") as opened:
            picture = opened.convert("RGB")
    wide = min(width, picture.width)
    picture = picture.resize((wide, round(picture.height * wide / picture.width)), Image.Resampling.LANCZOS)
    save_strip(path, [np.asarray(picture)])


def _write(path: Path, encode: Callable[[int], bytes]) -> None:
    """Write at the best quality that is small enough."""
    for quality in QUALITIES:
        data = encode(quality)
        if len(data) <= LARGEST:
            break
    with replacing(path) as temporary:
        temporary.write_bytes(data)


def _encoded(pictures: Sequence[Picture], quality: int, **animation: Any) -> bytes:
    Image = _pillow()
    first, *others = [Image.fromarray(picture) for picture in pictures]
    target = io.BytesIO()
    more = {"save_all": True, "append_images": others, **animation} if others else {}
    first.save(target, "WEBP", quality=quality, method=4, **more)
    return target.getvalue()


def _pillow() -> Any:
    try:
        from PIL import Image
    except ImportError:
        raise MissingExtraError("pillow", "render") from None
    return Image
