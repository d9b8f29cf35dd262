"""Bad settings are refused with the rule, the value and the remedy; names and numbers of winds are the usual ones."""

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from windflower.bench.wind import bench_wind
from windflower.errors import WindError
from windflower.plots import plot_wind, save_plot
from windflower.wind import (
    ArrayWind,
    Box,
    Branch,
    Explosion,
    Fan,
    ForcePrimitive,
    Front,
    Gust,
    Gusts,
    Profile,
    Recording,
    Steady,
    Turbulence,
    VelocityGrid,
    Vortex,
    Wind,
    beaufort_of,
    beaufort_speed,
    preset,
    speed_text,
    wind_from,
)

NAN, INF = math.nan, math.inf
FORCE = {"path": ((0, 0, 0),), "radius": 1.0, "strength": (1, 0, 0), "frequency": 1.0}

REFUSED: list[tuple[Callable[..., object], dict[str, object], str]] = [
    (Steady, {"speed": -3.0}, "wind speed must be at least 0 m/s; it is -3 m/s. Turn"),
    (Steady, {"speed": NAN}, "wind speed must be a finite number; it is nan"),
    (Steady, {"speed": "8"}, "finite number; it is '8'"),
    (Steady, {"speed": 3.0, "direction": INF}, "direction must be a finite number; it is inf"),
    (Profile, {"law": "cubic"}, "one of power, log, uniform; it is 'cubic'"),
    (Profile, {"exponent": 0.0}, "above 0; it is 0"),
    (Profile, {"roughness": -1.0}, "above 0 m; it is -1 m"),
    (Turbulence, {"speed": 0.0}, "above 0 m/s"),
    (Turbulence, {"speed": 8.0, "length": 0.0}, "length scale of turbulence must be above 0 m; it is 0 m"),
    (Turbulence, {"speed": 8.0, "intensity": -0.1}, "at least 0"),
    (Turbulence, {"speed": 8.0, "intensity": NAN}, "finite"),
    (Turbulence, {"speed": 8.0, "form": "simiu"}, "kaimal, karman, davenport, canopy, noise"),
    (Turbulence, {"speed": 8.0, "exponent": 1.5}, "only noise has an exponent; it is 1.5"),
    (Turbulence, {"speed": 8.0, "form": "noise", "length": 9.0}, "noise has no length scale"),
    (Turbulence, {"speed": 8.0, "low": 2.0, "high": 1.0}, "above 2.0 Hz; it is 1 Hz"),
    (Turbulence, {"speed": 8.0, "waves": 0}, "whole number, 1 or more; it is 0"),
    (Turbulence, {"speed": 8.0, "seed": -1}, "whole number, 0 or more; it is -1"),
    (Turbulence, {"speed": 8.0, "loop": -2.0}, "above 0 s"),
    (Gusts, {"speed": 8.0, "strength": -1.0}, "at least 0 m/s"),
    (Gusts, {"speed": 8.0, "strength": 1.0, "interval": 0.0}, "above 0 s"),
    (Gusts, {"speed": 8.0, "strength": 1.0, "variation": 2.0}, "at most 1; it is 2"),
    (Gusts, {"speed": 8.0, "strength": 1.0, "seed": 1.5}, "whole number"),
    (Gust, {"speed": 8.0, "strength": 1.0, "width": 0.0}, "above 0 m"),
    (Gust, {"speed": 8.0, "strength": 1.0, "at": NAN}, "finite"),
    (Vortex, {"centre": (0.0, 0.0), "radius": 0.0, "speed": 1.0}, "above 0 m"),
    (Vortex, {"centre": (0.0,), "radius": 1.0, "speed": 1.0}, "2 finite numbers"),
    (Fan, {"place": (0, 0, 0), "toward": (0, 0, 0), "speed": 1.0}, "point somewhere"),
    (Fan, {"place": (0, 0, 0), "toward": (1, 0, 0), "speed": 1.0, "angle": 90.0}, "at most 80 degrees"),
    (Explosion, {"place": (0, 0, NAN)}, "3 finite numbers"),
    (Explosion, {"place": (0, 0, 0), "thickness": 0.0}, "above 0 m"),
    (Front, {"place": (0, 0, 0), "toward": (0, 0, 0)}, "go somewhere"),
    (Front, {"place": (0, 0, 0), "toward": (1, 0, 0), "reach": 0.0}, "above 0"),
    (VelocityGrid, {"box": ((0, 0, 0), (1, 1, 1)), "shape": (2, 0, 2)}, "along y must be a whole number, 1 or more"),
    (VelocityGrid, {"box": ((0, 0, 0), (1, 1, 1)), "shape": (2, 2)}, "three counts"),
    (VelocityGrid, {"box": ((0, 0, 0), (1, 1)), "shape": (2, 2, 2)}, "must be numbers"),
    (Box, {"low": (0, 0, 0), "high": (1, -1, 1)}, "must not exceed"),
    (ArrayWind, {"values": np.zeros((1, 2, 2, 2, 3)), "box": ((0, 0, 0), (1, 1, 1)), "step": 0.0}, "above 0 s"),
    (ArrayWind, {"values": np.zeros((1, 2, 2, 2, 3)), "box": [(0, 0, 0)]}, "two corners"),
    (
        ArrayWind,
        {"values": np.zeros((1, 2, 2, 2, 3)), "box": ((0, 0, 0), (1, 1, 1)), "beyond": "stop"},
        "mirror, repeat",
    ),
    (Recording, {"values": np.zeros((3, 2)), "step": 0.1}, r"shape \(times, 3\)"),
    (ForcePrimitive, {**FORCE, "path": ()}, "needs a place"),
    (ForcePrimitive, {**FORCE, "path": ((1, 0, 0), (0, 0, 0))}, "times of a path must rise"),
    (ForcePrimitive, {**FORCE, "radius": 0.0}, "above 0 m"),
    (Branch, {"diameter": 0.0}, "above 0 m"),
]


@pytest.mark.parametrize(("source", "settings", "rule"), REFUSED, ids=lambda value: getattr(value, "__name__", None))
def test_bad_settings_are_refused(source: Callable[..., object], settings: dict[str, object], rule: str) -> None:
    with pytest.raises(WindError, match=rule) as raised:
        source(**settings)
    assert str(raised.value).endswith(".")


def test_a_grid_of_no_size_is_refused() -> None:
    with pytest.raises(WindError, match="along z must be a whole number"):
        Steady(speed=1.0).on_grid(((0, 0, 0), (1, 1, 1)), (3, 3, 0), 0.0)


def test_settings_cannot_be_changed_afterwards() -> None:
    with pytest.raises(AttributeError):
        Steady(speed=1.0).speed = 2.0  # type: ignore[misc]
    wind = ArrayWind(values=np.zeros((1, 2, 2, 2, 3)), box=((0, 0, 0), (1, 1, 1)))
    with pytest.raises(ValueError, match="read-only"):
        wind.values[0] = 1.0


@pytest.mark.parametrize(
    ("speed", "number", "name"),
    [
        (0.0, 0, "calm"),
        (0.29, 1, "light air"),
        (1.5, 1, "light air"),
        (1.6, 2, "light breeze"),
        (5.4, 3, "gentle breeze"),
        (8.0, 5, "fresh breeze"),
        (13.8, 6, "strong breeze"),
        (17.2, 8, "gale"),
        (24.5, 10, "storm"),
        (60.0, 12, "hurricane"),
    ],
)
def test_beaufort_numbers_and_names(speed: float, number: int, name: str) -> None:
    assert beaufort_of(speed) == (number, name)


def test_a_beaufort_wind_has_its_number() -> None:
    for number in range(13):
        assert beaufort_of(beaufort_speed(number))[0] == number
        assert beaufort_of(float(np.linalg.norm(Wind.beaufort(number, seed=2).mean)))[0] == number
    assert speed_text(8.41) == "8.4 m/s, Beaufort 5 (fresh breeze)"
    for wrong in (13, -1, 2.5):
        with pytest.raises(WindError, match="Beaufort number"):
            Wind.beaufort(wrong)  # type: ignore[arg-type]


def test_presets_grow_from_calm_to_storm() -> None:
    times = np.arange(0, 200, 0.5)
    speeds = [
        np.linalg.norm(preset(name, seed=1).velocity([0, 10, 0], times), axis=1).mean()
        for name in ("calm", "breeze", "windy", "gale", "storm")
    ]
    assert speeds[0] == 0
    assert (np.diff(speeds) > 3).all()


def test_a_word_names_a_wind() -> None:
    place = [3.0, 8.0, 2.0]
    for word in ("b5", "B 5", "5bft", "5 Bft", "beaufort-5", "Beaufort 5", "windy", "fresh breeze", "fresh-breeze"):
        expected = Wind.beaufort(5, seed=4, direction=90.0).velocity(place, 2.0)
        assert np.array_equal(wind_from(word, seed=4, direction=90.0).velocity(place, 2.0), expected)
    with pytest.raises(WindError, match=r"calm, breeze, windy, gale, storm.*'gusty' is not one of them"):
        wind_from("gusty")
    with pytest.raises(WindError, match="'tornado' is not"):
        preset("tornado")


@pytest.mark.parametrize("word", ["calm", "windy"])
def test_a_picture_is_drawn(tmp_path: Path, word: str) -> None:
    save_plot(plot_wind(wind_from(word), title=word), tmp_path / "wind.png")
    assert (tmp_path / "wind.png").stat().st_size > 20_000


def test_a_picture_of_a_recording_is_drawn(tmp_path: Path) -> None:
    recording = Recording(values=np.random.default_rng(0).normal((6, 0, 0), 1, (300, 3)), step=0.1)
    save_plot(plot_wind(recording), tmp_path / "wind.png")
    still = ArrayWind(values=np.ones((1, 2, 2, 2, 3)), box=((0, 0, 0), (1, 1, 1)))
    save_plot(plot_wind(still), tmp_path / "array.png")
    assert (tmp_path / "array.png").exists()


def test_the_benchmark_counts_points() -> None:
    rows = bench_wind(points=500, repeats=1)
    assert [row["wind"] for row in rows] == ["steady + gusts + turbulence", "steady", "gusts", "turbulence"]
    assert all(float(row["points per second"]) > 0 for row in rows)


def test_the_example_of_the_page_on_wind_runs() -> None:
    page = (Path(__file__).parents[1] / "docs" / "wind.md").read_text(encoding="utf-8")
    code = page.split("```python\n")[1].split("```")[0]
    names: dict[str, object] = {}
    exec(code, names)
    assert isinstance(names["wind"], Wind)
