"""Quaternions, an instance to a column, against SciPy's rotations."""

import numpy as np
from scipy.spatial.transform import Rotation

from windflower.core.quaternions import back, joined, of_turn, turned

RANDOM = np.random.default_rng(4)
FIRST, THEN = (Rotation.random(7, random_state=seed) for seed in (1, 2))
VECTORS = RANDOM.normal(size=(7, 3))


def test_vectors_are_turned_and_turned_back() -> None:
    np.testing.assert_allclose(turned(FIRST.as_quat().T, VECTORS.T), FIRST.apply(VECTORS).T, atol=1e-12)
    np.testing.assert_allclose(back(FIRST.as_quat().T, VECTORS.T), FIRST.inv().apply(VECTORS).T, atol=1e-12)


def test_joined_rotations_turn_one_after_another() -> None:
    both = joined(FIRST.as_quat().T, THEN.as_quat().T)
    np.testing.assert_allclose(turned(both, VECTORS.T), FIRST.apply(THEN.apply(VECTORS)).T, atol=1e-12)


def test_a_vector_as_long_as_a_sine_is_a_rotation_by_the_angle() -> None:
    angle = np.linspace(0, 1.5, 7)
    axis = VECTORS / np.linalg.norm(VECTORS, axis=1, keepdims=True)
    wanted = Rotation.from_rotvec(angle[:, None] * axis).as_quat()
    np.testing.assert_allclose(of_turn((np.sin(angle)[:, None] * axis).T), wanted.T, atol=1e-9)
