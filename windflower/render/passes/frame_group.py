"""The bind group of a frame for data views: without light, haze or shadows."""

from functools import lru_cache
from typing import Any

from windflower.core.buffers import bind_group
from windflower.core.device import Gpu
from windflower.render.drawn_sky import DrawnSky
from windflower.render.pipelines import CAST, Layouts

__all__ = ["frame_group", "sky_group"]

TEXTURE = 0x04


def frame_group(gpu: Gpu, layouts: Layouts, frame: Any) -> Any:
    """Bind group 0 of a data view, of a uniform buffer of `Frame` in frame.wgsl."""
    return bind_group(gpu, layouts.frame, frame, *_dark_sky(gpu), _no_shadow(gpu), gpu.device.create_sampler())


def sky_group(gpu: Gpu, layouts: Layouts, frame: Any) -> Any:
    """Bind group 0 of the deform pass."""
    return bind_group(gpu, layouts.frame_and_sky, frame, *_dark_sky(gpu))


@lru_cache(maxsize=4)
def _dark_sky(gpu: Gpu) -> tuple[Any, ...]:
    return DrawnSky(gpu).bindings


@lru_cache(maxsize=4)
def _no_shadow(gpu: Gpu) -> Any:
    return gpu.device.create_texture(size=(1, 1, 1), format=CAST, usage=TEXTURE).create_view()
