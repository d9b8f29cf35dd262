"""Data passes as pictures to look at: flow as colours of a wheel, distances as grey, ids as colours of their own.

The numbers are in the arrays; these pictures only show them.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["pass_picture"]

SKY = 0.92  # grey of what is infinitely far away
QUANTILE = 0.98  # of values that reach the full colour
GOLDEN = 0.618034  # turns of hue between ids that follow one another
WARM = np.array([[0.13, 0.13, 0.35], [0.25, 0.55, 0.72], [0.96, 0.93, 0.72], [0.93, 0.50, 0.20], [0.65, 0.05, 0.15]])


def pass_picture(name: str, array: NDArray[Any], *, full: float | None = None) -> NDArray[np.uint8]:
    """A layer of a data pass as a picture (height, width, 3), uint8.

    name   its name: rgb, depth, flow, instance, …
    array  its values, (height, width) or (height, width, channels)
    full   the value that reaches the full colour, in the layer's unit; by default what a few pixels pass, so give it
           where pictures are compared: pixels of flow, m/s of wind, m/m of strain, m of depth
    """
    values = np.asarray(array)
    if values.dtype == np.uint8 and values.ndim == 3:
        return np.ascontiguousarray(values[..., :3])
    shown = SHOWN.get(name.removesuffix("_back"), _grey)(values.astype(np.float64), full)
    return np.round(255 * np.clip(shown, 0, 1)).astype(np.uint8)


def _flow(flow: NDArray[Any], full: float | None) -> NDArray[Any]:
    """Hue by direction, strength by length: grey stands still."""
    length = np.hypot(flow[..., 0], flow[..., 1])
    turn = np.arctan2(flow[..., 1], flow[..., 0]) / (2 * np.pi)
    strength = np.clip(length / _full(length, full), 0, 1)[..., None]
    return 0.92 * (1 - strength) + _hue(turn) * strength


def _albedo(albedo: NDArray[Any], full: float | None) -> NDArray[Any]:
    """As a display shows it."""
    x = np.clip(albedo / (full or 1.0), 0, 1)
    return np.where(x < 0.0031308, 12.92 * x, 1.055 * x ** (1 / 2.4) - 0.055)


def _depth(depth: NDArray[Any], full: float | None) -> NDArray[Any]:
    """Near is dark; equal steps of grey are equal factors."""
    known = np.isfinite(depth) & (depth > 0)
    if not known.any():
        return _three(np.full(depth.shape, SKY))
    near, far = np.log(depth[known].min()), np.log(full or depth[known].max())
    share = (np.log(np.where(known, depth, 1.0)) - near) / max(far - near, 1e-9)
    return _three(np.where(known, 0.05 + 0.8 * np.clip(share, 0, 1), SKY))


def _normal(normal: NDArray[Any], _: float | None) -> NDArray[Any]:
    return np.where((normal == 0).all(axis=-1, keepdims=True), SKY, (normal + 1) / 2)


def _ids(ids: NDArray[Any], _: float | None) -> NDArray[Any]:
    """A colour for each id, the same in every frame; 0 is white."""
    brightness = 0.75 + 0.25 * ((ids * 0.381966) % 1)
    return np.where((ids == 0)[..., None], 1.0, _hue(ids * GOLDEN) * brightness[..., None])


def _wind(wind: NDArray[Any], full: float | None) -> NDArray[Any]:
    speed = np.linalg.norm(wind, axis=-1)
    return _ramp(speed / _full(speed, full))


def _strain(strain: NDArray[Any], full: float | None) -> NDArray[Any]:
    size = np.abs(strain)
    return np.where((size == 0)[..., None], SKY, _ramp(size / _full(size, full)))


def _grey(values: NDArray[Any], full: float | None) -> NDArray[Any]:
    size = np.abs(values)
    shown = size / _full(size, full)
    return _three(shown) if shown.ndim == 2 else shown[..., :3]


SHOWN: Mapping[str, Callable[[NDArray[Any], float | None], NDArray[Any]]] = {
    "albedo": _albedo,
    "flow": _flow,
    "depth": _depth,
    "normal": _normal,
    "instance": _ids,
    "part": _ids,
    "species": _ids,
    "wind": _wind,
    "strain": _strain,
}
"""How layers are shown; others as grey, or as the colours that they are."""


def _full(sizes: NDArray[Any], full: float | None) -> float:
    """The value of full colour: what is asked for, or what few values that are not 0 pass."""
    some = sizes[np.isfinite(sizes) & (sizes > 0)]
    return full or (float(np.quantile(some, QUANTILE)) if len(some) else 1.0)


def _hue(turn: NDArray[Any]) -> NDArray[Any]:
    """Colours around a wheel, from red over yellow, green and blue, by turns."""
    phase = (turn[..., None] + np.array([0.0, 2 / 3, 1 / 3])) * 6 % 6
    return np.clip(np.abs(phase - 3) - 1, 0.12, 0.95)


def _ramp(share: NDArray[Any]) -> NDArray[Any]:
    """From dark blue over pale yellow to dark red."""
    at = np.clip(share, 0, 1)[..., None] * (len(WARM) - 1)
    low = np.minimum(at.astype(int), len(WARM) - 2)
    return WARM[low[..., 0]] * (1 - (at - low)) + WARM[low[..., 0] + 1] * (at - low)


def _three(grey: NDArray[Any]) -> NDArray[Any]:
    return np.repeat(grey[..., None], 3, axis=-1)
