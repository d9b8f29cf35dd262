"""Still meshes for other programs, read back by readers of their own."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import windflower
from tests.sampled import sampled
from windflower import Plant, grow
from windflower.cli.commands import app
from windflower.core.arrays import FloatArray, IntArray
from windflower.errors import FileError
from windflower.export import export
from windflower.export.leaf_light import BLADE_THROUGH, blade_gain
from windflower.export.posed_plant import PosedPlant
from windflower.export.recording import recorded_stands, resting_stand
from windflower.export.settings import ExportSettings
from windflower.export.stand_loops import mean_air, points_at
from windflower.geometry.frames import LeafConditions
from windflower.geometry.lod_meshes import plant_meshes
from windflower.geometry.sheet_textures import WARMER
from windflower.geometry.triangle_mesh import triangle_mesh
from windflower.plant.graph import Leaves


class Obj:
    """A Wavefront file: rows of numbers by keyword, and corners (faces, 3, 3) of place, coordinates and normal."""

    def __init__(self, path: Path) -> None:
        self.words: dict[str, list[list[str]]] = {}
        for line in path.read_text().splitlines():
            if line and not line.startswith("#"):
                key, *rest = line.split()
                self.words.setdefault(key, []).append(rest)
        corners = [[corner.split("/") for corner in face] for face in self.words["f"]]
        self.corner: IntArray = np.array(corners).astype(np.int64) - 1

    def rows(self, key: str) -> FloatArray:
        return np.array(self.words[key]).astype(np.float64)


def as_meshed(plant: Plant, points: FloatArray | None = None, leaves: LeafConditions | None = None) -> FloatArray:
    posed = None if points is None else points[None]
    mesh = triangle_mesh(plant_meshes(plant).meshes[0], posed, leaves=leaves, sprigs=True)
    return mesh.position[0][mesh.triangle].reshape(-1, 9)


def assert_same_triangles(got: FloatArray, wanted: FloatArray, tolerance: float) -> None:
    """Corners (triangles, 3, 3); leaves may be turned around, so that corners are compared in any order."""
    middle, wanted_middle = (part.reshape(-1, 3, 3).mean(axis=1) for part in (got, wanted))
    np.testing.assert_allclose(middle, wanted_middle, atol=tolerance)


def test_an_obj_file_has_the_plant_at_rest_with_normals_coordinates_and_textures(birch: Plant, tmp_path: Path) -> None:
    export(birch, tmp_path / "birch.obj", pixels=16)
    obj = Obj(tmp_path / "birch.obj")
    place, normal, uv = obj.rows("v")[:, :3], obj.rows("vn"), obj.rows("vt")
    assert_same_triangles(place[obj.corner[..., 0]], as_meshed(birch), 2e-6)
    np.testing.assert_allclose(np.linalg.norm(normal, axis=1), 1, atol=1e-4)
    corners = place[obj.corner[..., 0]]
    flat = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert ((flat * normal[obj.corner[:, 0, 2]]).sum(axis=1) > 0).mean() > 0.95
    assert uv[obj.corner[..., 1]].shape == (*corners.shape[:2], 2)
    assert obj.words["usemtl"] == [["bark"], ["leaves"]]
    materials = (tmp_path / obj.words["mtllib"][0][0]).read_text().split()
    pictures = {word for word in materials if word.endswith((".png", ".jpg"))}
    assert pictures == {"birch_bark.jpg", "birch_bark_relief.jpg", "birch_leaves.png"}
    assert {path.name for path in tmp_path.iterdir()} == pictures | {"birch.obj", "birch.mtl"}


def test_a_leaf_shows_its_picture_upright_in_a_file_whose_pictures_begin_below(birch: Plant, tmp_path: Path) -> None:
    from PIL import Image

    export(birch, tmp_path / "birch.obj", pixels=16)
    obj = Obj(tmp_path / "birch.obj")
    leaf = obj.corner[-2 * len(birch.leaves) * plant_meshes(birch).meshes[0].sprig.drawn :].reshape(-1, 3)
    place, height = obj.rows("v")[leaf[:, 0]][:, :3], obj.rows("vt")[leaf[:, 1]][:, 1]
    assert 0 <= height.min() < 0.1
    assert 0.9 < height.max() <= 1
    away = np.linalg.norm(birch.position - place[:, None], axis=2).min(axis=1)
    foot, tip = (away[height == end].mean() for end in (height.min(), height.max()))
    assert foot < 0.8 * tip  # a leaf's foot, at the bottom of its picture, is nearer to the wood
    alpha = np.asarray(Image.open(tmp_path / "birch_leaves.png"))[..., 3]
    assert alpha[-8:].mean() < alpha[len(alpha) // 2].mean()  # below is the stalk, which is narrow


def test_a_still_of_a_moment_is_bent_as_the_loop_is_then(birch: Plant, tmp_path: Path) -> None:
    export(birch, tmp_path / "birch.obj", at=0.7, winds=(14.0,), seconds=1.5, pixels=16)
    obj = Obj(tmp_path / "birch.obj")
    stand = recorded_stands(birch, 14.0, 1.5)[0]
    wanted = as_meshed(birch, points_at(stand, 0.7), LeafConditions(air=mean_air(stand)[None], steady=True))
    got = obj.rows("v")[:, :3][obj.corner[..., 0]]
    assert_same_triangles(got, wanted, 2e-6)
    assert np.abs(got - as_meshed(birch).reshape(got.shape)).max() > 0.05
    with pytest.raises(FileError, match=r"a plant at rest has no winds; name a moment with --at"):
        export(birch, tmp_path / "other.obj", winds=(14.0,))
    with pytest.raises(FileError, match="a still is of one wind; 2 are named"):
        export(birch, tmp_path / "other.obj", winds=(14.0, 3.0), at=1.0)


def test_a_ply_file_has_triangles_normals_and_colours_of_bark_and_leaves(birch: Plant, tmp_path: Path) -> None:
    export(birch, tmp_path / "birch.ply")
    data = (tmp_path / "birch.ply").read_bytes()
    head, body = data[: data.index(b"end_header\n")].decode().splitlines(), data[data.index(b"end_header\n") + 11 :]
    kinds = {"float": "<f4", "uchar": "u1"}
    vertex = np.dtype(
        [
            (line.split()[2], kinds[line.split()[1]])
            for line in head
            if line.startswith("property ") and "list" not in line
        ]
    )
    count, faces = (int(line.split()[2]) for line in head if line.startswith("element"))
    rows = np.frombuffer(body, vertex, count)
    corners = np.frombuffer(body, np.dtype([("n", "u1"), ("v", "<i4", 3)]), faces, rows.nbytes)
    assert len(body) == rows.nbytes + corners.nbytes
    assert (corners["n"] == 3).all()
    place = np.column_stack([rows[axis] for axis in "xyz"]).astype(np.float64)
    wood = len(as_meshed(birch)) - 2 * len(birch.leaves) * plant_meshes(birch).meshes[0].sprig.drawn
    assert_same_triangles(place[corners["v"][:wood]], as_meshed(birch)[:wood], 2e-6)
    normals = np.column_stack([rows[f"n{axis}"] for axis in "xyz"])
    assert (np.linalg.norm(normals, axis=1) > 0.5).all()
    green = rows["green"].astype(int) - rows["red"]
    assert green[corners["v"][wood:]].mean() > 10  # leaves
    assert abs(green[corners["v"][0]]).max() < 60  # wood
    cards, leaves = as_meshed(birch)[wood:].reshape(-1, 3, 3), place[corners["v"][wood:]]
    sides = [np.cross(part[:, 1] - part[:, 0], part[:, 2] - part[:, 0]) for part in (leaves, cards)]
    share = np.linalg.norm(sides[0], axis=1).sum() / np.linalg.norm(sides[1], axis=1).sum()
    assert 0.2 < share < 0.9  # leaves are cut out of their cards
    outward = (sides[0] * normals[corners["v"][wood:, 0]]).sum(axis=1) > 0
    assert outward.mean() > 0.8


@pytest.mark.parametrize("name", sampled(("spruce", "silver-birch", "scots-pine", "walnut"), "spruce"))
def test_needles_and_thin_leaves_stay_where_their_picture_is_shown_small(name: str) -> None:
    look = PosedPlant.of(resting_stand(grow(name, detail=0.05)), ExportSettings(pixels=16)).look
    alpha = look.pictures["leaves"].pixels[..., 3]
    for step in (4, 8, 16):
        height, width = (side // step for side in alpha.shape)
        small = alpha[: height * step, : width * step].reshape(height, step, width, step).mean(axis=(1, 3))
        assert 0.6 < (small > look.cutoff).mean() / alpha.mean() < 2.6


def test_a_scan_with_an_odd_name_makes_files_that_can_be_read(birch: Plant, tmp_path: Path) -> None:
    odd = replace(birch, leaves=Leaves(), species='my\nscan "ü"')
    export(odd, tmp_path / "my tree's.obj", pixels=16)
    obj = Obj(tmp_path / "my tree's.obj")
    assert obj.words["o"] == [["my_scan_ü_"]]
    materials = (tmp_path / obj.words["mtllib"][0][0]).read_text().split()
    assert all((tmp_path / word).exists() for word in materials if word.endswith((".png", ".jpg")))
    export(odd, tmp_path / "tree.ply")
    head = (tmp_path / "tree.ply").read_bytes().split(b"end_header")[0].decode("ascii").splitlines()
    assert {line.split()[0] for line in head} == {"ply", "format", "comment", "element", "property"}


def test_a_texture_of_another_export_is_not_replaced_unasked(birch: Plant, tmp_path: Path) -> None:
    (tmp_path / "birch_bark.jpg").write_bytes(b"painted by hand")
    with pytest.raises(FileError, match=r"birch_bark\.jpg is written beside birch\.obj and is there already"):
        export(birch, tmp_path / "birch.obj", pixels=16)
    assert [path.name for path in tmp_path.iterdir()] == ["birch_bark.jpg"]


def test_a_still_is_exported_from_the_command_line(tmp_path: Path) -> None:
    line = f"export silver-birch --detail 0.05 -o {tmp_path / 'birch.ply'}"
    done = CliRunner().invoke(app, line.split())
    assert done.exit_code == 0, done.output
    assert "triangles" in done.output


def test_blades_have_the_colour_that_they_are_drawn_with_and_the_light_that_they_let_through() -> None:
    drawn = (Path(windflower.__file__).parent / "render/wgsl/surface.wgsl").read_text()
    for numbers in (WARMER, BLADE_THROUGH):
        assert f"vec3f({', '.join(map(str, numbers))})" in drawn
    np.testing.assert_allclose(blade_gain(0.0), 1, atol=0.06)
    red, green, blue = blade_gain(0.5)
    assert red > 1.15
    assert green > 1.15
    assert blue < 1.1  # yellower
