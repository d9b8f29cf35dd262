"""Target: calls of the public functions and classes with numbers that fit their types and nothing else.

An input is a line of Python, made from the signatures themselves, so that a new public name is called without a line
here. A value of another type than its annotation is a mistake that a type checker tells, and is not tried.
"""

import inspect
import os
import re
import typing
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import windflower
from tests.fuzz import corpora
from tests.fuzz.call_values import value_text
from tests.fuzz.invariants import finite
from tests.fuzz.target import Target
from windflower import Plant, Wind

__all__ = ["CALLS", "NOT_CALLED"]

NOT_CALLED = {
    "open_gpu": "takes nothing",
    "view": "opens a window",
    "widget": "opens a window",
    "render": "minutes; commands and drawn scenes go through it",
    "Film": "drawn scenes go through it",
    "DeviceSimulation": "drawn scenes go through it",
    "Gpu": "made by open_gpu",
    "Modes": "made by analyse; read_modes checks what is read",
    "Scene": "made by build_scene",
    "Stand": "made by build_scene",
    "Sway": "made by sway",
    "Strain": "made by motions",
    "Twigs": "made by twigs_of",
    "LodMeshes": "made by plant_meshes",
    "TriangleMesh": "made by triangle_mesh",
    "LoopMotion": "made by SpectralMotion and read_loop",
    "LeafMotion": "made by scenes",
    "Exporter": "a line of a registry",
    "Importer": "a line of a registry",
    "MotionKind": "a line of a registry",
    "Motion": "abstract",
    "Wind": "abstract",
    "Camera": "abstract",
    "MotionSettings": "abstract",
    "SourceSettings": "abstract",
    "MissingExtraError": "an error",
    "SceneSettings": "the target scene-file",
    "Species": "the target species",
    "Sheet": "made by Structure.with_sheet",
    "Ground": "made by build_scene",
    "View": "made by cameras",
    "Sun": "made by build_scene",
    "LoopedMotion": "records for minutes; scenes go through it",
}
"""Names of the public face that are not called here, and why."""

METHODS = (
    "velocity", "on_grid", "force", "path", "subtree_sum", "children", "some", "to_world", "to_plant",
    "factor", "life", "with_sheet", "rest", "probes", "lit", "values", "without_dead",
)  # fmt: skip
"""Methods that are called on what a call gives."""


@cache
def things() -> dict[str, Any]:
    """What a line may name: the public face, NumPy, numbers, and some small sound things."""
    modes = corpora.small_modes()
    known = {name: getattr(windflower, name) for name in windflower.__all__}
    plant = modes.plant
    scene = windflower.build_scene(windflower.parse_scene('[[stands]]\nplant = "violet"\ndetail = 0.1'))
    return {
        **known, "np": np, "nan": float("nan"), "inf": float("inf"), "plant": plant, "modes": modes, "Path": Path,
        "wood": windflower.wood_of("oak"), "wind": windflower.Steady(speed=5.0), "scene": scene,
        "gusty": Wind.beaufort(5), "mesh": windflower.plant_meshes(plant).meshes[0],
        "banana": windflower.grow("banana", detail=0.3),
        "sway_record": windflower.sway(modes, windflower.Steady(speed=5.0), seconds=1.0),
        "loop": windflower.SpectralMotion(modes, period=2.0, wind=windflower.Turbulence(speed=4.0)),
        "structure": windflower.mechanics.objects.flag(cells=(3, 2)),
        "box": corpora.small_box(),
        "drag": windflower.DragForces(windflower.Steady(speed=5.0)),
    }  # fmt: skip


MORE = {"sheet_alone": "density=80.0, E=2e9"}
"""What a call needs besides what its signature names."""


def line(rng: Random) -> bytes:
    """A call with some arguments, perhaps of a method of what another gives."""
    name = rng.choice(callables())
    odd = rng.choice((0.0, 0.1, 0.3, 0.6))
    made = things()[name]
    text = call_text(rng, name, made, odd) or "None"
    methods = [method for method in METHODS if inspect.isclass(made) and callable(getattr(made, method, None))]
    if methods and text != "None" and rng.random() < 0.8:
        method = rng.choice(methods)
        text = call_text(rng, f"{text}.{method}", getattr(made, method), odd, bound=True) or text
    return text.encode()


@cache
def callables() -> tuple[str, ...]:
    """Names of the public face that are called."""
    names = (name for name in windflower.__all__ if callable(things()[name]) and name not in NOT_CALLED)
    return tuple(
        name for name in names if not (inspect.isclass(things()[name]) and issubclass(things()[name], Exception))
    )


def call_text(rng: Random, name: str, called: Any, odd: float, *, bound: bool = False) -> str | None:
    """A call as Python text; None if it needs an object that nothing here gives."""
    hints = _hints(called)
    words = []
    for number, parameter in enumerate(inspect.signature(called).parameters.values()):
        if (bound and number == 0 and parameter.name == "self") or parameter.kind in (
            parameter.VAR_POSITIONAL,
            parameter.VAR_KEYWORD,
        ):
            continue
        needed = parameter.default is parameter.empty
        if not needed and rng.random() < 0.6:
            continue
        value = value_text(rng, hints.get(parameter.name, Any), parameter, odd)
        if "None" in value:  # nothing here gives an object of that class
            if needed:
                return None
            continue
        words.append(f"{parameter.name}={value}" if parameter.kind != parameter.POSITIONAL_ONLY else value)
    words += [MORE[name]] if name in MORE else []
    return f"{name}({', '.join(words)})"


@cache
def _hints(called: Any) -> dict[str, Any]:
    try:
        return typing.get_type_hints(called.__init__ if inspect.isclass(called) else called, things())
    except (NameError, TypeError):
        return {name: p.annotation for name, p in inspect.signature(called).parameters.items()}


def _check(data: bytes, folder: Path) -> bool:
    os.chdir(folder)
    given = eval(data.decode(), dict(things()))
    asked = not re.search(rb"\b(nan|inf)\b", data)  # of what is not finite, something else may follow
    if asked and isinstance(given, np.ndarray) and given.dtype.kind == "f":
        finite("what is given", given)
    elif isinstance(given, Plant):
        finite("a plant", given.position)
    _close_figures()
    return True


def _close_figures() -> None:
    import sys

    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


CALLS = [Target("call", line, _check, ".py", 3, "calls", things)]
