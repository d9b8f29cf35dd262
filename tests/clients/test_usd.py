"""USD files, judged by USD's own validators and moved by its own skinning."""

from copy import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests import exported_plants
from tests.clients import lacking
from tests.exported_plants import recorded
from windflower import Plant, grow
from windflower.core.arrays import FloatArray
from windflower.export import export, usd
from windflower.export.moving_plant import MovingPlant
from windflower.export.posed_plant import looped_plant
from windflower.export.settings import ExportSettings
from windflower.export.usda import identifier
from windflower.mechanics.objects import OBJECTS
from windflower.motion import Places
from windflower.plant.species import species_names
from windflower.scene import build, parse_scene, scene_of

pytest.importorskip("pxr", reason=lacking("usd-core"))
HOW: dict[str, Any] = {"seconds": 2.0, "fps": 5.0, "pixels": 16}


@pytest.fixture(scope="module")
def moving(birch: Plant) -> MovingPlant:
    return exported_plants.moving(recorded(birch, winds=(4.0, 12.0), **HOW), joints=20, **HOW)


def assert_valid(path: Path) -> None:
    from pxr import Usd, UsdValidation

    validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    assert len(validators) > 20
    found = UsdValidation.ValidationContext(validators).Validate(Usd.Stage.Open(str(path)))
    assert [(error.GetName(), error.GetMessage()) for error in found] == []


def skinned(stage: Any, time: float) -> FloatArray:
    """(vertices, 3) of all meshes of a stage's plant at a time, s, by UsdSkel."""
    from pxr import Usd, UsdGeom, UsdSkel

    root = UsdSkel.Root(stage.GetDefaultPrim())
    code, cache, found = time * stage.GetTimeCodesPerSecond(), UsdSkel.Cache(), {}
    cache.Populate(root, Usd.PrimDefaultPredicate)
    for binding in cache.ComputeSkelBindings(root, Usd.PrimDefaultPredicate):
        moves = cache.GetSkelQuery(binding.GetSkeleton()).ComputeSkinningTransforms(code)
        for target in binding.GetSkinningTargets():
            points = UsdGeom.Mesh(target.GetPrim()).GetPointsAttr().Get()
            assert target.ComputeSkinnedPoints(moves, points, code)
            found[target.GetPrim().GetName()] = np.array(points, np.float64)
    return np.concatenate([found[prim.GetName()] for prim in root.GetPrim().GetChildren() if prim.GetName() in found])


@pytest.mark.parametrize("suffix", ["usda", "usdc", "usdz"])
def test_usd_moves_the_skin_as_we_do_in_every_clip(
    birch: Plant, moving: MovingPlant, tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pxr import Usd

    monkeypatch.setattr(usd, "fitted_plants", lambda *_: [moving])
    monkeypatch.setattr(usd, "recordings", lambda *_: {})  # recorded once
    path = tmp_path / f"birch.{suffix}"
    export(birch, path, winds=(4.0, 12.0), joints=20, **HOW)
    assert_valid(path)
    stage = Usd.Stage.Open(str(path))
    order = np.concatenate([part.vertex for part in moving.look(16).parts.values()])
    for clip in moving.clips:
        assert stage.GetDefaultPrim().GetVariantSet("clip").SetVariantSelection(identifier(clip.name))
        wanted = moving.rig.skinned(moving.motion(clip), moving.bound.position[0], *moving.skin)[:, order]
        got = np.array([skinned(stage, 2.0 * k / 10) for k in range(10)])
        assert np.linalg.norm(got - wanted, axis=-1).max() < 1e-4
        assert np.abs(skinned(stage, 2.0) - got[0]).max() < 1e-6
    leaves, flutter = stage.GetDefaultPrim().GetChild("leaves"), moving.flutter
    assert flutter is not None
    told = {name: leaves.GetAttribute(f"primvars:flutter{name}").Get() for name in ("", "Metres", "Hertz")}
    np.testing.assert_allclose(np.array(told[""]).T, [flutter.reach, flutter.phase], atol=1e-3)
    np.testing.assert_allclose([told["Metres"], told["Hertz"]], [flutter.metres, flutter.hertz], rtol=1e-3)
    assert np.ptp(got, axis=0).max() > 0.01


@pytest.mark.slow
@pytest.mark.parametrize("name", [*species_names(), *OBJECTS])
def test_usd_finds_nothing_wrong_in_any_species_and_object_in_any_form(name: str, tmp_path: Path) -> None:
    if name in OBJECTS:
        export(scene_of(name), tmp_path / "it.usda", joints=16, **HOW)
    else:
        plant = grow(name, detail=0.1)
        export(plant, tmp_path / "it.usdz", joints=16, levels=2, winds=(3.0, 9.0), **HOW)
        export(plant, tmp_path / "points.usdc", form="points", triangles=3000, **HOW)
    detail = "" if name in OBJECTS else "detail = 0.1\n"
    wood = f'[[stands]]\nplant = "{name}"\n{detail}positions = [[0, 0], [9, 0], [20, 0]]'
    export(build(parse_scene(wood)), tmp_path / "wood.usda", joints=8, **HOW)
    for path in tmp_path.glob("*.usd*"):
        assert_valid(path)


def test_a_cache_of_points_has_the_posed_mesh(birch: Plant, tmp_path: Path) -> None:
    from pxr import Usd, UsdGeom

    path = tmp_path / "birch.usdc"
    export(birch, path, form="points", **HOW)
    assert_valid(path)
    ((clip, (stand,)),) = recorded(birch, **HOW).items()
    looped = looped_plant(stand, clip, ExportSettings(**HOW))
    stage = Usd.Stage.Open(str(path))
    for k, frame in enumerate(looped.vertices()):
        for kind, (position, _) in frame.items():
            mesh = UsdGeom.Mesh(stage.GetDefaultPrim().GetChild(kind))
            points = np.array(mesh.GetPointsAttr().Get(k * 2.0 * 24 / 10))
            assert np.abs(points - position).max() < 1e-5


def test_textures_are_found_from_the_file_and_in_the_package(
    birch: Plant, moving: MovingPlant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pxr import Ar, Usd, UsdShade

    monkeypatch.setattr(usd, "fitted_plants", lambda *_: [moving])
    monkeypatch.setattr(usd, "recordings", lambda *_: {})
    for name in ("birch.usdc", "birch.usdz"):
        export(birch, tmp_path / name, joints=4, **HOW)
        stage = Usd.Stage.Open(str(tmp_path / name))
        shaders = [UsdShade.Shader(prim) for prim in stage.Traverse() if prim.IsA(UsdShade.Shader)]
        files = [shader.GetInput("file").Get() for shader in shaders if shader.GetIdAttr().Get() == "UsdUVTexture"]
        assert len(files) >= 3
        for file in files:
            assert Ar.GetResolver().OpenAsset(Ar.ResolvedPath(file.resolvedPath)).GetSize() > 100


@pytest.mark.slow
def test_levels_of_detail_are_variants_that_move_alike(birch: Plant, tmp_path: Path) -> None:
    from pxr import Usd

    path = tmp_path / "birch.usda"
    export(birch, path, levels=3, joints=10, **HOW)
    assert_valid(path)
    stage, counts, heights = Usd.Stage.Open(str(path)), [], []
    levels = stage.GetDefaultPrim().GetVariantSet("level")
    assert levels.GetVariantNames() == ["level_0", "level_1", "level_2"]
    for level in levels.GetVariantNames():
        levels.SetVariantSelection(level)
        moved = np.array([skinned(stage, time) for time in (0.0, 0.8)])
        assert np.abs(moved[1] - moved[0]).max() > 0.005
        counts.append(moved.shape[1])
        heights.append(moved[..., 1].max())
    assert counts[0] > counts[1] > counts[2]
    assert np.ptp(heights) < 0.1 * heights[0]


def test_a_scene_has_instances_of_plants_in_several_phases(
    moving: MovingPlant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pxr import Usd, UsdGeom, UsdSkel

    random, birches, lone = np.random.default_rng(1), copy(moving), copy(moving)
    birches.places = Places(
        random.normal(size=(11, 3)), yaw=random.uniform(-4, 4, 11), scale=random.uniform(0.5, 2, 11)
    )
    monkeypatch.setattr(usd, "moving_plants", lambda *_: [birches, lone])
    path = tmp_path / "wood.usda"
    export(build(parse_scene('[[stands]]\nplant = "palm"\ndetail = 0.1')), path, **HOW)
    assert_valid(path)
    stage = Usd.Stage.Open(str(path))
    instancers = [UsdGeom.PointInstancer(prim) for prim in stage.GetDefaultPrim().GetChildren()]
    assert len(instancers) == 2
    point = np.array([1.0, 2.0, 3.0])
    for instancer, places in zip(instancers, (birches.places, lone.places), strict=True):
        where = instancer.ComputeInstanceTransformsAtTime(0, 0, UsdGeom.PointInstancer.ExcludeProtoXform)
        wanted = places.to_world(np.tile(point, (len(places), 1, 1)))[:, 0]
        np.testing.assert_allclose([matrix.Transform(tuple(point)) for matrix in where], wanted, atol=5e-3)
    prototypes = [UsdSkel.Root(stage.GetPrimAtPath(path)) for path in instancers[0].GetPrototypesRel().GetTargets()]
    assert len(prototypes) == 4  # and as many for the same plant in another turn
    assert set(instancers[0].GetProtoIndicesAttr().Get()) == set(range(4))
    other = UsdSkel.Root(stage.GetPrimAtPath(instancers[1].GetPrototypesRel().GetTargets()[0]))
    codes = np.arange(10) * 4.8
    turns = [
        np.array([np.array(animation(root).GetRotationsAttr().Get(code)[1].GetImaginary()) for code in codes])
        for root in (*prototypes, other)
    ]
    np.testing.assert_allclose(turns[2], np.roll(turns[0], -5, axis=0), atol=1e-5)  # half a loop ahead
    np.testing.assert_allclose(turns[4], np.roll(turns[0], -6, axis=0), atol=1e-5)  # by the golden section
    assert np.abs(turns[2] - turns[0]).max() > 1e-4
    files = {path.name for path in tmp_path.iterdir() if path.suffix in (".png", ".jpg")}
    assert len(files) == 4  # which both share


def animation(root: Any) -> Any:
    from pxr import UsdSkel

    return UsdSkel.Animation(root.GetPrim().GetChild("Skeleton").GetChildren()[0])
