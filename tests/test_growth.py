import hashlib
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import windflower
from windflower import Plant, species_names, species_of
from windflower.core.randomness import coherent, draw
from windflower.errors import PlantError, SpeciesError
from windflower.plant.detail import refined, simplified
from windflower.plant.growth.recursion import murray_angle
from windflower.plant.species.settings import Recursion

TWELVE = {
    "walnut", "oak", "silver-birch", "quaking-aspen", "lombardy-poplar", "weeping-willow",
    "scots-pine", "spruce", "palm", "banana", "hazel-bush", "giant-kelp",
}  # fmt: skip
EARED = {"wheat", "common-reed", "oat-grass"}  # what they bear is thicker than what bears it


def check_grown(plant: Plant, name: str) -> None:
    """What must hold for any species and any seed."""
    assert len(plant.roots) == 1
    assert np.all(plant.parent < np.arange(plant.nodes))
    for array in (plant.position, plant.radius, plant.base_radius, plant.leaves.orientation, plant.leaves.size):
        assert np.isfinite(array).all()
    assert plant.radius.min() > 0
    if name not in EARED:
        onward = np.flatnonzero(plant.continues)
        assert np.all(plant.radius[onward] <= plant.radius[plant.parent[onward]] * (1 + 1e-12))
        assert np.all(plant.radius <= plant.base_radius * (1 + 1e-12))
    leaf = species_of(name).leaf
    assert leaf is not None
    assert len(plant.leaves) > 0
    assert np.all(plant.radius[plant.leaves.node] < leaf.twig)


@settings(max_examples=20)
@given(st.sampled_from(species_names()), st.integers(0, 2**53 - 1))
def test_every_specimen_is_a_sound_plant(name: str, seed: int) -> None:
    check_grown(windflower.grow(name, seed=seed), name)


@pytest.mark.slow
@settings(max_examples=20)
@given(st.sampled_from(species_names()), st.integers(0, 1000), st.floats(0.03, 3))
def test_every_level_of_detail_is_a_sound_plant(name: str, seed: int, detail: float) -> None:
    check_grown(windflower.grow(name, seed=seed, detail=detail), name)


def test_twelve_species_are_there() -> None:
    assert set(species_names()) >= TWELVE


def digest(plant: Plant) -> str:
    arrays = (plant.parent, plant.position, plant.radius, plant.leaves.orientation, plant.leaves.place)
    return hashlib.sha256(b"".join(array.tobytes() for array in arrays)).hexdigest()


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes_in_two_processes() -> None:
    names = ["hazel-bush", "banana"]
    code = (
        "import windflower; from tests.test_growth import digest\n"
        f"print(*(digest(windflower.grow(name, seed=11)) for name in {names}))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=Path(__file__).parents[1]
    )
    assert run.stdout.split() == [digest(windflower.grow(name, seed=11)) for name in names]


def test_other_seeds_give_other_plants_and_species_do_not_share_their_chances() -> None:
    assert digest(windflower.grow("oak", seed=1)) != digest(windflower.grow("oak", seed=2))
    ratio = {name: windflower.grow(name, seed=1).height / species_of(name).growth.height for name in ("oak", "walnut")}  # type: ignore[union-attr]
    assert ratio["oak"] != pytest.approx(ratio["walnut"], rel=1e-3)


@pytest.mark.parametrize("name", ["walnut", "oak", "spruce", "weeping-willow", "palm"])
def test_detail_scales_the_nodes_and_keeps_silhouette_and_leaf_area(name: str) -> None:
    own = windflower.grow(name)
    for nodes in (150, 500, 10_000):
        other = windflower.grow(name, detail=nodes / own.nodes)
        assert other.nodes == pytest.approx(nodes, rel=0.25)
        assert other.height == pytest.approx(own.height, rel=0.08)
        assert other.crown_width == pytest.approx(own.crown_width, rel=0.25)
        assert np.square(other.leaves.size).sum() == pytest.approx(np.square(own.leaves.size).sum(), rel=1e-9)


def test_a_simplified_plant_is_a_subset_of_its_nodes() -> None:
    own = windflower.grow("walnut")
    few = simplified(own, 300)
    theirs = {tuple(point) for point in own.position}
    assert all(tuple(point) in theirs for point in few.position)
    assert few.order.max() <= own.order.max()


def test_a_refined_plant_keeps_its_nodes_its_volume_and_its_leaves_in_place() -> None:
    own = windflower.grow("silver-birch", detail=0.3)
    fine = refined(own, 4 * own.nodes)
    theirs = {tuple(point) for point in fine.position}
    assert all(tuple(point) in theirs for point in own.position)
    assert fine.wood_volume == pytest.approx(own.wood_volume, rel=0.02)
    assert len(fine.leaves) == len(own.leaves)

    def feet(plant: Plant) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        node = plant.leaves.node
        return plant.position[node] - (1 - plant.leaves.place)[:, None] * plant.vector[node]

    assert np.linalg.norm(feet(fine) - feet(own), axis=1).max() < 0.25 * own.length.max()


@pytest.mark.parametrize("detail", [0, -1, float("nan"), float("inf"), 1e6])
def test_a_senseless_detail_is_refused(detail: float) -> None:
    with pytest.raises(PlantError, match="detail must be positive"):
        windflower.grow("palm", detail=detail)


@pytest.mark.parametrize("seed", [-1, 0.5, 2**60])
def test_a_senseless_seed_is_refused(seed: int) -> None:
    with pytest.raises(SpeciesError, match="a seed is a whole number"):
        windflower.grow("palm", seed=seed)


def test_the_pipe_model_holds_at_forks() -> None:
    plant = windflower.grow("quaking-aspen")
    n = species_of("quaking-aspen").girth.exponent
    base = plant.base_radius**n
    above = np.zeros(plant.nodes)
    side = np.flatnonzero((plant.parent >= 0) & ~plant.continues)
    np.add.at(above, plant.parent[side], base[side])
    # Below a fork: what goes on, what branches off, and never less than either.
    assert np.all(plant.radius**n >= above * (1 - 1e-9))


@pytest.mark.parametrize("name", ["spruce", "scots-pine"])
def test_stems_taper_as_those_of_conifers_do(name: str) -> None:
    """Form factor: stem volume over basal area at 1.3 m times height. A cone has 0.37, forest trees 0.42 to 0.52."""
    plant = windflower.grow(name, detail=0.3)
    stem = plant.is_stem
    girth = np.interp(1.3, plant.position[stem, 1], plant.radius[stem])
    assert 0.42 <= plant.segment_volume[stem].sum() / (np.pi * girth**2 * plant.height) <= 0.52


def test_pipes_fill_a_stem_at_the_foot_of_its_crown_and_never_more_than_fill_it() -> None:
    plant, n = windflower.grow("scots-pine"), species_of("scots-pine").girth.exponent
    twig, inner = plant.radius.min(), plant.parent >= 0
    own = (plant.radius / twig) ** n - 1  # pipes, beside the one that is always there
    side = np.zeros(plant.nodes)
    begins = inner & ~plant.continues
    np.add.at(side, plant.parent[begins], (plant.base_radius[begins] / twig) ** n - 1)
    stem = np.flatnonzero(plant.is_stem)
    assert (own[stem] >= side[stem] * (1 - 1e-9)).all()
    foot = stem[np.argmax(plant.child_count[stem] > 1)]
    per_metre = side[foot] / plant.subtree_sum(plant.length)[np.flatnonzero(begins & (plant.parent == foot))].sum()
    above = (plant.subtree_sum(plant.length) - plant.length)[foot]
    assert own[foot] == pytest.approx(per_metre * above, rel=1e-6)


def test_trunk_and_twigs_have_the_radii_of_the_species() -> None:
    for name in species_names():
        plant, species = windflower.grow(name), species_of(name)
        levels = species.growth.levels if isinstance(species.growth, Recursion) else ()
        shoots = [level.shoot.radius[1] for level in levels if level.shoot]
        assert plant.radius[0] == pytest.approx(species.girth.trunk, rel=1e-9)
        assert plant.radius.min() == pytest.approx(min([species.girth.twig, *shoots]), rel=1e-9)


def test_no_branch_leaves_its_bearer_at_a_wider_angle_than_their_diameters_allow() -> None:
    assert murray_angle(np.array([1e-6]))[0] == pytest.approx(np.pi / 2, abs=1e-3)
    assert np.degrees(murray_angle(np.array([0.5 ** (1 / 3)])))[0] == pytest.approx(37.5, abs=0.1)
    assert np.all(np.diff(murray_angle(np.linspace(0.01, 0.999, 50))) < 0)


def test_draws_are_uniform_independent_and_stable() -> None:
    values = draw(1, np.arange(20_000))
    assert values.mean() == pytest.approx(0.5, abs=0.01)
    assert values.var() == pytest.approx(1 / 12, rel=0.03)
    assert abs(np.corrcoef(values[:-1], values[1:])[0, 1]) < 0.03
    assert draw(1, 2, 3) == 0.814259011529328  # the same on every machine, for ever


def test_coherent_noise_is_smooth() -> None:
    x = np.linspace(0, 20, 20_001)
    noise = coherent(x, 3)
    assert np.abs(np.diff(noise)).max() < 0.006
    assert noise.std() > 0.2
    assert np.abs(noise).max() <= 1
