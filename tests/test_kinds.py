"""Nobody asks of what kind a motion, a stand or a wind is, but the folder that owns it: they say what they can do."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import windflower
from windflower.motion.contract import Motion
from windflower.motion.device.twin import Twin
from windflower.motion.registry import MOTIONS
from windflower.motion.settings import MotionSettings
from windflower.motion.stand import Stand
from windflower.wind import SOURCES, SourceSettings, Wind
from windflower.wind.forces import Forces

PACKAGE = Path(windflower.__file__).parent


@cache
def owners() -> dict[str, Path]:
    """Classes of motions, settings, twins, stands and winds, and the folder that may ask for each."""
    for registry in (MOTIONS, SOURCES):
        for kind in registry:
            registry[kind]  # which loads it
    found: dict[str, Path] = {}
    waiting: list[type] = [Motion, MotionSettings, Twin, Stand, Wind, SourceSettings, Forces]
    while waiting:
        one = waiting.pop()
        waiting += one.__subclasses__()
        if one.__module__.startswith("windflower."):
            found[one.__name__] = PACKAGE.parent / Path(*one.__module__.split(".")[:-1])
    return found


@cache
def asked_in(path: Path) -> frozenset[str]:
    """The questions of a module."""
    return frozenset(questions(path.read_text("utf-8")))


def questions(source: str) -> Iterator[str]:
    """Class names in isinstance, type() is and patterns, names of kinds in comparisons, and names in hasattr."""
    kinds = {*MOTIONS, *SOURCES}
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[_, asked]):
                yield from (name.id for name in ast.walk(asked) if isinstance(name, ast.Name))
            case ast.Call(func=ast.Name(id="hasattr"), args=[_, ast.Constant(value=str(name))]):
                yield f"hasattr {name}"
            case ast.MatchClass(cls=ast.Name(id=name)):
                yield name
            case ast.Compare(left=left, comparators=[*others]):
                yield from _compared([left, *others], kinds)
            case _:
                pass


def _compared(sides: list[ast.expr], kinds: set[str]) -> Iterator[str]:
    if any(isinstance(side, ast.Call) and getattr(side.func, "id", "") == "type" for side in sides):
        yield from (side.id for side in sides if isinstance(side, ast.Name))
    about_kind = any(getattr(side, "attr", getattr(side, "id", "")) == "kind" for side in sides)
    for side in sides if about_kind else ():
        yield from (
            f"kind {one.value}" for one in ast.walk(side) if isinstance(one, ast.Constant) and one.value in kinds
        )


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_kind_is_asked_for_outside_its_own_folder(path: Path) -> None:
    asked = asked_in(path)
    foreign = {name for name in asked if name in owners() and not path.is_relative_to(owners()[name])}
    named = {name for name in asked if name.startswith("kind ")}
    assert foreign | named == set(), "let it say itself what it can do: see motion/contract.py"


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_nobody_asks_whether_something_has_an_attribute(path: Path) -> None:
    asked = {name for name in asked_in(path) if name.startswith("hasattr ")}
    assert asked <= {"hasattr sysconf", "hasattr csr_matvec"}, "of the operating system and of SciPy one may ask"


def test_a_question_is_found_however_it_is_asked() -> None:
    for source in (
        "isinstance(motion, ModalMotion)",
        "isinstance(stand.motion, (int, ModalMotion))",
        "type(motion) is ModalMotion",
        "match motion:\n  case ModalMotion(): pass",
    ):
        assert "ModalMotion" in set(questions(source)), source
    assert set(questions("motion.kind == 'modal'")) == {"kind modal"}
    assert set(questions("kind in ('modal', 'spectral')")) == {"kind modal", "kind spectral"}
    assert set(questions("hasattr(motion, 'modes')")) == {"hasattr modes"}
    assert {"ModalMotion", "BlockStand", "ModalTwin", "Turbulence", "HybridSettings"} <= set(owners())
