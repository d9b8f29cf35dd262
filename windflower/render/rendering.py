"""`render`: a picture, a clip or frames of a scene in one call."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, overload

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from windflower.scene.subjects import Subject

__all__ = ["render"]

Picture: TypeAlias = "NDArray[np.uint8]"


@overload
def render(
    scene: "Subject",
    path: None = None,
    *,
    at: float = 0.0,
    seconds: float | None = None,
    fps: float | None = None,
    size: tuple[int, int] | None = None,
    quality: str | None = None,
    frame: str | None = None,
    allow: Iterable[str | os.PathLike[str]] = (),
) -> Iterator[Picture]: ...
@overload
def render(
    scene: "Subject",
    path: str | os.PathLike[str],
    *,
    at: float = 0.0,
    seconds: float | None = None,
    fps: float | None = None,
    size: tuple[int, int] | None = None,
    quality: str | None = None,
    frame: str | None = None,
    allow: Iterable[str | os.PathLike[str]] = (),
) -> Path: ...
def render(
    scene: "Subject",
    path: str | os.PathLike[str] | None = None,
    *,
    at: float = 0.0,
    seconds: float | None = None,
    fps: float | None = None,
    size: tuple[int, int] | None = None,
    quality: str | None = None,
    frame: str | None = None,
    allow: Iterable[str | os.PathLike[str]] = (),
) -> Path | Iterator[Picture]:
    """Render a scene to a picture or a clip, or get its frames one after another.

    scene    a scene, its settings, its name or its file; or a plant, a species or a plant's file, shown in a breeze
    path     picture.png, clip.mp4, or a folder for numbered frames; by default frames are returned
    at       time of a picture, or start time of a clip, s
    seconds  length of a clip, s; by default the scene's
    fps      frames per second; by default the scene's
    size     width and height, pixels; by default the scene's
    quality  draft, good or best; by default the scene's
    frame    what the camera is fitted to: all, a plant's name, or a stand's number; by default the scene's own camera
    allow    folders outside of its own from which a scene's file may name files

    Returns the path, or without one an iterator of frames (height, width, 3), uint8, sRGB.

        windflower.render("oak-in-a-storm", "oak.mp4", size=(1280, 720))
        windflower.render(windflower.grow("palm"), "palm.png", at=2.0)
        first = next(windflower.render("forest", quality="draft"))
    """
    from windflower.render.film import Film
    from windflower.render.output import check_output_path
    from windflower.scene.subjects import scene_of

    target = None if path is None else check_output_path(path)
    film = Film(scene_of(scene, size=size, allow=allow, frame=frame), size=size, quality=quality)
    length = film.scene.seconds if seconds is None else seconds
    if target is None:
        return film.frames(length, fps or film.scene.fps, at)
    film.save(target, at=at, seconds=length, fps=fps or film.scene.fps)
    return target
