import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import windflower
from windflower import Species
from windflower.errors import SpeciesError, WindflowerError
from windflower.mechanics import wood_of
from windflower.plant.growth.lsystem import expression, grow_lsystem
from windflower.plant.species import species_of, species_text
from windflower.plant.species.changes import changed
from windflower.plant.species.settings import LSystem, Recursion
from windflower.plots.figure import plant_name
from windflower.scene import settings_of

FOLDER = Path(windflower.__file__).parent / "plant" / "species"


def system(axiom: str, *rules: tuple[str, str], steps: int = 1, when: str = "1") -> LSystem:
    listed = [{"module": module, "becomes": becomes, "when": when} for module, becomes in rules]
    return LSystem.model_validate({"method": "l-system", "axiom": axiom, "rules": listed, "steps": steps})


def test_an_own_species_file_grows(tmp_path: Path) -> None:
    text = (FOLDER / "spruce.toml").read_text().replace("height = 17.5", "height = 4.0")
    (tmp_path / "christmas-tree.toml").write_text(text)
    plant = windflower.grow(str(tmp_path / "christmas-tree.toml"))
    assert plant.height == pytest.approx(4, rel=0.1)


def test_a_species_file_is_read_as_it_is_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (FOLDER / "spruce.toml").read_text()
    for folder, height in (("here", 4.0), ("there", 6.0), ("here", 5.0)):
        (tmp_path / folder).mkdir(exist_ok=True)
        monkeypatch.chdir(tmp_path / folder)
        Path("own.toml").write_text(text.replace("height = 17.5", f"height = {height}"))
        assert windflower.grow("own.toml", detail=0.05).height == pytest.approx(height, rel=0.1)


def test_a_plant_of_an_own_species_keeps_its_wood_and_looks(tmp_path: Path) -> None:
    path = tmp_path / "iron-birch.toml"
    text = (FOLDER / "silver-birch.toml").read_text()
    path.write_text(re.sub(r'wood = ".*"', 'wood = "oak"', text))
    tree = windflower.grow(str(path), detail=0.05)
    grown = windflower.grow(changed(species_of(str(path)), {"growth": {"height": 8.0}}), detail=0.05)
    assert windflower.analyse(tree, count=1, cache=False).wood.name == "oak"
    assert windflower.analyse(grown, count=1, cache=False).wood.name == "oak"
    assert species_of(tree.species).bark == species_of("silver-birch").bark
    assert plant_name(tree) == "iron birch"
    path.unlink()  # a saved plant outlives its species file
    assert windflower.analyse(tree, count=1, cache=False).wood.name == "hardwood"


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("height = 17.5", "height = -3", r"growth\.height must be at least 0.001; it is -3"),
        ("height = 17.5", "hight = 16.0", r"no key 'hight' here; did you mean 'height'"),
        ('method = "recursion"', 'method = "magic"', r"growth\.method must be one of recursion, .*; it is 'magic'"),
        ("trunk = 0.138", "trunk = nan", "girth.trunk"),
        ("title", "title title", "not valid TOML"),
    ],
)
def test_a_broken_species_file_names_the_key_and_the_value(tmp_path: Path, old: str, new: str, rule: str) -> None:
    path = tmp_path / "broken.toml"
    path.write_text((FOLDER / "spruce.toml").read_text().replace(old, new, 1))
    with pytest.raises(SpeciesError, match=rule):
        species_of(str(path))


def test_an_unknown_species_is_answered_with_the_known_ones() -> None:
    with pytest.raises(SpeciesError, match=r"banana, .*walnut.*'wallnut' is neither"):
        windflower.grow("wallnut")


def test_every_species_says_where_its_numbers_come_from() -> None:
    for name in windflower.species_names():
        kind = species_of(name)
        assert isinstance(kind, Species)
        assert len(kind.source) > 40


def test_the_turtle_draws_a_known_figure() -> None:
    skeleton = grow_lsystem(system("F(2) [ +(90) F(1) ] F(1)", ("X", "X")), seed=1)
    assert skeleton.parent.tolist() == [-1, 0, 1, 1]
    assert skeleton.order is not None
    assert skeleton.order.tolist() == [0, 0, 1, 0]
    assert np.allclose(skeleton.position, [[0, 0, 0], [0, 2, 0], [-1, 2, 0], [0, 3, 0]])


def test_rules_rewrite_all_modules_at_once() -> None:
    fibonacci = system("A", ("A", "A B"), ("B", "A"), steps=6)
    with pytest.raises(SpeciesError, match="at least one segment"):
        grow_lsystem(fibonacci, seed=1)
    drawn = system("F A", ("A", "B F A"), ("B", "F"), steps=3)
    assert len(grow_lsystem(drawn, seed=1).parent) == 1 + 1 + 3 + 2


def test_parameters_and_conditions_steer_growth() -> None:
    settings = system("A(1)", ("A(x)", "F(x) A(x / 2)"), steps=9, when="x > 0.2")
    lengths = np.linalg.norm(np.diff(grow_lsystem(settings, seed=1).position, axis=0), axis=1)
    assert lengths.tolist() == [1, 0.5, 0.25]


def test_tropism_bends_to_the_sky_and_never_past_it() -> None:
    skeleton = grow_lsystem(system("&(90) T(25) F(1) F(1) F(1) F(1) F(1) F(1)", ("X", "X")), seed=1)
    rise = np.diff(skeleton.position[:, 1])
    assert np.all(np.diff(rise) > -1e-12)
    assert rise[-1] == pytest.approx(1)


@pytest.mark.parametrize(
    ("axiom", "becomes", "rule"),
    [
        ("F(1) ]", "F", "one too many"),
        ("F(1", "F", "parenthesis must be closed"),
        ("F(__import__('os'))", "F", "arithmetic"),
        ("F(unknown)", "F", "own names"),
        ("F(1 / 0)", "F", "must give a number"),
        ("F(9 ** 9 ** 9)", "F", "must give a number"),
        ("F § F", "F", "an L-system holds names"),
    ],
)
def test_a_broken_l_system_is_refused_in_a_sentence(axiom: str, becomes: str, rule: str) -> None:
    with pytest.raises(SpeciesError, match=rule):
        grow_lsystem(system(axiom, ("X", becomes)), seed=1)


def test_an_l_system_that_explodes_is_stopped() -> None:
    with pytest.raises(SpeciesError, match="200,000 modules"):
        grow_lsystem(system("F", ("F", "F F F F F F F F"), steps=30), seed=1)


@given(st.text("0123456789.+-*/()<>=%,xy[]{}'\"_ abcdefinorst", max_size=30))
def test_no_text_breaks_the_arithmetic(text: str) -> None:
    try:
        value = expression(text)({"x": 1.0, "y": 2.0}, lambda low, _high: low)
    except SpeciesError:
        return
    assert np.isfinite(value)


@settings(max_examples=150)
@given(st.text("FX[]+-&^/\\|$LT(). 0123456789", max_size=40), st.text("FX[]+-(). 0123456789", max_size=20))
def test_no_axiom_breaks_the_turtle(axiom: str, becomes: str) -> None:
    try:
        skeleton = grow_lsystem(system(axiom, ("X", becomes), steps=2), seed=1)
    except WindflowerError:
        return
    assert np.isfinite(skeleton.position).all()


def test_the_turtle_sets_a_radius_and_gives_it_back_to_the_pipe_model() -> None:
    skeleton = grow_lsystem(system("F(1) !(0.02) F(1) [ F(1) ] !(0) F(1)", ("X", "X")), seed=1)
    assert skeleton.radius is not None
    assert skeleton.radius[:, 1].tolist() == [0, 0, 0.02, 0.02, 0]
    with pytest.raises(SpeciesError, match=r"a radius is 1e-05 to 20 m, or 0 .*; a ! of this L-system has -1"):
        grow_lsystem(system("!(0 - 1) F(1)", ("X", "X")), seed=1)


def test_an_ear_is_thicker_than_the_straw_that_bears_it() -> None:
    plant = windflower.grow("wheat")
    tip = int(plant.position[:, 1].argmax())
    neck = int(plant.parent[plant.parent[plant.parent[plant.parent[tip]]]])
    assert plant.radius[plant.parent[tip]] > 2.5 * plant.radius[neck]


MEASURED = {
    "": ("anchorage",),
    "girth": ("trunk", "twig", "exponent", "taper"),
    "leaf": ("length", "cluster", "mass_per_area"),
    "air": ("drag", "streamlining", "porosity"),
    "growth": ("height", "length", "shoot"),
}
"""Keys that stand for something that can be measured on a plant, in each table of a species' file."""


def unsourced(text: str) -> list[str]:
    """Measured keys with no comment, neither on their own line nor on that of their table."""
    found, table, told = [], "", False
    for line in text.splitlines():
        rule, _, comment = line.partition("#")
        if rule.startswith("["):
            name = rule.strip("[] ").partition(".")[0]
            table, told = name, bool(comment) or (told and name == table)
        key = rule.partition("=")[0].strip()
        if key in MEASURED.get(table, ()) and not comment and not told:
            found.append(f"{table}.{key}")
    return found


@pytest.mark.parametrize("name", windflower.species_names())
def test_every_measured_number_of_a_species_names_its_source_or_says_that_it_is_an_estimate(name: str) -> None:
    assert unsourced((FOLDER / f"{name}.toml").read_text()) == []


def test_a_number_without_a_source_is_found() -> None:
    assert unsourced("[air]\ndrag = 2\n[growth] # estimates\nheight = 3\n[[growth.levels]]\nlength = 1") == ["air.drag"]


OWN = """
base = "walnut"
title = "An old walnut"
[girth]
trunk = 0.3
[growth]
height = 14.0
[growth.levels.1]
branches = 24
"""


def test_a_file_on_a_base_has_its_own_keys_and_the_rest_of_the_base(tmp_path: Path) -> None:
    (tmp_path / "old.toml").write_text(OWN)
    own, base = species_of(str(tmp_path / "old.toml")), species_of("walnut")
    assert (own.name, own.title, own.girth.trunk, own.latin, own.leaf) == (
        "walnut", "An old walnut", 0.3, base.latin, base.leaf
    )  # fmt: skip
    assert isinstance(own.growth, Recursion)
    assert isinstance(base.growth, Recursion)
    assert (own.growth.height, own.growth.levels[1].branches) == (14.0, 24)
    assert own.growth.levels[0] == base.growth.levels[0]
    assert own.growth.levels[1].angle == base.growth.levels[1].angle
    assert settings_of(str(tmp_path / "old.toml"), detail=0.1).stands[0].is_grown
    (tmp_path / "same.toml").write_text('base = "walnut"\n')  # which says nothing of growth
    assert settings_of(str(tmp_path / "same.toml")).stands[0].is_grown


def test_a_copy_grows_the_same_tree_whatever_its_file_is_called(tmp_path: Path) -> None:
    (tmp_path / "copy.toml").write_text(species_text("hazel-bush"), "utf-8")
    (tmp_path / "on-it.toml").write_text('base = "hazel-bush"\n')
    bush = windflower.grow("hazel-bush", detail=0.1)
    for name in ("copy", "on-it"):
        assert np.array_equal(windflower.grow(str(tmp_path / f"{name}.toml"), detail=0.1).position, bush.position)


@pytest.mark.parametrize("wood", ["../stiff.toml", "/etc/stiff.toml", "link.toml", "no/../../stiff.toml"])
def test_a_species_reads_a_wood_in_its_own_folder_only(wood: str, tmp_path: Path) -> None:
    home = tmp_path / "mine"
    home.mkdir()
    wood_of("birch").save(tmp_path / "stiff.toml")
    (home / "link.toml").symlink_to(tmp_path / "stiff.toml")
    (home / "own.toml").write_text(f'base = "silver-birch"\nwood = "{wood}"\n')
    with pytest.raises(SpeciesError, match="in its own folder"):
        species_of(str(home / "own.toml"))


def test_a_wood_is_found_beside_its_species_from_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stiff = replace(wood_of("birch"), E=4 * wood_of("birch").E)
    stiff.save(tmp_path / "stiff.toml")
    (tmp_path / "stiff-birch.toml").write_text('base = "silver-birch"\nwood = "stiff.toml"\n')
    monkeypatch.chdir("/")
    soft, firm = (windflower.grow(name, detail=0.05) for name in ("silver-birch", str(tmp_path / "stiff-birch.toml")))
    slow, fast = (windflower.analyse(plant, count=1, roots="clamped").frequency[0] for plant in (soft, firm))
    assert fast > 1.5 * slow


def test_another_method_of_growth_replaces_that_of_the_base(tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text('base = "walnut"\n' + species_text("oak"), "utf-8")
    assert species_of(str(tmp_path / "x.toml")).growth == species_of("oak").growth


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ('base = "wallnut"', "base is a stock species; 'wallnut' is not one of them; did you mean 'walnut'"),
        ('base = "../walnut"', "base is a stock species"),
        ("base = 3", "base is a stock species; '3' is not"),
        ('base = "walnut"\n[growth.levels.9]\nbranches = 3', "numbered from 0 to"),
        ('base = "walnut"\n[girth]\ntrunk = -1', "girth.trunk"),
        ('base = "walnut"\ngirth = 3', "girth"),
    ],
)
def test_a_bad_base_or_key_over_it_is_one_sentence(text: str, rule: str, tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text(text)
    with pytest.raises(SpeciesError, match=rule) as error:
        species_of(str(tmp_path / "x.toml"))
    assert "\n" not in str(error.value)
