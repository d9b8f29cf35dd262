"""Outside programs that tests drive: `make clients` installs them, and tests are skipped without them."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

import numpy as np
import pytest

from tests.clients import lacking
from tests.clients.browsers import launched, program
from tests.clients.web_pages import PATIENCE, SIZE, Shown, begun, paged, serving
from windflower.core.device import Gpu
from windflower.scene import Scene, build, settings_of
from windflower.web.site import WebPage

HERE = Path(__file__).parent
BLENDER = Path(os.environ.get("WINDFLOWER_BLENDER", HERE.parents[1] / ".venv/blender/bin/python"))  # as in the Makefile
PACKAGES = Path(os.environ.get("WINDFLOWER_NODE", HERE.parents[1] / ".venv/node/node_modules"))  # as in the Makefile
THREE = """<!doctype html><script type="importmap">{"imports": {
"three": "/packages/three/build/three.module.js", "three/addons/": "/packages/three/examples/jsm/"}}</script>
<script type="module" src="/three.js"></script>"""
KINDS = {".js": "text/javascript", ".glb": "model/gltf-binary"}


@contextmanager
def _opened_page(answer: Callable[[Any], None]) -> Iterator[Any]:
    """A page in a browser that has WebGPU; its address is this machine's own, which counts as secure."""
    if program() is None:
        pytest.skip(lacking("Chromium"))
    playwright = pytest.importorskip("playwright.sync_api", reason=lacking("Playwright"))
    with playwright.sync_playwright() as play:
        browser = launched(play.chromium)
        page = browser.new_page()
        page.route("**/*", answer)
        page.goto("http://127.0.0.1/")
        yield page
        browser.close()


@pytest.fixture(scope="module")  # while it is open, its event loop runs in this thread: others need theirs
def page() -> Iterator[Any]:
    """An empty page."""
    with _opened_page(lambda route: route.fulfill(body="<!doctype html>", content_type="text/html")) as page:
        yield page


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, Path]]:
    """A page with three.js, and the folder of the files that it can open."""
    folder = tmp_path_factory.mktemp("three")
    with three_page(folder) as page:
        yield page, folder


@contextmanager
def three_page(folder: Path) -> Iterator[Any]:
    """A page with three.js, which opens files of this folder under /files/."""
    roots = {"packages": PACKAGES, "files": folder}
    if not (PACKAGES / "three").is_dir():
        pytest.skip(lacking("three.js"))

    def answer(route: Any) -> None:
        _, first, *rest = unquote(urlparse(route.request.url).path).split("/")
        path = roots[first].joinpath(*rest) if rest else HERE / first
        if not first:
            route.fulfill(body=THREE, content_type="text/html")
        elif path.is_file():
            route.fulfill(body=path.read_bytes(), content_type=KINDS.get(path.suffix, "text/plain"))
        else:
            route.fulfill(status=404)

    with _opened_page(answer) as page:
        page.wait_for_function("window.ready")
        yield page


@pytest.fixture
def gltf_validator() -> Callable[[Sequence[Path]], dict[str, list[str]]]:
    """Errors and warnings of the Khronos validator, by file."""
    node = shutil.which("node")
    if node is None or not (PACKAGES / "gltf-validator").is_dir():
        pytest.skip(lacking("The glTF validator"))

    def said(files: Sequence[Path]) -> dict[str, list[str]]:
        words = [node, str(HERE / "validate.mjs"), str(PACKAGES), *map(str, files)]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
        answer: dict[str, list[str]] = json.loads(done.stdout)
        return answer

    return said


@pytest.fixture
def blender(tmp_path: Path) -> Callable[[Path, Sequence[float]], dict[str, Any]]:
    """Opens a file in Blender; gives "mesh <name>" (times, vertices, 3) at times, s, and what else the scene has."""
    if not BLENDER.is_file():
        pytest.skip(lacking("Blender's module for Python"))

    def play(path: Path, times: Sequence[float]) -> dict[str, Any]:
        out = tmp_path / "played.npz"
        words = [str(BLENDER), str(HERE / "in_blender.py"), str(path), str(out), *(f"{time:.9g}" for time in times)]
        done = subprocess.run(words, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        with np.load(out) as archive:
            return {name: archive[name] for name in archive.files}

    return play


@pytest.fixture(scope="session")
def written(gpu: Gpu, tmp_path_factory: pytest.TempPathFactory) -> tuple[Scene, WebPage]:  # noqa: ARG001
    """A small birch, and its page."""
    settings = settings_of("silver-birch", detail=0.1).model_copy(update={"size": SIZE})
    scene = build(settings)
    return scene, paged(scene, tmp_path_factory.mktemp("page"))


@pytest.fixture(scope="module")
def shown(written: tuple[Scene, WebPage]) -> Iterator[Shown]:
    """That page, paused, without its controls."""
    scene, web = written
    messages: list[str] = []
    with _opened_page(serving(web.files())) as page:
        page.set_default_timeout(PATIENCE)
        page.set_viewport_size({"width": SIZE[0], "height": SIZE[1]})
        page.on("console", lambda message: messages.append(message.text))
        page.on("pageerror", lambda error: messages.append(str(error)))
        page.goto("http://127.0.0.1/#paused")
        page.reload()
        begun(page)
        yield Shown(page, scene, messages)
