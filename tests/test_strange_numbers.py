"""Numbers and tables that no person writes get one sentence, and neither a traceback nor a hang."""

import contextlib
import math
from pathlib import Path

import numpy as np
import pytest

import windflower
from windflower.errors import FileError, SceneError, SpeciesError, WindflowerError
from windflower.plant.species import species_of
from windflower.plant.species.changes import changed
from windflower.scene import parse_scene, settings_of
from windflower.wind import TurbSimBox, read_array, read_bts, read_csv, write_bts

FOLDER = Path(windflower.__file__).parent / "plant" / "species"
SPRUCE = (FOLDER / "spruce.toml").read_text("utf-8")

TOML = {
    "deep lists": ("odd = " + "[" * 5000 + "]" * 5000, "nested at most 32 deep"),
    "deep tables": ("odd = " + "{a=" * 2000 + "1" + "}" * 2000, "nested at most 32 deep"),
    "dotted keys": ("a." * 50_000 + "b = 1", "nested at most 32 deep"),
    "a header of dots": ("[" + "a . " * 50_000 + "b]", "nested at most 32 deep"),
    "quoted keys": ("'.,'." * 50_000 + "b = 1", "nested at most 32 deep"),
    "digits": (f"odd = {'9' * 5000}", "thousands of digits"),
    "70 bits": (f"odd = {2**70}", "a whole number has at most 64 bits, and one there has 71 bits"),
    "no text": ("odd = \udcff", "not valid TOML"),
}


@pytest.mark.parametrize("kind", TOML)
def test_a_species_file_that_is_nested_or_counts_without_end_is_one_sentence(kind: str, tmp_path: Path) -> None:
    text, told = TOML[kind]
    path = tmp_path / "odd.toml"
    path.write_bytes(f"{text}\n{SPRUCE}".encode("utf-8", "surrogateescape"))
    with pytest.raises(SpeciesError, match=told) as error:
        species_of(str(path))
    assert len(str(error.value)) < 400


@pytest.mark.parametrize("kind", TOML)
def test_a_scene_file_that_is_nested_or_counts_without_end_is_one_sentence(kind: str, tmp_path: Path) -> None:
    text, told = TOML[kind]
    path = tmp_path / "odd.toml"
    path.write_bytes(f'{text}\n[[stands]]\nplant = "oak"'.encode("utf-8", "surrogateescape"))
    with pytest.raises(SceneError, match=told) as error:
        settings_of(path)
    assert len(str(error.value)) < 400


@pytest.mark.parametrize("number", ["1e300", "-1e300", "inf", "nan", "1e-300"])
def test_every_number_of_a_species_has_a_range(number: str) -> None:
    """Each number of every built-in species, replaced: it is refused, or it still is a species."""
    for name in ("spruce", "weeping-willow", "giant-kelp", "hosta"):
        species = species_of(name)
        for table in ("growth", "girth", "leaf"):
            for key, value in getattr(species, table).model_dump().items():
                if isinstance(value, float):
                    with contextlib.suppress(SpeciesError):
                        found = changed(species, {table: {key: float(number)}})
                        assert abs(getattr(getattr(found, table), key)) <= 1e6


@pytest.mark.parametrize(
    ("line", "value", "rule"),
    [
        ("length = 0.24", "length = 1e300", r"leaf\.length must be at most 20; it is 1e\+300"),
        ("per_metre", "per_metre = inf #", r"leaf\.per_metre must be a finite number; it is inf"),
        ("trunk = 0.138", 'trunk = "thick"', r"girth\.trunk must be a number; it is 'thick'"),
        ("trunk = 0.138", "trunk = 1979-05-27", r"girth\.trunk must be a number; it is datetime"),
    ],
)
def test_a_number_out_of_range_names_its_key(tmp_path: Path, line: str, value: str, rule: str) -> None:
    assert line in SPRUCE
    (tmp_path / "odd.toml").write_text(SPRUCE.replace(line, value, 1), "utf-8")
    with pytest.raises(SpeciesError, match=rule):
        species_of(str(tmp_path / "odd.toml"))


@pytest.mark.parametrize("text", ["-" * 5000 + "1", "(" * 5000 + "1" + ")" * 5000, "1" + "+1" * 20_000, "9**9**9**9"])
def test_an_expression_without_end_is_one_sentence(text: str) -> None:
    growth = {"method": "l-system", "axiom": f"F({text})", "rules": [{"module": "A", "becomes": "A"}], "steps": 1}
    table = species_of("palm").model_dump()
    with pytest.raises(SpeciesError) as error:
        windflower.grow(windflower.Species.model_validate({**table, "growth": growth}))
    assert len(str(error.value)) < 400


CSV = {
    "an open quote": ('time,u,v\n0,"1,0\n' + "1,2,0\n" * 30_000, "closes every quote"),
    "a quote at the end": ('time,u,v\n0,1,0\n1,2,"0', "closes every quote"),
    "late times": ("time,u,v\n0,1,0\n1e308,2,0\n", r"up to 1e\+13; .* has 1e\+308"),
    "from end to end": ("time,u,v\n-1e308,1,0\n1e308,2,0\n", r"up to 1e\+13"),
    "speeds": ("time,u,v\n0,1,0\n1,1e300,0\n", r"at most 500 m/s; one is 1e\+300"),
    "a code for missing": ("time,u,v\n0,1,0\n1,9999,0\n", "missing value, leave it out"),
    "tiny steps": ("time,u,v\n0,1,0\n1e-320,2,0\n1,3,0\n", None),
    "a null byte": ("time,u,v\n0,1\0,0\n1,2,0\n2,\0,\0\n", None),
    "digits": (f"time,u,v\n0,{'9' * 5000},0\n1,2,0\n", None),
}


@pytest.mark.parametrize("kind", CSV)
def test_a_strange_recording_is_read_or_one_sentence(
    kind: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    text, told = CSV[kind]
    path = tmp_path / "wind.csv"
    path.write_text(text)
    if told is not None:
        with pytest.raises(FileError, match=told) as error:
            read_csv(path)
        assert len(str(error.value)) < 400
        return
    assert math.isfinite(float(read_csv(path).mean.sum()))
    assert "interpolated" in caplog.text


def test_winds_of_impossible_speeds_are_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "wind.npy", np.full((2, 2, 2, 2, 3), 1e300))
    with pytest.raises(FileError, match=r"at most 500 m/s; one is 1e\+300"):
        read_array(tmp_path / "wind.npy")
    np.save(tmp_path / "wind.npy", np.full((2, 2, 2, 2, 3), "x"))
    with pytest.raises(FileError, match="velocities are numbers"):
        read_array(tmp_path / "wind.npy")
    box = TurbSimBox(velocity=np.full((2, 2, 2, 3), 5.0), dt=1, dy=1, dz=1, hub_speed=5, hub_height=9, bottom=1)
    write_bts(box, tmp_path / "wind.bts")
    content = bytearray((tmp_path / "wind.bts").read_bytes())
    content[42:46] = np.float32(1e-45).tobytes()  # the scale of u
    (tmp_path / "wind.bts").write_bytes(content)
    with pytest.raises(FileError, match="at most 500 m/s"):
        read_bts(tmp_path / "wind.bts")


@pytest.mark.parametrize(
    "text",
    [
        "changes = { growth = { height = 1e300 } }",
        "changes = { growth = { levels = { 1 = { length = 1e300 } } } }",
        "changes = { length = 1e300 }",
        "changes = { leaf = { per_metre = inf } }",
        "changes = { growth = { height = 1979-05-27 } }",
        "changes = { growth = { levels = { 99999999999999999999999 = 1 } } }",
        f"changes = {{ growth = {{ levels = {{ {'9' * 5000} = 1 }} }} }}",
        "changes = { growth = { levels = { '²' = 1 } } }",
        "scale = 1e-300",
        "stiffness = 1e-300",
        "damping = 1e-300",
        "detail = 1e-300",
        "spacing = 1e-300",
        "seed = 9223372036854775807",
        "area = { kind = 'rectangle', size = [1e-200, 1e5] }",
        "area = { kind = 'row', start = [0, 0], end = [0, 1e-3], rows = 1000, gap = 1e-300 }",
    ],
)
def test_an_extreme_of_a_stand_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(SceneError) as error:
        parse_scene(f'[[stands]]\nplant = "oak"\n{text}')
    assert len(str(error.value)) < 400


@pytest.mark.parametrize("value", ["1979-05-27", "nan", "[inf]"])
def test_changes_of_an_own_species_are_plain_values(value: str) -> None:
    with pytest.raises(SceneError, match="changes are tables of finite numbers"):
        parse_scene(f'[[stands]]\nplant = "own.toml"\nchanges = {{ growth = {{ height = {value} }} }}')


@pytest.mark.parametrize(
    "text",
    [
        "gust_interval = 0.01\ngust_duration = 0.01\nloop = 100000",
        "gust_interval = 0.01\ngust_duration = 0.1",
        "loop = 0.01\ngust_duration = 0.1",
        "loop = 100000",
        "turbulence = 2\nspeed = 100",
        "profile = { law = 'log', roughness = 100 }",
        "profile = { exponent = 2 }",
    ],
)
def test_an_extreme_wind_blows_or_is_refused(text: str) -> None:
    """None takes long: what repeats within a day with a gust every hundredth of a second has ten million of them."""
    from windflower.scene.wind import wind_of

    try:
        wind = wind_of(parse_scene(f'[[stands]]\nplant = "oak"\n[wind]\n{text}').wind, seed=1)
        velocity = wind.velocity(np.array([[0.0, 10.0, 0.0], [50.0, 2.0, 9.0]]), 3.0)
    except WindflowerError:
        return
    assert np.isfinite(velocity).all()
