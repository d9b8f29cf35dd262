"""The picture of docs/web.md: `python -m benchmarks.page_picture birch docs/web.webp`, of a folder of `windflower web`.

A page on a desktop in the afternoon, and on a phone in the evening. `make clients` installs the browser. Without a
window a browser leaves the canvas out of its screenshots: its picture is put there.
"""

import base64
import sys
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

from PIL import Image
from playwright.sync_api import sync_playwright

from tests.clients.browsers import launched

HIGH, GAP = 540, 16  # pixels of the picture, and between the two
SCREENS: tuple[tuple[dict[str, Any], str], ...] = (
    ({"viewport": {"width": 1280, "height": 720}}, "#wind=6.7&direction=250&hour=14.5&paused"),
    (
        {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "has_touch": True, "is_mobile": True},
        "#wind=4.3&direction=270&hour=18.9&paused",
    ),
)
STEPS = 240  # of motion before
KINDS = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}
DRAWN = """() => new Promise((done) => {
  const plant = document.querySelector("windflower-plant");
  plant.player.draw();
  plant.canvas.toBlob((blob) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result.split(",")[1]);
    reader.readAsDataURL(blob);
  });
})"""
BOX = """(() => {
  const {x, y, width, height} = document.querySelector("windflower-plant").canvas.getBoundingClientRect();
  return [x, y, width, height];
})()"""


def screenshot(browser: Any, folder: Path, kind: dict[str, Any], settings: str) -> Image.Image:
    """The page on a screen of some kind."""
    page = browser.new_context(**kind).new_page()

    def answer(route: Any) -> None:
        file = folder / (urlparse(route.request.url).path[1:] or "index.html")
        if file.is_file():
            route.fulfill(body=file.read_bytes(), content_type=KINDS.get(file.suffix, "application/octet-stream"))
        else:
            route.fulfill(status=404)

    page.route("http://**/*", answer)
    page.goto(f"http://127.0.0.1/{settings}")
    while not page.evaluate("Boolean(document.querySelector('windflower-plant')?.player?.whole)"):
        page.wait_for_timeout(200)
    page.evaluate(f"document.querySelector('windflower-plant').player.scene.step({STEPS})")
    page.wait_for_timeout(500)
    picture = Image.open(BytesIO(base64.b64decode(page.evaluate(DRAWN))))
    shot = Image.open(BytesIO(page.screenshot()))
    scale = kind.get("device_scale_factor", 1)
    left, top, width, height = (round(scale * side) for side in page.evaluate(BOX))
    shot.paste(picture.convert("RGB").resize((width, height), Image.Resampling.LANCZOS), (left, top))
    return shot.convert("RGB")


def main(folder: Path, out: Path) -> None:
    """Both screens side by side."""
    with sync_playwright() as play:
        browser = launched(play.chromium)
        shots = [screenshot(browser, folder, *screen) for screen in SCREENS]
    sized = [shot.resize((round(shot.width * HIGH / shot.height), HIGH), Image.Resampling.LANCZOS) for shot in shots]
    both = Image.new("RGB", (sum(one.width for one in sized) + GAP, HIGH), "white")
    both.paste(sized[0], (0, 0))
    both.paste(sized[1], (sized[0].width + GAP, 0))
    both.save(out, quality=82, method=6)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
