"""glTF files of moving plants, read back by a reader of their own."""

import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from tests import exported_plants
from tests.exported_plants import recorded, written_order
from tests.gltf_reader import Reader
from windflower import Plant, grow, parse_scene
from windflower.cli.commands import app
from windflower.core.arrays import FloatArray
from windflower.core.text import plain
from windflower.errors import FileError
from windflower.export import export, glb
from windflower.export.joint_count import within_error
from windflower.export.moving_plant import MovingPlant
from windflower.export.settings import ExportSettings
from windflower.export.skinned_glb import SkinnedGlb
from windflower.export.stand_loops import mean_air
from windflower.geometry.frames import LeafConditions
from windflower.geometry.triangle_mesh import WOOD, triangle_mesh
from windflower.plant.species import species_names
from windflower.scene import build, scene_of

SECONDS, FPS = 2.0, 12.0
SMALL: dict[str, Any] = {"seconds": 1.0, "fps": 8.0, "pixels": 16}


@pytest.fixture(scope="module")
def moving(birch: Plant) -> MovingPlant:
    return exported_plants.moving(recorded(birch, seconds=SECONDS), fps=FPS)


def reader_of(moving: MovingPlant, folder: Path, **how: Any) -> Reader:
    file = SkinnedGlb("a test", pixels=16, **how)
    file.add(moving, "birch")
    (folder / "birch.glb").write_bytes(file.whole())
    return Reader(folder / "birch.glb")


@pytest.fixture(scope="module")
def written(moving: MovingPlant, tmp_path_factory: pytest.TempPathFactory) -> Reader:
    return reader_of(moving, tmp_path_factory.mktemp("glb"))


def rms(vectors: FloatArray) -> float:
    return float(np.sqrt((vectors**2).sum(axis=-1).mean()))


def test_a_file_plays_the_motion_of_the_posed_mesh(moving: MovingPlant, written: Reader) -> None:
    some, order = np.array([0, 7, 16]), written_order(moving)
    wanted = moving.posed(moving.clips[0].posed[some])[:, order]
    got = np.array([written.vertices(0, SECONDS * k / 24) for k in some])
    assert got.shape == wanted.shape
    assert rms(got - wanted) < 0.15 * rms(wanted - moving.posed(moving.clips[0].posed).mean(axis=0)[order])
    wrong, motion = moving.error(moving.clips[0])
    assert moving.errors() == [
        f"wind 8 m/s: vertices are {plain(1000 * wrong, 3)} mm rms from the posed mesh, "
        f"{100 * wrong / motion:.1f} % of their motion of {plain(1000 * motion, 3)} mm"
    ]


def test_a_file_moves_vertices_as_our_own_skinning_does(moving: MovingPlant, written: Reader) -> None:
    (clip,) = moving.clips
    own = moving.rig.skinned(moving.motion(clip), moving.bound.position[0], *moving.skin)[:, written_order(moving)]
    some = np.linspace(0, len(own), 10, endpoint=False).astype(int)
    got = np.array([written.vertices(0, SECONDS * k / len(own)) for k in some])
    assert np.linalg.norm(got - own[some], axis=-1).max() < 5e-5  # what clients may be off of the file as much


def test_a_skin_is_bound_in_a_pose_as_long_as_the_plant(moving: MovingPlant) -> None:
    """The mean of places on an arc lies inside of it: a frond that swings round would be shorter."""
    parent, points = moving.tree.parent[: len(moving.mesh.rest)], moving.rig.bind[: len(moving.mesh.rest)]
    borne = np.flatnonzero(parent >= 0)
    length, rest = (np.linalg.norm(place[borne] - place[parent[borne]], axis=1) for place in (points, moving.mesh.rest))
    np.testing.assert_allclose(length, rest, rtol=1e-6)


def test_leaves_lean_to_the_lee_as_they_are_drawn_on_average(tmp_path: Path) -> None:
    clips = recorded(grow("common-reed", detail=0.3), seconds=1.0)
    ((stand,),) = clips.values()
    plant, air = exported_plants.moving(clips, fps=8.0, joints=16), mean_air(stand)[None]
    points, times = plant.clips[0].posed[[3]], np.linspace(0, 9, 40)
    order = plant.look(16).parts["leaves"].vertex
    drawn = [LeafConditions(air=air, time=float(time)) for time in times]
    fluttering = [triangle_mesh(plant.mesh, points, leaves=now, sprigs=True).position[0, order] for now in drawn]
    calm = triangle_mesh(plant.mesh, points, sprigs=True).position[0, order]
    mean = np.mean(fluttering, axis=0)
    written = reader_of(plant, tmp_path).vertices(0, 3 / 8)[-len(order) :]
    assert rms(written - mean) < 0.35 * rms(calm - mean)


def test_a_loop_ends_as_it_begins_in_place_and_velocity(written: Reader) -> None:
    step = 1 / FPS
    first, end = written.vertices(0, 0.0), written.vertices(0, SECONDS)
    assert np.abs(first - end).max() < 1e-6
    leaving, coming = written.vertices(0, step) - first, end - written.vertices(0, SECONDS - step)
    times = np.arange(1, 20) * step
    path = np.array([written.vertices(0, time) for time in times])
    change = rms(np.diff(path, n=2, axis=0))
    assert rms(leaving - coming) < 2 * change  # as from key to key elsewhere


def test_vertices_have_all_that_a_reader_needs(written: Reader) -> None:
    parts = written.tree["meshes"][0]["primitives"]
    assert [written.tree["materials"][one["material"]]["name"] for one in parts] == ["bark", "leaves"]
    for number in range(2):
        normals = written.attribute("NORMAL", number)
        np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1, atol=1e-5)
    tangents = written.attribute("TANGENT")
    np.testing.assert_allclose((tangents[:, :3] * written.attribute("NORMAL")).sum(axis=1), 0, atol=1e-5)
    assert set(np.abs(tangents[:, 3])) == {1.0}


def test_leaves_tell_shaders_how_far_they_flutter(written: Reader) -> None:
    reach, phase = written.attribute("TEXCOORD_1", 1).T.reshape(2, -1, 4)
    assert (reach[:, 2:].mean(axis=1) > reach[:, :2].mean(axis=1)).mean() > 0.9  # tips more than feet
    assert (phase == phase[:, :1]).all()
    assert np.ptp(phase) > 0.9
    told = written.tree["materials"][1]["extras"]["flutter"]
    assert 0.001 < told["metres"] < 1
    assert told["hertz"] > 0


def test_several_winds_are_clips_on_one_skeleton_that_is_bound_at_rest(birch: Plant, tmp_path: Path) -> None:
    moving = exported_plants.moving(recorded(birch, winds=(3.0, 12.0), **SMALL), joints=16, **SMALL)
    reader = reader_of(moving, tmp_path)
    assert [one["name"] for one in reader.tree["animations"]] == ["wind 3 m/s", "wind 12 m/s"]
    own = moving.bound.position[0, moving.look(16).parts["bark"].vertex]
    np.testing.assert_allclose(reader.attribute("POSITION"), own, atol=1e-4)
    np.testing.assert_allclose(moving.bound.position[0], moving.posed(moving.mesh.rest[None])[0], atol=1e-9)
    assert all("% of their way of" in sentence for sentence in moving.errors())


def test_picky_readers_get_floats_and_no_extensions(moving: MovingPlant, written: Reader, tmp_path: Path) -> None:
    plain = reader_of(moving, tmp_path, compat=True)
    assert "extensionsUsed" not in plain.tree
    kinds = {
        plain.tree["accessors"][sampler["output"]]["componentType"]
        for sampler in plain.tree["animations"][0]["samplers"]
    }
    weights = plain.tree["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"]
    assert kinds | {plain.tree["accessors"][weights]["componentType"]} == {5126}
    roots = plain.tree["scenes"][0]["nodes"]
    assert plain.bodies()[0] in roots
    assert plain.tree["skins"][0]["joints"][0] in roots
    assert np.abs(plain.vertices(0, 0.7) - written.vertices(0, 0.7)).max() < 1e-3


def test_levels_of_detail_move_on_the_same_joints(moving: MovingPlant, tmp_path: Path) -> None:
    reader = reader_of(moving, tmp_path, levels=3)
    finest = reader.tree["nodes"][reader.bodies()[0]]
    coarser = finest["extensions"]["MSFT_lod"]["ids"]
    assert len(coarser) == min(2, len(moving.coarser()))
    assert reader.tree["extensionsUsed"] == ["MSFT_lod"]
    assert len(finest["extras"]["MSFT_screencoverage"]) == 1 + len(coarser)
    for node, plant in zip(coarser, moving.coarser(), strict=False):
        assert reader.tree["nodes"][node]["skin"] == finest["skin"]
        order = written_order(plant)
        wanted = plant.posed(plant.clips[0].posed[[9]])[0, order]
        off = rms(reader.vertices(0, SECONDS * 9 / 24, node) - wanted)
        assert off < 0.25 * rms(wanted - plant.posed(plant.clips[0].posed).mean(axis=0)[order])


def test_triangles_of_coarser_levels_are_told(moving: MovingPlant) -> None:
    file = SkinnedGlb("a test", pixels=16, levels=3)
    file.add(moving, "birch")
    assert file.coarser == [len(one.bound.triangle) for one in moving.coarser()[:2]]
    assert len(moving.bound.triangle) > max(file.coarser)


def test_shapes_play_the_loop_with_weights_from_0_to_1(birch: Plant, moving: MovingPlant, tmp_path: Path) -> None:
    said = export(birch, tmp_path / "birch.glb", form="morph", shapes=6, seconds=SECONDS, fps=FPS, pixels=16)
    reader = Reader(tmp_path / "birch.glb")
    weights = reader.numbers(reader.tree["animations"][0]["samplers"][0]["output"]).reshape(-1, 6)
    assert weights.min() >= 0
    assert weights.max() <= 1
    np.testing.assert_array_equal(weights[0], weights[-1])
    assert np.ptp(reader.attribute("TEXCOORD_1", 1), axis=0).min() > 0.5  # flutter
    wanted = moving.posed(moving.clips[0].posed[[5]])[0, written_order(moving)]
    wrong = float(said[1].split("are ")[1].split(" mm")[0]) / 1000
    assert rms(reader.vertices(0, SECONDS * 5 / 24) - wanted) < 3 * wrong


def test_a_wood_is_turned_this_way_and_that_and_does_not_sway_in_unison_but_leans_downwind(tmp_path: Path) -> None:
    scene = build(parse_scene('[wind]\nspeed = 12\n[[stands]]\nplant = "palm"\ndetail = 0.1\ncount = 5'))
    said = export(scene, tmp_path / "wood.glb", joints=8, triangles=3000, **SMALL)
    reader = Reader(tmp_path / "wood.glb")
    assert said[0].startswith("5 plants")
    assert len(reader.tree["images"]) == 4
    own = scene.stands[0].places
    yaws, moved = [], []
    for body in reader.bodies():
        path = np.array([reader.vertices(0, time, body) for time in (0.0, 0.25, 0.5, 0.75)])
        placed = reader.tree["nodes"][body - 1]
        number = int(np.argmin(np.linalg.norm(own.position - placed["translation"], axis=1)))
        np.testing.assert_allclose(own.position[number], placed["translation"], atol=1e-4)
        yaws.append(2 * np.arctan2(placed["rotation"][1], placed["rotation"][3]))
        assert np.cos(yaws[-1] - own.yaw[number]) > np.cos(np.pi / 5) - 1e-6
        crown = (path - placed["translation"]).mean(axis=(0, 1)) / placed["scale"][0]
        assert crown[0] > max(0.5, 2 * abs(crown[2]))
        moved.append((path - path.mean(axis=0)) / placed["scale"][0])
    assert len(np.unique(np.round(yaws, 3))) == len(reader.tree["meshes"]) > 2
    for other in moved[1:]:
        assert rms(moved[0] - other) > 0.3 * rms(moved[0])


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("road-sign", ["bark", "blades", "backs"]),
        pytest.param("flag", ["bark", "blades"], marks=pytest.mark.slow),
        pytest.param("banana", ["bark", "blades"], marks=pytest.mark.slow),
    ],
)
def test_sheets_and_blades_are_parts_with_their_own_look(name: str, parts: list[str], tmp_path: Path) -> None:
    subject = grow(name, detail=0.2) if name == "banana" else scene_of(name)
    export(subject, tmp_path / "it.glb", joints=12, **SMALL)
    reader = Reader(tmp_path / "it.glb")
    assert [material["name"] for material in reader.tree["materials"]] == parts
    assert reader.tree["materials"][1].get("doubleSided", False) == (name != "road-sign")


def test_a_plant_in_water_sways_in_a_current(tmp_path: Path) -> None:
    said = export(grow("eelgrass", detail=0.1), tmp_path / "it.glb", joints=12, **SMALL)
    assert said[1].startswith("current 0.15 m/s")


@pytest.mark.slow
def test_joints_are_added_until_an_error_is_met_and_not_many_more(birch: Plant, moving: MovingPlant) -> None:
    few = moving.with_joints(16)
    wrong, motion = few.error(few.clips[0])
    enough = within_error(few, ExportSettings(within_share=0.7 * wrong / motion), lambda *_: None)
    assert 0.4 * wrong < enough.error(few.clips[0])[0] <= 0.7 * wrong
    assert 16 < len(enough.rig) < 64
    with pytest.raises(FileError, match="a length or a share of the motion; both are named"):
        export(birch, "birch.glb", within=0.01, within_share=0.1)


def test_an_error_that_no_number_of_joints_meets_is_said_and_the_file_kept(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    nodes = np.array([[0, 0, 0], [0, 1, 0], [0.1, 2, 0], [0.4, 3, 0]])
    bent = Plant(parent=[-1, 0, 1, 2], position=nodes, radius=[0.03] * 4)
    for name, asked, said in (
        ("within", 1e-6, "within 0.001 mm of"),
        ("within_share", 1e-3, "within 0.1 % of the motion of"),
    ):
        caplog.clear()
        export(bent, tmp_path / "bent.glb", force=True, **SMALL | {name: asked})
        assert said in caplog.text
        assert re.search(r"; \d+ joints, which are all that help, leave \d.*\. Allow more by --within, or", caplog.text)
        assert Reader(tmp_path / "bent.glb").tree["animations"]


def test_what_a_format_does_not_heed_or_cannot_be_is_refused(
    birch: Plant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(FileError, match=r"a table of nodes .*has no joints"):
        export(birch, tmp_path / "birch.csv", joints=12)
    with pytest.raises(FileError, match=r"joints of an export lie from 1 to 65,535 joints; one is 70000\."):
        export(birch, tmp_path / "birch.glb", joints=70_000)
    with pytest.raises(FileError, match="a glTF file as morph has no joints; write it as skin"):
        export(birch, tmp_path / "birch.glb", joints=12, form="morph")
    with pytest.raises(FileError, match="'joint' is not"):
        export(birch, tmp_path / "birch.glb", joint=12)
    with pytest.raises(FileError, match=r"an exported file is saved as .*Choose another name"):
        export(birch, tmp_path / "birch.gltf")
    with pytest.raises(
        FileError, match=r"at most 65,535 joints; 2,000 plants of 64 joints have 128,000\. Lower --joints, or"
    ):
        export(build(parse_scene('[[stands]]\nplant = "violet"\ndetail = 0.1\ncount = 2000')), tmp_path / "wood.glb")
    monkeypatch.setattr(glb, "MOST", 8)
    with pytest.raises(FileError, match=r"8 joints; plants within that error have \d+\. Allow more by --within, or"):
        export(birch, tmp_path / "birch.glb", within_share=0.5, **SMALL)
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setattr(os, "access", lambda *_: False)  # for those who may write everywhere
    with pytest.raises(FileError, match="is read-only"):
        export(birch, tmp_path / "birch.glb")
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_replaced_only_if_told(birch: Plant, tmp_path: Path) -> None:
    (tmp_path / "birch.glb").write_bytes(b"older")
    with pytest.raises(FileError, match=r"is there already\. Use --force"):
        export(birch, tmp_path / "birch.glb")
    assert (tmp_path / "birch.glb").read_bytes() == b"older"
    assert len(list(tmp_path.iterdir())) == 1


def test_a_plant_with_its_loops_is_exported_from_the_command_line(tmp_path: Path) -> None:
    out = tmp_path / "birch.glb"
    line = f"export silver-birch --detail 0.05 -o {out} --clips 3,b5 --seconds 1 --fps 6 --joints 12 --triangles 3000"
    done = CliRunner().invoke(app, line.split())
    assert done.exit_code == 0, done.output
    assert "12 joints" in done.output
    assert [one["name"] for one in Reader(out).tree["animations"]] == ["wind 3 m/s", "wind 9.347 m/s"]
    again = CliRunner().invoke(app, line.split())
    assert again.exit_code != 0


def test_a_file_is_as_small_as_its_numbers_are(moving: MovingPlant) -> None:
    """What a plant takes besides its vertices and keys is little: bark of 512 x 1024 pixels, a leaf, and names."""
    file = SkinnedGlb("a test", pixels=512)
    file.add(moving, "birch")
    parts, keys = moving.look(16).parts, 25 * len(moving.rig)
    numbers = sum(
        len(part.vertex) * (56 if kind == "bark" else 44) + 6 * len(part.triangle) for kind, part in parts.items()
    )
    assert len(file.whole()) - numbers - 28 * keys < 340_000
    wood = np.unique(moving.bound.triangle[moving.bound.part == WOOD])
    assert len(parts["bark"].vertex) < 0.9 * len(wood)  # rings are shared


@pytest.mark.slow
@pytest.mark.parametrize("name", species_names())
def test_a_plant_of_25000_triangles_with_a_loop_is_a_small_file(name: str, tmp_path: Path) -> None:
    export(grow(name), tmp_path / "it.glb", triangles=25_000)
    assert (tmp_path / "it.glb").stat().st_size < 2.5e6


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["silver-birch", "oak", "quaking-aspen", "lombardy-poplar", "walnut", "spruce", "scots-pine"]
)
def test_trees_with_their_leaves_stay_near_to_the_posed_mesh(name: str) -> None:
    moving = exported_plants.moving(recorded(grow(name, seed=1, detail=0.5)))
    for joints, share in ((64, 0.08), (128, 0.055)):
        wrong, motion = moving.with_joints(joints).error(moving.clips[0])
        assert wrong < share * motion


@pytest.mark.slow
@pytest.mark.parametrize(("name", "joints"), [("palm", 130), ("weeping-willow", 516)])
def test_what_swings_one_by_one_is_within_a_tenth_of_its_motion_on_more_joints(name: str, joints: int) -> None:
    moving = exported_plants.moving(recorded(grow(name, seed=1, detail=0.5)), within_share=0.1)
    wrong, motion = moving.error(moving.clips[0])
    assert wrong <= 0.1 * motion
    assert len(moving.rig) <= joints
