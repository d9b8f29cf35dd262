"""The registry of data passes: what each shows, in which units, and what of the data views it reads."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.errors import SceneError

__all__ = ["PARTS", "PASSES", "DataPass", "Layer", "Stored", "checked_passes", "layers_of"]

PARTS = ("sky", "ground", "wood", "leaf", "grass", "water", "sheet")
"""Names of the values of `part`, as numbered in data.wgsl."""


@dataclass(frozen=True)
class Stored:
    """How a layer is stored in 16 bits: value × scale + offset, within 0 and 65535."""

    scale: float = 1.0
    offset: float = 0.0


@dataclass(frozen=True)
class Layer:
    """One array of a frame.

    channels  what its last axis holds; a layer of one channel is (height, width)
    dtype     type of its values in NumPy
    unit      what its values mean
    source    what it is read from, and the first of its channels there: a data view (SOURCES in data_pipelines.py),
              or what `PassClip` makes of them
    exr       type of its channels in an OpenEXR file
    png       how it is stored in 16 bits
    """

    name: str
    channels: str
    dtype: str
    unit: str
    source: str
    first: int = 0
    exr: str = "float"
    png: Stored = Stored()

    def read(self, found: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
        """The layer in what was found out about a frame."""
        array = found[self.source]
        if array.ndim == 3:
            array = array[..., self.first : self.first + len(self.channels)]
        return np.ascontiguousarray(array[..., 0] if array.shape[2:] == (1,) else array, self.dtype)


@dataclass(frozen=True)
class DataPass:
    """What a person asks for by name: one layer, or a few that belong together; `about` says what it shows."""

    name: str
    about: str
    layers: tuple[Layer, ...]


PICTURE, FLOW, SHARE = Stored(257.0), Stored(64.0, 32768.0), Stored(65535.0)
ALL = (
    DataPass("rgb", "the picture", (Layer("rgb", "RGB", "uint8", "sRGB", "rgb", 0, "half", PICTURE),)),
    DataPass(
        "rgba",
        "the picture with a transparent sky",
        (Layer("rgba", "RGBA", "uint8", "sRGB, straight alpha", "rgba", 0, "half", PICTURE),),
    ),
    DataPass(
        "albedo",
        "unlit colours, 16 samples a pixel, and how many are of what its middle shows",
        (
            Layer("albedo", "RGB", "float32", "linear RGB, 0 in the sky", "albedo", 0, "half", SHARE),
            Layer("share", "V", "float32", "share of the same part of the same plant", "albedo", 3, "half", SHARE),
        ),
    ),
    DataPass(
        "depth",
        "distance along the camera's axis",
        (Layer("depth", "Z", "float32", "m, infinite in the sky", "depth", 0, "float", Stored(100.0)),),
    ),
    DataPass(
        "normal",
        "the direction that its visible side faces",
        (Layer("normal", "XYZ", "float32", "unit vector, 0 for sky", "normal", 0, "half", Stored(32767.0, 32768.0)),),
    ),
    DataPass(
        "flow",
        "to where surfaces go and from where they come, and whether they are hidden there",
        (
            Layer("flow", "xy", "float32", "pixels right and down to the next frame", "forward", 0, "float", FLOW),
            Layer("flow_back", "xy", "float32", "pixels to the frame before", "motion", 0, "float", FLOW),
            Layer("occluded", "V", "bool", "not to be seen in the next frame", "hidden_after", 0, "half", SHARE),
            Layer("occluded_back", "V", "bool", "nor in the frame before", "hidden_before", 0, "half", SHARE),
        ),
    ),
    DataPass("instance", "which plant", (Layer("instance", "V", "uint32", "id, 0 for none", "labels", 0, "uint"),)),
    DataPass("part", ", ".join(PARTS), (Layer("part", "V", "uint8", "number of the part", "labels", 1, "uint"),)),
    DataPass("species", "which species", (Layer("species", "V", "uint16", "id, 0 for none", "species", 0, "uint"),)),
    DataPass(
        "wind",
        "the wind where the surface is",
        (Layer("wind", "XYZ", "float32", "m/s, 0 in the sky", "wind", 0, "float", Stored(256.0, 32768.0)),),
    ),
    DataPass(
        "strain",
        "strain of the wood",
        (Layer("strain", "V", "float32", "m/m, 0 where there is no wood", "labels", 2, "float", Stored(1e6)),),
    ),
)
PASSES = {one.name: one for one in ALL}
"""All data passes by name. A new one is a line here and, if no data view has what it needs, a function in data.wgsl."""


def checked_passes(names: Iterable[str]) -> tuple[DataPass, ...]:
    """The passes of these names, in the registry's order; refuses what is none."""
    asked = [name.strip() for name in names]
    unknown = [name for name in asked if name not in PASSES]
    if unknown or not asked:
        found = f"'{unknown[0]}' is not one of them" if unknown else "none is named"
        raise SceneError(f"a data pass is one of {', '.join(PASSES)}; {found}. Name some of them.")
    return tuple(one for name, one in PASSES.items() if name in asked)


def layers_of(passes: Iterable[DataPass]) -> list[Layer]:
    """All layers of passes."""
    return [layer for one in passes for layer in one.layers]
