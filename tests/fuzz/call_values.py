"""Arguments of calls as Python text: values that fit a type, usual ones and extremes."""

import collections.abc
import inspect
import os
import types
import typing
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from tests.fuzz import corpora
from tests.fuzz.extremes import WORDS, extreme_float, extreme_int, log_uniform

__all__ = ["value_text"]

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
    "WindProfile": ("Profile()", "Profile('log')"),
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
