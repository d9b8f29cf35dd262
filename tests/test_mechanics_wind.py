"""The wind projection basis, its cells, and the lean that static vectors complete."""

from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import cumulative_trapezoid

from tests.plants import fork
from windflower import Leaves, Plant, grow, read, species_of
from windflower.core.arrays import FloatArray
from windflower.mechanics import Modes, Wood, analyse
from windflower.mechanics.cells import cut, shelter
from windflower.mechanics.projection import wind_loads

WOOD = Wood(E=1e10, density=800.0)
AIR_DENSITY = 1.225


def tree(name: str = "walnut", detail: float = 0.05) -> Plant:
    return grow(name, seed=5, detail=detail)


def displacement_along(plant: Plant, node: int, shape: FloatArray, place: FloatArray) -> FloatArray:
    """(places, 3) of a mode inside segment `node`, from its ends: linear along it, across it as end loads bend it."""
    base, tip = shape[plant.parent[node]], shape[node]
    length = plant.length[node]
    axis = plant.vector[node] / length
    x = place[:, None]
    straight = ((1 - x) * base[:3] + x * tip[:3]) @ axis
    arm = base[:3] + x * length * np.cross(base[3:], axis)
    off = np.stack([tip[:3] - base[:3] - length * np.cross(base[3:], axis), np.cross(tip[3:] - base[3:], axis)])
    bent = arm + deflection(plant.base_radius[node], plant.radius[node], length, place) @ off
    return np.asarray(straight[:, None] * axis + bent - (bent @ axis)[:, None] * axis)


def deflection(base: float, tip: float, length: float, place: FloatArray) -> FloatArray:
    """(places, 2) of a clamped cone by a unit deflection and slope of its tip: its curvature integrated in steps."""
    part = np.linspace(0, 1, 4001)
    radius = base * (tip / base) ** part  # steps are the finer the thinner it is
    along = length * (part if tip == base else (radius - base) / (tip - base))
    curvature = np.stack([length - along, np.ones_like(along)]) * radius**-4.0  # by a force, and by a moment
    slope = cumulative_trapezoid(curvature, along, initial=0)
    moved = cumulative_trapezoid(slope, along, initial=0)
    found = np.stack([np.interp(place * length, along, one) for one in moved])
    return np.asarray(found.T @ np.linalg.inv(np.array([moved[:, -1], slope[:, -1]])))


def brute_force(modes: Modes, wind: FloatArray, drag: float) -> FloatArray:
    """(modes,) ½ ρ C_D ∫ D w · φ over every segment, by Gauss's rule with more points than needed."""
    plant = modes.plant
    place, weight = np.polynomial.legendre.leggauss(12)
    place, weight = (place + 1) / 2, weight / 2
    force = np.zeros(len(modes))
    for node in plant.segments.tolist():
        diameter = 2 * ((1 - place) * plant.base_radius[node] + place * plant.radius[node])
        for mode, shape in enumerate(modes.shape):
            moved = displacement_along(plant, node, shape, place)
            force[mode] += plant.length[node] * weight @ (diameter * (moved @ wind[modes.cell[node]]))
    return AIR_DENSITY / 2 * drag * force


def test_the_basis_gives_the_force_that_integrating_every_branch_gives() -> None:
    modes = analyse(tree(), wood=WOOD, leaves=False, count=10, cells=3, cache=False)
    for seed in range(3):
        wind = np.random.default_rng(seed).normal(size=(3, 3)) * 50
        by_basis = np.einsum("cmk,ck->m", modes.projection, wind)
        by_hand = brute_force(modes, wind, modes.conditions.system(modes.plant, WOOD).foliage.wood_drag)
        assert by_basis == pytest.approx(by_hand, rel=1e-5, abs=1e-5 * float(np.abs(by_hand).max()))


def test_leaves_catch_the_wind_where_they_sit() -> None:
    bare = fork()
    leaf = Leaves(
        node=np.array([2, 4]), place=np.array([1.0, 0.25]), orientation=np.eye(4)[[3, 3]], size=np.full(2, 0.5)
    )
    leafy = Plant(parent=bare.parent, position=bare.position, radius=bare.radius, leaves=leaf, species="silver-birch")
    modes = analyse(leafy, wood=WOOD, count=4, gravity=False, cache=False)
    system = modes.conditions.system(leafy, WOOD)
    area = system.foliage.drag_area
    assert area[0] == area[1] > 0
    at_leaves = modes.shape[:, 2, :3] + 0.25 * modes.shape[:, 4, :3] + 0.75 * modes.shape[:, 3, :3]
    wind = np.array([[30.0, -5.0, 12.0]])
    wood = brute_force(modes, wind, system.foliage.wood_drag)
    leaves = AIR_DENSITY / 2 * area[0] * at_leaves @ wind[0]
    assert np.einsum("cmk,ck->m", modes.projection, wind) == pytest.approx(wood + leaves, rel=1e-6, abs=1e-8)


def test_leaves_weigh() -> None:
    with_leaves, without = (analyse(tree(), leaves=leaves, cache=False) for leaves in (True, False))
    assert with_leaves.frequency[0] < without.frequency[0]
    assert with_leaves.cell_area.sum() != pytest.approx(without.cell_area.sum())


def test_equal_winds_on_eight_cells_are_one_wind() -> None:
    one, eight = (analyse(tree(), cells=cells, chosen="lowest", cache=False) for cells in (1, 8))
    assert eight.projection.sum(axis=0) == pytest.approx(one.projection[0], rel=1e-9, abs=1e-12)
    assert eight.static.sum(axis=0) == pytest.approx(one.static[0], rel=1e-6, abs=1e-12)
    assert eight.cell_area.sum() == pytest.approx(one.cell_area[0])
    assert eight.cell_area @ eight.cell_centre == pytest.approx(one.cell_area @ one.cell_centre)


def test_cells_hold_about_the_same_drag_and_lie_apart() -> None:
    modes = analyse(tree(detail=0.3), cells=8, cache=False)
    assert modes.cell_area.max() < 1.5 * modes.cell_area.min()
    assert set(modes.cell.tolist()) == set(range(8))
    nearest = np.linalg.norm(modes.cell_centre[:, None] - modes.cell_centre, axis=2) + 1e9 * np.eye(8)
    assert nearest.min() > 0.5


def test_cuts_are_deterministic_and_leave_no_cell_empty() -> None:
    place = np.random.default_rng(0).normal(size=(11, 3))
    weight = np.array([100.0] + [1e-9] * 10)
    for cells in range(1, 12):
        found = cut(place, weight, cells)
        assert np.bincount(found, minlength=cells).min() >= 1
        assert (cut(place, weight, cells) == found).all()


def test_the_lee_of_a_crown_feels_less_wind() -> None:
    modes = analyse(tree(detail=0.3), cells=8, cache=False)
    for wind in ([1.0, 0, 0], [-1.0, 0, 0], [0, 0, 1.0], [1.0, 0, -1.0]):
        factor = modes.shelter(wind)
        downwind = modes.cell_centre @ wind
        assert factor[np.argmax(downwind)] < factor[np.argmin(downwind)]
        assert factor.max() > 1.0 > factor.min() > 0.0
        assert modes.cell_area @ factor**2 == pytest.approx(modes.cell_area.sum())  # the crown's drag is its own
        force = np.linalg.norm(modes.projection * factor[:, None, None] ** 2, axis=(1, 2))
        calm = np.linalg.norm(modes.projection, axis=(1, 2))
        assert force[np.argmax(downwind)] < calm[np.argmax(downwind)]


def test_shelter_takes_many_directions_and_none() -> None:
    modes = analyse(tree(), cells=4, cache=False)
    winds = np.random.default_rng(0).normal(size=(5, 2, 3))
    winds[0, 0] = 0
    factors = modes.shelter(winds)
    assert factors.shape == (5, 2, 4)
    assert (factors[0, 0] == 1).all()
    assert factors[3, 1] == pytest.approx(modes.shelter(7.0 * winds[3, 1]))
    assert (analyse(tree(), cache=False).shelter(winds) == 1).all()


def test_two_equal_cells_in_line_have_the_wind_that_beer_gives() -> None:
    """The second sees the first's whole column; half of its own column lies in neither."""
    centre, spread, area = np.array([[0.0, 0, 0], [100.0, 0, 0]]), np.ones(2), np.ones(2)
    factor = shelter(np.array([1.0, 0, 0]), centre, spread, area, 0.25)
    assert factor[1] / factor[0] == pytest.approx(0.25**0.5)
    beside = shelter(np.array([0.0, 0, 1.0]), centre, spread, area, 0.25)
    assert beside == pytest.approx(1)


def test_crowns_streamline_bare_ones_as_branches_that_bend_and_stems_do_not() -> None:
    speed = np.array([0.0, 10.0, 15.0, 20.0, 25.0, 60.0])
    birch, spruce = species_of("silver-birch").air, species_of("spruce").air
    in_leaf = analyse(tree("silver-birch"), cache=False)
    assert in_leaf.streamlined(speed) == pytest.approx(np.array([1, 1, 1.5, 2, 2, 2]) ** -birch.streamlining)
    needles = analyse(tree("spruce"), cache=False)
    assert needles.streamlined(speed) == pytest.approx(np.array([1, 1, 1.5, 2, 2.5, 2.5]) ** -spruce.streamlining)
    bare = analyse(tree(), leaves=False, cache=False).streamlined(speed)
    assert 2 ** (-2 / 3) < bare[3] == bare[5] < 2**-0.4  # most of its drag is on branches
    pole = Plant(parent=[-1, 0], position=[[0, 0, 0], [0, 3, 0]], radius=[0.1, 0.1])
    assert analyse(pole, wood=WOOD, count=2, cache=False).streamlined(speed) == pytest.approx(1)


def test_drag_damps_by_what_linearised_drag_takes() -> None:
    """Power that drag takes from a mode swinging at unit speed in a wind, over all directions of the wind."""
    modes = analyse(fork(), wood=WOOD, leaves=False, count=3, gravity=False, cache=False)
    plant, speed, small = modes.plant, 8.0, 1e-4
    place, weight = np.polynomial.legendre.leggauss(12)
    place, weight = (place + 1) / 2, weight / 2
    directions = np.concatenate([np.eye(3), -np.eye(3)])  # their e eᵀ averages to 1/3, as over the sphere
    taken, drag = np.zeros(3), modes.conditions.system(plant, WOOD).foliage.wood_drag
    for node in plant.segments.tolist():
        diameter = 2 * ((1 - place) * plant.base_radius[node] + place * plant.radius[node])
        per_metre = AIR_DENSITY / 2 * drag * diameter * weight * plant.length[node]
        for mode, shape in enumerate(modes.shape):
            velocity = small * displacement_along(plant, node, shape, place)
            for direction in directions:
                relative = speed * direction - velocity
                force = np.linalg.norm(relative, axis=1, keepdims=True) * relative - speed**2 * direction
                taken[mode] -= per_metre @ (force * velocity).sum(axis=1) / len(directions) / small**2
    assert modes.drag_damping * speed == pytest.approx(taken, rel=1e-4)


def lean(modes: Modes, wind: FloatArray, *, static: bool = True) -> FloatArray:
    """(nodes, 3) under a steady dynamic wind on all cells."""
    amplitude = modes.projection.sum(axis=0) @ wind / modes.omega**2
    moved = np.einsum("m,mna->na", amplitude, modes.shape)
    return np.asarray(moved + static * np.einsum("ckna,k->na", modes.static, wind))[:, :3]


def full_lean(modes: Modes, wind: FloatArray) -> FloatArray:
    """(nodes, 3) the same by solving for all degrees of freedom."""
    system = modes.conditions.system(modes.plant, modes.wood)
    load = np.einsum("ckna,k->na", wind_loads(system, modes.cell, modes.cells), wind)
    return np.asarray(system.displaced(load[None])[0, :, :3])


def relative(found: FloatArray, exact: FloatArray) -> float:
    return float(np.linalg.norm(found - exact) / np.linalg.norm(exact))


@pytest.mark.parametrize("cells", [1, 4])
def test_static_vectors_make_the_steady_lean_exact(cells: int) -> None:
    modes = analyse(tree(), leaves=False, cells=cells, cache=False)
    wind = np.array([100.0, 3.0, -40.0])
    exact = full_lean(modes, wind)
    assert relative(lean(modes, wind), exact) < 1e-9
    assert relative(lean(modes.truncated(5), wind), exact) < 1e-9
    assert relative(lean(modes.truncated(5), wind, static=False), exact) > 1e-3


def test_static_vectors_make_the_lean_of_the_walnut_exact(
    shared_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plant = read(shared_data / "walnut" / "noylum2.mtg")
    modes = analyse(plant, wood="walnut", leaves=False, gravity=False, cache=False)
    wind = np.array([100.0, 0.0, 0.0])
    exact = full_lean(modes, wind)
    assert relative(lean(modes, wind), exact) < 1e-9
    assert relative(lean(modes.truncated(5), wind), exact) < 1e-9
    without = relative(lean(modes, wind, static=False), exact)
    with capsys.disabled():
        print(f"\nlean of the walnut without static vectors: {without:.1%} off")  # noqa: T201
    assert 0.02 < without < 0.15


def test_truncation_keeps_the_first_modes_and_the_next_frequency() -> None:
    modes = analyse(tree(), cache=False)
    few = modes.truncated(5)
    assert len(few) == 5
    assert few.static_frequency == modes.frequency[5]
    assert (few.shape == modes.shape[:5]).all()
    assert modes.truncated(len(modes)) is modes


def test_the_ground_holds_against_the_whole_wind() -> None:
    """Moment at the root under a steady wind is that of all forces about it, with any number of modes."""
    modes = analyse(tree(), gravity=False, cells=2, cache=False)
    system = modes.conditions.system(modes.plant, modes.wood)
    wind = np.array([[80.0, 0, 10.0], [50.0, 5.0, 0]])
    load = np.einsum("ckna,ck->na", wind_loads(system, modes.cell, 2), wind)
    arm = modes.plant.position - modes.plant.position[0]
    by_wind = (np.cross(arm, load[:, :3]) + load[:, 3:]).sum(axis=0)
    for kept in (modes, modes.truncated(3)):
        amplitude = np.einsum("cmk,ck->m", kept.projection, wind) / kept.omega**2
        held = np.einsum("m,mra->ra", amplitude, kept.root_moment)
        held += np.einsum("ckra,ck->ra", kept.static_root_moment, wind)
        assert held[0] == pytest.approx(-by_wind, rel=1e-6)
