"""Leaves that fall take their mass and their drag with them."""

import numpy as np
import pytest

from windflower import grow
from windflower.core.arrays import FloatArray
from windflower.errors import MechanicsError
from windflower.mechanics import Modes, analyse
from windflower.mechanics.analysis import without_leaves
from windflower.mechanics.leaf_fall import LeafFall
from windflower.plant.graph import Plant


def aspen() -> Plant:
    return grow("quaking-aspen", seed=1, detail=0.06)


@pytest.fixture(scope="module")
def fall() -> LeafFall:
    in_leaf = analyse(aspen(), count=12, cells=3, cache=False)
    return LeafFall(in_leaf, without_leaves(in_leaf, cache=False))


def test_without_leaves_a_plant_is_analysed_as_the_bare_one(fall: LeafFall) -> None:
    bare = analyse(aspen(), count=12, cells=3, leaves=False, cache=False)
    np.testing.assert_allclose(fall.bare.frequency, bare.frequency, rtol=1e-9)
    np.testing.assert_array_equal(fall.bare.cell, fall.in_leaf.cell)
    assert bare.frequency[0] > 1.1 * fall.in_leaf.frequency[0]


@pytest.mark.parametrize("share", [0.15, 0.5, 0.85])
def test_between_its_ends_it_sways_as_an_analysis_with_that_share_of_leaves(fall: LeafFall, share: float) -> None:
    mixed, own = fall.modes(share), analyse(aspen(), count=12, cells=3, leaves=share, cache=False)
    np.testing.assert_allclose(mixed.frequency[:2], own.frequency[:2], rtol=2e-3)
    np.testing.assert_allclose(mixed.drag_damping[:2], own.drag_damping[:2], rtol=0.02)
    np.testing.assert_allclose(mixed.cell_area, own.cell_area, rtol=1e-9)
    np.testing.assert_allclose(mixed.cell_centre, own.cell_centre, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(mixed.streamlined(20.0), own.streamlined(20.0), rtol=1e-12)
    assert mixed.work.sum() > own.work.sum() - 0.01
    one, other = (whole_lean(modes, np.array([20.0, 0.0, 0.0])) for modes in (mixed, own))
    assert np.linalg.norm(one - other) < 0.02 * np.linalg.norm(other)


def whole_lean(modes: Modes, wind: FloatArray) -> FloatArray:
    """(nodes, 3) how the plant leans in a wind over the whole crown, m."""
    push = modes.dynamic_wind(np.broadcast_to(wind, (modes.cells, 3)))
    amount = np.einsum("cmk,ck->m", modes.projection, push) / modes.omega**2
    return (np.einsum("m,mnj->nj", amount, modes.shape) + np.einsum("cknj,ck->nj", modes.static, push))[:, :3]


@pytest.mark.parametrize("share", [1e-6, 1 - 1e-6])
def test_it_comes_to_both_ends_without_a_jump(fall: LeafFall, share: float) -> None:
    near, end = fall.modes(share), fall.modes(round(share))
    np.testing.assert_allclose(near.frequency[:2], end.frequency[:2], rtol=1e-5)
    np.testing.assert_allclose(near.drag_damping[:2], end.drag_damping[:2], rtol=1e-4)
    wind = np.array([12.0, 0.0, 5.0])
    np.testing.assert_allclose(whole_lean(near, wind), whole_lean(end, wind), atol=1e-4)
    sign = np.sign(near.shape[:2, -1, :1] * end.shape[:2, -1, :1])
    np.testing.assert_allclose(sign[:, None] * near.root_moment[:2], end.root_moment[:2], rtol=1e-3)


def test_a_share_of_leaves_is_one() -> None:
    with pytest.raises(MechanicsError, match="between none and all leaves"):
        analyse(aspen(), leaves=1.5, cache=False)
