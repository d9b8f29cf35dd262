"""Small vector algebra: products, directions and turns."""

import numpy as np
import pytest

from windflower.core import components
from windflower.core.quaternions import about, turned
from windflower.core.vectors import UP, arc, cross, cross_matrix, dot, perpendicular, unit, yaw_matrix

RNG = np.random.default_rng(3)
A, B = RNG.normal(size=(2, 5, 7, 3))


def test_products_are_those_of_numpy_along_any_axis() -> None:
    wanted = np.cross(A, B)
    assert cross(A, B) == pytest.approx(wanted)
    for axis in (0, -2):
        a, b = (np.moveaxis(vectors, -1, axis) for vectors in (A, B))
        assert np.moveaxis(cross(a, b, axis), axis, -1) == pytest.approx(wanted)
    assert components.last(components.cross(components.first(A), components.first(B))) == pytest.approx(wanted)
    assert cross(A, UP) == pytest.approx(np.cross(A, UP))
    assert (cross_matrix(A) @ B[..., None])[..., 0] == pytest.approx(wanted)
    assert dot(A, B)[..., 0] == pytest.approx((A * B).sum(axis=-1))


def test_directions_have_length_1_and_nothing_has_none() -> None:
    some = np.array([[3.0, 0.0, 4.0], [0.0, 0.0, 0.0]])
    assert unit(some).tolist() == [[0.6, 0.0, 0.8], [0.0, 0.0, 0.0]]
    assert unit(some, UP).tolist() == [[0.6, 0.0, 0.8], [0.0, 1.0, 0.0]]
    assert some[1].tolist() == [0.0, 0.0, 0.0]
    sides = perpendicular(np.array([UP, -UP, [1.0, 0.0, 0.0], [0.6, 0.8, 0.0]]))
    assert np.linalg.norm(sides, axis=1) == pytest.approx(1)
    assert sides[:, 1] == pytest.approx(0)
    assert sides[3] == pytest.approx([0, 0, 1])


def test_the_shortest_arc_brings_one_direction_to_another_and_keeps_lengths() -> None:
    a, b = unit(A), unit(B)
    assert arc(a, b, a) == pytest.approx(b)
    assert np.linalg.norm(arc(a, b, A), axis=-1) == pytest.approx(np.linalg.norm(A, axis=-1))
    axis = unit(cross(a, b))
    assert arc(a, b, axis) == pytest.approx(axis)


def test_a_yaw_turns_z_towards_x_as_a_matrix_and_as_a_quaternion() -> None:
    assert yaw_matrix(np.pi / 2) @ [0.0, 0.0, 1.0] == pytest.approx([1, 0, 0])
    angle = RNG.uniform(-4, 4, 7)
    turn = about(angle, 1)[..., None]
    assert turned(turn, A[0][..., None])[..., 0] == pytest.approx((yaw_matrix(angle) @ A[0][..., None])[..., 0])
