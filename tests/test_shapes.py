"""Principal shapes, and the script for Blender that plays them."""

from pathlib import Path

import numpy as np
import pytest

from windflower import grow
from windflower.export import export
from windflower.export.principal_shapes import principal_shapes


@pytest.fixture(scope="module")
def waves() -> np.ndarray:
    """Thirty frames of fifty vertices that move by three shapes."""
    random, time = np.random.default_rng(4), np.linspace(0, 2 * np.pi, 30, endpoint=False)
    weights = np.stack([np.sin(time), 0.5 * np.cos(2 * time), 0.1 * np.sin(5 * time)], axis=1)
    return random.normal(size=(50, 3)) + np.tensordot(weights, random.normal(size=(3, 50, 3)), 1)


def test_as_many_shapes_as_a_motion_has_tell_it_exactly(waves: np.ndarray) -> None:
    shapes = principal_shapes(waves, 12)
    assert len(shapes.shape) == 3
    np.testing.assert_allclose([shapes.posed(frame) for frame in range(30)], waves, atol=1e-9)


def test_weights_lie_between_0_and_1_and_the_first_shapes_are_the_largest(waves: np.ndarray) -> None:
    shapes = principal_shapes(waves, 2)
    assert shapes.weight.min() == 0
    assert shapes.weight.max() == 1
    wrong = [np.abs(principal_shapes(waves, count).posed(7) - waves[7]).max() for count in (1, 2, 3)]
    assert wrong[0] > wrong[1] > wrong[2]


def test_what_does_not_move_has_no_shapes() -> None:
    shapes = principal_shapes(np.ones((4, 5, 3)), 3)
    assert shapes.shape.shape == (0, 5, 3)
    np.testing.assert_array_equal(shapes.posed(2), np.ones((5, 3)))


def test_a_script_for_blender_lies_beside_what_it_reads(tmp_path: Path) -> None:
    palm = grow("palm", detail=0.1)
    export(palm, tmp_path / "palm.py", shapes=3, winds=(4.0, 9.0), seconds=1.0, fps=5.0, pixels=16)
    source = (tmp_path / "palm.py").read_text()
    assert "DATA = 'palm.npz'" in source
    compile(source, "palm.py", "exec")
    with np.load(tmp_path / "palm.npz") as data:
        assert data["shape"].shape == (3, len(data["uv"]), 3)
        assert data["weight"].shape == (10, 3)
        assert data["clips"].tolist() == ["wind 4 m/s", "wind 9 m/s"]
        assert data["triangle"].max() == len(data["uv"]) - 1
        for name in data.files:
            if name.endswith(("picture", "relief")):
                assert (tmp_path / str(data[name])).exists()
