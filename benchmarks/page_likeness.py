"""How like the renderer's pictures pages are, the table of docs/web.md: `python -m benchmarks.page_likeness [NAME …]`.

For each scene of the site: the size of its pack, and its page in Chromium beside the renderer's picture after a second.
`make clients` installs the browser.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import sync_playwright

from book.live import LIVE
from tests.clients.browsers import launched
from tests.clients.web_pages import PATIENCE, SIZE, Shown, begun, native, psnr, serving
from windflower.core.device import open_gpu
from windflower.scene import Scene, settings_of
from windflower.scene.subjects import scene_of
from windflower.web.site import SEEN, WebPage, web_page

STEPS = 60  # a second of motion


def shown(browser: Any, scene: Scene, page: WebPage) -> Any:
    """The picture of a page after that time."""
    context = browser.new_context(viewport={"width": SIZE[0], "height": SIZE[1]})
    opened = context.new_page()
    opened.set_default_timeout(PATIENCE)
    opened.route("http://**/*", serving(page.files()))
    opened.goto("http://127.0.0.1/#paused")
    begun(opened)
    for _ in range(STEPS):
        opened.evaluate("scene.step(1); scene.device.queue.onSubmittedWorkDone()")
    picture = Shown(opened, scene, []).picture()
    context.close()
    return picture


def main(names: list[str]) -> None:
    """A line for each scene that is named, or for all."""
    gpu = open_gpu()
    for name in names or [one.name for one in LIVE]:
        scene = scene_of(settings_of(name), size=SEEN)
        with TemporaryDirectory() as folder:
            page = web_page(scene, name, beside=Path(folder) / name, report=lambda *_: None)
        with sync_playwright() as play:  # here, for while it is open others have no event loop
            picture = shown(launched(play.chromium), scene, page)
        like = psnr(picture, native(gpu, scene, STEPS))
        sys.stdout.write(f"{name}: {len(page.pack.to_bytes()) / 1e6:.1f} MB, {like:.1f} dB\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
