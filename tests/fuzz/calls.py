"""Target: calls of the public functions and classes with numbers that fit their types and nothing else.

An input is a line of Python, made from the signatures themselves, so that a new public name is called without a line
here. A value of another type than its annotation is a mistake that a type checker tells, and is not tried.
"""

import collections.abc
import inspect
import os
import types
import typing
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import windflower
from tests.fuzz import corpora
from tests.fuzz.extremes import WORDS, extreme_float, extreme_int, log_uniform
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


OBJECTS: dict[str, tuple[str, ...]] = {
    "Plant": ("plant", "banana"),
    "Modes": ("modes",),
    "Wood": ("wood",),
    "Wind": ("wind", "gusty"),
    "Scene": ("scene",),
    "SceneSettings": ("scene.settings",),
    "Stand": ("scene.stands[0]",),
    "Mesh": ("mesh",),
    "Sway": ("sway_record",),
    "LoopMotion": ("loop",),
    "Structure": ("structure",),
    "Sheet": ("structure.sheets[0]",),
    "TurbSimBox": ("box",),
    "Forces": ("drag",),
    "Species": ("species_of('violet')",),
    "Places": ("Places([[0, 0, 0]])",),
    "Profile": ("Profile()", "Profile('log')"),
    "Rayleigh": ("Rayleigh(alpha=0.1, beta=0.01)",),
    "Flutter": ("Flutter()",),
    "LeafMotion": ("LeafMotion(plant=plant, flutter=Flutter())",),
    "Branch": ("drag.branch",),
    "Axes": ("plot_plant(plant)",),
    "Motion": ("ModalMotion(modes)",),
    "Box": ("[[0, 0, 0], [4, 3, 2]]",),
    "NoiseFilter": ("NoiseFilter(speed=4.0)",),
    "Turbulence": ("Turbulence(speed=4.0)",),
    "Season": ("Season(day=280.0)",),
    "BroadleafConstants": ("BroadleafConstants()",),
}
"""Lines that give an object of a class, for arguments of that class."""

MORE = {"sheet_alone": "density=80.0, E=2e9"}
"""What a call needs besides what its signature names."""

ARRAYS = {
    "parent": "[-1, 0, 1, 1]",
    "order": "[0, 0, 0, 1]",
    "node": "[1, 2]",
    "instance": "0",
    "box": "[[0, 0, 0], [4, 3, 2]]",
    "position": "[[0, 0, 0], [0, 1, 0], [0, 2, 0], [1, 2, 0]]",
    "radius": "[0.1, 0.1, 0.05, 0.02]",
    "t": "0.5",
}
"""Numbers that suit the name of an argument."""

STRINGS = (
    "oak",
    "violet",
    "hazel-bush",
    "breeze",
    "5",
    "rotated",
    "linear",
    "exact",
    "implicit",
    "printed",
    "drag",
    "paper",
    "z",
    "mm",
    "uniform",
)


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


def value_text(rng: Random, hint: Any, parameter: inspect.Parameter, odd: float) -> str:
    """A value of a type, as Python text."""
    if isinstance(hint, str):
        hint = {"float": float, "int": int, "str": str, "bool": bool}.get(hint, Any)
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if "Callable" in str(hint):
        return "None"
    if _is_array_like(hint):
        return _array_text(rng, parameter.name, odd, whole="int64" in str(hint))
    if origin in (typing.Union, types.UnionType):
        return value_text(
            rng, rng.choice([part for part in inner if part is not type(None)] or [float]), parameter, odd
        )
    if origin is typing.Literal:
        return repr(rng.choice(inner))
    if origin is tuple:
        parts = [inner[0]] * rng.randrange(4) if inner[-1:] == (Ellipsis,) else inner
        return "(" + "".join(value_text(rng, part, parameter, odd) + ", " for part in parts) + ")"
    if origin in (list, collections.abc.Sequence):
        return "[" + ", ".join(value_text(rng, inner[0], parameter, odd) for _ in range(rng.randrange(4))) + "]"
    return _plain_text(rng, hint, parameter, odd)


def _plain_text(rng: Random, hint: Any, parameter: inspect.Parameter, odd: float) -> str:
    default = parameter.default
    if hint is bool:
        return rng.choice(("True", "False"))
    if hint is float:
        usual = default if isinstance(default, int | float) else 1.0
        return repr(extreme_float(rng) if rng.random() < odd else log_uniform(rng, usual, 0.5))
    if hint is int:
        return str(extreme_int(rng) if rng.random() < odd else rng.choice((1, 2, 3, 5)))
    if hint is str:
        words = (default,) if isinstance(default, str) and default else STRINGS
        return repr(rng.choice(WORDS if rng.random() < odd else words))
    if hint in (os.PathLike, Path) or "PathLike" in str(hint):
        return repr(rng.choice(("x.png", "x.csv", "x.npz", "x.toml", "no/x.csv", *WORDS)))
    if hint is bytes:
        return repr(rng.choice(corpora.scene_files())[:200])
    name = getattr(hint, "__name__", str(hint))
    return rng.choice(OBJECTS[name]) if name in OBJECTS else "None"


def _is_array_like(hint: Any) -> bool:
    return "ndarray" in str(hint) or "_SupportsArray" in str(hint) or "NestedSequence" in str(hint)


def _array_text(rng: Random, name: str, odd: float, *, whole: bool) -> str:
    """Numbers in some shape, mostly one that suits the name."""
    if name in ARRAYS and rng.random() > odd:
        return ARRAYS[name]
    shape = rng.choice(((), (1,), (3,), (1, 3), (2, 3), (4, 3), (4,), (2,), (0,), (0, 3), (3, 2, 3), (2, 2, 2, 2, 3)))
    values = np.array(
        [extreme_float(rng) if rng.random() < odd else rng.uniform(-2, 3) for _ in range(int(np.prod(shape)))]
    )
    if whole:
        numbers = [extreme_int(rng) if rng.random() < odd else rng.randrange(4) for _ in values]
        return f"np.array({[number for number in numbers if abs(number) < 2**63]}, np.int64)"
    text = "[" + ", ".join(repr(value) for value in values.tolist()) + "]"
    return f"np.array({text}).reshape({shape})"


def _check(data: bytes, folder: Path) -> bool:
    os.chdir(folder)
    given = eval(data.decode(), dict(things()))
    if isinstance(given, np.ndarray) and given.dtype.kind == "f":
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
