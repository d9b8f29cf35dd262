"""How like a picture is to one of the same moment that was drawn in full: what a budget of triangles may change."""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.core.device import Gpu
from windflower.render.film import Film
from windflower.render.frame import Frame
from windflower.render.quality import Quality, quality_of
from windflower.render.renderer import Renderer
from windflower.scene import Scene

__all__ = ["IN_FULL", "Likeness", "as_on_a_card", "likeness", "pops", "tiles"]

IN_FULL = 10**9  # triangles: no level is coarser than the eye could tell


class Likeness(NamedTuple):
    """Differences of two pictures: mean and 99th percentile over tiles, grey levels; of crown cover, a share."""

    mean: float
    most: float
    cover: float


def as_on_a_card(name: str, **changed: Any) -> Quality:
    """A quality as a graphics card draws it, whatever the tests run on."""
    return replace(quality_of(name, software=False), **changed)


def tiles(picture: NDArray[np.uint8]) -> FloatArray:
    """Mean colours of tiles of 16 x 16 pixels; a rim of less than a tile is left out."""
    rows, columns = picture.shape[0] // 16, picture.shape[1] // 16
    whole = picture[: 16 * rows, : 16 * columns].astype(float)
    return np.asarray(whole.reshape(rows, 16, columns, 16, 3).mean(axis=(1, 3)))


def likeness(scene: Scene, quality: Quality, full: Quality, size: tuple[int, int], t: float, gpu: Gpu) -> Likeness:
    """How like a scene's picture in one quality is to that in another."""
    (a, cover), (b, whole) = (_drawn(_film(scene, one, size, gpu), t) for one in (quality, full))
    off = np.abs(tiles(a) - tiles(b)).mean(axis=2)
    return Likeness(float(off.mean()), float(np.quantile(off, 0.99)), abs(cover - whole))


def pops(scene: Scene, quality: Quality, full: Quality, size: tuple[int, int], times: list[float], gpu: Gpu) -> float:
    """By how much a tile changes from frame to frame more than in full, at the 99.9th percentile, grey levels."""
    strips = []
    for one in (quality, full):
        film = _film(scene, one, size, gpu)
        strip = [tiles(_next(film, t)) for t in times]
        strips.append(np.abs(np.diff(strip, axis=0)).mean(axis=3))
    return float(np.quantile(strips[0] - strips[1], 0.999))


def _film(scene: Scene, quality: Quality, size: tuple[int, int], gpu: Gpu) -> Film:
    film = Film(scene, size=size, gpu=gpu)
    film.quality, film.renderer = quality, Renderer(gpu, size, quality)
    return film


def _next(film: Film, t: float) -> NDArray[np.uint8]:
    """A frame that follows the one before, as in a window."""
    film.go_to(t)
    film.renderer.draw(film.choose(t, alone=False))
    return film.renderer.read().copy()


def _drawn(film: Film, t: float) -> tuple[NDArray[np.uint8], float]:
    """A picture, and the share of it that plants cover."""
    film.go_to(t)
    frame = film.choose(t)
    film.renderer.draw(frame)
    return film.renderer.read().copy(), _cover(film.renderer, frame)


def _cover(renderer: Renderer, frame: Frame) -> float:
    """Share of a picture that plants cover, without ground and sky."""
    alone = Renderer(renderer.gpu, renderer.size, renderer.quality, transparent=True)
    around = replace(frame.around, ground=replace(frame.around.ground, kind="none", pond=None), canopy=None)
    alone.draw(replace(frame, around=around))
    return float(alone.read_with_alpha()[..., 3].mean() / 255)
