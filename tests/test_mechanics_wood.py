"""Woods as data, and what a wood may be."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.plants import fork
from windflower import species_names, species_of
from windflower.errors import MechanicsError
from windflower.mechanics import Rayleigh, Wood, analyse, wood_names, wood_of
from windflower.mechanics.wood import wood_text


def test_every_species_has_its_wood() -> None:
    assert {species_of(name).wood for name in species_names()} <= set(wood_names())


def test_published_woods_are_as_published() -> None:
    walnut = wood_of("walnut")
    assert (walnut.E, walnut.density) == (11.3e9, 805.0)
    assert walnut.shear_modulus == pytest.approx(11.3e9 / 2 / 1.38)


def test_the_papers_own_values_are_there_by_name() -> None:
    diener, stam = wood_of("paper-diener"), wood_of("paper-stam")
    assert diener.shear_modulus == pytest.approx(2.6 * diener.E)
    assert diener.bending * np.pi / 4 == pytest.approx(np.pi / 16)  # I = pi r⁴ / 16
    assert diener.torsion * np.pi / 2 == pytest.approx(np.sqrt(2) * np.pi / 16)  # J = sqrt(2) I
    assert (stam.E, stam.shear_modulus) == (1e8, 1e5)
    assert stam.bending * np.pi / 4 == pytest.approx(np.pi)
    assert stam.torsion * np.pi / 2 == pytest.approx(np.pi / 2)


def test_a_plant_from_elsewhere_is_of_generic_hardwood() -> None:
    assert analyse(fork(), count=1, cache=False).wood is wood_of("hardwood")


def test_rayleigh_damping_goes_through_the_two_given_ratios() -> None:
    damping = Rayleigh.through((0.4, 0.05), (3.0, 0.08))
    assert damping.ratio(np.array([0.4, 3.0])) == pytest.approx([0.05, 0.08])
    assert Wood(E=1e9, density=500.0, damping=0.05).rayleigh.ratio(np.array([0.5, 5.0])) == pytest.approx(0.05)


def test_every_mode_has_the_damping_ratio_of_its_wood() -> None:
    for wood in (Wood(E=1e10, density=800.0, damping=0.03), wood_of("oak")):
        modes = analyse(fork(), count=12, wood=wood, cache=False)
        assert modes.frequency[-1] > 20 * modes.frequency[0]
        assert modes.damping == pytest.approx(wood.damping)


def test_rayleigh_damping_is_there_by_name() -> None:
    wood = Wood(E=1e10, density=800.0, damping=0.04, damping_law="rayleigh")
    modes = analyse(fork(), count=12, wood=wood, cache=False)
    alpha, beta = wood.rayleigh.alpha, wood.rayleigh.beta
    assert modes.damping == pytest.approx(alpha / (2 * modes.omega) + beta * modes.omega / 2)
    assert wood.damping_ratio(np.array([0.157, 0.5, 5.0])) == pytest.approx([0.117, 0.04, 0.04], rel=0.01)
    assert wood_of("paper-diener").damping_law == "rayleigh"  # its equation 2


def test_modes_are_damped_by_their_wood() -> None:
    wood = Wood(E=1e10, density=800.0, damping=Rayleigh(alpha=0.3, beta=0.002))
    modes = analyse(fork(), count=3, wood=wood, cache=False)
    assert 2 * modes.damping * modes.omega == pytest.approx(0.3 + 0.002 * modes.omega**2)  # eq. 9


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"E": 0.0}, "E must be positive"),
        ({"E": float("nan")}, "E must be positive"),
        ({"density": -1.0}, "density must be positive"),
        ({"nu": 0.7}, "Poisson"),
        ({"nu": 0.3, "G": 1e9}, "both are given"),
        ({"G": 0.0}, "G must be positive"),
        ({"damping": -0.1}, "0 or more"),
        ({"damping_law": "viscous"}, "constant, rayleigh"),
        ({"bending": 0.0}, "bending must be positive"),
    ],
)
def test_impossible_woods_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(MechanicsError, match=message):
        Wood(**({"E": 1e10, "density": 800.0} | options))


@pytest.mark.parametrize("points", [((1.0, 0.05), (1.0, 0.05)), ((1.0, 0.01), (2.0, 0.1)), ((1.0, 0.1), (2.0, 0.01))])
def test_impossible_damping_is_refused(points: tuple[tuple[float, float], tuple[float, float]]) -> None:
    with pytest.raises(MechanicsError):
        Rayleigh.through(*points)
    with pytest.raises(MechanicsError):
        Rayleigh(alpha=-1.0, beta=0.0)


@pytest.mark.parametrize("name", wood_names())
def test_the_file_of_every_wood_reads_back_as_that_wood(name: str, tmp_path: Path) -> None:
    (tmp_path / f"{name}.toml").write_text(wood_text(name), "utf-8")
    assert wood_of(str(tmp_path / f"{name}.toml")) == wood_of(name)
