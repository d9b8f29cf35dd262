"""The walks that docs/architecture.md draws, call by call, against what a debugger would show."""

import re
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import windflower
from tests.plants import fork
from tests.viewers import Driver
from windflower.cli import main
from windflower.core.device import Gpu
from windflower.mechanics import tree_factor
from windflower.simulation import simulation
from windflower.viewer import grasp

PACKAGE = Path(windflower.__file__).parent
PAGE = (PACKAGE.parent / "docs" / "architecture.md").read_text("utf-8")
Walk = list[tuple[str, str]]


def drawn(first: str) -> Walk:
    """The files and functions of the walk on the page that begins with this one; the sentence before counts them."""
    parts = PAGE.split("```")
    for before, block in zip(parts[0::2], parts[1::2], strict=False):
        walk = re.findall(r"^ *([\w/]+\.py) +(\w+)", block, re.MULTILINE)
        if walk and walk[0][1] == first:
            counts = f"{len(walk)} calls through {len({file for file, _ in walk})} files"
            assert counts in " ".join(before.split()), counts
            return walk
    raise AssertionError(f"no walk begins with {first}")


def running(first: str) -> Walk | None:
    """Our functions that are running now, from the first of this name on; None if it is not among them."""
    stack = [(Path(frame.filename), frame.name) for frame in traceback.extract_stack()]
    ours = [(path.relative_to(PACKAGE).as_posix(), name) for path, name in stack if path.is_relative_to(PACKAGE)]
    names = [name for _, name in ours]
    return ours[names.index(first) :] if first in names else None


@pytest.fixture
def walks(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[Walk]]:
    """Note what is running whenever something is called, on the way from `first` and through `past`."""

    def watched(owner: Any, name: str, first: str, past: str = "") -> list[Walk]:
        found: list[Walk] = []
        original = getattr(owner, name)

        def call(*arguments: Any, **options: Any) -> Any:
            walk = running(first)
            if walk and (not past or past in [function for _, function in walk]):
                found.append(walk)
            return original(*arguments, **options)

        monkeypatch.setattr(owner, name, call)
        return found

    return watched


def compute_pass(gpu: Gpu) -> type:
    """The class of this driver's compute passes."""
    return type(gpu.device.create_command_encoder().begin_compute_pass())


def command(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "argv", ["windflower", *text.split()])
    with pytest.raises(SystemExit) as stop:
        main()
    assert not stop.value.code


def test_the_walk_of_the_demo(
    gpu: Gpu, walks: Callable[..., list[Walk]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(simulation, "MANY", 1)  # so that two trees feel the wind as a thousand do
    found = walks(compute_pass(gpu), "dispatch_workgroups", "demo", past="frame")
    command(monkeypatch, f"demo --trees 2 --seconds 0 --size 32x32 --quality draft --no-window --out {tmp_path}")
    assert found[0] == drawn("demo")


def test_the_walk_of_a_loop(
    gpu: Gpu, walks: Callable[..., list[Walk]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    found = walks(compute_pass(gpu), "dispatch_workgroups", "loop", past="frame")
    options = "--seconds 2 --detail 0.1 --count 5 --size 32x32 --quality draft"
    command(monkeypatch, f"loop oak {options} -o {tmp_path}/oak.png")
    assert found[0] == drawn("loop")


def test_the_walk_of_modes(walks: Callable[..., list[Walk]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WINDFLOWER_CACHE", str(tmp_path / "cache"))
    fork().save(tmp_path / "fork.npz")
    found = walks(tree_factor, "_Elimination", "modes", past="analyse")
    command(monkeypatch, f"modes {tmp_path}/fork.npz --wood oak")
    assert found[0] == drawn("modes")


def test_the_walk_of_a_hand_in_the_window(gpu: Gpu, walks: Callable[..., list[Walk]], tmp_path: Path) -> None:
    driver = Driver(gpu, tmp_path)
    driver.frames(2)
    grabs = walks(grasp, "Hand", "_on_event")
    foot = driver.nodes()[2]  # the trunk, which no branch hides
    driver.send("pointer_down", x=driver.on_screen(foot)[0], y=driver.on_screen(foot)[1], button=1, buttons=(1,))
    driver.canvas._process_events()
    assert driver.session.hand is not None
    assert grabs[0] == drawn("_on_event")
    steps = walks(compute_pass(gpu), "dispatch_workgroups", "draw")
    driver.frames()
    assert steps[0] == drawn("draw")
