"""Beams against theory and published benchmarks."""

from math import pi

import numpy as np
import pytest

from windflower.errors import MechanicsError
from windflower.mechanics import Wood, analyse
from windflower.mechanics.assembly import GRAVITY
from windflower.mechanics.eigen import lowest_modes
from windflower.mechanics.roots import SLOPE, root_springs
from windflower.plant.graph import Plant
from windflower.plant.growth import grow
from windflower.validate.beams import RADIUS, STIFF, argyris_frame, bending_frequencies, rod, wave_constant

UNIFORM = (3.51602, 22.0345, 61.6972, 120.902, 199.860)


@pytest.mark.parametrize("direction", [(0, 1, 0), (1, 0, 0), (0.48, 0.6, 0.64)])
def test_uniform_cantilever_has_the_textbook_frequencies(direction: tuple[float, float, float]) -> None:
    modes = analyse(
        rod(60, direction=direction), count=16, wood=STIFF, gravity=False, roots="clamped", chosen="lowest", cache=False
    )
    found = 2 * pi * bending_frequencies(modes)[:5] / wave_constant(STIFF, RADIUS)
    assert found == pytest.approx(UNIFORM, rel=1e-4)


def test_first_frequency_converges_with_the_fourth_power_of_the_element() -> None:
    exact = 1.8751040687119611**2 * wave_constant(STIFF, RADIUS) / (2 * pi)
    found = [
        analyse(rod(n), count=1, wood=STIFF, gravity=False, roots="clamped", cache=False).frequency[0]
        for n in (2, 4, 8, 16)
    ]
    error = np.array(found) / exact - 1
    assert (error > 0).all()
    assert np.log2(error[:-1] / error[1:]) == pytest.approx(4, abs=0.15)


@pytest.mark.parametrize(
    ("ratio", "constants"),
    [
        (0.5, (4.625, 19.548, 48.58, 91.81)),
        (0.25, (5.823, 18.480, 41.32, 74.94)),
        (0.1, (7.205, 18.68, 37.12)),
    ],
)
def test_cones_have_the_published_frequencies(ratio: float, constants: tuple[float, ...]) -> None:
    modes = analyse(
        rod(20, ratio=ratio), count=12, wood=STIFF, gravity=False, roots="clamped", chosen="lowest", cache=False
    )
    unit = 2 * RADIUS / (8 * pi) * np.sqrt(STIFF.E / STIFF.density)
    assert bending_frequencies(modes)[: len(constants)] / unit == pytest.approx(constants, rel=2e-3)


def test_the_frame_of_argyris_has_the_frequencies_of_converged_elements() -> None:
    """Those that were published are a little lower; `validate` compares with them."""
    assert argyris_frame() == pytest.approx((11.283, 30.711), rel=2e-3)


def test_nafems_fv4_cantilever_with_masses_beside_its_tip() -> None:
    steel = Wood(E=200e9, density=8000.0, nu=0.3)
    plant = rod(40, length=10.0, radius=0.25)
    system = analyse(plant, count=1, wood=steel, gravity=False, roots="clamped", cache=False).conditions.system(
        plant, steel
    )
    for mass, side in ((10_000.0, 2.0), (1_000.0, -2.0)):
        arm = np.eye(3, 6)
        arm[0, 4], arm[1, 3] = side, -side  # u + θ × (0, 0, side)
        system.mass.data[0] += mass * arm.T @ arm  # the tip's block comes first
    squares, _ = lowest_modes(system.mass, system.factor, 6)
    assert np.sqrt(squares) / (2 * pi) == pytest.approx((1.723, 1.727, 7.413, 9.972, 18.155, 26.957), rel=2e-3)


def test_a_hanging_chain_swings_as_bessel_says() -> None:
    limp = Wood(E=1e5, density=1000.0)
    modes = analyse(
        rod(200, length=2.0, radius=0.002, direction=(0, -1, 0)),
        count=12,
        wood=limp,
        roots="clamped",
        chosen="lowest",
        cache=False,
    )
    found = 2 * pi * bending_frequencies(modes)[:3] / np.sqrt(GRAVITY / 2.0) * 2
    assert found == pytest.approx((2.40483, 5.52008, 8.65373), rel=5e-3)


@pytest.mark.parametrize("direction", [(0, 1, 0), (0, -1, 0)])
def test_a_column_buckles_under_its_own_weight_at_the_textbook_height(
    direction: tuple[float, float, float],
) -> None:
    radius, density, length = 0.01, 1000.0, 5.0
    limit = density * pi * radius**2 * GRAVITY * length**3 / (7.8373 * pi / 4 * radius**4)
    column = rod(20, length=length, radius=radius, direction=direction)
    analyse(column, count=1, wood=Wood(E=1.005 * limit, density=density), roots="clamped", cache=False)
    weak = Wood(E=0.995 * limit, density=density)
    if direction[1] < 0:  # what hangs does not buckle
        analyse(column, count=1, wood=weak, roots="clamped", cache=False)
    else:
        with pytest.raises(MechanicsError, match=r"stand under its own weight.*segment \d+"):
            analyse(column, count=1, wood=weak, roots="clamped", cache=False)


def test_a_heavy_crown_buckles_a_column_as_euler_says() -> None:
    """A weightless clamped column buckles at π² EI / 4 L²."""
    wood = Wood(E=1e9, density=1e-3)
    column = rod(10)
    limit = pi**2 * wood.E * pi / 4 * RADIUS**4 / 4
    for share in (0.995, 1.005):
        mass = np.zeros(column.nodes)
        mass[-1] = share * limit / GRAVITY
        if share < 1:
            assert analyse(column, count=1, wood=wood, point_mass=mass, roots="clamped", cache=False).frequency[0] > 0
        else:
            with pytest.raises(MechanicsError, match="buckles"):
                analyse(column, count=1, wood=wood, point_mass=mass, roots="clamped", cache=False)


def test_a_rigid_pole_on_a_root_spring_rocks_as_a_pendulum_on_its_head() -> None:
    """ω² = (k - m g L/2) / (m L²/3)."""
    rigid = Wood(E=1e16, density=500.0)
    pole, spring = rod(4, length=2.0), 50.0
    mass = rigid.density * pi * RADIUS**2 * 2.0
    inertia = mass * 4.0 / 3
    for gravity, stiffness in ((False, spring), (True, spring - mass * GRAVITY)):
        modes = analyse(pole, count=2, wood=rigid, gravity=gravity, roots=spring, cache=False)
        assert modes.omega**2 == pytest.approx(stiffness / inertia, rel=1e-3)
        assert np.abs(modes.shape[:, 0, :3]).max() == 0
        assert np.abs(modes.shape[:, 0, 3:]).max() > 0


def test_water_slows_a_rod_by_the_water_it_moves_along() -> None:
    wood = Wood(E=1e9, density=1025.0)  # as heavy as sea water: no weight
    dry, wet = (
        analyse(rod(8), count=1, wood=wood, medium=medium, gravity=False, roots="clamped", cache=False)
        for medium in ("air", "water")
    )
    assert dry.frequency[0] / wet.frequency[0] == pytest.approx(np.sqrt(2), rel=1e-9)


def test_a_float_holds_a_limp_stem_upright_in_water() -> None:
    limp = Wood(E=1e4, density=1100.0)
    lift = np.zeros(11)
    lift[-1] = 5.0
    held = analyse(
        rod(10), count=4, wood=limp, medium="water", point_lift=lift, roots="clamped", chosen="lowest", cache=False
    )
    loose = analyse(
        rod(10), count=4, wood=limp, medium="water", gravity=False, roots="clamped", chosen="lowest", cache=False
    )
    mass = (1100 + 1025) * pi * RADIUS**2
    taut_string = np.sqrt(5.0 / mass) / 4  # with one end free
    assert bending_frequencies(held)[0] == pytest.approx(taut_string, rel=0.03)
    assert bending_frequencies(held)[0] > 10 * bending_frequencies(loose)[0]


def test_by_default_roots_turn_on_the_spring_that_the_stem_s_mass_sets() -> None:
    """K = 2/2.25° × C_reg × stem mass; a tree of 16 m and 33 cm then has 1.5 to 7 MN·m/rad."""
    pole, wood = rod(8, length=16.0, radius=0.12), Wood(E=8e9, density=800.0)
    volume = pi * 0.12**2 * 16.0
    spring = 2 / np.radians(2.25) * 130.0 * 800.0 * volume
    assert 1.5e6 < spring < 7e6
    options = {"count": 2, "wood": wood, "cache": False}
    default, same, clamped = (analyse(pole, roots=roots, **options) for roots in (None, spring, "clamped"))  # type: ignore[arg-type]
    np.testing.assert_allclose(default.frequency, same.frequency, rtol=1e-12)
    assert 0.86 < default.frequency[0] / clamped.frequency[0] < 0.97
    points = np.array([[0, 0, 0], [0, 1, 0], [0, 2, 0], [0.5, 1, 0]])
    branched = Plant(parent=[-1, 0, 1, 1], position=points, radius=[0.1] * 4)
    np.testing.assert_allclose(root_springs(branched, wood, "spring") / SLOPE, 130 * 800 * pi * 0.1**2 * 2)
    assert analyse(grow("eelgrass", detail=0.05), count=1, cache=False).conditions.roots == "clamped"


def test_roots_anchor_a_tree_that_forks_low_by_seven_tenths_of_its_wood() -> None:
    """A bole of 1 m that two arms of 4 m stand on; beside it a pole, whose roots take no notice."""
    points = np.array([[0, 0, 0], [0, 1, 0], [0, 1, 4], [0, 1, -4], [9, 0, 0], [9, 3, 0]])
    two = Plant(parent=[-1, 0, 1, 1, -1, 4], position=points, radius=[0.1] * 6, order=[0, 0, 1, 1, 0, 0])
    wood, section = Wood(E=8e9, density=800.0), 130 * 800 * pi * 0.1**2
    np.testing.assert_allclose(root_springs(two, wood, "spring") / SLOPE, [section * 0.7 * 9, section * 3])
