"""Points a second at which a wind is evaluated."""

from functools import partial

import numpy as np

from windflower.bench.timing import seconds_of
from windflower.core.arrays import FloatArray
from windflower.wind import Gusts, Steady, Turbulence, Wind, beaufort_speed, gusty_wind

__all__ = ["bench_wind"]


def bench_wind(*, points: int = 100_000, repeats: int = 7) -> list[dict[str, str | float]]:
    """Time a gusty, turbulent wind (Beaufort 5) at random points of a square kilometre, whole and part by part.

    Each row holds the `wind`, the number of `points`, the best time of `repeats` in `milliseconds`, and
    `points per second`.
    """
    places = np.random.default_rng(0).random((points, 3)) * [1000.0, 20.0, 1000.0]
    speed = beaufort_speed(5)
    winds: dict[str, Wind] = {
        "steady + gusts + turbulence": gusty_wind(speed, seed=1),
        "steady": Steady(speed=speed),
        "gusts": Gusts(speed=speed, strength=0.4 * speed, seed=1),
        "turbulence": Turbulence(speed=speed, seed=1),
    }
    return [_row(name, wind, places, repeats) for name, wind in winds.items()]


def _row(name: str, wind: Wind, places: FloatArray, repeats: int) -> dict[str, str | float]:
    wind.velocity(places[:1], 0.0)  # lets the wind work out what it keeps
    seconds = min(seconds_of(partial(wind.velocity, places, float(t))) for t in range(repeats))
    return {
        "wind": name,
        "points": len(places),
        "milliseconds": 1e3 * seconds,
        "points per second": len(places) / seconds,
    }
