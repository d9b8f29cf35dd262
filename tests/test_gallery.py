"""The gallery: every entry is on its page, names what it shows, and cheap ones are made."""

import re
import sys
from pathlib import Path

import numpy as np
import pytest

from windflower.cli import main
from windflower.gallery import entries, page_of
from windflower.gallery.pictures import LARGEST, save_loop, save_strip

DOCS = Path(__file__).parents[1] / "docs" / "gallery"
WANTED = {
    "Diener et al. 2009": ["1", "4", "6", "7", "8"],
    "Stam 1996": ["3", "4", "5", "6", "7"],
    "Di Giacomo et al. 2001": ["3", "4a", "4b", "4c", "4d", "4e", "4f"],
    "Yildiz": ["1", "6", "7", "8", "9", "10", "11", "12", "14", "15", "18", "19", "20"],
    "Guo et al. 2006": ["3", "6", "7"],
}


def gallery(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["windflower", "gallery", *words])
    with pytest.raises(SystemExit) as stop:
        main()
    return int(stop.value.code or 0)


def test_cheap_entries_are_made_and_stand_on_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert gallery(monkeypatch, "-o", str(tmp_path), "--only", "yildiz-10", "--only", "guo-3") == 0
    page = (tmp_path / "index.md").read_text("utf-8")
    for name in ("yildiz-10", "guo-3"):
        data = (tmp_path / f"{name}.webp").read_bytes()
        assert data[8:12] == b"WEBP"
        assert 5_000 < len(data) < LARGEST
        assert f"({name}.webp)" in page
    assert "diener-1a" not in page  # which was not made


def test_a_picture_that_does_not_exist_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert gallery(monkeypatch, "-o", str(tmp_path), "--only", "monet-1") == 2


@pytest.mark.parametrize("paper", WANTED)
def test_the_papers_figures_are_there(paper: str) -> None:
    found = {figure for entry in entries() if (figure := _number(entry.figure, paper))}
    assert found >= set(WANTED[paper])


def _number(figure: str, paper: str) -> str | None:
    match = re.match(rf"{re.escape(paper)}, figure (\w+)", figure)
    return match and match[1]


def test_the_page_in_the_docs_has_every_entry_with_its_picture_sentence_and_command() -> None:
    page = (DOCS / "index.md").read_text("utf-8")
    assert page == page_of(entries()), "make it anew: windflower gallery -o docs/gallery"
    names = [entry.name for entry in entries()]
    assert len(set(names)) == len(names)
    for entry in entries():
        assert entry.sentence.endswith(".")
        assert f"`{entry.command}`" in page
        assert (DOCS / entry.file).exists(), entry.name


def test_the_gallery_is_small() -> None:
    sizes = [picture.stat().st_size for picture in DOCS.glob("*.webp")]
    assert max(sizes) < 300_000
    assert sum(sizes) < 12_000_000


def test_noise_is_made_small_and_loops_move(tmp_path: Path) -> None:
    from PIL import Image

    noise = np.random.default_rng(0).integers(0, 255, (2, 500, 700, 3), dtype=np.uint8)
    save_strip(tmp_path / "strip.webp", list(noise), columns=1, gap=4)
    assert (tmp_path / "strip.webp").stat().st_size < LARGEST
    with Image.open(tmp_path / "strip.webp") as strip:
        assert strip.size == (700, 1004)
    save_loop(tmp_path / "loop.webp", list(noise[:, ::8, ::8]), fps=5)
    with Image.open(tmp_path / "loop.webp") as loop:
        assert getattr(loop, "n_frames", 1) == 2
