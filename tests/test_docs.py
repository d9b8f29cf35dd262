"""The documents: their code runs, their commands exist, what they link to is there, and their pictures are small."""

import ast
import builtins
import json
import re
import shlex
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main

from windflower import EXPORTERS, IMPORTERS, MOTIONS, SOURCES, parse_recipe, parse_scene, species_of
from windflower.cli import main
from windflower.cli.commands import app
from windflower.core.registry import Registry
from windflower.export.materials import CUT_OUT, ROUGHNESS

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"```(\w*)\n(.*?)```", re.DOTALL)
QUICK = {"info", "show", "modes", "wind", "sway", "species"}  # commands of the tutorial that a test can wait for


def blocks(page: Path) -> list[tuple[str, str]]:
    """The language and the text of each block."""
    return FENCE.findall(page.read_text("utf-8"))


def commands(text: str) -> list[list[str]]:
    """The words after `windflower` of every command in a text."""
    lines = [line.split(" #")[0].strip() for line in text.splitlines()]
    return [shlex.split(line)[1:] for line in lines if re.match(r"(\.venv/bin/)?windflower( |$)", line)]


def mentioned(page: Path) -> list[list[str]]:
    """All commands on a page: in blocks for a shell, and in `windflower …` within a line."""
    text = page.read_text("utf-8")
    inline = re.findall(r"`(windflower [^`…]+)`", FENCE.sub("", text))
    return [
        words
        for block in (*(body for _, body in blocks(page)), *inline)
        for words in commands(block.replace("\\\n", ""))
    ]


@pytest.fixture(autouse=True)
def _registries_as_before() -> Iterator[None]:
    """What a page registers is gone when its test is over."""
    registries: list[Registry[Any]] = [EXPORTERS, IMPORTERS, MOTIONS, SOURCES]
    before = [set(registry) for registry in registries]
    yield
    for registry, names in zip(registries, before, strict=True):
        for name in set(registry) - names:
            registry.unregister(name)


WORKED = ("tutorial.md",)  # run as typed, code and commands, by a test of its own
LONG = ("breaking.md", "datasets.md", "export.md")  # they take as long as all the others together
CODE = [
    pytest.param(page, marks=[pytest.mark.slow] if page.name in LONG else [], id=page.name)
    for page in PAGES
    if page.name not in WORKED and any(language == "python" for language, _ in blocks(page))
]


@pytest.mark.parametrize("page", CODE)
def test_the_code_on_a_page_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All Python blocks of a page, one after another, as a reader would type them."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for language, block in blocks(page):
        if language == "python":
            exec(compile(block, page.name, "exec"), names)


def whole_scene(block: str) -> str:
    """A scene of a block that shows a part of one: with a stand, to which a motion belongs."""
    if "[[stands]]" in block:
        return block
    stand = '[[stands]]\nplant = "oak"\n'
    if block.startswith(("[stands", "motion =")):
        return stand + block
    keys, header, tables = block.partition("[")
    return keys + stand + header + tables


TOML = [
    pytest.param(block, id=f"{page.stem}-{number}")
    for page in PAGES
    for number, block in enumerate(body for language, body in blocks(page) if language == "toml")
]


@pytest.mark.parametrize("block", TOML)
def test_every_scene_recipe_and_species_on_a_page_is_taken(block: str, tmp_path: Path) -> None:
    table = tomllib.loads(block)
    if "samples" in table:
        assert parse_recipe(block).samples == table["samples"]
    elif {"girth", "growth"} & set(table):
        file = tmp_path / "own.toml"
        file.write_text(block, "utf-8")
        assert species_of(str(file)).title == table["title"]
    else:
        assert parse_scene(whole_scene(block)).stands


def test_code_that_needs_other_packages_or_a_notebook_imports_what_it_names() -> None:
    """Blocks marked `py` are not run here; together, those of a page have to know every name."""
    for page in PAGES:
        tree = ast.parse("".join(body for language, body in blocks(page) if language == "py"))
        nodes = list(ast.walk(tree))
        known = {name.asname or name.name for node in nodes if isinstance(node, ast.Import) for name in node.names}
        known |= {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        known |= {node.arg for node in nodes if isinstance(node, ast.arg)} | set(dir(builtins))
        names = [node for node in nodes if isinstance(node, ast.Name)]
        known |= {node.id for node in names if isinstance(node.ctx, ast.Store)}
        assert {node.id for node in names} <= known, page.name
    assert not re.search(r"(?m)^```\n(?:import|from|class|def) ", "".join(p.read_text("utf-8") for p in PAGES))


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=lambda page: page.name)
def test_the_commands_on_a_page_exist_with_their_options(page: Path) -> None:
    known = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    for words in mentioned(page):
        if words[0].startswith("-"):
            continue
        assert words[0] in known, f"{page.name}: windflower {words[0]}"
        options = {name for option in known[words[0]].params for name in (*option.opts, *option.secondary_opts)}
        given = {word.split("=")[0] for word in words[1:] if re.match(r"--?[a-z]", word)}
        assert given <= options, f"{page.name}: windflower {' '.join(words)}"


def test_a_command_that_does_not_exist_is_found() -> None:
    assert commands("windflower dance --fast  # quickly") == [["dance", "--fast"]]
    assert ["validate"] in mentioned(ROOT / "README.md")


def test_the_tutorial_works_as_it_is_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    done = []
    for language, block in blocks(ROOT / "docs" / "tutorial.md"):
        if language == "python":
            exec(compile(block, "tutorial.md", "exec"), names)
        elif language == "toml":
            Path("my-scene.toml").write_text(block, "utf-8")
        for words in commands(block) if language == "sh" else []:
            if words[0] in QUICK:
                monkeypatch.setattr(sys, "argv", ["windflower", *words])
                with pytest.raises(SystemExit) as stop:
                    main()
                assert not stop.value.code, capsys.readouterr().err
                done.append(words[0])
    assert set(done) >= {"info", "show", "modes", "wind", "sway"}
    assert all(Path(f"my-{name}.png").stat().st_size > 10_000 for name in ("tree", "modes", "wind", "sway"))
    from windflower.scene import build, read_scene

    assert build(read_scene("my-scene.toml")).trees == 1


def test_the_worked_example_of_measurements_gives_its_table_and_its_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    said = ""
    for language, block in blocks(ROOT / "docs" / "measurements.md")[:-1]:
        if language == "python":
            exec(compile(block, "measurements.md", "exec"), {})
        for words in commands(block.replace("\\\n", "")) if language == "sh" else []:
            monkeypatch.setattr(sys, "argv", ["windflower", *words])
            with pytest.raises(SystemExit) as stop:
                main()
            out, err = capsys.readouterr()
            assert not stop.value.code, err
            said += err
            if "--json" in words:
                json.loads(out)
    assert "3 of 1,200 rows have missing values; 2 gaps, 0.5 s in all, the longest 0.3 s, interpolated." in said
    assert Path("sway.csv").read_text().splitlines()[0].startswith("time_s,wind_m_s")
    assert len(Path("sway.csv").read_text().splitlines()) == 1802
    assert all(Path(name).read_bytes().startswith(b"%PDF") for name in ("modes.pdf", "wind.pdf", "sway.pdf"))


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=lambda page: page.name)
def test_what_a_page_links_to_is_there(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_table_of_materials_has_their_roughness() -> None:
    page = (ROOT / "docs" / "export.md").read_text("utf-8")
    for name, value in ROUGHNESS.items():
        (row,) = re.findall(rf"(?m)^\| `{name}` \|.*", page)
        assert f"{value:g}" in row.split(" | ")[2]
        assert ("alpha" in row.split(" | ")[4]) is (name in CUT_OUT)


def test_pictures_are_small() -> None:
    for picture in (ROOT / "docs").rglob("*"):
        if picture.suffix in {".png", ".webp", ".jpg"}:
            assert picture.stat().st_size < 300_000, picture


def test_nobody_is_told_to_install_from_an_index() -> None:
    """The package is on none; a word for it: `pip install -e ".[all]"` in the folder of the source code."""
    sources = (ROOT / "windflower").rglob("*.py")
    for path in (*PAGES, ROOT / "CONTRIBUTING.md", *sources, *(ROOT / "examples").iterdir()):
        if path.is_file():
            assert not re.search(r"pip install [^\n]*['\" ]windflower", path.read_text("utf-8")), path
