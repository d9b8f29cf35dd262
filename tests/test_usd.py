"""USD files without USD's library: text, packages, and what is said where it is needed."""

import re
import struct
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests import exported_plants
from tests.exported_plants import recorded
from windflower import Plant
from windflower.errors import FileError, MissingExtraError
from windflower.export import export, usd
from windflower.export.moving_plant import MovingPlant
from windflower.export.usda import Prim, identifier, layer, names

HOW: dict[str, Any] = {"seconds": 1.0, "fps": 4.0, "joints": 6, "pixels": 16}


@pytest.fixture(scope="module")
def moving(birch: Plant) -> MovingPlant:
    return exported_plants.moving(recorded(birch, **HOW), **HOW)


@pytest.fixture(autouse=True)
def _recorded_once_and_without_the_library(moving: MovingPlant, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(usd, "fitted_plants", lambda *_: [moving])
    monkeypatch.setattr(usd, "recordings", lambda *_: {})
    monkeypatch.setitem(sys.modules, "pxr", None)


def test_a_text_file_plays_a_loop_at_24_time_codes_a_second_whose_last_key_is_its_first(
    birch: Plant, tmp_path: Path
) -> None:
    export(birch, tmp_path / "birch.usda", **HOW)
    text = (tmp_path / "birch.usda").read_text()
    assert text.startswith("#usda 1.0\n")
    assert 'defaultPrim = "silver_birch"' in text
    assert "timeCodesPerSecond = 24\n" in text
    assert "endTimeCode = 24\n" in text
    for track in ("quatf[] rotations", "float3[] translations"):
        samples = text.split(f"{track}.timeSamples = {{")[1].split("}")[0]
        keys = dict(re.findall(r"([0-9.]+): (\[.*\])", samples))
        assert list(keys) == ["0", "6", "12", "18", "24"]
        assert keys["0"] == keys["24"] != keys["12"]
    assert text.count("{") == text.count("}")
    assert text.count("float2[] primvars:flutter = ") == 1
    assert float(text.split("primvars:flutterMetres = ")[1].split()[0]) > 1e-4
    assert {path.name for path in tmp_path.iterdir()} >= {"birch.usda", "birch_bark.jpg", "birch_leaves.png"}


def test_a_package_holds_its_layer_first_and_all_at_multiples_of_64_bytes(birch: Plant, tmp_path: Path) -> None:
    said = export(birch, tmp_path / "birch.usdz", **HOW)
    assert "the extra 'usd'" in said[-1]
    data = (tmp_path / "birch.usdz").read_bytes()
    with zipfile.ZipFile(tmp_path / "birch.usdz") as archive:
        assert archive.testzip() is None
        entries = archive.infolist()
    assert [entry.filename for entry in entries][:2] == ["birch.usda", "birch_bark.jpg"]
    for entry in entries:
        lengths = struct.unpack_from("<HH", data, entry.header_offset + 26)
        assert (entry.header_offset + 30 + sum(lengths)) % 64 == 0
        assert entry.compress_type == zipfile.ZIP_STORED
    assert [path.name for path in tmp_path.iterdir()] == ["birch.usdz"]


def test_what_needs_the_library_says_so_and_leaves_nothing(birch: Plant, tmp_path: Path) -> None:
    with pytest.raises(MissingExtraError, match="usd-core, which writes binary USD, is not installed"):
        export(birch, tmp_path / "birch.usdc", **HOW)
    with pytest.raises(FileError, match=r"a cache of points is of one wind; 2 are named"):
        export(birch, tmp_path / "birch.usda", form="points", winds=(3.0, 5.0))
    with pytest.raises(FileError, match=r"a USD file as points has no joints; write it as skin"):
        export(birch, tmp_path / "birch.usda", form="points", joints=9)
    assert not list(tmp_path.iterdir())


def test_prims_are_written_with_their_variants() -> None:
    root = Prim("Xform", "plant", 'kind = "component"')
    root.set("float3[] extent", "[(0, 0, 0), (1, 1, 1)]")
    over = Prim("", "Skeleton", specifier="over")
    over.set("rel skel:animationSource", "</plant/Skeleton/one>")
    root.vary_by("clip", {"one": [over], "two": []})
    text = layer(root, defaultPrim='"plant"')
    assert 'string clip = "one"' in text
    assert f"prepend variantSets = {names(['clip'])}" in text
    assert 'over "Skeleton"' in text
    assert (identifier("silver-birch"), identifier("8 m/s"), identifier("…")) == ("silver_birch", "_8_m_s", "plant")
