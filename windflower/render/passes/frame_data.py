"""One frame of data passes: arrays by name, and what is known beside them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

__all__ = ["FrameData"]


@dataclass(frozen=True, eq=False)
class FrameData(Mapping[str, NDArray[Any]]):
    """Layers of one frame by name: `frame["depth"]` is an array (height, width), `frame["flow"]` (height, width, 2).

    number  of the frame in its clip, from 0
    time    s
    arrays  the layers
    camera  eye, target, field of view, `view` (4, 4) world to camera, `projection` (4, 4) camera to clip space
    sun     direction to the sun or, at night, the moon
    wind    (labels + 1, 3) wind over each plant, m/s, by its id; nan for those that are not there
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
