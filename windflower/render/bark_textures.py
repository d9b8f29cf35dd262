"""Bark on the device: the tiles of a pattern as textures, and its colours as uniforms."""

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.device import Gpu
from windflower.geometry.bark import PATTERNS, tiles_of
from windflower.geometry.finishes import Bark

__all__ = ["bark_textures", "bark_uniforms"]

TEXTURE, COPY_DST = 0x04, 0x02


def bark_uniforms(bark: Bark) -> dict[str, tuple[float, ...]]:
    """Fields of `Mesh` in deform.wgsl that tell the colours of bark."""
    pattern, tiles = PATTERNS[bark.pattern], tiles_of(bark.pattern)
    return {
        "bark": (*bark.colour, float(np.ptp(tiles[-1].height))),
        "second": (*pattern.second, float(np.ptp(tiles[0].height))),
        "young": (*(pattern.young or bark.colour), float(pattern.young is not None)),
        "old": (*pattern.old.colour, pattern.old.reach) if pattern.old else (*bark.colour, 0.0),
        "means": (*tiles[0].mean, *tiles[-1].mean),
    }


@lru_cache(maxsize=16)
def bark_textures(gpu: Gpu, pattern: str) -> tuple[Any, Any, Any]:
    """Views of both textures of a pattern, a layer for each of its tiles, and their sampler."""
    tiles = [tile.texels for tile in tiles_of(pattern)]
    sampler = gpu.device.create_sampler(
        address_mode_u="repeat",
        address_mode_v="repeat",
        mag_filter="linear",
        min_filter="linear",
        mipmap_filter="linear",
        max_anisotropy=1 if gpu.software else 8,
    )
    first, second = (_texture(gpu, [tile[part] for tile in tiles]) for part in range(2))
    return first, second, sampler


def _texture(gpu: Gpu, layers: list[NDArray[np.uint8]]) -> Any:
    """View of an array texture with the mipmaps of each layer."""
    high, wide = layers[0].shape[:2]
    count = wide.bit_length()
    texture = gpu.device.create_texture(
        size=(wide, high, len(layers)), format="rgba8unorm", usage=TEXTURE | COPY_DST, mip_level_count=count
    )
    for depth, layer in enumerate(layers):
        level = layer.astype(np.float64)
        for number in range(count):
            rows, columns = level.shape[:2]
            texels = np.ascontiguousarray(np.round(level).astype(np.uint8))
            layout = {"bytes_per_row": 4 * columns, "rows_per_image": rows}
            target = {"texture": texture, "mip_level": number, "origin": (0, 0, depth)}
            gpu.queue.write_texture(target, texels, layout, (columns, rows, 1))
            if columns > 1:
                level = (level[::2] + level[1::2])[:, ::2] / 4 + (level[::2] + level[1::2])[:, 1::2] / 4
    return texture.create_view(dimension="2d-array")
