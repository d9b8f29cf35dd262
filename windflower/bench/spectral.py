"""Loops made in the frequency domain: the time they take, beside Stam's Table 1, and their errors."""

from collections.abc import Iterator

import numpy as np

from windflower.bench import Row
from windflower.bench.timing import best_of
from windflower.mechanics import Modes, analyse
from windflower.motion import NoiseFilter, SpectralMotion
from windflower.motion.spectral.loop import Loop
from windflower.plant.detail import with_detail
from windflower.plant.graph import Plant
from windflower.plant.growth import grow
from windflower.validate.trees import difference_from_all_modes
from windflower.wind import Turbulence

__all__ = ["bench_spectral", "drag_difference"]

PAPER = {2257: (48.8, 451.4), 692: (10.1, 145.3), 212: (5.5, 37.5), 62: (0.5, 3.4), 17: (0.2, 0.3)}
"""Branches -> seconds for the modes ("lanz") and for the noise, on a 150 MHz R4400 (Stam 1996, Table 1)."""

MODES, SAMPLES, SPEED = 20, 256, 6.0  # as many modes and samples as in the paper


def bench_spectral(*, branches: tuple[int, ...] = tuple(PAPER), repeats: int = 3) -> list[Row]:
    """Seconds for loops of trees with as many branches as the paper's, and the errors of the method in per cent.

    Each row says `what` was measured, on how many `branches`, its value `here`, its `unit`, the paper's, and
    how many times faster here. The period is so long that 256 samples hold twice the highest mode; t_c is 1 s and d_c
    the mean length of a branch.
    """
    rows = [row for count in branches for row in _timed(_tree(count), repeats, PAPER.get(count, ("", "")))]
    return rows + list(_left_out(_tree(692)))


def _timed(plant: Plant, repeats: int, paper: tuple[float | str, float | str]) -> Iterator[Row]:
    modes, seconds = best_of(lambda: analyse(plant, count=MODES, cache=False), repeats)
    yield _row("modes", plant, seconds, "s", paper[0])
    period = SAMPLES / (4 * float(modes.frequency[-1]))
    noise = NoiseFilter(speed=SPEED, correlation_time=1.0, correlation_distance=float(plant.length.sum()) / plant.nodes)
    _, seconds = best_of(lambda: _motion(modes, period, noise), repeats)
    yield _row("loop by branches, the filter", plant, seconds, "s", paper[1])
    motion, seconds = best_of(lambda: _motion(modes, period, Turbulence(speed=SPEED)), repeats)
    yield _row("loop by branches, Kaimal", plant, seconds, "s")
    _, seconds = best_of(lambda: motion.fresh(0), 1)
    yield _row("cross-spectrum, once", plant, seconds, "s")
    _, seconds = best_of(lambda: motion.fresh(1).loop.table(SAMPLES), 5 * repeats)
    yield _row("new loop by cross-spectrum", plant, 1000 * seconds, "ms")


def _left_out(plant: Plant) -> Iterator[Row]:
    """The errors of linear drag and of ten modes."""
    modes = analyse(plant, count=25, cache=False)
    for intensity in (0.1, 0.2, 0.3):
        found = drag_difference(SpectralMotion(modes, period=60.0, wind=Turbulence(speed=8.0, intensity=intensity)))
        for what, value in found.items():
            yield _row(f"{what} (gusts {intensity:.0%})", plant, 100 * value, "%")
    noise = NoiseFilter(speed=SPEED, correlation_time=1.0, correlation_distance=3.0)
    for what, static in (("10 modes and static vectors", True), ("10 modes alone", False)):
        for part, lean in (("sway", False), ("sway and lean", True)):
            value = difference_from_all_modes(noise, static=static, lean=lean)
            yield {
                "what": f"{what}: {part}",
                "branches": 40,
                "here": 100 * value,
                "unit": "%",
                "paper": "",
                "ratio": "",
            }


def drag_difference(motion: SpectralMotion) -> dict[str, float]:
    """Quadratic drag against linear drag in the same wind: change of rms sway and of mean lean, and rms difference."""
    linear, real = motion.loop, motion.quadratic()
    rows = motion.shapes[..., :3].reshape(len(motion.shapes), -1)

    def sway(loop: Loop) -> float:
        return float(np.linalg.norm(loop.wave @ rows))

    change = Loop(real.period, real.mean - linear.mean, real.wave - linear.wave)
    return {
        "drag as it is: sway": sway(real) / sway(linear) - 1,
        "drag as it is: lean": float(np.linalg.norm(real.mean @ rows) / np.linalg.norm(linear.mean @ rows)) - 1,
        "drag as it is: difference": sway(change) / sway(real),
    }


def _tree(branches: int) -> Plant:
    """A walnut with this number of segments."""
    tree = grow("walnut", seed=1)
    return with_detail(tree, (branches + 1) / tree.nodes)


def _motion(modes: Modes, period: float, wind: Turbulence | NoiseFilter) -> SpectralMotion:
    return SpectralMotion(modes, period=period, samples=SAMPLES, wind=wind)


def _row(what: str, plant: Plant, value: float, unit: str, paper: float | str = "") -> Row:
    ratio = paper / value if isinstance(paper, float) else ""
    return {"what": what, "branches": len(plant.segments), "here": value, "unit": unit, "paper": paper, "ratio": ratio}
