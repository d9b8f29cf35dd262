"""The registry of data passes: what each shows, in which units, and what of the data views it reads."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.errors import SceneError

__all__ = ["PARTS", "PASSES", "DataPass", "Facts", "Layer", "Stored", "checked_passes", "layers_of", "sources_of"]

PARTS = ("sky", "ground", "wood", "leaf", "grass", "water", "sheet")
"""Names of the values of `part`, as numbered in data.wgsl."""


@dataclass(frozen=True, eq=False)
class Facts:
    """What was found out about the pixels of a frame; what nobody asked for is missing.

    views          pictures (height, width, 4) of data views, by the names of SOURCES; "motion" leads to the frame before
    forward        the view "motion" that leads to the frame after
    hidden_after, hidden_before  (height, width) whether what a pixel shows cannot be seen in that frame
    species        (labels,) number of the species of each label
    wind           (height, width, 3) m/s
    rgb, rgba      pictures, uint8
    """

    views: dict[str, FloatArray] = field(default_factory=dict)
    forward: FloatArray | None = None
    hidden_after: NDArray[np.bool_] | None = None
    hidden_before: NDArray[np.bool_] | None = None
    species: NDArray[np.uint16] | None = None
    wind: FloatArray | None = None
    rgb: NDArray[np.uint8] | None = None
    rgba: NDArray[np.uint8] | None = None

    @property
    def labels(self) -> NDArray[np.uint32]:
        """(height, width) label of the plant in each pixel, 0 for none."""
        return self.views["labels"][..., 0].astype(np.uint32)

    @property
    def depth(self) -> NDArray[np.float32]:
        """(height, width) distance along the camera's axis, m; infinite for the sky."""
        found = self.views["labels"][..., 3]
        return np.where(found > 0, found, np.inf).astype(np.float32)


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
    unit      and what its values mean
    read      finds it among the facts of a frame
    png       how it is stored in 16 bits; None for pictures of 8 bits
    exr       type of its channels in an OpenEXR file
    """

    name: str
    channels: str
    dtype: str
    unit: str
    read: Callable[[Facts], Any]
    png: Stored | None
    exr: str


@dataclass(frozen=True)
class DataPass:
    """What a person asks for by name: one layer, or a few that belong together.

    about    what it shows, for help
    sources  data views that it reads
    """

    name: str
    about: str
    layers: tuple[Layer, ...]
    sources: tuple[str, ...] = ("labels",)


def _one(about: str, layer: Layer, *sources: str) -> DataPass:
    return DataPass(layer.name, about, (layer,), sources or ("labels",))


ID, FLOW, SHARE = Stored(), Stored(64.0, 32768.0), Stored(65535.0)
ALL = (
    _one("the picture", Layer("rgb", "RGB", "uint8", "sRGB", lambda f: f.rgb, None, "half"), "picture"),
    _one(
        "the picture without its sky, which is transparent",
        Layer("rgba", "RGBA", "uint8", "sRGB, straight alpha", lambda f: f.rgba, None, "half"),
        "transparent",
    ),
    _one(
        "unlit colours, 16 samples a pixel",
        Layer("albedo", "RGB", "float32", "linear RGB", lambda f: f.views["albedo"][..., :3], SHARE, "half"),
        "albedo",
    ),
    _one(
        "distance along the camera's axis",
        Layer("depth", "Z", "float32", "m, infinite for the sky", lambda f: f.depth, Stored(100.0), "float"),
    ),
    _one(
        "which way the surface faces, in the world",
        Layer(
            "normal", "XYZ", "float32", "unit vector, 0 for the sky", lambda f: f.views["normal"][..., :3],
            Stored(32767.0, 32768.0), "half",
        ),
        "normal",
    ),
    DataPass(
        "flow",
        "where each pixel's surface is in the next frame and in the one before, and whether it is hidden there",
        (
            Layer("flow", "xy", "float32", "pixels to the next frame, right and down", lambda f: f.forward[..., :2], FLOW, "float"),  # type: ignore[index]  # fmt: skip  # noqa: E501
            Layer("flow_back", "xy", "float32", "pixels to the frame before", lambda f: f.views["motion"][..., :2], FLOW, "float"),  # fmt: skip  # noqa: E501
            Layer("occluded", "V", "bool", "hidden or out of the picture in the next frame", lambda f: f.hidden_after, SHARE, "half"),  # fmt: skip  # noqa: E501
            Layer("occluded_back", "V", "bool", "the same in the frame before", lambda f: f.hidden_before, SHARE, "half"),  # fmt: skip  # noqa: E501
        ),
        ("labels", "motion"),
    ),
    _one("which plant", Layer("instance", "V", "uint32", "id, 0 for none", lambda f: f.labels, ID, "uint")),
    _one(
        "what of it: " + ", ".join(PARTS),
        Layer("part", "V", "uint8", "index of the part", lambda f: f.views["labels"][..., 1], ID, "uint"),
    ),
    _one(
        "which species",
        Layer("species", "V", "uint16", "id, 0 for none", lambda f: f.species[f.labels], ID, "uint"),  # type: ignore[index]
    ),
    _one(
        "the wind where the surface is",
        Layer("wind", "XYZ", "float32", "m/s in the world, 0 in the sky", lambda f: f.wind, Stored(256.0, 32768.0), "float"),
    ),
    _one(
        "strain of the wood",
        Layer("strain", "V", "float32", "m/m, 0 elsewhere", lambda f: f.views["labels"][..., 2], Stored(1e6), "float"),
    ),
)
PASSES = {one.name: one for one in ALL}
"""All data passes by name. A new one is a line here and, if no data view has what it needs, a function in data.wgsl."""


def checked_passes(names: Iterable[str]) -> tuple[DataPass, ...]:
    """The passes of these names, in the registry's order; refuses what is none."""
    asked = [name.strip() for name in names]
    unknown = [name for name in asked if name not in PASSES]
    if unknown or not asked:
        found = f"'{unknown[0]}' is none" if unknown else "none is named"
        raise SceneError(f"a data pass is one of {', '.join(PASSES)}; {found}. Name some of them.")
    return tuple(one for name, one in PASSES.items() if name in asked)


def layers_of(passes: Iterable[DataPass]) -> list[Layer]:
    """All layers of passes."""
    return [layer for one in passes for layer in one.layers]


def sources_of(passes: Iterable[DataPass]) -> set[str]:
    """What passes read."""
    return {source for one in passes for source in one.sources}
