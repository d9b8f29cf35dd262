"""Modes of whole plants: what they are, and that none is missed."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.sparse.linalg import eigsh

from tests.plants import fork, plants
from tests.sampled import sampled
from windflower import Plant, grow, read, species_names
from windflower.errors import MechanicsError
from windflower.mechanics import Modes, Wood, analyse
from windflower.mechanics.factor import as_csc
from windflower.mechanics.substitution import UnitLower

WOOD = Wood(E=1e10, density=800.0)


@pytest.fixture(scope="session")
def walnut(shared_data: Path) -> Plant:
    """The digitised walnut."""
    return read(shared_data / "walnut" / "noylum2.mtg")


@pytest.fixture(scope="module")
def walnut_modes(walnut: Plant) -> Modes:
    return analyse(
        walnut, count=40, wood="walnut", leaves=False, gravity=False, roots="clamped", chosen="lowest", cache=False
    )


def several(plant: Plant, count: int) -> Plant:
    """The same plant several times over, side by side."""
    parent = [np.where(plant.parent < 0, -1, plant.parent + k * plant.nodes) for k in range(count)]
    position = [plant.position + np.array([10.0 * k, 0, 0]) for k in range(count)]
    return Plant(
        parent=np.concatenate(parent),
        position=np.concatenate(position),
        radius=np.tile(plant.radius, count),
        base_radius=np.tile(plant.base_radius, count),
        order=np.tile(plant.order, count),
    )


def errors(modes: Modes) -> tuple[float, float]:
    """How far ΦᵀMΦ is from 1, and the largest ‖φ - ω² K⁻¹ M φ‖ in the mass norm."""
    system = modes.conditions.system(modes.plant, modes.wood)
    shape = system.gather(modes.shape)
    weighed = system.mass @ shape
    rest = shape - system.factor.solve(weighed) * modes.omega**2
    norm = np.sqrt((rest * (system.mass @ rest)).sum(axis=0))
    return float(np.abs(shape.T @ weighed - np.eye(len(modes))).max()), float(norm.max())


def check(modes: Modes) -> None:
    orthonormal, eigen = errors(modes)
    assert orthonormal < 1e-8
    assert eigen < 1e-6
    assert (np.diff(modes.frequency) >= 0).all()
    if modes.number[-1] == len(modes):  # the lowest
        assert modes.static_frequency > (1 - 1e-9) * modes.frequency[-1]


def test_the_digitised_walnut_sways_as_published(walnut_modes: Modes) -> None:
    f = walnut_modes.frequency
    assert 1.33 < f[0] < 1.55
    assert f[1] / f[0] < 1.02
    assert f[2] / f[1] > 1.15
    assert 20 <= np.count_nonzero(f <= 2.6) <= 30
    check(walnut_modes)


FEWEST = 100  # nodes; a herb has none to spare: with two to a leaf it would not stand


def test_roots_lower_the_first_frequency_of_a_tree_that_forks_low_by_a_seventh_at_most(walnut: Plant) -> None:
    """A third of the walnut's wood is stem. Springs of 40 to 72 M_crit lower f₁ of whole trees by 3 to 14 %."""
    turning, clamped = (
        analyse(walnut, count=1, wood="walnut", leaves=False, roots=roots, chosen="lowest", cache=False).frequency[0]
        for roots in (None, "clamped")
    )
    assert 0.86 < turning / clamped < 0.97


@pytest.mark.parametrize("name", sampled(species_names(), "oak", "spruce", "palm", "hosta", "wheat", "giant-kelp"))
def test_modes_of_every_species_are_orthonormal_and_modes(name: str) -> None:
    plant = grow(name, seed=3, detail=0.2)
    if plant.nodes < FEWEST:
        plant = grow(name, seed=3)
    check(analyse(plant, cells=2, cache=False))


@pytest.mark.slow
@pytest.mark.parametrize("name", species_names())
@pytest.mark.parametrize("seed", range(3))
def test_modes_of_every_grown_plant_are_orthonormal_and_modes(name: str, seed: int) -> None:
    check(analyse(grow(name, seed=seed), count=50, cells=4, cache=False))


def test_lanczos_finds_what_scipy_finds() -> None:
    plant = grow("walnut", seed=1, detail=0.2)
    modes = analyse(plant, count=30, chosen="lowest", cache=False)
    system = modes.conditions.system(plant, modes.wood)
    squares = eigsh(as_csc(system.stiffness), 30, as_csc(system.mass), sigma=0.0, return_eigenvectors=False)
    assert modes.omega**2 == pytest.approx(np.sort(squares), rel=1e-6)


def test_a_round_pole_has_every_bending_mode_twice() -> None:
    pole = Plant(parent=np.arange(-1, 150), position=[[0, 0.05 * i, 0] for i in range(151)], radius=np.full(151, 0.05))
    modes = analyse(pole, count=16, wood=WOOD, gravity=False, chosen="lowest", cache=False)
    check(modes)
    sideways = np.hypot(modes.shape[:, -1, 0], modes.shape[:, -1, 2]) > 1e-6
    bending = modes.frequency[sideways]
    assert bending[0::2] == pytest.approx(bending[1::2], rel=1e-6)
    assert len(bending) >= 12


def test_independent_trees_have_their_modes_side_by_side() -> None:
    one = grow("silver-birch", seed=2, detail=0.05)
    single = analyse(one, count=5, wood=WOOD, leaves=False, roots=2e5, chosen="lowest", cache=False)
    forest = analyse(several(one, 7), count=35, wood=WOOD, leaves=False, roots=2e5, chosen="lowest", cache=False)
    check(forest)
    assert forest.frequency.reshape(5, 7) == pytest.approx(np.repeat(single.frequency[:, None], 7, axis=1), rel=1e-6)
    assert forest.root_moment.shape == (35, 7, 3)


def test_the_trees_of_a_block_do_not_move_one_another() -> None:
    small, large = grow("silver-birch", seed=2, detail=0.05), grow("walnut", seed=2, detail=0.05)
    both = Plant(
        parent=np.concatenate([small.parent, np.where(large.parent < 0, -1, large.parent + small.nodes)]),
        position=np.concatenate([small.position, large.position + np.array([20.0, 0, 0])]),
        radius=np.concatenate([small.radius, large.radius]),
    )
    modes = analyse(both, count=12, wood=WOOD, chosen="lowest", cache=False)
    moves = np.stack([np.abs(modes.shape[:, both.tree == k]).max(axis=(1, 2)) for k in range(2)], axis=1)
    assert (moves.min(axis=1) < 1e-5 * moves.max(axis=1)).all()


def test_frequencies_do_not_depend_on_how_the_plant_lies() -> None:
    plant = fork()
    turn = np.linalg.qr(np.random.default_rng(0).normal(size=(3, 3)))[0]
    turn *= np.sign(np.linalg.det(turn))
    turned = Plant(
        parent=plant.parent, position=plant.position @ turn.T, radius=plant.radius, base_radius=plant.base_radius
    )
    here, there = (analyse(p, count=9, wood=WOOD, gravity=False, chosen="lowest", cache=False) for p in (plant, turned))
    assert there.frequency == pytest.approx(here.frequency, rel=1e-8)


def test_weight_slows_what_stands_and_hastens_what_hangs() -> None:
    up = fork()
    down = Plant(parent=up.parent, position=up.position * [1, -1, 1], radius=up.radius)
    for plant, slower in ((up, True), (down, False)):
        with_weight, without = (analyse(plant, wood=WOOD, gravity=g, cache=False).frequency[0] for g in (True, False))
        assert (with_weight < without) == slower


@settings(max_examples=40)
@given(plants(most=30))
def test_any_plant_has_modes(plant: Plant) -> None:
    modes = analyse(plant, count=8, wood=WOOD, gravity=False, chosen="lowest", cache=False)
    check(modes)


def test_asking_for_more_modes_than_there_are_gives_what_there_are() -> None:
    modes = analyse(fork(), count=1000, wood=WOOD, gravity=False, roots="clamped", cache=False)
    assert 6 <= len(modes) <= 24
    check(modes)


@pytest.mark.parametrize("columns", [(), (3,)])
def test_the_quick_substitution_is_the_slow_one(columns: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    plant = grow("silver-birch", seed=1, detail=0.1)
    factor = analyse(plant, count=1, cache=False).conditions.system(plant, WOOD).factor
    load = np.random.default_rng(1).normal(size=(6 * plant.nodes, *columns))
    assert factor._lower.quick
    quick = factor.solve(load)
    monkeypatch.setattr(UnitLower, "quick", False)
    assert quick == pytest.approx(factor.solve(load), rel=1e-6, abs=1e-12 * float(np.abs(quick).max()))


def test_without_the_quick_substitution_all_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    plant = grow("silver-birch", seed=1, detail=0.1)
    quick = analyse(plant, cache=False)
    monkeypatch.setattr(UnitLower, "quick", False)
    slow = analyse(plant, cache=False)
    assert slow.frequency == pytest.approx(quick.frequency, rel=1e-8)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"count": 0}, "at least one mode"),
        ({"cells": 0}, "cell"),
        ({"cells": 5}, "cell"),
        ({"roots": 0.0}, "a stiffness above 0"),
        ({"roots": float("nan")}, "a stiffness above 0"),
        ({"roots": "deep"}, "'spring', 'clamped'"),
        ({"medium": "vacuum"}, "air or in water"),
        ({"wood": "balsa"}, "hardwood"),
        ({"point_mass": [1.0]}, "5 nodes"),
        ({"point_lift": [0, 0, 0, 0, -1.0]}, "from 0 up"),
    ],
)
def test_wrong_options_are_refused_with_the_reason(options: dict[str, object], message: str) -> None:
    with pytest.raises(MechanicsError, match=message):
        analyse(fork(), cache=False, **options)  # type: ignore[arg-type]


def test_arrays_are_read_only() -> None:
    modes = analyse(fork(), count=3, wood=WOOD, cache=False)
    with pytest.raises(ValueError, match="read-only"):
        modes.shape[0, 0, 0] = 1.0


def test_a_lawn_of_equal_blades_has_each_mode_as_often_as_there_are_blades() -> None:
    blade = Plant(
        parent=[-1, 0, 1], position=[[0.0, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.2, 0.05]], radius=[0.002, 0.002, 0.001]
    )
    single = analyse(blade, count=1, wood=WOOD, cache=False)
    lawn = analyse(several(blade, 60), count=20, wood=WOOD, chosen="lowest", cache=False)
    check(lawn)
    assert lawn.frequency == pytest.approx(single.frequency[0], rel=1e-6)


def test_a_root_without_a_segment_stays_where_it_is() -> None:
    stump = Plant(parent=[-1, 0, -1], position=[[0, 0, 0], [0, 1, 0], [3, 0, 0]], radius=[0.1, 0.1, 0.1])
    modes = analyse(stump, count=2, wood=WOOD, cache=False)
    check(modes)
    assert (modes.shape[:, 2] == 0).all()
    assert (modes.root_moment[:, 1] == 0).all()
