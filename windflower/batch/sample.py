"""One sample of a data set: frames of a clip, and a JSON file with what only a simulation knows of them.

recipe, number ──> scene ──> frames, facts ──> members of a .tar file: 000012.json, 000012.0000.rgb.png, …

The members bear no time and no owner: the same recipe, number and driver give the same bytes.
"""

import io
import json
import tarfile
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.batch.recipe import Recipe
from windflower.core.device import open_gpu
from windflower.errors import GpuError, MissingExtraError, SceneError, WindflowerError
from windflower.motion.stand import Stand
from windflower.render.film import Film
from windflower.scene import Scene, View, build
from windflower.scene.camera import look_at, perspective
from windflower.scene.stands import PlantCache

__all__ = ["make_sample", "members", "sample_facts", "sample_key"]

CROWN = 0.75  # height of a plant at which the wind upon it is told, over its height
DIGITS = 7  # of numbers in the JSON file: as float32 has them


def make_sample(recipe: Recipe, number: int) -> bytes:
    """The members of a sample in a .tar file, without the file's end."""
    try:
        settings, drawn = recipe.draws(number)
        scene = build(settings, plants=_plants())
        film = Film(scene)
        times = [frame / scene.fps for frame in range(scene.frames)]
        pictures = [film.frame(t) for t in times]
    except WindflowerError as error:
        if isinstance(error, GpuError | MissingExtraError) or str(error).startswith(f"sample {number}:"):
            raise
        raise SceneError(f"sample {number}: {error}") from None
    name = sample_key(number)
    files = {f"{name}.json": json.dumps(_facts(number, recipe, scene, drawn, times), sort_keys=True).encode()}
    for frame, picture in enumerate(pictures):
        files[f"{name}.{frame:04d}.rgb.png"] = _png(picture)
    return members(files)


def sample_key(number: int) -> str:
    """Name of a sample in its .tar file."""
    return f"{number:08d}"


def sample_facts(content: bytes) -> dict[str, Any]:
    """The facts of a sample's JSON file, which comes first among its members."""
    about = tarfile.TarInfo.frombuf(content[: tarfile.BLOCKSIZE], "utf-8", "strict")
    facts: dict[str, Any] = json.loads(content[tarfile.BLOCKSIZE : tarfile.BLOCKSIZE + about.size])
    return facts


def members(files: dict[str, bytes]) -> bytes:
    """Files as members of a .tar file, without its end."""
    content = io.BytesIO()
    for name, data in files.items():
        about = tarfile.TarInfo(name)
        about.size, about.mode = len(data), 0o644
        content.write(about.tobuf(tarfile.USTAR_FORMAT))
        content.write(data + bytes(-len(data) % tarfile.BLOCKSIZE))
    return content.getvalue()


@lru_cache(maxsize=1)
def _plants() -> PlantCache:
    """Plants that samples of this process share."""
    return PlantCache()


def _facts(number: int, recipe: Recipe, scene: Scene, drawn: dict[str, Any], times: list[float]) -> dict[str, Any]:
    """What the JSON file of a sample says."""
    return {
        "sample": number,
        "driver": open_gpu().driver,
        "drawn": drawn,
        "scene": recipe.portable(scene.settings).model_dump(mode="json", exclude_defaults=True, exclude_none=True),
        "size": list(scene.size),
        "fps": scene.fps,
        "plants": [_plant_facts(stand, i) for stand in scene.stands for i in range(len(stand))],
        "frames": [_frame_facts(scene, t) for t in times],
    }


def _plant_facts(stand: Stand, index: int) -> dict[str, Any]:
    places = stand.places
    return {
        "plant": stand.name,
        "stand": stand.table,
        "position": _numbers(places.position[index]),
        "yaw": _numbers(places.yaw[index]),
        "scale": _numbers(places.scale[index]),
        "height": _numbers(places.scale[index] * stand.plant.height),
    }


def _frame_facts(scene: Scene, t: float) -> dict[str, Any]:
    crowns = np.concatenate([_crowns(stand) for stand in scene.stands])
    return {
        "time": t,
        "camera": _camera_facts(scene.camera.view(t), scene.size),
        "sun": _numbers(scene.sun.direction(t)),
        "wind": _numbers(scene.wind.velocity(crowns, t)),
    }


def _crowns(stand: Stand) -> NDArray[np.float64]:
    """Where the wind upon each plant is told."""
    up = np.array([0.0, CROWN * stand.plant.height, 0.0])
    return stand.places.position + stand.places.scale[:, None] * up


def _camera_facts(view: View, size: tuple[int, int]) -> dict[str, Any]:
    return {
        "eye": _numbers(view.eye),
        "target": _numbers(view.target),
        "field_of_view": view.field_of_view,
        "view": _numbers(look_at(view.eye, view.target)),
        "projection": _numbers(perspective(view.field_of_view, size[0] / size[1])),
    }


def _numbers(values: Any) -> Any:
    """Numbers as JSON has them, rounded to the digits of float32."""
    array = np.asarray(values, float)
    return [_numbers(value) for value in array] if array.ndim else float(f"{array:.{DIGITS}g}")


def _png(picture: NDArray[np.uint8]) -> bytes:
    from PIL import Image

    content = io.BytesIO()
    Image.fromarray(picture).save(content, "png")
    return content.getvalue()
