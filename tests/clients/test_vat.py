"""The meshes of vertex animation textures, opened by the Khronos validator."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from windflower import grow
from windflower.export import export
from windflower.scene import build, parse_scene

HOW: dict[str, Any] = {"seconds": 1.0, "fps": 6.0, "pixels": 16}


def test_the_validator_finds_nothing_in_the_mesh_of_a_plant_and_of_a_scene(
    gltf_validator: Callable[[Sequence[Path]], dict[str, list[str]]], tmp_path: Path
) -> None:
    export(grow("palm", detail=0.1), tmp_path / "palm_vat.png", **HOW)
    export(build(parse_scene('[[stands]]\nplant = "palm"\ndetail = 0.1\ncount = 3')), tmp_path / "wood_vat.exr", **HOW)
    files = [tmp_path / "palm_vat.glb", tmp_path / "wood_vat.glb"]
    assert gltf_validator(files) == {str(file): [] for file in files}
