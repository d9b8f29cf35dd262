"""The rotated pose in single precision on all cores, in NumPy and compiled, and compiled forces on the posed shape."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.plants import plants
from tests.stands import modes_of, places, winds
from windflower import Plant
from windflower.core.threads import shared_out
from windflower.motion import ModalMotion
from windflower.motion.modal import posed_forces
from windflower.motion.poses import single_pose
from windflower.motion.poses.pose import RotatedPose


@pytest.fixture(params=["plain", "compiled"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Whether loops are compiled, for however few plants."""
    if request.param == "compiled":
        pytest.importorskip("numba")
    worth = 0 if request.param == "compiled" else 1 << 60
    monkeypatch.setattr(single_pose, "WORTH", worth)
    monkeypatch.setattr(posed_forces, "WORTH", worth)
    return str(request.param)


@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(plant=plants(), seed=st.integers(0, 2**32 - 1), size=st.floats(1e-3, 1e6), count=st.integers(0, 70))
def test_single_precision_gives_the_reference_for_any_plant(
    plant: Plant, seed: int, size: float, count: int, way: str
) -> None:
    rng = np.random.default_rng(seed)
    pose = RotatedPose(plant, rng.normal(size=(3, plant.nodes, 6)) * size)
    amount = rng.normal(size=(count, 3))
    out = np.empty((count, plant.nodes, 3), np.float32)
    assert pose.points(amount, out) is out, way
    reach = plant.length.sum() + np.abs(plant.position).max()
    wanted = pose.points(amount)
    # Rotation vectors of thousands of radians are known to fewer digits.
    assert np.isfinite(out).all()
    if size < 10:
        np.testing.assert_allclose(out, wanted, atol=2e-5 * reach)
    chord = np.linalg.norm(out.astype(float) - out[:, plant.parent], axis=-1)[:, plant.segments]
    np.testing.assert_allclose(chord, np.broadcast_to(plant.length[plant.segments], chord.shape), atol=1e-6 * reach)


def test_a_forest_in_a_gale_is_posed_as_by_the_reference(way: str) -> None:
    motion, where = ModalMotion(modes_of("oak", 2), speed=9), places(301)
    state = motion.settled(where, 2 * winds(1, 301, 2)[0])
    out = np.empty((301, motion.plant.nodes, 3), np.float32)
    motion.pose(state, out=out)
    np.testing.assert_allclose(out, motion.pose(state), atol=1e-5)
    assert way


def test_compiled_forces_on_the_posed_shape_are_those_of_the_reference(way: str) -> None:
    motion, where = ModalMotion(modes_of("oak", 3), speed=9), places(70)
    state = motion.settled(where, 3 * winds(1, 70, 3)[0])
    assert motion.forces is not None
    found = motion.forces.excess(state.amount, state.push)
    wanted = np.empty_like(found)
    motion.forces._find(state.amount, state.push, wanted)
    assert np.abs(found).max() > 0.1, way
    np.testing.assert_allclose(found, wanted, atol=1e-10 * np.abs(wanted).max())


def test_work_is_shared_out_without_gaps_and_tells_what_went_wrong() -> None:
    done = np.zeros(1001, int)

    def work(part: slice) -> None:
        done[part] += 1

    shared_out(work, 1001, least=10)
    shared_out(work, 0, least=10)
    assert (done == 1).all()

    def fail(part: slice) -> None:
        if part.stop == 1001:
            raise ValueError("the last")

    with pytest.raises(ValueError, match="the last"):
        shared_out(fail, 1001)
