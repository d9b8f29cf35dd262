"""Writes pages: a folder with a page, its modules, shaders and a pack; or everything in one file.

Nothing in a page comes from elsewhere, and its content security policy tells the browser so.
"""

import base64
import hashlib
import html
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path

import numpy as np

from windflower.core.device import open_gpu
from windflower.core.files import check_folder, check_target, replacing
from windflower.core.reading import read_file
from windflower.core.temporary import temporary_beside
from windflower.render.film import Film, Picture
from windflower.render.output import open_sink
from windflower.render.quality import quality_of
from windflower.scene import Scene
from windflower.web.modules import ENTRY, joined_modules, page_modules, page_text
from windflower.web.pack import Pack, pack_of, page_title
from windflower.web.stage import stage

__all__ = ["SEEN", "Report", "WebPage", "check_page", "looping_frames", "web_page", "write_folder", "write_single"]

Report = Callable[[str, float], None]
"""Called with what is being done, and the share that is done."""
SEEN = (1280, 720)  # pixels of the picture to which the camera of a page is fitted
FILM_SIZE, FILM_RATE = (640, 360), 12.0  # pixels, and frames per second
SETTLES = 8.0  # s of a repeating wind before a film that loops
FADE = 0.3  # share of its length in which such a film fades from its end to its beginning
KINDS = {".webp": "image/webp", ".mp4": "video/mp4", ".svg": "image/svg+xml"}
ICON = "icon.svg"


@dataclass(frozen=True, eq=False)
class WebPage:
    """A page: the pack of a scene, and what is shown without WebGPU.

    title     of the page
    name      of its files
    stand_in  files that stand in for the live plant, by name: a picture, and a film if there is one
    """

    title: str
    name: str
    pack: Pack
    stand_in: Mapping[str, bytes]

    def files(self, page: str = "index.html") -> dict[str, bytes]:
        """All files of its folder by name, the page itself last; several pages may share a folder."""
        shaders = {f"shaders/{name}": text.encode() for name, text in self.pack.shaders.items()}
        modules = {f"page/{name}": text.encode() for name, text in page_modules().items()}
        style = {f"page/{name}": page_text(name).encode() for name in ("page.css", ICON)}
        packed = {f"{self.name}.pack": self.pack.to_bytes()}
        return {**shaders, **modules, **style, **self.stand_in, **packed, page: self._page_of_folder().encode()}

    def single(self) -> str:
        """Everything as one page."""
        script, style = joined_modules(), page_text("page.css")
        packed = base64.b64encode(self.pack.to_bytes()).decode()
        blocks = [f'<script type="text/plain" data-file="{self.name}.pack">{packed}</script>'] + [
            f'<script type="text/plain" data-file="shaders/{name}">{text}</script>'
            for name, text in self.pack.shaders.items()
        ]
        return _filled(
            policy=_policy(_hash(script), _hash(style), "'none'", "data: blob:"),
            title=html.escape(self.title),
            icon=_data_address(ICON, page_text(ICON).encode()),
            style=f"<style>{style}</style>",
            pack=f"{self.name}.pack",
            stand_in=_attributes({name: _data_address(name, data) for name, data in self.stand_in.items()}),
            files="\n".join(blocks),
            script=f'<script type="module">{script}</script>',
        )

    def _page_of_folder(self) -> str:
        return _filled(
            policy=_policy("'self'", "'self'", "'self'", "'self' blob:"),
            title=html.escape(self.title),
            icon=f"page/{ICON}",
            style='<link rel="stylesheet" href="page/page.css">',
            pack=f"{self.name}.pack",
            stand_in=_attributes({name: name for name in self.stand_in}),
            files="",
            script=f'<script type="module" src="page/{ENTRY}"></script>',
        )


def check_page(out: str | os.PathLike[str], *, single: bool) -> None:
    """Refuse a page that cannot be written, before any work is done for it."""
    if single:
        check_target(out, "a page", [".html"])
    else:
        check_folder(out)


def web_page(
    scene: Scene, name: str, *, quality: str = "draft", film: float = 0.0, beside: Path, report: Report
) -> WebPage:
    """Record a scene for a page.

    film    length of the film for browsers without WebGPU, s; 0 for a picture alone
    beside  file or folder beside which the film may be written
    """
    report("recording", 0.1)
    staged = stage(open_gpu(), scene, quality_of(quality, software=True))
    report("packing", 0.5)
    pack = pack_of(scene, staged)
    report("filming", 0.7)
    return WebPage(page_title(scene), name, pack, _stand_in(scene, name, film, beside))


def write_folder(page: WebPage, folder: str | os.PathLike[str], name: str = "index.html") -> int:
    """Write a page of this name to a folder; returns the bytes that a browser loads before the plant moves."""
    out, files = check_folder(folder), page.files(name)
    for name, data in files.items():
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        with replacing(out / name) as temporary:
            temporary.write_bytes(data)
    return sum(len(data) for name, data in files.items() if name not in page.stand_in)


def write_single(page: WebPage, path: str | os.PathLike[str]) -> int:
    """Write a page as one file; returns its bytes."""
    data = page.single().encode()
    with replacing(path) as temporary:
        temporary.write_bytes(data)
    return len(data)


def _stand_in(scene: Scene, name: str, seconds: float, beside: Path) -> dict[str, bytes]:
    """A picture of the scene, and a film of so many seconds, which loops, if there are any."""
    frames = looping_frames(scene, seconds) if seconds else [Film(scene, size=FILM_SIZE, quality="draft").frame(0.0)]
    found = {}
    for suffix, some in ((".webp", frames[:1]), (".mp4", frames if seconds else [])):
        if some:
            with temporary_beside(beside.with_name(f"{name}{suffix}")) as temporary:
                with open_sink(temporary, FILM_SIZE, FILM_RATE) as sink:
                    for frame in some:
                        sink.write(frame)
                found[f"{name}{suffix}"] = read_file(temporary, "archive")
    return found


def looping_frames(scene: Scene, seconds: float) -> list[Picture]:
    """Frames of a film of so many seconds that goes on where it began.

    The wind repeats, so that plants come to move periodically; what does not (clouds, the flutter of leaves) is faded
    from what follows the last frame into the first ones.
    """
    film = Film(replace(scene, wind=scene.wind.repeating(seconds)), size=FILM_SIZE, quality="draft")
    fade = max(1, round(FADE * seconds * FILM_RATE))
    settled = seconds * ceil(SETTLES / seconds)
    frames = list(film.frames(seconds + fade / FILM_RATE, FILM_RATE, start=settled))
    first, after = frames[:fade], frames[-fade:]
    share = (np.arange(fade) / fade).astype(np.float32)
    mixed = [(1 - s) * b.astype(np.float32) + s * a for s, a, b in zip(share, first, after, strict=True)]
    return [np.rint(frame).astype(np.uint8) for frame in mixed] + frames[fade:-fade]


def _filled(**parts: str) -> str:
    """The page with its parts; none of them is looked through for others."""
    text = page_text("page.html")
    pieces = text.split("{")
    return pieces[0] + "".join(parts[name] + rest for name, rest in (piece.split("}", 1) for piece in pieces[1:]))


def _policy(script: str, style: str, files: str, media: str) -> str:
    sources = {"script": script, "style": style, "connect": files, "img": media, "media": media}
    return "; ".join(["default-src 'none'", *(f"{name}-src {source}" for name, source in sources.items())])


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _attributes(addresses: Mapping[str, str]) -> str:
    names = {".webp": "poster", ".mp4": "fallback"}
    return " ".join(f'{names[Path(name).suffix]}="{address}"' for name, address in addresses.items())


def _data_address(name: str, data: bytes) -> str:
    return f"data:{KINDS[Path(name).suffix]};base64,{base64.b64encode(data).decode()}"
