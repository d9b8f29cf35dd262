"""Sheets and wood together: nodes, weight, wind, files; and what cannot be."""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.plants import chain
from tests.test_modes import check
from windflower import Leaves, Plant, grow
from windflower.core.arrays import FloatArray
from windflower.errors import MechanicsError
from windflower.mechanics import Modes, Structure, Wood, analyse, analyse_structure, read_modes, sheet_alone
from windflower.mechanics.objects import OBJECTS, flag, road_sign
from windflower.mechanics.projection import wind_loads
from windflower.motion import ModalMotion, Places
from windflower.motion.spectral.exposure import exposure_of

WOOD = Wood(E=1e10, density=500.0)
CARD: dict[str, Any] = {"thickness": 0.002, "density": 700.0, "E": 3e9}


def plane(columns: int, rows: int, length: float = 0.6, width: float = 0.4, base: float = 0.0) -> FloatArray:
    """(rows + 1, columns + 1, 3) in the plane of x and y."""
    x, y = np.meshgrid(np.linspace(0, length, columns + 1), base + np.linspace(0, width, rows + 1))
    return np.stack([x, y, np.zeros(x.shape)], axis=-1)


def vane(**changes: Any) -> Structure:
    """A small card on a stick: three rows of nodes on the stick's upper nodes."""
    stick = chain(8, length=1.4, radius=0.01)
    return Structure(stick, WOOD).with_sheet(plane(4, 2, base=1.0), hoist=[5, 6, 7], **{**CARD, **changes})


@cache
def vane_modes(count: int = 10) -> Modes:
    return analyse_structure(vane(patches=(2, 1)), count=count, cache=False)


# Nodes


def test_the_nodes_of_a_sheet_come_behind_those_of_the_wood() -> None:
    structure = vane()
    sheet, plant = structure.sheets[0], structure.plant
    assert plant.nodes == 8 + 3 * 4
    assert sheet.node[:, 1:].min() == 8
    assert sheet.node[:, 0].tolist() == [5, 6, 7]
    assert (plant.parent[sheet.node[:, 1:]] == sheet.node[:, :-1]).all()
    np.testing.assert_allclose(sheet.vertices(plant.position), plane(4, 2, base=1.0), atol=1e-12)


def test_on_several_trees_each_sheet_stays_with_its_own() -> None:
    one = chain(4, length=1.2)
    two = Plant(
        parent=[*one.parent, -1, 4, 5, 6],
        position=np.concatenate([one.position, one.position + np.array([0.6, 0, 0])]),
        radius=np.full(8, 0.01),
        leaves=Leaves(
            node=np.array([7]), place=np.array([0.5]), orientation=np.array([[0, 0, 0, 1.0]]), size=np.array([0.1])
        ),
    )
    between = plane(3, 1, length=0.6, width=0.4, base=0.8)
    structure = Structure(two, WOOD).with_sheet(between, hoist=[2, 3], fly=[6, 7], **CARD)
    structure = structure.with_sheet(between + np.array([0.6, 0, 0]), hoist=structure.sheets[0].node[:, -1], **CARD)
    plant, (first, second) = structure.plant, structure.sheets
    assert plant.tree[first.node].tolist() == [[0, 0, 0, 1], [0, 0, 0, 1]]
    assert (plant.tree[second.node] == 1).all()
    np.testing.assert_allclose(first.vertices(plant.position), between, atol=1e-12)
    np.testing.assert_allclose(second.vertices(plant.position), between + np.array([0.6, 0, 0]), atol=1e-12)
    assert plant.position[plant.leaves.node[0]] == pytest.approx([0.6, 1.2, 0])
    check(analyse_structure(structure, count=12, cache=False))


def test_a_plate_sits_on_a_twig() -> None:
    tree = grow("silver-birch", seed=2, detail=0.05)
    twig = max(tree.axes(), key=lambda axis: (tree.order[axis[0]] > 0) * len(axis))[-3:]
    out = np.cross(tree.vector[twig[-1]], (0.0, 1.0, 0.0))
    points = tree.position[twig][:, None] + np.linspace(0, 0.2, 4)[:, None] * out / np.linalg.norm(out)
    structure = Structure(tree, WOOD).with_sheet(points, hoist=twig, **CARD)
    with_plate, without = (
        analyse_structure(structure, count=8, cache=False),
        analyse(tree, wood=WOOD, count=8, roots="clamped", cache=False),
    )
    check(with_plate)
    assert with_plate.crown == 1
    assert with_plate.cells == 2
    assert with_plate.frequency[0] <= without.frequency[0] * 1.001


@pytest.mark.parametrize("name", sorted(OBJECTS))
def test_every_thing_has_modes_and_no_mode_is_missed(name: str) -> None:
    check(analyse_structure(OBJECTS[name](), count=12, cache=False))


# Weight


def test_a_small_heavy_sheet_is_a_mass_at_the_top() -> None:
    stick = chain(10, length=2.0, radius=0.01)
    heavy = {"thickness": 0.004, "density": 1e5, "E": 1e12, "nu": 0.0}
    points = np.stack([*np.meshgrid([0.0, 0.01], stick.position[-2:, 1] * [1, 1]), np.zeros((2, 2))], axis=-1)
    points[0, :, 1] = points[1, :, 1] - 0.01
    short = Plant(
        parent=np.arange(-1, 10), position=np.insert(stick.position, 9, [0, 1.99, 0], axis=0), radius=np.full(11, 0.01)
    )
    sheet = Structure(short, WOOD).with_sheet(points, hoist=[9, 10], **heavy)
    for gravity in (False, True):
        mass = np.zeros(11)
        mass[[9, 10]] = 1e5 * 0.004 * 1e-4 / 2
        plated = analyse_structure(sheet, count=2, gravity=gravity, cache=False)
        loaded = analyse(short, wood=WOOD, count=2, gravity=gravity, point_mass=mass, roots="clamped", cache=False)
        assert plated.frequency == pytest.approx(loaded.frequency, rel=2e-3)


def test_all_mass_is_there() -> None:
    modes = vane_modes()
    system = modes.conditions.system(modes.plant, modes.wood)
    up = np.zeros((1, modes.plant.nodes, 6))
    up[..., 1] = 1
    flat = up[:, ::-1].reshape(-1)
    wood = 500.0 * np.pi * 0.01**2 * 1.4
    held = (
        2 / 3 * wood / 7
    )  # of the lowest segment, at the root: a third for the root itself, a sixth twice for its tie
    assert flat @ (system.mass @ flat) == pytest.approx(wood + 0.6 * 0.4 * 0.002 * 700 - held, rel=1e-9)


# Wind


def test_a_steady_wind_leans_it_exactly_as_the_pressure_does() -> None:
    structure, speed = vane(lift=1.5), np.array([0.6, 0.1, 0.8])
    modes = analyse_structure(structure, count=6, cache=False)
    motion = ModalMotion(modes, pose="linear")
    air = np.broadcast_to(speed, (1, modes.cells, 3))
    found = motion.pose(motion.settled(Places(), air))[0] - modes.plant.position
    system = modes.conditions.system(modes.plant, modes.wood)
    load = np.zeros((1, modes.plant.nodes, 6))
    pressure = 1.225 / 2 * (1.2 * 0.8 + 1.5 * np.hypot(0.6, 0.1)) * 0.8
    for corner, share in zip(system.plating.corner, system.plating.plates.shares(), strict=True):
        np.add.at(load[0], corner, (share @ [0, 0, pressure]).reshape(4, 6))
    sticks = analyse(chain(8, length=1.4, radius=0.01), wood=WOOD, roots="clamped", cache=False)
    on_wood = np.linalg.norm(speed) * np.einsum("ckna,k->na", wind_loads(sticks._system, sticks.cell, 1), speed)
    load[0, :8] += on_wood
    exact = system.displaced(load)[0, :, :3]
    np.testing.assert_allclose(found, exact, atol=1e-6 * np.abs(exact).max())


def test_a_modal_force_is_the_work_of_the_pressure_on_the_mode() -> None:
    modes = vane_modes()
    sheet = modes.conditions.sheets[0]
    w = modes.shape[:, sheet.node, 2]  # (modes, rows, columns)
    slope_x, slope_y = -modes.shape[:, sheet.node, 4], modes.shape[:, sheet.node, 3]
    a, b = 0.15, 0.2
    # ∫ w over a cell of the twelve-term polynomial: corners a quarter each, and slopes ± a/24, ± b/24 of its area.
    total = np.zeros((len(modes), 2))
    for row in range(2):
        for column in range(4):
            for up in range(2):
                for on in range(2):
                    at = (slice(None), row + up, column + on)
                    part = w[at] / 4 + (1 - 2 * on) * a / 24 * slope_x[at] + (1 - 2 * up) * b / 24 * slope_y[at]
                    total[:, column // 2] += a * b * part
    found = modes.projection[modes.crown :, :, 2].T
    np.testing.assert_allclose(found, 1.225 / 2 * 1.2 * total, atol=1e-9 * np.abs(total).max())
    assert np.abs(modes.projection[modes.crown :, :, :2]).max() < 1e-9 * np.abs(found).max()


def test_spectral_rows_are_the_same_forces_cell_by_cell() -> None:
    modes = vane_modes()
    exposure = exposure_of(modes)
    by_cell = exposure.rows[: len(modes), exposure.sheet :]
    for patch in range(2):
        mine = exposure.cell[exposure.sheet :] == modes.crown + patch
        np.testing.assert_allclose(
            by_cell[:, mine].sum(axis=1), modes.projection[modes.crown + patch], atol=1e-12 * np.abs(by_cell).max()
        )


def test_a_wind_along_a_sheet_does_not_press_and_one_across_it_presses_both_ways() -> None:
    modes = analyse_structure(vane(lift=2.0), count=3, cache=False)
    winds = np.array([[5.0, 2, 0], [0, 0, 3.0], [0, 0, -3.0], [4.0, 0, 3.0]])
    push = modes.dynamic_wind(np.repeat(winds[:, None], modes.cells, axis=1))[:, modes.crown]
    lift = 2.0 / 1.2
    np.testing.assert_allclose(push[:, 2], np.array([0, 9.0, -9.0, 9 + lift * 12]), atol=1e-12)
    assert np.abs(push[:, :2]).max() < 1e-12


def test_the_ground_holds_what_the_wind_presses() -> None:
    board = sheet_alone(plane(5, 3, 0.6, 0.4), wood=WOOD, **CARD)
    modes = analyse_structure(board, count=6, gravity=False, cache=False)
    steady = modes.projection[0, :, 2] / modes.omega**2
    moment = modes.static_root_moment[0, 2] + np.tensordot(steady, modes.root_moment, 1)
    # 1 (m/s)² across presses ½ ρ C_D on the whole board: its moment about the clamped edge, along y.
    assert moment[:, 1].sum() == pytest.approx(1.225 / 2 * 1.2 * 0.6 * 0.4 * 0.3, rel=1e-6)


def test_the_air_brakes_a_sheet_as_fast_as_the_slope_of_its_pressure() -> None:
    modes = vane_modes()
    system = modes.conditions.system(modes.plant, modes.wood)
    rng = np.random.default_rng(0)
    direction = rng.normal(size=(20_000, 3))
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    gain = 2 * np.abs(direction[:, 2]).mean()
    taken = 1.225 / 2 * system.plating.braked(modes.shape).sum(axis=1)
    sticks = modes.drag_damping - taken
    assert gain == pytest.approx(1, rel=0.02)
    assert (sticks > 0).all()
    assert (sticks < 0.3 * modes.drag_damping[0]).all()


def test_hands_can_hold_a_sheet() -> None:
    modes = vane_modes()
    node = int(modes.conditions.sheets[0].node[1, -1])
    moved = modes.compliance(node)[0, 2, node, 2]
    by_modes = (modes.shape[:, node, 2] ** 2 / modes.omega**2).sum()
    assert moved == pytest.approx(by_modes + modes.compliance(node, residual=True)[0, 2, node, 2])
    assert moved > by_modes > 0


def test_the_wood_feels_the_strain_and_the_sheet_reads_none() -> None:
    modes = vane_modes()
    deformation = modes.shape_deformation
    own = modes.conditions.sheets[0].node[modes.conditions.sheets[0].own]
    assert np.abs(deformation[:, own]).max() == 0
    assert np.abs(deformation[0, 1, :3]).max() > 0


# Files


def test_modes_with_sheets_read_back_bit_by_bit(tmp_path: Path) -> None:
    modes = vane_modes()
    modes.save(tmp_path / "vane.npz")
    again = read_modes(tmp_path / "vane.npz")
    assert again.shape.tobytes() == modes.shape.tobytes()
    assert again.compliance(12).tobytes() == modes.compliance(12).tobytes()
    one, other = modes.conditions.sheets[0], again.conditions.sheets[0]
    assert repr([one.patches, one.limp, one.E, one.node.tolist()]) == repr(
        [other.patches, other.limp, other.E, other.node.tolist()]
    )
    alone = analyse_structure(sheet_alone(plane(3, 2), wood=WOOD, **CARD), count=3, cache=False)
    alone.save(tmp_path / "board.npz")
    assert read_modes(tmp_path / "board.npz").conditions.held is not None


def test_each_sheet_has_its_own_entry_in_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WINDFLOWER_CACHE", str(tmp_path))
    for changes in ({}, {"E": 4e9}, {"patches": (2, 1)}, {"lift": 1.0}, {}):
        analyse_structure(vane(**changes), count=2)
    assert len(list(tmp_path.iterdir())) == 4


# What cannot be


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"thickness": 0.0}, "thickness must be positive"),
        ({"density": [1.0, 2.0, 3.0]}, "one for each of its 2 × 4 cells"),
        ({"nu": 0.7}, "nu"),
        ({"E": float("nan")}, "E"),
        ({"drag": -1.0}, "drag"),
        ({"patches": (5, 1)}, "patches"),
        ({"pull": (1.0, 2.0)}, "3 finite numbers"),
    ],
)
def test_a_wrong_sheet_is_refused_with_the_reason(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(MechanicsError, match=message):
        vane(**changes)


def test_a_sheet_needs_something_to_hold_it() -> None:
    stick = Structure(chain(8), WOOD)
    for hoist in ([5, 6], [5, 6, 6], [6, 7, 8]):
        with pytest.raises(MechanicsError, match="held by as many nodes"):
            stick.with_sheet(plane(4, 2), hoist=hoist, **CARD)
    with pytest.raises(MechanicsError, match="at least 2 × 2"):
        stick.with_sheet(np.zeros((3, 3)), hoist=[5, 6, 7], **CARD)
    with pytest.raises(MechanicsError, match="first point"):
        sheet_alone(plane(2, 2), wood=WOOD, held=np.zeros((3, 3, 6)), **CARD)


def test_sheets_do_not_swim() -> None:
    with pytest.raises(MechanicsError, match="air"):
        analyse_structure(vane(), medium="water", cache=False)


@pytest.mark.parametrize("build", [lambda: flag(pole=1.0), lambda: road_sign(size=-1.0)])
def test_objects_have_sizes(build: Any) -> None:
    with pytest.raises(MechanicsError, match="must be from"):
        build()
