"""What we write, opened in Blender: vertices at ten moments as they are with us."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests import exported_plants
from tests.exported_plants import recorded
from windflower import Plant
from windflower.core.arrays import FloatArray
from windflower.core.deep_pictures import half_exr, png16
from windflower.export import blender_script, export, usd
from windflower.export.moving_plant import MovingPlant
from windflower.export.posed_plant import looped_plant
from windflower.export.principal_shapes import principal_shapes
from windflower.export.settings import ExportSettings
from windflower.motion.stand import Stand
from windflower.scene import build, parse_scene

Blender = Callable[[Path, Sequence[float]], dict[str, Any]]
HOW: dict[str, Any] = {"seconds": 2.0, "fps": 12.0, "pixels": 16}
TIMES = [2.0 * k / 24 for k in (0, 1, 3, 6, 8, 11, 14, 17, 20, 23)]


@pytest.fixture(scope="module")
def clips(birch: Plant) -> dict[str, tuple[Stand, ...]]:
    return recorded(birch, winds=(12.0,), **HOW)


@pytest.fixture(scope="module")
def moving(clips: dict[str, tuple[Stand, ...]]) -> MovingPlant:
    return exported_plants.moving(clips, joints=20, **HOW)


def worst(got: FloatArray, wanted: FloatArray) -> float:
    assert got.shape == wanted.shape
    return float(np.linalg.norm(got - wanted, axis=-1).max())


@pytest.mark.slow
def test_blender_moves_the_skin_of_a_usd_file_as_we_do(
    birch: Plant, moving: MovingPlant, blender: Blender, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(usd, "recordings", lambda *_: {})
    monkeypatch.setattr(usd, "fitted_plants", lambda *_: [moving])
    export(birch, tmp_path / "birch.usda", **HOW)
    played = blender(tmp_path / "birch.usda", TIMES)
    (clip,) = moving.clips
    frames = [round(time * 12) for time in TIMES]
    wanted = moving.rig.skinned(moving.motion(clip), moving.bound.position[0], *moving.skin)[frames]
    for kind, part in moving.look(16).parts.items():
        assert worst(played[f"mesh {kind}"], wanted[:, part.vertex]) < 1e-4
    assert {"bark", "leaves"} <= set(played["materials"])
    assert len(played["pictures"]) == 4


def test_blender_makes_the_plant_of_our_script_with_its_loop(
    birch: Plant,
    clips: dict[str, tuple[Stand, ...]],
    blender: Blender,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(blender_script, "recordings", lambda *_: clips)
    said = export(birch, tmp_path / "birch.py", shapes=8, **HOW)
    played = blender(tmp_path / "birch.py", [*TIMES, 2.0 + TIMES[3], 40.0])
    ((clip, (stand,)),) = clips.items()
    posed = np.array(
        [
            np.concatenate([place for place, _ in parts.values()])
            for parts in looped_plant(stand, clip, ExportSettings(**HOW)).vertices()
        ]
    )
    shapes, frames = principal_shapes(posed, 8), [round(time * 12) for time in TIMES]
    got = played["mesh silver-birch"]
    with np.load(tmp_path / "birch.npz") as archive:
        swing, phase, hertz = (archive[name] for name in ("flutter", "flutter_phase", "flutter_hertz"))
    assert (2 * hertz) % 1 == 0  # whole turns in the loop
    x, y, z = swing.T
    sines = np.sin(2 * np.pi * (hertz * np.array([*TIMES, 2.0 + TIMES[3], 40.0])[:, None] + phase))
    assert 0.001 < np.abs(sines[:10, :, None] * swing).max() < 0.2
    got = got - sines[..., None] * np.column_stack([x, z, -y])
    assert worst(got[:10], np.array([shapes.posed(frame) for frame in frames])) < 1e-4
    assert worst(got[10:], got[[3, 0]]) < 1e-5  # it goes on for ever
    rms = np.sqrt(((got[:10] - posed[frames]) ** 2).sum(axis=-1).mean())
    assert 1000 * rms < 2 * float(said[1].split("are ")[1].split(" mm")[0])
    assert played["frames"].tolist() == [0, 47]
    assert played["actions"].tolist() == ["wind 12 m/s"]
    assert set(played["materials"]) == {"bark", "leaves"}


@pytest.mark.parametrize("suffix", ["obj", "ply"])
def test_blender_reads_a_still(birch: Plant, blender: Blender, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"birch.{suffix}"
    export(birch, path)
    (got,) = (value for name, value in blender(path, [0.0]).items() if name.startswith("mesh"))
    height = birch.position[:, 1].max()
    assert abs(got[0, :, 1].max() - height) < 0.3
    assert abs(got[0, :, 1].min()) < 0.1


@pytest.mark.parametrize("suffix", ["exr", "png"])
def test_blender_reads_the_numbers_of_a_deep_picture(blender: Blender, tmp_path: Path, suffix: str) -> None:
    numbers = np.random.default_rng(2).random((40, 24, 3))
    whole = np.round(65535 * numbers).astype(np.uint16)
    (tmp_path / f"picture.{suffix}").write_bytes(half_exr(numbers) if suffix == "exr" else png16(whole))
    got = blender(tmp_path / f"picture.{suffix}", [])["pixels"]
    np.testing.assert_allclose(got, numbers.astype(np.float16) if suffix == "exr" else whole / 65535, atol=1e-6)


@pytest.mark.slow
def test_blender_has_every_instance_of_a_scene(blender: Blender, tmp_path: Path) -> None:
    text = '[wind]\nspeed = 9\n[[stands]]\nplant = "palm"\ndetail = 0.1\ncount = 5\n'
    scene = build(parse_scene(text))
    export(scene, tmp_path / "palms.usda", joints=4, **HOW)
    places = blender(tmp_path / "palms.usda", [0.0])["instances"]
    wanted = scene.stands[0].places.position
    assert len(places) == len(wanted)
    assert np.linalg.norm(places[:, None] - wanted, axis=2).min(axis=0).max() < 1e-4
