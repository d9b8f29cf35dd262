"""The plate element and sheets alone: exact where exactness can be had, and textbook frequencies."""

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from windflower.core.arrays import FloatArray, IntArray
from windflower.errors import MechanicsError
from windflower.mechanics import Modes, Wood, analyse_structure, sheet_alone
from windflower.mechanics.plate import Plates, bilinear, bilinear_slope, deflection, deflection_slope, plates_of

WOOD = Wood(E=1e10, density=500.0)
H, E, RHO, NU = 0.01, 1e9, 1000.0, 0.3
D = E * H**3 / 12 / (1 - NU**2)

SIMPLY_SUPPORTED = np.array([19.739, 49.348, 49.348, 78.957, 98.696])
CANTILEVER = np.array([3.492, 8.525, 21.43, 27.33, 31.11])  # Leissa 1969: Young's upper bounds
CANTILEVER_EXACT = np.array([3.4711, 8.5067, 21.285, 27.199, 30.956])  # what finer methods agree on since


def plates(corner: FloatArray) -> Plates:
    one = np.ones(len(corner))
    return plates_of(corner, thickness=H * one, density=RHO * one, E=E * one, nu=NU * one)


def quadrilateral(seed: int, warp: float = 0.1) -> FloatArray:
    """(1, 4, 3) a convex cell, anyhow in space, with corners up to `warp` out of a plane."""
    rng = np.random.default_rng(seed)
    flat = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]]) + rng.uniform(-0.25, 0.25, (4, 2))
    corner = np.column_stack([flat * rng.uniform(0.2, 2, 2), warp * rng.uniform(-1, 1, 4)])
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    return (corner @ (turn * np.sign(np.linalg.det(turn))).T + rng.normal(size=3))[None]


def rigid(corner: FloatArray) -> FloatArray:
    """(24, 6) displacements of the corners by unit translations and rotations about the origin."""
    motion = np.zeros((6, len(corner), 6))
    motion[range(3), :, range(3)] = 1
    for axis, e in enumerate(np.eye(3)):
        motion[3 + axis, :, :3], motion[3 + axis, :, 3:] = np.cross(e, corner), e
    return motion.reshape(6, -1).T


def stiffness(p: Plates) -> FloatArray:
    return p.unfold(plane=p.membrane_stiffness(), deflection=p.bending_stiffness(), drilling=p.drilling_stiffness())


def mass(p: Plates) -> FloatArray:
    per_area = p.density * p.thickness
    return p.unfold(plane=p.plane_mass(per_area), deflection=p.deflection_mass(per_area))


cells = st.integers(0, 10_000)


@settings(max_examples=30)
@given(cells)
def test_a_rigid_motion_costs_nothing_and_nothing_else_is_free(seed: int) -> None:
    corner = quadrilateral(seed)
    K = stiffness(plates(corner))[0]
    assert np.abs(K @ rigid(corner[0])).max() < 1e-10 * np.abs(K).max()
    np.testing.assert_allclose(K, K.T, atol=1e-10 * np.abs(K).max())
    energies = np.linalg.eigvalsh(K)
    assert (np.abs(energies[:6]) < 1e-9 * energies[-1]).all()
    assert energies[6] > 1e-9 * energies[-1]


@settings(max_examples=30)
@given(cells)
def test_mass_and_its_moments_are_those_of_the_cell(seed: int) -> None:
    corner = quadrilateral(seed, warp=0.0)
    p, R = plates(corner), rigid(corner[0])
    found = R.T @ mass(p)[0] @ R
    place, weight = np.polynomial.legendre.leggauss(3)
    x, w = np.stack(np.meshgrid(place, place), axis=-1).reshape(-1, 2), np.outer(weight, weight).ravel()
    point = bilinear(x) @ corner[0]
    tangent = np.einsum("pia,ib->pab", bilinear_slope(x), corner[0])
    dm = RHO * H * w * np.linalg.norm(np.cross(tangent[:, 0], tangent[:, 1]), axis=1)
    motion = rigid(point).T.reshape(6, -1, 6)[..., :3]
    np.testing.assert_allclose(found, np.einsum("p,apk,bpk->ab", dm, motion, motion), atol=1e-10 * dm.sum())
    assert found[0, 0] == pytest.approx(p.mass[0])


@settings(max_examples=20)
@given(cells)
def test_a_pressure_does_the_work_of_its_force_in_any_rigid_motion(seed: int) -> None:
    corner = quadrilateral(seed, warp=0.0)
    p = plates(corner)
    work = (p.shares()[0] @ p.normal[0]) @ rigid(corner[0])
    assert work[:3] == pytest.approx(p.area[0] * p.normal[0])
    place, weight = np.polynomial.legendre.leggauss(3)
    x, w = np.stack(np.meshgrid(place, place), axis=-1).reshape(-1, 2), np.outer(weight, weight).ravel()
    tangent = np.einsum("pia,ib->pab", bilinear_slope(x), corner[0])
    force = w[:, None] * np.cross(tangent[:, 0], tangent[:, 1])
    assert work[3:] == pytest.approx(np.cross(bilinear(x) @ corner[0], force).sum(axis=0), abs=1e-12)


def test_slopes_are_the_slopes_of_the_shapes() -> None:
    place, nudge = np.random.default_rng(0).uniform(-1, 1, (7, 2)), 1e-6
    for shape, slope in ((bilinear, bilinear_slope), (deflection, deflection_slope)):
        for axis, step in enumerate(nudge * np.eye(2)):
            difference = (shape(place + step) - shape(place - step)) / (2 * nudge)
            np.testing.assert_allclose(slope(place)[..., axis], difference, atol=1e-8)


# Patch tests: a distorted patch reproduces any even bending and any even strain


def patch() -> tuple[FloatArray, IntArray, list[int]]:
    """Points (16, 3), corners' numbers (9, 4), and the inner points."""
    rng = np.random.default_rng(3)
    grid = np.stack(np.meshgrid(np.arange(4.0), np.arange(4.0)), axis=-1) / 3
    grid[1:-1, 1:-1] += rng.uniform(-0.09, 0.09, (2, 2, 2))
    number = np.arange(16).reshape(4, 4)
    corner = np.stack([number[:-1, :-1], number[:-1, 1:], number[1:, 1:], number[1:, :-1]], axis=-1).reshape(-1, 4)
    return np.column_stack([grid.reshape(-1, 2), np.zeros(16)]), corner, [5, 6, 9, 10]


def relaxed(imposed: FloatArray) -> FloatArray:
    """(16, 6) the patch with its rim moved as imposed (16, 6), and its inner points where they come to rest."""
    point, corner, inner = patch()
    K = np.zeros((16, 6, 16, 6))
    for k, c in zip(stiffness(plates(point[corner])).reshape(-1, 4, 6, 4, 6), corner, strict=True):
        K[np.ix_(c, range(6), c, range(6))] += k
    free = np.zeros((16, 6), bool)
    free[inner] = True
    f, flat = free.ravel(), K.reshape(96, 96)
    moved = imposed.copy().ravel()
    moved[f] = np.linalg.solve(flat[np.ix_(f, f)], -flat[np.ix_(f, ~f)] @ moved[~f])
    return moved.reshape(16, 6)


@pytest.mark.parametrize(("xx", "yy", "xy"), [(1, 0, 0), (0, 1, 0), (0, 0, 1), (0.3, -2, 0.7)])
def test_a_patch_is_bent_evenly(xx: float, yy: float, xy: float) -> None:
    x, y, _ = patch()[0].T
    u = np.zeros((16, 6))
    u[:, 2] = xx * x * x / 2 + yy * y * y / 2 + xy * x * y
    u[:, 3], u[:, 4] = yy * y + xy * x, -(xx * x + xy * y)
    np.testing.assert_allclose(relaxed(u), u, atol=1e-12)


@pytest.mark.parametrize("strain", [[[1.0, 0], [0, 0]], [[0, 0], [0, 1.0]], [[0, 1.0], [0, 0]], [[0.2, -1], [3, 0.5]]])
def test_a_patch_is_strained_evenly(strain: list[list[float]]) -> None:
    u, slope = np.zeros((16, 6)), np.array(strain)
    u[:, :2] = patch()[0][:, :2] @ slope.T
    u[:, 5] = (slope[1, 0] - slope[0, 1]) / 2
    np.testing.assert_allclose(relaxed(u), u, atol=1e-9)


# Frequencies


def grid(along: int, up: int, length: float = 1.0, width: float = 1.0) -> FloatArray:
    x, y = np.meshgrid(np.linspace(0, length, along + 1), np.linspace(0, width, up + 1))
    return np.stack([x, y, np.zeros(x.shape)], axis=-1)


def bending_modes(points: FloatArray, held: np.ndarray | None = None, count: int = 5, **changes: Any) -> Modes:
    structure = sheet_alone(
        points, wood=WOOD, held=held, **{"thickness": H, "density": RHO, "E": E, "nu": NU, **changes}
    )
    return analyse_structure(structure, count=count, gravity=False, cache=False)


def scaled(modes: Modes, size: float = 1.0) -> FloatArray:
    """ω a² √(ρh/D)."""
    return np.asarray(modes.omega * size**2 * np.sqrt(RHO * H / D))


@cache
def square(cells: int, support: str) -> tuple[float, ...]:
    held = None
    if support == "simple":
        held = np.zeros((cells + 1, cells + 1, 6), bool)
        held[[0, -1], :, :3] = held[:, [0, -1], :3] = True
    return tuple(scaled(bending_modes(grid(cells, cells), held)))


def test_a_simply_supported_square_has_the_textbook_frequencies() -> None:
    assert np.array(square(20, "simple")) == pytest.approx(SIMPLY_SUPPORTED, rel=0.01)


def test_a_cantilevered_square_has_leissas_frequencies() -> None:
    found = np.array(square(20, "clamped"))
    assert found == pytest.approx(CANTILEVER, rel=0.01)
    assert found == pytest.approx(CANTILEVER_EXACT, rel=0.002)


@pytest.mark.parametrize("support", ["simple", "clamped"])
def test_frequencies_converge_with_the_square_of_the_cells_size(support: str) -> None:
    coarse, fine, finer = (np.array(square(cells, support)) for cells in (7, 14, 28))
    rate = np.log2((coarse - fine) / (fine - finer))
    # Where a clamped edge meets a free one, the moments are singular: the first mode converges a little slower.
    assert (rate > 1.5).all()
    assert rate.mean() > 1.8


def test_a_distorted_grid_and_another_place_in_space_change_little() -> None:
    points = grid(16, 16)
    inner = points[1:-1, 1:-1, :2]
    inner += np.random.default_rng(1).uniform(-0.015, 0.015, inner.shape)
    turn = np.linalg.qr(np.random.default_rng(2).normal(size=(3, 3)))[0]
    turn *= np.sign(np.linalg.det(turn))
    flat, turned = bending_modes(points), bending_modes(points @ turn.T + np.array([3.0, 1, 2]))
    assert scaled(flat) == pytest.approx(np.array(square(16, "clamped")), rel=0.01)
    assert turned.frequency == pytest.approx(flat.frequency, rel=1e-6)


def test_a_narrow_plate_has_the_frequencies_of_a_beam() -> None:
    length, width = 1.0, 0.03
    modes = bending_modes(grid(40, 2, length, width), count=8)
    out_of_plane = np.abs(modes.shape[:, -1, 2]) > 10 * np.abs(modes.shape[:, -1, 1])
    no_twist = np.abs(modes.shape[:, -1, 3]) * width < 0.2 * np.abs(modes.shape[:, -1, 2])
    found = modes.omega[out_of_plane & no_twist][:3] * length**2 * np.sqrt(RHO * H / (E * H**3 / 12))
    assert found == pytest.approx([3.51602, 22.0345, 61.6972], rel=0.01)


def test_a_plate_as_a_strip_of_its_own_plane_bends_like_a_deep_beam() -> None:
    # Slender enough for Euler and Bernoulli: the membrane alone must not lock.
    length, width = 1.0, 0.05
    modes = bending_modes(grid(40, 2, length, width), thickness=0.05, nu=0.0, count=4)
    in_plane = np.abs(modes.shape[:, -1, 1]) > 10 * np.abs(modes.shape[:, -1, 2])
    found = modes.omega[in_plane][0] * length**2 * np.sqrt(12 * RHO / (E * width**2))
    assert found == pytest.approx(3.51602, rel=0.01)


def test_a_stretched_membrane_rings_like_a_drum() -> None:
    held = np.zeros((17, 25, 6), bool)
    held[[0, -1], :, :3] = held[:, [0, -1], :3] = True
    a, b, tension = 1.5, 1.0, 40.0
    modes = bending_modes(grid(24, 16, a, b), held, thickness=1e-4, tension=(tension, tension))
    knots = np.array([(1, 1), (2, 1), (1, 2), (3, 1)]) / (a, b)
    assert modes.omega[:4] == pytest.approx(np.pi * np.sqrt(tension / (RHO * 1e-4) * (knots**2).sum(axis=1)), rel=0.01)


def test_a_hanging_cloth_swings_like_a_hanging_chain() -> None:
    x, y = np.meshgrid([0.0, 0.05], np.linspace(0, -1, 61), indexing="ij")
    points = np.stack([x, y, np.zeros(x.shape)], axis=-1)
    cloth = sheet_alone(points, wood=WOOD, thickness=2e-4, density=1000.0, E=1e7, nu=0.0)
    modes = analyse_structure(cloth, count=12, cache=False)
    hem = modes.shape[:, cloth.sheets[0].node[:, -1], 2]
    out_of_plane = np.abs(hem).max(axis=1) > 0.5 * np.abs(modes.shape[..., :3]).max(axis=(1, 2))
    even = out_of_plane & (np.ptp(hem, axis=1) < 0.05 * np.abs(hem[:, -1]))
    j0 = np.array([2.40483, 5.52008, 8.65373])
    assert modes.omega[even][:3] == pytest.approx(j0 / 2 * np.sqrt(9.80665 / 1.0), rel=0.01)


def test_a_thin_sheet_cannot_stand_upright_unless_it_is_limp() -> None:
    up = np.swapaxes(grid(2, 12, 0.3, 1.5), 0, 1)
    paper = {"thickness": 3e-4, "density": 800.0, "E": 2e9}
    with pytest.raises(MechanicsError, match="limp"):
        analyse_structure(sheet_alone(up, wood=WOOD, **paper), count=3, cache=False)
    assert len(analyse_structure(sheet_alone(up, wood=WOOD, limp=True, **paper), count=3, cache=False)) == 3


def test_thickness_and_density_of_each_cell_count() -> None:
    half = np.ones((8, 8))
    half[:, 4:] = 0.5
    tapered = sheet_alone(grid(8, 8), wood=WOOD, thickness=H * half, density=RHO / half, E=E)
    modes = analyse_structure(tapered, count=1, gravity=False, cache=False)
    system = modes.conditions.system(modes.plant, modes.wood)
    assert system.plating.plates.mass.sum() == pytest.approx(RHO * H)
    assert scaled(modes)[0] < 0.9 * square(8, "clamped")[0]


def test_a_sheet_on_four_points_moves_between_them() -> None:
    held = np.zeros((9, 9, 6), bool)
    for corner in ((0, 0), (0, -1), (-1, 0), (-1, -1)):
        held[corner] = True
    modes = bending_modes(grid(8, 8), held)
    first = np.abs(modes.shape[0, :, 2].reshape(9, 9))
    assert first[4, 4] == first.max()
    assert first[[0, 0, -1, -1], [0, -1, 0, -1]].max() == 0
