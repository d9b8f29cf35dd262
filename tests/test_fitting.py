"""A plant is fitted to what was measured on it, with intervals that hold the truth, and says what it cannot tell."""

import json
from collections.abc import Sequence
from math import exp, inf
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import windflower
from tests.fitted_trees import ROOTS, WOOD, gusty_sway, measured_on, topped_stem, true_frequencies
from windflower.cli.commands import app
from windflower.cli.fit import _fit_to_peaks
from windflower.errors import MechanicsError, WindflowerError
from windflower.mechanics import Wood, analyse, wood_of
from windflower.mechanics.fitting import Fit, Measured, Pull, fit
from windflower.mechanics.fitting.measured_sway import identified, read_sway
from windflower.mechanics.fitting.reduced import Factors, FullPlant, ReducedPlant
from windflower.mechanics.fitting.search import Search, factors_of
from windflower.plant.growth import grow

RUN = CliRunner()


def test_few_coordinates_have_the_frequencies_of_the_whole_plant() -> None:
    full = FullPlant(topped_stem(), WOOD, measured_on(topped_stem()))
    reduced = ReducedPlant(full, np.zeros((0, full.plant.nodes, 6)))
    for factors in (Factors(), Factors(1.4, 0.5, 1.3)):
        squares, _ = reduced.learn(factors, 8)
        np.testing.assert_allclose(reduced.modes(factors)[0][:6], np.sqrt(squares[:6]) / (2 * np.pi), rtol=1e-5)


def test_a_heavier_crown_sways_more_slowly_and_weighs_more() -> None:
    plant = grow("spruce", detail=0.1)
    heavy = Wood(E=6.3e9, density=850, crown=1.5)
    usual = Wood(E=6.3e9, density=850)
    assert analyse(plant, count=2, wood=heavy).frequency[0] < 0.98 * analyse(plant, count=2, wood=usual).frequency[0]
    assert windflower.inventory(plant, wood=heavy).mass > 1.1 * windflower.inventory(plant, wood=usual).mass


def test_exact_frequencies_give_the_truth_back() -> None:
    truth = Factors(1.2, 0.8, 1.0)
    found = fit(
        topped_stem(), frequencies=true_frequencies(truth)[:3], wood=WOOD, roots=ROOTS, free=("stiffness", "roots")
    )
    assert pytest.approx(1.2, rel=3e-3) == found.wood.E / WOOD.E
    assert found.roots == pytest.approx(ROOTS * 1.2 * 0.8, rel=1e-2)
    np.testing.assert_allclose(found.frequency, found.measured, rtol=1e-4)
    np.testing.assert_allclose(found.modes(2).frequency[0], found.measured[0], rtol=2e-3)


def test_frequencies_of_another_crown_are_those_of_a_fresh_analysis() -> None:
    """Modes are told apart by their own mass: by that of the first crown a mode would seem a mixture of several."""
    search = Search(FullPlant(topped_stem(), WOOD, measured_on(topped_stem())), [Measured(1, 0.1)] * 3, None, None)
    x = np.array([0.1, -0.2, 0.3, 0.0])
    search._learn(x)
    np.testing.assert_allclose(search.frequencies(x), true_frequencies(factors_of(x))[:3], rtol=1e-5)
    beside = x + np.array([0.05, 0.05, -0.05, 0])
    np.testing.assert_allclose(search.frequencies(beside), true_frequencies(factors_of(beside))[:3], rtol=2e-3)


TOLD = {"stiffness": "E/density", "roots": "root over stem stiffness", "crown": "crown mass over stem"}
SPREAD = {"stiffness": 0.15, "roots": 0.3, "crown": 0.15}


def covered(draws: int, seed: int, free: tuple[str, ...]) -> dict[str, int]:
    """In how many draws of noisy trees the 95 % interval of each value holds the truth."""
    rng, hits, noise = np.random.default_rng(seed), dict.fromkeys(free, 0), 0.005
    for _ in range(draws):
        truth = Factors(**{name: exp(SPREAD[name] * rng.normal()) for name in free})
        noisy = [Measured(f * exp(noise * rng.normal()), noise * f) for f in true_frequencies(truth)[:3]]
        found = fit(topped_stem(), frequencies=noisy, wood=WOOD, roots=ROOTS, free=free)
        assert isinstance(found.roots, float)
        e = found.wood.E / WOOD.E
        fitted = {"stiffness": e, "roots": found.roots / ROOTS / e, "crown": found.wood.crown}
        for name in free:
            told = found[TOLD[name]]
            hits[name] += told.low <= told.value * getattr(truth, name) / fitted[name] <= told.high
    return hits


@pytest.mark.parametrize("free", [("stiffness", "roots"), ("stiffness", "roots", "crown")])
def test_intervals_hold_the_truth_of_a_few_noisy_trees(free: tuple[str, ...]) -> None:
    assert all(hit >= 1 for hit in covered(2, seed=5, free=free).values())


@pytest.mark.slow
@pytest.mark.parametrize("free", [("stiffness", "roots"), ("stiffness", "roots", "crown")])
def test_95_percent_intervals_hold_the_truth_in_88_to_99_of_100_draws(free: tuple[str, ...]) -> None:
    for name, hit in covered(100, seed=11, free=free).items():
        assert 88 <= hit <= 99, (name, hit)


def test_what_nothing_bounds_has_an_open_interval() -> None:
    stiff = true_frequencies(Factors(roots=60.0))[:2]  # roots as good as a clamp
    found = fit(topped_stem(), frequencies=stiff, wood=WOOD, roots=60 * ROOTS, free=("stiffness", "roots"))
    ratio = found["root over stem stiffness"]
    assert ratio.high == inf
    assert 0 < ratio.low < ratio.value
    assert not ratio.told
    assert found["E/density"].told


def test_equal_pairs_of_modes_are_one_bending() -> None:
    found = fit(topped_stem(), frequencies=true_frequencies(Factors())[:3], wood=WOOD, roots=ROOTS, free=["stiffness"])
    assert found.motion == ("first bending", "second bending", "third bending")


def test_one_frequency_holds_the_rest_and_says_what_is_not_told_apart() -> None:
    found = fit(topped_stem(), frequencies=[0.3], wood=WOOD, roots=ROOTS)
    assert found["E/density"].free
    assert not found["root over stem stiffness"].free
    told = " ".join(found.notes)
    assert "held as the model has it" in told
    assert "not told apart" in told
    assert "pull test" in told
    assert "in Hz" not in told


def test_a_stiffness_that_no_wood_has_asks_whether_frequencies_are_in_hz() -> None:
    found = fit(topped_stem(), frequencies=[3.0], wood=WOOD, roots=ROOTS)
    assert any("check that the frequencies are in Hz" in note for note in found.notes)


def test_a_density_or_a_pull_makes_values_absolute() -> None:
    first = fit(topped_stem(), frequencies=true_frequencies(Factors())[:1], wood=WOOD, roots=ROOTS / 2, density=425.0)
    assert first["E"].value == pytest.approx(WOOD.E / 2, rel=1e-3)
    tilt = np.degrees(2000 * 5 / ROOTS)  # of a root spring, but for the weight of what leans
    pull = Pull(2000, 5, float(1.25 * tilt))
    second = fit(topped_stem(), frequencies=true_frequencies(Factors())[:1], wood=WOOD, roots=ROOTS, pull=pull)
    lighter = fit(
        topped_stem(),
        frequencies=true_frequencies(Factors())[:1],
        wood=WOOD,
        roots=ROOTS,
        pull=Pull(1000, 5, pull.tilt),
    )
    assert second["density"].value / lighter["density"].value == pytest.approx(2, rel=1e-3)
    assert second["E/density"].value == pytest.approx(WOOD.E / WOOD.density, rel=1e-3)


def test_the_buckling_limit_ends_the_search_and_is_no_error() -> None:
    found = fit(topped_stem(), frequencies=[0.004], wood=WOOD, roots=ROOTS)
    assert found.frequency[0] < 0.08
    assert found.wood.E < WOOD.E


def test_what_air_adds_is_taken_off_the_damping() -> None:
    plant = grow("spruce", detail=0.1)
    calm, windy = (fit(plant, frequencies=[0.4], damping=0.12, speed=speed) for speed in (0.0, 5.0))
    assert calm.wood.damping == pytest.approx(0.12)
    assert isinstance(windy.wood.damping, float)
    assert windy.wood.damping < 0.11


def test_twenty_minutes_of_sway_give_stiffness_and_damping(tmp_path: Path) -> None:
    record = gusty_sway(1)
    record.to_csv(tmp_path / "sway.csv")
    frequencies, damping = identified(read_sway(tmp_path / "sway.csv"))
    found = fit(topped_stem(), frequencies=frequencies, damping=damping, wood=WOOD, roots=ROOTS, free=("stiffness",))
    assert found["E/density"].value == pytest.approx(WOOD.E / WOOD.density, rel=0.05)
    air = float(record.modes.air_damping(record.speed)[0])
    assert found.wood.damping == pytest.approx(0.04 + air, rel=0.2)


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        ({"frequencies": []}, "0.32,1.4"),
        ({"frequencies": [2.0, 1.0]}, "rise"),
        ({"frequencies": [float("nan")]}, "rise"),
        ({"frequencies": [0.3], "free": ["bark"]}, "'bark'"),
        ({"frequencies": [0.3], "free": ["stiffness", "roots"]}, "measurement"),
        ({"frequencies": [0.3], "modes": [1, 2]}, "numbers"),
        ({"frequencies": [0.3], "density": 0}, "density"),
        ({"frequencies": [0.3], "damping": 2}, "damping ratio"),
    ],
)
def test_bad_measurements_are_refused_in_one_sentence(given: dict[str, object], rule: str) -> None:
    with pytest.raises(MechanicsError, match=rule):
        fit(topped_stem(), wood=WOOD, roots=ROOTS, **given)  # type: ignore[arg-type]


def test_a_fitted_wood_is_written_and_serves_as_a_wood(tmp_path: Path) -> None:
    out = tmp_path / "fitted.toml"
    line = [
        "fit",
        "spruce",
        "--detail",
        "0.1",
        "--frequencies",
        "0.35±0.01",
        "--density",
        "800",
        "-o",
        str(out),
        "--json",
    ]
    done = RUN.invoke(app, line)
    assert done.exit_code == 0, done.output
    facts = json.loads(done.stdout)
    wood = wood_of(str(out))
    assert pytest.approx(facts["wood"]["E"]) == wood.E
    found = RUN.invoke(
        app, ["modes", "spruce", "--detail", "0.1", "--wood", str(out), "--roots", str(facts["roots"]), "--json"]
    )
    assert json.loads(found.stdout)[0]["frequency"] == pytest.approx(0.35, rel=0.01)


@pytest.mark.parametrize("text", ["", "E = 1", "E = 1e9\ndensity = 800\nbark = 2", "E = 'x'\ndensity = 800", "E = ="])
def test_a_broken_wood_file_is_one_sentence(tmp_path: Path, text: str) -> None:
    path = tmp_path / "wood.toml"
    path.write_text(text)
    with pytest.raises(MechanicsError, match="wood"):
        wood_of(str(path))


@pytest.mark.parametrize(
    "text", ["", "time,x\n", "time,x\n1,2\na,b\n", "x,y\n1,2\n3,4\n", "time,x\n0,1\n1,nan\n", "time\n1\n2\n3\n"]
)
def test_a_broken_record_is_one_sentence(tmp_path: Path, text: str) -> None:
    path = tmp_path / "sway.csv"
    path.write_text(text)
    with pytest.raises(WindflowerError, match=r"record|row"):
        read_sway(path)


def test_a_record_with_decimal_commas_is_read(tmp_path: Path) -> None:
    path = tmp_path / "sway.csv"
    path.write_text("Time [s];Tilt (deg)\n0,0;0,1\n0,1;0,2\n0,2;0,15\n")
    record = read_sway(path)
    assert record.name == ("tilt",)
    np.testing.assert_allclose(record.signal[0], [0.1, 0.2, 0.15])


def test_peaks_of_a_record_that_the_models_stem_has_not_are_left_out() -> None:
    def fit_to(frequencies: Sequence[Measured]) -> Fit:
        return fit(grow("spruce", detail=0.1), frequencies=frequencies)

    found = _fit_to_peaks(fit_to, [Measured(0.35, 0.01), Measured(1.3, 0.02)])
    np.testing.assert_allclose(found.measured, [0.35])
