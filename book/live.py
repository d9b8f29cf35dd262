"""`python -m book.live` writes the live plants of the site into out/live: a pack, a page, a picture and a film of each.

They share the page's modules and shaders. `make docs` takes the folder over where it is there, and pages show a live
plant in place of a picture; without it they show the picture.
"""

import html
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["EMBEDDED", "FOLDER", "LIVE", "Live", "page_of", "with_live"]

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "out" / "live"
FILM = 4.0  # s


@dataclass(frozen=True)
class Live:
    """A live plant of the site: the name of a species or a scene, and a sentence about it."""

    name: str
    text: str


LIVE = (
    Live("silver-birch", "A silver birch, moved by its modes."),
    Live("oak-in-a-storm", "An oak in a storm."),
    Live("palms-in-a-gale", "Palms, whose fronds are limp."),
    Live("banana", "A banana, whose blades are sheets of mass points."),
    Live("willow-by-the-water", "A weeping willow by a pond, with its mirror image."),
    Live("birch-grove", "A grove of thirty birches."),
)
"""What the site shows."""

EMBEDDED = {
    "index": ("stills/willow-by-the-water.webp", "silver-birch"),
    "web": ("web.webp", "palms-in-a-gale"),
    "modal": ("gallery/poses.webp", "oak-in-a-storm"),
    "limp": ("limp-willow.webp", "willow-by-the-water"),
    "broadleaf": ("banana-gust.webp", "banana"),
    "forest": ("stills/hills.webp", "birch-grove"),
}
"""Page -> the picture on it before which a live plant stands, and its name."""


def page_of(live: Live) -> Iterator[tuple[str, bytes]]:
    """Files of a live plant, by their names in the folder."""
    from windflower.scene import settings_of
    from windflower.scene.subjects import scene_of
    from windflower.web.site import SEEN, web_page

    scene = scene_of(settings_of(live.name), size=SEEN)
    page = web_page(scene, live.name, film=FILM, beside=FOLDER / live.name, report=lambda *_: None)
    yield from page.files(f"{live.name}.html").items()


def main() -> None:
    """Write all of them, or those that are named, and a page that lists them."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for live in LIVE:
        if not sys.argv[1:] or live.name in sys.argv[1:]:
            for name, data in page_of(live):
                file = FOLDER / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(data)
            sys.stdout.write(f"{live.name}: {(FOLDER / f'{live.name}.pack').stat().st_size / 1e6:.1f} MB\n")
            sys.stdout.flush()
    (FOLDER / "index.html").write_text(_list(), "utf-8")
    sys.stdout.write(f"The live plants are in {FOLDER}; to look at them: python -m http.server -d {FOLDER}\n")


def _list() -> str:
    entries = "\n".join(
        f'<li><a href="{one.name}.html"><img src="{one.name}.webp" alt=""><br>{html.escape(one.text)}</a>'
        for one in LIVE
        if (FOLDER / f"{one.name}.pack").exists()
    )
    style = "body{font:16px/1.4 system-ui;margin:2em}ul{display:flex;flex-wrap:wrap;gap:1em;padding:0;list-style:none}"
    small = "img{width:20em;max-width:100%;height:auto}"
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Live plants</title>'
    body = f"<style>{style}{small}</style><h1>Live plants</h1><ul>{entries}</ul>"
    return f'<!doctype html><html lang="en">{head}{body}</html>\n'


def with_live(page: str, text: str, folder: Path = FOLDER) -> str:
    """Text of a page with a live plant in place of its picture, if the page has one and the plant has been written."""
    picture, name = EMBEDDED.get(page, ("", ""))
    if not name or not (folder / f"{name}.pack").exists():
        return text
    said = re.escape(picture)
    return re.sub(
        rf"^.*\]\({said}\).*$", lambda found: f"{_element(page, name)}\n\n{found[0]}", text, count=1, flags=re.M
    )


def _element(page: str, name: str) -> str:
    """A live plant that is loaded when it comes into view; its children show where scripts do not run."""
    up = "../" * page.count("/") + "live"
    words = next(one.text for one in LIVE if one.name == name)
    still = f'<img src="{up}/{name}.webp" alt="{html.escape(words)}">'
    plant = f'src="{up}/{name}.pack" poster="{up}/{name}.webp" fallback="{up}/{name}.mp4"'
    return (
        f'<figure class="live"><windflower-plant {plant} lazy controls>{still}</windflower-plant>\n'
        f"<figcaption>{html.escape(words)} Live where the browser has WebGPU; "
        f'<a href="{up}/{name}.html">on a page of its own</a>.</figcaption></figure>\n'
        f'<script type="module" src="{up}/page/element.js"></script>'
    )


if __name__ == "__main__":
    main()
