"""Pages in a real browser, for tests: opened, stepped and read, and the pictures that they shall show."""

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urlparse

import numpy as np

from tests.clients.browsers import launched
from windflower.core.device import Gpu
from windflower.render.daylight import daylight
from windflower.render.drawn_scene import Detail, DrawnScene
from windflower.render.drawn_stand import Paint
from windflower.render.frame import Frame
from windflower.render.quality import quality_of
from windflower.render.renderer import Renderer
from windflower.scene import Scene
from windflower.scene.sun import solar_direction
from windflower.simulation import DeviceSimulation
from windflower.web.site import WebPage, web_page
from windflower.web.stage import LEVELS_SEEN, TRIANGLES

SIZE = 640, 360
PATIENCE = 120_000  # ms, of a busy machine without a graphics card
NATURAL = Paint()
KINDS = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
SHARED = """
globalThis.plant = document.querySelector("windflower-plant");
globalThis.scene = plant.player.scene;
globalThis.text = (bytes) => {
  let letters = "";
  for (let at = 0; at < bytes.length; at += 8192) letters += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(letters);
};
globalThis.read = async (size, copy) => {
  const buffer = scene.device.createBuffer({size, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ});
  const encoder = scene.device.createCommandEncoder();
  copy(encoder, buffer);
  scene.device.queue.submit([encoder.finish()]);
  await buffer.mapAsync(GPUMapMode.READ);
  return text(new Uint8Array(buffer.getMappedRange()));
};
null;
"""
POINTS = """async () => {
  plant.player.draw();
  const from = scene.things.made[scene.header.labels.points[0]];
  return read(from.size, (encoder, buffer) => encoder.copyBufferToBuffer(from, 0, buffer, 0, from.size));
}"""
PICTURE = """async () => {
  plant.player.draw();
  const {width, height} = scene.picture, row = 256 * Math.ceil(width / 64);
  return read(row * height, (encoder, buffer) =>
    encoder.copyTextureToBuffer({texture: scene.picture}, {buffer, bytesPerRow: row}, [width, height]));
}"""


PLAYS = "document.querySelector('windflower-plant')?.player?.whole"
MESSAGE = "document.querySelector('windflower-plant').message.textContent"
STAND_IN = "document.querySelector('windflower-plant').shadowRoot.querySelector('img')"


class Shown(NamedTuple):
    """A page in a browser, the scene that it shows, and the messages on its console."""

    page: Any
    scene: Scene
    messages: list[str]

    def read(self, script: str, kind: str) -> Any:
        return np.frombuffer(base64.b64decode(self.page.evaluate(script)), kind)

    def points(self) -> Any:
        """(nodes, 4) of the first plant: where they are in its own frame, m, and their strain."""
        return self.read(POINTS, "<f4").reshape(-1, 4)[: self.scene.stands[0].plant.nodes].astype(float)

    def picture(self) -> Any:
        rows = self.read(PICTURE, "u1").reshape(SIZE[1], -1)
        return rows[:, : 4 * SIZE[0]].reshape(SIZE[1], SIZE[0], 4)[..., :3]


def paged(scene: Scene, folder: Path) -> WebPage:
    return web_page(scene, "birch", beside=folder / "birch", report=lambda *_: None)


def serving(files: dict[str, bytes]) -> Any:
    def answer(route: Any) -> None:
        name = unquote(urlparse(route.request.url).path)[1:] or "index.html"
        if name in files:
            route.fulfill(body=files[name], content_type=KINDS.get(Path(name).suffix, "application/octet-stream"))
        else:
            route.fulfill(status=404)

    return answer


def awaited(page: Any, condition: str) -> None:
    """Wait until an expression holds; Playwright's own waiting makes code of text, which the page forbids."""
    for _ in range(1200):
        if page.evaluate(f"Boolean({condition})"):
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"never: {condition}; {page.evaluate('document.body.innerText')}")


def begun(page: Any) -> None:
    """Wait until a page plays, and leave the picture alone: as large as the page."""
    awaited(page, PLAYS)
    page.evaluate(SHARED)
    page.evaluate("plant.controls.fold(true)")
    awaited(page, "plant.canvas.height == Math.round(innerHeight * Math.min(devicePixelRatio, 1.5))")


def psnr(one: Any, other: Any) -> float:
    error = np.mean((one.astype(float) - other) ** 2)
    return float(10 * np.log10(255**2 / max(error, 1e-9)))


def native(gpu: Gpu, scene: Scene, steps: int, hour: float | None = None, paint: Paint = NATURAL) -> Any:
    """The picture that the page shall show, drawn natively."""
    return native_frame(gpu, scene, steps, hour, paint)[0].read()


def native_frame(
    gpu: Gpu, scene: Scene, steps: int, hour: float | None = None, paint: Paint = NATURAL
) -> tuple[Renderer, Frame]:
    """The renderer that has drawn that picture, and its frame."""
    quality = quality_of("draft", software=True)
    renderer, simulation = Renderer(gpu, SIZE, quality, splats=False), DeviceSimulation(scene, gpu)
    drawn = DrawnScene(renderer.layouts, simulation)
    for stand in drawn.stands:
        stand.paint = paint
    time = steps / 60
    simulation.advance(time)
    sun, view = scene.sun.settings, replace(scene.camera.view(0.0), aperture=0.0)
    star = scene.sun.direction(0.0) if hour is None else solar_direction(hour, sun.latitude, sun.date)
    light = daylight(star, clouds=sun.clouds, haze=sun.haze, turbidity=sun.turbidity)
    levels = drawn.levels_everywhere(view, Detail(LEVELS_SEEN, TRIANGLES, alone=True))
    frame = drawn.frame(view, light, time, Detail(SIZE, quality.for_plants, True, levels))
    renderer.draw(frame)
    return renderer, frame


@contextmanager
def another_browser(shown: Shown) -> Iterator[Any]:
    """Another browser of the same kind."""
    browser = launched(shown.page.context.browser.browser_type)
    yield browser
    browser.close()


@contextmanager
def another(shown: Shown, files: dict[str, bytes], *, browser: Any = None, **kind: Any) -> Iterator[Any]:
    """Another page in the same browser, or in this one, on a screen of some kind."""
    context = (browser or shown.page.context.browser).new_context(**kind)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    if not kind:
        page.set_viewport_size({"width": 320, "height": 180})
    page.route("http://**/*", serving(files))
    yield page
    context.close()


@contextmanager
def played(shown: Shown, scene: Scene, folder: Path, steps: int) -> Iterator[Shown]:
    """The page of a scene after some steps."""
    with another(shown, paged(scene, folder).files()) as page:
        page.set_viewport_size({"width": SIZE[0], "height": SIZE[1]})
        page.goto("http://127.0.0.1/#paused")
        begun(page)
        page.evaluate(f"scene.step({steps})")
        yield Shown(page, scene, [])
