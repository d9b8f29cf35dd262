"""Strain at the base of segments, and what a hand on a node does."""

from math import pi

import numpy as np
import pytest

from tests.plants import chain, fork
from windflower import Plant, grow
from windflower.errors import MechanicsError
from windflower.mechanics import Wood, analyse, fibre_strain

WOOD = Wood(E=1e10, density=800.0)


def test_a_pulled_cantilever_is_strained_as_the_textbook_says() -> None:
    """Moment F (L - x), strain M r / E I."""
    pole = chain(nodes=6, length=2.0, radius=0.02)
    modes = analyse(pole, count=2, wood=WOOD, gravity=False, cache=False)
    pulled = modes.compliance(5)[0, 0] * 30.0
    found = fibre_strain(pole, modes.deformation(pulled))
    moment = 30.0 * (2.0 - np.linspace(0, 2, 6)[:-1])
    assert found[1:] == pytest.approx(moment * 0.02 / (1e10 * pi / 4 * 0.02**4))
    assert found[0] == 0
    assert modes.reaction(pulled) == pytest.approx(np.array([[0, 0, 60.0]]))


def test_a_tapered_twig_is_strained_by_its_own_section() -> None:
    twig = Plant(parent=[-1, 0], position=[[0, 0, 0], [0, 1, 0]], radius=[0.02, 0.005])
    modes = analyse(twig, count=2, wood=WOOD, gravity=False, cache=False)
    found = fibre_strain(twig, modes.deformation(modes.compliance(1)[0, 2]))
    assert found[1] == pytest.approx(1.0 * 0.02 / (1e10 * pi / 4 * 0.02**4))


def test_a_pull_along_the_axis_strains_evenly() -> None:
    pole = chain(nodes=4, radius=0.01)
    modes = analyse(pole, count=2, wood=WOOD, gravity=False, cache=False)
    found = fibre_strain(pole, modes.deformation(modes.compliance(3)[0, 1]))
    assert found[1:] == pytest.approx(1 / (1e10 * pi * 0.01**2))


def test_curvature_of_modes_is_that_of_their_shapes() -> None:
    modes = analyse(fork(), count=4, wood=WOOD, cells=2, cache=False)
    assert (modes.shape_deformation == modes.deformation(modes.shape)).all()
    assert modes.static_deformation.shape == (2, 3, 5, 4)


def test_compliance_is_symmetric() -> None:
    """What a force here does there, a force there does here (Maxwell and Betti)."""
    plant = grow("walnut", seed=1, detail=0.05)
    modes = analyse(plant, cache=False)
    here, there = plant.tips[[0, -1]]
    response = modes.compliance([here, there])
    assert response.shape == (2, 3, plant.nodes, 6)
    assert response[0, :, there, :3] == pytest.approx(response[1, :, here, :3].T, rel=1e-6, abs=1e-12)


def test_modes_and_residual_together_are_the_compliance() -> None:
    plant = grow("walnut", seed=1, detail=0.05)
    modes = analyse(plant, cache=False)
    node = int(plant.tips[3])
    by_modes = np.einsum("mk,mna->kna", modes.shape[:, node, :3] / modes.omega[:, None] ** 2, modes.shape)
    whole, rest = modes.compliance(node)[0], modes.compliance(node, residual=True)[0]
    assert by_modes + rest == pytest.approx(whole, rel=1e-9, abs=1e-15)
    assert np.abs(by_modes[0, node, 0]) < 0.5 * np.abs(whole[0, node, 0])


@pytest.mark.parametrize("node", [-1, 5])
def test_a_hand_takes_hold_of_a_node_that_is_there(node: int) -> None:
    modes = analyse(fork(), count=2, wood=WOOD, cache=False)
    with pytest.raises(MechanicsError, match="from 0 to 4"):
        modes.compliance(node)
