"""The page itself in a real browser: its controls, its sentences, and that it goes on."""

import gzip
import json
import struct
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.clients import lacking
from tests.clients.conftest import PACKAGES
from tests.clients.web_pages import MESSAGE, PLAYS, STAND_IN, Shown, another, another_browser, awaited
from windflower.render.output import open_sink
from windflower.scene import Scene
from windflower.web.notebook import LivePage
from windflower.web.site import WebPage, write_folder

pytestmark = pytest.mark.slow
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 720}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
LYING: dict[str, Any] = {"viewport": {"width": 844, "height": 390}, "has_touch": True, "is_mobile": True}
TARGET = 44  # px that a finger meets
TRUNK = """(() => {
  const {camera} = plant.player.scene, {width, height, left, top} = plant.canvas.getBoundingClientRect();
  const m = camera.projection(width / height), at = (row) => m[4 * row + 1] * 1.2 + m[4 * row + 3];
  return [left + width * (1 + at(0) / at(3)) / 2, top + height * (1 - at(1) / at(3)) / 2];
})()"""
"""Where the trunk is on the page, px, 1.2 m above the ground."""
CONTROLS = """() => [...plant.shadowRoot.querySelectorAll("button, input")]
  .filter((one) => one.offsetParent).map((one) => {
  const {left, top, right, bottom} = one.getBoundingClientRect();
  const room = one.matches("input") ? one.parentElement.getBoundingClientRect().height : bottom - top;
  const said = one.parentElement?.querySelector("span");
  const clipped = one.matches("input") && said.scrollWidth > said.clientWidth;
  return {name: one.ariaLabel || one.textContent, box: [left, top, right, bottom], room, clipped};
})"""
OPENED = """(src) => new Promise((resolve) => {
  plant.addEventListener("failed", () => resolve(plant.message.textContent), {once: true});
  plant.addEventListener("ready", async () => {
    const going = () => !plant.message.textContent && !(plant.player?.whole && plant.player.shown > 1);
    for (let waited = 0; going() && waited < 300; waited++) {
      if (plant.player) plant.player.stale = true;
      await new Promise((after) => setTimeout(after, 100));
    }
    resolve(plant.message.textContent || (plant.player?.shown > 1 ? "plays" : "nothing"));
  }, {once: true});
  plant.setAttribute("src", src);
})"""
FILM = STAND_IN.replace("img", "video")
FORBIDDEN = """() => new Promise((done) => setTimeout(async () => {
  const tried = async (what) => { try { await what(); return "done"; } catch { return "refused"; } };
  const loaded = (kind, more) => new Promise((onload, onerror) =>
    document.head.append(Object.assign(document.createElement(kind), {onload, onerror, ...more})));
  const elsewhere = "http://elsewhere.example/";
  done({
    text: await tried(() => eval("1")),
    files: await tried(() => fetch(elsewhere, {mode: "no-cors"})),
    modules: await tried(() => import(elsewhere + "page/half.js")),
    pictures: await tried(() => loaded("img", {src: elsewhere + "birch.webp"})),
    scripts: await tried(() => loaded("script", {src: elsewhere + "page/half.js", type: "module", crossOrigin: ""})),
  });
}))"""
"""What a page must not do, and whether it could; out of the reach of what drives the browser, which may run text."""
LATE = """() => {
  const {fetch} = globalThis, {destroy} = GPUDevice.prototype;
  globalThis.destroyed = 0;
  globalThis.fetch = async (asked, ...rest) => {
    if (String(asked).endsWith("late.pack")) await new Promise((go) => (globalThis.arrive = go));
    return fetch(asked, ...rest);
  };
  GPUDevice.prototype.destroy = function () { destroyed += 1; return destroy.call(this); };
}"""
"""Have one pack wait until it may arrive, and count devices that are given back."""
REFUSED = """async () => {
  const {device} = plant.player;
  device.pushErrorScope("validation");
  plant.player.draw();
  return (await device.popErrorScope())?.message ?? null;
}"""
"""What the device says against a frame."""
HELD_UP = """() => {
  const {onSubmittedWorkDone} = GPUQueue.prototype;
  const gate = new Promise((go) => (globalThis.free = go));
  globalThis.held = globalThis.freed = globalThis.played = 0;
  plant.addEventListener("ready", () => (played += 1));
  GPUQueue.prototype.onSubmittedWorkDone = function () {
    const done = onSubmittedWorkDone.call(this);
    held += 1;
    return gate.then(() => done).finally(() => (freed += 1));
  };
}"""
"""Have frames wait until they may be done, and count plants that are said to play."""


@contextmanager
def opened(
    shown: Shown,
    written: tuple[Scene, WebPage],
    end: str = "#paused",
    beside: dict[str, bytes] | None = None,
    **kind: Any,
) -> Iterator[Any]:
    """The birch on another page of some kind, once it plays; files that are served beside it."""
    with another(shown, {**written[1].files(), **(beside or {})}, **kind) as page:
        messages: list[str] = []
        page.on("console", lambda message: messages.append(message.text))
        page.on("pageerror", lambda error: messages.append(str(error)))
        page.goto(f"http://127.0.0.1/{end}")
        awaited(page, PLAYS)
        page.evaluate("globalThis.plant = document.querySelector('windflower-plant'); null")
        yield page
        assert messages == []


def pressed(page: Any, name: str) -> None:
    """Press a button of the bar."""
    page.evaluate(
        f"[...plant.shadowRoot.querySelectorAll('button')].find((one) => one.textContent == '{name}').click()"
    )


@pytest.mark.parametrize("kind", [DESKTOP, PHONE, LYING], ids=["desktop", "phone", "lying phone"])
def test_controls_have_room_and_names(shown: Shown, written: tuple[Scene, WebPage], kind: dict[str, Any]) -> None:
    with opened(shown, written, **kind) as page:
        controls = page.evaluate(CONTROLS)
        width, height = page.evaluate("[innerWidth, innerHeight]")
        assert width == kind["viewport"]["width"], "the page is wider than the screen"
        assert {"Wind", "Direction", "Time", "Gust", "Play", "Strain", "Link", "Picture", "Hide"} <= {
            one["name"] for one in controls
        }
        boxes = np.array([one["box"] for one in controls])
        assert boxes.min() >= 0
        assert (boxes[:, 2:] <= [width, height]).all()
        for at, (left, top, right, bottom) in enumerate(boxes):
            beside = (boxes[at + 1 :, 0] >= right) | (boxes[at + 1 :, 2] <= left)
            assert (beside | (boxes[at + 1 :, 1] >= bottom) | (boxes[at + 1 :, 3] <= top)).all(), controls[at]["name"]
        assert not [one["name"] for one in controls if one["clipped"]]
        if kind.get("has_touch"):
            assert min(one["room"] for one in controls) >= TARGET
        top, bottom = page.evaluate(
            "(() => { const {top, bottom} = plant.canvas.getBoundingClientRect(); return [top, bottom]; })()"
        )
        assert bottom <= boxes[:, 1].min(), "controls cover the plant"
        assert bottom - top > 0.6 * height


def test_a_damaged_pack_is_told_on_the_page(shown: Shown, written: tuple[Scene, WebPage]) -> None:
    files = written[1].files()
    for data, said in (
        (files["birch.pack"][:100_000], "damaged or cut short"),
        (b"<html>not found", "damaged or cut short"),
        (gzip.compress(b"something else"), "not a pack"),
    ):
        with another(shown, {**files, "birch.pack": data}) as page:
            page.goto("http://127.0.0.1/")
            awaited(page, f"{MESSAGE}.includes('{said}')")
            assert page.evaluate(f"{STAND_IN}.src").endswith("birch.webp")


def test_without_webgpu_the_page_says_so_and_shows_the_plant(shown: Shown, written: tuple[Scene, WebPage]) -> None:
    with another(shown, written[1].files()) as page:
        page.add_init_script("Object.defineProperty(navigator, 'gpu', {value: undefined})")
        page.goto("http://127.0.0.1/")
        awaited(page, f"{MESSAGE}.includes('no WebGPU')")
        awaited(page, f"{STAND_IN}.complete && {STAND_IN}.naturalWidth == 640")
        assert page.evaluate(f"[{STAND_IN}.ariaLabel, getComputedStyle({STAND_IN}).touchAction]") == [
            "A picture of the plant",
            "auto",  # a finger on it scrolls the page
        ]


@pytest.mark.parametrize("single", [False, True], ids=["folder", "single"])
def test_without_webgpu_the_film_of_the_plant_plays(
    shown: Shown, written: tuple[Scene, WebPage], tmp_path: Path, single: bool
) -> None:
    with open_sink(tmp_path / "birch.mp4", (64, 36), 12) as sink:
        for frame in np.random.default_rng(1).integers(0, 255, (12, 36, 64, 3), np.uint8):
            sink.write(frame)
    film = (tmp_path / "birch.mp4").read_bytes()
    web = replace(written[1], stand_in={**written[1].stand_in, "birch.mp4": film})
    (tmp_path / "birch.html").write_text(web.single(), "utf-8")
    with another(shown, web.files()) as page:
        page.add_init_script("Object.defineProperty(navigator, 'gpu', {value: undefined})")
        page.goto((tmp_path / "birch.html").as_uri() if single else "http://127.0.0.1/")
        awaited(page, f"{FILM}?.currentTime > 0 && {FILM}.videoWidth == 64")
        assert page.evaluate(f"[{FILM}.loop, {FILM}.muted, {MESSAGE}.includes('no WebGPU')]") == [True, True, True]


@pytest.mark.parametrize("single", [False, True], ids=["folder", "single"])
def test_a_browser_keeps_to_the_policy_of_the_page(
    shown: Shown, written: tuple[Scene, WebPage], tmp_path: Path, single: bool
) -> None:
    """It runs no text and asks nobody else, whatever a script on the page would like."""
    asked: list[str] = []
    with another(shown, written[1].files()) as page:
        page.on("request", lambda request: asked.append(request.url))
        (tmp_path / "birch.html").write_text(written[1].single(), "utf-8")
        page.goto(((tmp_path / "birch.html").as_uri() if single else "http://127.0.0.1/") + "#paused")
        awaited(page, PLAYS)
        here = ("file:///", "blob:", "data:") if single else ("http://127.0.0.1/", "blob:")
        assert asked
        assert not [url for url in asked if not url.startswith(here)]
        assert page.evaluate(FORBIDDEN) == dict.fromkeys(("text", "files", "modules", "pictures", "scripts"), "refused")


def test_a_plant_that_comes_late_leaves_the_canvas_to_the_next(shown: Shown, written: tuple[Scene, WebPage]) -> None:
    """Another was asked for while its pack was on the way; its device is given back."""
    with opened(shown, written, beside={"late.pack": written[1].pack.to_bytes()}) as page:
        page.evaluate(LATE)
        page.evaluate("plant.setAttribute('src', 'late.pack'); plant.setAttribute('src', 'birch.pack')")
        awaited(page, "plant.player?.whole")
        before = page.evaluate("destroyed")
        page.evaluate("arrive(); null")
        awaited(page, f"destroyed > {before}")
        assert page.evaluate(REFUSED) is None


def test_a_plant_that_is_taken_away_is_not_said_to_play(shown: Shown, written: tuple[Scene, WebPage]) -> None:
    """Before its first picture was done."""
    with opened(shown, written) as page:
        page.evaluate(HELD_UP)
        page.evaluate("plant.setAttribute('src', 'birch.pack?again')")
        awaited(page, "plant.player?.shown && held")
        page.evaluate("plant.remove()")
        page.evaluate("free(); null")
        awaited(page, "freed == held")
        assert page.evaluate("[played, plant.player ?? null]") == [0, None]


def test_a_single_file_opens_without_a_server(shown: Shown, written: tuple[Scene, WebPage], tmp_path: Path) -> None:
    (tmp_path / "birch.html").write_text(written[1].single(), "utf-8")
    messages: list[str] = []
    with another(shown, {}) as page:
        page.on("console", lambda message: messages.append(message.text))
        page.goto((tmp_path / "birch.html").as_uri() + "#paused")
        awaited(page, PLAYS)
        assert messages == []


def test_a_folder_on_a_server_starts_without_a_message(
    shown: Shown, written: tuple[Scene, WebPage], tmp_path: Path
) -> None:
    """As the command says it: python -m http.server; a browser asks it for an icon, too."""
    write_folder(written[1], tmp_path)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path)))
    Thread(target=server.serve_forever, daemon=True).start()
    context = shown.page.context.browser.new_context(viewport={"width": 320, "height": 480})
    page, messages = context.new_page(), []
    page.on("console", lambda message: messages.append(message.text))
    page.goto(f"http://127.0.0.1:{server.server_port}/#paused")
    awaited(page, PLAYS)
    assert page.evaluate("document.querySelector('link[rel=icon]').href").endswith("page/icon.svg")
    context.close()
    server.shutdown()
    server.server_close()
    assert messages == []


class Quiet(SimpleHTTPRequestHandler):
    """A server that writes no log."""

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


def test_a_notebook_plays_the_page(shown: Shown, written: tuple[Scene, WebPage]) -> None:
    text = LivePage(written[1], 180)._repr_html_()
    with another(shown, {"index.html": f"<!doctype html>{text}".encode()}) as page:
        page.goto("http://127.0.0.1/")
        inside = page.frames[1]
        for _ in range(1200):
            if inside.evaluate("Boolean(document.querySelector('windflower-plant')?.player?.whole)"):
                break
            page.wait_for_timeout(100)
        assert inside.evaluate("document.querySelector('windflower-plant').message.textContent") == ""


def test_hidden_controls_leave_the_picture_alone(shown: Shown, written: tuple[Scene, WebPage]) -> None:
    with opened(shown, written, **DESKTOP) as page:
        pressed(page, "Hide")
        awaited(page, "plant.canvas.clientHeight == innerHeight")
        assert [one["name"] for one in page.evaluate(CONTROLS)] == ["Controls"]
        pressed(page, "Controls")
        awaited(page, "plant.canvas.clientHeight < innerHeight")


def test_keys_lead_the_camera_and_stop_the_motion(shown: Shown, written: tuple[Scene, WebPage]) -> None:
    with opened(shown, written) as page:
        look = "(({azimuth, elevation, distance}) => [azimuth, elevation, distance])(plant.player.scene.camera)"
        first = page.evaluate(look)
        page.keyboard.press("Tab")
        assert page.evaluate("plant.shadowRoot.activeElement == plant.canvas")
        for key in ("ArrowLeft", "ArrowUp", "+"):
            page.keyboard.press(key)
        around, up, away = page.evaluate(look)
        assert (around < first[0], up > first[1], away < first[2]) == (True, True, True)
        page.keyboard.press("Home")
        assert page.evaluate(look) == pytest.approx(first)
        page.keyboard.press("Space")
        assert not page.evaluate("plant.player.paused")
        awaited(page, "plant.player.scene.steps > 0")
        page.keyboard.press("Space")
        assert page.evaluate("plant.player.paused")


def test_a_link_has_all_settings(shown: Shown, written: tuple[Scene, WebPage]) -> None:
    settings = "#wind=7.50&direction=30&hour=18.25&view=1.000%2C0.200%2C30.000&paused=&strain="
    with opened(shown, written, settings) as page:
        pressed(page, "Link")
        assert page.evaluate("location.hash") == settings
        said = "(({wind, daylight: {hour}, strained}) => [wind.speed, wind.direction, hour, strained])"
        assert page.evaluate(f"{said}(plant.player.scene)") == [7.5, 30, 18.25, True]
        page.evaluate("location.hash = '#wind=2&direction=30&hour=18.25'")
        awaited(page, "plant.player.scene.wind.speed == 2")
        page.evaluate("location.hash = '#wind=38.00'")
        awaited(page, "plant.player.scene.wind.speed == 38")


def test_the_picture_is_saved_as_it_is_seen(shown: Shown, written: tuple[Scene, WebPage], tmp_path: Path) -> None:
    with opened(shown, written) as page:
        with page.expect_download() as saved:
            pressed(page, "Picture")
        assert saved.value.suggested_filename == "windflower.png"
        saved.value.save_as(tmp_path / "picture.png")
        with Image.open(tmp_path / "picture.png") as picture:
            assert list(picture.size) == page.evaluate("[plant.canvas.width, plant.canvas.height]")
            assert np.asarray(picture.convert("L")).std() > 20


def test_the_plant_fills_the_screen_and_comes_back(shown: Shown, written: tuple[Scene, WebPage]) -> None:
    with opened(shown, written, viewport={"width": 640, "height": 480}) as page:
        page.evaluate("plant.style.height = '360px'")
        for filling, height in (("plant", 480), ("null", 360)):
            click(page, "Full screen")
            awaited(page, f"document.fullscreenElement == {filling} && plant.clientHeight == {height}")
            awaited(page, "plant.canvas.clientHeight == plant.player.scene.picture.height")


def click(page: Any, name: str) -> None:
    """Press a button of the bar as a person does: a browser asks for that before it fills the screen."""
    (box,) = [one["box"] for one in page.evaluate(CONTROLS) if one["name"] == name]
    page.mouse.click((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)


def test_fingers_turn_the_camera_come_nearer_and_pull(shown: Shown, written: tuple[Scene, WebPage]) -> None:
    with opened(shown, written, **PHONE) as page:
        touch = page.context.new_cdp_session(page)

        def at(kind: str, *fingers: tuple[float, float]) -> None:
            points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(fingers)]
            touch.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})

        look = "(({azimuth, distance}) => [azimuth, distance])(plant.player.scene.camera)"
        around, away = page.evaluate(look)
        at("Start", (20, 40))
        awaited(page, "!plant.player.scene.hand.works")
        for x in (40, 80):
            at("Move", (x, 40))
            page.wait_for_timeout(300)
        at("End")
        turned, same = page.evaluate(look)
        assert turned < around - 0.1
        assert same == pytest.approx(away)
        at("Start", (180, 200))
        at("Start", (180, 200), (220, 200))
        at("Move", (100, 200), (300, 200))
        at("End")
        turned_by_two, nearer = page.evaluate(look)
        assert turned_by_two == pytest.approx(turned)
        assert nearer < 0.5 * away
        page.evaluate("plant.player.scene.camera.reset()")  # of what the first finger met nobody may hear later
        x, y = page.evaluate(TRUNK)
        at("Start", (x, y))
        awaited(page, "plant.player.scene.hand.holds")
        at("End")
        assert not page.evaluate("plant.player.scene.hand.holds")


def test_a_pack_is_opened_once(shown: Shown, written: tuple[Scene, WebPage]) -> None:
    with opened(shown, written) as page:
        packs = "performance.getEntriesByType('resource').filter((one) => one.name.endsWith('.pack')).length"
        assert page.evaluate(packs) == 1
        assert page.evaluate("plant.opened") == 1


def test_two_plants_play_on_one_page(shown: Shown, written: tuple[Scene, WebPage]) -> None:
    plant = '<windflower-plant src="birch.pack" paused controls style="height: 200px"></windflower-plant>'
    text = f'<!doctype html><script type="module" src="page/element.js"></script>{plant}{plant}'
    with another(shown, {**written[1].files(), "index.html": text.encode()}) as page:
        page.goto("http://127.0.0.1/")
        page.evaluate("globalThis.plants = [...document.querySelectorAll('windflower-plant')]; null")
        awaited(page, "plants.every((one) => one.player?.whole)")
        assert "Link" not in page.evaluate("plants[0].shadowRoot.textContent")
        page.evaluate("plants[0].setAttribute('wind', 9)")
        assert page.evaluate("plants.map((one) => one.player.scene.wind.speed == 9)") == [True, False]
        page.evaluate("document.body.append(plants[0])")
        awaited(page, "plants.every((one) => one.player?.whole)")
        assert page.evaluate("plants.map((one) => one.shadowRoot.querySelectorAll('.controls').length)") == [1, 1]


def test_a_lazy_plant_is_loaded_in_view_and_rests_out_of_it(shown: Shown, written: tuple[Scene, WebPage]) -> None:
    plant = '<windflower-plant src="birch.pack" lazy style="height: 170px; margin-top: 3000px"></windflower-plant>'
    text = f'<!doctype html><script type="module" src="page/element.js"></script>{plant}'
    asked: list[str] = []
    with another(shown, {**written[1].files(), "index.html": text.encode()}) as page:
        page.on("request", lambda request: asked.append(request.url))
        page.goto("http://127.0.0.1/")
        page.evaluate("globalThis.plant = document.querySelector('windflower-plant'); null")
        awaited(page, "plant.away")
        assert not [url for url in asked if url.endswith(".pack")]
        page.evaluate("plant.scrollIntoView()")
        awaited(page, "plant.player?.whole && !plant.player.paused")
        page.evaluate("scrollTo(0, 0)")
        awaited(page, "plant.player.paused")
        page.evaluate("plant.scrollIntoView()")
        awaited(page, "!plant.player.paused")
        assert len([url for url in asked if url.endswith(".pack")]) == 1


def test_a_page_that_was_away_goes_on_where_it_was(shown: Shown, written: tuple[Scene, WebPage]) -> None:
    """Asleep for an hour, and made smaller."""
    with opened(shown, written) as page:
        page.evaluate("plant.player.paused = false; plant.player.frame(1).then(() => plant.player.frame(3601)); null")
        awaited(page, "plant.player.scene.steps > 0")
        page.evaluate("plant.player.paused = true")
        assert page.evaluate("plant.player.scene.steps") < 60
        page.set_viewport_size({"width": 200, "height": 420})
        awaited(page, "plant.player.scene.picture.height == plant.canvas.height && plant.canvas.width == 200")


def test_a_hidden_page_rests_and_goes_on_where_it_was(shown: Shown, written: tuple[Scene, WebPage]) -> None:
    state = "[plant.player.shown, plant.player.scene.steps]"
    hide = """(hidden) => { Object.defineProperty(document, "hidden", {value: hidden, configurable: true});
        document.dispatchEvent(new Event("visibilitychange")); }"""
    with opened(shown, written, "") as page:
        awaited(page, "plant.player.scene.steps > 0")
        page.evaluate(hide, True)
        awaited(page, "!plant.player.stale")
        hidden = page.evaluate(state)
        page.wait_for_timeout(3000)
        assert page.evaluate(state) == hidden
        page.evaluate(hide, False)
        awaited(page, f"plant.player.scene.steps > {hidden[1]}")
        frames, steps = np.subtract(page.evaluate(state), hidden)
        assert steps <= 16 * frames, "time has leapt"


def test_a_lost_device_is_opened_again_once(shown: Shown, written: tuple[Scene, WebPage]) -> None:
    with opened(shown, written) as page:
        page.evaluate("globalThis.before = plant.player; before.device.destroy()")
        awaited(page, "plant.player != before && plant.player?.shown")
        page.evaluate("plant.player.device.destroy()")
        awaited(page, f"{MESSAGE}.includes('graphics device was lost')")
        assert page.evaluate("plant.shadowRoot.querySelector('.controls')") is None
        assert page.evaluate(f"{STAND_IN}.src").endswith("birch.webp")


def test_a_page_lives_on_when_the_graphics_process_crashes(shown: Shown, written: tuple[Scene, WebPage]) -> None:
    """In a browser of its own: all pages of a browser share that process."""
    with another_browser(shown) as browser, another(shown, written[1].files(), browser=browser) as page:
        page.goto("http://127.0.0.1/#paused")
        awaited(page, PLAYS)
        page.evaluate("globalThis.plant = document.querySelector('windflower-plant'); null")
        page.evaluate("globalThis.before = plant.player; null")
        browser.new_browser_cdp_session().send("Browser.crashGpuProcess")
        awaited(page, "plant.player != before && plant.player?.whole")
        assert page.evaluate(MESSAGE) == ""


def test_the_wind_of_an_attribute_has_a_unit(shown: Shown, written: tuple[Scene, WebPage]) -> None:
    with opened(shown, written) as page:
        usual = page.evaluate("plant.player.scene.wind.facts.speed")
        for text, speed in (
            ("5", 5.0),
            ("5m/s", 5.0),
            ("5.5 m/s", 5.5),
            ("b5", 0.836 * 5**1.5),
            ("B0", 0.0),
            ("5 km/h", usual),
            ("strong", usual),
            (" ", usual),
            ("90", 40.0),
        ):
            found = page.evaluate("(text) => (plant.setAttribute('wind', text), plant.player.scene.wind.speed)", text)
            assert found == pytest.approx(speed), text
        page.evaluate("location.hash = '#wind=b8'")
        awaited(page, "Math.abs(plant.player.scene.wind.speed - 18.9) < 0.1")


def damaged(written: tuple[Scene, WebPage]) -> dict[str, bytes]:
    """Packs that are packed well, but of a header or bytes that are not."""
    whole, rng = gzip.decompress(written[1].pack.to_bytes()), np.random.default_rng(5)
    (length,) = struct.unpack("<I", whole[8:12])
    header, blobs = json.loads(whole[12 : 12 + length]), whole[12 + length :]

    def packed(header: bytes, blobs: bytes = blobs) -> bytes:
        return gzip.compress(whole[:8] + struct.pack("<I", len(header)) + header + blobs, 1)

    found = {f"without {name}": packed(json.dumps({**header, name: None}).encode()) for name in header}
    text = whole[12 : 12 + length]
    for number in range(8):
        at = int(rng.integers(length))
        found[f"flip {number}"] = packed(text[:at] + bytes([text[at] ^ 1 << int(rng.integers(5))]) + text[at + 1 :])
    found |= {f"short by {cut}": packed(text, blobs[:-cut]) for cut in (1, 1000, len(blobs) // 2, len(blobs))}
    found |= {f"header short by {cut}": packed(text[:-cut]) for cut in (1, length // 2, length)}
    for name, part in (
        ("motion", {"dt": 0}),
        ("motion", {"most": 0}),
        ("wind", {"speeds": []}),
        ("wind", {"pace": None}),
    ):
        found[f"{name} {part}"] = packed(json.dumps({**header, name: {**header[name], **part}}).encode())
    odd = ["insertDebugMarker", "1"]  # which a device would make
    things = [*header["things"], ["createQuerySet", {"type": "occlusion", "count": 1}]]
    found["odd thing"] = packed(json.dumps({**header, "things": things}).encode())
    for name, commands in (("command", [odd]), ("call", [["compute", [odd, ["end"]]]])):
        frame = [["submit", commands], *header["sections"]["frame"]]
        sections = {**header["sections"], "frame": frame}
        found[f"odd {name}"] = packed(json.dumps({**header, "sections": sections}).encode())
    sections = {**header["sections"], "start": [odd, *header["sections"]["start"]]}
    found["odd beginning"] = packed(json.dumps({**header, "sections": sections}).encode())
    many = {"blobs": [[0, 2**40, "raw", 2**40]]}
    found["large"] = packed(json.dumps({**header, **many}).encode())
    sections = {**header["sections"], "frame": [["submit", [["compute", [["dispatchWorkgroups", 1]]]]]]}
    found["refused by the device"] = packed(json.dumps({**header, "sections": sections}).encode())
    noise = np.frombuffer(blobs, np.uint8) ^ (rng.random(len(blobs)) < 1e-4).astype(np.uint8)
    found["noise"] = packed(text, noise.tobytes())
    return found


def test_any_pack_plays_or_is_told(shown: Shown, written: tuple[Scene, WebPage]) -> None:
    """Not one leaves a page that is empty, or that loads for ever."""
    packs = {f"{number}.pack": data for number, data in enumerate(damaged(written).values())}
    with opened(shown, written, beside=packs) as page:
        for name, said in zip(packs, damaged(written), strict=True):
            told = page.evaluate(OPENED, name)
            assert told == "plays" or ("Load the page again" in told and len(told) < 600), (said, told)
            may_play = said.startswith("flip") or said in ("noise", "without windflower", "without title")
            assert may_play or told != "plays", said


@pytest.mark.parametrize("tool", ["typescript", "prettier"])
def test_modules_of_the_page_have_right_types_and_form(tool: str) -> None:
    if not (PACKAGES / tool).is_dir():
        pytest.skip(lacking(tool))
    page = Path(__file__).parents[2] / "windflower/web/page"
    words = {
        "typescript": ["tsc", "-p", str(page / "jsconfig.json"), "--typeRoots", str(PACKAGES)],
        "prettier": ["prettier", "--print-width", "120", "--check", *map(str, sorted(page.glob("*.js")))],
    }[tool]
    done = subprocess.run([str(PACKAGES / ".bin" / words[0]), *words[1:]], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
