"""What the trees of large scenes feel on the device is the wind itself: its strength, its phase, its arrival."""

import numpy as np
import pytest

from tests.sampled import sampled
from windflower.core.arrays import FloatArray
from windflower.core.buffers import recorded
from windflower.core.device import Gpu
from windflower.scene import Scene, build, read_scene
from windflower.wind.at_points import WindAtPoints

SAMPLED, DT, STEPS, BATCHES = 200, 0.1, 64, 6


@pytest.mark.parametrize("name", sampled(["hills", "hundred-thousand", "forest"], "hundred-thousand"))
def test_every_tree_of_a_scene_feels_the_wind_where_it_is(gpu: Gpu, name: str) -> None:
    scene = build(read_scene(name))
    points = _sampled(scene)
    felt = np.concatenate([_felt(gpu, scene, points, 60.0 + batch * STEPS * DT) for batch in range(BATCHES)])[..., 0]
    times = 60.0 + DT * np.arange(len(felt))
    true = scene.wind.velocity(points, times[:, None])[..., 0]
    alike = [np.corrcoef(one, other)[0, 1] for one, other in zip(felt.T, true.T, strict=True)]
    assert min(alike) > 0.99
    assert felt.var(axis=0) / true.var(axis=0) == pytest.approx(1.0, abs=0.03)
    assert {_lag(one, other) for one, other in zip(felt.T, true.T, strict=True)} == {0}


def _sampled(scene: Scene) -> FloatArray:
    """(SAMPLED, 3) one cell of the crown of some trees, of all stands alike."""
    rng, each = np.random.default_rng(1), SAMPLED // len(scene.stands) + 1
    chosen = [stand.probes[rng.integers(0, len(stand), each), 0] for stand in scene.stands]
    return np.concatenate(chosen)[:SAMPLED]


def _felt(gpu: Gpu, scene: Scene, points: FloatArray, start: float) -> FloatArray:
    found = WindAtPoints(gpu, points)
    found.prepare(scene.wind, start, DT, STEPS)
    with recorded(gpu) as compute_pass:
        found.record(compute_pass)
    return found.read()


def _lag(felt: FloatArray, true: FloatArray) -> int:
    """The shift, in steps, at which two series are most alike."""
    shifts = range(-20, 21)
    middle = slice(20, len(true) - 20)
    alike = [np.corrcoef(felt[middle], np.roll(true, k)[middle])[0, 1] for k in shifts]
    return shifts[int(np.argmax(alike))]
