"""The site, without Sphinx: every page is in the menu, every link leads somewhere, the lesson runs."""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import windflower
from book.api_pages import INTRODUCTIONS
from book.pages import CONTENTS, ROOT, copied, made
from book.pictures import captioned, openable
from book.validation_table import results

LESSON = ROOT / "examples" / "why-trees-sway.ipynb"
MENU = [page for pages in CONTENTS.values() for page in pages]


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return dict((*copied(), *made()))


def test_every_page_is_in_the_menu_once(pages: dict[str, str]) -> None:
    assert sorted(MENU) == sorted(
        page for page in pages if page == "api/index" or not page.startswith(("api/", "index"))
    )


def test_every_link_and_picture_of_the_site_is_there(pages: dict[str, str]) -> None:
    for page, text in pages.items():
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", re.sub(r"```.*?```", "", text, flags=re.DOTALL)):
            place = (Path(page).parent / target).as_posix()
            place = str(Path("/", place).resolve())[1:] if ".." in place else place
            known = place.removesuffix(".md") in pages or (ROOT / "docs" / place).is_file()
            assert known, f"{page} links to {target}"


def cells(row: str) -> int:
    """How many cells a row of a table has; a bar that belongs to its text stands behind a backslash."""
    return len(re.split(r"(?<!\\)\|", row.strip().removeprefix("|").removesuffix("|")))


def test_every_row_of_a_table_has_as_many_cells_as_its_heading(pages: dict[str, str]) -> None:
    found = 0
    for page, text in pages.items():
        for table in re.findall(r"(?m)(?:^ {0,3}\|.*\n)+", re.sub(r"```.*?```", "", text, flags=re.DOTALL)):
            rows = table.splitlines()
            assert re.fullmatch(r" *\|[-:| ]+\|", rows[1]), f"{page}: {rows[0]}"
            assert [row for row in rows if cells(row) != cells(rows[0])] == [], page
            found += 1
    assert found > 100


def test_a_picture_has_a_caption_and_opens_in_full_size(pages: dict[str, str]) -> None:
    text = captioned(
        "\n\n".join(["# A page", "![a birch](birch.webp)", "*A birch in May.*", "![an oak](oak.webp)", ""])
    )
    assert ":::{figure} birch.webp\n:alt: a birch\n\nA birch in May.\n:::" in text
    assert ":::{figure} oak.webp\n:alt: an oak\n\nAn oak.\n:::" in text
    shown = '<img alt="an oak" src="_images/oak.webp" />'
    assert openable(shown) == f'<a class="picture" href="_images/oak.webp">{shown}</a>'
    assert openable(f'<a href="trees.html">{shown}</a>') == f'<a href="trees.html">{shown}</a>'
    bare = {page: re.findall(r"(?m)^!\[.*\)$", captioned(text)) for page, text in pages.items()}
    assert {page: found for page, found in bare.items() if found} == {}


def test_every_public_name_has_its_place_in_the_reference(pages: dict[str, str]) -> None:
    text = "".join(text for page, text in pages.items() if page.startswith("api/"))
    missing = [name for name in windflower.__all__ if not re.search(rf"\}} windflower\.{name}\b", text)]
    assert missing == []


def test_a_bar_in_a_type_has_its_backslash_in_tables_only(pages: dict[str, str]) -> None:
    lines = [line for page, text in pages.items() if page.startswith("api/") for line in text.splitlines()]
    assert [line for line in lines if "\\|" in line and not line.startswith("|")] == []
    assert [line for line in lines if line.startswith("Returns") and " | " in line]


def test_numbers_of_the_table_of_validation_are_short_and_whole() -> None:
    check = {"what": "|H|", "reference": "theory", "expected": 28184.6, "found": -1.4367e-8}
    row = results([check | {"subject": "beams", "difference": 0.15, "tolerance": 1 / 30, "passed": True}]).splitlines()[
        -1
    ]
    assert row == "| \\|H\\| | theory | 28,180 | −1.437e−08 | 1.5e−01 | 0.0333 |"


def test_every_command_is_on_its_page(pages: dict[str, str]) -> None:
    from windflower.cli.commands import COMMANDS

    names = [target.split(":")[1].replace("_", "-") for targets in COMMANDS.values() for target in targets]
    assert [name for name in names if f"### `windflower {name}`" not in pages["commands"]] == []


def test_every_public_name_has_a_sentence_on_the_page_of_all_names(pages: dict[str, str]) -> None:
    said = dict(re.findall(r"(?m)^\| \{py:obj\}`(\w+) <[\w.]+>` \| (.*) \|$", pages["api/index"]))
    assert set(windflower.__all__) - {"__version__"} <= set(said)
    assert {name: text for name, text in said.items() if not re.search(r".{8}\.$", text)} == {}
    assert not [name for name, text in said.items() if text.endswith((" al.", "(eq."))]


def test_defaults_of_arguments_are_values_and_no_machinery(pages: dict[str, str]) -> None:
    text = "".join(text for page, text in pages.items() if page.startswith("api/"))
    for word in ("field(", "default_factory", "Annotated", "GRASSLAND", "THICK", "SHUTTER"):
        assert not re.search(rf"`[^`\n]*{re.escape(word)}[^`\n]*`", text), word
    assert "thicker=0.04" in text
    assert max(len(cell) for cell in re.findall(r"\| `([^`\n]*)` \|", text)) < 90


def test_options_are_code_with_their_defaults_in_a_column_of_their_own(pages: dict[str, str]) -> None:
    text = pages["commands"]
    prose = re.sub(r"```.*?```|`[^`]*`", "", text, flags=re.DOTALL)
    assert re.findall(r"\S*--[a-z]\S*", prose) == []
    assert "[default" not in text
    assert "| `--joints` `N` | `64` | Joints of the skeleton. |" in text
    assert "| `PLANT\\|SCENE` | *required* |" in text


def test_every_species_wood_and_scene_has_its_entry(pages: dict[str, str]) -> None:
    for page, names in (
        ("all-species", windflower.species_names()),
        ("woods", windflower.wood_names()),
        ("winds", tuple(windflower.PRESETS)),
        ("all-scenes", windflower.scene_names()),
    ):
        assert [name for name in names if f"`{name}`" not in pages[page]] == []


def lesson(*, cells: int | None = None) -> dict[str, Any]:
    """The names after the first cells of the lesson, as they run where there are no sliders."""
    names: dict[str, Any] = {}
    found = [cell for cell in json.loads(LESSON.read_text("utf-8"))["cells"] if cell["cell_type"] == "code"]
    for cell in found[:cells]:
        exec("".join(cell["source"]), names)
    return names


@pytest.fixture
def no_window(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    import matplotlib.pyplot as plt

    plt.switch_backend("Agg")
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    yield
    plt.close("all")


@pytest.mark.usefixtures("no_window")
def test_the_code_on_pages_of_the_reference_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for text in INTRODUCTIONS.values():
        for code in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
            exec(code, {})
    assert Path("oak.pdf").stat().st_size > 1000


@pytest.mark.usefixtures("no_window")
def test_the_lesson_begins_with_a_beam_that_agrees_with_theory() -> None:
    names = lesson(cells=2)
    assert names["found"] == pytest.approx(names["theory"], rel=0.005)


@pytest.mark.slow
@pytest.mark.usefixtures("no_window")
def test_the_whole_lesson_runs() -> None:
    names = lesson()
    assert names["record"].along.std() > 0.02, "m; it sways"


def test_the_lesson_holds_no_results() -> None:
    cells = json.loads(LESSON.read_text("utf-8"))["cells"]
    assert all(not cell.get("outputs") and cell.get("execution_count") is None for cell in cells)


def test_exercises_have_answers() -> None:
    text = "".join("".join(cell["source"]) for cell in json.loads(LESSON.read_text("utf-8"))["cells"])
    assert text.count("**Exercise ") == text.count("<summary>Answer</summary>") >= 10


def test_the_citation_names_the_version() -> None:
    assert f"version: {windflower.__version__}\n" in (ROOT / "CITATION.cff").read_text("utf-8")
