"""Live plants in notebooks: the page of a plant or a scene in a frame, with nothing served and nothing installed."""

import html
import os
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from windflower.errors import SceneError
from windflower.scene.subjects import Subject, scene_of
from windflower.web.site import SEEN, WebPage, check_page, web_page, write_single

__all__ = ["LivePage", "show"]

HEIGHTS = 120, 4000  # least and most height in a notebook, pixels


class LivePage:
    """A page with a live plant, which a notebook shows where it is the last line of a cell.

    page    the page
    height  of its frame in the notebook, pixels
    """

    def __init__(self, page: WebPage, height: int) -> None:
        self.page, self.height = page, height
        self._text = page.single()

    def __repr__(self) -> str:
        return f"<LivePage {self.page.title}: {len(self._text) / 1e6:.1f} MB>"

    def _repr_html_(self) -> str:
        """The whole page in a frame, in ASCII: scripts keep their hashes whatever a notebook takes the text for."""
        text, title = (
            html.escape(one).encode("ascii", "xmlcharrefreplace").decode() for one in (self._text, self.page.title)
        )
        return (
            f'<iframe srcdoc="{text}" title="{title}" '
            f'style="width: 100%; height: {self.height}px; border: 0" allow="fullscreen; clipboard-write"></iframe>'
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page as one file, to open or to send.

        path  the file to write, .html
        """
        check_page(path, single=True)
        write_single(self.page, path)


def show(
    plant: Subject,
    *,
    height: int = 480,
    quality: str = "draft",
    allow: Iterable[str | os.PathLike[str]] = (),
) -> LivePage:
    """Show a plant or a scene in live wind in a notebook: make it the last line of a cell.

    plant    a plant, a scene or its settings, or the name or the file of a plant or a scene
    height   of the picture, pixels
    quality  draft, good or best
    allow    folders outside of its own from which a scene's file may name files

    The same page as `windflower web --single` writes, with the same controls; it runs in the browser and asks nothing
    of Python. A notebook that is saved with it holds all of it, some megabytes.

        windflower.show("silver-birch")
    """
    if not HEIGHTS[0] <= height <= HEIGHTS[1]:
        raise SceneError(f"height must be {HEIGHTS[0]} to {HEIGHTS[1]} pixels; it is {height}.")
    scene = scene_of(plant, size=SEEN, allow=allow)
    with TemporaryDirectory() as folder:
        page = web_page(scene, "plant", quality=quality, beside=Path(folder) / "page", report=lambda *_: None)
    return LivePage(page, height)
