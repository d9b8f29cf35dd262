"""What a scene file may say, what is said about a bad one, and that it survives being saved."""

import datetime as dt
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from tests.test_table_pages import without_examples
from windflower import grow
from windflower.errors import FileError, SceneError, WindflowerError
from windflower.motion.registry import MOTIONS
from windflower.motion.settings import MotionSettings
from windflower.plant.species import species_names
from windflower.scene import SceneSettings, parse_scene, read_scene, save_scene, scene_names
from windflower.scene.files import toml_text
from windflower.scene.reference import EXAMPLE, scene_reference, sections
from windflower.scene.thinning import with_trees
from windflower.wind import SOURCES, SourceSettings

DOCS = Path(__file__).parents[1] / "docs"
OAK = '[[stands]]\nplant = "oak"\n'


def test_one_stand_is_a_scene() -> None:
    scene = parse_scene(OAK)
    assert scene.stands[0].plant == "oak"
    assert (scene.size, scene.fps, scene.seconds) == ((960, 540), 24, 6)
    assert scene.camera.kind == "orbit"


def test_the_scenes_that_come_along_can_be_read_by_name() -> None:
    assert {
        "birch-grove",
        "forest",
        "hills",
        "hundred-thousand",
        "oak-in-a-storm",
        "poplar-avenue",
        "walnut-in-a-breeze",
        "willow-by-the-water",
    } <= set(scene_names())
    for name in scene_names():
        assert read_scene(name).title


@pytest.mark.parametrize(("name", "trees", "species"), [("hills", 10_000, 4), ("hundred-thousand", 100_000, 4)])
def test_large_forests_have_as_many_trees_and_species_as_they_promise(name: str, trees: int, species: int) -> None:
    stands = read_scene(name).stands
    assert sum(stand.count or 1 for stand in stands) == trees
    assert len({stand.plant for stand in stands}) == species
    assert read_scene(name).ground.terrain is not None


def test_the_demo_is_what_it_promises() -> None:
    demo = read_scene("forest")
    assert sum(stand.count or 1 for stand in demo.stands) == 1000
    assert len({stand.plant for stand in demo.stands}) >= 4
    assert (demo.size, demo.fps, demo.seconds) == ((960, 540), 24, 6)
    assert demo.wind.gusts


@pytest.mark.parametrize("text", ['"1280x720"', "[1280, 720]", '" 1280 × 720 "'])
def test_a_size_may_be_written_in_two_ways(text: str) -> None:
    assert parse_scene(f"size = {text}\n{OAK}").size == (1280, 720)


def test_a_motion_may_be_named_or_described() -> None:
    described = parse_scene(OAK + 'motion = { kind = "modal", modes = 25 }')
    assert parse_scene(OAK + 'motion = "modal"') == described == parse_scene(OAK)


def error_message(text: str) -> str:
    with pytest.raises(SceneError) as told:
        parse_scene(text)
    return str(told.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("seconds = 0", "seconds must be greater than 0; it is 0."),
        ("fps = '24'", "fps must be a number; it is '24'."),
        ("seconds = nan", "seconds must be a finite number; it is nan."),
        ("size = [960]", "size[1] is missing."),
        ("size = '960'", "size: a size is written [960, 540] or \"960x540\"; this is '960'."),
        ("size = [960, 8]", "size[1] must be at least 16; it is 8."),
        ("seed = 1.5", "seed must be a whole number; it is 1.5."),
        ("seed = true", "seed must be a whole number; it is True."),
        ("titel = 'x'", "there is no key 'titel' here; did you mean 'title'?"),
        ("wind = 3", "wind must be a table; it is 3."),
        ("[wind]\npreset = 'x'", "wind.preset must be 'calm', 'breeze', 'windy', 'gale' or 'storm'; it is 'x'."),
        ("[wind]\nbeaufort = 13", "wind.beaufort must be at most 12; it is 13."),
        (
            "[wind]\nbeaufort = 3\nspeed = 3",
            "wind: give one of preset, beaufort, speed and file; this has beaufort and speed.",
        ),
        (
            "[wind]\nfile = 'a.csv'\ngustiness = 1",
            "wind: a file blows as it was recorded; leave out gustiness, which is 1.0.",
        ),
        ("[wind]\nwindspeed = 3", "wind: there is no key 'windspeed' here; did you mean 'speed'?"),
        ("[[wind.gusts]]\nrise = 9", "wind.gusts[0]: rise and fall must fit into duration; 9 + 3 s exceed 6 s."),
        ("[[wind.sources]]\nkind = 'fan'", "wind.sources[0].place is missing; there is only kind."),
        (
            "[[wind.sources]]\nkind = 'van'",
            "wind.sources[0].kind must be one of vortex, fan, explosion, front, disk; it is 'van'; did you mean 'fan'?",
        ),
        ("[sun]\nhour = 25", "sun.hour must be at most 24; it is 25."),
        ("[sun]\nazimuth = 20", "sun: azimuth needs elevation beside it; azimuth is 20 and elevation is not given."),
        ("[sun]\nzone = 2", "sun: zone needs longitude beside it; zone is 2 and longitude is not given."),
        ("[ground]\ncolour = [1, 2, 3]", "ground.colour[1] must be at most 1; it is 2."),
        ("[camera]\neye = [0, 1, 0]", "camera.kind must be one of fixed, orbit, framed, fly; it is missing."),
        ("[camera]\nkind = 'orbit'\nturm = 3", "camera: there is no key 'turm' here; did you mean 'turn'?"),
        (
            "[camera]\nkind = 'fixed'\neye = [0, 1, 0]\ntarget = [0, 1, 0]",
            "camera: eye and target must lie apart; both are [0.0, 1.0, 0.0].",
        ),
        (
            "[camera]\nkind = 'fly'\nkeys = [{ eye = [0, 1, 0], at = 3 }, { eye = [0, 2, 0], at = 2 }]",
            "camera: the times of keys must grow from one to the next; at is 3, 2.",
        ),
        ("[quality]\nlevel = 'ultra'", "quality.level must be 'draft', 'good' or 'best'; it is 'ultra'."),
    ],
)
def test_a_bad_file_is_told_the_key_the_value_and_what_is_allowed(text: str, told: str) -> None:
    assert error_message(f"{text}\n{OAK}") == f"scene: {told}"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("specimen = 2", ": there is no key 'specimen' here; did you mean 'specimens'?"),
        ("count = -3", ".count must be at least 1; it is -3."),
        ("leaves = 1", ".leaves must be true or false; it is 1."),
        ("scale_variation = 1", ".scale_variation must be less than 1; it is 1."),
        (
            "area = { kind = 'circel' }",
            ".area.kind must be one of rectangle, circle, row; it is 'circel'; did you mean 'circle'?",
        ),
        ("area = { radius = 3 }", ".area.kind must be one of rectangle, circle, row; it is missing."),
        ("area = { kind = 'circle', radius = -3 }", ".area.radius must be at least 0.001; it is -3."),
        ("area = 3", ".area must be a table; it is 3."),
        (
            "motion = 'magic'",
            ".motion.kind must be one of modal, spectral, cantilever, hybrid, broadleaf, loop; it is 'magic'.",
        ),
        ("motion = { kind = 'spectral', period = 0 }", ".motion.period must be greater than 0; it is 0."),
        (
            "motion = { kind = 'spectral', correlation_time = 1 }",
            ".motion: the paper's filter takes a correlation_time and a correlation_distance; one of them is missing.",
        ),
        ("motion = { kind = 'modal', modes = 0 }", ".motion.modes must be at least 1; it is 0."),
        ("positions = []", ".positions must have 1 or more entries; it is []."),
        (
            "positions = [[0, 0]]\ncount = 3",
            ": positions already say where every tree stands; leave out count and area, or positions.",
        ),
        (
            "area = { kind = 'row', start = [0, 0], end = [0, 9] }",
            ": a row takes either count or spacing; it has neither.",
        ),
    ],
)
def test_a_bad_stand_is_told_the_key_the_value_and_what_is_allowed(text: str, told: str) -> None:
    assert error_message(OAK + text) == f"scene: stands[0]{told}"


def test_a_scene_without_a_stand_is_told_so() -> None:
    assert error_message("") == "scene: stands is missing."
    assert error_message("stands = 3") == "scene: stands must be a list; it is 3."
    assert error_message("[[stands]]\nseed = 4") == "scene: stands[0].plant is missing; there is only seed."


@pytest.mark.parametrize(
    ("plant", "rule"),
    [("silver birch", "did you mean 'silver-birch'?"), ("zzz", "banana, .*, or a file; 'zzz' is neither")],
)
def test_an_unknown_plant_is_answered_with_the_known_ones(plant: str, rule: str) -> None:
    with pytest.raises(SceneError, match=rule):
        parse_scene(f'[[stands]]\nplant = "{plant}"')


def test_a_file_holds_one_specimen() -> None:
    with pytest.raises(SceneError, match="specimens must be 1; it is 3"):
        parse_scene('[[stands]]\nplant = "a/walnut.mtg"\nspecimens = 3')


@pytest.mark.parametrize(
    "text", ["a =", "a = 1\na = 2", "\x00", "[" * 5000, f"seed = {'9' * 5000}", "[a]\n[a]", "seed = 0o9"]
)
def test_what_is_no_toml_is_refused(text: str) -> None:
    with pytest.raises(SceneError, match="not valid TOML"):
        parse_scene(text)


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(SceneError, match="not valid TOML"):
        parse_scene(b"\xff\xfe\x00")


def test_an_unknown_scene_is_answered_with_the_known_ones() -> None:
    with pytest.raises(SceneError, match=r"birch-grove, .*'birch-grov' is neither; did you mean 'birch-grove'\?"):
        read_scene("birch-grov")
    with pytest.raises(FileError, match=r"must exist; nowhere.toml does not"):
        read_scene("nowhere.toml")
    with pytest.raises(FileError, match="no null byte"):
        read_scene("no\0where.toml")


def test_files_are_looked_for_beside_the_scene_and_saved_from_where_they_are_seen(tmp_path: Path) -> None:
    (tmp_path / "trees").mkdir()
    grow("palm").save(tmp_path / "trees" / "mine.npz")
    (tmp_path / "scene.toml").write_text('[[stands]]\nplant = "trees/mine.npz"\n[wind]\nfile = "gale.csv"\n')
    scene = read_scene(tmp_path / "scene.toml")
    assert Path(scene.stands[0].plant).is_file()
    save_scene(scene, tmp_path / "copy.toml")
    assert 'plant = "trees/mine.npz"' in (tmp_path / "copy.toml").read_text()
    assert read_scene(tmp_path / "copy.toml") == scene
    (tmp_path / "elsewhere").mkdir()
    save_scene(scene, tmp_path / "elsewhere" / "copy.toml")
    assert read_scene(tmp_path / "elsewhere" / "copy.toml", allow=[tmp_path]) == scene


def test_a_scene_is_saved_as_toml_or_not_at_all(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"saved as \.toml"):
        save_scene(parse_scene(OAK), tmp_path / "scene.json")
    with pytest.raises(FileError, match="folder"):
        save_scene(parse_scene(OAK), tmp_path / "nowhere" / "scene.toml")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", scene_names())
def test_the_scenes_that_come_along_survive_being_saved(name: str, tmp_path: Path) -> None:
    save_scene(read_scene(name), tmp_path / "copy.toml")
    assert read_scene(tmp_path / "copy.toml") == read_scene(name)


# Any settings at all, by table, as plain data.
number = st.floats(-300, 300)
positive = st.floats(0.01, 300)
share = st.floats(0, 0.99)
ground = st.tuples(number, number)
place = st.tuples(number, number, number)
seeds = st.integers(0, 2**53 - 1)


def table(**parts: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """A table with all of the keys that begin with an underscore, and any of the others."""
    needed = {key.removeprefix("_"): part for key, part in parts.items() if key.startswith("_")}
    return st.fixed_dictionaries(needed, optional={key: part for key, part in parts.items() if key[0] != "_"})


areas = st.one_of(
    table(_kind=st.just("rectangle"), centre=ground, _size=st.tuples(positive, positive), turn=number),
    table(_kind=st.just("circle"), centre=ground, _radius=positive),
)
stands = table(
    _plant=st.sampled_from([*species_names(), "/trees/scan.mtg", "own.toml"]),
    seed=seeds,
    detail=st.floats(0.01, 10),
    leaves=st.booleans(),
    count=st.integers(1, 1_000_000),
    area=areas,
    spacing=positive,
    scale=st.floats(0.1, 10),
    scale_variation=share,
    yaw=number,
    stiffness_variation=share,
    motion=table(_kind=st.just("modal"), modes=st.integers(1, 500), pose=st.sampled_from(["linear", "rotated"])),
)
winds = table(
    speed=st.floats(0, 100),
    direction=number,
    turbulence=share,
    spectrum=st.sampled_from(["karman", "noise"]),
    loop=st.floats(10, 100),
    profile=table(law=st.just("log"), roughness=positive),
    gusts=st.lists(
        table(at=number, strength=st.floats(0, 99), width=positive, speed=positive.filter(lambda v: v < 99))
    ),
    sources=st.lists(
        table(_kind=st.just("vortex"), _centre=ground, _radius=positive, _speed=st.floats(0, 99))
        | table(_kind=st.just("explosion"), _place=place, reach=positive)
    ),
)
cameras = st.one_of(
    table(_kind=st.just("orbit"), target=place, distance=positive, turn=number, elevation=st.floats(-80, 80)),
    table(_kind=st.just("fixed"), _eye=place, _target=place, field_of_view=st.floats(1, 150)),
    table(_kind=st.just("fly"), _keys=st.lists(table(_eye=place), min_size=2, max_size=5), closed=st.booleans()),
)
scenes = table(
    title=st.text(max_size=40),
    seed=seeds,
    seconds=positive,
    size=st.tuples(st.integers(16, 4000), st.integers(16, 4000)),
    _stands=st.lists(stands, min_size=1, max_size=3),
    wind=winds,
    sun=table(hour=st.floats(0, 24), latitude=st.floats(-90, 90), date=st.dates(), longitude=st.floats(-180, 180)),
    ground=table(kind=st.sampled_from(["soil", "snow"]), colour=st.tuples(share, share, share)),
    camera=cameras,
    clearings=st.lists(table(_centre=ground, _radius=positive), max_size=2),
    quality=table(level=st.sampled_from(["draft", "best"])),
)


def validated(data: dict[str, Any]) -> SceneSettings | None:
    """The settings of these data, if they agree with one another."""
    try:
        return SceneSettings.model_validate(data)
    except ValueError:
        return None


@given(scenes)
@settings(max_examples=150)
def test_any_settings_survive_being_written_as_toml(data: dict[str, Any]) -> None:
    scene = validated(data)
    if scene is not None:
        assert parse_scene(toml_text(scene)) == scene


odd = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.floats(),
    st.text(max_size=8),
    st.dates(),
    st.datetimes(),
    st.just([]),
    st.just({}),
    st.lists(st.integers(), max_size=4),
    st.dictionaries(st.text(max_size=4), st.integers(), max_size=2),
)


@given(scenes, st.data())
@settings(max_examples=300)
def test_a_scene_with_anything_anywhere_is_read_or_refused_in_one_line(
    data: dict[str, Any], more: st.DataObject
) -> None:
    place_ = data
    while True:
        key = more.draw(st.sampled_from(sorted(map(str, place_))) | st.text(max_size=6))
        inner = place_.get(key)
        if isinstance(inner, list) and inner and isinstance(inner[0], dict):
            inner = inner[0]
        if not (isinstance(inner, dict) and inner and more.draw(st.booleans())):
            place_[key] = more.draw(odd)
            break
        place_ = inner
    told = _told(_as_toml(data))
    assert "\n" not in told
    assert "nput should" not in told, "a sentence of ours, and not pydantic's"
    assert len(told) < 600


@given(st.text(max_size=60) | st.binary(max_size=60))
def test_any_text_is_read_or_refused(text: str | bytes) -> None:
    with pytest.raises(WindflowerError):
        parse_scene(text)


def _told(text: str) -> str:
    """What is wrong with a scene file, if anything is."""
    try:
        parse_scene(text)
    except WindflowerError as error:
        return str(error)
    return ""


def _as_toml(data: dict[str, Any]) -> str:
    """Plain data as TOML, in inline tables; what TOML has not (null) is left out."""
    return "".join(f"{_quoted(key)} = {_inline(value)}\n" for key, value in data.items() if value is not None)


def _quoted(text: str) -> str:
    return '"' + "".join(f"\\U{ord(c):08x}" for c in text) + '"'


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        inside = ", ".join(
            f"{_quoted(str(key))} = {_inline(inner)}" for key, inner in value.items() if inner is not None
        )
        return "{" + inside + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_inline(inner) for inner in value if inner is not None) + "]"
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, dt.date):
        return value.isoformat()
    return str(value).lower() if isinstance(value, bool) else repr(value)


def test_the_page_on_scene_files_is_up_to_date() -> None:
    page = (DOCS / "scene-file.md").read_text("utf-8")
    assert without_examples(page) == without_examples(scene_reference()), (
        "write it anew: python -c 'from windflower.scene.reference import scene_reference; "
        'print(scene_reference(), end="")\' > docs/scene-file.md'
    )


def test_the_page_tells_every_table_and_every_key() -> None:
    told = set(sections().values())
    kinds = [*(MOTIONS[kind].settings for kind in MOTIONS), *SOURCES.values()]
    waiting: list[type[BaseModel]] = [SceneSettings, *kinds]
    seen: set[type[BaseModel]] = set()
    while waiting:
        model = waiting.pop()
        seen.add(model)
        for name, field in model.model_fields.items():
            assert field.description or name == "kind", f"{model.__name__}.{name} has no description"
        names = model.model_json_schema().get("$defs", {})
        waiting += [found for found in _models() if found.__name__ in names and found not in seen]
    assert seen - {MotionSettings, SourceSettings} == told


def _models() -> list[type[BaseModel]]:
    """Every table of every module that holds some."""
    import importlib
    import pkgutil

    from windflower import scene

    modules = [
        importlib.import_module(found.name) for found in pkgutil.iter_modules(scene.__path__, "windflower.scene.")
    ]
    return [
        value
        for module in modules
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, BaseModel)
    ]


def test_the_page_has_an_example_that_can_be_read() -> None:
    assert EXAMPLE in scene_reference()
    scene = parse_scene(EXAMPLE)
    assert [stand.plant for stand in scene.stands] == ["lombardy-poplar", "meadow/my-scan.mtg"]


@pytest.mark.parametrize("trees", [5, 100, 999, 4000])
def test_a_scene_can_have_more_or_fewer_trees_as_dense_as_before(trees: int) -> None:
    demo = read_scene("forest")
    other = with_trees(demo, trees)
    assert sum(stand.count or 1 for stand in other.stands) == trees
    one, scaled = demo.stands[0].area, other.stands[0].area
    assert one is not None
    assert one.kind == "rectangle"
    assert scaled is not None
    assert scaled.kind == "rectangle"
    assert scaled.size[0] * scaled.size[1] == pytest.approx(one.size[0] * one.size[1] * trees / 1000)
    assert with_trees(demo, 1000) is demo


def test_trees_in_given_places_cannot_be_thinned_out() -> None:
    avenue = parse_scene(OAK + "count = 8\narea = { kind = 'row', start = [0, 0], end = [0, 70] }")
    assert with_trees(avenue, 8) == avenue
    with pytest.raises(SceneError, match="number of trees must be 8, as 8 of this scene's have given places; it is 20"):
        with_trees(avenue, 20)
    mixed = parse_scene(OAK + "positions = [[0, 0], [9, 9]]\n" + OAK + "count = 8")
    assert [stand.count for stand in with_trees(mixed, 6).stands] == [None, 4]
    with pytest.raises(SceneError, match="more than 2, as 2"):
        with_trees(mixed, 2)
