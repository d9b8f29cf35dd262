"""The wind of a scene for a page: its waves at any speed, and the gusts that come with them.

A page turns the wind, makes it stronger and adds gusts; what these are made of is the same at any speed and direction:
frequencies and directions of waves across the wind (times the speed that carries them), and arrivals of gusts. What a
wave's amplitude is over the speed is tabled.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.errors import SceneError
from windflower.render.ground import grass_height
from windflower.scene import Scene
from windflower.scene.canopy import wind_over
from windflower.simulation.ground_wind import CARRIED
from windflower.wind import Wind, beaufort_speed
from windflower.wind.grid import Box
from windflower.wind.layer import Fronts, Layer, merged

__all__ = ["wind_facts"]

ABOUT = 150.0  # m beyond the plants in which grass feels gusts
INTERVALS = 120  # of gusts that are known; then they come again


def wind_facts(scene: Scene, box: Box, store: Any) -> dict[str, Any]:
    """The wind of a scene over a box: `store` puts an array into the pack and gives its number."""
    own = _layer(scene.wind)
    speed = scene.settings.wind.mean_speed or 0.0
    speeds = sorted({*(beaufort_speed(step) for step in range(1, 13)), *([speed] if speed else [])})
    layers = [own if one == speed else _layer(_wind_at(scene, one)) for one in speeds]
    eddies = layers[0].eddies
    tall = grass_height(scene.ground)
    facts: dict[str, Any] = {
        "speed": speed,
        "direction": scene.settings.wind.direction,
        "origin": box.middle.tolist(),
        "steady": float(np.linalg.norm(layers[0].steady)) / speeds[0],
        "pace": own.profile.pace,
        "carried": CARRIED,
        "grass": {"height": tall, "gain": _gain(own, [0.0, tall, 0.0])} if tall else None,
        "pond": {"gain": _gain(own, [0.0, 1.0, 0.0])} if scene.ground.pond else None,
        "train": _train(layers[0], speeds[0], box, store),
        "gusts": [_gust(front) for front in own.fronts if not _follow(front)],
        "speeds": speeds,
        "swells": own.swells is not None,
        "waves": None,
    }
    if eddies is not None:
        turns: FloatArray = eddies._turns * [1.0, eddies.pace, eddies.pace]  # type: ignore[attr-defined]
        facts["waves"] = store(turns.astype("<f8"))
        facts["phasors"] = store(np.stack([_phasors(layer) for layer in layers]))
    return facts


def _layer(wind: Wind) -> Layer:
    """The only layer of a wind that kernels sum."""
    layers = [part.layer for part in wind.parts]
    known = merged([layer for layer in layers if layer is not None])
    if None in layers or len(known) != 1:
        raise SceneError(
            "wind: a page blows a mean wind with gusts and turbulence; this scene has a recording, a grid or local "
            "winds. Leave them out."
        )
    return known[0]


def _wind_at(scene: Scene, speed: float) -> Wind:
    """The wind of a scene at another mean speed, m/s."""
    wind = scene.settings.wind.model_copy(update={"speed": speed, "beaufort": None, "preset": None})
    return wind_over(scene.settings.model_copy(update={"wind": wind}), scene.forest)


def _gain(layer: Layer, point: list[float]) -> list[float]:
    gain: list[float] = layer.gains(np.array([point]))[0].tolist()
    return gain


def _phasors(layer: Layer) -> NDArray[np.float32]:
    """(waves, 6) real and imaginary amplitudes over the speed at which they swell."""
    assert layer.eddies is not None
    phasor = layer.eddies.phasor / (layer.swells or 1.0)
    return np.concatenate([phasor.real, phasor.imag], axis=1).astype("<f4")


def _train(layer: Layer, speed: float, box: Box, store: Any) -> dict[str, Any] | None:
    """The train of gusts, with moments and strengths of its fronts; it comes again after `INTERVALS`."""
    trains = [front for front in layer.fronts if _follow(front)]
    if not trains:
        return None
    train, far = trains[0], ABOUT + float(np.linalg.norm(box.corners[:, [0, 2]], axis=1).max())
    about = Box((-far, 0.0, -far), (far, 0.0, far))
    table = train.table(about, 0.0, INTERVALS * train.table(about, 0.0, 0.0).spacing)
    lanes, intervals, _ = table.fronts.shape
    chance = table.fronts[..., 0] / table.spacing - np.arange(intervals)
    return {
        "strength": train.strength / speed,
        "lane": int(table.lane),
        "lanes": lanes,
        "before": -round(table.start / table.spacing),
        "intervals": intervals,
        "fronts": store(np.stack([chance, table.fronts[..., 1]], axis=-1).astype("<f8")),
        "spacing": table.spacing,
        **_shape(train),
    }


def _follow(front: Fronts) -> bool:
    """Whether gusts follow one another; else it is one alone."""
    here = Box((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    return front.table(here, 0.0, 0.0).spacing > 0


def _gust(gust: Fronts) -> dict[str, Any]:
    """A gust alone, of which the table says when it comes and how far to the left."""
    alone = gust.table(Box((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)), 0.0, 0.0)
    fixed = {"at": alone.start, "offset": alone.lane * gust.width, "speed": gust.speed, "strength": gust.strength}
    return {**fixed, "direction": gust.direction, **_shape(gust)}


def _shape(front: Fronts) -> dict[str, float]:
    return {"duration": front.duration, "rise": front.rise, "fall": front.fall, "width": front.width}
