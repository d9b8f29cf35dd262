"""Numbers that no plant, wind or record has: refused with a sentence wherever a person can give them."""

import json
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.fuzz.corpora import loops, small_modes
from tests.importer_files import oak
from windflower import (
    ArrayWind,
    BroadleafMotion,
    ForcePrimitive,
    Places,
    Plant,
    Recording,
    SpectralMotion,
    Steady,
    Turbulence,
    Vortex,
    Wood,
    analyse,
    build_scene,
    grow,
    parse_scene,
    plot_loop,
    plot_modes,
    plot_poses,
    plot_sheets,
    plot_sway,
    plot_wind,
    read_loop,
    save_scene,
    sway,
)
from windflower.core.files import write_archive
from windflower.errors import FileError, MechanicsError, MotionError, PlantError, SpeciesError, WindError
from windflower.motion.spectral.eddies import EddyAir
from windflower.plant.growth.lsystem import expression
from windflower.plots.figure import save_plot

WIND = Steady(speed=5.0)


def pole(height: float, radius: float) -> Plant:
    return Plant(parent=[-1, 0], position=np.array([[0, 0, 0], [0, height, 0]]), radius=[radius, radius])


@pytest.mark.parametrize(("height", "radius"), [(1e160, 0.1), (5.0, 1e160), (1e10, 0.1)])
def test_a_plant_larger_than_the_earth_is_refused(height: float, radius: float) -> None:
    with pytest.raises(PlantError, match="at most 1e\\+09"):
        pole(height, radius)


def test_a_plant_is_asked_only_for_its_own_nodes() -> None:
    with pytest.raises(PlantError, match="nodes 0 to 7"):
        oak().path(8)
    with pytest.raises(PlantError, match="one for each of the 8 nodes"):
        oak().subtree_sum([1.0, 2.0])


@pytest.mark.parametrize(
    "make",
    [
        lambda: Steady(speed=1e308),
        lambda: Vortex(centre=(0.0, 0.0), radius=1e-308, speed=1.0),
        lambda: Recording(values=np.ones((3, 3)), step=5e-324),
        lambda: ForcePrimitive(path=((0.0, 1e160, 0.0),), radius=1.0, strength=(1.0, 0.0, 0.0), frequency=1.0),
        lambda: WIND.velocity([[1e300, 0, 0]], 0.0),
        lambda: WIND.velocity([[0, 0, 0]], 1e300),
        lambda: WIND.on_grid([[0, 0, 0], [1, 1, 1]], (10**6, 10**6, 1), 0.0),
    ],
)
def test_a_wind_has_numbers_that_a_wind_can_have(make: Callable[[], object]) -> None:
    with pytest.raises(WindError):
        make()


def test_a_force_is_asked_at_points_of_three_numbers() -> None:
    disk = ForcePrimitive(path=((0.0, 0.0, 0.0),), radius=1.0, strength=(1.0, 0.0, 0.0), frequency=1.0)
    with pytest.raises(WindError, match="three numbers"):
        disk.force([[0.0, 1.0]], 0.0)


def test_instances_are_chosen_and_placed_by_what_they_have() -> None:
    with pytest.raises(MotionError, match="0 to 1"):
        Places([[0, 0, 0], [1, 0, 0]]).some(np.array([2]))
    with pytest.raises(MotionError, match="three numbers"):
        Places().to_world(np.zeros(2))


@pytest.mark.parametrize("held", [np.ones((4, 2), bool), np.ones((1, 6), bool)])
def test_what_holds_a_plant_leaves_it_free_somewhere(held: Any) -> None:
    with pytest.raises(MechanicsError):
        analyse(oak(), held=held, cache=False)


def test_a_sway_of_years_is_refused() -> None:
    with pytest.raises(MotionError, match="steps"):
        sway(small_modes(), WIND, before=1e9)


def test_a_loop_needs_as_many_waves_as_can_be_held() -> None:
    with pytest.raises(MotionError, match="samples"):
        SpectralMotion(small_modes(), period=1e12, wind=Turbulence(speed=4.0))


def test_a_short_record_is_plotted() -> None:
    record = sway(small_modes(), WIND, seconds=0.05)
    assert len(plot_sway(record)) > 1


@pytest.mark.parametrize(
    "plot",
    [
        lambda loop: plot_sheets(loop, []),
        lambda loop: plot_loop(loop, node=10**6),
        lambda _: plot_poses(small_modes(), speed=1e160),
        lambda _: plot_wind(WIND, seconds=float("inf")),
        lambda _: plot_wind(WIND, extent=float("nan")),
    ],
)
def test_a_plot_refuses_what_it_cannot_draw(plot: Callable[[Any], object], tmp_path: Path) -> None:
    path = tmp_path / "loop.npz"
    path.write_bytes(loops()[0])
    with pytest.raises((MotionError, WindError)):
        plot(read_loop(path))


@pytest.mark.parametrize("part", ["shapes", "amount_mean", "air_wave", "amount_wave"])
@pytest.mark.parametrize("damage", ["nan", "short", "complex"])
def test_a_loop_with_numbers_that_do_not_fit_is_refused(part: str, damage: str, tmp_path: Path) -> None:
    path = tmp_path / "loop.npz"
    path.write_bytes(loops()[0])
    with np.load(path) as archive:
        arrays = dict(archive)
    facts = json.loads(str(arrays.pop("header")))
    facts.pop("windflower")
    if damage == "nan":
        arrays[part] = np.full(arrays[part].shape, np.nan, arrays[part].dtype)
    elif damage == "short":
        arrays[part] = arrays[part][..., :-1]
    else:
        arrays[part] = arrays[part].astype(complex) + (0 if "wave" in part else 1j)
    write_archive(path, "loop", arrays, facts)
    if damage == "complex" and "wave" in part:
        assert read_loop(path).period == 2.0
        return
    with pytest.raises(FileError, match="Save it again"):
        read_loop(path)


def test_poles_without_a_crown_stand_apart(tmp_path: Path) -> None:
    Plant(parent=range(-1, 7), position=np.outer(range(8), [0, 1, 0]), radius=[0.05] * 8).save(tmp_path / "pole.npz")
    text = f'[[stands]]\nplant = "{tmp_path / "pole.npz"}"\ncount = 2\n[[stands]]\nplant = "{tmp_path / "pole.npz"}"\n'
    scene = build_scene(parse_scene(text))
    feet = np.concatenate([stand.places.position for stand in scene.stands])
    assert min(np.linalg.norm(a - b) for a, b in combinations(feet, 2)) > 0.04


def test_modes_of_a_bare_pole_are_plotted() -> None:
    assert plot_modes(analyse(pole(3.0, 0.05), count=6, cache=False))  # bending, twisting, stretching


def test_a_plant_smaller_than_a_grain_of_dust_is_refused() -> None:
    with pytest.raises(PlantError, match="at least 1e-06 m"):
        pole(1e-8, 1e-9)


def test_a_wind_on_a_grid_without_height_is_the_same_at_all_heights() -> None:
    wind = ArrayWind(values=np.ones((2, 2, 2, 2, 3)), box=np.array([[0, 0, 0], [1, 5e-324, 1]]))
    assert np.isfinite(wind.velocity([[0.5, 3.0, 0.5]], 0.1)).all()


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda: Wood(E=10**400, density=700.0), MechanicsError),
        (lambda: analyse(oak(), cells=2**64, cache=False), MechanicsError),
        (lambda: SpectralMotion(small_modes(), period=1e-70, speed=4.0), MotionError),
        (lambda: SpectralMotion(small_modes(), period=2.0, speed=4.0, seed=10**30), MotionError),
        (lambda: SpectralMotion(small_modes(), period=2.0, speed=4.0, headings=10**6), MotionError),
        (lambda: BroadleafMotion(grow("banana", detail=0.3), aspect=-1.0), PlantError),
        (lambda: Places([[0, 0, 0], [1, 0, 0]]).to_world(np.zeros((3, 2, 3))), MotionError),
        (lambda: save_scene(parse_scene('stands = [{ plant = "oak" }]'), "."), FileError),
    ],
)
def test_numbers_too_large_for_a_float_or_an_index_are_refused(
    make: Callable[[], object], error: type[Exception]
) -> None:
    with pytest.raises(error):
        make()


@pytest.mark.parametrize("period", [5e-324, 10**400, "2", -1.0])
def test_a_loop_of_no_time_is_refused(period: Any, tmp_path: Path) -> None:
    path = tmp_path / "loop.npz"
    path.write_bytes(loops()[0])
    with np.load(path) as archive:
        arrays = dict(archive)
    facts = json.loads(str(arrays.pop("header"))) | {"period": period}
    facts.pop("windflower")
    write_archive(path, "loop", arrays, facts)
    with pytest.raises(FileError, match="Save it again"):
        read_loop(path)


def test_waves_above_the_band_of_the_wind_are_silent_and_cost_nothing() -> None:
    wind = Turbulence(speed=4.0)
    drawn = [EddyAir(wind, np.eye(3), np.arange(1, last + 1) / 4, 0.25) for last in (40, 4000)]
    few, many = (np.concatenate([*air.drawn(np.random.default_rng(1))]) for air in drawn)
    assert np.array_equal(few[:32], many[:32])
    assert np.any(many[31])
    assert not np.any(many[32:])


def test_a_blade_of_two_rows_is_refused() -> None:
    with pytest.raises(PlantError, match="3 to"):
        BroadleafMotion(grow("banana", detail=0.1), along=2)


def test_a_number_of_an_l_system_beyond_all_floats_is_refused() -> None:
    with pytest.raises(SpeciesError, match="below 1e308"):
        expression("9" * 400)


def test_a_map_of_the_wind_at_a_time_beyond_the_record_is_drawn(tmp_path: Path) -> None:
    axes = plot_wind(WIND, seconds=1.0, at=65_535.0)
    save_plot(axes, tmp_path / "wind.png")
    assert (tmp_path / "wind.png").stat().st_size > 1000
