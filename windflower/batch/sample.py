"""One sample of a data set: frames of a clip, and a JSON file with what only a simulation knows of them.

recipe, number ──> scene ──> frames, facts ──> members of a .tar file: 00000012.json, 00000012.0000.rgb.png,
                                               00000012.0000.depth.npz, …

The members bear no time and no owner: the same recipe, number and driver give the same bytes.
"""

import io
import json
import tarfile
import zipfile
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.batch.recipe import Recipe
from windflower.core.device import open_gpu
from windflower.core.threads import each
from windflower.errors import GpuError, MissingExtraError, SceneError, WindflowerError
from windflower.motion.stand import Stand
from windflower.render.film import Film
from windflower.render.passes.frame_data import camera_facts
from windflower.render.passes.labels import Labels
from windflower.render.passes.pass_clip import PassClip
from windflower.render.passes.registry import PARTS, checked_passes, layers_of
from windflower.scene import Scene, build
from windflower.scene.stands import PlantCache

__all__ = ["make_sample", "members", "sample_facts", "sample_key"]

CROWN = 0.75  # height of a plant at which the wind upon it is told, over its height
PICTURES = ("rgb", "rgba")
QUICK, THOROUGH = 1, 6  # effort of compression
DIGITS = 7  # of numbers in the JSON file: as float32 has them


def make_sample(recipe: Recipe, number: int) -> bytes:
    """The members of a sample in a .tar file, without the file's end."""
    try:
        settings, drawn = recipe.draws(number)
        scene = build(settings, plants=_plants())
        frames = list(_frames(scene, recipe))
    except WindflowerError as error:
        if isinstance(error, GpuError | MissingExtraError) or str(error).startswith(f"sample {number}:"):
            raise
        raise SceneError(f"sample {number}: {error}") from None
    name = sample_key(number)
    files = {f"{name}.json": json.dumps(_facts(number, recipe, scene, drawn), sort_keys=True).encode()}
    layers = [(index, layer, array) for index, frame in enumerate(frames) for layer, array in frame.items()]
    made = each(lambda one: _file(one[1], one[2], recipe.arrays), layers)
    for (index, layer, _), (suffix, content) in zip(layers, made, strict=True):
        files[f"{name}.{index:04d}.{layer}.{suffix}"] = content
    return members(files)


def _frames(scene: Scene, recipe: Recipe) -> Iterator[Mapping[str, NDArray[Any]]]:
    """Layers of each frame, by name."""
    film = Film(scene)
    if recipe.passes == ("rgb",):  # no data is drawn then
        for frame in range(scene.frames):
            yield {"rgb": film.frame(frame / scene.fps)}
    else:
        yield from PassClip(film, checked_passes(recipe.passes)).frames(scene.frames / scene.fps, scene.fps)


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


def _facts(number: int, recipe: Recipe, scene: Scene, drawn: dict[str, Any]) -> dict[str, Any]:
    """What the JSON file of a sample says."""
    labels = Labels(scene)
    return {
        "sample": number,
        "driver": open_gpu().driver,
        "drawn": drawn,
        "scene": recipe.portable(scene.settings).model_dump(mode="json", exclude_defaults=True, exclude_none=True),
        "size": list(scene.size),
        "fps": scene.fps,
        "layers": {layer.name: layer.unit for layer in layers_of(checked_passes(recipe.passes))},
        "parts": dict(enumerate(PARTS)),
        "species": dict(enumerate(labels.names, 1)),
        "plants": [_plant_facts(stand, i, labels) for stand in scene.stands for i in range(len(stand))],
        "frames": [_frame_facts(scene, frame / scene.fps) for frame in range(scene.frames)],
    }


def _plant_facts(stand: Stand, index: int, labels: Labels) -> dict[str, Any]:
    places = stand.places
    return {
        "id": int(labels.of(stand)[index]),
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
        "camera": _rounded(camera_facts(scene.camera.view(t), scene.size)),
        "sun": _numbers(scene.sun.direction(t)),
        "wind": _numbers(scene.wind.velocity(crowns, t)),
    }


def _crowns(stand: Stand) -> NDArray[np.float64]:
    """Where the wind upon each plant is told."""
    up = np.array([0.0, CROWN * stand.plant.height, 0.0])
    return stand.places.position + stand.places.scale[:, None] * up


def _numbers(values: Any) -> Any:
    """Numbers as JSON has them, rounded to the digits of float32."""
    array = np.asarray(values, float)
    return [_numbers(value) for value in array] if array.ndim else float(f"{array:.{DIGITS}g}")


def _rounded(facts: dict[str, Any]) -> dict[str, Any]:
    return {name: _rounded(value) if isinstance(value, dict) else _numbers(value) for name, value in facts.items()}


def _file(layer: str, array: NDArray[Any], kind: str) -> tuple[str, bytes]:
    """Suffix and content of the file of a layer: a picture as PNG, all else as an array."""
    content = io.BytesIO()
    if layer in PICTURES:
        from PIL import Image

        Image.fromarray(array).save(content, "png")
        return "png", content.getvalue()
    if kind == "npz":
        _write_npz(content, array)
    else:
        np.save(content, array, allow_pickle=False)
    return kind, content.getvalue()


def _write_npz(file: io.BytesIO, array: NDArray[Any]) -> None:
    """As `numpy.savez_compressed`, in a third of the time: effort hardly makes numbers with fractions smaller."""
    level = QUICK if array.dtype.kind == "f" else THOROUGH
    archive = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=level)
    with archive, archive.open("arr_0.npy", "w") as member:
        np.lib.format.write_array(member, array, allow_pickle=False)
