"""What we write as glTF, opened by others: the Khronos validator, and three.js in a browser."""

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.clients import picture_sheet
from tests.gltf_reader import Reader
from windflower import Plant, grow, parse_scene
from windflower.export import export
from windflower.mechanics.objects import OBJECTS
from windflower.plant.species import species_names
from windflower.scene import build, scene_of

Blender = Callable[[Path, Sequence[float]], dict[str, Any]]
Validator = Callable[[Sequence[Path]], dict[str, list[str]]]
HOW: dict[str, Any] = {"seconds": 1.0, "fps": 6.0, "pixels": 16}
FORMS: dict[str, dict[str, Any]] = {
    "plain": {"joints": 12},
    "clips": {"joints": 12, "winds": (3.0, 9.0)},
    "compat": {"joints": 12, "compat": True},
    "levels": {"joints": 12, "levels": 3},
    "morph": {"form": "morph", "shapes": 4},
    "many joints": {"joints": 300},  # which are numbered in 16 bits
}
WOOD = '[[stands]]\nplant = "palm"\ndetail = 0.1\ncount = 3'


QUICK = ("plain", "wood")
SWEEP = [*QUICK, *(pytest.param(form, marks=pytest.mark.slow) for form in FORMS if form not in QUICK)]


@pytest.fixture(scope="module")
def written(birch: Plant, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A file in one of the forms, written once."""
    folder = tmp_path_factory.mktemp("glb")

    def write(form: str) -> Path:
        path = folder / f"{form}.glb"
        if form == "wood" and not path.exists():
            export(build(parse_scene(WOOD)), path, joints=8, triangles=3000, **HOW)
        elif not path.exists():
            plant = (
                grow("silver-birch", seed=1, detail=0.2) if form == "many joints" else birch
            )  # too small for so many
            export(plant, path, **HOW | FORMS[form])
        return path

    return write


@pytest.mark.parametrize("form", SWEEP)
def test_the_validator_finds_nothing_in_any_form(
    form: str, written: Callable[[str], Path], gltf_validator: Validator
) -> None:
    assert gltf_validator([written(form)]) == {str(written(form)): []}


@pytest.mark.slow
@pytest.mark.parametrize("name", [*species_names(), *OBJECTS])
def test_the_validator_finds_nothing_in_any_species_and_object_in_any_form(
    name: str, gltf_validator: Validator, tmp_path: Path
) -> None:
    subject = scene_of(name) if name in OBJECTS else grow(name, detail=0.1)
    export(subject, tmp_path / "skin.glb", joints=12, winds=(3.0, 9.0), levels=3, **HOW)
    export(subject, tmp_path / "compat.glb", joints=12, compat=True, triangles=3000, **HOW)
    export(subject, tmp_path / "morph.glb", form="morph", shapes=4, triangles=3000, **HOW)
    detail = "" if name in OBJECTS else "detail = 0.1\n"
    wood = build(parse_scene(f'[[stands]]\nplant = "{name}"\n{detail}positions = [[0, 0], [9, 0], [20, 0]]'))
    export(wood, tmp_path / "wood.glb", joints=8, triangles=3000, **HOW)
    export(wood, tmp_path / "wood_vat.exr", triangles=3000, **HOW)
    files = sorted(tmp_path.glob("*.glb"))
    assert len(files) == 5
    assert gltf_validator(files) == {str(path): [] for path in files}


def test_the_validator_finds_what_is_wrong(
    written: Callable[[str], Path], gltf_validator: Validator, tmp_path: Path
) -> None:
    path = tmp_path / "it.glb"
    path.write_bytes(written("plain").read_bytes().replace(b'"VEC3"', b'"VEC2"', 1))
    assert gltf_validator([path])[str(path)]


@pytest.mark.parametrize("form", SWEEP)
def test_three_js_moves_vertices_as_the_file_says(
    form: str, written: Callable[[str], Path], three: tuple[Any, Path]
) -> None:
    page, folder = three
    path = Path(shutil.copy(written(form), folder))
    times = [0.95 * k / 9 for k in range(10)]
    got = page.evaluate("([path, times]) => vertices(path, 0, times)", [f"/files/{path.name}", times])
    reader = Reader(path)
    if form == "many joints":
        assert len(reader.tree["skins"][0]["joints"]) == 300
    for time, moment in zip(times, got["moments"], strict=True):
        wanted = np.concatenate([reader.vertices(0, time, body) for body in reader.bodies()])
        off = np.linalg.norm(np.reshape(moment, (-1, 3)) - wanted, axis=1)
        assert off.max() < 5e-5  # and the file's numbers are as near to our own skinning (test_glb.py)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "overlap"), [("common-reed", 0.5), ("scots-pine", 0.85), ("hosta", 0.9)])
def test_three_js_shows_what_our_renderer_draws(name: str, overlap: float, three: tuple[Any, Path]) -> None:
    view = picture_sheet.view_of(name)
    alike = picture_sheet.likeness(picture_sheet.theirs(view, *three), picture_sheet.ours(view))
    assert 0.9 < alike.area < 1.3, alike
    assert alike.overlap > overlap, alike
    assert alike.aside < 0.03, alike
    assert 0.65 < alike.light < 1.3, alike


@pytest.mark.parametrize("form", ["plain", pytest.param("morph", marks=pytest.mark.slow)])
def test_blender_moves_vertices_as_the_file_says(form: str, written: Callable[[str], Path], blender: Blender) -> None:
    times = [k / 24 for k in (0, 2, 5, 7, 10, 12, 15, 18, 20, 23)]
    played, reader = blender(written(form), times), Reader(written(form))
    (got,) = (numbers for name, numbers in played.items() if name.startswith("mesh "))
    for time, moment in zip(times, got, strict=True):
        wanted = reader.vertices(0, time)
        assert moment.shape == wanted.shape
        assert np.abs(moment - wanted).max() < 1e-4
