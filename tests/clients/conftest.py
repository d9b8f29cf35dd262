"""Outside programs that tests drive: `make clients` installs them, and tests are skipped without them."""

import shutil
from collections.abc import Iterator
from typing import Any

import pytest

from tests.clients import lacking

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
