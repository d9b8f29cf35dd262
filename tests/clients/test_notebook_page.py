"""The frame that a notebook shows, in a real browser: all of the page is in it, and it says what is wrong."""

from pathlib import Path
from typing import Any

from tests.clients.conftest import _opened_page
from windflower.web.blobs import coded
from windflower.web.notebook import LivePage
from windflower.web.pack import Pack
from windflower.web.site import WebPage

POSTER = (Path(__file__).parents[2] / "docs" / "loop.webp").read_bytes()


def test_a_frame_shows_the_picture_and_a_sentence_without_webgpu() -> None:
    shown = LivePage(WebPage("Birch", "birch", Pack({"things": []}, [coded(b"")]), {"birch.webp": POSTER}), 240)
    asked: list[str] = []

    def answer(route: Any) -> None:
        asked.append(route.request.url)
        route.fulfill(body=f"<!doctype html>{shown._repr_html_()}", content_type="text/html")

    messages: list[str] = []
    with _opened_page(answer) as page:
        page.on("console", lambda message: messages.append(message.text))
        page.add_init_script("Object.defineProperty(navigator, 'gpu', {value: undefined})")
        page.reload()
        frame = page.frame_locator("iframe").locator("windflower-plant")
        frame.locator("p", has_text="no WebGPU").wait_for()
        picture = frame.locator("img")
        assert picture.evaluate("(image) => image.decode().then(() => image.naturalWidth)") > 100
        assert page.locator("iframe").bounding_box()["height"] == 240
    assert messages == []
    assert {url for url in asked if not url.endswith("favicon.ico")} == {"http://127.0.0.1/"}
