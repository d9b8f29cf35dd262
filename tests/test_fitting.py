"""A plant is fitted to what was measured on it, with intervals that hold the truth, and says what it cannot tell."""

import json
from math import exp, log
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import windflower
from tests.fitted_trees import ROOTS, WOOD, measured_on, record_of, topped_stem, true_frequencies
from windflower.cli.commands import app
from windflower.errors import MechanicsError, WindflowerError
from windflower.mechanics import Wood, analyse, wood_of
from windflower.mechanics.fit_data import Measured, Pull
from windflower.mechanics.fitting import fit
from windflower.mechanics.reduced import Factors, FullPlant, ReducedPlant
from windflower.mechanics.sway_record import identified, read_sway
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


def covered(draws: int, seed: int) -> dict[str, int]:
    """In how many draws the 95 % interval holds the truth."""
    rng, hits, noise = np.random.default_rng(seed), {"stiffness": 0, "roots": 0}, 0.005
    for _ in range(draws):
        truth = Factors(*np.exp(rng.normal(0, [0.15, 0.3])))
        noisy = [Measured(f * exp(noise * rng.normal()), noise * f) for f in true_frequencies(truth)[:3]]
        found = fit(topped_stem(), frequencies=noisy, wood=WOOD, roots=ROOTS, free=("stiffness", "roots"))
        assert isinstance(found.roots, float)
        e = found.wood.E / WOOD.E
        for name, key, off in (
            ("E/density", "stiffness", log(e / truth.stiffness)),
            ("root over stem stiffness", "roots", log(found.roots / ROOTS / e / truth.roots)),
        ):
            hits[key] += abs(off) <= log(found[name].high / found[name].value)
    return hits


def test_intervals_hold_the_truth_of_a_few_noisy_trees() -> None:
    assert all(hit >= 3 for hit in covered(4, seed=5).values())


@pytest.mark.slow
def test_95_percent_intervals_hold_the_truth_in_88_to_99_of_100_draws() -> None:
    for name, hit in covered(100, seed=11).items():
        assert 88 <= hit <= 99, (name, hit)


def test_one_frequency_holds_the_rest_and_says_what_is_not_told_apart() -> None:
    found = fit(topped_stem(), frequencies=[0.3], wood=WOOD, roots=ROOTS)
    assert found["E/density"].free
    assert not found["root over stem stiffness"].free
    told = " ".join(found.notes)
    assert "held as the model has it" in told
    assert "not told apart" in told
    assert "pull test" in told


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


def test_a_record_of_twenty_minutes_gives_stiffness_and_damping(tmp_path: Path) -> None:
    true = true_frequencies(Factors())
    path = record_of(tmp_path, true[:2], (0.05, 0.04))
    frequencies, damping = identified(read_sway(path))
    found = fit(topped_stem(), frequencies=frequencies, damping=damping, wood=WOOD, roots=ROOTS, free=("stiffness",))
    assert found["E/density"].value == pytest.approx(WOOD.E / WOOD.density, rel=0.05)
    assert found.wood.damping == pytest.approx(0.05, rel=0.2)


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
