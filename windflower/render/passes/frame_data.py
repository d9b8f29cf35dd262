"""One frame of data passes: arrays by name, and what is known beside them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.scene import View
from windflower.scene.camera import NEAR, look_at, perspective

__all__ = ["FrameData", "camera_facts"]


@dataclass(frozen=True, eq=False)
class FrameData(Mapping[str, NDArray[Any]]):
    """Layers of one frame by name: `frame["depth"]` is an array (height, width), `frame["flow"]` (height, width, 2).

    number  of the frame in its clip, from 0
    time    s
    arrays  the layers
    camera  see `camera_facts`
    sun     direction to the sun or, at night, the moon, and the colour of its light, linear RGB
    wind    (plants + 1, 3) wind over each plant, m/s, by its id; nan for those that are not there
    """

    number: int
    time: float
    arrays: Mapping[str, NDArray[Any]] = field(repr=False)
    camera: Mapping[str, Any] = field(repr=False)
    sun: Mapping[str, Any] = field(repr=False)
    wind: NDArray[Any] = field(repr=False)

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self.arrays[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.arrays)

    def __len__(self) -> int:
        return len(self.arrays)


def camera_facts(view: View, size: tuple[int, int]) -> dict[str, Any]:
    """What a reader needs to place pixels of a picture of this size.

    view        (4, 4) world to camera space: x right, y up, z backward; matrices multiply columns
    projection  (4, 4) camera to clip space: y up, depth from 1 at `near` to 0 at infinity
    intrinsics  of a pinhole camera in pixels, where x runs right and y down
    """
    width, height = size
    focal = height / 2 / np.tan(np.radians(view.field_of_view) / 2)
    return {
        "eye": view.eye.tolist(),
        "target": view.target.tolist(),
        "field_of_view": view.field_of_view,
        "near": NEAR,
        "view": look_at(view.eye, view.target).tolist(),
        "projection": perspective(view.field_of_view, width / height).tolist(),
        "intrinsics": {"fx": focal, "fy": focal, "cx": width / 2, "cy": height / 2},
    }
