"""Plots: each returns its Axes with labels and units, draws on Axes that it is given, and is saved as a whole file."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text

from tests.plants import fork
from windflower import Fit, Modes, StandRisk, Wind, analyse, fit, grow, sway
from windflower.errors import FileError, WindflowerError
from windflower.mechanics import Structure, analyse_structure
from windflower.mechanics.objects import flag
from windflower.motion import BroadleafMotion, SpectralMotion
from windflower.plots import (
    plot_fit,
    plot_loop,
    plot_modes,
    plot_plant,
    plot_plants,
    plot_poses,
    plot_sheets,
    plot_stand_risk,
    plot_sway,
    plot_trajectories,
    plot_wind,
    save_plot,
)
from windflower.plots.bench import plot_bench
from windflower.plots.canopy import plot_canopy
from windflower.plots.leaves import plot_blade, plot_leaf_turns
from windflower.plots.poses import plot_shoots


@cache
def modes() -> Modes:
    return analyse(fork(), count=6, cache=False)


@cache
def loop() -> SpectralMotion:
    return SpectralMotion(modes(), period=4.0, speed=6.0)


@cache
def waving() -> tuple[Structure, SpectralMotion]:
    cloth = flag(cells=(6, 4))
    return cloth, SpectralMotion(analyse_structure(cloth, count=6, cache=False), period=2.0, speed=3.0)


ROWS = [{"nodes": 100, "trees": 10, "paper": 5.0, "cpu": 3.0, "rotated": 20.0}]
# Plots with axes -> how many panels they have.
CHARTS: dict[str, tuple[int, Callable[..., Any]]] = {
    "sway": (3, lambda **to: plot_sway(sway(modes(), Wind.beaufort(4), seconds=2.0), **to)),
    "wind": (3, lambda **to: plot_wind(Wind.beaufort(4), seconds=10.0, **to)),
    "loop": (3, lambda **to: plot_loop(loop(), **to)),
    "canopy": (5, lambda **to: plot_canopy(**to)),
}
PICTURES: dict[str, tuple[int, Callable[..., Any]]] = {
    "plants": (2, lambda **to: plot_plants([fork(), grow("hosta")], **to)),
    "modes": (6, lambda **to: plot_modes(modes(), **to)),
    "poses": (3, lambda **to: plot_poses(modes(), **to)),
    "shoots": (3, plot_shoots),
    "blade": (2, lambda **to: plot_blade(BroadleafMotion(grow("hosta")).blades, **to)),
}


@cache
def fitted() -> Fit:
    return fit(fork(), frequencies=[2.0], damping=0.05, density=800.0, gravity=False)


def stand_at_risk() -> StandRisk:
    speed = np.array([[20.0], [25.0]])
    return StandRisk(
        direction=np.array([270.0]),
        name=("a", "b"),
        position=np.eye(2, 3),
        breaks=speed,
        overturns=speed + 5,
        reaching=speed / 40,
    )


OTHERS: dict[str, Callable[..., Any]] = {
    "fit": lambda **to: plot_fit(fitted(), **to),
    "turns": plot_leaf_turns,
    "sheets": lambda **to: plot_sheets(waving()[1], waving()[0].sheets, frames=2, **to),
    "bench": lambda **to: plot_bench({"forest": ROWS}, **to),
    "plant": lambda **to: plot_plant(fork(), **to),
    "trajectories": lambda **to: plot_trajectories(modes(), **to),
    "stand": lambda **to: plot_stand_risk(stand_at_risk(), **to),
}
SMALLEST, PAGE = 6.5, 180 / 25.4  # points; inches


@cache
def drawn(name: str) -> list[Axes]:
    """The axes of a plot on a figure of its own."""
    axes = {**OTHERS, **{one: plot for one, (_, plot) in {**CHARTS, **PICTURES}.items()}}[name]()
    return axes if isinstance(axes, list) else [axes]


def texts(ax: Axes) -> Iterator[str]:
    return (text.get_text() for text in ax.texts)


@pytest.mark.parametrize("name", CHARTS)
def test_every_panel_of_a_chart_says_what_is_on_its_axes_and_in_which_unit(name: str) -> None:
    count, plot = CHARTS[name]
    assert len(drawn(name)) == count
    given = list(Figure().subplots(1, count))
    assert plot(axes=given) == given
    for ax in given:
        assert ax.has_data()
        for label in (ax.get_xlabel(), ax.get_ylabel()):
            assert "," in label, label
            assert any(unit in label for unit in ("s", "m", "Hz"))


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_in_metres_has_a_scale_bar_and_draws_where_it_is_told(name: str) -> None:
    count, plot = PICTURES[name]
    given = list(Figure().subplots(1, count))
    assert plot(axes=given) == given
    assert all(ax.has_data() for ax in given)
    assert any(text.endswith(" m") for ax in given for text in texts(ax))
    assert len(drawn(name)) == count
    with pytest.raises(WindflowerError, match=f"this plot has {count} panels.*(numbers=|Give {count})"):
        plot(axes=[*given, given[0]])


@pytest.mark.parametrize("plot", [lambda **to: plot_plant(fork(), **to), lambda **to: plot_trajectories(modes(), **to)])
def test_one_panel_takes_and_returns_one_axes(plot: Callable[..., Axes]) -> None:
    given = Figure().subplots()
    assert plot(ax=given) is given
    assert any(text.endswith(" m") for text in texts(given))
    assert isinstance(plot(), Axes)


def test_a_second_plot_adds_to_the_axes_of_the_first() -> None:
    first = plot_sway(sway(modes(), Wind.beaufort(4), seconds=2.0))
    lines = len(first[1].lines)
    plot_sway(sway(modes(), Wind.beaufort(6), seconds=2.0), axes=first)
    assert len(first[1].lines) == 2 * lines


@pytest.mark.parametrize("name", [*CHARTS, *PICTURES, *OTHERS])
def test_a_figure_fits_a_page_with_text_that_can_be_read(name: str) -> None:
    axes = drawn(name)
    assert all(isinstance(ax, Axes) for ax in axes)
    figure = axes[0].figure.figure
    assert figure.get_figwidth() <= PAGE + 1e-6
    shown = [text for text in figure.findobj(Text) if text.get_text() and text.get_visible()]
    assert min(float(text.get_fontsize()) for text in shown) >= SMALLEST


def test_the_panels_of_a_fit_have_units_and_name_motions_in_words() -> None:
    values, frequencies = drawn("fit")
    assert values.get_xlabel().endswith(", dimensionless")
    assert frequencies.get_ylabel() == "frequency, Hz"
    assert [label.get_text() for label in frequencies.get_xticklabels()] == ["first\nbending"]
    (bars,) = drawn("bench")
    assert bars.get_xlabel() == "steps a second"


def test_drawing_changes_none_of_matplotlibs_settings() -> None:
    names = [name for name in rcParams if name != "backend"]  # which is found when it is first asked for
    before = [rcParams[name] for name in names]
    plot_shoots()
    assert [rcParams[name] for name in names] == before


def test_text_is_text_in_print_and_a_heading_is_left_to_the_caption(tmp_path: Path) -> None:
    for name in ("fit", "sway"):
        save_plot(drawn(name), tmp_path / f"{name}.svg")
        svg = (tmp_path / f"{name}.svg").read_text()
        assert "frequency, Hz" in svg
        assert "in a mean wind" not in svg
    save_plot(drawn("fit"), tmp_path / "fit.pdf")
    assert b"/Type0" in (tmp_path / "fit.pdf").read_bytes() or b"/CIDFontType2" in (tmp_path / "fit.pdf").read_bytes()
    assert all(text.get_visible() for text in drawn("fit")[0].figure.texts)


def test_a_plant_that_is_drawn_without_leaves_says_so() -> None:
    for leaves in (True, False):
        shown = " ".join(text.get_text() for text in plot_plant(grow("hosta"), leaves=leaves).figure.texts)
        assert ("drawn without leaves" in shown) is not leaves


def test_a_titled_plant_on_given_axes_has_its_title() -> None:
    ax = plot_plant(fork(), ax=Figure().subplots(), title="a small tree")
    assert ax.get_title() == "a small tree"


@pytest.mark.parametrize(("suffix", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_a_plot_is_saved_by_its_suffix_and_leaves_nothing_else(tmp_path: Path, suffix: str, start: bytes) -> None:
    save_plot(plot_plant(fork()), tmp_path / f"one.{suffix}")
    save_plot(plot_shoots(), tmp_path / f"many.{suffix}")
    written = sorted(tmp_path.iterdir())
    assert [path.stem for path in written] == ["many", "one"]
    assert all(path.read_bytes().startswith(start) for path in written)


def test_a_plot_that_cannot_be_saved_says_which_suffixes_there_are(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"\.png, \.svg, \.pdf"):
        save_plot(plot_plant(fork()), tmp_path / "plot.gif")
    with pytest.raises(FileError, match="the folder of an output file must exist"):
        save_plot(plot_plant(fork()), tmp_path / "nowhere" / "plot.png")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("assert 'matplotlib' not in sys.modules", "assert 'matplotlib.pyplot' not in sys.modules"),
        ("from matplotlib import pyplot", "assert pyplot.gcf() is ax.figure"),
    ],
    ids=["pyplot is not loaded", "pyplot in use shows the plot"],
)
def test_a_plot_belongs_to_pyplot_only_where_that_is_in_use(before: str, after: str) -> None:
    plot = "ax = plots.plot_plant(windflower.grow('hosta'))"
    check = "\n".join(["import sys, windflower, windflower.plots as plots", before, plot, after])
    environment = {**os.environ, "MPLBACKEND": "agg"}
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("suffix", [".pdf", ".svg"])
def test_a_tree_its_modes_and_its_record_draw_themselves(suffix: str, tmp_path: Path) -> None:
    record = sway(modes(), Wind.beaufort(4), seconds=2.0)
    for name, axes in {"tree": fork().plot(), "modes": modes().plot(numbers=[1]), "record": record.plot()}.items():
        drawn = axes if isinstance(axes, list) else [axes]
        assert all(isinstance(ax, Axes) for ax in drawn)
        save_plot(axes, tmp_path / f"{name}{suffix}")
        assert (tmp_path / f"{name}{suffix}").read_bytes()[:5] in (b"%PDF-", b"<?xml")
    labels = [ax.get_xlabel() + ax.get_ylabel() for ax in record.plot()]
    assert all(unit in label for unit, label in zip(("m/s", "cm", "m²/Hz"), labels, strict=True))
