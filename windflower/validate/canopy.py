"""The wind over and in a forest against published values, most of them measured in the simulated air itself."""

import math
from collections.abc import Iterator

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.validate import Check, compared, within
from windflower.wind import Forest, ForestProfile, Turbulence, deep_forest, forest_profile
from windflower.wind.canopy import canopy_exponent, canopy_speed

__all__ = ["check_canopy"]

HEIGHT, LEAF_AREA, SPEED, INTENSITY = 15.0, 4.0, 8.0, 0.18  # m, -, m/s at 10 m, -
SEEDS, LONG, RATE = 20, 600.0, 4.0  # records of the air, s, Hz
APART, PLACES = 0.75, 4096  # m from place to place along the wind, and how many of them
RAUPACH = "Raupach, Finnigan & Brunet 1996"


def check_canopy() -> Iterator[Check]:
    """Profile, eddies, their spacing and speed, the edge, and shelter."""
    forest = deep_forest(HEIGHT, LEAF_AREA)
    winds = [eddies_over(forest, seed) for seed in range(SEEDS)]
    yield from _profile(forest)
    yield from _top(forest, winds)
    yield compared("distance of eddies over L_s, by the spectrum of w", _spacing(forest, winds), 8.1, 0.15, RAUPACH)
    yield compared("speed of eddies over U(h), by their arrival", _pace(forest, winds), 1.8, 0.05, RAUPACH)
    yield from _edge()


def eddies_over(forest: ForestProfile, seed: int) -> Turbulence:
    """The eddies over a forest, as a scene has them."""
    return Turbulence(
        speed=SPEED,
        carried=SPEED * forest.pace,
        intensity=INTENSITY,
        form=forest.form,
        length=forest.length,
        seed=seed,
        profile=forest,
    )


def _profile(forest: ForestProfile) -> Iterator[Check]:
    """The mean wind: value and slope at the top, what it is far above, and how it falls off inside."""
    step = 1e-4 * HEIGHT
    below, at, above = _mean(forest, HEIGHT + step * np.array([-1.0, 0.0, 1.0]))
    yield within("forest, jump of U at h, over U", (above - 2 * at + below) / at, 1e-6, "continuous")
    yield within("forest, kink of U at h, over U′", (above - 2 * at + below) / (at - below), 2e-3, "slope continuous")
    areas = np.array([2.0, 3.0, 4.0, 6.0])
    top, half = (canopy_speed(np.full(len(areas), z), canopy_exponent(areas)) for z in (1.0, 0.5))
    off = float(np.abs(2 * np.log(top / half) - 2.5).max())
    yield within("forest, h/L_s - 2.5 for leaf areas of 2 to 6", off, 0.501, "2 to 3")
    far = np.array([20.0, 40.0, 80.0])
    speed = canopy_speed(far, canopy_exponent(np.array(3.0)))
    displacement, rough = _log_law(far, speed)
    yield compared("forest, displacement over h, from far above", displacement, 0.75, 0.02, "0.75")
    yield compared("forest, roughness over h, from far above", rough, 0.08, 0.15, "Raupach 1994: 0.08")
    high = np.array([60.0])
    same = _mean(forest, high) / forest.open.at(high)
    yield compared("forest, U at 60 m over that of open country", same, 1.0, 1e-6, "Wieringa 1986")


def _mean(forest: ForestProfile, height: FloatArray) -> FloatArray:
    return forest.mean(np.stack([0 * height, height, 0 * height], axis=1))


def _log_law(height: FloatArray, speed: FloatArray) -> tuple[float, float]:
    """Displacement and roughness of u*/κ ln((z - d)/z0) through the first and the last of three speeds over u*."""
    grown = math.exp(0.4 * (speed[2] - speed[0]))
    displacement = (grown * height[0] - height[2]) / (grown - 1)
    return displacement, (height[0] - displacement) * math.exp(-0.4 * speed[0])


def _top(forest: ForestProfile, winds: list[Turbulence]) -> Iterator[Check]:
    """Statistics of the air at the top of the forest; u* is from the momentum that it carries down."""
    times = np.arange(0, LONG, 1 / RATE)
    air = np.concatenate([wind.velocity([0.0, HEIGHT, 0.0], times) for wind in winds])
    u, w, v = air.T  # x along the wind, y up, z to its right
    friction = math.sqrt(-float((u * w).mean()))
    mean = SPEED * float(_mean(forest, np.array([HEIGHT]))[0])
    yield compared("forest, U(h) over u*", mean / friction, 3.3, 0.05, RAUPACH)
    for name, one, expected in (("u", u, 1.8), ("v", v, 1.45), ("w", w, 1.1)):
        yield compared(f"forest, σ of {name} over u* at h", one.std() / friction, expected, 0.05, RAUPACH)
    yield compared("forest, intensity at h", u.std() / mean, 0.55, 0.05, RAUPACH)
    alike = float(np.corrcoef(u, w)[0, 1])
    yield within("forest, correlation of u and w at h + 0.475", alike + 0.475, 0.075, "-0.4 to -0.55")


def _spacing(forest: ForestProfile, winds: list[Turbulence]) -> float:
    """Wavelength at which k S(k) of w along the wind is largest, over L_s, from the air at one moment."""
    along = APART * np.arange(PLACES)
    places = np.stack([along, np.full(PLACES, HEIGHT), 0 * along], axis=1)
    window = np.hanning(PLACES)
    power = sum(np.abs(np.fft.rfft(window * wind.velocity(places, 0.0)[:, 1])) ** 2 for wind in winds)
    k = np.fft.rfftfreq(PLACES, APART)
    edges = np.geomspace(4 / (APART * PLACES), 0.25, 25)
    band = np.digitize(k, edges)
    weight = [float((k * power)[band == b].mean()) for b in range(1, len(edges))]
    middle = np.log(np.sqrt(edges[:-1] * edges[1:]))
    peak = _summit(middle, np.log(weight))
    height, exponent, _ = forest.whole
    return math.exp(-peak) / (height / exponent)


def _summit(x: FloatArray, y: FloatArray) -> float:
    """Where a cubic through the points about the largest is largest."""
    near = np.abs(x - x[np.argmax(y)]) < 1.6
    cubic = np.polynomial.Polynomial.fit(x[near], y[near], 3)
    fine = np.linspace(x[near][0], x[near][-1], 2001)
    return float(fine[np.argmax(cubic(fine))])


def _pace(forest: ForestProfile, winds: list[Turbulence]) -> float:
    """Speed from the lag at which the air downwind is most alike, over U(h)."""
    distance, times = 30.0, np.arange(0, 120, 0.05)
    lag = np.arange(0, 300)
    alike = np.zeros(len(lag))
    for wind in winds:
        here, there = (wind.velocity([x, HEIGHT, 0.0], times)[:, 0] for x in (0.0, distance))
        alike += [float(here[: len(times) - 300] @ there[one : one + len(times) - 300]) for one in lag]
    late = 0.05 * int(np.argmax(alike))
    return distance / late / (SPEED * float(_mean(forest, np.array([HEIGHT]))[0]))


def _edge() -> Iterator[Check]:
    """The wind in the crowns behind the edge of a wide forest, in its lee, and behind one tree."""
    trees = Forest(*_wood(np.arange(0.0, 40 * HEIGHT, 4.0), np.arange(-10 * HEIGHT, 10 * HEIGHT, 4.0)))
    air, along = forest_profile(trees), HEIGHT * np.arange(-3.0, 66.0, 0.1)
    crowns = air.mean(np.stack([along, np.full(len(along), 0.75 * HEIGHT), 0 * along], axis=1))
    open_country, deep = crowns[0], crowns[np.searchsorted(along, 35 * HEIGHT)]
    adapted = along[np.argmax(crowns < deep + 0.05 * (open_country - deep))] / HEIGHT
    yield compared("edge, heights to 95 % of the change", adapted, 10.0, 0.2, "about ten heights")
    back = along[len(along) - 1 - np.argmax((crowns < deep + 0.9 * (open_country - deep))[::-1])] / HEIGHT - 40
    yield compared("lee, heights until 90 % has come back", back, 15.0, 0.35, "10 to 20 heights")
    lone = forest_profile(Forest(*_wood(np.zeros(1), np.zeros(1), area=200.0)))
    behind = lone.mean(np.array([[5 * HEIGHT, 0.75 * HEIGHT, 0.0]])) / lone.open.at(np.array([0.75 * HEIGHT]))
    yield within("one tree, loss of wind five heights behind it", 1 - float(behind[0]), 0.1, "hardly any")


def _wood(x: FloatArray, z: FloatArray, area: float = LEAF_AREA * 16.0) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Trees in rows: positions, heights, leaf areas."""
    position = np.stack(np.meshgrid(x, z, indexing="ij"), axis=-1).reshape(-1, 2)
    return position, np.full(len(position), HEIGHT), np.full(len(position), area)
