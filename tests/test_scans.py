"""Scans made ready to move: radii that a scanner blurs, leaves by the rules of a species, and trees that must stand."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.sampled import sampled
from windflower import Plant, analyse, grow, inventory, prepare_scan, read, species_of, wood_of
from windflower.errors import BucklingError, MechanicsError, SpeciesError
from windflower.mechanics.foliage import leaf_area
from windflower.plant.graph import Leaves
from windflower.plant.leafing import with_leaves
from windflower.plant.measures import crown_area, diameter_at_breast_height
from windflower.plant.taper import FEWEST_TIPS, Taper, blur_of, is_blurred, tapered

TREES = {"oak": 0.7, "silver-birch": 0.3, "spruce": 0.3, "quaking-aspen": 0.3}
"""Species, and detail at which they still have their twigs."""


def bare(species: str, detail: float | None = None) -> Plant:
    detail = TREES.get(species, 0.5) if detail is None else detail
    return replace(grow(species, detail=detail), leaves=Leaves(), species="", seed=None)


def scanned(plant: Plant, blur: float, seed: int = 1) -> Plant:
    """The plant as a laser sees it: radii blurred by so many metres, with 10 % of noise."""
    noise = np.exp(0.1 * np.random.default_rng(seed).standard_normal(plant.nodes))
    radius, own = (np.sqrt(one**2 + blur**2) * noise for one in (plant.radius, plant.base_radius))
    return replace(
        plant, radius=radius, base_radius=np.where(plant.continues, radius[np.maximum(plant.parent, 0)], own)
    )


def measures(plant: Plant) -> np.ndarray:
    modes = analyse(plant, count=4, leaves=False, gravity=False, roots="clamped", cache=False)
    return np.array([plant.wood_volume, modes.frequency.min()])


def errors(plant: Plant, truth: Plant) -> np.ndarray:
    """Of the volume of wood and of the first frequency, as logarithms."""
    return np.abs(np.log(measures(plant) / measures(truth)))


def pole(height: float, radius: float, nodes: int = 20) -> Plant:
    position = np.zeros((nodes, 3))
    position[:, 1] = np.linspace(0, height, nodes)
    return Plant(parent=np.arange(nodes) - 1, position=position, radius=np.full(nodes, radius))


# Radii.


@pytest.mark.parametrize("blur", sampled([0.008, 0.02], 0.02))
@pytest.mark.parametrize("species", sampled(TREES, "silver-birch", "spruce"))
def test_tapering_brings_volume_and_frequency_of_a_scan_nearer_to_the_truth(species: str, blur: float) -> None:
    truth = bare(species)
    scan = scanned(truth, blur)
    assert is_blurred(scan)
    assert not is_blurred(truth)
    before, after = errors(scan, truth), errors(tapered(scan), truth)
    assert (after < before).all(), (before, after)
    assert (after < 0.35).all(), after


@pytest.mark.slow
def test_tapering_finds_the_digitised_walnut_behind_a_blurred_one(shared_data: Path) -> None:
    truth = read(shared_data / "walnut" / "noylum2.mtg")
    before, after = (errors(one, truth) for one in (scanned(truth, 0.02), tapered(scanned(truth, 0.02))))
    assert before[0] > np.log(3.5)
    assert before[1] > np.log(2.2)
    assert (after < 0.25).all(), after


def test_tapering_only_takes_wood_away_and_leaves_what_the_scanner_resolves() -> None:
    scan = scanned(bare("oak"), 0.02)
    thin = tapered(scan)
    assert (thin.radius <= scan.radius).all()
    assert (thin.base_radius <= scan.base_radius + 1e-12).all()
    stem = [node for node in next(iter(scan.axes())) if scan.radius[node] > 2 * blur_of(scan)]
    assert len(stem) > 10
    assert np.array_equal(thin.radius[stem], scan.radius[stem])
    assert np.quantile(thin.radius[thin.tips], 0.9) == pytest.approx(Taper().twig)


def test_no_side_branch_is_thicker_than_what_bears_it() -> None:
    scan = scanned(bare("silver-birch"), 0.02)
    side = np.flatnonzero((scan.parent >= 0) & ~scan.continues)
    parent = scan.parent[side]
    assert (scan.base_radius[side] > 1.05 * scan.radius[parent]).any()
    thin = tapered(scan)
    assert (thin.base_radius[side] <= thin.radius[parent]).all()


def test_a_thin_cylinder_in_a_stem_does_not_thin_what_is_above_it() -> None:
    scan = scanned(bare("spruce"), 0.01)
    stem = next(iter(scan.axes()))
    radius = scan.radius.copy()
    radius[stem[3]] = 0.001
    faulty = replace(scan, radius=radius)
    thin = tapered(faulty)
    assert np.array_equal(thin.radius[stem[4:12]], scan.radius[stem[4:12]])


@pytest.mark.parametrize("radii", ["auto", "measured", "corrected"])
def test_radii_are_corrected_where_they_need_it_or_as_asked(radii: str) -> None:
    fine, coarse = bare("oak"), scanned(bare("oak"), 0.02)
    of_fine, of_coarse = (prepare_scan(one, radii=radii, gravity=False) for one in (fine, coarse))  # type: ignore[arg-type]
    assert (of_fine.plant is fine) == (radii != "corrected")
    assert (of_coarse.plant is coarse) == (radii == "measured")
    assert len(of_coarse.notes) == (radii != "measured")


def test_one_sentence_says_what_was_corrected_by_how_much_and_how_to_leave_it() -> None:
    scan = scanned(bare("oak"), 0.02)
    (note,) = prepare_scan(scan).notes
    assert note.count(". ") == 0
    assert f"{scan.wood_volume:.3g} m³ of wood become" in note
    assert f"of {len(scan.segments):,} segments" in note
    assert "--radii measured" in note


def test_a_plant_with_few_tips_or_grown_by_windflower_keeps_its_radii() -> None:
    post = pole(6.0, 0.1)
    assert blur_of(post) == 0.1
    assert prepare_scan(post).plant is post
    grown = scanned(grow("oak", detail=0.2), 0.02)
    assert len(grown.tips) > FEWEST_TIPS
    assert prepare_scan(grown).plant is grown


def test_the_digitised_walnut_is_left_as_it_was_measured(shared_data: Path) -> None:
    walnut = read(shared_data / "walnut" / "noylum2.mtg")
    ready = prepare_scan(walnut, wood="walnut")
    assert ready.plant is walnut
    assert ready.gravity
    assert not ready.notes


def test_an_unknown_way_with_radii_is_refused_with_a_hint() -> None:
    with pytest.raises(MechanicsError, match="did you mean 'measured'"):
        prepare_scan(pole(6.0, 0.1), radii="mesured")  # type: ignore[arg-type]


# Standing.


def slender(blur: float) -> Plant:
    """A forest tree that stands, seen through a blur that makes its twigs too heavy for its stem."""
    tree = bare("silver-birch")
    return scanned(replace(tree, radius=0.6 * tree.radius, base_radius=0.6 * tree.base_radius), blur)


def test_a_scan_whose_twigs_are_too_heavy_stands_when_it_is_prepared() -> None:
    scan = slender(0.025)
    with pytest.raises(BucklingError):
        analyse(scan, count=1, cache=False)
    ready = prepare_scan(scan)
    assert ready.gravity
    assert len(ready.notes) == 1
    assert analyse(ready.plant, count=1, cache=False).frequency[0] > 0.05


def test_a_tree_that_buckles_in_any_case_is_analysed_without_its_weight_and_says_so() -> None:
    reed = pole(40.0, 0.02)
    with pytest.raises(BucklingError, match="--no-gravity"):
        analyse(reed, count=1, cache=False)
    ready = prepare_scan(reed)
    assert not ready.gravity
    assert len(ready.notes) == 1
    assert "its weight is left out" in ready.notes[0]
    assert analyse(ready.plant, count=1, gravity=ready.gravity, cache=False).frequency[0] > 0


def test_a_stiffer_wood_may_let_a_tree_stand() -> None:
    reed = pole(14.0, 0.03)
    soft, stiff = replace(wood_of("oak"), E=2e9), wood_of("oak")
    assert not prepare_scan(reed, wood=soft, roots="clamped").gravity
    assert prepare_scan(reed, wood=stiff, roots="clamped").gravity


# Leaves.


@pytest.mark.parametrize("species", ["oak", "silver-birch", "spruce", "walnut"])
def test_leaves_on_a_scan_are_as_dense_over_the_ground_as_those_of_the_species(species: str) -> None:
    grown = grow(species)
    scan = prepare_scan(scanned(bare(species), 0.008), species=species).plant
    assert leaf_area(scan).sum() / crown_area(scan) == pytest.approx(
        leaf_area(grown).sum() / crown_area(grown), rel=0.06
    )
    thin = tapered(scan).base_radius[scan.leaves.node]
    assert thin.max() < species_of(species).leaf.twig * 1.5  # type: ignore[union-attr]


def test_leaves_are_grown_only_if_a_species_is_given_and_they_are_wanted() -> None:
    scan = bare("oak", detail=0.1)
    assert not len(prepare_scan(scan).plant.leaves)
    assert not len(prepare_scan(scan, species="oak", leaves=False).plant.leaves)
    ready = prepare_scan(scan, species="oak")
    assert len(ready.plant.leaves) > 100
    assert ready.plant.species == "oak"
    assert f"{len(ready.plant.leaves):,} leaves are grown on it by the rules of oak" in ready.notes[0]


def test_a_file_with_leaves_keeps_its_own() -> None:
    own = grow("oak", detail=0.1)
    assert prepare_scan(own, species="walnut").plant.leaves is own.leaves


def test_leaves_that_sit_on_buds_are_not_grown_on_a_scan() -> None:
    with pytest.raises(SpeciesError, match="buds"):
        with_leaves(bare("oak", detail=0.1), species_of("banana"))


# Measures.


def test_the_diameter_at_breast_height_is_measured_along_the_stem() -> None:
    cone = pole(13.0, 0.1, nodes=14)
    thickness = np.maximum(0.1 * (1 - cone.position[:, 1] / 13), 1e-4)
    cone = Plant(parent=cone.parent, position=cone.position, radius=thickness)
    assert diameter_at_breast_height(cone) == pytest.approx(0.2 * 0.9)
    leaning = replace(cone, position=cone.position[:, [1, 0, 2]] * [0.6, 0, 0] + cone.position * 0.8)
    assert diameter_at_breast_height(leaning) == pytest.approx(0.2 * 0.9)
    assert diameter_at_breast_height(pole(1.2, 0.1)) is None


def test_a_stem_that_forks_below_breast_height_has_the_diameter_of_its_arms_together() -> None:
    position = np.array([[0, 0, 0], [0, 1, 0], [0, 6, 0], [1e-3, 6, 0], [0, 1.9, 0.1]])
    arms = Plant(parent=[-1, 0, 1, 1, 1], position=position, radius=[0.06, 0.06, 0.03, 0.04, 0.002])
    at = 0.3 / 5
    assert diameter_at_breast_height(arms) == pytest.approx(
        2 * np.hypot(0.04, (1 - at) * 0.06 + at * 0.03) if arms.continues[2] else 2 * np.hypot(0.03, 0.06 + at * -0.02),
        rel=1e-3,
    )


def test_an_inventory_weighs_wood_and_leaves() -> None:
    tree = grow("oak", detail=0.2)
    found = inventory(tree)
    assert found.wood == "oak"
    assert found.wood_mass == pytest.approx(wood_of("oak").density * tree.wood_volume)
    assert found.mass == pytest.approx(found.wood_mass + found.leaf_mass)
    assert found.leaf_mass == pytest.approx(species_of("oak").leaf.mass_per_area * leaf_area(tree).sum())  # type: ignore[union-attr]
    assert 0 < found.stem_volume < found.wood_volume
    assert inventory(tree, wood="aspen", leaves=False).mass == pytest.approx(
        wood_of("aspen").density * tree.wood_volume
    )
