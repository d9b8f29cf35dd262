"""Scans on the command line and in scenes: every sample goes through, with the same options everywhere."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.test_cli import Says, windflower_says
from tests.test_importers import READABLE
from tests.test_scans import bare, pole, scanned
from tests.viewers import Driver
from windflower import SceneSettings, analyse, build_scene, grow, parse_scene, prepare_scan, read
from windflower.cli.plant_options import PlantOptions
from windflower.core.device import Gpu
from windflower.errors import SceneError
from windflower.scene import settings_of
from windflower.scene.files import toml_text
from windflower.scene.named_files import named_files
from windflower.viewer.panel.wood_parts import OF_ANOTHER

__all__ = ["windflower_says"]  # a fixture

FEW = ("qsm/QSM_2.mat",)
ALL = [name if name in FEW else pytest.param(name, marks=pytest.mark.slow) for name in READABLE]
SMALL = ("--size", "64x48", "--quality", "draft", "--count", "4")
MOTION = "motion = { kind = 'modal', modes = 2, cells = 1 }"
EVERY = ("modes", "sway", "loop", "show", "info", "render", "view", "export")
"""Commands that take a plant."""


@pytest.fixture
def scan(tmp_path: Path) -> Path:
    """A blurred scan with few nodes, as a file."""
    path = tmp_path / "scan.npz"
    scanned(bare("quaking-aspen"), 0.015).save(path)
    return path


def stand(text: str) -> SceneSettings:
    return parse_scene(f"[[stands]]\n{text}")


@pytest.mark.parametrize("name", ALL)
def test_every_sample_goes_through_modes_sway_loop_and_a_scene(
    name: str, shared_data: Path, windflower_says: Says, gpu: object, tmp_path: Path
) -> None:
    file = shared_data / name
    code, out, err = windflower_says("modes", str(file), "--count", "3", "--json")
    assert code == 0, err
    assert all(mode["frequency"] > 0.02 for mode in json.loads(out))
    code, _, err = windflower_says("sway", str(file), "--count", "4", "--seconds", "1", "-o", "sway.png")
    assert code == 0, err
    code, _, err = windflower_says("loop", str(file), "--seconds", "2", *SMALL, "-o", "loop.png")
    assert code == 0, err
    (tmp_path / "scene.toml").write_text(
        f"seconds = 0.1\n[[stands]]\nplant = {json.dumps(str(file))}\nmotion = {{ kind = 'modal', modes = 4 }}\n"
    )
    code, _, err = windflower_says(
        "render", "scene.toml", "-o", "scene.png", "--allow", str(file.parent), "--size", "64x48", "--quality", "draft"
    )
    assert code == 0, err
    assert all((tmp_path / file).read_bytes().startswith(b"\x89PNG") for file in ("sway.png", "loop.png", "scene.png"))
    assert gpu


@pytest.mark.parametrize("command", EVERY)
def test_every_command_that_takes_a_plant_has_the_same_options(command: str, windflower_says: Says) -> None:
    code, out, _ = windflower_says(command, "--help")
    assert code == 0
    for name in PlantOptions.__dataclass_fields__:
        assert f"--{name.replace('_', '-')}" in out


@pytest.mark.parametrize("key", [name for name in PlantOptions.__dataclass_fields__ if name != "seed"])
def test_every_option_of_a_plant_is_a_key_of_a_stand(key: str) -> None:
    assert key in SceneSettings.model_fields["stands"].annotation.__args__[0].model_fields  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--wood", "oka"), "did you mean 'oak'?"),
        (("--species", "silver-brich"), "did you mean 'silver-birch'?"),
        (("--radii", "mesured"), "did you mean 'measured'?"),
        (("--unit", "inch"), "a unit is m, dm, cm, mm, 0.1 mm, or a positive number of metres; 'inch' is not"),
        (("--diameter-unit", "-1"), "a positive number of metres; -1.0 is not"),
        (("--up", "w"), "up is one of x, -x, y, -y, z, -z; it is 'w'"),
        (("--unit", "cm"), "--unit is only for plants read from a file; 'oak' is a species. Leave it out"),
        (("--roots", "clampd"), "did you mean 'clamped'?"),
        (("--roots", "-3"), "a stiffness above 0"),
        (("--scale", "0"), "from 0.001 to 100"),
    ],
)
def test_a_bad_option_is_one_line_with_what_was_meant(words: tuple[str, str], told: str, windflower_says: Says) -> None:
    code, _, err = windflower_says("info", "oak", *words)
    assert code == 2
    assert err.count("\n") == 1
    assert told in err


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('plant = "a.npz"\nspecies = "oka"', "did you mean 'oak'?"),
        ('plant = "a.npz"\nwood = "oka"', "did you mean 'oak'?"),
        ('plant = "a.npz"\nroots = "clampd"', "did you mean 'clamped'?"),
        ('plant = "a.npz"\nroots = 0', "above 0"),
        ('plant = "a.npz"\nroots = true', "above 0"),
        ('plant = "oak"\nspecies = "walnut"', "species is only for plants read from a file"),
        ('plant = "oak"\nradii = "measured"', "radii is only for plants read from a file"),
        ('plant = "oak"\ndiameter_unit = "mm"', "diameter_unit is only for plants read from a file"),
        ('plant = "a.csv"\nunit = "inch"', "a unit is m, dm, cm, mm, 0.1 mm, or a positive number"),
        ('plant = "a.csv"\nunit = 0', "a positive number of metres; 0 is not"),
        ('plant = "a.csv"\ndiameter_unit = true', "a positive number of metres; 'True' is not"),
        ('plant = "a.csv"\nup = "w"', "up"),
        ('plant = "flag"\nroots = "clamped"', "roots is for plants"),
        ('plant = "flag"\nwood = "oak"', "wood is for plants"),
    ],
)
def test_a_bad_key_of_a_stand_is_refused_with_what_was_meant(text: str, told: str) -> None:
    with pytest.raises(SceneError, match=told.replace("?", r"\?")):
        stand(text)


def test_units_and_axes_of_a_file_are_said_on_the_command_line_and_in_scenes_as_in_python(
    windflower_says: Says, tmp_path: Path
) -> None:
    rows = [f"{i},{i - 1},0,{100 * i},0,0,{100 * (i + 1)},0,{60 - 10 * i},0" for i in range(5)]  # cm, mm, y up
    head = "ID,parentID,startX,startY,startZ,endX,endY,endZ,radius,branchOrder"
    (tmp_path / "tree.csv").write_text("\n".join([head, *rows]))
    wanted = read(tmp_path / "tree.csv", unit="cm", diameter_unit="mm", up="y")
    assert wanted.height == pytest.approx(5)
    assert 0.1 < 2 * wanted.radius.max() < 0.13
    said = ("--unit", "cm", "--diameter-unit", "0.001", "--up", "y")
    code, out, err = windflower_says("info", "tree.csv", *said, "--json")
    assert code == 0, err
    assert json.loads(out)["height"] == pytest.approx(5)
    keys = f'unit = "cm"\ndiameter_unit = "mm"\nup = "y"\nradii = "measured"\n{MOTION}'
    built = build_scene(stand(f"plant = {json.dumps(str(tmp_path / 'tree.csv'))}\n{keys}"))
    assert np.array_equal(built.stands[0].plant.position, wanted.position)
    assert np.array_equal(built.stands[0].plant.radius, wanted.radius)
    assert "Set unit (--unit)" in windflower_says("info", "tree.csv", "--unit", "1000")[2]


def test_the_keys_of_a_scan_are_saved_and_read_again() -> None:
    keys = 'plant = "a.npz"\nspecies = "mine.toml"\nwood = "oak"\nleaves = false\ngravity = false\nroots = 2e6'
    for more in (
        '\nunit = "cm"\ndiameter_unit = 0.0254\nup = "-y"',
        '\nradii = "measured"',
        '\nradii = "corrected"\nscale = 2.0\nyaw_variation = 10.0',
    ):
        settings = stand(keys + more)
        assert parse_scene(toml_text(settings)) == settings
    assert dict(named_files(settings))["stands[0].species"] == "mine.toml"


@pytest.mark.parametrize(
    ("more", "varies"),
    [
        ("", False),
        ("count = 1", False),
        ("positions = [[3, 4]]", False),
        ("count = 1\nyaw_variation = 20", True),
        ("count = 3\nspacing = 3", True),
        ("positions = [[3, 4], [30, 4]]", True),
    ],
)
def test_a_single_read_plant_stands_as_it_was_measured_unless_the_scene_says_otherwise(
    more: str, varies: bool, scan: Path
) -> None:
    scene = build_scene(stand(f"plant = {json.dumps(str(scan))}\ndetail = 0.1\n{MOTION}\n{more}"))
    places = scene.stands[0].places
    assert bool(places.yaw.any()) == varies
    if "yaw_variation" not in more:
        assert (bool((places.scale != 1).any()), bool((places.stiffness != 1).any())) == (varies, varies)


def test_a_stand_is_made_of_its_wood_on_its_roots_with_or_without_its_weight(scan: Path) -> None:
    def first(keys: str) -> float:
        scene = build_scene(stand(f"plant = {json.dumps(str(scan))}\n{MOTION}\n{keys}"))
        return float(scene.stands[0].motion.modes.frequency[0])  # type: ignore[attr-defined]

    plain = first("roots = 'clamped'")
    assert first("") < plain
    assert first("roots = 5e3") < first("")
    assert first("roots = 'clamped'\ngravity = false") > plain
    assert first("roots = 'clamped'\nwood = 'aspen'") != pytest.approx(plain, rel=0.01)
    assert first("roots = 'clamped'\nradii = 'measured'") < 0.9 * plain
    assert first("roots = 'clamped'\nspecies = 'quaking-aspen'") < plain  # in leaf


def test_modes_of_a_scan_are_those_of_its_scene(scan: Path, windflower_says: Says) -> None:
    _, out, _ = windflower_says("modes", str(scan), "--count", "2", "--wood", "oak", "--roots", "1e5", "--json")
    scene = build_scene(settings_of(scan, wood="oak", roots=1e5, motion={"kind": "modal", "modes": 2, "cells": 1}))
    modes = scene.stands[0].motion.modes  # type: ignore[attr-defined]
    assert [mode["frequency"] for mode in json.loads(out)] == pytest.approx(modes.frequency.tolist())


def test_a_plant_passed_to_python_is_prepared_too() -> None:
    from windflower.scene import scene_of

    reed = pole(40.0, 0.02)
    modes = scene_of(reed).stands[0].motion.modes  # type: ignore[attr-defined]
    assert not modes.conditions.gravity


def test_a_larger_plant_sways_as_much_slower(windflower_says: Says) -> None:
    words = (
        "modes",
        "oak",
        "--detail",
        "0.1",
        "--count",
        "1",
        "--no-gravity",
        "--no-leaves",
        "--roots",
        "clamped",
        "--json",
    )
    one, two = (json.loads(windflower_says(*words, "--scale", scale)[1])[0]["frequency"] for scale in ("1", "2"))
    assert two == pytest.approx(one / 2, rel=1e-6)


def test_what_was_done_to_a_scan_is_said_beside_the_results(scan: Path, windflower_says: Says) -> None:
    code, out, err = windflower_says("info", str(scan), "--json")
    assert code == 0
    found = json.loads(out)
    ready = prepare_scan(read(scan)).plant
    assert found["wood_volume"] == pytest.approx(ready.wood_volume)
    assert found["wood"] == "hardwood"
    assert err.count("tapered by the pipe model") == 1
    assert "tapered" not in windflower_says("info", str(scan), "--radii", "measured")[2]


@pytest.mark.slow
def test_warnings_of_a_scene_reach_the_command_line(
    scan: Path, windflower_says: Says, gpu: object, tmp_path: Path
) -> None:
    code, _, err = windflower_says(
        "render", scan.name, "--species", "quaking-aspen", "-o", "a.png", "--size", "32x32", "--quality", "draft"
    )
    assert code == 0
    assert err.count("tapered by the pipe model") == 1
    assert err.count("leaves are grown on it") == 1
    assert (tmp_path / "a.png").exists()
    assert gpu


def test_a_forester_reads_the_measures_of_a_tree(windflower_says: Says) -> None:
    _, out, _ = windflower_says("info", "spruce", "--detail", "0.2")
    for what in (
        "diameter at breast height",
        "volume of the stem",
        "volume of wood",
        "fresh mass",
        "spruce wood",
        "m²",
    ):
        assert what in out


def test_export_and_show_take_the_prepared_plant(scan: Path, windflower_says: Says, tmp_path: Path) -> None:
    assert windflower_says("export", str(scan), "-o", "thin.csv")[0] == 0
    assert windflower_says("export", str(scan), "--radii", "measured", "-o", "thick.csv")[0] == 0
    assert (tmp_path / "thin.csv").read_text() != (tmp_path / "thick.csv").read_text()
    assert windflower_says("show", str(scan), "--species", "oak", "-o", "a.png")[0] == 0


def test_detail_is_lowered_after_a_scan_is_judged(scan: Path, windflower_says: Says) -> None:
    _, _, err = windflower_says("info", str(scan), "--detail", "0.1")
    assert "tapered" in err
    fine = replace(grow("oak", detail=1.0), species="", seed=None)
    assert not prepare_scan(fine).notes
    assert np.array_equal(prepare_scan(fine).plant.radius, fine.radius)
    assert analyse(fine, count=1, cache=False).conditions.gravity


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of POSIX")
def test_a_help_that_nobody_reads_on_ends_like_other_tools() -> None:
    command = f"{sys.executable} -m windflower --help | head -1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert done.stdout.split()[-1] in ("141", "0")  # 0 if the pipe held all of it
    assert not done.stderr


def test_the_panel_says_what_a_scan_is_taken_for_and_another_plant_takes_its_place(
    scan: Path, gpu: Gpu, tmp_path: Path
) -> None:
    driver = Driver(gpu, tmp_path, f"[[stands]]\nplant = {json.dumps(str(scan))}\ndetail = 0.1\n{MOTION}")
    driver.frames(2)
    driver.click("Plants")
    driver.frames(2)
    assert {"taken for", "radii", "wood", "roots", "weight"} <= set(driver.window.panel.form.rectangles)
    session = driver.session
    session.set_stand(0, species="quaking-aspen", wood="oak", roots="clamped", radii="measured")
    driver.settle()
    assert len(session.scene.stands[0].plant.leaves) > 10
    session.set_stand(0, plant="flag", **OF_ANOTHER)
    driver.settle()
    driver.frames(2)
    assert session.settings.stands[0].plant == "flag"
    assert "wood" not in driver.window.panel.form.rectangles
