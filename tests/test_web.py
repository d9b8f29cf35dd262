"""Packs and pages: what a browser is given, without a browser."""

import gzip
import html
import json
import re
import struct
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import windflower
from book.live import EMBEDDED, LIVE, with_live
from book.pages import copied
from windflower.core.device import Gpu
from windflower.core.shaders import shader_text
from windflower.errors import GpuError, SceneError
from windflower.render.quality import quality_of
from windflower.scene import settings_of
from windflower.web import first, notebook, site
from windflower.web.blobs import as_picture, coded, halves
from windflower.web.first import first_facts
from windflower.web.modules import ENTRY, joined_modules, page_modules
from windflower.web.notebook import LivePage
from windflower.web.pack import MAGIC, Pack
from windflower.web.pruning import prune
from windflower.web.site import WebPage
from windflower.web.sizes import SIZES, with_sizes
from windflower.web.stage import stage
from windflower.web.tape import Tape

TOP_LEVEL = re.compile(r"^(?:export )?(?:async )?(?:class|function|const|let) (\w+)", re.MULTILINE)


class Device:
    """As much of a device as an empty tape needs."""

    queue = object()


def tape_of(things: list[Any], **sections: list[Any]) -> Tape:
    tape = Tape(Device())
    tape.things, tape.sections = things, {"start": [], **sections}
    return tape


def decoded(data: bytes, coding: str, size: int) -> bytes:
    """The twin of `Pack.blob` in pack.js."""
    if coding == "raw":
        return data
    words = np.frombuffer(data, np.uint8).reshape(4, -1).T.copy().view("<u4")[:, 0]
    return (np.cumsum(words, dtype="<u4") if coding == "deltas" else words).tobytes()[:size]


@given(st.binary(max_size=3000), st.integers(0, 1000))
@settings(derandomize=True, deadline=None, max_examples=50)
def test_bytes_come_back_from_every_coding(some: bytes, step: int) -> None:
    for data in (some, np.arange(400, dtype="<u4").tobytes(), (step * np.arange(400, dtype="<u4")).tobytes()):
        assert decoded(*coded(data)) == data


def test_indices_are_coded_by_their_differences() -> None:
    assert coded(np.arange(5000, dtype="<u4").tobytes()).coding == "deltas"


def test_half_floats_keep_eleven_digits_of_large_and_small_numbers() -> None:
    values = np.geomspace(1e-7, 3.0, 1000).astype("<f4") * np.where(np.arange(1000) % 2, 1, -1).astype("<f4")
    data, coding, size = halves(values.tobytes())
    scale = np.frombuffer(data[:4], "<f4")[0]
    found = np.frombuffer(data[4:], np.uint8).reshape(2, -1).T.copy().view("<f2")[:, 0].astype(float) / scale
    assert (coding, size) == ("halves", values.nbytes)
    np.testing.assert_allclose(found, values, rtol=2**-11)


def test_a_texture_becomes_a_picture_of_its_size() -> None:
    from io import BytesIO

    from PIL import Image

    texels = np.tile(np.arange(64, dtype=np.uint8)[:, None, None], (1, 32, 4))
    blob = as_picture(texels.tobytes(), 32, 64, 4)
    with Image.open(BytesIO(blob.data)) as found:
        assert (found.size, found.format) == ((32, 64), "WEBP")
        assert np.abs(np.asarray(found.convert("RGBA")).astype(int) - texels)[..., :3].mean() < 3


def test_what_goes_with_the_size_of_the_picture_is_found() -> None:
    tapes = [
        tape_of([["createTexture", {"size": [width, height // 2, 1]}]], frame=[["submit", [-(-(width // 2) // 8)]]])
        for width, height in SIZES
    ]
    found = with_sizes(*tapes)
    size = {"?": "width", "over": 1, "in": 1}, {"?": "height", "over": 2, "in": 1}
    assert found.things == [["createTexture", {"size": [*size, 1]}]]
    (work,) = found.sections["frame"][0][1]
    for width, groups in ((640, 40), (1280, 80), (333, 21)):
        assert -(-(width // work["over"]) // work["in"]) == groups


def test_tapes_of_two_sizes_that_do_something_else_are_refused() -> None:
    with pytest.raises(GpuError, match="any size"):
        with_sizes(tape_of([], frame=[["submit", "draw"]]), tape_of([], frame=[["submit", "dispatch"]]))


def test_a_first_picture_spares_clouds_and_draws_the_ground_plainly() -> None:
    modules = [
        ["createShaderModule", {"label": f"render/wgsl/{name}.wgsl"}] for name in ("cloud_pass", "ground", "leaves")
    ]
    cloud = ["createComputePipeline", {"compute": {"module": {"$": 0}, "entryPoint": "main"}}]
    drawn = [
        ["createRenderPipeline", {stage: {"module": {"$": number}, "entryPoint": entry} for stage, entry in entries}]
        for number in (1, 2)
        for entries in ((("vertex", "vs_view"), ("fragment", "fs_view")), (("vertex", "vs_view"),))
    ]
    tape = tape_of([*modules, cloud, *drawn])
    tape.labels = {"ground materials": [9], "tile of clouds": [11]}
    plain = {"4": {"fragment": "fs_plain"}, "6": {"fragment": "fs_plain"}}
    assert first_facts(tape) == {"spared": [3], "plain": plain, "pictures": [9, 11]}


@pytest.mark.parametrize("shader", first.PLAIN)
def test_entry_points_of_a_first_picture_are_there(shader: str) -> None:
    text = shader_text(shader)
    for entry in (*first.PLAIN[shader], *first.PLAIN[shader].values()):
        assert f"fn {entry}(" in text


def test_only_what_is_used_is_packed() -> None:
    buffers = [["createBufferWithData", {"data": {"bytes": number}}] for number in range(3)]
    tape = tape_of(
        [*buffers, ["createBindGroup", {"buffer": {"$": 2}}]], frame=[["submit", [["setBindGroup", 0, {"$": 3}]]]]
    )
    tape.blobs, tape.labels = [b"a", b"b", b"c"], {"used": [2], "both": [0, 2], "unused": [1]}
    tape.sections["start"] = [["writeBuffer", {"$": 1}, 0, {"bytes": 1}], ["writeBuffer", {"$": 2}, 0, {"bytes": 0}]]
    assert prune(tape, keep=set()) == {2: 0, 3: 1}
    assert tape.things == [["createBufferWithData", {"data": {"bytes": 1}}], ["createBindGroup", {"buffer": {"$": 0}}]]
    assert tape.sections["frame"] == [["submit", [["setBindGroup", 0, {"$": 1}]]]]
    assert tape.sections["start"] == [["writeBuffer", {"$": 0}, 0, {"bytes": 0}]]
    assert tape.blobs == [b"a", b"c"]
    assert tape.labels == {"used": [0], "both": [0]}


def small_pack() -> Pack:
    module = ["createShaderModule", {"shader": "core/yaw.wgsl"}]
    return Pack({"things": [module], "title": "x"}, [coded(b"four" * 100), coded(b"")])


def test_a_pack_is_a_header_and_the_bytes_it_names() -> None:
    whole = gzip.decompress(small_pack().to_bytes())
    assert whole[:8] == MAGIC
    (length,) = struct.unpack("<I", whole[8:12])
    header = json.loads(whole[12 : 12 + length])
    (at, size, coding, raw), _ = header["blobs"]
    stored = whole[12 + length :][at : at + size]
    assert decoded(stored, coding, raw) == b"four" * 100
    assert small_pack().to_bytes() == small_pack().to_bytes()


def test_modules_join_into_one_script() -> None:
    """All names are in one scope then, so that no two modules may use the same."""
    names = [name for text in page_modules().values() for name in TOP_LEVEL.findall(text)]
    assert len(names) == len(set(names)), sorted(name for name in names if names.count(name) > 1)
    script = joined_modules()
    assert not re.search(r"^(import|export)\b", script, re.MULTILINE)
    assert [*page_modules()][-1] == ENTRY


def test_every_module_is_checked_for_its_types_and_runs_no_text() -> None:
    for name, text in page_modules().items():
        assert text.startswith("// @ts-check\n"), name
        assert not re.search(r"\beval\b|\bFunction\(|(inner|outer|Adjacent)HTML|document\.write|https?://", text), name


@pytest.mark.parametrize("single", [True, False])
def test_a_page_loads_nothing_from_elsewhere(single: bool) -> None:
    page = WebPage("A <birch> & {title}", "birch", small_pack(), {"birch.webp": b"picture"})
    text = page.single() if single else page.files()["index.html"].decode()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy
    allowed = dict(part.split(" ", 1) for part in policy[1].split("; "))
    own = r"'sha256-[\w+/]{43}='" if single else "'self'"
    assert allowed["default-src"] == "'none'"
    assert re.fullmatch(own, allowed["script-src"])
    assert re.fullmatch(own, allowed["style-src"])
    assert {*" ".join(allowed.values()).split()} <= {"'none'", "data:", "blob:", *re.findall(own, policy[1])}
    assert "<title>A &lt;birch&gt; &amp; {title}</title>" in text
    addresses = re.findall(r'(?:src|href|poster|fallback)="([^"]*)"', text)
    assert addresses
    assert not any(address.startswith(("http", "//")) for address in addresses)


def test_a_folder_has_all_that_its_page_names() -> None:
    files = WebPage("Birch", "birch", small_pack(), {"birch.webp": b"picture"}).files()
    text = files["index.html"].decode()
    assert {*re.findall(r'(?:src|href|poster)="([^"]*)"', text)} <= files.keys()
    assert "shaders/core/yaw.wgsl" in files


def test_a_notebook_gets_the_whole_page_in_a_frame() -> None:
    shown = LivePage(WebPage("A <birch>", "birch", small_pack(), {}), 300)
    text = shown._repr_html_()
    found = re.fullmatch(
        r'<iframe srcdoc="([^"]*)" title="([^"]*)" style="[^"]*height: 300px[^"]*"[^>]*></iframe>', text
    )
    assert found
    assert html.unescape(found[1]) == shown.page.single()
    assert html.unescape(found[2]) == "A <birch>"


def test_plants_and_scenes_show_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notebook, "web_page", lambda scene, name, **_: WebPage(scene.title, name, small_pack(), {}))
    plant = windflower.grow("hazel-bush", detail=0.03)
    scene = windflower.build_scene(windflower.parse_scene('[[stands]]\nplant = "hazel-bush"\ndetail = 0.03'))
    for shown in (plant.show(height=200), scene.show(height=200), windflower.show(scene, height=200)):
        assert "height: 200px" in shown._repr_html_()
    with pytest.raises(SceneError, match="120 to 4000"):
        plant.show(height=5)


@pytest.mark.parametrize(
    "more",
    [
        "breaks = {}",
        pytest.param("shedding = { rate = 0.5 }", marks=pytest.mark.slow),
        pytest.param('motion = { kind = "hybrid" }', marks=pytest.mark.slow),
    ],
)
def test_what_a_page_cannot_play_is_told(gpu: Gpu, more: str) -> None:
    scene = windflower.build_scene(windflower.parse_scene(f'[[stands]]\nplant = "hazel-bush"\ndetail = 0.05\n{more}'))
    with pytest.raises(SceneError, match=r"^a page plays .* Leave"):
        stage(gpu, scene, quality_of("draft", software=True))


def test_a_page_of_the_book_gets_its_live_plant_where_there_is_one(tmp_path: Path) -> None:
    (page, (picture, name)), *_ = EMBEDDED.items()
    text = f"# Title\n\n![a picture]({picture})\n\nText.\n"
    assert with_live(page, text, tmp_path) == text
    (tmp_path / f"{name}.pack").touch()
    found = with_live(page, text, tmp_path)
    assert f'src="live/{name}.pack"' in found
    assert found.index("<windflower-plant") < found.index(f"![a picture]({picture})")
    assert with_live("papers", text, tmp_path) == text


def test_pictures_for_which_live_plants_stand_are_on_their_pages() -> None:
    texts = dict(copied())
    for page, (picture, name) in EMBEDDED.items():
        assert f"]({picture})" in texts[page], page
        assert name in {one.name for one in LIVE}


@pytest.mark.slow
def test_a_film_goes_on_where_it_began(gpu: Gpu, monkeypatch: pytest.MonkeyPatch) -> None:
    assert gpu.summary
    monkeypatch.setattr(site, "FILM_SIZE", (96, 54))
    frames = site.looping_frames(windflower.build_scene(settings_of("hazel-bush", detail=0.1)), 1.0)
    assert len(frames) == site.FILM_RATE
    changes = [np.abs(one.astype(float) - other).mean() for one, other in pairwise([*frames, frames[0]])]
    assert changes[-1] < 1.5 * np.median(changes)
