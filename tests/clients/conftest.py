"""Outside programs that tests drive: `make clients` installs them, and tests are skipped without them."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.clients import lacking

HERE = Path(__file__).parent
BLENDER = Path(os.environ.get("WINDFLOWER_BLENDER", HERE.parents[1] / ".venv/blender/bin/python"))  # as in the Makefile
PROGRAMS = ("chromium", "google-chrome")  # as in the Makefile
FLAGS = (
    "--headless=new",
    "--no-sandbox",  # which root may not have
    "--enable-unsafe-webgpu",
    "--use-webgpu-adapter=swiftshader",
    "--enable-unsafe-swiftshader",
    "--enable-features=Vulkan",
    "--use-vulkan=swiftshader",
    "--disable-vulkan-surface",
    "--use-gl=angle",
    "--use-angle=swiftshader",
)
"""WebGPU without a window and without a graphics card."""


@pytest.fixture(scope="module")  # while it is open, its event loop runs in this thread: others need theirs
def page() -> Iterator[Any]:
    """An empty page in a browser that has WebGPU; its address is this machine's own, which counts as secure."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        pytest.skip(lacking("Chromium"))
    playwright = pytest.importorskip("playwright.sync_api", reason=lacking("Playwright"))
    with playwright.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=FLAGS)
        page = browser.new_page()
        page.route("**/*", lambda route: route.fulfill(body="<!doctype html>", content_type="text/html"))
        page.goto("http://127.0.0.1/")
        yield page
        browser.close()


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
