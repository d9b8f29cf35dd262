"""`render`: a picture, a clip or frames of a scene in one call."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, overload

from windflower.errors import SceneError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from windflower.render.passes.frame_data import FrameData
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
    shutter: float = 180.0,
    allow: Iterable[str | os.PathLike[str]] = (),
) -> Iterator[Picture]: ...
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
    shutter: float = 180.0,
    passes: Iterable[str],
    allow: Iterable[str | os.PathLike[str]] = (),
) -> "Iterator[FrameData]": ...
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
    shutter: float = 180.0,
    passes: Iterable[str] | None = None,
    passes_as: str | None = None,
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
    shutter: float = 180.0,
    passes: Iterable[str] | None = None,
    passes_as: str | None = None,
    allow: Iterable[str | os.PathLike[str]] = (),
) -> "Path | Iterator[Picture] | Iterator[FrameData]":
    """Render a scene to a picture or a clip, or get its frames one after another.

    scene    a scene, its settings, its name or its file; or a plant, a species or a plant's file, shown in a breeze
    path     picture.png, clip.mp4, or a folder for numbered frames; by default frames are returned
    at       time of a picture, or start time of a clip, s
    seconds  length of a clip, s; by default the scene's
    fps      frames per second; by default the scene's
    size     width and height, pixels; by default the scene's
    quality  draft, good or best; by default the scene's
    frame    what the camera is fitted to: all, a plant's name, or a stand's number; by default the scene's own camera
    shutter  motion blur of a clip: shutter angle, degrees; 0 for none
    passes   data passes in place of pictures: rgb, depth, flow, instance and others, see docs/passes.md
    passes_as  files of data passes in the folder `path`: exr, png16 or npy; by default exr
    allow    folders outside of its own from which a scene's file may name files

    Returns the path, or without one an iterator of frames (height, width, 3), uint8, sRGB; with `passes`, of arrays by
    name (`FrameData`).

        windflower.render("oak-in-a-storm", "oak.mp4", size=(1280, 720))
        windflower.render(windflower.grow("palm"), "palm.png", at=2.0)
        first = next(windflower.render("forest", quality="draft"))
        for data in windflower.render("forest", passes=["depth", "flow"]):
            data["depth"], data["flow"]  # (540, 960) m, (540, 960, 2) pixels
    """
    from windflower.render.film import Film
    from windflower.render.output import check_output_path
    from windflower.scene.subjects import scene_of

    if passes_as is not None and (passes is None or path is None):
        raise SceneError(
            f"passes_as says how data passes are saved, with passes and a path; there is no "
            f"{'path' if passes is not None else 'passes'} beside '{passes_as}'. Give both, or leave it out."
        )
    if passes is not None:
        return _with_passes(
            scene, path, passes, passes_as or "exr", at=at, seconds=seconds, fps=fps, size=size, quality=quality,
            frame=frame, allow=allow,
        )  # fmt: skip
    target = None if path is None else check_output_path(path)
    film = Film(scene_of(scene, size=size, allow=allow, frame=frame), size=size, quality=quality, shutter=shutter)
    length = film.scene.seconds if seconds is None else seconds
    if target is None:
        return film.frames(length, fps or film.scene.fps, at)
    film.save(target, at=at, seconds=length, fps=fps or film.scene.fps)
    return target


def _with_passes(
    scene: "Subject",
    path: str | os.PathLike[str] | None,
    names: Iterable[str],
    kind: str,
    *,
    at: float,
    seconds: float | None,
    fps: float | None,
    size: tuple[int, int] | None,
    quality: str | None,
    frame: str | None,
    allow: Iterable[str | os.PathLike[str]],
) -> "Path | Iterator[FrameData]":
    from windflower.render.film import Film
    from windflower.render.passes.pass_clip import PassClip
    from windflower.render.passes.pass_files import check_pass_folder, pass_format
    from windflower.render.passes.registry import checked_passes
    from windflower.scene.subjects import scene_of

    passes, form = checked_passes([names] if isinstance(names, str) else names), pass_format(kind)
    target = None if path is None else check_pass_folder(path)
    film = Film(scene_of(scene, size=size, allow=allow, frame=frame), size=size, quality=quality)
    length, rate = film.scene.seconds if seconds is None else seconds, fps or film.scene.fps
    clip = PassClip(film, passes)
    if target is None:
        return clip.frames(length, rate, at)
    clip.save(target, form, seconds=length, fps=rate, at=at)
    return target
