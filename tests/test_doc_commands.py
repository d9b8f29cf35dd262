"""Commands in the documents: each is run as it is typed, or named here with what it needs that tests do not have."""

import re
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.importer_files import write_mat, write_mtg
from tests.sampled import sampled
from tests.test_docs import FENCE, PAGES, ROOT, blocks, commands, mentioned
from windflower import Plant, Wind, grow, wood_of
from windflower.cli import main
from windflower.mechanics.wood import wood_text
from windflower.plant.species import species_text

NEEDS = {
    "view": "a screen",
    "bench": "minutes; tests/test_bench.py runs benchmarks in a small size",
    "gallery": "minutes; tests/test_gallery.py makes its quick entries",
    "demo": "a graphics card, or minutes",
    "doctor": "a graphics driver; tests/test_doctor.py runs it",
    "loop": "a graphics card, or minutes",
    "render": "a graphics card, or minutes",
    "species-sheet": "minutes; tests/test_plots.py draws sheets",
    "validate": "minutes; tests/test_validate.py runs its subjects",
}
"""Commands that are not run here, and why."""

LONG = {
    "sweep oak spruce --seeds 1-20": "an hour; tests/test_sweep.py runs small ones",
    "show noylum2.mtg": "the digitised walnut, which is not part of Windflower",
}
"""Beginnings of single commands that are not run here, and why."""

OTHERS = {
    "make": "a tool; the Makefile has its targets",
    "py -m venv": "Windows",
    ".venv\\Scripts\\": "Windows",
    "python3 -m venv": "the network",
    "python -m venv": "the network",
    ".venv/bin/pip install": "the network",
    ".peers/bin/": "the network, and other people's programs",
    "dask": "several machines; tests/test_workers.py runs workers on one",
}
"""How other lines for a shell begin, and why they are not run here."""

TUTORIAL = ROOT / "docs" / "tutorial.md"
ELSEWHERE = {"tutorial.md", "measurements.md"}
"""Pages that a test of their own goes through from top to bottom."""


def complete(words: list[str]) -> bool:
    """Whether a command is one to type, and not only the name of one with an option of which the text speaks."""
    return words[0].islower() and not (len(words) == 2 and words[1].startswith("-"))


TYPED = [
    (page.name, shlex.join(words))
    for page in PAGES
    if page.name not in ELSEWHERE
    for words in mentioned(page)
    if complete(words)
]
NAMES_ALONE = {"species", "scenes", "woods"}
"""Commands that need no argument."""

RUN = [
    (page, typed)
    for typed, page in {typed: page for page, typed in reversed(TYPED)}.items()  # once each
    if typed.split()[0] not in NEEDS and not typed.startswith(tuple(LONG)) and (" " in typed or typed in NAMES_ALONE)
]


def birch() -> Plant:
    return grow("silver-birch", seed=5, detail=0.15)


def mast(path: Path) -> None:
    time = np.arange(0, 30, 0.1)
    felt = Wind.beaufort(4, seed=2).velocity([0.0, 10.0, 0.0], time)
    table = np.column_stack([time, felt[:, 0], -felt[:, 2], felt[:, 1]])
    np.savetxt(path, table, fmt="%.3f", delimiter=",", header="time,u,v,w", comments="")


def record(path: Path) -> None:
    """How a top swings at 0.6 Hz in gusts, m."""
    time = np.arange(0, 120, 0.05)
    gusts = np.random.default_rng(1).normal(size=len(time))
    w, zeta, dt, x, v = 2 * np.pi * 0.6, 0.05, 0.05, 0.0, 0.0
    sway = []
    for push in gusts:
        v += dt * (push - w * w * x - 2 * zeta * w * v)
        x += dt * v
        sway.append(x)
    table = np.column_stack([time, sway])
    np.savetxt(path, table, fmt="%.5f", delimiter=",", header="time,displacement", comments="")


def written(page: str, beginning: str) -> Callable[[Path], object]:
    """Writes the TOML block of a page that begins like this."""
    (found,) = (
        body for one in PAGES if one.name == page for language, body in blocks(one) if body.startswith(beginning)
    )
    return lambda path: path.write_text(found, "utf-8")


FILES: dict[str, Callable[[Path], object]] = {
    "scan.mtg": lambda path: write_mtg(grow("spruce", seed=5, detail=0.2), path),  # has a second bending of its stem
    "scan.mat": lambda path: write_mat(birch(), path),
    "mast.csv": mast,
    "sway.csv": record,
    "fitted.toml": wood_of("birch").save,
    "birch.npz": lambda path: birch().save(path),
    "recipe.toml": written("first-steps.md", "samples = 4"),
    "rowan.toml": written("own-species.md", 'title = "Rowan"'),
    "my-walnut.toml": lambda path: path.write_text(species_text("walnut"), "utf-8"),
    "my-oak.toml": lambda path: path.write_text(wood_text("oak"), "utf-8"),
    "my-plant.toml": written("own-species.md", 'title = "Rowan"'),
    "wood.toml": lambda path: path.write_text('[[stands]]\nplant = "hazel-bush"\ndetail = 0.1\ncount = 3\n', "utf-8"),
}
"""What readers have, and these pages suppose."""


@pytest.mark.parametrize(
    ("page", "command"),
    sampled(RUN, ("own-species.md", "info rowan.toml"), ("own-species.md", "modes rowan.toml")),
)
def test_a_command_does_what_it_says(
    page: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = shlex.split(command)
    if {"birch.usdz", "birch.usdc"} & set(words):
        pytest.importorskip("pxr", reason="USD's library is not installed")
    monkeypatch.chdir(tmp_path)
    out = words[words.index("-o") + 1] if "-o" in words else ""
    for name in set(words) & set(FILES) - {out}:
        FILES[name](Path(name))
    monkeypatch.setattr(sys, "argv", ["windflower", *words])
    with pytest.raises(SystemExit) as stop:
        main()
    said = capsys.readouterr()
    assert not stop.value.code, f"{page}: {said.err}"
    assert Path(out).stat().st_size > 100 if out else said.out


def test_what_is_not_run_is_still_on_a_page() -> None:
    """A reason for a command that no page has any more is out of date."""
    assert set(NEEDS) <= {typed.split()[0] for _, typed in TYPED} | {words[0] for words in mentioned(TUTORIAL)}
    assert [beginning for beginning in LONG if not any(typed.startswith(beginning) for _, typed in TYPED)] == []


def test_every_other_line_for_a_shell_is_named_with_its_reason() -> None:
    lines = [
        (page.name, line.strip())
        for page in PAGES
        for language, body in blocks(page)
        if language == "sh"
        for line in body.replace("\\\n", "").splitlines()
        if line.strip() and not commands(line)
    ]
    assert [(page, line) for page, line in lines if not line.startswith(tuple(OTHERS))] == []


def test_targets_scripts_and_modules_on_pages_exist() -> None:
    targets = set(re.findall(r"(?m)^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8")))
    for page in (*PAGES, ROOT / "CONTRIBUTING.md"):
        text = page.read_text("utf-8")
        shown = "\n".join([*(body for _, body in blocks(page)), *re.findall(r"`([^`]+)`", FENCE.sub("", text))])
        assert set(re.findall(r"(?m)^make ([a-z-]+)", shown)) <= targets, page.name
        for script in re.findall(r"python ((?:benchmarks|examples)/\S+\.py)", shown):
            assert (ROOT / script).is_file(), f"{page.name}: {script}"
        for module in re.findall(r"python -m ((?:windflower|book|tests)[.\w]*)", shown):
            place = ROOT / module.replace(".", "/")
            assert place.with_suffix(".py").is_file() or (place / "__main__.py").is_file(), f"{page.name}: {module}"
